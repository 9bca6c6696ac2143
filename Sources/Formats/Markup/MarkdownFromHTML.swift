internal import Bytes
internal import CommandLine
internal import Dates
internal import Words

/// Converts the HTML in which other programs keep their texts to Markdown, as far as a diary needs it.
///
/// Text is never lost: the contents of elements without a counterpart in Markdown remain. Only scripts, styles and
/// a page's title are left out.
struct MarkdownFromHTML {
  /// A picture or another file within the text.
  struct Picture {
    /// As it is written in the text: a path, an address or a `data:` URI.
    let source: String
    /// What it is called where it is a file of its own: `picture-1.png` for the first `data:` URI.
    let name: String

    /// What a `data:` URI holds; nil for any other, and for one that is broken.
    var bytes: [UInt8]? {
      guard isData, let comma = source.firstIndex(of: ","),
        source[..<comma].hasSuffix(";base64")
      else { return nil }
      return Base64.decode(source[source.index(after: comma)...])
    }

    var isData: Bool { source.hasPrefix("data:") }
    /// Whether it is on the network, from where nothing is fetched.
    var isRemote: Bool { !isData && source.contains("://") }
  }

  /// Its pictures, in order.
  private(set) var pictures: [Picture] = []

  private enum Container {
    case quote
    case list(isOrdered: Bool, next: Int, isBegun: Bool)
    /// The prefixes of its lines; the first is only for its first line.
    case item(mark: String, isBegun: Bool)

    var isQuote: Bool { if case .quote = self { true } else { false } }
  }

  /// Emphasis that was begun `start` bytes into the line.
  private struct Sign {
    let tag: String
    let sign: String
    var start: Int
  }

  /// Quotes and lists that are nested deeper are joined to the one around them.
  private static let deepest = 12
  private static let signs = [
    "strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "strike": "~~", "del": "~~",
    "code": "`",
  ]
  private static let blocks: Set<String> = [
    "p", "div", "section", "article", "header", "footer", "main", "table", "figure", "figcaption",
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "tr", "body",
    "html", "address", "dl", "dt", "dd", "form",
  ]

  private var lines: [String] = []
  /// The line or paragraph being written, without its containers' prefixes.
  private var line = ""
  private var containers: [Container] = []
  /// Emphasis and code that is open in the line.
  private var open: [Sign] = []
  /// The open link, and whether it has a label yet.
  private var link: (target: String, start: Int, isUsed: Bool)?
  private var isTitle = false
  /// The number of open `pre` elements, and their contents.
  private var verbatimDepth = 0
  private var verbatim = ""
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
    if verbatimDepth > 0 { endVerbatim() }
    endRow()
    endLine()
    endLink()
    endLine()
    return lines.joined(separator: "\n")
  }

  mutating func take(_ token: MarkupReader.Token) {
    switch token {
    case .text(let text):
      if verbatimDepth > 0 { verbatim += text } else if !isTitle { take(text) }
    case .open(let name, let attributes): begin(name, attributes)
    case .close(let name): end(name)
    }
  }

  // MARK: Text

  private mutating func take(_ text: String) {
    let isCode = open.contains { $0.sign == "`" }
    let scalars = text.unicodeScalars
    var place = scalars.startIndex
    while place < scalars.endIndex {
      let scalar = scalars[place]
      place = scalars.index(after: place)
      let isFixed = scalar == "\u{a0}"
      if scalar.properties.isWhitespace, !isFixed || line.isEmpty {
        if !line.isEmpty, line.utf8.last != 0x20 { line.unicodeScalars.append(" ") }
        continue
      }
      if cells > 0, scalar == "|" { line.unicodeScalars.append("\\") }
      let next = place < scalars.endIndex ? scalars[place] : nil
      if !isCode, MarkdownSigns.wantsEscape(scalar, after: line, before: next) {
        line.unicodeScalars.append("\\")
      }
      line.unicodeScalars.append(isFixed ? " " : scalar)
    }
  }

  // MARK: Elements

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    if verbatimDepth > 0 {
      if name == "pre" { verbatimDepth += 1 }
      if name == "br" { verbatim += "\n" }
      return
    }
    // A page's head may end without a closing tag.
    if name == "body" || Self.blocks.contains(name) { isTitle = false }
    if name == "title" { isTitle = true }
    if Self.blocks.contains(name) {
      if cells > 0, name != "tr", name != "table" {
        if line.utf8.last != 0x20 { line += " " }
        return
      }
      endLine()
    }
    if let sign = Self.signs[name] {
      // Emphasis of one kind does not nest, and there is none in code.
      guard !open.contains(where: { $0.sign == sign || $0.sign == "`" }) else { return }
      open.append(Sign(tag: name, sign: sign, start: line.utf8.count))
      return
    }
    if !beginBlock(name, attributes) { beginInline(name, attributes) }
  }

  /// - Returns: whether it is one.
  private mutating func beginBlock(_ name: String, _ attributes: [String: String]) -> Bool {
    switch name {
    case "hr":
      gap()
      put("---")
      gap()
    case "p", "figure": gap()
    case "table":
      gap()
      isFirstRow = true
    case "tr": endRow()
    case "pre":
      gap()
      verbatimDepth = 1
    case "h1", "h2", "h3", "h4", "h5", "h6":
      gap()
      line = String(repeating: "#", count: Int(name.dropFirst()) ?? 1) + " "
    case "ul", "ol":
      if !isInItem { gap() }
      let start = attributes["start"].flatMap { Int($0) }.map { min(max($0, 0), 999_999_999) }
      push(.list(isOrdered: name == "ol", next: start ?? 1, isBegun: false))
    case "li": beginItem(attributes)
    case "blockquote":
      // The empty line before it does not belong to it.
      gap()
      writeGap(before: containers.contains(where: \.isQuote) ? ">" : "")
      push(.quote)
    case "td", "th":
      endCell()
      line += cells == 0 ? "| " : " | "
      cells += 1
    default: return false
    }
    return true
  }

  private mutating func beginInline(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "br": breakLine()
    case "a":
      endLink()
      if let target = attributes["href"], !target.isEmpty {
        link = (target, line.utf8.count, false)
      }
    case "img", "video", "audio", "source": show(attributes)
    case "iframe", "embed", "object":
      if let source = attributes["src"] ?? attributes["data"], !source.isEmpty {
        line += (line.isEmpty ? "" : " ") + MarkdownSigns.target(source)
      }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    if verbatimDepth > 0 {
      guard name == "pre" else { return }
      verbatimDepth -= 1
      if verbatimDepth == 0 { endVerbatim() }
      return
    }
    if name == "title" || name == "head" { isTitle = false }
    if Self.signs[name] != nil {
      guard let index = open.lastIndex(where: { $0.tag == name }) else { return }
      // Elements inside it that were not closed end with it.
      while open.count > index { wrap(open.removeLast()) }
      return
    }
    if name == "a" { return endLink() }
    guard Self.blocks.contains(name) else { return }
    if cells > 0, name != "tr", name != "table" { return }
    if name == "tr" || name == "table" { endRow() }
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
    line += "![\(alt)](\(MarkdownSigns.target(name)))"
  }

  private mutating func endVerbatim() {
    verbatimDepth = 0
    let code = verbatim.hasPrefix("\n") ? String(verbatim.dropFirst()) : verbatim
    verbatim = ""
    let fence = MarkdownSigns.fence(code, least: 3)
    put(fence)
    for line in code.trimmedLines.split(separator: "\n", omittingEmptySubsequences: false) {
      put(String(line), isVerbatim: true)
    }
    put(fence, isVerbatim: true)
    gap()
  }

  /// Ends a link, here or at the end of a line; one that never had a label is its address.
  private mutating func endLink() {
    guard let link else { return }
    self.link = nil
    if !label(link), !link.isUsed { line += MarkdownSigns.target(link.target) }
  }

  /// - Returns: whether there was something to be the label.
  private mutating func label(_ link: (target: String, start: Int, isUsed: Bool)) -> Bool {
    // Emphasis that is open inside it ends with it.
    while let last = open.last, last.start >= link.start { wrap(open.removeLast()) }
    let written = cut(from: link.start)
    let label = written.trimmed
    guard !label.isEmpty, label != link.target else {
      line += written
      return !label.isEmpty
    }
    line +=
      written.leadingSpace + "[\(label)](\(MarkdownSigns.target(link.target)))"
      + (written.utf8.last == 0x20 ? " " : "")
    return true
  }

  /// Removes what was written since from the line. By scalars, because a combining mark may join the text before it.
  private mutating func cut(from offset: Int) -> String {
    let start = line.utf8.index(line.startIndex, offsetBy: min(offset, line.utf8.count))
    let written = String(Substring(line.unicodeScalars[start...]))
    line.unicodeScalars.removeSubrange(start...)
    return written
  }

  /// Puts markers around what was written since; white space at its ends stays outside.
  private mutating func wrap(_ opened: Sign) {
    if let link, link.start >= opened.start { endLink() }
    let written = cut(from: opened.start)
    var inner = written.trimmed
    guard !inner.isEmpty else {
      line += written
      return
    }
    var sign = opened.sign
    if sign == "`", inner.contains("`") {
      sign = MarkdownSigns.fence(inner, least: 2)
      inner = " \(inner) "
    }
    line += written.leadingSpace + sign + inner + sign + (written.utf8.last == 0x20 ? " " : "")
  }

  private mutating func endCell() {
    while !open.isEmpty { wrap(open.removeLast()) }
    endLink()
    while line.utf8.last == 0x20 { line.unicodeScalars.removeLast() }
  }

  private mutating func endRow() {
    guard cells > 0 else { return }
    endCell()
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
    var isFirst = true
    if case .list(let isOrdered, let next, let isBegun) = containers.last {
      if isOrdered { mark = "\(next). " }
      isFirst = !isBegun
      containers[containers.count - 1] = .list(
        isOrdered: isOrdered, next: next + 1, isBegun: true)
    }
    if let checked = attributes["data-checked"] { mark += checked == "true" ? "[x] " : "[ ] " }
    // Items follow one another, and a list in an item follows its text.
    if !isFirst || isInItem { wantsGap = false }
    push(.item(mark: mark, isBegun: false))
  }

  /// Puts an empty line before what follows, but not between an item's marker and its text.
  private mutating func gap() {
    if case .item(_, isBegun: false) = containers.last { return }
    wantsGap = true
  }

  /// A line inside a paragraph.
  private mutating func breakLine() {
    if cells > 0 {
      line += " "
      return
    }
    let isOpen = open
    while !open.isEmpty { wrap(open.removeLast()) }
    let link = carriedLink()
    let text = line.trimmed
    line = ""
    if text.isEmpty { gap() } else { put(text) }
    open = isOpen.map { Sign(tag: $0.tag, sign: $0.sign, start: 0) }
    self.link = link
  }

  private mutating func endLine() {
    while !open.isEmpty { wrap(open.removeLast()) }
    let link = carriedLink()
    let text = line.trimmed
    line = ""
    if !text.isEmpty { put(text) }
    self.link = link
  }

  /// A link continues after the end of a line; the part of its label so far becomes a link of its own.
  private mutating func carriedLink() -> (target: String, start: Int, isUsed: Bool)? {
    guard let link else { return nil }
    self.link = nil
    let isUsed = label(link)
    return (link.target, 0, link.isUsed || isUsed)
  }

  /// Writes a line with its containers' prefixes.
  private mutating func put(_ text: String, isVerbatim: Bool = false) {
    line = ""
    var before = ""
    // An empty line has no marker.
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

extension String {
  /// The white space it begins with.
  fileprivate var leadingSpace: String {
    String(Substring(unicodeScalars.prefix { $0.properties.isWhitespace }))
  }
}
