import Bytes
import Replication
import RowStore
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// Which device of which space a diary is: nothing that older copies have decides that.
struct SpaceMembershipTests {
  /// Who has a copy from before the rotation has the device's keys in the space, which the rotation cannot take back.
  @Test func `a rotation leaves the space, and nothing of it stays under the new key`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    for device in [one, other] { try device.sync() }
    let member = try #require(try one.vault.spaceRecord()?.member.id.text)
    let former = try one.vault.rotate(
      recovery: try spaceCode("aaaaaaaaaaaaaaaa"), passphrase: nil, limits: Workbench.limits,
      deviceKey: try SecretBytes.random())
    #expect(former?.id == member)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(try Snapshot(one.vault).catalogue.store.count(of: .replica) == 0)
    #expect(SpaceMirror(VaultFolder(one.vault.path)).names().isEmpty)
    try one.edit(id, "second")
    #expect(try one.vault.verify().problems.isEmpty)
    // It comes back as another device, and what is the same is the same.
    try one.shared.exchange(one.vault)
    try one.vault.recoverSpace(recovery: try spaceCode(), name: "again")
    #expect(try one.vault.spaceRecord()?.member.id.text != member)
    for device in [one, other, one] { try device.sync() }
    #expect(try other.vault.all().count == 1 && one.vault.all().count == 1)
  }

  /// All ways to give things away in turns, each turn at least one of them.
  private func turns<Item: Hashable>(_ items: Set<Item>) -> [[Set<Item>]] {
    guard let item = items.first else { return [[]] }
    return turns(items.subtracting([item])).flatMap { turns in
      (0...turns.count).flatMap { place in
        let before = turns[..<place]
        let alone = [before + [[item]] + turns[place...]]
        guard place < turns.count else { return alone }
        return alone + [before + [turns[place].union([item])] + turns[(place + 1)...]]
      }.map { Array($0) }
    }
  }

  /// A folder that another program carries fills in any order.
  @Test func `records of who takes part are taken in whatever parts they come`() throws {
    let shared = Shared()
    let (one, two, three) = (
      try SharingDevice(shared), try SharingDevice(shared), try SharingDevice(shared)
    )
    try one.vault.beginSpace(recovery: try spaceCode(), name: "one")
    try one.sync()
    let mirror = SpaceMirror(VaultFolder(one.vault.path))
    let first = mirror.names()
    for device in [two, three] {
      try shared.exchange(device.vault)
      try device.vault.recoverSpace(recovery: try spaceCode(), name: "another")
      try device.sync()
    }
    try two.sync()
    let came = Set(shared.store.keys).subtracting(first).filter {
      if case .roster = $0 { true } else { false }
    }
    let known = try #require(try one.vault.spaceRecord())
    let all = turns(came)
    #expect(came.count >= 4 && all.count >= 75)
    for parts in all {
      // Among them what it writes itself on the way.
      for name in mirror.names().subtracting(first) { mirror.remove(name) }
      try one.vault.updateSpace { $0 = known }
      for part in parts {
        for name in part { try mirror.put(name, try #require(shared.store[name])) }
        try mirror.keep(listing: mirror.names())
        var membership = Membership(one.vault, mirror)
        try membership.takeRoster()
      }
      let record = try #require(try one.vault.spaceRecord())
      let roster = try #require(record.roster)
      #expect(came.allSatisfy { roster.has($0.hash) } && record.unread.isEmpty, "\(parts)")
    }
  }

  @Test func `who may let in nobody is told before a code is shown`() throws {
    let (_, second, shared) = try pair()
    let (third, fourth) = (try SharingDevice(shared), try SharingDevice(shared))
    try join(third, by: second, name: "third")
    try join(fourth, by: third, name: "fourth")
    _ = try third.vault.requireRoom()
    #expect { try fourth.vault.requireRoom() } throws: {
      ($0 as? VaultError)?.reason == .letsInNoMore
    }
  }

  private func backUp(_ device: SharingDevice, _ name: String) throws -> Vault {
    let path = device.bench.directory + "/" + name
    try Vault.makeBackup(of: device.vault.path, as: path, settings: device.bench.settings) {
      try device.vault.sealBackup(state: $0, since: try device.vault.beginBackup())
    }
    return try Vault.open(
      try LockedVault(path, settings: device.bench.settings),
      vaultKey: try device.vault.copyOfKey(), device: device.bench.device,
      anchors: device.bench.anchors, settings: device.bench.settings,
      for: .backup(validToday: nil))
  }

  @Test func `a backup of the same device goes on in its space, with today's members`() throws {
    let (one, other, shared) = try pair()
    _ = try one.write("first")
    for device in [one, other] { try device.sync() }
    let backup = try backUp(one, "same")
    let third = try SharingDevice(shared)
    try shared.exchange(third.vault)
    try third.vault.recoverSpace(recovery: try spaceCode(), name: "third")
    try third.sync()
    _ = try one.write("after the backup")
    for device in [one, third] { try device.sync() }
    let before = try #require(try one.vault.spaceRecord())
    #expect(try one.vault.restore(backup) == nil)
    let after = try #require(try one.vault.spaceRecord())
    #expect(after.member.id == before.member.id && after.roster?.active.count == 3)
    #expect(after.keys.count == before.keys.count)
    _ = try one.sync()
    #expect(try one.texts == ["after the backup", "first"])
    _ = try one.write("later")
    for device in [one, third] { try device.sync() }
    #expect(try third.texts == ["after the backup", "first", "later"])
  }

  /// Whoever can write the file must not take a device out of its space without its owner's hearing of it.
  ///
  /// - Parameter rotates: whether the key is replaced; else a backup is restored.
  @Test(arguments: [false, true])
  func `a space whose record is damaged is left knowingly`(rotates: Bool) throws {
    let (one, other, _) = try pair()
    _ = try one.write("first")
    for device in [one, other] { try device.sync() }
    let backup = try backUp(one, "same")
    let rows = try RowStore(one.bench.file, .readWrite, schema: .vault)
    try rows.transaction { () throws(StoreError) in
      try rows.run("UPDATE replica SET sealed = zeroblob(length(sealed)) WHERE id = 0")
    }
    #expect(try one.vault.sharesWithDevices())
    let former =
      rotates
      ? try one.vault.rotate(
        recovery: try spaceCode("aaaaaaaaaaaaaaaa"), passphrase: nil, limits: Workbench.limits,
        deviceKey: try SecretBytes.random()) : try one.vault.restore(backup)
    #expect(try #require(former).id.isEmpty)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(SpaceMirror(VaultFolder(one.vault.path)).names().isEmpty)
    #expect(try one.texts == ["first"])
    #expect(try one.vault.verify().problems.isEmpty)
  }

  @Test func `a backup brings no membership back`() throws {
    let (one, _, _) = try pair()
    _ = try one.write("first")
    try one.sync()
    // Of the same key, from a space that was left since.
    let left = try backUp(one, "left")
    try one.vault.leaveSpace()
    #expect(try one.vault.restore(left) == nil)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(try one.vault.verify().problems.isEmpty)
    // From before another space.
    try one.vault.beginSpace(recovery: try spaceCode("another sixteen!"), name: "new")
    let device = try #require(try one.vault.spaceRecord()?.member.id.text)
    #expect(try one.vault.restore(left)?.id == device)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(try one.texts == ["first"])
    #expect(try one.vault.verify().problems.isEmpty)
  }
}
