import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

@Suite struct VaultTests {
  @Test func `what is written is read back by another opening`() throws {
    let bench = try Workbench()
    var draft = try EntryDraft("今日は京都でお茶。", title: "京都")
    draft.tags = ["travel", "Tea"]
    draft.starred = true
    draft.zone = "Asia/Tokyo"
    let written = try { try bench.create().add(draft) }()
    let entry = try Snapshot(try bench.open()).entry(
      .prefix(String(written.id.description.prefix(4))))
    #expect(entry.body == "今日は京都でお茶。")
    #expect(entry.title == "京都")
    #expect(entry.tags == ["travel", "Tea"])
    #expect(entry.starred)
    #expect(entry.zone == "Asia/Tokyo")
    #expect(entry.date == draft.date)
    #expect(entry.revision == 1)
  }

  @Test func `a wrong passphrase is wrong, a damaged slot is damaged`() throws {
    let bench = try Workbench()
    _ = try bench.create()
    #expect(throws: VaultError(.wrongSecret, "")) { try bench.open("open sesam") }
    #expect(throws: VaultError(.noSuchSlot, "")) {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .face,
        secret: try .random(), device: bench.device, anchors: bench.anchors,
        settings: bench.settings)
    }
  }

  @Test func `entries come newest first, across pages and sections`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var random = Seeded(state: 1)
    var items: [ImportItem] = []
    for number in 0..<3000 {
      items.append(
        .entry(
          ImportedEntry(
            draft: try EntryDraft(
              "entry \(number)", day: Int.random(in: 18_000..<19_000, using: &random)))))
    }
    let counts = try vault.take(items)
    #expect(counts == ImportCounts(imported: 3000))
    let all = try vault.all()
    #expect(all.count == 3000)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.date.seconds >= $1.date.seconds })
    #expect(Set(all.map(\.body)).count == 3000)
    #expect(try vault.all(newestFirst: false).map(\.id) == all.map(\.id).reversed())
    #expect(try vault.verify().isWhole)
    var filter = EntryFilter()
    filter.fromDay = 18_100
    filter.toDay = 18_110
    #expect(
      try vault.all(filter).map(\.id)
        == all.filter { (18_100...18_110).contains($0.date.day) }.map(\.id))
    #expect(try Snapshot(vault).header(.position(17)).id == all[16].id)
    #expect(try Snapshot(vault).header(.last).added == 3000)
  }

  @Test func `an edit keeps the old revision, and a stale one is refused`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let (id, _) = try vault.add(try EntryDraft("one"))
    let reference = EntryReference.id(id)
    var change = EntryChange()
    change.body = "two"
    #expect(try vault.edit(reference, change, expected: 1).revision == 2)
    change = EntryChange()
    change.title = .set("named")
    #expect(try vault.edit(reference, change).revision == 3)
    change = EntryChange()
    change.body = "four"
    change.date = try ZonedTime(seconds: 0, offset: 0)
    #expect(try vault.edit(reference, change).revision == 4)
    #expect(throws: VaultError(.conflict, "")) { try vault.edit(reference, change, expected: 2) }
    let snapshot = try Snapshot(vault)
    #expect(try snapshot.history(reference).map(\.revision) == [4, 3, 2, 1])
    #expect(
      try (1...4).map { try snapshot.entry(reference, revision: $0).body } == [
        "one", "two", "two", "four",
      ])
    #expect(try snapshot.entry(reference, revision: 2).title == nil)
    #expect(try vault.verify().isWhole)
    #expect(try vault.verify().revisions == 4)
  }

  @Test func `the trash hides, restore brings back, purge leaves nothing`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let (id, _) = try vault.add(try EntryDraft("secret"))
    _ = try vault.add(try EntryDraft("other"))
    let reference = EntryReference.id(id)
    #expect(try vault.delete([reference]) == 1)
    #expect(throws: VaultError(.notFound, "")) { try Snapshot(vault).entry(reference) }
    #expect(try vault.all().count == 1)
    #expect(try Snapshot(vault).trashed == 1)
    #expect(try vault.restore([reference]) == 1)
    #expect(try vault.all().count == 2)
    #expect(try vault.delete([reference]) == 1)
    #expect(try vault.purge(nil) == 1)
    #expect(try vault.all().count == 1)
    #expect(
      try vault.verify()
        == {
          var r = VerifyReport()
          r.entries = 1
          r.revisions = 1
          return r
        }())
  }

  @Test func `an older copy put back is named, and can be accepted`() throws {
    let bench = try Workbench()
    do {
      let vault = try bench.create()
      _ = try vault.add(try EntryDraft("one"))
    }
    let old = try bench.copy(to: "old")
    do { _ = try bench.open().add(try EntryDraft("two")) }
    try bench.putBack(old)
    #expect(throws: VaultError(.rolledBack, "")) { try bench.open() }
    do {
      let vault = try bench.open(accepting: true)
      #expect(try vault.all().map(\.body) == ["one"])
      _ = try vault.add(try EntryDraft("three"))
    }
    #expect(try bench.open().all().count == 2)
  }

  @Test func `a copy changed on another device is reported as a fork`() throws {
    let bench = try Workbench()
    do { _ = try bench.create().add(try EntryDraft("one")) }
    let old = try bench.copy(to: "old")
    do { _ = try bench.open().add(try EntryDraft("two")) }
    let anchor = bench.anchors.anchor
    try bench.putBack(old)
    bench.anchors.anchor = nil
    do { _ = try bench.open().add(try EntryDraft("elsewhere")) }
    bench.anchors.anchor = anchor
    #expect(throws: VaultError(.forked, "")) { try bench.open() }
  }

  @Test func `a commit whose anchor was lost is no rollback`() throws {
    let bench = try Workbench()
    do { _ = try bench.create().add(try EntryDraft("one")) }
    let behind = bench.anchors.anchor
    do { _ = try bench.open().add(try EntryDraft("two")) }
    bench.anchors.anchor = behind
    #expect(try bench.open().all().count == 2)
    #expect(bench.anchors.anchor != behind)
  }

  @Test func `import is all or nothing and passes duplicates over`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let good = ImportedEntry(id: EntryID.random(), draft: try EntryDraft("good"))
    var bad = good
    bad.draft.body = "other content"
    func run(_ items: [ImportItem], dry: Bool = false) throws -> ImportCounts {
      try vault.take(items, dryRun: dry)
    }
    #expect(throws: VaultError(.conflict, "")) { try run([.entry(good), .entry(bad)]) }
    #expect(try vault.all().isEmpty)
    #expect(
      try run([.entry(good), .entry(good)], dry: true) == ImportCounts(imported: 1, duplicates: 1))
    #expect(try vault.all().isEmpty)
    #expect(try run([.entry(good)]) == ImportCounts(imported: 1))
    #expect(
      try run([.entry(good), .entry(ImportedEntry(draft: good.draft))])
        == ImportCounts(duplicates: 2))
  }

  @Test func `import makes the journals and kinds entries name`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var draft = try EntryDraft("x")
    draft.journal = "Kyoto"
    draft.kind = "🍽\u{fe0f}"
    #expect(throws: VaultError(.notFound, "")) { try vault.add(draft) }
    _ = try vault.take([.entry(ImportedEntry(draft: draft))])
    let entry = try #require(try vault.all().first)
    #expect(entry.journal == "Kyoto")
    #expect(entry.kind == "meal")
  }

  @Test(arguments: ["", " \n", "a\u{0}b"])
  func `a sealed body that does not decode as an entry is refused`(body: String)
    throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    #expect(throws: VaultError(.invalid, "")) { try vault.add(try EntryDraft(body)) }
  }

  /// Nobody holds the snapshot itself any more, and another process goes on writing.
  @Test func `what is read of a snapshot stays as it was, also of its catalogue alone`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for day in 0..<300 { _ = try vault.add(EntryDraft("day \(day)", day: 20_000 + day)) }
    let elsewhere = try bench.open()
    let catalogue = try Snapshot(vault).catalogue
    for day in 0..<300 { _ = try elsewhere.add(EntryDraft("another \(day)", day: 20_000 + day)) }
    var count = 0
    try catalogue.walkHeaders { _ in
      count += 1
      return true
    }
    #expect(count == 300)
    #expect(try catalogue.missingFiles() == 0)
  }
}
