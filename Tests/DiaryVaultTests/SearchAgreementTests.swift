import Foundation
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles
@testable import Text

/// Search by the index and search by opening everything must agree.
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
    _ = try taking.finish()
    // The texts as search sees them, until they change.
    func folded() throws -> [(entry: Entry, searched: SearchedEntry)] {
      try vault.all().map { entry in
        (
          entry,
          SearchedEntry(
            entry.content, text: entry.body ?? "", files: [], journal: nil, kind: nil)
        )
      }
    }
    var all = try folded()
    var hits = 0
    for round in 0..<300 {
      // Without an index, with one of everything, and with one that changes have left behind.
      if round == 60 { try vault.updateIndex() }
      if round == 120 {
        try Self.change(vault, &random)
        all = try folded()
      }
      if round == 180 { try vault.updateIndex() }
      // Half of the words are cut from a text, so that there is something to find.
      var word = Self.text(&random, Int.random(in: 1...5, using: &random))
      if Bool.random(using: &random), let body = all.randomElement(using: &random)?.entry.body {
        let scalars = Array(body.unicodeScalars)
        let start = Int.random(in: 0..<scalars.count, using: &random)
        let length = Int.random(in: 1...14, using: &random)
        word = String(
          String.UnicodeScalarView(scalars[start..<min(scalars.count, start + length)]))
        // A phrase, of terms that stand as far from one another as they do there.
        if Bool.random(using: &random) { word = "\"\(word)\"" }
      }
      let query = SearchQuery([word])
      guard !query.isEmpty else { continue }
      let prepared = PreparedQuery(query)
      let plain = all.filter { prepared.matches($0.searched) }.map(\.entry.id)
      let found = try vault.all(query: [word]).map(\.id)
      #expect(found == plain, "\(word.unicodeScalars.map(\.value))")
      hits += found.count
    }
    #expect(hits > 200)
  }

  /// What a person sees of an entry, looked at without the search.
  private static func isSeen(_ term: String, in entry: Entry) -> Bool {
    func holds(_ texts: [String?], _ word: Substring) -> Bool {
      let word = String(decoding: SearchText.fold(String(word)), as: UTF8.self)
      return texts.compactMap(\.self).contains {
        String(decoding: SearchText.fold($0), as: UTF8.self).contains(word)
      }
    }
    let kinds = Kind.builtIn.first { $0.name == entry.kind }.map { [$0.name] + $0.otherNames } ?? []
    let date = CivilDate(number: entry.date.day)
    if let colon = term.firstIndex(of: ":") {
      let word = term[term.index(after: colon)...]
      switch term[..<colon] {
      case "journal": return holds([entry.journal], word)
      case "place", "場所": return holds([entry.location], word)
      case "weather": return holds([entry.weather], word)
      case "kind": return holds(kinds, word)
      case "tag": return entry.tags.contains { SearchQuery.areEqual($0, String(word)) }
      default: return false
      }
    }
    if term == "2026-02", date.year == 2026, date.month == 2 { return true }
    if term == "三月", date.month == 3 { return true }
    return holds(
      [entry.title, entry.body, entry.location, entry.weather, entry.journal] + entry.tags + kinds,
      term[...])
  }

  @Test func `a word finds what one sees of an entry, and a field or a day limits it`() throws {
    var random = Seeded(state: 11)
    let bench = try Workbench()
    let vault = try bench.create()
    for name in ["Kyoto trip", "Work"] {
      _ = try vault.change(names: .addJournal(Journal(id: 0, name: name)))
    }
    let words = ["kyoto", "rain", "meal", "work", "三月", "2026-02", "tea", "plain"]
    func word() -> String { words.randomElement(using: &random)! }
    // From the middle of November 2025 on, a year and a half.
    for number in 0..<550 {
      var draft = try EntryDraft("x \(word()) y", day: 20_400 + number)
      if Bool.random(using: &random) { draft.location = word() + " street" }
      if Bool.random(using: &random) { draft.weather = word() }
      if Bool.random(using: &random) { draft.tags = [word()] }
      if Bool.random(using: &random) {
        draft.journal = Bool.random(using: &random) ? "Work" : "Kyoto trip"
      }
      if Bool.random(using: &random) {
        draft.kind = ["meal", "stay"].randomElement(using: &random)
      }
      _ = try vault.add(draft)
    }
    let terms =
      words + [
        "journal:kyoto", "place:rain", "場所:tea", "weather:tea", "kind:ごはん", "tag:work", "trip",
      ]
    for round in 0..<240 {
      if round == 60 { try vault.updateIndex() }
      if round == 120 { _ = try vault.change(names: .renameJournal("Work", to: "Rainwork")) }
      if round == 180 {
        for day in 0..<30 { _ = try vault.add(try EntryDraft("tea", day: 20_500 + day)) }
      }
      let chosen = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        terms.randomElement(using: &random)!
      }
      let excluded = Bool.random(using: &random) ? terms.randomElement(using: &random)! : nil
      let expected = try vault.all().filter { entry in
        chosen.allSatisfy { Self.isSeen($0, in: entry) }
          && !(excluded.map { Self.isSeen($0, in: entry) } ?? false)
      }
      let found = try vault.all(query: chosen + (excluded.map { ["-" + $0] } ?? []))
      let isEqual = found.map(\.id) == expected.map(\.id)
      #expect(isEqual, "round \(round): \(chosen) without \(excluded ?? "")")
    }
  }

  @Test func `words that mean days are those of the calendar`() throws {
    func days(_ words: String) -> SearchDates? { SearchDates(words: words) }
    let march = CivilDate(year: 2026, month: 3, day: 1)!.number
    for text in ["March 2026", "2026-03", "2026/3", "2026年3月", "２０２６年３月", "mar. 2026"] {
      #expect(days(text) == .days(march...(march + 30)), "\(text)")
    }
    for text in ["14 March 2026", "March 14, 2026", "2026-03-14", "2026年三月十四日", "2026 mar 14th"] {
      #expect(days(text) == .days((march + 13)...(march + 13)), "\(text)")
    }
    #expect(
      days("三月") == .yearly(month: 3, day: nil) && days("12月") == .yearly(month: 12, day: nil))
    #expect(days("November") == .yearly(month: 11, day: nil) && days("nov") == nil)
    #expect(days("29 february") == .yearly(month: 2, day: 29))
    #expect(days("2025年") == .days((march - 424)...(march - 60)))
    for text in [
      "march", "2026", "may", "14", "mar", "30 february", "13月", "2026-13", "月", "年", "3月x", "",
      "日", "十百月", "march march 2026", "99 march",
    ] {
      #expect(days(text) == nil, "\(text)")
    }
    // 2026-03-04 is a Wednesday.
    for (text, first, last) in [
      ("today", 3, 3), ("Yesterday", 2, 2), ("一昨日", 1, 1), ("this week", 1, 7), ("先週", -6, 0),
      ("last month", -28, -1), ("今年", -59, 305),
    ] {
      let found = SearchDates(words: text, today: march + 3)
      #expect(found == .days((march + first)...(march + last)), "\(text)")
      #expect(days(text) == nil)
    }
    // Of several words the longest date, and none of an OR or of a phrase.
    func terms(_ words: [String]) -> [[SearchQuery.Term]] { SearchQuery(words).groups }
    let dates = SearchQuery.Term.dates(.days(march...(march + 30)))
    #expect(
      terms(["kyoto", "march", "2026"])
        == [[.text("kyoto")], [.text("march"), dates], [.text("2026"), dates]])
    #expect(
      terms(["a", "OR", "march", "2026"]) == [[.text("a"), .text("march")], [.text("2026")]])
    #expect(terms(["\"march 2026\""]) == [[.text("march 2026")]])
    #expect(terms(["place:\"old town\" x"]) == [[.field(.place, "old town")], [.text("x")]])
    #expect(SearchQuery(["-place:\"old town\""]).excluded == [.field(.place, "old town")])
    #expect(
      terms(["場所：京都", "tag:a", "place:", "https://x"]) == [
        [.field(.place, "京都")], [.tag("a")], [.text("place:")], [.text("https://x")],
      ])
  }

  @Test
  func `counts of pages the index knows are those of the pages themselves`() throws {
    var random = Seeded(state: 5)
    let bench = try Workbench()
    let vault = try bench.create()
    let taking = try VaultImport(vault)
    for number in 0..<400 {
      var draft = try EntryDraft(Self.text(&random, 20) + "x", day: number * 37 - 5_000)
      draft.tags = (0..<Int.random(in: 0...3, using: &random)).map { "tag\(number % 11 + $0)" }
      if number % 5 == 0 { draft.tags += ["Café", "TEA"] }
      if number % 7 == 0 { draft.tags += ["tea"] }
      if number % 3 == 0 { draft.kind = "meal" }
      try taking.take(.entry(ImportedEntry(draft: draft)))
    }
    _ = try taking.finish()
    func counted() throws -> ([[TallyCount]], DiaryStatistics) {
      let snapshot = try Snapshot(vault)
      let tallies = try [TallySubject.tags, .kinds, .journals].map {
        try #require(try snapshot.tally($0, EntryFilter()).step(.unlimited))
      }
      return (tallies, try #require(try snapshot.statistics(EntryFilter()).step(.unlimited)))
    }
    func byPages() throws -> EntryTotals {
      let catalogue = try Snapshot(vault).catalogue
      var sum = EntryTotals()
      for page in try catalogue.pages() { sum.add(try EntryTotals(try catalogue.page(page))) }
      return sum
    }
    func byIndex() throws -> (known: Int, sum: EntryTotals, names: EntryTotals) {
      var result = (known: 0, sum: EntryTotals(), names: EntryTotals())
      vault.searchIndex.refresh()
      for page in try Snapshot(vault).catalogue.pages() {
        guard vault.searchIndex.add(page, .days, to: &result.sum) else { continue }
        #expect(vault.searchIndex.add(page, .names, to: &result.names))
        result.known += 1
      }
      return result
    }
    let before = try counted()
    #expect(try byIndex().known == 0)
    try vault.updateIndex()
    let indexed = try byIndex()
    let all = try Snapshot(vault).catalogue.pages().count
    #expect(indexed.known == all && all > 3)
    let pages = try byPages()
    #expect(indexed.sum == pages)
    #expect(indexed.names.days.isEmpty && indexed.names.tags == indexed.sum.tags)
    #expect(indexed.sum.days.keys.contains { $0 < 0 })
    #expect(try counted() == before)
    #expect(before.0[0].contains { $0.name == "TEA" && $0.count == 80 + 58 - 12 })
    let some = try vault.all().map(\.id)
    var change = EntryChange()
    change.addTags = ["京都"]
    _ = try vault.edit(.id(some[0]), change)
    _ = try vault.delete([.id(some[1])])
    let stale = try byIndex()
    #expect(stale.known > 0)
    let after = try counted()
    let now = try byPages()
    #expect(after.1.entries == now.entries && after.1.words == now.words)
    #expect(after.1.days == now.days)
    let tags = Dictionary(grouping: now.tags) { SearchText.fold($0.key) }
    #expect(after.0[0].map(\.count).reduce(0, +) == tags.values.joined().map(\.value).reduce(0, +))
  }

  /// Changes texts, dates and tags here and there, removes some and adds some.
  private static func change(_ vault: Vault, _ random: inout Seeded) throws {
    for entry in try vault.all() where Int.random(in: 0..<9, using: &random) == 0 {
      var change = EntryChange()
      switch Int.random(in: 0..<3, using: &random) {
      case 0: change.body = text(&random, 20) + "y"
      case 1: change.addTags = ["京都"]
      default:
        _ = try vault.delete([.id(entry.id)])
        continue
      }
      _ = try vault.edit(.id(entry.id), change)
    }
    for day in 0..<3 {
      _ = try vault.add(try EntryDraft(text(&random, 30) + "z", day: 18_100 + day))
    }
  }

  @Test
  func `an index of another vault, cut, flipped, renamed, or no file at all changes no answer`()
    throws
  {
    var random = Seeded(state: 9)
    let other = try Workbench()
    let stranger = try other.create()
    for day in 0..<150 { _ = try stranger.add(try EntryDraft("tea \(day)", day: 18_000 + day)) }
    try stranger.updateIndex()
    let bench = try Workbench()
    let vault = try bench.create()
    for day in 0..<150 {
      _ = try vault.add(
        try EntryDraft(
          (day % 7 == 0 ? "tea " : "") + Self.text(&random, 12) + "x", day: 18_000 + day))
    }
    try vault.updateIndex()
    let expected = try vault.all(query: ["tea"]).map(\.id)
    #expect(expected.count == 22)
    let folder = VaultFolder(bench.path).index
    let files = FileManager.default
    let own = try #require(try files.contentsOfDirectory(atPath: folder).first)
    let good = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + own))
    func put(_ name: String, _ bytes: Data) throws {
      try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    let theirs = VaultFolder(other.path).index
    for name in try files.contentsOfDirectory(atPath: theirs) {
      try files.copyItem(atPath: theirs + "/" + name, toPath: folder + "/" + name)
    }
    for at in stride(from: 0, to: good.count, by: max(1, good.count / 40)) {
      var bytes = good
      bytes[at] ^= 1
      try put(own, bytes)
      #expect(try bench.open().all(query: ["tea"]).map(\.id) == expected)
      try put(own, good.prefix(at))
      #expect(try bench.open().all(query: ["tea"]).map(\.id) == expected)
    }
    try put(own, good)
    try put("0123456789abcdef", good)
    mkfifo(folder + "/fedcba9876543210", 0o600)
    symlink("/etc/passwd", folder + "/aaaaaaaaaaaaaaaa")
    let again = try bench.open()
    #expect(try again.all(query: ["tea"]).map(\.id) == expected)
    // What is no part of it goes with the next change.
    for day in 0..<150 { _ = try again.add(try EntryDraft("coffee", day: 18_000 + day)) }
    try again.updateIndex()
    again.searchIndex.refresh()
    #expect(again.searchIndex.foreign.isEmpty && !again.searchIndex.shards.isEmpty)
    #expect(try again.all(query: ["tea"]).map(\.id) == expected)
    #expect(try again.all(query: ["coffee"]).count == 150)
    // The folder a link to somewhere else: nothing there is touched.
    let aside = bench.directory + "/aside"
    try files.moveItem(atPath: folder, toPath: aside)
    symlink(aside, folder)
    let before = try files.contentsOfDirectory(atPath: aside).sorted()
    for _ in 0..<300 { _ = try again.add(try EntryDraft("tea again", day: 18_000)) }
    #expect(throws: VaultError.self) { try again.updateIndex() }
    #expect(try files.contentsOfDirectory(atPath: aside).sorted() == before)
    #expect(try bench.open().all(query: ["again"]).count == 300)
  }

  @Test func `segments stay few, and a new key leaves none of the old`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var most = 0
    for round in 0..<60 {
      for day in 0..<80 {
        _ = try vault.add(try EntryDraft("round \(round) \(day)", day: 18_000 + round))
      }
      try vault.updateIndex()
      vault.searchIndex.refresh()
      most = max(most, vault.searchIndex.shards.count)
    }
    #expect(most > 0 && most < 9, "\(most)")
    #expect(try vault.all(query: ["round 7 79"]).count == 1)
    try vault.rotate(
      recovery: try Workbench.secret("fedcba9876543210"), passphrase: nil, limits: Workbench.limits,
      deviceKey: try Workbench.secret("0123456789abcdef0123456789abcdef"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: VaultFolder(bench.path).index).isEmpty)
    #expect(try vault.all(query: ["round 7 79"]).count == 1)
  }
}
