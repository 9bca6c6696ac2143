import Testing
import Text

@testable import Entries

/// What a search shows of an entry.
@Suite struct ExcerptTests {
  private func excerpt(_ words: String, of body: String, title: String? = nil) -> String? {
    PreparedQuery(SearchQuery([words])).excerpt(title: title, body: body)
  }

  @Test(arguments: ["\n", "\r\n", "\u{2028}", "\u{85}", "\u{0b}", "\n\n  \n"])
  func `the first line with a hit is shown`(lineBreak: String) throws {
    let body = ["one", "“two” is here", "and two again"].joined(separator: lineBreak)
    #expect(excerpt("two", of: body) == "“two” is here")
    #expect(excerpt("one", of: body) == "one")
    #expect(excerpt("AGAIN one", of: body) == "one")
  }

  @Test func `without a hit in one line the title or the beginning is shown`() throws {
    #expect(excerpt("day", of: "one\ntwo", title: "a day") == "a day")
    #expect(excerpt("\"one two\"", of: "\none\ntwo") == "one")
    #expect(excerpt("tag", of: "") == nil)
  }

  /// Folding makes some of these shorter, others longer, and leaves some out.
  @Test(arguments: [
    "plain words ", "ＷＩＤＥ　", "ｶﾞｷﾞ ", "ﷺ ", "Straße ", "a\u{ad}b\u{200b} ", "e\u{301}o\u{308} ",
    "日本語の文 ", "👩‍👩‍👧‍👦 ", "𝔘𝔫𝔦 ", "   \t ", "’“—… ",
  ])
  func `a long line is cut around its first hit`(filling: String) throws {
    for (before, after) in [
      (0, 400), (1, 400), (30, 400), (400, 0), (400, 400), (3_000, 3_000), (60_000, 3),
    ] {
      let line =
        String(repeating: filling, count: before) + "Nädel "
        + String(repeating: filling, count: after) + "nadel"
      let shown = try #require(excerpt("nadel", of: "other\n" + line + "\nother"))
      #expect(shown.contains("Nädel") && shown.count <= 241)
      #expect(line.contains(shown.drop { $0 == "…" && before > 0 }))
      // Some of what stands before it is shown, too.
      if before == 400 { #expect(!shown.drop { $0 == "…" }.hasPrefix("Nädel")) }
    }
  }

  @Test func `one character of very many scalars is cut`() throws {
    let shown = try #require(
      excerpt("needle", of: "needle e" + String(repeating: "\u{301}", count: 1 << 18)))
    #expect(shown.unicodeScalars.count <= 961 && shown.hasPrefix("needle"))
  }
}
