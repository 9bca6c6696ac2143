import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// What a review found, kept found.
@Suite struct RegressionTests {
  @Test func `headers that grow by edits split their page`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var ids: [EntryID] = []
    for number in 0..<30 { ids.append(try vault.add(try EntryDraft("e\(number)")).id) }
    var change = EntryChange()
    change.addTags = (0..<48).map { String(repeating: "tag\($0)", count: 40) }
    for id in ids { _ = try vault.edit(.id(id), change) }
    #expect(try bench.open().all().count == 30)
    #expect(try vault.verify().isWhole)
  }

  /// An export with the newest entry first puts each before all others, always into the first page.
  @Test func `a page that gives away its end again and again does not grow in memory`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = try vault.add(try EntryDraft("text", title: String(repeating: "t", count: 200))).id
    var header = try #require(try Snapshot(vault).catalogue.entry(id))
    var page = HeaderPage()
    var pages = 1
    for number in 0..<3000 {
      header.written.date = try ZonedTime(seconds: Int64(1_000_000_000 - number * 60), offset: 0)
      _ = page.insert(header.encoded(), key: header.key)
      if page.size > HeaderPage.capacity {
        _ = page.split(at: page.middle)
        pages += 1
      }
      #expect(page.storage <= HeaderPage.capacity + 4096)
    }
    #expect(pages > 20)
    // Nor one whose records are replaced again and again.
    for _ in 0..<3000 {
      page.remove(0)
      _ = page.insert(header.encoded(), key: header.key)
      #expect(page.storage <= 3 * HeaderPage.capacity)
    }
  }

  @Test func `one character of a hundred thousand marks makes no oversized header`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("a" + String(repeating: "\u{301}", count: 100_000)))
    #expect(try vault.all()[0].preview!.utf8.count <= 240)
    #expect(try vault.verify().isWhole)
  }

  @Test func `names too large for the register are refused before they are in it`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for item in [
      ImportItem.kind(Kind(id: 0, name: "k", emoji: String(repeating: "x", count: 2 << 20))),
      .journal(Journal(id: 0, name: "j", from: .max)),
      .journal(Journal(id: 0, name: "j", to: -800_000)),
      .journal(Journal(id: 0, name: " ")), .journal(Journal(id: 0, name: "j", from: 5, to: 4)),
    ] {
      #expect(throws: VaultError(.invalid, "")) { try vault.take([item]) }
    }
    #expect(try vault.verify().isWhole)
  }

  @Test func `numbers at the limits of their type do not trap`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("x"))
    for number in [Int.min, -1, 0, 1, Int.max] {
      var filter = EntryFilter()
      filter.fromDay = number
      filter.toDay = number
      _ = try vault.all(filter)
    }
    for text in [
      "{\"seconds\":1000000000000000000,\"offset\":0}", "{\"seconds\":0,\"offset\":2147483647}",
    ] {
      #expect(throws: VaultError(.invalid, "")) {
        try JSONDecoder().decode(ZonedTime.self, from: Data(text.utf8))
      }
    }
  }

  @Test func `an excerpt is short, and holds the hit`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(
      try EntryDraft(
        String(repeating: "long line ", count: 2000) + "needle "
          + String(repeating: "more ", count: 2000)))
    let excerpt = try #require(try vault.all(query: ["needle"]).first?.excerpt)
    #expect(excerpt.count < 300 && excerpt.contains("needle"))
  }

  /// Most lines are ASCII, and are read byte by byte.
  @Test func `the first line is the same character by character and byte by byte`() {
    let parts = [
      "a", "b c", " ", "\t", "\r\n", "\n", "\r", "\u{0b}", "\u{0}", "\u{301}", "日", "é", "\u{85}",
      "👩‍👩‍👧",
      String(repeating: "x", count: 100), String(repeating: "y", count: 10),
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let body = (0..<Int.random(in: 0..<14, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let line = body.drop { $0.isWhitespace }.prefix(110).prefix { !$0.isNewline }
      var (expected, bytes) = (String.UnicodeScalarView(), 0)
      for scalar in line.unicodeScalars {
        bytes += UTF8.width(scalar)
        if bytes > 240 { break }
        expected.append(scalar)
      }
      #expect(FirstLine.of(body) == (expected.isEmpty ? nil : String(expected)), "\(body)")
    }
  }
}
