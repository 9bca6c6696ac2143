internal import CommandLine
internal import Dates
internal import Formats
internal import Markdown
internal import Words

/// A document as lines of a terminal.
struct MarkdownLines {
  private(set) var lines: [StyledText] = []
  private let columns: Int
  /// What stands at the head of each line, from outside to inside; the first line of an item has its mark there.
  private var margins: [(first: StyledText?, rest: StyledText)] = []

  init(_ document: MarkdownDocument, columns: Int) {
    self.columns = columns
    add(document.blocks, isTight: false)
  }

  private mutating func add(_ blocks: [MarkdownDocument.Block], isTight: Bool) {
    for (index, block) in blocks.enumerated() {
      if index > 0, !isTight { put(StyledText()) }
      add(block)
    }
  }

  private mutating func add(_ block: MarkdownDocument.Block) {
    switch block {
    case .heading(let level, let inlines):
      putWrapped(
        Self.text(inlines, level == 1 ? [.bold, .underlined] : level == 2 ? .bold : .underlined))
    case .paragraph(let inlines): putWrapped(Self.text(inlines))
    case .quote(let blocks):
      margins.append((nil, StyledText("│ ", .dim)))
      add(blocks, isTight: false)
      margins.removeLast()
    case .list(let list): add(list)
    case .code(let code):
      for line in code.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        putWrapped(StyledText("    " + line, .dim))
      }
    case .rule: put(StyledText(String(repeating: "─", count: max(2, min(room, 24))), .dim))
    case .table(let table): add(table)
    }
  }

  private mutating func add(_ list: MarkdownDocument.List) {
    let widest = list.start.map { "\($0 + list.items.count - 1). ".count } ?? 2
    for (index, item) in list.items.enumerated() {
      if index > 0, !list.isTight { put(StyledText()) }
      let mark =
        switch (item.isDone, list.start) {
        case (true?, _): "☑ "
        case (false?, _): "☐ "
        case (nil, let start?): padLeft("\(start + index). ", widest)
        case (nil, nil): "• "
        }
      let indent = width(mark)
      margins.append((StyledText(mark), StyledText(String(repeating: " ", count: indent))))
      if item.blocks.isEmpty { put(StyledText()) }
      add(item.blocks, isTight: list.isTight)
      margins.removeLast()
    }
  }

  // MARK: Tables

  /// No column becomes narrower to make the table fit.
  private static let leastColumn = 6

  private mutating func add(_ table: MarkdownDocument.Table) {
    let head = table.head.map { Self.text($0, .bold) }
    let rows = table.rows.map { $0.map { Self.text($0) } }
    var widths = head.indices.map { column in
      ([head[column]] + rows.map { $0[column] }).map(\.columns).max() ?? 0
    }
    let gap = 2
    // The widest ones give way, all to one width.
    var most = max(room, Self.leastColumn)
    while most > Self.leastColumn,
      widths.reduce(gap * (widths.count - 1), { $0 + min($1, most) }) > room
    { most -= 1 }
    widths = widths.map { min($0, most) }
    func row(_ cells: [StyledText]) -> [StyledText] {
      let wrapped = zip(cells, widths).map { $0.wrapped(max(1, $1)) }
      return (0..<(wrapped.map(\.count).max() ?? 0)).map { number in
        var line = StyledText()
        for (column, lines) in wrapped.enumerated() {
          let cell = number < lines.count ? lines[number] : StyledText()
          let left = max(0, widths[column] - cell.columns)
          let before =
            switch table.alignments[column] {
            case .right: left
            case .center: left / 2
            case .left, .none: 0
            }
          line.add(String(repeating: " ", count: before + (column > 0 ? gap : 0)))
          line += cell
          if column + 1 < wrapped.count {
            line.add(String(repeating: " ", count: left - before))
          }
        }
        return line
      }
    }
    for line in row(head) { put(line) }
    put(
      StyledText(
        widths.map { String(repeating: "─", count: max(1, $0)) }.joined(separator: "  "), .dim))
    for cells in rows { for line in row(cells) { put(line) } }
  }

  // MARK: Lines

  private var room: Int { max(8, columns - margins.reduce(0) { $0 + $1.rest.columns }) }

  private mutating func putWrapped(_ text: StyledText) {
    for line in text.wrapped(room) { put(line) }
  }

  private mutating func put(_ line: StyledText) {
    var whole = StyledText()
    for index in margins.indices {
      whole += (margins[index].first ?? margins[index].rest)
      margins[index].first = nil
    }
    lines.append(whole + line)
  }

  private static func text(
    _ inlines: [MarkdownDocument.Inline], _ look: StyledText.Look = []
  ) -> StyledText {
    var text = StyledText()
    for inline in inlines {
      switch inline {
      case .text(let own): text.add(own, look)
      case .code(let code): text.add(code, look.union(.dim))
      case .emphasis(let inner): text += Self.text(inner, look.union(.italic))
      case .strong(let inner): text += Self.text(inner, look.union(.bold))
      case .struck(let inner): text += Self.text(inner, look.union(.struck))
      case .link(let inner, let target):
        text += Self.text(inner, look.union(.underlined))
        let words = inner.plainText
        if words != target, "mailto:" + words != target { text.add(" (\(target))", .dim) }
      case .image(let alt, let target):
        text.add("🖼 " + (alt.isEmpty ? target : alt), look.union(.dim))
      case .lineBreak: text.add("\n", look)
      }
    }
    return text
  }
}
