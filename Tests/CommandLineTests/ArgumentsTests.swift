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
