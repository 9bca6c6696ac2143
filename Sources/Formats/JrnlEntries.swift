internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

/// Entries of jrnl: its JSON export, or the text it keeps.
struct JrnlEntries: EntrySource {
  private enum Form {
    case json(JSONEntryObjects)
    case text(JrnlText)
  }

  let lost = LostParts()
  private var form: Form
  private let dates: DateParser

  init(name: String, zone: LocalZone, source: @escaping () throws -> [UInt8]) throws {
    dates = DateParser(zone: zone)
    // The first character tells: an object, or the bracket of a date.
    var first: [UInt8]? = try source()
    let start = first?.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
    func again() throws -> [UInt8] {
      defer { first = nil }
      return try first ?? source()
    }
    guard !(first ?? []).starts(with: Self.encrypted) else {
      throw Failure(
        .invalid, ExchangeMessage.jrnlEncrypted(name), hint: ExchangeMessage.decryptJrnl)
    }
    form =
      start == 0x7b
      ? .json(try JSONEntryObjects(name: name, source: again))
      : .text(try JrnlText(name: name, source: again))
  }

  /// The beginning of a journal encrypted by jrnl: a Fernet token of version 128, in base64.
  static let encrypted = Array("gAAAAA".utf8)

  mutating func next() throws -> ImportItem? {
    switch form {
    case .json(var objects):
      defer { form = .json(objects) }
      return try objects.next().map {
        do { return .entry(try entry($0, objects)) } catch { throw objects.bad(error) }
      }
    case .text(var text):
      defer { form = .text(text) }
      return try text.next(dates).map { .entry($0) }
    }
  }

  /// `{"title","body","date":"2026-03-01","time":"09:30","tags":["@food"],"starred"}`
  private func entry(_ object: JSONValue, _ source: JSONEntryObjects) throws -> ImportedEntry {
    guard let day = object["date"]?.text else {
      throw source.invalid("date", ImportExpectation.aDate)
    }
    let time = object["time"]?.text
    guard let date = try? dates.instant(time.map { day + "T" + $0 } ?? day) else {
      throw source.invalid("date", ImportExpectation.aDateAndTime)
    }
    let title = object["title"]?.text?.trimmed ?? ""
    var draft = EntryDraft(
      date: date, zone: dates.zone.name, title: title.isEmpty ? nil : title,
      body: (object["body"]?.text ?? "").trimmedLines,
      tags: (object["tags"]?.list ?? []).compactMap(\.text).map(Self.tag),
      starred: object["starred"]?.flag ?? false)
    draft.shortenTitle()
    try source.validate(draft)
    return ImportedEntry(draft: draft)
  }

  static func tag(_ text: String) -> String {
    text.first.map { "@#".contains($0) } == true ? String(text.dropFirst()) : text
  }
}

/// jrnl's own text: `[2026-03-01 09:30] Title`, then lines up to the next such line after an empty one. Until jrnl 2 the
/// dates had no brackets: so it is read when the first has none.
struct JrnlText {
  private let name: String
  private var lines: LineReader
  /// The heading that ended the previous entry.
  private var heading: (date: String, title: String, line: Int)?
  private var isStarted = false
  private var hasBrackets = true

  init(name: String, source: @escaping () throws -> [UInt8]) throws {
    self.name = name
    lines = LineReader(name: name, source: source)
  }

  mutating func next(_ dates: DateParser) throws -> ImportedEntry? {
    while !isStarted {
      guard let line = try lines.next() else {
        throw Failure(
          .invalid, ExchangeMessage.noJrnlEntry(name))
      }
      if line.allSatisfy(\.isWhitespace) { continue }
      hasBrackets = line.hasPrefix("[")
      guard let found = heading(line) else {
        throw Failure(
          .invalid, ExchangeMessage.wantsJrnlHead(name: name, line: lines.number))
      }
      heading = (found.date, found.title, lines.number)
      isStarted = true
    }
    guard let current = heading else { return nil }
    heading = nil
    var body: [String] = []
    var size = 0
    while let line = try lines.next() {
      // A line of text that looks like a heading is one only where jrnl writes one: after an empty line.
      if body.last.map({ $0.allSatisfy(\.isWhitespace) }) ?? true, let found = heading(line) {
        heading = (found.date, found.title, lines.number)
        break
      }
      size += line.utf8.count + 1
      guard size <= EntryDraft.bodyLimit else {
        throw Failure(.invalid, ExchangeMessage.lineTooLong(name: name, line: lines.number))
      }
      body.append(line)
    }
    func bad(_ message: ExchangeMessage) -> BadEntry {
      BadEntry(failure: Failure(.invalid, message), place: "\(name):\(current.line)")
    }
    guard let date = try? dates.instant(current.date) else {
      throw bad(
        .lineNotDate(name: name, line: current.line, date: String(current.date.prefix(60))))
    }
    var title = current.title.trimmed
    var starred = false
    if title.hasSuffix("*") {
      starred = true
      title = title.dropLast().trimmed
    }
    var draft = EntryDraft(
      date: date, zone: dates.zone.name, title: title.isEmpty ? nil : title,
      body: body.joined(separator: "\n").trimmedLines, starred: starred)
    draft.tags = Self.tags(title + "\n" + draft.body)
    draft.shortenTitle()
    do throws(VaultError) { try draft.validate() } catch {
      throw bad(
        .field(name: name, line: current.line, field: error.subject, expected: error.reason))
    }
    return ImportedEntry(draft: draft)
  }

  /// `[2026-03-01 09:30] …`, also with seconds, with AM or PM, with dots as Germans write them, without a day: jrnl
  /// takes that for the first.
  private func heading(_ line: String) -> (date: String, title: String)? {
    var words: [String]
    var title: Substring
    if hasBrackets {
      guard line.hasPrefix("["), let close = line.firstIndex(of: "]") else { return nil }
      words = line[..<close].dropFirst().split(separator: " ").map(String.init)
      title = line[line.index(after: close)...]
    } else {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count > 1, parts[1].contains(":") else { return nil }
      words = parts.prefix(2).map(String.init)
      title = parts.count > 2 ? parts[2] : ""
      let hour = words[1].split(separator: ":").first.flatMap { Int($0) } ?? 0
      if let half = title.split(separator: " ").first, Self.halves[String(half)] != nil,
        (1...12).contains(hour)
      {
        words.append(String(half))
        title = title[half.endIndex...]
      }
    }
    guard let day = words.first.flatMap(Self.day), words.count <= 3 else { return nil }
    words[0] = day
    if words.count == 3 {
      guard let half = Self.halves[words[2].uppercased()] else { return nil }
      let clock = words[1].split(separator: ":").map(String.init)
      guard let hour = clock.first.flatMap({ Int($0) }) else { return nil }
      // An hour out of range for AM or PM stays as it is, and makes no date.
      if (1...12).contains(hour) {
        words.removeLast()
        words[1] = ([padded(hour % 12 + half, 2)] + clock.dropFirst()).joined(separator: ":")
      }
    }
    return (words.joined(separator: " "), String(title))
  }

  private static let halves = ["AM": 0, "PM": 12]

  /// `2026-03-01`, `2026-03` or `01.03.2026` as the first of these; nil for no day.
  private static func day(_ word: String) -> String? {
    func numbers(_ separator: Character) -> [Substring]? {
      let parts = word.split(separator: separator, omittingEmptySubsequences: false)
      return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ? parts : nil
    }
    if let parts = numbers("-"), parts.count == 3 || parts.count == 2, parts[0].count == 4 {
      return parts.count == 3 ? word : word + "-01"
    }
    if let parts = numbers("."), parts.count == 3, parts[2].count == 4, parts[0].count <= 2 {
      return "\(parts[2])-\(twoDigits(parts[1]))-\(twoDigits(parts[0]))"
    }
    return nil
  }

  private static func twoDigits(_ number: Substring) -> String {
    number.count == 1 ? "0" + number : String(number)
  }

  /// `@word`, where a word begins.
  private static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    var before: Character = " "
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "@", before.isWhitespace || "([{\"'".contains(before) {
        // As jrnl reads them: `@C++`, `@OS/2`, `@c#`.
        let word = rest.prefix { $0.isLetter || $0.isNumber || "_-+*#/".contains($0) }
        if !word.isEmpty, !tags.contains(String(word)), tags.count < EntryDraft.tagCountLimit {
          tags.append(String(word))
        }
      }
      before = character
    }
    return tags
  }
}

/// The days of a journal that is a folder, `2026/03/01.txt`, one after another.
struct JrnlFolder: EntrySource {
  private let folder: InputFolder
  private let zone: LocalZone
  private var names: [String]
  private var open: JrnlEntries?
  private var before = LostParts()

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    self.folder = folder
    zone = input.zone
    let days = Self.days(among: input.contents.files)
    names = days.reversed()
    for path in input.contents.closed { before.add(.folder, path) }
    for path in Set(input.contents.files).subtracting(days).sorted() { before.add(.file, path) }
  }

  static func days(among files: [String]) -> [String] {
    files.filter { path in
      let parts = path.split(separator: "/")
      return parts.count == 3 && parts[0].count == 4 && parts[1].count == 2
        && parts[2].count == 6 && parts[2].hasSuffix(".txt")
        && (parts[0] + parts[1] + parts[2].prefix(2)).allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  var lost: LostParts {
    var all = before
    if let open { all.add(open.lost) }
    return all
  }

  mutating func next() throws -> ImportItem? {
    while true {
      do {
        if let item = try open?.next() { return item }
      } catch let bad as BadEntry {
        throw bad
      } catch {
        // The rest of a day that cannot be read is skipped.
        open = nil
        throw BadEntry(failure: error, place: "jrnl")
      }
      before = lost
      open = nil
      guard let name = names.popLast() else { return nil }
      do {
        let file = try InputFile(name, in: folder)
        if file.size == 0 {
          before.add(.empty, name)
        } else {
          open = try JrnlEntries(name: file.descriptor.name, zone: zone) { try file.piece() }
        }
      } catch { throw BadEntry(failure: error, place: name) }
    }
  }
}

/// A text line by line, whatever its length; UTF-8 alone.
struct LineReader {
  private static let lineLimit = EntryDraft.bodyLimit + 1
  private let name: String
  private let source: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The number of the line read last, from 1.
  private(set) var number = 0

  init(name: String, source: @escaping () throws -> [UInt8]) {
    self.name = name
    self.source = source
  }

  /// The next line without its end, nil after the last.
  mutating func next() throws -> String? {
    var from = start
    while true {
      if let end = buffer[from...].firstIndex(of: 0x0a) {
        defer { start = end + 1 }
        return try line(buffer[start..<end])
      }
      from = buffer.count
      guard !isAtEnd else {
        defer { start = buffer.count }
        return start < buffer.count ? try line(buffer[start...]) : nil
      }
      guard buffer.count - start <= Self.lineLimit else {
        throw Failure(.invalid, ExchangeMessage.lineTooLong(name: name, line: number + 1))
      }
      buffer.removeFirst(start)
      from -= start
      start = 0
      let more = try source()
      isAtEnd = more.isEmpty
      buffer += more
    }
  }

  private mutating func line(_ bytes: ArraySlice<UInt8>) throws -> String {
    number += 1
    var bytes = bytes
    if number == 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    if bytes.last == 0x0d { bytes = bytes.dropLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, ExchangeMessage.lineNotText(name: name, line: number))
    }
    return text
  }
}

extension ImportFormat {
  /// A file, or the folder of one text a day that jrnl keeps when its journal is a folder.
  static let jrnl = ImportFormat(
    name: "jrnl", shapes: [.file, .folder],
    recognises: { input in
      if input.isFolder { return !JrnlFolder.days(among: input.contents.files).isEmpty }
      // Our own export names its format; jrnl's entries have a time beside their date.
      if input.isJSONObject {
        return !input.has("\"format\"") && input.has("\"time\"") && input.has("\"entries\"")
      }
      // A date in brackets or, until jrnl 2, without; or what jrnl encrypts.
      let start = input.text.prefix(2).map { Character(Unicode.Scalar($0)) }
      let isHead = start.first == "[" ? start.last?.isNumber ?? false : start.first?.isNumber
      return isHead ?? false && input.markdownFiles.isEmpty
        || input.text.starts(with: JrnlEntries.encrypted)
    },
    open: { input in
      if input.isFolder { return JrnlFolder(input, try input.folder()) }
      return try JrnlEntries(name: input.name, zone: input.zone, source: input.pieces())
    })
}
