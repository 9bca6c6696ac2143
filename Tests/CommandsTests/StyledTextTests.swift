import Testing

@testable import Commands

/// Text broken into the lines of a terminal.
@Suite struct StyledTextTests {
  private static let texts = [
    "This is the story of how we went to the old town by the river, and ate  far too much cake.",
    "a b  c   d\n\n e f \n", "hhhh iiii", "words\nwith ends", "  begins with spaces", "",
    "日本語の text が 混ざる、文。",
  ]

  @Test(arguments: texts, 2...40)
  func `a line break takes no space from between two words`(text: String, columns: Int) {
    let lines = StyledText(text).wrapped(columns)
    #expect(lines.allSatisfy { $0.columns <= columns })
    let drawn = lines.map { $0.pieces.map(\.text).joined() }
    // Words are only broken where they are wider than a line.
    func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
    let whole = words(text)
    if text.allSatisfy(\.isASCII), whole.allSatisfy({ $0.count <= columns }) {
      #expect(words(drawn.joined(separator: "\n")) == whole)
    }
    #expect(drawn.joined().filter { $0 != " " } == text.filter { $0 != " " && $0 != "\n" })
  }
}
