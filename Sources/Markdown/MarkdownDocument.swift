/// A text as Markdown: the core of CommonMark 0.31, and what diaries use of GitHub's: tables, strikethrough, task lists and
/// bare addresses. HTML is text like any other.
///
/// Every text is a valid document, and parsing takes time in proportion to its length whatever its contents.
package struct MarkdownDocument: Equatable, Sendable {
  package let blocks: [Block]

  package init(_ text: String) {
    var parser = BlockParser(Array(text.utf8))
    blocks = parser.document()
  }

  package indirect enum Block: Equatable, Sendable {
    /// Of level 1 to 6.
    case heading(level: Int, [Inline])
    case paragraph([Inline])
    case quote([Block])
    case list(List)
    /// As it stands, with a newline after each line.
    case code(String)
    case rule
    case table(Table)
  }

  package struct List: Equatable, Sendable {
    /// The first number; nil for bullets.
    package let start: Int?
    /// Whether its items are written without blank lines between them.
    package let isTight: Bool
    package let items: [Item]
  }

  package struct Item: Equatable, Sendable {
    /// Whether the task is done; nil for an item that is not a task.
    package let isDone: Bool?
    package let blocks: [Block]
  }

  package struct Table: Equatable, Sendable {
    package enum Alignment: Sendable { case none, left, center, right }

    package let alignments: [Alignment]
    package let head: [[Inline]]
    /// Each with as many cells as the head.
    package let rows: [[[Inline]]]
  }

  package indirect enum Inline: Equatable, Sendable {
    case text(String)
    case code(String)
    case emphasis([Inline])
    case strong([Inline])
    case struck([Inline])
    case link([Inline], target: String)
    case image(alt: String, target: String)
    /// The end of a line. In a diary each is meant.
    case lineBreak
  }
}

extension MarkdownDocument {
  /// Without its markers, on one line. What an item of a list begins with stays.
  package var plainText: String { Self.plainText(blocks) }

  private static func plainText(_ blocks: [Block]) -> String {
    let parts = blocks.map { block in
      switch block {
      case .heading(_, let text), .paragraph(let text): text.plainText
      case .quote(let blocks): plainText(blocks)
      case .list(let list): plainText(list)
      case .code(let text): text.split(whereSeparator: \.isNewline).joined(separator: " ")
      case .rule: ""
      case .table(let table):
        ([table.head] + table.rows).joined().map(\.plainText).joined(separator: " ")
      }
    }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func plainText(_ list: List) -> String {
    list.items.enumerated().map { number, item in
      let mark = list.start.map { "\($0 + number). " } ?? "• "
      let task = item.isDone.map { $0 ? "☑ " : "☐ " }
      return (task ?? mark) + plainText(item.blocks)
    }.joined(separator: " ")
  }
}

extension [MarkdownDocument.Inline] {
  /// Without its markers.
  package var plainText: String {
    var text = ""
    for inline in self {
      switch inline {
      case .text(let own), .code(let own): text += own
      case .emphasis(let inner), .strong(let inner), .struck(let inner), .link(let inner, _):
        text += inner.plainText
      case .image(let alt, _): text += alt
      case .lineBreak: text += " "
      }
    }
    return text
  }
}
