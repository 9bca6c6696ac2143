import Testing

@testable import CommandLine

@Suite struct ArgumentsTests {
  private let count = Option.number("--count", "N", in: 1...9, "how many")
  private let level = Option.choice("--level", ["low", "high"], "how much") {
    ["low", "high"].contains($0) ? $0 : nil
  }
  private let tag = RepeatedOption("--tag", "T", "a tag")
  private let quiet = Flag("--quiet", short: "-q", "say nothing")
  private var options: [any OptionKey] { [count, level, tag, quiet] }

  @Test func `options are read into the type of their key, wherever they stand`() throws {
    let arguments = try Arguments.parse(
      ["a", "--count", "3", "-q", "--tag=x=y", "b", "--tag", "z", "--", "--count"],
      options: options)
    #expect(arguments[count] == 3)
    #expect(arguments[quiet])
    #expect(arguments[tag] == ["x=y", "z"])
    #expect(arguments[level] == nil && !arguments.has(level))
    #expect(arguments.operands == ["a", "b", "--count"])
  }

  @Test(arguments: [
    (["--count", "0"], "--count wants a number from 1 to 9, not 0"),
    (["--count", "x"], "--count wants a number from 1 to 9, not x"),
    (["--count"], "--count needs a value: --count N"),
    (["--count=1", "--count=2"], "--count is given twice"),
    (["--level", "mid"], "--level cannot be mid"), (["--quiet=yes"], "--quiet takes no value"),
    (["--cuont", "1"], "unknown option --cuont"),
  ])
  func `what cannot be read is a usage error before anything runs`(
    words: [String], message: String
  ) throws {
    let failure = try #require(throws: Failure.self) {
      try Arguments.parse(words, options: options)
    }
    #expect(failure.code == .usage)
    #expect(failure.message.string(in: .english) == message)
  }

  @Test func `the nearest name is suggested, and none that is far`() {
    #expect(Arguments.nearest("--cuont", ["--count", "--quiet"]) == "--count")
    #expect(Arguments.nearest("serach", ["search", "show"]) == "search")
    #expect(Arguments.nearest("zzz", ["search", "show"]) == nil)
  }
}

@Suite struct CommandTests {
  private let command = Command<Void>(
    "books", Form("list", isDefault: true), Form("add", Operand("NAME")),
    Form(
      "send", Operand("ID", completion: .named("id")),
      Operand("FILE", repeats: true, completion: .file)),
    summary: "books"
  ) { _ in 0 }

  @Test func `forms give usage, verbs, counts and completion from one declaration`() throws {
    #expect(command.usage == "[list] | add NAME | send ID FILE…")
    #expect(try command.form(of: []).form.verb == "list")
    let (form, operands) = try command.form(of: ["send", "1", "a", "b"])
    #expect(form.verb == "send" && operands == ["1", "a", "b"])
    for words in [["add"], ["add", "a", "b"], ["send", "1"], ["list", "x"], ["sned", "1", "a"]] {
      let failure = try #require(throws: Failure.self) { try command.form(of: words) }
      #expect(failure.code == .usage)
    }
    #expect(command.completion(at: 0, after: []) == .words(["list", "add", "send"]))
    #expect(command.completion(at: 1, after: ["send"]) == .named("id"))
    #expect(command.completion(at: 5, after: ["send"]) == .file)
    #expect(command.completion(at: 2, after: ["add", "x"]) == .none)
  }

  @Test func `a usage error shows the form that was meant`() throws {
    let failure = try #require(throws: Failure.self) { try command.form(of: ["send", "1"]) }
    #expect(failure.message.string(in: .english) == "usage: facediary books send ID FILE…")
  }
}

@Suite struct TextTests {
  @Test func `a translation may take values in another order, and terms are translated, too`() {
    let other = Language(
      code: "xx", translations: ["{} of {}": "{2}/{1}", "gate": "GATE", "at {}": "AT {}"])
    let text: Text = "\(3) of \(term: "gate")"
    #expect(text.string(in: .english) == "3 of gate")
    #expect(text.string(in: other) == "GATE/3")
    // What the owner wrote is not.
    let plain: Text = "at \("gate")"
    #expect(plain.string(in: other) == "AT gate")
  }
}

@Suite struct ColumnsTests {
  @Test(arguments: [("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("🏨", 2), ("⭐️", 2)])
  func `text is as wide as a terminal shows it`(text: String, columns: Int) {
    #expect(width(text) == columns)
  }

  @Test func `clipping keeps within the columns and says that it clipped`() {
    #expect(clipped("日本語です", to: 7) == "日本語…")
    #expect(clipped("short", to: 5) == "short")
    #expect(
      byteCount(999) == "999 B" && byteCount(1500) == "1.5 kB" && byteCount(70_000_000) == "70 MB")
  }
}
