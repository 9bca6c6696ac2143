import Bytes
import Foundation
import Testing

@testable import DiaryVault
@testable import Entries
@testable import RowStore

/// Somebody without a key takes rows of entries away, or puts others in their place.
@Suite struct HiddenRowTests {
  private func change(_ bench: Workbench, _ statements: [String]) throws {
    let store = try RowStore(bench.file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in for sql in statements { try store.run(sql) } }
  }

  private func isTampered(_ body: () throws -> Void) {
    #expect(throws: VaultError(.tampered, "")) { try body() }
  }

  @Test func `a purge stays the purge of its own entry, on every device`() throws {
    let (one, other, _) = try pair()
    let kept = try one.write("kept")
    let purged = try one.write("purged")
    try one.sync()
    try other.sync()
    _ = try one.vault.delete([.id(purged)])
    _ = try one.vault.purge([.id(purged)])
    try change(
      one.bench,
      [
        "DELETE FROM body WHERE entry=\(kept.key)",
        "INSERT INTO body VALUES(\(purged.key), 1, x'00')",
      ])
    for device in [one, other] { try device.sync() }
    #expect(try other.texts == ["kept"])
    #expect(try !one.vault.verify().isWhole)
  }

  @Test func `an entry whose row is gone is not added a second time`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = try vault.add(try EntryDraft("as it was")).id
    try change(bench, ["DELETE FROM body"])
    let draft = try EntryDraft("another")
    isTampered { _ = try vault.take([.entry(ImportedEntry(id: id, draft: draft))]) }
    #expect(try Snapshot(vault).count == 1)
  }

  @Test func `a merge does not double an entry whose row is gone`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try one.sync()
    try other.sync()
    try other.edit(id, "second")
    try other.sync()
    try change(one.bench, ["DELETE FROM body WHERE entry=\(id.key)"])
    isTampered { try one.sync() }
    #expect(try Snapshot(one.vault).count == 1)
  }

  @Test(arguments: ["delete", "edit"])
  func `the beginning of an id changes no other entry when a row is gone`(
    _ what: String
  ) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let ids = ["abcd1", "abcd2"].map { begin in
      EntryID(begin + String(repeating: "0", count: 26 - begin.count))!
    }
    for id in ids {
      let draft = try EntryDraft("text of \(id)")
      _ = try vault.take([.entry(ImportedEntry(id: id, draft: draft))])
    }
    try change(bench, ["DELETE FROM body WHERE entry=\(ids[1].key)"])
    isTampered {
      if what == "delete" {
        _ = try vault.delete([.prefix("abcd")])
      } else {
        var change = EntryChange()
        change.body = "changed"
        _ = try vault.edit(.prefix("abcd"), change)
      }
    }
    // So does what is shown first, to be changed then.
    isTampered { _ = try Snapshot(vault).find(.prefix("abcd"), trash: false, isForChange: true) }
    #expect(try Snapshot(vault).entry(.id(ids[0])).body == "text of \(ids[0])")
  }
}
