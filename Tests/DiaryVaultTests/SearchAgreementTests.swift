import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import RowStore

/// Search through signatures and search by opening everything must agree.
@Suite struct SearchAgreementTests {
  private static let alphabet: [String] =
    (0x61...0x68).map { String(Unicode.Scalar(UInt8($0))) } + [
      " ", " ", "\n", "é", "e\u{301}", "ß", "ＡＢ", "が", "か\u{3099}", "カ", "ｶﾞ", "京", "都", "й",
      "и\u{306}", "한",
      "\u{1112}\u{1161}\u{11ab}", "🏞", "🏞\u{fe0f}", "İ", "ﬁ", "Ω", "\u{200d}", "1", "ſ", "ø",
    ]

  private static func text(_ random: inout Seeded, _ count: Int) -> String {
    (0..<count).map { _ in alphabet.randomElement(using: &random)! }.joined()
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the index loses no hit and adds none`(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    let bench = try Workbench()
    let vault = try bench.create()
    let taking = try VaultImport(vault)
    for number in 0..<200 {
      var draft = try EntryDraft(
        Self.text(&random, Int.random(in: 1...60, using: &random)) + "x", day: 18_000 + number)
      if Bool.random(using: &random) {
        draft.title = "t" + Self.text(&random, 5).filter { $0 != "\n" }
      }
      let tag = Self.text(&random, 3).filter { !$0.isWhitespace }
      if !tag.isEmpty { draft.tags = [tag] }
      guard (try? draft.validate()) != nil else { continue }
      try taking.take(.entry(ImportedEntry(draft: draft)))
    }
    _ = try taking.finish(dryRun: false)
    let all = try vault.all()
    var hits = 0
    for _ in 0..<300 {
      // Half of the words are cut from a text, so that there is something to find.
      var word = Self.text(&random, Int.random(in: 1...5, using: &random))
      if Bool.random(using: &random), let body = all.randomElement(using: &random)?.body {
        let scalars = Array(body.unicodeScalars)
        let start = Int.random(in: 0..<scalars.count, using: &random)
        word = String(String.UnicodeScalarView(scalars[start..<min(scalars.count, start + 4)]))
      }
      let query = SearchQuery([word])
      guard !query.isEmpty else { continue }
      let prepared = PreparedQuery(query)
      let plain = all.filter {
        prepared.matches(
          SearchSignature.texts(title: $0.title, tags: $0.tags, body: $0.body ?? ""),
          tags: $0.tags.map(SearchText.fold))
      }.map(\.id)
      let found = try vault.all(query: [word]).map(\.id)
      #expect(found == plain, "\(word.unicodeScalars.map(\.value))")
      hits += found.count
    }
    #expect(hits > 200)
  }
}
