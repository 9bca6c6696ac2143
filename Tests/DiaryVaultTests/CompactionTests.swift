import Bytes
import Foundation
import Replication
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// What was purged leaves the place, and nothing else does.
@Suite struct CompactionTests {
  /// Two devices with a photo and texts, some of which were purged everywhere.
  private func written() throws -> (one: SharingDevice, other: SharingDevice, shared: Shared) {
    let (one, other, shared) = try pair()
    var draft = try EntryDraft("with a photo, to be purged")
    draft.attachments = [
      try one.vault.stage([UInt8](repeating: 5, count: 50_000), name: "a.jpg", type: "image/jpeg")
    ]
    let gone = try one.vault.add(draft).id
    let kept = try one.write("kept", title: "A title", tags: ["a"])
    for device in [one, other, one] { try device.sync() }
    try other.edit(kept, "kept and edited")
    for device in [other, one] { try device.sync() }
    _ = try one.vault.delete([.id(gone)])
    _ = try one.vault.purge(nil)
    for device in [one, other, one] { try device.sync() }
    return (one, other, shared)
  }

  /// Until everybody says that he holds what was written.
  private func compact(_ first: SharingDevice, _ others: SharingDevice...) throws {
    #expect(try first.sync(compacting: true).packed > 0)
    for _ in 0..<2 { for device in others + [first] { try device.sync() } }
    for device in others { try device.sync() }
  }

  @Test func `what was purged leaves the place`() throws {
    let (one, other, shared) = try written()
    let before = Set(shared.logs)
    #expect(shared.files == 1)
    // While one device has not said that it holds the packs, nothing goes.
    #expect(try one.sync(compacting: true).packed == 1)
    #expect(try one.sync().lacking == ["phone"])
    #expect(before.isSubset(of: shared.logs) && shared.files == 1)
    #expect(try other.sync().held == 1)
    try one.sync()
    #expect(shared.packs.count == 1 && before.isDisjoint(with: shared.logs) && shared.files == 0)
    // Nobody misses what is gone, and nobody brings it back.
    for device in [other, one, other] {
      let report = try device.sync()
      #expect(report.troubles == [])
      #expect(report.lacking == [] && report.pushed == 0)
    }
    #expect(before.isDisjoint(with: shared.logs))
    #expect(try one.texts == ["kept and edited"] && other.texts == one.texts)
    // Who comes in now has all of it, and its history.
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let report = try third.sync()
    #expect(report.troubles.isEmpty && report.waiting == 0)
    #expect(try third.texts == one.texts)
    let entry = try #require(try third.vault.all().first)
    #expect(try Snapshot(third.vault).history(.id(entry.id)).count == 2)
    #expect(entry.title == "A title" && entry.tags == ["a"])
    for device in [one, other, third, one] { try device.sync() }
    #expect(try one.vault.syncStatus()?.digest == third.vault.syncStatus()?.digest)
    // And writes on with the others.
    try third.edit(entry.id, "by the third")
    for device in [third, one, other] { try device.sync() }
    #expect(try other.texts == ["by the third"])
    for device in [one, other, third] { #expect(try device.vault.verify().problems.isEmpty) }
  }

  @Test func `later packs replace earlier ones`() throws {
    let (one, other, shared) = try written()
    try compact(one, other)
    let first = Set(shared.packs)
    let id = try other.write("in the place for a while")
    for device in [other, one] { try device.sync() }
    _ = try other.vault.delete([.id(id)])
    _ = try other.vault.purge(nil)
    for device in [other, one, other] { try device.sync() }
    try compact(other, one)
    #expect(first.isDisjoint(with: shared.packs) && shared.packs.count == 1)
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "third")
    #expect(try third.texts == ["kept and edited"])
    // Two at once: one of each pair answers.
    _ = try one.write("new")
    for device in [one, other, one, other] { try device.sync() }
    for device in [one, other] {
      _ = try Reconciliation(device.vault, compacts: true).finish()
    }
    for device in [one, other, third, one, other, third, one, other, third] { try device.sync() }
    let fourth = try SharingDevice(shared)
    try join(fourth, by: third, name: "fourth")
    #expect(try fourth.texts == ["kept and edited", "new"])
    #expect(try fourth.sync().troubles.isEmpty)
  }

  @Test func `one that went back in time comes back by packs`() throws {
    let (one, other, _) = try written()
    let (copy, anchor) = (try one.bench.copy(to: "copy"), one.bench.anchors.anchor)
    let id = try other.write("since then")
    for device in [other, one] { try device.sync() }
    try other.edit(id, "since then, edited")
    for device in [other, one] { try device.sync() }
    try compact(one, other)
    try one.bench.putBack(copy)
    one.bench.anchors.anchor = anchor
    try FileManager.default.removeItem(atPath: one.bench.path + "/sync")
    let again = try one.bench.open()
    for _ in 0..<3 {
      try one.shared.exchange(again)
      _ = try Reconciliation(again).finish()
      try one.shared.exchange(again)
    }
    #expect(
      try again.all().compactMap(\.body).sorted() == ["kept and edited", "since then, edited"])
    #expect(try again.verify().problems.isEmpty)
    // Unsent work of that time is not lost either.
    _ = try again.add(try EntryDraft("on an old disk"))
    _ = try Reconciliation(again).finish()
    try one.shared.exchange(again)
    try other.sync()
    #expect(try other.texts.contains("on an old disk"))
  }

  @Test func `a lost pack is named and put back`() throws {
    let (one, other, shared) = try written()
    try compact(one, other)
    shared.lose { if case .pack = $0 { true } else { false } }
    let report = try other.sync()
    #expect(report.troubles.contains { if case .lost = $0 { true } else { false } })
    #expect(try other.texts == ["kept and edited"])
    try shared.exchange(other.vault, repairing: true)
    #expect(try other.sync().troubles.isEmpty && shared.packs.count == 1)
  }

  /// A device of the space that writes what it likes into a pack.
  @Test func `a pack that says something else replaces nothing`() throws {
    let (one, other, shared) = try written()
    let before = Set(shared.logs)
    let record = try #require(try other.vault.spaceRecord())
    let (space, roster) = (try #require(record.space), try #require(record.roster))
    let key = try #require(record.keys[roster.epoch])
    var items: [Pack.Item] = []
    for end in shared.logs.sorted() {
      let segment = try Segment(
        object: try #require(shared.store[.log(end)]), in: space, key: key,
        signer: { roster.members[$0]?.member.signingKey })
      items.append(
        Pack.Item(
          end.hash,
          segment.replacing(ReplicatedEntry.body) { Array("not what was written".utf8) + $0 }))
    }
    func put(_ items: [Pack.Item]) throws -> Hash {
      let object = try Pack(by: record.member.id, generation: 1, items).sealed(
        in: space, key: key, by: try record.identity().signing)
      shared.put(.pack(SpaceObject.hash(object)), object)
      return SpaceObject.hash(object)
    }
    let forged = try put(items)
    // Nor does one count from which something is missing that nobody purged.
    let stripped = try put(
      items.map { item in
        Pack.Item(
          item.hash,
          Segment(
            device: item.segment.device, sequence: item.segment.sequence,
            previous: item.segment.previous, ends: item.segment.ends,
            operations: item.segment.operations.map { operation in
              if case .revision(let entry, _) = operation { .gone(entry) } else { operation }
            }))
      })
    // He who wrote them says that he holds them.
    try other.vault.updateSpace { record throws(VaultError) in
      for hash in [forged, stripped] {
        record.packs[hash] = SpaceRecord.HeldPack(
          rank: Pack.Rank(generation: 1, gone: 0), places: [])
      }
    }
    let report = try one.sync()
    #expect(report.troubles == [.refused(device: "phone")] && report.held == 0)
    #expect(before.isSubset(of: shared.logs))
    // Who comes in believes the log, and a pack only if each device holds it that is in it.
    shared.lose { if case .log = $0 { true } else { false } }
    let third = try SharingDevice(shared)
    let code = try RecoveryCode.make()
    _ = try third.vault.askToJoin(
      code: code, space: String(try other.vault.requireSpace().prefix(12)), name: "third")
    try third.sync()
    try shared.exchange(other.vault)
    let pairing = try Pairing(code)
    try other.vault.letIn(try #require(try other.vault.requests(pairing).first), pairing)
    try shared.exchange(other.vault)
    try third.sync()
    #expect(try third.texts.isEmpty)
  }

  @Test func `a device that is taken out holds nobody up`() throws {
    let (one, other, shared) = try written()
    let before = Set(shared.logs)
    try one.sync(compacting: true)
    #expect(try one.sync().lacking == ["phone"])
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    for _ in 0..<3 { try one.sync() }
    #expect(before.isDisjoint(with: shared.logs) && shared.packs.count == 1)
    // All devices lost: the code and the place are enough, by packs too.
    let new = try SharingDevice(shared)
    try shared.exchange(new.vault)
    try new.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    for _ in 0..<2 { try new.sync() }
    #expect(try new.texts == ["kept and edited"])
    _ = other
  }
}
