import Testing

@testable import CommandLine

@Suite struct WrappingTests {
  private static let text = """
    Searching

      tea river        entries that contain both words, anywhere
                       and inside words, too
      --long-option NAME
                       what it does, in a column of its own

    Case and accents make no difference, and the newest
    entries come first.

      facediary one
      facediary two

    検索は、日記の本文、タイトル、タグ、場所、天気、添付ファイルの名前を
    「途中」も含めて探します。
    """

  @Test func `a text that fits, and one that no terminal shows, stay as they are`() {
    #expect(wrapped(Self.text, to: 100) == Self.text)
    #expect(wrapped(Self.text, to: 10) == Self.text)
    #expect(wrapped("", to: 40) == "")
  }

  @Test(arguments: [20, 30, 40, 50, 60])
  func `no line is longer than the terminal, and no word is lost`(_ columns: Int) {
    let lines = wrapped(Self.text, to: columns).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { width($0) <= columns }, "\(lines)")
    func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    #expect(words(lines.joined()) == words(Self.text))
    // No line begins with a sign that belongs to the one before it, and commands stay apart.
    #expect(!lines.contains { "、。」".contains($0.trimmed.first ?? " ") })
    #expect(lines.contains("  facediary two"))
  }

  @Test func `lines of Japanese are joined as they are written`() {
    func joined(_ text: String) -> String {
      wrapped(text + "\n" + String(repeating: "長", count: 50), to: 80)
        .split(separator: "\n").joined()
    }
    #expect(joined("設定します。\nNAME は\nopencv か\ndlib").hasPrefix("設定します。NAME は opencv か dlib"))
    #expect(joined("記録を\n移す").hasPrefix("記録を移す"))
  }

  @Test func `a command in a message stays on one line`() {
    func lines(_ text: String) -> [String] {
      wrapped(text, to: 40, keeping: "diary").split(separator: "\n").map(String.init)
    }
    #expect(
      lines(
        "diary: next: show your face with diary enroll --camera or diary enroll FILE…, or open it")
        == [
          "diary: next: show your face with", "diary enroll --camera or",
          "diary enroll FILE…, or open it",
        ])
    #expect(
      lines("次に、diary enroll FILE で顔を登録するか、diary unlock で開いてください").contains {
        $0.contains("diary enroll FILE")
      })
    #expect(lines("  short") == ["  short"])
  }

  @Test func `rows keep their second column where there is room for it`() {
    let rows = wrapped(Self.text, to: 51).split(separator: "\n").map(String.init)
    #expect(rows.contains("  tea river        entries that contain both words,"))
    #expect(rows.contains("                   anywhere and inside words, too"))
    #expect(rows.contains("Case and accents make no difference, and the newest"))
    let narrow = wrapped(Self.text, to: 36).split(separator: "\n").map(String.init)
    #expect(narrow.contains("  tea river") && narrow.contains("      entries that contain both"))
    #expect(narrow.contains("      words, anywhere and inside"))
  }
}
