import Bytes
import Foundation
import Replication
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// Who reads what after the keys have changed.
@Suite struct EpochTests {
  /// Moves and merges at a store other than the one a device usually has.
  private func settle(_ devices: SharingDevice..., at store: Shared) throws {
    for device in devices {
      try store.exchange(device.vault)
      _ = try Reconciliation(device.vault, allowing: .max).finish()
      try store.exchange(device.vault)
    }
  }

  private func letIn(
    _ other: SharingDevice, by one: SharingDevice, _ name: String, at store: Shared
  ) throws {
    let code = try RecoveryCode.make()
    _ = try other.vault.askToJoin(
      code: code, space: String(try one.vault.requireSpace().prefix(12)), name: name)
    try settle(other, one, at: store)
    let pairing = try Pairing(code)
    try one.vault.letIn(try #require(try one.vault.requests(pairing).first), pairing)
    try settle(one, other, at: store)
    #expect(try other.vault.syncStatus()?.isAsking == false)
  }

  @Test func `a device joins after others were taken out and reads what was written before`() throws
  {
    let (one, other, shared) = try pair()
    _ = try one.write("in the first epoch")
    try one.sync()
    try other.sync()
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    _ = try one.write("in the second epoch")
    try one.sync()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "tablet")
    #expect(try third.sync().troubles.isEmpty)
    #expect(try third.texts == ["in the first epoch", "in the second epoch"])
    // And once more, by the one that came in last.
    _ = try third.vault.revoke("laptop", recovery: try spaceCode())
    _ = try third.write("in the third epoch")
    try third.sync()
    let fourth = try SharingDevice(shared)
    try join(fourth, by: third, name: "desk")
    #expect(try fourth.sync().troubles.isEmpty)
    #expect(try fourth.texts == third.texts)
    #expect(try fourth.texts.count == 3)
  }

  /// What this device can tell nobody any more is not written over by what the others did in the meantime.
  ///
  /// - Parameter isPurge: whether the other one took the entry away; else it stars it.
  @Test(arguments: [false, true])
  func `a device that was taken out keeps what it had not told`(isPurge: Bool) throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    for device in [one, other] { try device.sync() }
    try one.edit(id, "mine, before I heard of it")
    if isPurge {
      _ = try other.vault.delete([.id(id)])
      _ = try other.vault.purge(nil)
    } else {
      var change = EntryChange()
      change.starred = true
      _ = try other.vault.edit(.id(id), change)
    }
    try other.sync()
    _ = try other.vault.revoke("laptop", recovery: try spaceCode())
    try other.sync()
    for _ in 0..<2 {
      #expect(try one.sync().waiting > 0)
      #expect(try one.texts == ["mine, before I heard of it"])
    }
    try one.vault.leaveSpace()
    try join(one, by: other, name: "again")
    for device in [one, other, one] { try device.sync() }
    for device in [one, other] {
      let conflict = try device.conflicting
      #expect(try (conflict + device.texts).contains("mine, before I heard of it"))
    }
  }

  @Test func `coming in by the recovery code renews between two branches first`() throws {
    let scene = try Apart()
    let (one, other, lost, stolen) = (scene.one, scene.other, scene.lost, scene.stolen)
    let (shared, elsewhere) = (scene.shared, scene.elsewhere)
    _ = try one.vault.revoke("lost", recovery: try spaceCode())
    try settle(one, at: shared)
    _ = try other.vault.revoke("stolen", recovery: try spaceCode())
    try settle(other, at: elsewhere)
    for (name, bytes) in elsewhere.store { shared.put(name, bytes) }
    // Nobody has seen both, when a new one comes in by the code alone.
    let new = try SharingDevice(shared)
    try shared.exchange(new.vault)
    try new.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    _ = try new.write("by the new one")
    try settle(new, lost, stolen, one, other, new, at: shared)
    #expect(try !lost.texts.contains("by the new one"))
    #expect(try !stolen.texts.contains("by the new one"))
    for device in [one, other, new] {
      #expect(try device.sync(allowing: .max).troubles.isEmpty)
      #expect(try device.texts == ["by the new one"])
    }
  }

  @Test func `a key that came with a record which still waits is handed on to nobody`() throws {
    let (one, other, shared) = try pair()
    let stolen = try SharingDevice(shared)
    try join(stolen, by: one, name: "stolen")
    try other.sync()
    // Two changes by one; of the second the other one has the record, and not of the first.
    _ = try one.vault.revoke("stolen", recovery: try spaceCode())
    try settle(one, at: shared)
    var roster: [(depth: Int, name: ObjectPath, bytes: [UInt8])] = []
    let known = SpaceMirror(VaultFolder(other.vault.path))
    for (name, bytes) in shared.store where !known.has(name) {
      if case .roster(let depth, _) = name { roster.append((depth, name, bytes)) }
    }
    let first = try #require(roster.max { $0.depth < $1.depth })
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    shared.lose { $0 == first.name }
    try other.sync()
    let fourth = try SharingDevice(shared)
    try letIn(fourth, by: other, "fourth", at: shared)
    _ = try one.write("after the theft")
    try settle(one, at: shared)
    try settle(stolen, at: shared)
    #expect(try !stolen.texts.contains("after the theft"))
    // When the lost record comes back, all who take part go on.
    shared.put(first.name, first.bytes)
    for _ in 0..<3 { try settle(one, other, third, fourth, at: shared) }
    for device in [one, other, third, fourth] {
      #expect(try device.sync(allowing: .max).troubles.isEmpty)
      #expect(try device.texts == ["after the theft"])
    }
    #expect(try !stolen.texts.contains("after the theft"))
  }

  /// The device that began the epoch was taken out by one that had not heard of it.
  @Test
  func `what was written under an epoch that was left behind is read by a later one`()
    throws
  {
    let scene = try Apart()
    let (one, other, third) = (scene.one, scene.other, scene.lost)
    let (shared, elsewhere) = (scene.shared, scene.elsewhere)
    try third.sync()
    let stranger = try SharingDevice(shared)
    try letIn(stranger, by: one, "stranger", at: shared)
    try settle(third, at: shared)
    _ = try third.write("under the epoch that is left behind")
    try settle(third, at: shared)
    _ = try other.vault.revoke("laptop", recovery: try spaceCode())
    try settle(other, at: elsewhere)
    let new = try SharingDevice(shared)
    try letIn(new, by: other, "new", at: elsewhere)
    for (name, bytes) in elsewhere.store { shared.put(name, bytes) }
    for _ in 0..<2 { try settle(third, other, new, at: shared) }
    for device in [third, other, new] {
      let report = try device.sync(allowing: .max)
      #expect(report.troubles == [], "\(report)")
      #expect(try device.texts == ["under the epoch that is left behind"])
    }
  }

  @Test func `two changes apart lock out nobody who takes part`() throws {
    let scene = try Apart()
    let (one, other, lost, stolen) = (scene.one, scene.other, scene.lost, scene.stolen)
    let (shared, elsewhere) = (scene.shared, scene.elsewhere)
    // Here one lets a new device in and takes one out; there the other takes another one out.
    let new = try SharingDevice(shared)
    try letIn(new, by: one, "new", at: shared)
    _ = try one.vault.revoke("lost", recovery: try spaceCode())
    _ = try one.write("by one, apart")
    try settle(one, new, at: shared)
    _ = try new.write("by the new one, apart")
    try settle(new, at: shared)
    _ = try other.vault.revoke("stolen", recovery: try spaceCode())
    _ = try other.write("by the other, apart")
    try settle(other, at: elsewhere)
    // They meet again.
    for (name, bytes) in elsewhere.store { shared.put(name, bytes) }
    for _ in 0..<3 { try settle(one, other, new, at: shared) }
    for device in [one, other, new] {
      #expect(try device.sync().troubles.isEmpty)
      #expect(
        try device.texts == ["by one, apart", "by the new one, apart", "by the other, apart"])
    }
    // Those that were taken out read nothing of what is written now.
    _ = try new.write("after it all")
    for device in [new, one, other, lost, stolen] { try device.sync(allowing: .max) }
    #expect(try one.texts == new.texts && other.texts == new.texts)
    #expect(try !lost.texts.contains("after it all") && !stolen.texts.contains("after it all"))
  }
}

/// Four devices of one space, and a second store in which the other one goes on apart from the first.
private struct Apart {
  let one, other, lost, stolen: SharingDevice
  let shared: Shared
  let elsewhere = Shared()

  init() throws {
    (one, other, shared) = try pair()
    (lost, stolen) = (try SharingDevice(shared), try SharingDevice(shared))
    try join(lost, by: one, name: "lost")
    try join(stolen, by: one, name: "stolen")
    try other.sync()
    for (name, bytes) in shared.store { elsewhere.put(name, bytes) }
  }
}
