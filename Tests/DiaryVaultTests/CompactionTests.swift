import Bytes
import Foundation
import Replication
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

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

  /// Until what is replaced is gone.
  private func compact(_ first: SharingDevice, _ others: SharingDevice...) throws {
    #expect(try first.sync(compacting: true).packed > 0)
    for device in [first] + others { try device.sync() }
  }

  @Test func `what was purged leaves the place`() throws {
    let (one, other, shared) = try written()
    let before = Set(shared.logs)
    #expect(shared.files == 1)
    // Before the pack lies in the place nothing goes; then it needs nobody else.
    #expect(try one.sync(compacting: true).packed == 1)
    #expect(before.isSubset(of: shared.logs) && shared.files == 1)
    #expect(try one.sync().answering.count == 1)
    #expect(shared.packs.count == 1 && before.isDisjoint(with: shared.logs) && shared.files == 0)
    // Nobody misses what is gone, and nobody brings it back.
    for device in [other, one, other] {
      let report = try device.sync()
      #expect(report.troubles == [])
      #expect(report.pushed == 0)
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

  /// The segments stand in a pack that is not merged as long as its removals wait.
  @Test func `what a pack replaced is not lost while removals wait for a yes`() throws {
    let (one, other, shared) = try pair()
    for number in 0..<6 {
      _ = try one.write("text \(number)")
      for device in [one, other] { try device.sync() }
    }
    for entry in try one.vault.all().prefix(4) { _ = try one.vault.delete([.id(entry.id)]) }
    _ = try one.vault.purge(nil)
    try one.sync()
    #expect(try other.sync().removals > 0)
    for _ in 0..<2 { try one.sync(compacting: true) }
    let place = shared.logs.count
    #expect(place < 6 && !shared.packs.isEmpty)
    for _ in 0..<2 {
      let report = try other.sync()
      #expect(report.troubles.isEmpty && report.removals > 0, "\(report.troubles)")
      #expect(shared.logs.count == place)
    }
    try other.sync(allowing: 10)
    #expect(try other.texts == one.texts && other.texts.count == 2)
    #expect(try other.sync().troubles.isEmpty)
  }

  /// The only copies may be here: who packed the texts away is believed about nothing any more.
  @Test func `what a device packed away that was taken out is put back`() throws {
    let (one, other, shared) = try pair()
    for number in 0..<6 { _ = try one.write("text \(number)") }
    for device in [one, other, one] { try device.sync() }
    for entry in try other.vault.all().prefix(4) { _ = try other.vault.delete([.id(entry.id)]) }
    _ = try other.vault.purge(nil)
    try other.sync()
    for _ in 0..<2 { try other.sync(compacting: true) }
    #expect(try one.sync().removals > 0)
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    for _ in 0..<3 { try one.sync() }
    try shared.exchange(one.vault, repairing: true)
    try one.sync()
    #expect(try one.texts.count == 6)
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    #expect(try third.texts == one.texts)
    #expect(
      try third.sync().troubles == [.wroteAfterRevocation(device: "phone")]
        || third.sync().troubles.isEmpty)
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

  /// A device of the space that leaves out what it likes, and packs what others wrote under its own signature.
  @Test func `a pack that lacks what nobody purged replaces nothing, and is completed`() throws {
    let (one, other, shared) = try written()
    let before = shared.store.filter { if case .log = $0.key { true } else { false } }
    let record = try #require(try other.vault.spaceRecord())
    let (space, roster) = (try #require(record.space), try #require(record.roster))
    let key = try #require(record.keys[roster.epoch])
    let identity = try record.identity()
    var items: [Pack.Item] = []
    var forged: [Pack.Item] = []
    for end in shared.logs.sorted() {
      let copy = try SignedSegment(
        object: try #require(shared.store[.log(end)]), in: space, key: key,
        signer: { roster.members[$0]?.member.signingKey })
      items.append(Pack.Item(copy.without(Set(copy.operations.indices)), in: space))
      // In its own name it may write what it likes.
      if end.device == record.member.id { continue }
      let changed = copy.segment().replacing(ReplicatedEntry.body) { $0 + Array("!".utf8) }
      forged.append(Pack.Item(SignedSegment(changed, in: space, by: identity.signing), in: space))
    }
    for items in [items, forged] {
      let object = try Pack(by: record.member.id, generation: 1, items).sealed(
        in: space, key: key, by: identity.signing)
      shared.put(.pack(SpaceObject.hash(object)), object)
    }
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    #expect(Set(before.keys).isSubset(of: shared.store.keys))
    #expect(try one.texts == ["kept and edited"])
    // Who has nothing but the packs learns that there was something; a forged copy is refused.
    shared.lose { before[$0] != nil }
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    #expect(try third.sync().troubles.contains { if case .refused = $0 { true } else { false } })
    #expect(try third.texts.isEmpty)
    // What it lacked comes as soon as somebody has it again.
    try shared.exchange(one.vault, repairing: true)
    _ = try one.sync(compacting: true)
    for device in [one, third, one, third, one] { try device.sync() }
    #expect(try third.texts == ["kept and edited"])
    #expect(try third.vault.syncStatus()?.digest == one.vault.syncStatus()?.digest)
  }

  @Test func `all devices lost, the code and the place are enough, by packs, too`() throws {
    let (one, other, shared) = try written()
    let before = Set(shared.logs)
    try one.sync(compacting: true)
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    for _ in 0..<3 { try one.sync() }
    #expect(before.isDisjoint(with: shared.logs) && shared.packs.count == 1)
    let new = try SharingDevice(shared)
    try shared.exchange(new.vault)
    try new.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    for _ in 0..<2 { try new.sync() }
    #expect(try new.texts == ["kept and edited"])
    _ = other
  }

  /// It would be fetched and read again by every device, and nothing would be gained.
  @Test func `what is large by itself stays so until something of it goes`() throws {
    let (one, other, shared) = try pair()
    let letters = (0..<1_600_000).map { _ in UInt8.random(in: 0x41..<0x7b) }
    let body = String(decoding: letters, as: UTF8.self)
    let large = try one.write(body)
    try one.sync()
    let object = Set(shared.logs)
    for number in 0..<9 {
      _ = try one.write("small \(number)")
      try one.sync()
    }
    #expect(try one.sync(compacting: true).packed == 1)
    for device in [one, other] { try device.sync() }
    #expect(object.isSubset(of: shared.logs) && shared.packs.count == 1)
    #expect(try other.texts.count == 10)
    _ = try one.vault.delete([.id(large)])
    _ = try one.vault.purge(nil)
    for device in [one, other, one] { try device.sync() }
    #expect(try one.sync(compacting: true).packed > 0)
    for device in [one, other] { #expect(try device.sync().troubles == []) }
    #expect(object.isDisjoint(with: shared.logs))
    #expect(try other.texts.count == 9 && one.texts == other.texts)
  }

  @Test func `a device packs by itself what it wrote, and nothing else`() throws {
    let (one, other, shared) = try pair()
    for number in 0..<10 {
      _ = try other.write("other \(number)")
      try other.sync()
    }
    let theirs = Set(shared.logs)
    for number in 0..<150 {
      _ = try one.write("text \(number)")
      // What a pack replaces goes once the pack lies there: the command goes round again.
      if try one.sync().packed > 0 { try one.sync() }
    }
    #expect(theirs.isSubset(of: shared.logs))
    #expect(shared.logs.count - theirs.count <= 35 && shared.packs.count <= 2)
    for device in [other, one] { #expect(try device.sync().troubles == []) }
    #expect(try one.texts.count == 160 && other.texts == one.texts)
    // What came and went is not kept as a name for ever.
    for device in [one, other] {
      #expect(SpaceMirror(VaultFolder(device.vault.path)).stored().count <= 60)
    }
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "third")
    #expect(try third.sync().troubles.isEmpty)
    #expect(try third.texts == one.texts)
    for device in [one, other, third] { #expect(try device.vault.verify().isWhole) }
  }
}
