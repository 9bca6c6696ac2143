import Testing

@testable import CommandLine

@Suite struct ArgumentsTests {
  private let count = Option.number("--count", "N", in: 1...9, Verbatim("how many"))
  private let level = Option.choice("--level", ["low", "high"], Verbatim("how much")) {
    ["low", "high"].contains($0) ? $0 : nil
  }
  private let tag = RepeatedOption("--tag", "T", Verbatim("a tag"))
  private let quiet = Flag("--quiet", short: "-q", Verbatim("say nothing"))
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
    (["--count", "0"], UsageError.notANumber(option: "--count", given: "0", least: 1, most: 9)),
    (["--count", "x"], .notANumber(option: "--count", given: "x", least: 1, most: 9)),
    (["--count"], .needsValue("--count", value: "N")),
    (["--count=1", "--count=2"], .givenTwice("--count")),
    (["--level", "mid"], .notOneOf(option: "--level", given: "mid", words: ["low", "high"])),
    (["--quiet=yes"], .takesNoValue("--quiet")),
    (["--cuont", "1"], .unknownOption("--cuont", near: "--count")),
  ])
  func `what cannot be read is a usage error before anything runs`(
    words: [String], error: UsageError
  ) {
    #expect(throws: error) { try Arguments.parse(words, options: options) }
  }

  @Test func `the nearest name is suggested, and none that is far`() {
    #expect(Arguments.nearest("--cuont", ["--count", "--quiet"]) == "--count")
    #expect(Arguments.nearest("serach", ["search", "show"]) == "search")
    #expect(Arguments.nearest("zzz", ["search", "show"]) == nil)
  }
}
