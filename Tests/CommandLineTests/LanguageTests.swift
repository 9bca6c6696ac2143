import Testing

@testable import CommandLine

@Suite struct LanguageTests {
  @Test func `a language is named by its code or by a locale`() {
    #expect(Language(named: "ja") == .japanese)
    #expect(Language(named: "ja_JP.UTF-8") == .japanese)
    #expect(Language(named: "EN-gb") == .english)
    #expect(Language(named: "C") == nil && Language(named: "") == nil)
  }

  @Test(arguments: Language.allCases)
  func `a name stays as it is in every language`(language: Language) {
    #expect(Verbatim("--face").text(in: language) == "--face")
  }
}
