internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// A graph of Logseq: the days in `journals`, all of their text in list items, pictures in `assets`.
  ///
  /// Form: https://github.com/logseq/logseq, as its own documentation describes properties and blocks.
  static let logseq = ImportFormat(
    name: "logseq", shapes: [.folder],
    recognises: { LogseqEntries.isOne($0.contents.files) },
    open: { try ForeignSource($0) { LogseqEntries($0, $1) } })
}

/// Days of Logseq, a Markdown file each.
struct LogseqEntries: ForeignEntries {
  private let dates: DateParser
  private var texts: ForeignTexts
  private(set) var lost = LostParts()

  static func isOne(_ paths: [String]) -> Bool {
    paths.contains { $0 == "logseq/config.edn" } && paths.contains(where: isDay)
  }

  private static func isDay(_ path: String) -> Bool {
    path.hasPrefix("journals/") && path.lowercased().hasSuffix(".md")
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    dates = DateParser(zone: input.zone)
    texts = ForeignTexts(input.contents.files.filter(Self.isDay), in: folder)
    // Pages are of no day.
    for path in input.contents.files where path.hasPrefix("pages/") { lost.add(.file, path) }
  }

  func isOwn(_ path: String) -> Bool {
    Self.isDay(path) || path.hasPrefix("logseq/") || path.hasPrefix("pages/")
  }

  mutating func next() throws -> ForeignEntry? {
    guard let (text, name) = try texts.next() else { return nil }
    do { return try entry(text, name) } catch { throw BadEntry(failure: error, place: name) }
  }

  private func entry(_ text: String, _ name: String) throws -> ForeignEntry {
    let stem = name.dropFirst("journals/".count).dropLast(3).replacing("_", with: "-")
    guard case .day(let day)? = try? dates.parse(String(stem)) else {
      throw ForeignEntry.wrongDate(name, "journals/")
    }
    var entry = ForeignEntry(
      name, at: try dates.zone.instant(day: day, secondOfDay: 43_200))
    entry.draft.zone = dates.zone.name
    entry.id = EntryID(of: "logseq", String(stem))
    var blocks = LogseqBlocks()
    for line in TextLines(text) { blocks.take(line) }
    entry.draft.body = blocks.text
    entry.draft.tags = blocks.tags
    entry.files = PictureTargets.all(in: entry.draft.body).map { target in
      // Paths begin at the day: `../assets/photo.jpg`.
      .path(target.hasPrefix("../") ? String(target.dropFirst(3)) : "journals/" + target)
    }
    return entry
  }
}

/// The blocks of a day: those at the left margin become paragraphs, those below them lists.
private struct LogseqBlocks {
  private(set) var tags: [String] = []
  private var lines = JoinedLines()
  private var isInCode = false
  private var isInDrawer = false
  /// How many tabs the last block stood from the margin.
  private var depth = 0
  /// What stands further from the margin stays there: each line is as long as its margin.
  private static let deepest = 32

  var text: String { lines.text.trimmedLines }

  mutating func take(_ line: String) {
    let indent = line.prefix { $0 == "\t" || $0 == " " }
    var rest = String(line[indent.endIndex...])
    let isBlock = !isInCode && (rest.hasPrefix("- ") || rest == "-")
    if isBlock {
      depth = min(
        Self.deepest, indent.count { $0 == "\t" } + indent.count { $0 == " " } / 2)
      rest = String(rest.dropFirst(2))
      isInDrawer = false
    }
    if !isInCode, property(rest) { return }
    if rest.hasPrefix("```") { isInCode.toggle() }
    if isBlock, depth == 0, !lines.isLastEmpty { lines.append("") }
    // In a block, what follows stands two further from the margin than its dash.
    let inner = String(
      line.dropFirst(min(indent.count, depth + 2)))
    let text = isBlock ? marked(rest) : isInCode || rest.hasPrefix("```") ? inner : rest
    let margin = String(repeating: "  ", count: max(0, depth - (isBlock ? 1 : 0)))
    lines.append(depth == 0 ? text : margin + (isBlock ? "- " : "") + text)
  }

  /// Tasks as Markdown has them.
  private func marked(_ text: String) -> String {
    for word in ["TODO ", "LATER ", "DOING ", "NOW ", "WAITING "] where text.hasPrefix(word) {
      return (depth == 0 ? "- " : "") + "[ ] " + text.dropFirst(word.count)
    }
    for word in ["DONE "] where text.hasPrefix(word) {
      return (depth == 0 ? "- " : "") + "[x] " + text.dropFirst(word.count)
    }
    return text
  }

  /// `key:: value` and drawers; what they say is taken, or of the program alone.
  private mutating func property(_ line: String) -> Bool {
    if isInDrawer {
      isInDrawer = line != ":END:"
      return true
    }
    if MarkdownFromOrg.drawerName(line) != nil {
      isInDrawer = true
      return true
    }
    guard let mark = line.firstRange(of: "::"), mark.lowerBound > line.startIndex else {
      return false
    }
    let key = line[..<mark.lowerBound]
    guard key.allSatisfy({ $0.isLetter || $0.isNumber || "-_.?".contains($0) }),
      mark.upperBound == line.endIndex || line[mark.upperBound] == " "
    else { return false }
    let value = line[mark.upperBound...]
    if key.lowercased() == "tags" {
      tags += value.split { $0 == "," || $0 == "、" }.map { tag in
        tag.trimmed.filter { !"#[]".contains($0) }
      }
      return true
    }
    return ["id", "collapsed", "heading", "created-at", "updated-at", "background-color"].contains(
      key.lowercased())
  }
}
