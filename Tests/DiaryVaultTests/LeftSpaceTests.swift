import Bytes
import Foundation
import Replication
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// What a diary keeps of a space that it left, and when it goes on from that.
@Suite struct LeftSpaceTests {
  private func settle(_ devices: SharingDevice...) throws {
    for _ in 0..<3 { for device in devices { try device.sync(allowing: .max) } }
    for device in devices {
      #expect(try device.sync(allowing: .max).pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  /// All that is kept of other devices, as it is under its seals.
  private func kept(_ device: SharingDevice) throws -> [UInt8] {
    guard let store = try ReplicaStore(try Snapshot(device.vault).catalogue, orLeft: true)
    else { return [] }
    let rows = try store.rows()
    return (rows.registers ?? []) + rows.segments.flatMap(\.self)
      + rows.buckets.flatMap { $0 ?? [] } + (try store.record.plain())
  }

  private func has(_ device: SharingDevice, _ text: String) throws -> Bool {
    try Data(kept(device)).range(of: Data(text.utf8)) != nil
  }

  @Test(arguments: SharingDevice.Leaving.allCases)
  func `who left has no key and no member of the space`(leaving: SharingDevice.Leaving) throws {
    let (one, other, _) = try pair()
    _ = try one.write("first")
    try settle(one, other)
    let record = try #require(try other.vault.spaceRecord())
    try other.leave(leaving)
    #expect(try other.vault.spaceRecord() == nil && other.vault.syncStatus() == nil)
    #expect(try !other.vault.sharesWithDevices())
    #expect(try other.sync().sharesNothing)
    #expect(throws: VaultError.self) { try other.vault.leaveSpace() }
    let rows = Data(try kept(other))
    func isKept(_ secret: borrowing SecretBytes) -> Bool {
      unsafe secret.withUnsafeBytes { unsafe rows.range(of: Data($0)) } != nil
    }
    for key in record.keys.values {
      let secret = try key.secret()
      let isThere = isKept(secret)
      #expect(!isThere)
    }
    let isSeedThere = isKept(record.seed.secret)
    #expect(!isSeedThere)
    #expect(try other.vault.verify().problems.isEmpty)
  }

  /// It is told to the others when the device comes in again; until then nothing of what the entry said is kept.
  @Test(arguments: [SharingDevice.Leaving.leaves, .rotates], [false, true])
  func `what is purged by who left is gone at once, and everywhere once it is back`(
    leaving: SharingDevice.Leaving, comesBack: Bool
  ) throws {
    let (one, other, shared) = try pair()
    let gone = try one.write("gone", title: "Nobody may read this")
    let edited = try one.write("edited", title: "Edited elsewhere")
    _ = try one.write("stays", title: "This stays")
    try settle(one, other)
    try other.leave(leaving)
    #expect(try has(other, "Nobody may read this"))
    if comesBack { _ = try other.vault.leaveUnfinishedSpace() }
    _ = try other.vault.delete([.id(gone), .id(edited)])
    _ = try other.vault.purge(nil)
    for title in ["Nobody may read this", "Edited elsewhere"] {
      #expect(try !has(other, title))
    }
    #expect(try has(other, "This stays") && other.vault.verify().problems.isEmpty)
    try one.edit(edited, "a new text")
    try one.sync()
    if comesBack {
      // Another request, that nobody answers, changes nothing of it.
      _ = try other.vault.askToJoin(
        code: try spaceCode(), space: String(try one.vault.requireSpace().prefix(12)), name: "no")
      #expect(try !has(other, "Nobody may read this"))
    }
    try join(other, by: one, name: "again")
    try settle(one, other)
    for device in [one, other] { #expect(try device.texts == ["a new text", "stays"]) }
    try one.sync(compacting: true)
    #expect(try !has(one, "Nobody may read this"))
    #expect(shared.logs.count < 8)
  }

  @Test func `an entry that was purged and is imported again by who left is another one`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try settle(one, other)
    try one.edit(id, "second")
    try settle(one, other)
    try other.vault.leaveSpace()
    _ = try other.vault.delete([.id(id)])
    _ = try other.vault.purge(nil)
    let draft = try EntryDraft("imported again")
    _ = try other.vault.take([.entry(ImportedEntry(id: id, draft: draft))])
    try join(other, by: one, name: "again")
    try settle(one, other)
    for device in [one, other] { #expect(try device.texts == ["imported again"]) }
  }

  /// Why a device cannot go on from what it kept.
  enum Obstacle: CaseIterable {
    case unsent, lost, revoked, damaged, otherSpace
  }

  @Test(arguments: Obstacle.allCases)
  func `who cannot go on brings along what it has`(obstacle: Obstacle) throws {
    let (one, other, shared) = try pair()
    _ = try one.write("by one")
    try settle(one, other)
    _ = try other.write("by other")
    if obstacle == .unsent || obstacle == .revoked {
      try Reconciliation(other.vault).tell(within: .unlimited)
    } else {
      try settle(one, other)
    }
    if obstacle == .revoked {
      _ = try one.vault.revoke("phone", recovery: try spaceCode())
      try one.sync()
      try shared.exchange(other.vault)
    }
    let written = try #require(other.id)
    try other.vault.leaveSpace()
    _ = try other.write("meanwhile")
    var inviter = one
    switch obstacle {
    case .unsent, .revoked: break
    case .lost:
      let lost = Set(shared.logs.filter { $0.device == written }.map { ObjectPath.log($0) })
      shared.lose(lost.contains)
      try one.vault.leaveSpace()
      try shared.exchange(one.vault)
      try one.vault.recoverSpace(recovery: try spaceCode(), name: "once more")
    case .damaged:
      try other.vault.change { edit throws(VaultError) in
        try edit.catalogue.store.removeReplica(in: 1..<2)
        edit.update { _ in }
      }
    case .otherSpace:
      other.shared = Shared()
      inviter = try SharingDevice(other.shared)
      try inviter.vault.beginSpace(recovery: try spaceCode("another sixteen!"), name: "new")
      try inviter.sync()
    }
    try join(other, by: inviter, name: "again")
    #expect(try other.vault.spaceRecord()?.former == nil)
    try settle(inviter, other)
    for device in [inviter, other] {
      #expect(try device.texts == ["by one", "by other", "meanwhile"])
    }
  }

  @Test func `who comes in again tells only what it changed`() throws {
    let (one, other, shared) = try pair()
    let ids = try (0..<40).map { try one.write("entry \($0)") }
    try settle(one, other)
    for leaving in [SharingDevice.Leaving.leaves, .rotates] {
      try other.leave(leaving)
      try other.edit(ids[7], "changed, and \(leaving)")
      let before = Set(shared.logs)
      try join(other, by: one, name: "again")
      let told = Set(shared.logs).subtracting(before).reduce(0) {
        $0 + (shared.store[.log($1)]?.count ?? 0)
      }
      #expect(told > 0 && told < 4_000, "\(told)")
      #expect(try other.vault.spaceRecord()?.former != nil)
      try settle(one, other)
      #expect(try one.texts == other.texts)
    }
  }
}
