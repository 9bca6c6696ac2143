/// Parses blocks: each container takes its lines without their markers, and its contents are parsed in turn.
struct BlockParser {
  typealias Line = ArraySlice<UInt8>
  typealias Block = MarkdownDocument.Block

  /// Deeper nesting is read as text.
  private static let deepest = 16

  private let lines: [Line]
  /// The targets of `[name]: target`, by name.
  private var targets: [String: String] = [:]

  init(_ text: [UInt8]) {
    var lines: [Line] = []
    var start = 0
    var place = 0
    while place < text.count {
      if text[place] == 0x0a || text[place] == 0x0d {
        lines.append(text[start..<place])
        if text[place] == 0x0d, place + 1 < text.count, text[place + 1] == 0x0a { place += 1 }
        start = place + 1
      }
      place += 1
    }
    if start < text.count { lines.append(text[start...]) }
    self.lines = lines
  }

  mutating func document() -> [Block] {
    collectTargets()
    return blocks(lines[...], depth: 0).blocks
  }

  /// References may be used before they are defined.
  private mutating func collectTargets() {
    for line in lines {
      guard line.contains(UInt8(ascii: "[")), let (name, target) = Self.definition(line) else {
        continue
      }
      if targets[name] == nil { targets[name] = target }
    }
  }

  // MARK: Blocks

  /// - Returns: the blocks, and whether a blank line stands between two of them.
  private func blocks(_ lines: ArraySlice<Line>, depth: Int) -> (blocks: [Block], isLoose: Bool) {
    var blocks: [Block] = []
    var isLoose = false
    var wasBlank = false
    var place = lines.startIndex
    while place < lines.endIndex {
      guard !Self.isBlank(lines[place]) else {
        wasBlank = true
        place += 1
        continue
      }
      let before = blocks.count
      place = block(lines, at: place, depth: depth, into: &blocks)
      if wasBlank, before > 0, blocks.count > before { isLoose = true }
      wasBlank = false
    }
    return (blocks, isLoose)
  }

  /// Reads the block that begins at a line which is not blank; returns where the next one may.
  private func block(
    _ lines: ArraySlice<Line>, at place: Int, depth: Int, into blocks: inout [Block]
  ) -> Int {
    let line = lines[place]
    let indent = Self.indent(line)
    if indent >= 4 { return indentedCode(lines, at: place, into: &blocks) }
    let text = line.drop(while: Self.isSpace)
    if let fence = Fence(text) {
      return fencedCode(lines, at: place, fence, indent: indent, into: &blocks)
    }
    if let (level, content) = Self.heading(text) {
      blocks.append(.heading(level: level, inlines(content)))
      return place + 1
    }
    if Self.isRule(text) {
      blocks.append(.rule)
      return place + 1
    }
    if depth < Self.deepest {
      if text.first == UInt8(ascii: ">") {
        return quote(lines, at: place, depth: depth, into: &blocks)
      }
      if let marker = Marker(line) {
        return list(lines, at: place, marker, depth: depth, into: &blocks)
      }
    }
    if let columns = Self.tableStart(lines, at: place) {
      return table(lines, at: place, columns, into: &blocks)
    }
    if depth == 0, text.first == UInt8(ascii: "["), Self.definition(text) != nil {
      return place + 1
    }
    return paragraph(lines, at: place, depth: depth, into: &blocks)
  }

  private func paragraph(
    _ lines: ArraySlice<Line>, at start: Int, depth: Int, into blocks: inout [Block]
  ) -> Int {
    var content: [UInt8] = Array(lines[start].drop(while: Self.isSpace))
    var place = start + 1
    while place < lines.endIndex {
      let line = lines[place]
      let text = line.drop(while: Self.isSpace)
      guard !text.isEmpty else { break }
      if Self.indent(line) < 4 {
        if let level = Self.underline(text) {
          blocks.append(.heading(level: level, inlines(content[...])))
          return place + 1
        }
        if Self.interrupts(line, text) || Self.tableStart(lines, at: place) != nil { break }
      }
      content.append(0x0a)
      content += text
      place += 1
    }
    blocks.append(.paragraph(inlines(content[...])))
    return place
  }

  /// Whether a line interrupts the paragraph before it.
  private static func interrupts(_ line: Line, _ text: Line) -> Bool {
    guard let first = text.first else { return true }
    switch first {
    case UInt8(ascii: ">"): return true
    case UInt8(ascii: "#"): return heading(text) != nil
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return Fence(text) != nil
    default: break
    }
    if isRule(text) { return true }
    guard let marker = Marker(line), !marker.isEmpty else { return false }
    return marker.number == nil || marker.number == 1
  }

  /// Whether a container's line ends in a paragraph, which a lazy line without the container's markers continues.
  private static func goesOn(_ last: Line, with line: Line) -> Bool {
    let text = line.drop(while: isSpace)
    guard !text.isEmpty, !interrupts(line, text), underline(text) == nil else { return false }
    var rest = last
    for _ in 0...deepest {
      if indent(rest) >= 4 { return false }
      let inner = rest.drop(while: isSpace)
      if isRule(inner) { return false }
      if inner.first == UInt8(ascii: ">") {
        rest = inner.dropFirst()
      } else if let marker = Marker(rest) {
        rest = marker.content(of: rest)
      } else {
        return !inner.isEmpty && heading(inner) == nil && Fence(inner) == nil
      }
    }
    return false
  }

  private func indentedCode(
    _ lines: ArraySlice<Line>, at start: Int, into blocks: inout [Block]
  ) -> Int {
    var place = start
    var end = start
    while place < lines.endIndex {
      if !Self.isBlank(lines[place]) {
        guard Self.indent(lines[place]) >= 4 else { break }
        end = place + 1
      }
      place += 1
    }
    blocks.append(.code(Self.text(lines[start..<end].map { Self.stripped($0, columns: 4) })))
    return end
  }

  private struct Fence {
    let mark: UInt8
    let count: Int

    init?(_ text: Line) {
      guard let first = text.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else {
        return nil
      }
      mark = first
      count = text.prefix(while: { $0 == first }).count
      guard count >= 3 else { return nil }
      if first == UInt8(ascii: "`"), text.dropFirst(count).contains(first) { return nil }
    }

    func isEnded(by line: Line) -> Bool {
      guard indent(line) < 4 else { return false }
      let text = line.drop(while: isSpace)
      let marks = text.prefix(while: { $0 == mark }).count
      return marks >= count && text.dropFirst(marks).allSatisfy(isSpace)
    }
  }

  /// The code fence that a container's lines have opened and not closed.
  private struct OpenFence {
    private(set) var fence: Fence?

    mutating func take(_ line: Line) {
      if let open = fence {
        if open.isEnded(by: line) { fence = nil }
      } else if indent(line) < 4 {
        fence = Fence(line.drop(while: isSpace))
      }
    }
  }

  private func fencedCode(
    _ lines: ArraySlice<Line>, at start: Int, _ fence: Fence, indent: Int,
    into blocks: inout [Block]
  ) -> Int {
    var place = start + 1
    while place < lines.endIndex, !fence.isEnded(by: lines[place]) { place += 1 }
    blocks.append(
      .code(Self.text(lines[(start + 1)..<place].map { Self.stripped($0, columns: indent) })))
    return min(place + 1, lines.endIndex)
  }

  private func quote(
    _ lines: ArraySlice<Line>, at start: Int, depth: Int, into blocks: inout [Block]
  ) -> Int {
    var inner: [Line] = []
    var place = start
    var code = OpenFence()
    while place < lines.endIndex {
      let line = lines[place]
      let text = line.drop(while: Self.isSpace)
      if Self.indent(line) < 4, text.first == UInt8(ascii: ">") {
        var rest = text.dropFirst()
        if rest.first == 0x20 { rest = rest.dropFirst() }
        if rest.first == 0x09 { rest = ([0x20, 0x20] + rest.dropFirst())[...] }
        code.take(rest)
        inner.append(rest)
      } else {
        // A paragraph goes on without its mark.
        guard code.fence == nil, let last = inner.last, Self.goesOn(last, with: line) else {
          break
        }
        inner.append(line)
      }
      place += 1
    }
    blocks.append(.quote(self.blocks(inner[...], depth: depth + 1).blocks))
    return place
  }

  // MARK: Lists

  /// `-`, `*`, `+`, `1.` or `1)` at the head of a line.
  private struct Marker {
    /// What items of one list have in common.
    let mark: UInt8
    let number: Int?
    /// Columns up to the item's text.
    let width: Int
    let isEmpty: Bool

    init?(_ line: Line) {
      let indent = BlockParser.indent(line)
      guard indent < 4 else { return nil }
      let text = line.drop(while: isSpace)
      guard let first = text.first else { return nil }
      var length = 1
      switch first {
      case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
        mark = first
        number = nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digits = text.prefix { (0x30...0x39).contains($0) }
        guard digits.count <= 9, let end = text.dropFirst(digits.count).first,
          end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
        else { return nil }
        mark = end
        number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        length = digits.count + 1
      default: return nil
      }
      let rest = text.dropFirst(length)
      let spaces = BlockParser.indent(rest)
      isEmpty = BlockParser.isBlank(rest)
      guard isEmpty || spaces > 0 else { return nil }
      // More than four begin with code.
      width = indent + length + (isEmpty || spaces > 4 ? 1 : spaces)
    }

    /// The item's text on the line of its mark.
    func content(of line: Line) -> Line {
      let indent = BlockParser.indent(line)
      let text = line.drop(while: isSpace)
      let marked = number == nil ? 1 : text.prefix { (0x30...0x39).contains($0) }.count + 1
      return stripped(text.dropFirst(marked), columns: width - indent - marked)
    }
  }

  private func list(
    _ lines: ArraySlice<Line>, at start: Int, _ first: Marker, depth: Int,
    into blocks: inout [Block]
  ) -> Int {
    var items: [MarkdownDocument.Item] = []
    var isLoose = false
    var place = start
    var marker = first
    while true {
      var inner = [marker.content(of: lines[place])]
      var code = OpenFence()
      code.take(inner[0])
      place += 1
      // An item that begins empty has its text on the next line or nowhere.
      let isNowhere = marker.isEmpty && (place >= lines.endIndex || Self.isBlank(lines[place]))
      while !isNowhere, place < lines.endIndex {
        let line = lines[place]
        if Self.isBlank(line) {
          inner.append([])
        } else if Self.indent(line) >= marker.width {
          inner.append(Self.stripped(line, columns: marker.width))
        } else {
          guard code.fence == nil, let last = inner.last, Self.goesOn(last, with: line),
            Marker(line) == nil
          else { break }
          inner.append(line.drop(while: Self.isSpace))
        }
        code.take(inner[inner.count - 1])
        place += 1
      }
      var blanks = 0
      while let last = inner.last, Self.isBlank(last), inner.count > 1 {
        inner.removeLast()
        blanks += 1
      }
      items.append(item(inner, depth: depth, &isLoose))
      while place < lines.endIndex, Self.isBlank(lines[place]) {
        place += 1
        blanks += 1
      }
      guard place < lines.endIndex, let next = Marker(lines[place]), next.mark == first.mark,
        (next.number == nil) == (first.number == nil),
        !Self.isRule(lines[place].drop(while: Self.isSpace))
      else { break }
      if blanks > 0 { isLoose = true }
      marker = next
    }
    blocks.append(.list(.init(start: first.number, isTight: !isLoose, items: items)))
    return place
  }

  private func item(
    _ lines: [Line], depth: Int, _ isLoose: inout Bool
  ) -> MarkdownDocument.Item {
    var lines = lines
    var isDone: Bool?
    let first = lines[0].prefix(4)
    if first.count == 4, first.elementsEqual(Array("[ ] ".utf8)) { isDone = false }
    if first.count == 4, first.elementsEqual(Array("[x] ".utf8)) { isDone = true }
    if first.count == 4, first.elementsEqual(Array("[X] ".utf8)) { isDone = true }
    if isDone != nil { lines[0] = lines[0].dropFirst(4) }
    let (blocks, loose) = self.blocks(lines[...], depth: depth + 1)
    if loose { isLoose = true }
    return .init(isDone: isDone, blocks: blocks)
  }

  // MARK: Tables

  /// A row may omit cells, so that many columns would turn a short text into a large table.
  private static let mostColumns = 64

  private static func tableStart(
    _ lines: ArraySlice<Line>, at place: Int
  ) -> [MarkdownDocument.Table.Alignment]? {
    guard place + 1 < lines.endIndex, lines[place].contains(UInt8(ascii: "|")) else { return nil }
    let rule = lines[place + 1]
    guard rule.allSatisfy({ isSpace($0) || $0 == 0x7c || $0 == 0x2d || $0 == 0x3a }),
      rule.contains(0x7c), rule.contains(0x2d)
    else { return nil }
    var alignments: [MarkdownDocument.Table.Alignment] = []
    for cell in cells(rule) {
      let hyphens = cell.drop { $0 == 0x3a }.prefix { $0 == 0x2d }
      let ends = (cell.first == 0x3a, cell.last == 0x3a)
      guard !hyphens.isEmpty, cell.count == hyphens.count + (ends.0 ? 1 : 0) + (ends.1 ? 1 : 0)
      else { return nil }
      alignments.append(
        ends == (true, true) ? .center : ends.0 ? .left : ends.1 ? .right : .none)
    }
    guard alignments.count <= mostColumns, alignments.count == cells(lines[place]).count else {
      return nil
    }
    return alignments
  }

  private func table(
    _ lines: ArraySlice<Line>, at start: Int,
    _ alignments: [MarkdownDocument.Table.Alignment], into blocks: inout [Block]
  ) -> Int {
    let head = Self.cells(lines[start]).map { inlines($0) }
    var rows: [[[MarkdownDocument.Inline]]] = []
    var place = start + 2
    while place < lines.endIndex, !Self.isBlank(lines[place]),
      !Self.interrupts(lines[place], lines[place].drop(while: Self.isSpace))
    {
      var row = Self.cells(lines[place]).prefix(head.count).map { inlines($0) }
      while row.count < head.count { row.append([]) }
      rows.append(row)
      place += 1
    }
    blocks.append(.table(.init(alignments: alignments, head: head, rows: rows)))
    return place
  }

  /// The cells of a row; `\|` is part of one.
  private static func cells(_ line: Line) -> [Line] {
    var row = trimmed(line)
    if row.first == 0x7c { row = row.dropFirst() }
    var cells: [Line] = []
    var cell: [UInt8] = []
    var isEscaped = false
    var endsWithBar = false
    for byte in row {
      endsWithBar = byte == 0x7c && !isEscaped
      if endsWithBar {
        cells.append(trimmed(cell[...]))
        cell = []
      } else {
        if byte == 0x7c { cell.removeLast() }
        cell.append(byte)
      }
      isEscaped = byte == 0x5c && !isEscaped
    }
    if !endsWithBar { cells.append(trimmed(cell[...])) }
    return cells
  }

  // MARK: Lines

  private func inlines(_ text: Line) -> [MarkdownDocument.Inline] {
    var parser = InlineParser(Array(Self.trimmed(text)), targets)
    return parser.inlines()
  }
}
