import Foundation
import Testing

@testable import Platform

/// The shell itself says what the words are.
@Suite struct ShellWordsTests {
  /// The first words that `sh` makes of a line, each ended by a zero byte.
  private func shell(_ line: String) throws -> [String] {
    let bytes = try ChildProcess.output(
      of: ["sh", "-c", "printf '%s\\0' \(line)"], seconds: 10, limit: 10_000)
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `a quoted word is one word to the shell and to the program`() throws {
    for word in [
      "/home/a/place", "", " ", "it's", "'", "''", "\\", "a\\", "\"", "$HOME", "`id`", "*", "~",
      "!x", "a\nb", "日記", "'\u{301}x", "\u{301}", "\u{301}'", "a'\u{301}'b", "-x", "é", "e\u{301}",
      "a;b", "#x", "a\u{3000}b",
    ] {
      let quoted = ShellWords.quoted(word)
      #expect(try shell(quoted).map { Array($0.utf8) } == [Array(word.utf8)], "\(word)")
      let words = try ShellWords.split("x " + quoted)
      #expect(words.map { Array($0.utf8) } == [[0x78], Array(word.utf8)], "\(word)")
    }
  }

  @Test(arguments: [
    "a b", "a  'b c' d", #"a\ b"#, #""a\"b" c"#, #""a\b" 'a\b' a\b"#, "''", "'\u{301}a b' c",
    "a'b'\"c\"d", "a\tb\nc",
    "a\u{3000}b \u{a0} c\u{2003}d",
  ])
  func `a command falls into the words a shell makes of it`(line: String) throws {
    // In a line of its own, the shell would take the rest for a second command.
    let lines = line.replacing("\n", with: " ")
    let expected = try shell("x " + lines).map { Array($0.utf8) }
    #expect(try ShellWords.split("x " + line).map { Array($0.utf8) } == expected)
  }

  @Test(arguments: ["a\\\nb", "a \\\n b", "\"a\\\nb\"", "'a\\\nb'", "\\\n"])
  func `a line goes on behind a backslash`(line: String) throws {
    let expected = try shell("x " + line)
    #expect(try ShellWords.split("x " + line) == expected)
  }

  @Test func `a quoted word is never an assignment`() throws {
    let line = ShellWords.quoted("a=b") + " 2>/dev/null || printf none"
    let said = try ChildProcess.output(of: ["sh", "-c", line], seconds: 10, limit: 100)
    #expect(said == Array("none".utf8))
  }

  @Test(arguments: ["", " ", "'a", "\"a", "a\\", "''", "a '\u{301}"])
  func `a command whose quotes do not close is refused`(line: String) {
    #expect(throws: ChildProcessError(.badCommand, program: line)) {
      _ = try ShellWords.split(line)
    }
  }
}
