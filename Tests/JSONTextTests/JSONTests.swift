import Testing

@testable import JSONText

@Suite struct JSONTests {
  private func tokens(_ text: String, piece: Int = .max, sequence: Bool = false) throws
    -> [JSONReader.Token]
  {
    var rest = Array(text.utf8)[...]
    var reader = try JSONReader(sequence: sequence) {
      let next = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      return Array(next)
    }
    var tokens: [JSONReader.Token] = []
    while true {
      let token = try reader.next()
      tokens.append(token)
      if token == .end { return tokens }
    }
  }

  @Test(arguments: [1, 2, 3, 1000]) func `a text reads the same in whatever pieces it comes`(
    piece: Int
  ) throws {
    let text =
      "\u{feff} {\"a\": [1, -2.5e3, true, null, \"x\\n\\u00e9\\ud83d\\ude00日\"], \"b\": {}} "
    #expect(
      try tokens(text, piece: max(piece, 3)) == [
        .beginObject, .key("a"), .beginArray, .number("1"), .number("-2.5e3"), .bool(true), .null,
        .string("x\né😀日"), .endArray, .key("b"), .beginObject, .endObject, .endObject, .end,
      ])
  }

  @Test(arguments: [
    "", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e", "nul",
    "\"a",
    "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "[1]]", "[1] 2", "'a'", "NaN",
    "--1", "[,1]",
  ]) func `what is no JSON is refused`(text: String) {
    #expect(throws: JSONError.self) { try tokens(text) }
  }

  @Test func `nesting is limited, and its error says where`() throws {
    let error = #expect(throws: JSONError.self) {
      try tokens("\n" + String(repeating: "[", count: 100_000))
    }
    #expect(error?.line == 2)
    #expect(error?.column == 65)
  }

  @Test func `invalid UTF-8 is refused`() throws {
    var reader = JSONReader([0x22, 0xff, 0x22])
    #expect(throws: JSONError.self) { try reader.next() }
  }

  @Test func `lines are values one after another`() throws {
    #expect(try tokens("1\n2\n", sequence: true) == [.number("1"), .number("2"), .end])
  }

  @Test func `what is written reads back`() throws {
    let text = "a\"\\\u{0}\u{1b}\n日本語 \u{7f}"
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("k", text)
    writer.member("n", nil as String?)
    writer.member("d", 0.1)
    writer.member("f", Float(0.1))
    writer.member("nan", Double.nan)
    writer.member("list", ["x", "y"])
    writer.endObject()
    #expect(writer.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
    #expect(
      try tokens(String(decoding: writer.bytes, as: UTF8.self)) == [
        .beginObject, .key("k"), .string(text), .key("n"), .null, .key("d"), .number("0.1"),
        .key("f"), .number("0.1"), .key("nan"), .null, .key("list"), .beginArray, .string("x"),
        .string("y"), .endArray, .endObject, .end,
      ])
  }

  @Test func `what commands a terminal or turns its text leaves as an escape, all else as it is`()
    throws
  {
    for value in [UInt32(0x80), 0x9b, 0x9f, 0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069] {
      let text = "a" + String(Unicode.Scalar(value)!) + "b"
      var writer = JSONWriter()
      writer.value(text)
      #expect(writer.bytes.allSatisfy { (0x20..<0x7f).contains($0) })
      #expect(try tokens(String(decoding: writer.bytes, as: UTF8.self)) == [.string(text), .end])
    }
    for text in ["“quoted” – … €", "é £ ¿", "اب", "日本語👩‍👩‍👧", "\u{a0}\u{200d}\u{2028}"] {
      var writer = JSONWriter()
      writer.value(text)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(text)\"")
    }
  }
}
