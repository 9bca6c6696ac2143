internal import Foundation

/// HTML as Markdown, as far as a diary's text needs it: what other programs keep their texts in.
///
/// Text is never lost: of elements that Markdown has no sign for, what stands in them remains. Only `script`, `style`
/// and `head` are left out.
struct MarkdownFromHTML {
  /// A picture that stands in the text.
  struct Picture {
    /// As it is written there: a path, an address or a `data:` URI.
    let source: String
    /// What it is called where it is a file of its own: `picture-1.png` for the first `data:` URI.
    let name: String

    /// What a `data:` URI holds; nil for any other, and for one that is broken.
    var bytes: [UInt8]? {
      guard isData, let comma = source.firstIndex(of: ","),
        source[..<comma].hasSuffix(";base64")
      else { return nil }
      let text = String(source[source.index(after: comma)...])
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init)
    }

    var isData: Bool { source.hasPrefix("data:") }
  }

  /// Its pictures, in order.
  private(set) var pictures: [Picture] = []

  private enum Container {
    case quote
    case list(isOrdered: Bool, count: Int)
    /// What stands before its lines; the first only before its first.
    case item(mark: String, isBegun: Bool)

    var isQuote: Bool { if case .quote = self { true } else { false } }
  }

  /// Emphasis that was begun `start` bytes into the line.
  private struct Sign {
    let tag: String
    let sign: String
    var start: Int
  }

  /// Deeper, quotes and lists are as those they are in.
  private static let deepest = 12
  private static let signs = [
    "strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "strike": "~~", "del": "~~",
    "code": "`",
  ]
  private static let hidden: Set<String> = ["script", "style", "head"]
  private static let blocks: Set<String> = [
    "p", "div", "section", "article", "header", "footer", "main", "table", "figure", "figcaption",
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "tr", "body",
    "html", "address", "dl", "dt", "dd", "form",
  ]

  private var lines: [String] = []
  /// The line or paragraph being written, without what its containers put before it.
  private var line = ""
  private var containers: [Container] = []
  /// Signs that stand open in the line, with where they begin.
  private var open: [Sign] = []
  private var link: (target: String, start: Int)?
  private var hiddenIn: String?
  private var isVerbatim = false
  private var wantsGap = false
  private var cells = 0
  private var isFirstRow = true

  static func text(_ html: String) -> String {
    var converter = MarkdownFromHTML()
    var reader = MarkupReader(html)
    while let token = reader.next() { converter.take(token) }
    return converter.finish()
  }

  mutating func finish() -> String {
    endLine()
    return lines.joined(separator: "\n")
  }

  mutating func take(_ token: MarkupReader.Token) {
    if let name = hiddenIn {
      if token == .close(name) { hiddenIn = nil }
      return
    }
    switch token {
    case .text(let text): isVerbatim ? takeVerbatim(text) : take(text)
    case .open(let name, let attributes): begin(name, attributes)
    case .close(let name): end(name)
    }
  }

  // MARK: Text

  private mutating func take(_ text: String) {
    let isCode = open.contains { $0.sign == "`" }
    for character in text {
      if character.isWhitespace, character != "\u{a0}" {
        if !line.isEmpty, line.last?.isWhitespace == false { line.append(" ") }
        continue
      }
      if !isCode, Self.wantsEscape(character, in: line) { line.append("\\") }
      line.append(character == "\u{a0}" ? " " : character)
    }
  }

  private mutating func takeVerbatim(_ text: String) {
    for part in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { put(line, isVerbatim: true) }
      line += part.element
    }
  }

  /// Whether a character would be taken for a sign of Markdown's.
  private static func wantsEscape(_ character: Character, in line: String) -> Bool {
    switch character {
    case "*", "`", "\\": return true
    case "#", ">": return line.isEmpty
    case "-", "+": return line.isEmpty
    case "_": return line.last.map { !$0.isLetter && !$0.isNumber } ?? true
    case ".", ")": return !line.isEmpty && line.utf8.count < 10 && line.allSatisfy { $0.isNumber }
    default: return false
    }
  }

  // MARK: Elements

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    if Self.hidden.contains(name) {
      hiddenIn = name
      return
    }
    if Self.blocks.contains(name) { endLine() }
    if let sign = Self.signs[name], !isVerbatim {
      // Signs of one kind do not nest.
      guard !open.contains(where: { $0.sign == sign }) else { return }
      open.append(Sign(tag: name, sign: sign, start: line.utf8.count))
      return
    }
    switch name {
    case "br": isVerbatim ? put(line, isVerbatim: true) : breakLine()
    case "hr":
      gap()
      put("---")
      gap()
    case "p", "table", "pre", "figure": gap()
    case "h1", "h2", "h3", "h4", "h5", "h6":
      gap()
      line = String(repeating: "#", count: Int(name.dropFirst()) ?? 1) + " "
    case "ul", "ol":
      if !isInItem { gap() }
      push(.list(isOrdered: name == "ol", count: 0))
    case "li": beginItem(attributes)
    case "blockquote":
      // The empty line before it is none of it.
      gap()
      writeGap(before: containers.map(\.isQuote).contains(true) ? ">" : "")
      push(.quote)
    case "td", "th":
      line += cells == 0 ? "| " : " | "
      cells += 1
    case "a":
      if link == nil, !isVerbatim, let target = attributes["href"], !target.isEmpty {
        link = (target, line.utf8.count)
      }
    case "img", "video", "audio", "source": show(attributes)
    default: break
    }
    if name == "pre" {
      put("```")
      isVerbatim = true
    }
    if name == "table" { isFirstRow = true }
  }

  private mutating func end(_ name: String) {
    if name == "pre", isVerbatim {
      if !line.isEmpty { put(line, isVerbatim: true) }
      isVerbatim = false
      put("```")
      gap()
      return
    }
    if Self.signs[name] != nil, !isVerbatim {
      guard let index = open.lastIndex(where: { $0.tag == name }) else { return }
      // Those inside it that were not closed end with it.
      while open.count > index { wrap(open.removeLast()) }
      return
    }
    if name == "a" { return endLink() }
    guard Self.blocks.contains(name) else { return }
    if name == "tr" { endRow() }
    endLine()
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "figure": gap()
    case "ul", "ol":
      pop { if case .list = $0 { true } else { false } }
      if !isInItem { gap() }
    case "li": pop { if case .item = $0 { true } else { false } }
    case "blockquote":
      pop { if case .quote = $0 { true } else { false } }
      gap()
    default: break
    }
  }

  private mutating func show(_ attributes: [String: String]) {
    guard let source = attributes["src"], !source.isEmpty else { return }
    var name = source
    if source.hasPrefix("data:") {
      // `data:image/svg+xml;base64,…`
      let kind = source.dropFirst(5).prefix { $0.isLetter || $0.isNumber || $0 == "/" }
      let ending = kind.split(separator: "/").last.map(String.init) ?? "bin"
      name = "picture-\(pictures.count + 1).\(ending == "jpeg" ? "jpg" : ending)"
    }
    pictures.append(Picture(source: source, name: name))
    let alt = (attributes["alt"] ?? "").filter { !"[]\n\\".contains($0) }
    line += "![\(alt)](\(Self.target(name)))"
  }

  private static func target(_ text: String) -> String {
    let text = text.filter { !$0.isNewline && $0 != "<" && $0 != ">" }
    return text.contains { $0 == " " || $0 == "(" || $0 == ")" } ? "<\(text)>" : text
  }

  private mutating func endLink() {
    guard let link else { return }
    self.link = nil
    // Signs that stand open inside it end with it.
    while let last = open.last, last.start >= link.start { wrap(open.removeLast()) }
    let start = place(link.start)
    let label = line[start...].trimmed
    // An address that names itself needs no brackets.
    guard !label.isEmpty, label != link.target else { return }
    let before = String(line[start...].prefix { $0.isWhitespace })
    line.replaceSubrange(start..., with: before + "[\(label)](\(Self.target(link.target)))")
  }

  /// A place in the line, which may have become shorter.
  private func place(_ offset: Int) -> String.Index {
    line.utf8.index(line.startIndex, offsetBy: min(offset, line.utf8.count))
  }

  /// Puts a sign around what was written since; white space at its ends stays outside.
  private mutating func wrap(_ opened: Sign) {
    if let link, link.start >= opened.start { endLink() }
    let start = place(opened.start)
    let content = line[start...]
    var inner = content.trimmed
    guard !inner.isEmpty else { return }
    let before = content.prefix { $0.isWhitespace }
    let after = content.reversed().prefix { $0.isWhitespace }.reversed()
    var sign = opened.sign
    if sign == "`", inner.contains("`") {
      sign = "``"
      inner = " \(inner) "
    }
    line.replaceSubrange(
      start..., with: "\(before)\(sign)\(inner)\(sign)\(String(after))")
  }

  private mutating func endRow() {
    guard cells > 0 else { return }
    line += " |"
    let count = cells
    cells = 0
    endLine()
    if isFirstRow { put("|" + String(repeating: " --- |", count: count)) }
    isFirstRow = false
  }

  // MARK: Lines

  private var isInItem: Bool {
    containers.contains { if case .item = $0 { true } else { false } }
  }

  private mutating func push(_ container: Container) {
    guard containers.count < Self.deepest else { return }
    containers.append(container)
  }

  private mutating func pop(_ isIt: (Container) -> Bool) {
    if let index = containers.lastIndex(where: isIt) { containers.removeSubrange(index...) }
  }

  private mutating func beginItem(_ attributes: [String: String]) {
    // An item that was not closed ends where the next begins.
    if case .item = containers.last { containers.removeLast() }
    var mark = "- "
    var count = 0
    if case .list(let isOrdered, let before) = containers.last {
      count = before
      if isOrdered { mark = "\(count + 1). " }
      containers[containers.count - 1] = .list(isOrdered: isOrdered, count: count + 1)
    }
    if let checked = attributes["data-checked"] { mark += checked == "true" ? "[x] " : "[ ] " }
    // Items follow one another, and a list in an item follows its text.
    if count > 0 || isInItem { wantsGap = false }
    push(.item(mark: mark, isBegun: false))
  }

  /// An empty line before what comes next; none between an item's mark and its text.
  private mutating func gap() {
    if case .item(_, isBegun: false) = containers.last { return }
    wantsGap = true
  }

  /// A line inside a paragraph.
  private mutating func breakLine() {
    let isOpen = open
    while !open.isEmpty { wrap(open.removeLast()) }
    endLink()
    let text = line
    line = ""
    if text.isEmpty { gap() } else { put(text.trimmedEnd) }
    open = isOpen.map { Sign(tag: $0.tag, sign: $0.sign, start: 0) }
  }

  private mutating func endLine() {
    while !open.isEmpty { wrap(open.removeLast()) }
    endLink()
    let text = line.trimmed
    line = ""
    if !text.isEmpty { put(text) }
  }

  /// Writes a line with what its containers put before it.
  private mutating func put(_ text: String, isVerbatim: Bool = false) {
    line = ""
    var before = ""
    // Before an empty line no mark stands.
    var beforeGap: String?
    for index in containers.indices {
      switch containers[index] {
      case .quote: before += "> "
      case .list: break
      case .item(let mark, let isBegun):
        if !isBegun, beforeGap == nil { beforeGap = before }
        before += isBegun ? String(repeating: " ", count: mark.prefix { $0 != "[" }.count) : mark
        if !isBegun { containers[index] = .item(mark: mark, isBegun: true) }
      }
    }
    if !isVerbatim { writeGap(before: (beforeGap ?? before).trimmedEnd) }
    wantsGap = false
    lines.append(before + text)
  }

  private mutating func writeGap(before: String) {
    if wantsGap, let last = lines.last, !last.isEmpty, last != ">" { lines.append(before) }
    wantsGap = false
  }
}
