import Foundation
import Testing

@testable import DiaryVault
@testable import Entries
@testable import Text

@Suite struct SearchTests {
  @Test func `nobody looks for more words than a page has`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("text"))
    #expect(try vault.all(query: Array(repeating: "text", count: 1000)).count == 1)
    #expect(throws: VaultError(.invalid, "")) {
      try vault.all(query: Array(repeating: "text", count: 1001))
    }
  }

  @Test(arguments: [
    ("カフェに行った", "かふぇ", true), ("かふぇ", "カフェ", true), ("ｶﾌｪ", "カフェ", true),
    ("がっこう", "か", false), ("café", "CAFE", true), ("cafe\u{301}", "café", true),
    ("Straße", "STRASSE", true), ("zqxẞjvk", "zqxßjvk", true), ("zqxßjvk", "ZQXẞJVK", true),
    ("STRAẞE", "strasse", true), ("İstanbul", "istanbul", true), ("мой", "мои", false),
    ("ёлка", "елка", true), ("한국", "한국", true), ("１２３", "123", true), ("🍽\u{fe0f}", "🍽", true),
    ("two  words\nhere", "words here", true), ("understand", "derst", true), ("abc", "abd", false),
    ("ﬁre", "fire", true), ("Ὀδυσσεύς", "οδυσσευσ", true),
  ]) func `search folds as a person expects`(text: String, word: String, found: Bool) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft(text))
    #expect(try vault.all(query: [word]).count == (found ? 1 : 0))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the quick way of folding comes to what normalisation comes to`(_ seed: UInt64) {
    var random = Seeded(state: seed)
    // Every simple range, what is beside it, marks of every kind, letters of every script.
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7e, 0x20...0x7e, 0x9...0xd, 0x80...0x24f, 0x300...0x36f, 0x370...0x3ff,
      0x400...0x52f,
      0x591...0x5f4, 0x900...0x97f, 0xe00...0xe7f, 0x1100...0x11ff, 0x1e00...0x1fff,
      0x2000...0x206f,
      0x2190...0x25ff, 0x3000...0x30ff, 0x3099...0x309a, 0x3130...0x318f, 0x4e00...0x9fff,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xfe00...0xfe0f, 0xff00...0xffef, 0x1f300...0x1f6ff,
      0x338...0x338,
    ]
    for _ in 0..<4000 {
      let count = Int.random(in: 1...12, using: &random)
      let scalars = (0..<count).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: ranges.randomElement(using: &random)!, using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      #expect(
        SearchText.fold(text) == SearchText.foldSlowly(text), "\(scalars.map(\.value))")
    }
  }

  @Test func `white space and letters without case are what Unicode says`() {
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(SearchText.isSpace(scalar) == scalar.properties.isWhitespace, "\(value)")
      if SearchText.isOfScriptWithoutCase(scalar) {
        #expect(!scalar.properties.changesWhenCaseMapped, "\(value)")
      }
    }
  }

  @Test func `search by the index and search by opening everything agree`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var random = Seeded(state: 42)
    let alphabet = Array("abcé がかカ京都茶한국йиёßİ🍽👨‍👩‍👧 \n")
    var bodies: [String] = []
    for _ in 0..<300 {
      let body =
        String(
          (0..<Int.random(in: 1...40, using: &random)).map { _ in
            alphabet.randomElement(using: &random)!
          }) + "x"
      bodies.append(body)
    }
    _ = try vault.take(
      try bodies.enumerated().map {
        .entry(ImportedEntry(draft: try EntryDraft($1, day: $0)))
      })
    let kept = try vault.all()
    for _ in 0..<300 {
      let source = Array(bodies.randomElement(using: &random)!)
      let start = Int.random(in: 0..<source.count, using: &random)
      let word = String(
        source[start..<min(source.count, start + Int.random(in: 1...5, using: &random))])
      let folded = SearchText.fold(word)
      if folded.isEmpty { continue }
      let expected = kept.filter { PreparedQuery.contains(SearchText.fold($0.body!), folded) }
      #expect(try vault.all(query: [word]).map(\.id) == expected.map(\.id), "\(word)")
    }
  }

  @Test func `every word must be there, in title, tags or body, and a phrase in one piece`() throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    var draft = try EntryDraft("green tea with Ana", title: "Uji")
    draft.tags = ["travel"]
    _ = try vault.add(draft)
    #expect(try vault.all(query: ["tea", "uji", "TRAVEL"]).count == 1)
    #expect(try vault.all(query: ["tea", "coffee"]).isEmpty)
    #expect(try vault.all(query: ["tea with"]).count == 1)
    #expect(try vault.all(query: ["with tea"]).isEmpty)
    #expect(try vault.all(query: ["\"tea with\" green"]).count == 1)
    #expect(try vault.all(query: ["ana"]).first?.excerpt == "green tea with Ana")
  }

  @Test(arguments: [
    (["tea"], ["a", "b"]), (["tea", "OR", "coffee"], ["a", "b", "c"]),
    (["uji", "tea", "OR", "coffee"], ["a"]), (["tea", "-milk"], ["a"]), (["-tea"], ["c", "d"]),
    (["#trip"], ["a", "d"]), (["#tri"], []), (["#trip", "OR", "milk"], ["a", "b", "d"]),
    (["＃TRIP", "-#work"], ["a"]), (["tea with -\"green tea\""], ["b"]),
    (["-green tea"], ["b", "c", "d"]),
    (["\"OR\""], ["b", "d"]), (["tea", "ＯＲ", "coffee"], ["a", "b", "c"]),
    (["tea", "－milk"], ["a"]), (["OR", "coffee"], ["c"]), (["coffee", "OR"], ["c"]),
    (["a \"b"], ["a", "b", "c", "d"]),
    (["\"-milk\""], []), (["#"], ["d"]), (["-"], ["d"]),
  ])
  func `OR, exclusion and tags`(words: [String], found: [String]) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for (title, body, tags) in [
      ("a", "green tea with Ana in Uji, b", ["trip"]), ("b", "tea with milk", ["work", "tripod"]),
      ("c", "black coffee, b", []), ("d", "to be OR not to be: # - a", ["trip", "work"]),
    ] {
      var draft = try EntryDraft(body, title: title)
      draft.tags = tags
      _ = try vault.add(draft)
    }
    #expect(try vault.all(query: words).compactMap(\.title).sorted() == found, "\(words)")
  }
}
