/// The inlines of a paragraph as a tree, made from the tokens.
struct InlineTree {
  typealias Inline = MarkdownDocument.Inline

  enum Token {
    case inline(Inline)
    case run(Int)
    /// `[` or `![`, and what it became.
    case bracket(Int)
    case closeLink
  }

  /// `**`: marks that open or close emphasis.
  struct Run {
    let mark: UInt8
    let length: Int
    let canOpen: Bool
    let canClose: Bool
    var left: Int
    /// Lengths of what it closes and opens, innermost first.
    var closes: [Int] = []
    var opens: [Int] = []
    /// Neighbours that are still to be matched; -1 is none.
    var before: Int
    var after = -1
  }

  struct Bracket {
    let isImage: Bool
    /// Where its text begins.
    let start: Int
    /// The last run before it.
    let lastRun: Int
    var target: String?
  }

  private enum Level {
    case bottom
    case emphasis(Int, mark: UInt8)
    case link(Int)
  }

  private static let deepest = 64

  private let runs: [Run]
  private let brackets: [Bracket]
  private var levels: [(level: Level, content: [Inline])] = [(.bottom, [])]
  /// Joins adjacent texts.
  private var words = ""
  /// Levels that were too deep, and whose ends are still to come.
  private var skipped = 0

  init(runs: [Run], brackets: [Bracket]) {
    self.runs = runs
    self.brackets = brackets
  }

  mutating func inlines(of tokens: [Token]) -> [Inline] {
    for token in tokens {
      switch token {
      case .inline(let inline): add(inline)
      case .bracket(let index):
        let bracket = brackets[index]
        if bracket.target == nil {
          add(.text(bracket.isImage ? "![" : "["))
        } else {
          begin(.link(index))
        }
      case .closeLink: closeLink()
      case .run(let index): take(runs[index])
      }
    }
    while levels.count > 1 {
      // Every level was closed by its opener; if one were not, its contents would still be kept.
      for inline in end() { add(inline) }
    }
    return end()
  }

  private mutating func closeLink() {
    if skipsEnd() { return }
    guard levels.count > 1, case .link(let index) = levels.last!.level else { return }
    let content = end()
    let target = brackets[index].target ?? ""
    add(
      brackets[index].isImage
        ? .image(alt: content.plainText, target: target) : .link(content, target: target))
  }

  private mutating func take(_ run: Run) {
    for _ in run.closes where !skipsEnd() {
      guard levels.count > 1, case .emphasis(let length, let mark) = levels.last!.level else {
        break
      }
      let content = end()
      add(
        mark == UInt8(ascii: "~")
          ? .struck(content) : length == 2 ? .strong(content) : .emphasis(content))
    }
    if run.left > 0 {
      add(.text(String(repeating: Character(Unicode.Scalar(run.mark)), count: run.left)))
    }
    for length in run.opens.reversed() { begin(.emphasis(length, mark: run.mark)) }
  }

  private mutating func endText() {
    guard !words.isEmpty else { return }
    levels[levels.count - 1].content.append(.text(words))
    words = ""
  }

  private mutating func add(_ inline: Inline) {
    if case .text(let more) = inline {
      words += more
    } else {
      endText()
      levels[levels.count - 1].content.append(inline)
    }
  }

  /// Deeper levels are replaced by their contents, because a caller walks the tree recursively.
  private mutating func begin(_ level: Level) {
    guard levels.count <= Self.deepest else {
      skipped += 1
      return
    }
    endText()
    levels.append((level, []))
  }

  private mutating func end() -> [Inline] {
    endText()
    return levels.removeLast().content
  }

  private mutating func skipsEnd() -> Bool {
    guard skipped > 0 else { return false }
    skipped -= 1
    return true
  }
}
