import Testing

@testable import DiaryVault
@testable import Entries

/// Many entries changed as one.
@Suite struct BulkChangeTests {
  /// Over before it begins: each step does one thing.
  private let noTime = Slice(milliseconds: 0)

  private func filled(_ bench: Workbench, _ count: Int) throws -> (Vault, [EntryID]) {
    let vault = try bench.create()
    let ids = try (0..<count).map {
      try vault.add(try EntryDraft("text \($0)", day: 19_000 + $0)).id
    }
    return (vault, ids)
  }

  @Test func `a change to many pauses after every entry and ends with all of them`() throws {
    let bench = try Workbench()
    let (vault, ids) = try filled(bench, 40)
    let change = try vault.deleting(ids.map { .id($0) } + [.last, .position(1)])
    var pauses = 0
    var count: Int?
    while count == nil {
      count = try change.step(noTime)
      pauses += 1
    }
    #expect(count == 40)
    #expect(pauses > 80)
    #expect(try vault.all().isEmpty)
    #expect(try vault.verify().isWhole)
  }

  @Test func `a change let go before its end leaves everything as it was`() throws {
    let bench = try Workbench()
    let (vault, ids) = try filled(bench, 20)
    var change: BulkChange? = try vault.deleting(ids.map { .id($0) })
    for _ in 0..<30 { #expect(try change?.step(noTime) == nil) }
    change = nil
    #expect(try vault.all().count == 20)
    // The lock is free again.
    #expect(try vault.delete([.id(ids[0])]) == 1)
    #expect(try vault.verify().isWhole)
  }

  @Test func `an unknown entry among many changes none`() throws {
    let bench = try Workbench()
    let (vault, ids) = try filled(bench, 5)
    #expect(throws: VaultError(.notFound, "")) {
      try vault.delete(ids.map { .id($0) } + [.position(6)])
    }
    #expect(try vault.all().count == 5)
    // Asking again does not do the rest.
    let change = try vault.deleting([.position(6), .id(ids[0])])
    #expect(throws: VaultError(.notFound, "")) { try change.step(.unlimited) }
    #expect(throws: VaultError(.conflict, "")) { try change.step(.unlimited) }
    #expect(try vault.all().count == 5)
  }

  @Test func `an import pauses while its pages are sealed`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let taking = try VaultImport(vault)
    for number in 0..<1000 {
      try taking.take(
        .entry(ImportedEntry(draft: try EntryDraft("text \(number)", day: 19_000 + number))))
    }
    var pauses = 0
    var counts: ImportCounts?
    while counts == nil {
      counts = try taking.finish(within: noTime)
      pauses += 1
    }
    #expect(counts == ImportCounts(imported: 1000))
    #expect(pauses > 3)
    #expect(try vault.verify().isWhole)
  }

  @Test func `a place is the same by counting as by walking, in the diary and in the trash`() throws
  {
    let bench = try Workbench()
    let (vault, ids) = try filled(bench, 120)
    _ = try vault.delete(ids.enumerated().filter { $0.offset % 3 == 0 }.map { .id($0.element) })
    for trash in [false, true] {
      var filter = EntryFilter()
      filter.trash = trash
      let walked = try vault.all(filter).map(\.id)
      let snapshot = try Snapshot(vault)
      for (index, id) in walked.enumerated() {
        #expect(try snapshot.entry(.position(index + 1), trash: trash).id == id)
      }
      #expect(throws: VaultError(.notFound, "")) {
        try snapshot.entry(.position(walked.count + 1), trash: trash)
      }
      #expect(throws: VaultError(.notFound, "")) { try snapshot.entry(.position(0), trash: trash) }
    }
    // The newest one was not trashed; the last one added to the trash is.
    #expect(try Snapshot(vault).entry(.last).id == ids[119])
    #expect(try Snapshot(vault).entry(.last, trash: true).id == ids[117])
  }
}
