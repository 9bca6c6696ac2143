internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Platform
internal import Words

/// Entries of a folder of Markdown files, at any depth: a front matter between `---` lines, then the text.
///
/// What export writes comes back equal. What other programs write is understood as far as a diary can use
/// it: `date` or `created`, `title`, `tags` (a list in brackets, lines with dashes, or words), `journal`, `kind`, `starred`;
/// the day in a file's name or in those of its folders; pictures that stand in the text. The rest is named.
struct MarkdownEntries: EntrySource {
  private let folder: InputFolder
  private let dates: DateParser
  private var names: [String]
  private var register: JSONEntries?
  private var pending: PendingEntry?
  private(set) var lost = LostParts()
  /// Every file by its last path component, as Obsidian refers to them. For a single note, read only when it shows a file.
  private var places: [String: String]?

  /// Files that nothing has read yet.
  private var unread: Set<String>

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) throws {
    self.folder = folder
    let zone = input.zone
    dates = DateParser(zone: zone)
    let paths = input.contents.files
    for path in input.contents.closed { lost.add(.folder, path) }
    if input.isFolder { places = Self.byName(paths) }
    let isExport = folder.hasFile(MarkdownFolder.namesFile)
    names = input.markdownFiles.filter {
      !(isExport && $0.hasPrefix(MarkdownFolder.filesFolder + "/"))
    }.reversed()
    unread = input.isFolder && !isExport ? Set(paths).subtracting(names) : []
    if isExport {
      let file = try InputFile(MarkdownFolder.namesFile, in: folder)
      register = try JSONEntries(name: file.descriptor.name, zone: zone) { try file.piece() }
    } else if names.isEmpty {
      throw Failure(
        .invalid, ExchangeMessage.noMarkdown(input.isFolder ? folder.path : input.name),
        hint: Verbatim("facediary help import"))
    }
  }

  mutating func next() throws -> ImportItem? {
    if let item = try register?.next() { return item }
    register = nil
    while true {
      if let item = try pending?.next() { return item }
      guard let name = names.popLast() else {
        for path in unread.sorted() { lost.add(.unread, path) }
        unread = []
        return nil
      }
      do { pending = try entry(name) } catch { throw BadEntry(failure: error, place: name) }
    }
  }

  /// - Returns: nil for a file without a date.
  private mutating func entry(_ name: String) throws -> PendingEntry? {
    let file = folder.path + "/" + name
    let bytes = try InputFile(name, in: folder).contents(limit: EntryDraft.bodyLimit + (1 << 20))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.notText(file)
    }
    let (matter, body) = try FrontMatter.split(text, file, orRule: true)
    guard let date = try date(matter, name, file) else {
      lost.add(.file, name)
      return nil
    }
    var entry = ImportedEntry(draft: EntryDraft(date: date, body: body))
    try take(matter, into: &entry.draft, file)
    // A time without an offset is a local one.
    if entry.draft.zone == nil,
      !(matter.text("date")?.contains(/(?:[+-]\d\d:?\d\d|Z|UTC)$/) ?? false)
    {
      entry.draft.zone = dates.zone.name
    }
    entry.created = try matter.text("created").map { try time($0, "created", file).seconds }
    entry.modified = try matter.text("modified").map { try time($0, "modified", file).seconds }
    if let text = matter.text("id") {
      guard let id = EntryID(text.lowercased()) else {
        throw Failure(.invalid, ExchangeMessage.wantsID(file))
      }
      entry.id = id
    }
    var files: [PendingEntry.File] = []
    for attachment in matter.list("attachments") {
      let safe = AttachmentName.inFolder(attachment)
      let path = "\(MarkdownFolder.filesFolder)/\(entry.id?.description ?? "")/\(safe)"
      if entry.id != nil, folder.hasFile(path) {
        files.append(.path(path, name: safe))
      } else {
        lost.add(.attachment, path)
      }
    }
    if entry.id == nil { takePictures(of: body, in: name, &files) }
    if files.isEmpty, entry.draft.title == nil, body.allSatisfy(\.isWhitespace) {
      lost.add(.empty, name)
      return nil
    }
    if entry.id == nil {
      Self.takeTitle(from: name, &entry.draft)
    }
    for key in matter.keys where !Self.known.contains(key) { lost.add(.field, key) }
    do throws(VaultError) { try entry.draft.validate(hasAttachments: !files.isEmpty) } catch {
      throw Failure(
        .invalid,
        ExchangeMessage.fileField(file: file, field: error.subject, expected: error.reason))
    }
    return PendingEntry(entry, files: files, in: folder)
  }

  private func take(_ matter: FrontMatter, into draft: inout EntryDraft, _ file: String) throws {
    for field in EntryField.all {
      switch field.place {
      // The date was read before; the body follows the front matter.
      case .time, .body: break
      case .optionalTime(let path):
        draft.content[path] = try matter.text(field.name).map {
          try time($0, field.name, file)
        }
      case .text(let path): draft.content[path] = matter.text(field.name)
      case .texts(let path): draft.content[path] = Self.texts(field.name, matter)
      case .flag(let path):
        draft.content[path] = ["true", "yes"].contains(matter.text(field.name)?.lowercased())
      }
    }
  }

  /// Tags that are not an export's may have their sign, as in Obsidian, and several of them be one text with commas.
  private static func texts(_ field: String, _ matter: FrontMatter) -> [String] {
    var texts = matter.list(field)
    guard field == "tags", matter["id"] == nil else { return texts }
    if !matter.isList(field) {
      texts = texts.flatMap { $0.split(separator: ",").map { $0.trimmed } }
    }
    return texts.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }.filter { !$0.isEmpty }
  }

  private static let known: Set<String> =
    Set(EntryField.all.map(\.name)).union(["date", "created", "modified", "id", "attachments"])

  /// The existing files that a text shows, `![](photos/a.jpg)` or `![[a.jpg]]`, each once.
  private mutating func takePictures(
    of text: String, in name: String, _ files: inout [PendingEntry.File]
  ) {
    let folder = name.contains("/") ? FileSystem.parent(of: name) + "/" : ""
    var taken: Set<String> = []
    func take(_ path: String) {
      files.append(.path(path, name: AttachmentName.inFolder(path)))
      unread.remove(Self.normal(path))
    }
    for target in PictureTargets.all(in: text) {
      guard
        let path = [folder + target, target].first(where: self.folder.hasFile)
          ?? place(of: target).flatMap({ self.folder.hasFile($0) ? $0 : nil })
      else {
        lost.add(.attachment, String(target.prefix(255)))
        continue
      }
      guard taken.insert(path).inserted else { continue }
      guard files.count < Attachment.countLimit else {
        lost.add(.attachment, target)
        continue
      }
      take(path)
    }
    // Files that are there and only linked.
    for target in PictureTargets.linked(in: text) {
      guard files.count < Attachment.countLimit,
        let path = [folder + target, target].first(where: self.folder.hasFile),
        taken.insert(path).inserted
      else { continue }
      take(path)
    }
  }

  private mutating func place(of name: String) -> String? {
    if places == nil { places = Self.byName((try? folder.contents().files) ?? []) }
    return places?[name]
  }

  private static func byName(_ paths: [String]) -> [String: String] {
    Dictionary(
      paths.map { ($0.split(separator: "/").last.map(String.init) ?? $0, $0) }
    ) { first, _ in first }
  }

  /// A path without `.` and `..`.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// For front matter without a title: the heading that the text begins with, else the file's name without the
  /// day.
  private static func takeTitle(from name: String, _ draft: inout EntryDraft) {
    guard draft.title == nil else { return }
    var lines = draft.body.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
    if let first = lines.first, first.hasPrefix("# "), !first.dropFirst(2).trimmed.isEmpty {
      draft.title = first.dropFirst(2).trimmed
      draft.body = lines.dropFirst().joined(separator: "\n").trimmedLines
    } else {
      let stem = String((name.split(separator: "/").last ?? "").dropLast(3))
      var rest = stem.dropFirst(dayLength(stem))
      if let (_, after) = clock(rest) { rest = after }
      let title = rest.drop { " -_.–—".contains($0) }.trimmed
      // 05 in 2024/03/05.md is a day, and so is Tue or 火 behind one.
      let isDay =
        dayLength(stem) == 0
        ? folderDay(name) != nil
        : [title.lowercased(), title + "曜"].contains { DateParser.weekday($0) != nil }
      draft.title = title.isEmpty || isDay ? nil : title
    }
    draft.shortenTitle()
  }

  /// How many characters of a file's name are its day: `2026-03-01`, `2026_03_01`, `20260301`, `2026年3月1日`.
  private static func dayLength(_ stem: String) -> Int {
    let digits = stem.prefix { $0.isASCII && $0.isNumber }.count
    if digits == 8 { return 8 }
    guard digits == 4 else { return 0 }
    if stem.dropFirst(4).first == "年", let end = stem.firstIndex(of: "日") {
      return stem.distance(from: stem.startIndex, to: end) + 1
    }
    let day = stem.prefix(10).replacing("_", with: "-").split(
      separator: "-", omittingEmptySubsequences: false)
    return day.map(\.count) == [4, 2, 2] ? 10 : 0
  }

  /// The time behind a day in a file's name: `T0930`, `T09-30`, ` 09.30`, or `-0930` at the end; and what stands behind it. Other
  /// numbers, as in `2024 in review`, are words.
  private static func clock(_ text: Substring) -> (second: Int, rest: Substring)? {
    guard
      let match = text.prefixMatch(
        of:
          /(?:T|[-_ ](?=\d\d[-:.h]\d\d|\d{4}(?:\d\d)?$))([01]\d|2[0-3])[-:.h]?([0-5]\d)(?:[-:.]?([0-5]\d))?(?!\d)/
      ),
      let hour = Int(match.1), let minute = Int(match.2)
    else { return nil }
    return (
      hour * 3600 + minute * 60 + (match.3.flatMap { Int($0) } ?? 0),
      text[match.range.upperBound...]
    )
  }

  /// The day that a file's folders and its name say: `2026/03/01.md`.
  private static func folderDay(_ name: String) -> String? {
    let parts = name.dropLast(3).split(separator: "/").suffix(3)
    return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { Int($0) != nil }
      ? parts.joined(separator: "-") : nil
  }

  private func time(_ text: String, _ field: String, _ path: String) throws -> ZonedTime {
    if let time = try? dates.instant(text) { return time }
    guard let time = try? dates.instant(Self.plainDate(text)) else {
      throw Failure(
        .invalid, ExchangeMessage.wantsDateField(file: path, field: field, text))
    }
    return time
  }

  /// A date as other programs write it at the head of a file: with a comment, as a link, with an offset apart and without its colon.
  private static func plainDate(_ text: String) -> String {
    var text = String(text.prefix(upTo: text.firstRange(of: " #")?.lowerBound ?? text.endIndex))
      .trimmed
    if text.hasPrefix("[["), text.hasSuffix("]]") { text = String(text.dropFirst(2).dropLast(2)) }
    guard
      let match = text.wholeMatch(
        of: /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? *(?:([+-]\d\d):?(\d\d)|Z|UTC)/)
    else { return text }
    let offset = match.3.flatMap { hours in match.4.map { "\(hours):\($0)" } }
    return "\(match.1)T\(match.2)\(offset ?? "Z")"
  }

  /// From the front matter, else from the file's name and its folders': `2026-03-01 walk.md`, `2026_03_01.md`, `2026/03/01.md`.
  private func date(_ matter: FrontMatter, _ name: String, _ path: String) throws -> ZonedTime? {
    for field in ["date", "created"] {
      if let text = matter.text(field) { return try time(text, field, path) }
    }
    let last = name.split(separator: "/").last ?? ""
    let stem = String(last.dropLast(3))
    let day = stem.prefix(Self.dayLength(stem))
    if case .day(let number)? = try? dates.parse(String(day)),
      let (second, _) = Self.clock(stem.dropFirst(day.count))
    {
      return try dates.zone.instant(day: number, secondOfDay: second)
    }
    if let time = try? dates.instant(String(day)) { return time }
    for text in [String(stem.prefix(10)), Self.folderDay(name) ?? ""] {
      let day = text.replacing("_", with: "-")
      let numbers = day.split(separator: "-", omittingEmptySubsequences: false)
      guard numbers.map(\.count) == [4, 2, 2], let time = try? dates.instant(day) else { continue }
      return time
    }
    return nil
  }
}

/// The lines between `---` at the head of a Markdown file: the part of YAML that diaries and blogs use.
package struct FrontMatter {
  private var members: [String: [String]] = [:]
  /// Those written as a list.
  private var lists: Set<String> = []
  /// Keys that occur more than once; the last one counts.
  package private(set) var repeated: Set<String> = []

  package func isList(_ key: String) -> Bool { lists.contains(key) }

  package subscript(key: String) -> [String]? { members[key] }

  /// All keys, in order.
  package var allKeys: [String] { members.keys.sorted() }

  /// Keys whose values are not empty, in order.
  var keys: [String] { members.filter { !$0.value.isEmpty }.map(\.key).sorted() }

  func text(_ key: String) -> String? {
    members[key]?.first.flatMap { $0.isEmpty ? nil : $0 }
  }

  func list(_ key: String) -> [String] {
    (members[key] ?? []).filter { !$0.isEmpty }
  }

  /// The front matter and the text after it.
  ///
  /// - Parameter orRule: whether the first `---` may be a rule of the text, which nothing like a name and a colon follows.
  package static func split(
    _ text: String, _ path: String, orRule: Bool = false
  ) throws -> (FrontMatter, String) {
    var matter = FrontMatter()
    var rest = StoredText.unmarked(text)[...]
    func line() -> Substring? {
      guard !rest.isEmpty else { return nil }
      // A name may have other separators of lines in it.
      let end = rest.firstIndex { ["\n", "\r\n", "\r"].contains($0) } ?? rest.endIndex
      defer {
        rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[rest.endIndex...]
      }
      return rest[..<end]
    }
    let whole = rest
    guard line()?.trimmed == "---" else { return (matter, stored(String(whole))) }
    var number = 1
    var last: String?
    while let next = line() {
      number += 1
      let trimmed = next.trimmed
      if trimmed == "---" || trimmed == "..." { return (matter, stored(String(rest))) }
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      if trimmed.hasPrefix("- "), let last {
        matter.lists.insert(last)
        matter.members[last, default: []].append(
          try scalar(trimmed.dropFirst(2).trimmed, path, number))
        continue
      }
      guard let colon = trimmed.firstIndex(of: ":") else {
        if orRule, matter.members.isEmpty { return (matter, stored(String(whole))) }
        throw Failure(.invalid, ExchangeMessage.wantsColon(file: path, line: number))
      }
      let key = trimmed[..<colon].trimmed.lowercased()
      let value = trimmed[trimmed.index(after: colon)...].trimmed
      last = key
      let isNew = matter.members.updateValue(try values(value, path, number), forKey: key) == nil
      if !isNew { matter.repeated.insert(key) }
      if value.hasPrefix("[") { matter.lists.insert(key) }
    }
    if orRule, matter.members.isEmpty { return (matter, stored(String(whole))) }
    throw Failure(.invalid, ExchangeMessage.frontMatterOpen(path))
  }

  /// One line break after the front matter is the file's, as is one at the end.
  private static func stored(_ text: String) -> String {
    // Where its own lines end with LF, a CR before the last one is the text's.
    if text.hasPrefix("\n") { return StoredText.of(String(text.dropFirst())) }
    let body = String(text.hasPrefix("\r\n") ? text.dropFirst() : text[...])
    return body.hasSuffix("\r\n") ? String(body.dropLast()) : StoredText.of(body)
  }

  private static func values(_ text: String, _ path: String, _ line: Int) throws -> [String] {
    // Quoted, these are texts.
    if ["null", "~", ""].contains(text) { return [] }
    guard text.hasPrefix("[") else { return text.isEmpty ? [] : [try scalar(text, path, line)] }
    if let reader = try? json(text), case .array(let list) = reader {
      return list.compactMap(\.text)
    }
    guard text.hasSuffix("]") else {
      throw Failure(.invalid, ExchangeMessage.wantsListEnd(file: path, line: line))
    }
    return try text.dropFirst().dropLast().split(separator: ",").map {
      try scalar($0.trimmed, path, line)
    }
  }

  static func scalar(_ text: String, _ path: String, _ line: Int) throws -> String {
    if text.hasPrefix("\"") {
      guard let value = try? json(text), let plain = value.text else {
        throw Failure(.invalid, ExchangeMessage.wantsTextEnd(file: path, line: line))
      }
      return plain
    }
    if text.hasPrefix("'"), text.hasSuffix("'"), text.count > 1 {
      return String(text.dropFirst().dropLast()).replacing("''", with: "'")
    }
    return text
  }

  private static func json(_ text: String) throws -> JSONValue {
    var bytes: [UInt8]? = Array(text.utf8)
    var reader = try JSONReader {
      defer { bytes = nil }
      return bytes ?? []
    }
    var budget = 1 << 20
    let value = try JSONValue(try reader.next(), &reader, budget: &budget)
    guard try reader.next() == .end else { throw reader.expected(.end) }
    return value
  }
}

extension ImportFormat {
  static let markdown = ImportFormat(
    name: "markdown", shapes: [.file, .folder],
    // Logseq's days are Markdown, too.
    recognises: { $0.markdownFiles.first != nil && !LogseqEntries.isOne($0.contents.files) },
    keepsOurIDs: true,
    open: { try MarkdownEntries($0, try $0.folder()) })
}
