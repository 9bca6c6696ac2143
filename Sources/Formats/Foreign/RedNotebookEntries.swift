internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// RedNotebook's folder `data`: a file for each month, `2026-03.txt`, in YAML, the texts in txt2tags' markup.
  ///
  /// Form: https://github.com/jendrikseipp/rednotebook, `rednotebook/storage.py` and `rednotebook/data.py`.
  static let redNotebook = ImportFormat(
    name: "rednotebook", shapes: [.file, .folder],
    recognises: { input in
      input.isFolder
        ? !RedNotebookEntries.months(among: input.contents.files).isEmpty
        : !RedNotebookEntries.months(among: [input.fileName]).isEmpty
          && String(decoding: input.text.prefix(64), as: UTF8.self).contains(/^\d{1,2}:/)
    },
    open: { try ForeignSource($0) { RedNotebookEntries($0, $1) } })
}

/// Days of RedNotebook, in a file for each month.
struct RedNotebookEntries: ForeignEntries {
  private let dates: DateParser
  private var texts: ForeignTexts
  private var found: [ForeignEntry] = []
  private(set) var lost = LostParts()

  static func months(among paths: [String]) -> [String] {
    paths.filter { path in
      (path.split(separator: "/").last ?? "").wholeMatch(of: /\d{4}-\d\d\.txt/) != nil
    }
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    dates = DateParser(zone: input.zone)
    texts = ForeignTexts(
      input.isFolder ? Self.months(among: input.contents.files) : [input.fileName], in: folder)
  }

  func isOwn(_ path: String) -> Bool { !Self.months(among: [path]).isEmpty }

  mutating func next() throws -> ForeignEntry? {
    while found.isEmpty {
      guard let (text, name) = try texts.next() else { return nil }
      do {
        guard let days = BlockYAML.mapping(text) else {
          throw Failure(
            .invalid,
            ExchangeMessage.fileField(
              file: name, field: "YAML", expected: ImportExpectation.aMonthOfDays))
        }
        for (key, day) in days { if let entry = try entry(key, day, name) { found.append(entry) } }
        found.reverse()
      } catch { throw BadEntry(failure: error, place: name) }
    }
    return found.popLast()
  }

  private mutating func entry(
    _ key: String, _ day: BlockYAML.Node, _ name: String
  ) throws -> ForeignEntry? {
    let month = (name.split(separator: "/").last ?? "").dropLast(4)
    guard let number = Int(key), (1...31).contains(number),
      case .day(let date)? = try? dates.parse("\(month)-\(padded(number, 2))")
    else { throw ForeignEntry.wrongDate(name, key) }
    var entry = ForeignEntry(
      "\(name): \(key)", at: try dates.zone.instant(day: date, secondOfDay: 43_200))
    entry.draft.zone = dates.zone.name
    entry.id = EntryID(of: "rednotebook", "\(month)-\(padded(number, 2))")
    guard case .mapping(let members) = day else {
      if case .text(let text) = day { entry.draft.body = MarkdownFromTxt2tags.text(text) }
      return entry
    }
    var parts: [String] = []
    for (name, value) in members {
      switch (name, value) {
      case ("text", .text(let text)): parts.insert(MarkdownFromTxt2tags.text(text), at: 0)
      case ("Tags", .mapping(let tags)): entry.draft.tags = tags.map(\.0)
      case (_, .mapping(let lines)) where !lines.isEmpty:
        // Notes under a category's name.
        parts.append(
          "**\(MarkdownSigns.escaped(name, after: "x"))**\n\n"
            + lines.map { "- " + MarkdownFromTxt2tags.inline($0.0) }.joined(separator: "\n"))
      case (_, .text(let text)) where !text.isEmpty: lost.add(.field, name)
      default: break
      }
    }
    entry.draft.body = parts.joined(separator: "\n\n")
    for target in PictureTargets.all(in: entry.draft.body) { entry.files.append(.path(target)) }
    return entry
  }
}

/// The addresses of a line, in which nothing is a sign: a scalar without any meaning stands for each, until they are put back.
private struct HeldAddresses {
  private static let marks: ClosedRange<UInt32> = 0xe000...0xf8ff
  private var addresses: [Substring] = []

  /// Takes them out; none where a line has such scalars itself, and so many as there are of those.
  init(_ text: inout String) {
    guard !text.unicodeScalars.contains(where: { Self.marks.contains($0.value) }) else { return }
    var found: [Substring] = []
    text = text.replacing(
      /[a-z]{2,10}:\/\/[^\s"<>\[\]()]+/, maxReplacements: Self.marks.count
    ) { match in
      found.append(match.output)
      let mark = Unicode.Scalar(Self.marks.lowerBound + UInt32(found.count - 1))
      return mark.map { String(Character($0)) } ?? ""
    }
    addresses = found
  }

  func putBack(in text: String) -> String {
    guard !addresses.isEmpty else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let place = Int(scalar.value) - Int(Self.marks.lowerBound)
      if addresses.indices.contains(place) {
        result.append(contentsOf: addresses[place].unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

/// The markup of txt2tags, as far as RedNotebook writes it.
enum MarkdownFromTxt2tags {
  static func text(_ text: String) -> String {
    var lines = JoinedLines()
    var isVerbatim = false
    for line in TextLines(text) {
      let isFence = line.trimmed == "```"
      lines.append(isVerbatim || isFence ? line : self.line(line))
      if isFence { isVerbatim.toggle() }
    }
    return lines.text
  }

  private static func line(_ line: String) -> String {
    let trimmed = line.trimmed
    // `== Title ==`
    let level = trimmed.prefix { $0 == "=" }.count
    if (1...5).contains(level), trimmed.count > 2 * level,
      trimmed.hasSuffix(String(repeating: "=", count: level))
    {
      let title = trimmed.dropFirst(level).dropLast(level).trimmed
      return String(repeating: "#", count: min(6, level + 1)) + " " + inline(title)
    }
    let indent = line.prefix { $0 == " " }
    if line[indent.endIndex...].hasPrefix("+ ") {
      return indent + "1. " + inline(String(line[indent.endIndex...].dropFirst(2)))
    }
    return inline(line)
  }

  static func inline(_ line: String) -> String {
    guard !line.isEmpty else { return line }
    var text = line
    // `[words ""address""]`, `[""file:///home/me/photo"".jpg]`
    text.replace(/\[([^"\[\]]{0,500}?) ?""([^"]{1,2000})""([^\]\s]{0,20})\]/) { match in
      let (_, words, place, ending) = match.output
      let target = String(place + ending.prefix { $0 != "?" })
      if words.trimmed.isEmpty, !ending.isEmpty {
        let path = target.hasPrefix("file://") ? String(target.dropFirst(7)) : target
        return "![](\(MarkdownSigns.target(path)))"
      }
      return MarkdownSigns.link(words.trimmed.isEmpty ? target : words.trimmed, to: target)
    }
    let addresses = HeldAddresses(&text)
    for (sign, ours) in [("//", "*"), ("__", "*"), ("--", "~~"), ("``", "`")] {
      text = emphasised(text, sign, ours)
    }
    text = addresses.putBack(in: text)
    return text.hasSuffix("\\\\") ? text.dropLast(2) + "  " : text
  }

  /// What stands between two signs that touch it; those of an address do not count.
  private static func emphasised(_ text: String, _ sign: String, _ ours: String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: sign) {
      let after = rest[open.upperBound...]
      let isFree =
        open.lowerBound == rest.startIndex || rest[rest.index(before: open.lowerBound)] != ":"
      guard isFree, let first = after.first, !first.isWhitespace,
        let close = after.firstRange(of: sign), close.lowerBound > after.startIndex,
        !after[after.index(before: close.lowerBound)].isWhitespace
      else {
        result += rest[..<open.upperBound]
        rest = after
        continue
      }
      result += rest[..<open.lowerBound] + ours + after[..<close.lowerBound] + ours
      rest = after[close.upperBound...]
    }
    return result + rest
  }
}
