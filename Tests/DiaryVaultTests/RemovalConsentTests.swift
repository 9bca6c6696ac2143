import Bytes
import Entries
import Testing

@testable import DiaryVault
@testable import Replication

/// What other devices remove waits for a yes where it is much, and was here.
@Suite struct RemovalConsentTests {
  private func write(_ count: Int, _ device: SharingDevice) throws -> [EntryReference] {
    try (0..<count).map { .id(try device.write("entry \($0) of \(count)")) }
  }

  @Test func `nobody is asked of entries that came and went while this device was away`() throws {
    let (one, other, _) = try pair()
    _ = try write(5, one)
    for device in [one, other] { try device.sync() }
    let gone = try write(30, one)
    try one.sync()
    _ = try one.vault.delete(gone)
    try one.sync()
    let report = try other.sync()
    #expect(report.removals == 0 && report.troubles.isEmpty)
    #expect(try other.texts == one.texts)
    #expect(try other.texts.count == 5)
  }

  @Test func `nor does a device that comes in, of all that ever was there`() throws {
    let (one, _, shared) = try pair()
    _ = try one.vault.delete(try write(30, one))
    try one.sync()
    _ = try one.vault.purge(nil)
    _ = try write(3, one)
    try one.sync()
    let third = try SharingDevice(shared)
    #expect(try join(third, by: one, name: "third").removals == 0)
    #expect(try third.texts == one.texts)
  }

  @Test(arguments: [false, true])
  func `a device that joins again is asked of what it still has`(isPurged: Bool) throws {
    let (one, other, _) = try pair()
    let gone = try write(30, one)
    _ = try write(4, one)
    for device in [one, other] { try device.sync() }
    try other.vault.leaveSpace()
    _ = try one.vault.delete(gone)
    if isPurged { _ = try one.vault.purge(nil) }
    try one.sync()
    let report = try join(other, by: one, name: "again")
    #expect(report.removals == 30)
    #expect(try other.vault.all().count == 34)
    #expect(try other.vault.syncStatus()?.removals == report.removals)
    for device in [other, one, other] { try device.sync(allowing: .max) }
    for device in [one, other] { #expect(try device.vault.all().count == 4) }
  }

  private func writeAtNoon(_ count: Int, _ device: SharingDevice) throws -> [EntryReference] {
    try (0..<count).map {
      var draft = try EntryDraft("entry \($0) of \(count)")
      draft.content.date = try ZonedTime(seconds: 1_700_000_000, offset: 0)
      return .id(try device.vault.add(draft).id)
    }
  }

  /// Where several come to stand in one second, they change places in the order of those that were added.
  @Test(arguments: [0, 200])
  func `entries of one second are asked of like others`(edits: Int) throws {
    let (one, other, _) = try pair()
    _ = try writeAtNoon(100, other)
    try Reconciliation(other.vault).tell(within: .unlimited)
    let busy = try one.write("busy")
    for number in 0..<edits { try one.edit(busy, "busy \(number)") }
    try one.sync()
    let old = try writeAtNoon(30, one)
    for device in [one, other] { try device.sync() }
    _ = try other.vault.delete(old)
    try other.sync()
    #expect(try one.sync().removals == 30)
    #expect(try one.sync(allowing: 29).removals == 30)
    let agreed = try one.sync(allowing: 30)
    #expect(agreed.removals == 0 && agreed.agreed == 30)
    #expect(try one.texts == other.texts)
    #expect(try one.texts.count == 101)
  }

  /// Its history is written anew, which makes it no other entry.
  @Test func `an entry that a purge left standing is asked of like others`() throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let old = try write(30, one)
    _ = try write(40, one)
    for device in [one, other, third] { try device.sync() }
    for case .id(let id) in old { try third.edit(id, "edited by the third") }
    try third.sync()
    for _ in 0..<5 {
      _ = try other.write("goes before")
      try Reconciliation(other.vault).tell(within: .unlimited)
    }
    _ = try other.vault.delete(old)
    _ = try other.vault.purge(old)
    try other.sync()
    try third.sync(allowing: .max)
    _ = try third.vault.delete(old)
    try third.sync()
    #expect(try one.sync().removals == 30)
    // Those of the segments that were merged stand beside it.
    #expect(try one.vault.all().count == 75)
  }

  /// By a device that gives the same texts again, so that the list stays as it was: the files and the history would be gone.
  @Test(arguments: [false, true])
  func `a purge is asked of for what it takes, whatever is listed afterwards`(
    inTrash: Bool
  ) throws {
    let (one, other, liar) = try Liar.beside()
    var filter = EntryFilter()
    filter.trash = inTrash
    let written = try (0..<30).map { try one.write("entry \($0)") }
    for entry in written { try one.edit(entry, "later") }
    let entries = written.map(EntryReference.id)
    if inTrash { _ = try one.vault.delete(entries) }
    for device in [one, other] { try device.sync() }
    let ids = try written.map { id in
      var reader = ByteReader(id.bytes)
      return try Identity(&reader)
    }
    let store = try #require(try ReplicaStore(try Snapshot(one.vault).catalogue))
    let purges: [Replication.Operation<OperationPlace>] = ids.map { .purge($0, unseen: []) }
    let again = inTrash ? [] : try ids.map { try liar.entry("later", id: $0) }
    try liar.put(try liar.segment(purges + again, seen: store.replica.ends))
    for device in [one, other] {
      for _ in 0..<2 { #expect(try device.sync().removals == 30) }
      #expect(try device.vault.all(filter).count == 30)
    }
    // Taking the device out loses none of it.
    _ = try one.vault.revoke("liar", recovery: try spaceCode())
    for device in [one, other] {
      #expect(try device.sync().removals == 0)
      #expect(try device.vault.all(filter).count == 30)
      for entry in entries where !inTrash {
        #expect(try Snapshot(device.vault).history(entry).count == 2)
      }
    }
  }
}
