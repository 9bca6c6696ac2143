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
    case lost, revoked, damaged, otherSpace
  }

  @Test(arguments: Obstacle.allCases)
  func `who cannot go on brings along what it has`(obstacle: Obstacle) throws {
    let (one, other, shared) = try pair()
    _ = try one.write("by one")
    try settle(one, other)
    _ = try other.write("by other")
    if obstacle == .revoked {
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
    case .revoked: break
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
    #expect(!FileManager.default.fileExists(atPath: other.vault.path + "/sync/unsent"))
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

  @Test(arguments: [SharingDevice.Leaving.leaves, .rotates], [false, true])
  func `nor is anything kept of what was purged before, and nobody was told of`(
    leaving: SharingDevice.Leaving, isRevoked: Bool
  ) throws {
    let (one, other, _) = try pair()
    let gone = try one.write("gone", title: "Nobody may read this", tags: ["nor this"])
    _ = try one.write("stays")
    try settle(one, other)
    if isRevoked {
      // It cannot tell of what it does.
      _ = try one.vault.revoke("phone", recovery: try spaceCode())
      try one.sync()
      #expect(try other.sync().troubles.contains(.closed))
    }
    _ = try other.vault.delete([.id(gone)])
    _ = try other.vault.purge(nil)
    if isRevoked { try other.sync() }
    try other.leave(leaving)
    #expect(try !has(other, "Nobody may read this") && !has(other, "nor this"))
    try join(other, by: one, name: "again")
    try settle(one, other)
    for device in [one, other] { #expect(try device.texts == ["stays"]) }
  }

  /// What was fetched before a connection broke: of all that is listed only who takes part; or all but one piece.
  @Test(arguments: [false, true])
  func `a join of which a part was fetched waits for the rest`(lacksOne: Bool) throws {
    let (one, other, shared) = try pair()
    let gone = try one.write("gone")
    _ = try one.write("stays")
    try settle(one, other)
    let first = try #require(shared.logs.min())
    try other.vault.leaveSpace()
    _ = try one.vault.delete([.id(gone)])
    _ = try one.vault.purge(nil)
    try one.sync()
    let code = try RecoveryCode.make()
    _ = try other.vault.askToJoin(
      code: code, space: String(try one.vault.requireSpace().prefix(12)), name: "again")
    let mirror = SpaceMirror(VaultFolder(other.vault.path))
    for name in mirror.names() { shared.put(name, try #require(try mirror.read(name))) }
    try one.sync()
    let pairing = try Pairing(code)
    try one.vault.letIn(try #require(one.vault.requests(pairing).first), pairing)
    try one.sync()
    for _ in 0..<2 {
      for name in mirror.plan(Set(shared.store.keys)).get {
        let isFetched =
          switch name {
          case .roster, .answer: true
          default: lacksOne && name != .log(first)
          }
        if isFetched { try mirror.put(name, try #require(shared.store[name])) }
      }
      try mirror.keep(listing: Set(shared.store.keys))
      // Somebody opens the diary meanwhile, several times.
      for _ in 0..<4 { #expect(try Reconciliation(other.vault).finish().isAsking) }
    }
    try settle(one, other)
    #expect(try other.vault.spaceRecord()?.former != nil)
    for device in [one, other] { #expect(try device.texts == ["stays"]) }
  }

  /// The only copy that anybody could read is here, and no piece of the mirror: whoever goes on would keep it for themselves.
  @Test(arguments: [false, true])
  func `what the place has under its name only, is told anew`(isPacked: Bool) throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "liar")
    _ = try other.write("by other", title: "title")
    try settle(one, other, third)
    let author = try #require(other.id)
    try other.vault.leaveSpace()
    if isPacked {
      let liar = try Liar(third)
      let all = SegmentOpener.Keys(space: liar.space, liar.keys, liar.roster)
      var items: [SignedSegment] = []
      for end in shared.logs {
        let object = try #require(shared.store[.log(end)])
        let copy = try #require(try all.open(object, end))
        items.append(
          copy.without(
            Set(copy.operations.indices.filter { copy.operations[$0].kind == .revision }))
        )
      }
      try liar.pack(items)
      let logs = Set(shared.logs.map { ObjectPath.log($0) })
      shared.lose(logs.contains)
    } else {
      for end in shared.logs where end.device == author {
        var bytes = try #require(shared.store[.log(end)])
        bytes[bytes.count / 2] ^= 1
        shared.put(.log(end), bytes)
      }
    }
    try shared.exchange(other.vault)
    try other.vault.recoverSpace(recovery: try spaceCode(), name: "again")
    #expect(try other.vault.spaceRecord()?.former == nil)
    for _ in 0..<3 { try other.sync(allowing: .max) }
    let fourth = try SharingDevice(shared)
    try join(fourth, by: other, name: "fourth")
    for _ in 0..<3 { for device in [other, fourth] { try device.sync(allowing: .max) } }
    #expect(try fourth.texts == ["by other"])
  }

  @Test(arguments: [nil, SharingDevice.Leaving.leaves, .rotates])
  func `an entry is purged, and another comes whose id begins alike`(
    leaving: SharingDevice.Leaving?
  ) throws {
    let (one, other, _) = try pair()
    let ids = [UInt8(1), 2].map {
      EntryID(bytes: [1, 2, 3, 4, 5, 6, 7, 8] + Array(repeating: $0, count: 8))
    }
    _ = try one.vault.take([.entry(ImportedEntry(id: ids[0], draft: try EntryDraft("first")))])
    try settle(one, other)
    if let leaving { try other.leave(leaving) }
    _ = try other.vault.delete([.id(ids[0])])
    _ = try other.vault.purge(nil)
    _ = try other.vault.take([.entry(ImportedEntry(id: ids[1], draft: try EntryDraft("second")))])
    if leaving != nil { try join(other, by: one, name: "again") }
    try settle(one, other)
    for device in [one, other] { #expect(try device.texts == ["second"]) }
  }

  /// The text was purged, and one who had not heard of it has given photos.
  @Test(arguments: SharingDevice.Leaving.allCases)
  func `an entry of which photos are left is no other after the key was replaced`(
    leaving: SharingDevice.Leaving
  ) throws {
    let (one, other, _) = try pair()
    let id = try one.write("text", title: "title")
    try settle(one, other)
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    var change = EntryChange()
    change.attach = try ["a.jpg", "b.jpg"].map {
      try other.vault.stage(Array(repeating: UInt8($0.utf8.first!), count: 50_000), name: $0)
    }
    _ = try other.vault.edit(.id(id), change)
    try settle(one, other)
    try other.leave(leaving)
    change = EntryChange()
    change.detach = ["b.jpg"]
    change.starred = true
    _ = try one.vault.edit(.id(id), change)
    try join(other, by: one, name: "again")
    try settle(one, other)
    for device in [one, other] {
      let now = try #require(try device.vault.all().first)
      #expect(now.attachments.map(\.name) == ["a.jpg"] && now.content.starred)
    }
  }

  @Test func `a code of another space by mistake costs nothing`() throws {
    let (one, other, _) = try pair()
    let gone = try one.write("gone")
    _ = try one.write("stays")
    try settle(one, other)
    try other.vault.leaveSpace()
    _ = try other.vault.askToJoin(code: try spaceCode(), space: "0123456789ab", name: "mistake")
    _ = try one.vault.delete([.id(gone)])
    _ = try one.vault.purge(nil)
    try one.sync()
    try join(other, by: one, name: "again")
    try settle(one, other)
    #expect(try one.texts == ["stays"])
  }

  /// It had a diary of its own, and left between telling of it and merging what the others have.
  @Test(arguments: [nil, SharingDevice.Leaving.leaves, .rotates])
  func `who leaves before that is settled settles it when it is back`(
    leaving: SharingDevice.Leaving?
  ) throws {
    let (one, other, shared) = try pair()
    _ = try other.write("of other")
    try settle(other, one)
    let tagged = try one.write("tagged", tags: ["x", "y"])
    let text = try one.write("A")
    try settle(one, other)
    try other.leave(.forgets)
    var change = EntryChange()
    change.removeTags = ["x"]
    _ = try one.vault.edit(.id(tagged), change)
    try one.edit(text, "B")
    try one.sync()
    try admit(other, by: one, name: "again")
    try shared.exchange(other.vault)
    try Reconciliation(other.vault).tell(within: .unlimited)
    try shared.exchange(other.vault)
    if let leaving {
      try other.leave(leaving)
      try join(other, by: one, name: "once more")
    }
    try settle(one, other)
    for device in [one, other] {
      #expect(try device.vault.all().first { $0.id == tagged }?.content.tags == ["y"])
      #expect(try device.conflicting.isEmpty)
    }
  }

  @Test func `who purged an entry before leaving is told that it came back`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("a")
    try settle(one, other)
    _ = try other.vault.delete([.id(id)])
    _ = try other.vault.purge(nil)
    try one.edit(id, "new text")
    try other.sync()
    try other.vault.leaveSpace()
    try admit(other, by: one, name: "again")
    var troubles: [SyncTrouble] = []
    for _ in 0..<3 {
      for device in [one, other] { troubles += try device.sync(allowing: .max).troubles }
    }
    #expect(troubles.contains(.cameBack(1, [id])))
  }

  @Test func `what is kept of a space goes by leaving once more where it is damaged`() throws {
    let (one, other, _) = try pair()
    _ = try one.write("first")
    try settle(one, other)
    try other.vault.leaveSpace()
    try other.vault.change { edit throws(VaultError) in
      try edit.catalogue.store.removeReplica(in: (1 << 40)..<(1 << 41))
      edit.update { _ in }
    }
    #expect(try !other.vault.verify().problems.isEmpty)
    try other.vault.leaveSpace()
    #expect(try other.vault.verify().problems.isEmpty)
    #expect(throws: VaultError.self) { try other.vault.leaveSpace() }
    try join(other, by: one, name: "again")
    try settle(one, other)
  }
}
