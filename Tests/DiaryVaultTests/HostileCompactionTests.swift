import Bytes
import Foundation
import Replication
import Testing

@testable import DiaryVault
@testable import Entries

/// Packs that lie, come late, come back or are lost, and changes in the midst of packing.
@Suite struct HostileCompactionTests {
  private typealias Two = (one: SharingDevice, other: SharingDevice, shared: Shared, kept: EntryID)

  /// Two devices with an entry that both wrote, and one that was purged with its photo.
  private func written() throws -> Two {
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
    try purge(gone, by: one)
    for device in [one, other, one] { try device.sync() }
    return (one, other, shared, kept)
  }

  private func purge(_ id: EntryID, by device: SharingDevice) throws {
    _ = try device.vault.delete([.id(id)])
    _ = try device.vault.purge(nil)
  }

  private func compact(_ first: SharingDevice, _ other: SharingDevice) throws {
    _ = try first.sync(compacting: true)
    for _ in 0..<3 { for device in [other, first] { try device.sync() } }
  }

  /// A device that can sign what it likes.
  private struct Liar {
    let record: SpaceRecord
    let space: Identity
    let roster: Roster
    let key: EpochKey
    let shared: Shared

    init(_ device: SharingDevice) throws {
      record = try #require(try device.vault.spaceRecord())
      space = try #require(record.space)
      roster = try #require(record.roster)
      key = try #require(record.keys[roster.epoch])
      shared = device.shared
    }

    func open(_ hash: Hash) throws -> Pack {
      try Pack(
        object: try #require(shared.store[.pack(hash)]), in: space, key: key,
        signer: { roster.members[$0]?.member.signingKey })
    }

    func put(_ items: [Pack.Item], generation: UInt64) throws -> Hash {
      let object = try Pack(by: record.member.id, generation: generation, items).sealed(
        in: space, key: key, by: try record.identity().signing)
      shared.put(.pack(SpaceObject.hash(object)), object)
      return SpaceObject.hash(object)
    }

    /// Takes a pack away and puts one in its place that has other texts, signed by itself.
    func replace(_ hash: Hash) throws {
      let real = try open(hash)
      let signing = try record.identity().signing
      _ = try put(
        real.items.map { item in
          let forged = item.copy.segment().replacing(ReplicatedEntry.body) {
            Array("forged ".utf8) + $0
          }
          // In its own name it may write what it likes.
          guard item.copy.isWhole, forged.device != record.member.id else { return item }
          return Pack.Item(SignedSegment(forged, in: space, by: signing), in: space)
        }, generation: real.generation + 1)
      shared.lose { $0 == .pack(hash) }
    }
  }

  private func isLeft(_ text: String, _ device: SharingDevice) throws -> Bool {
    let reader = try Liar(device)
    var found = false
    for hash in device.shared.packs {
      for item in try reader.open(hash).items {
        _ = item.copy.segment().replacing(ReplicatedEntry.body) { body in
          if body == Array(text.utf8) { found = true }
          return body
        }
      }
    }
    return found
  }

  @Test(arguments: 1..<9) func `what is written while packs are is not forgotten`(_ steps: Int)
    throws
  {
    let (one, other, shared, kept) = try written()
    try shared.exchange(one.vault)
    let reconciliation = Reconciliation(one.vault, compacts: true)
    for _ in 0..<steps where try reconciliation.step(Slice(milliseconds: 0)) != nil { return }
    try one.edit(kept, "edited in between")
    let new = try one.write("new in between")
    _ = try reconciliation.finish()
    for device in [one, other, one, other] { try device.sync() }
    try one.edit(kept, "edited later")
    try one.edit(new, "new, edited")
    for device in [one, other, one, other] { try device.sync() }
    try other.edit(kept, "by the other")
    for device in [other, one, other] { try device.sync() }
    #expect(try one.texts == ["by the other", "new, edited"] && other.texts == one.texts)
    #expect(try one.sync().troubles == [])
  }

  @Test func `a pack that the place lost replaces nothing`() throws {
    let (one, other, shared, _) = try written()
    try one.sync(compacting: true)
    shared.lose { if case .pack = $0 { true } else { false } }
    for device in [other, one] { try device.sync() }
    let new = try SharingDevice(shared)
    try shared.exchange(new.vault)
    try new.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    for _ in 0..<3 { try new.sync() }
    #expect(try new.texts == ["kept and edited"])
  }

  /// Whole copies under the highest generation, each with another signature than its author's.
  @Test func `a pack of copies that nobody signed replaces nothing`() throws {
    let (one, other, shared, _) = try written()
    let before = Set(shared.logs)
    let liar = try Liar(other)
    let items = try before.sorted().map { end in
      let copy = try SignedSegment(
        object: try #require(shared.store[.log(end)]), in: liar.space, key: liar.key,
        signer: { liar.roster.signingKey(of: $0) })
      var bytes = copy.encoded()
      bytes[copy.header.encoded().count] ^= 1
      return Pack.Item(try SignedSegment(bytes), in: liar.space)
    }
    _ = try liar.put(items, generation: Pack.generationLimit)
    for device in [one, other, one, other] { try device.sync() }
    #expect(before.isSubset(of: shared.logs))
    // A pack with everything answers, and the false one is not among what a newcomer relies on.
    try compact(one, other)
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    #expect(try third.texts == ["kept and edited"])
  }

  @Test func `what comes back is taken away again`() throws {
    let (one, other, shared, _) = try written()
    let photo = shared.store.filter { if case .object = $0.key { true } else { false } }
    let id = try one.write("for a while")
    for device in [one, other, one] { try device.sync() }
    try compact(one, other)
    let old = shared.store.filter { if case .pack = $0.key { true } else { false } }
    try purge(id, by: one)
    for device in [one, other, one] { try device.sync() }
    try compact(one, other)
    for (name, bytes) in old.merging(photo, uniquingKeysWith: { one, _ in one }) {
      shared.put(name, bytes)
    }
    for device in [one, other, one, other] { #expect(try device.sync().troubles == []) }
    #expect(shared.packs.count == 1 && shared.files == 0)
    #expect(try !isLeft("for a while", one))
  }

  @Test(arguments: 0..<4) func `packs of both at once leave nothing purged`(_ time: Int) throws {
    let (one, other, _, _) = try written()
    let id = try one.write("for a while")
    for device in [one, other, one] { try device.sync() }
    try one.sync(compacting: true)
    try purge(id, by: other)
    try other.sync(compacting: true)
    for device in [one, other, one, other, one] { #expect(try device.sync().troubles == []) }
    #expect(try !isLeft("for a while", one))
  }

  /// The small log comes before the large pack, as whoever carries a folder may have it.
  @Test func `a pack that comes late is no trouble`() throws {
    let (one, other, shared, _) = try written()
    let id = try one.write("for a while")
    for number in 0..<6 {
      try one.edit(id, "for a while, \(number)")
      try one.sync()
    }
    try other.sync()
    try purge(id, by: one)
    try one.sync()
    try one.sync(compacting: true)
    let first = Set(shared.packs)
    _ = try Reconciliation(other.vault, compacts: true).finish()
    try shared.exchange(other.vault)
    let late = shared.store.filter {
      if case .pack(let hash) = $0.key { !first.contains(hash) } else { false }
    }
    #expect(!late.isEmpty)
    shared.lose { late[$0] != nil }
    for _ in 0..<2 { try one.sync() }
    for (name, bytes) in late { shared.put(name, bytes) }
    for device in [one, other, one, other, one] { #expect(try device.sync().troubles == []) }
    #expect(try !isLeft("for a while", one))
  }

  @Test func `one that went back in time believes nothing in its own name`() throws {
    let (one, other, shared, _) = try written()
    let (copy, anchor) = (try one.bench.copy(to: "copy"), one.bench.anchors.anchor)
    _ = try one.write("true words")
    for device in [one, other, one] { try device.sync() }
    try compact(one, other)
    try Liar(other).replace(try #require(shared.packs.first))
    try one.bench.putBack(copy)
    one.bench.anchors.anchor = anchor
    try FileManager.default.removeItem(atPath: one.bench.path + "/sync")
    let again = try one.bench.open()
    for _ in 0..<3 {
      try shared.exchange(again)
      #expect(try !Reconciliation(again).finish().troubles.isEmpty)
      try shared.exchange(again)
    }
    #expect(try !again.all().contains { $0.body?.contains("forged") == true })
  }

  @Test func `an emptied folder makes nobody believe`() throws {
    let (one, other, shared, _) = try written()
    try compact(one, other)
    try Liar(other).replace(try #require(shared.packs.first))
    try FileManager.default.removeItem(atPath: one.bench.path + "/sync")
    try one.sync()
    #expect(try one.texts == ["kept and edited"])
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for _ in 0..<2 { try third.sync() }
    #expect(try !third.texts.contains { $0.contains("forged") })
  }
}
