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
  @Test func `a rotation leaves the space, and no key of it stays under the new key`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    for device in [one, other] { try device.sync() }
    let member = try #require(try one.vault.spaceRecord()?.member.id.text)
    let former = try one.vault.rotate(
      recovery: try spaceCode("aaaaaaaaaaaaaaaa"), passphrase: nil, limits: Workbench.limits,
      deviceKey: try SecretBytes.random())
    #expect(former?.id == member)
    #expect(try one.vault.spaceRecord() == nil)
    let left = try #require(try Snapshot(one.vault).catalogue.keptSpaceRecord())
    #expect(left.keys.isEmpty && left.roster == nil && left.space == nil)
    #expect(left.member.id.text != member)
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

  @Test func `a backup of a diary that is shared changes nothing that is the same`() throws {
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
    #expect(try one.vault.restore(backup).broughtBack == 0)
    let after = try #require(try one.vault.spaceRecord())
    #expect(after.member.id == before.member.id && after.roster?.active.count == 3)
    #expect(after.keys.count == before.keys.count)
    _ = try one.sync()
    #expect(try one.texts == ["after the backup", "first"])
    _ = try one.write("later")
    for device in [one, third] { try device.sync() }
    #expect(try third.texts == ["after the backup", "first", "later"])
  }

  /// They are the same ones still: an old name beside the new one would be a second journal and a second kind.
  @Test func `journals and kinds get back what they were called`() throws {
    let (one, other, _) = try pair()
    _ = try one.vault.change(names: .addKind(Kind(id: 0, name: "walk", emoji: "🥾")))
    _ = try one.vault.change(names: .addJournal(Journal(id: 0, name: "Alps", emoji: "🏔")))
    var change = EntryChange()
    (change.kind, change.journal) = (.set("walk"), .set("Alps"))
    let id = try one.write("up the hill")
    _ = try one.vault.edit(.id(id), change)
    for device in [one, other] { try device.sync() }
    let backup = try backUp(one, "names")
    _ = try one.vault.change(names: .renameKind("walk", to: "stroll"))
    _ = try one.vault.change(names: .renameJournal("Alps", to: "Mountains"))
    for device in [one, other] { try device.sync() }
    _ = try one.vault.restore(backup)
    for device in [one, other, one] { try device.sync() }
    for device in [one, other] {
      let names = try Snapshot(device.vault).register()
      #expect(names.ownKinds.map(\.name) == ["walk"] && names.ownKinds.map(\.emoji) == ["🥾"])
      #expect(names.journals.map(\.name) == ["Alps"] && names.journals.map(\.emoji) == ["🏔"])
      let content = try #require(try device.vault.all().first).content
      #expect(content.kind == "walk" && content.journal == "Alps")
    }
  }

  /// A mistake that has reached the other devices is undone on all of them.
  @Test func `what others were told is brought back to all of them`() throws {
    let (one, other, _) = try pair()
    let ids = try ["purged", "changed", "in the trash", "the same"].map { try one.write($0) }
    try one.edit(ids[0], "purged, twice written")
    let photo = try one.vault.stage(Array(repeating: 7, count: 100_000), name: "a.jpg")
    var change = EntryChange()
    change.attach = [photo]
    _ = try one.vault.edit(.id(ids[1]), change)
    change.attach = [try one.vault.stage(Array(repeating: 8, count: 100_000), name: "b.jpg")]
    _ = try one.vault.edit(.id(ids[0]), change)
    for device in [one, other] { try device.sync() }
    let backup = try backUp(one, "before")

    _ = try one.vault.delete([.id(ids[0])])
    _ = try one.vault.purge(nil)
    _ = try one.vault.delete([.id(ids[2])])
    var mistake = EntryChange()
    mistake.body = "spoilt"
    mistake.detach = ["a.jpg"]
    _ = try one.vault.edit(.id(ids[1]), mistake)
    _ = try one.write("written since")
    for device in [one, other, one] { try device.sync(allowing: .max, compacting: true) }
    #expect(try other.texts == ["spoilt", "the same", "written since"])

    let restored = try one.vault.restore(backup)
    #expect(restored.broughtBack == 3 && restored.former == nil)
    #expect(try one.vault.restore(backup).broughtBack == 0)
    let texts = ["changed", "in the trash", "purged, twice written", "the same", "written since"]
    #expect(try one.texts == texts)
    // None of it is asked about, and none of it goes again.
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    for device in [one, other] {
      #expect(try device.texts == texts)
      #expect(try device.vault.read("a.jpg", of: ids[1]).count == 100_000)
      #expect(try device.vault.read("b.jpg", of: ids[0]).count == 100_000)
      #expect(try device.vault.verify().problems.isEmpty)
    }
    // What was a mistake stays in the history, and what was purged has its own.
    let snapshot = try Snapshot(one.vault)
    for (id, text) in [(ids[1], "spoilt"), (ids[0], "purged")] {
      let revisions = try snapshot.history(.id(id)).map(\.revision)
      #expect(
        try revisions.contains { try snapshot.entry(.id(id), revision: $0).body == text })
    }
    _ = try one.write("later")
    for device in [one, other] { try device.sync() }
    #expect(try other.texts.contains("later"))
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
        deviceKey: try SecretBytes.random()) : try one.vault.restore(backup).former
    #expect(try #require(former).id.isEmpty)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(SpaceMirror(VaultFolder(one.vault.path)).names().isEmpty)
    #expect(try one.texts == ["first"])
    #expect(try one.vault.verify().problems.isEmpty)
  }

  @Test func `a backup brings no membership back, and takes none away`() throws {
    let (one, _, _) = try pair()
    _ = try one.write("first")
    try one.sync()
    // Of the same key, from a space that was left since.
    let left = try backUp(one, "left")
    try one.vault.leaveSpace()
    #expect(try one.vault.restore(left).former == nil)
    #expect(try one.vault.spaceRecord() == nil)
    #expect(try one.vault.verify().problems.isEmpty)
    // From before another space.
    try one.vault.beginSpace(recovery: try spaceCode("another sixteen!"), name: "new")
    let device = try #require(try one.vault.spaceRecord()?.member.id.text)
    #expect(try one.vault.restore(left).former == nil)
    #expect(try one.vault.spaceRecord()?.member.id.text == device)
    #expect(try one.texts == ["first"])
    #expect(try one.vault.verify().problems.isEmpty)
  }
}
