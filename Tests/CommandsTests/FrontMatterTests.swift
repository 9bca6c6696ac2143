import Testing

@testable import CommandLine
@testable import Dates
@testable import Formats
@testable import Words

/// The head of a Markdown file, as this program and as others write it.
@Suite(.threads) struct FrontMatterTests {
  @Test func `values are texts, quoted texts and lists`() throws {
    let (matter, body) = try FrontMatter.split(
      """
      ---
      # a remark
      Title: "Tea: \\"hot\\" \\u00e9"
      kind: 'it''s'
      tags: ["a, b", "c"]
      words: [one, 'two three']
      lines:
        - first
        - "second: half"
      journal: ~
      time: 2026-03-01T09:30:00+09:00
      ---

      By the river.

      ---
      end

      """, "f")
    #expect(matter.text("title") == "Tea: \"hot\" é")
    #expect(matter.text("kind") == "it's")
    #expect(matter.list("tags") == ["a, b", "c"])
    #expect(matter.list("words") == ["one", "two three"])
    #expect(matter.list("lines") == ["first", "second: half"])
    #expect(matter.text("journal") == nil && matter["journal"] == [])
    #expect(matter.text("time") == "2026-03-01T09:30:00+09:00")
    #expect(body == "By the river.\n\n---\nend")
  }

  @Test(arguments: ["", "plain", "-- -\nx", "text\n---\na: b\n---\n"])
  func `a file without one is all text`(text: String) throws {
    let (matter, body) = try FrontMatter.split(text, "f")
    #expect(matter["a"] == nil)
    #expect(body == text || body + "\n" == text)
  }

  @Test func `a byte that is no text changes nothing around it`() {
    let text = "日記 – naïve"
    for (bytes, expected) in [
      ([0xff] + Array(text.utf8), "\u{ff}" + text), (Array(text.utf8) + [0xe9], text + "é"),
      (Array(text.utf8.dropLast(12)) + [0x0a], "日\u{e8}\u{a8}\n"),
      ([0x6e, 0x61, 0xef, 0x76, 0x65], "naïve"), ([0xc3, 0x28], "\u{c3}("), ([0xff], "\u{ff}"),
    ] {
      let (decoded, isUnicode) = StoredText.decoding(bytes)
      #expect(decoded == expected && !isUnicode)
    }
    #expect(StoredText.decoding(Array(text.utf8)) == (text, true))
  }

  @Test(arguments: ["---\nA day\n\n---\nits end", "---\n", "---\n\n"])
  func `a text of others may begin with a rule`(text: String) throws {
    let (matter, body) = try FrontMatter.split(text, "f", orRule: true)
    #expect(matter.allKeys.isEmpty)
    #expect(body == StoredText.of(text))
    // A head that was written is a head, and our own file has one.
    #expect(throws: Failure.self) {
      try FrontMatter.split("---\ntitle: x\nA day\n---\n", "f", orRule: true)
    }
    #expect(throws: Failure.self) { try FrontMatter.split(text, "f") }
  }

  @Test func `a byte order mark and CRLF are those of the file`() throws {
    let (matter, body) = try FrontMatter.split(
      "\u{feff}---\r\na: b\r\n---\r\n\r\none\r\ntwo\r\n", "f")
    #expect(matter.text("a") == "b")
    #expect(body == "one\r\ntwo")
  }

  @Test(arguments: [
    ("---\na: b\n", "f: its front matter has no end; expected a line ---"),
    ("---\nno colon\n---\n", "f, line 2: expected a name, a colon and a value"),
    ("---\na: b\nt: [x\n---\n", "f, line 3: expected a list that ends with ]"),
    ("---\na: \"x\n---\n", "f, line 2: expected a text that ends with \""),
    ("---\n- x\n---\n", "f, line 2: expected a name, a colon and a value"),
  ])
  func `what cannot be read is an error with its line`(text: String, message: String) {
    let error = #expect(throws: Failure.self) { try FrontMatter.split(text, "f") }
    #expect(error?.code == .invalid)
    #expect(error?.message.text(in: .english) == message)
  }

  @Test func `what a text shows is found in time that grows with it, and addresses are no files`() {
    let text = """
      ![a](one.png) and ![b](<two words.png> "t") ![[three.png|300]] ![[four.png#x]]
      ![](https://example.org/x.png) ![](data:image/png;base64,AAAA) ![ no ](not it
      ](five.png) ![](a%20b.png) [no](picture.png) ![[open
      """
    #expect(
      PictureTargets.all(in: text) == [
        "one.png", "two words.png", "three.png", "four.png", "a b.png",
      ])
    for hostile in ["![", "![[", "![[x", "](", "![]("] {
      let long = String(repeating: hostile, count: 1 << 18)
      #expect(PictureTargets.all(in: long).count <= 1 << 18)
    }
  }
}
