import Bytes
import Foundation
import Replication
import Testing

@testable import DiaryVault
@testable import Entries

/// What becomes of what a device wrote that was taken out.
@Suite struct RevocationTests {
  private func journals(_ device: SharingDevice) throws -> [String] {
    try Snapshot(device.vault).register().journals.map(\.name)
  }

  private func trash(_ device: SharingDevice) throws -> [EntryID] {
    var filter = EntryFilter()
    filter.trash = true
    return try device.vault.all(filter).map(\.id)
  }

  /// A member chooses its name, and its id not.
  @Test func `no name keeps a device from being taken out by its id`() throws {
    let (one, other, shared) = try pair()
    let id = try #require(
      try one.vault.syncStatus()?.devices.first { !$0.isThis }?.id)
    for name in ["phone", id, String(id.prefix(8)), String(id.prefix(9))] {
      try join(try SharingDevice(shared), by: one, name: name)
    }
    let error = #expect(throws: VaultError.self) {
      try one.vault.revoke("phone", recovery: try spaceCode())
    }
    #expect(error?.code == .ambiguous && error?.candidates.count == 2)
    #expect(error?.candidates.contains("\(id.prefix(8)) (phone)") == true)
    #expect(
      try one.vault.revoke(id.prefix(8).uppercased(), recovery: try spaceCode()).name == "phone")
    try one.sync()
    #expect(try other.sync().troubles.contains(.closed))
  }

  /// It has what the others have removed since.
  @Test func `a revoked device misses nothing at the place`() throws {
    let (one, other, _) = try pair()
    let id = try other.write("to be purged")
    for device in [other, one, other] { try device.sync() }
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    for _ in 0..<3 { try one.sync(compacting: true) }
    for _ in 0..<2 { #expect(try other.sync().troubles == [.closed]) }
  }

  @Test func `a revoked device is heard no more`() throws {
    let (one, other, _) = try pair()
    _ = try one.write("before")
    for device in [one, other, one] { try device.sync() }
    #expect(throws: VaultError.self) {
      _ = try one.vault.revoke("phone", recovery: try spaceCode("0000000000000000"))
    }
    #expect(try one.vault.revoke("phone", recovery: try spaceCode()).name == "phone")
    try one.sync()
    _ = try one.write("after")
    try one.sync()
    // It had not heard of it when it wrote.
    _ = try other.write("from the thief")
    let there = try Reconciliation(other.vault).finish()
    #expect(there.pushed == 1)
    try other.shared.exchange(other.vault)
    let refused = try one.sync()
    #expect(refused.troubles == [.wroteAfterRevocation(device: "phone")])
    #expect(try one.texts == ["after", "before"])
    let closed = try other.sync()
    #expect(closed.troubles.contains(.closed))
    #expect(try !other.texts.contains("after"))
  }

  @Test func `a revocation names the devices that the revoked one let in`() throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "tv")
    let fourth = try SharingDevice(shared)
    try join(fourth, by: third, name: "frame")
    for device in [other, one] { try device.sync() }
    let revoked = try one.vault.revoke("phone", recovery: try spaceCode())
    #expect(revoked.letIn.map { $0.split(separator: " ").first ?? "" }.sorted() == ["frame", "tv"])
    // One that let in nobody.
    try one.sync()
    #expect(try one.vault.revoke("frame", recovery: try spaceCode()).letIn.isEmpty)
  }

  @Test func `a revoked device is told so at once, lets in nobody and revokes nobody`() throws {
    let (one, other, _) = try pair()
    for device in [one, other, one] { try device.sync() }
    #expect(try other.vault.requireRoom() == one.vault.requireRoom())
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    try one.sync()
    #expect(try other.sync().troubles == [.closed])
    // What it writes goes nowhere: it is told each time.
    _ = try other.write("alone")
    #expect(try other.sync().troubles == [.closed])
    #expect(throws: VaultError.self) { _ = try other.vault.requireRoom() }
    // Nor does it revoke one whose entries it cannot read, also with the recovery code: they would go to the trash everywhere.
    #expect(throws: VaultError(.conflict, .device, "phone", .wasRevoked)) {
      _ = try other.vault.revoke("laptop", recovery: try spaceCode())
    }
    #expect(try one.sync().troubles.isEmpty)
  }

  @Test
  func `what was written after a revocation counts nowhere, and is in the trash where it had come`()
    throws
  {
    let (one, thief, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [thief, one] { try device.sync() }
    let precious = try one.write("precious")
    let edited = try one.write("to be edited")
    _ = try one.vault.change(names: .addJournal(Journal(id: 0, name: "Travel")))
    for device in [one, thief, third] { try device.sync() }
    // The revocation is made, and did not arrive anywhere yet.
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    let between = try thief.write("in between")
    try thief.edit(edited, "edited by the thief")
    _ = try thief.vault.delete([.id(precious)])
    _ = try thief.vault.purge(nil)
    _ = try thief.vault.change(names: .removeJournal("Travel", entriesTo: nil))
    try thief.sync()
    try third.sync()
    #expect(try third.texts == ["edited by the thief", "in between"])
    #expect(try journals(third).isEmpty)
    _ = try third.write("by the third")
    try third.sync()
    _ = try thief.write("too late")
    try thief.sync()
    // What the third merged is here, too, as what it follows, and does nothing.
    let report = try one.sync()
    #expect(try one.texts == ["by the third", "precious", "to be edited"])
    #expect(try journals(one) == ["Travel"])
    #expect(report.troubles == [.wroteAfterRevocation(device: "phone")])
    #expect(try one.sync().troubles.isEmpty)
    // It goes on in the new epoch.
    try third.sync()
    #expect(try third.texts == ["by the third", "precious", "to be edited"])
    #expect(try journals(third) == ["Travel"])
    _ = try third.write("after all")
    for device in [third, one, third] { try device.sync() }
    for device in [third, one] {
      #expect(try device.texts == ["after all", "by the third", "precious", "to be edited"])
      #expect(try trash(device) == [between])
      #expect(try device.vault.verify().isWhole)
    }
    #expect(try one.vault.syncStatus()?.digest == third.vault.syncStatus()?.digest)
    // Its owner decides about what the third had.
    _ = try one.vault.restore([.id(between)])
    for device in [one, third] { try device.sync() }
    #expect(try third.texts.contains("in between"))
    // Whoever comes in then sees the same.
    let fourth = try SharingDevice(shared)
    try join(fourth, by: third, name: "fourth")
    #expect(try fourth.texts == one.texts)
  }

  @Test func `what one went on with before they heard of a revocation stays`() throws {
    let (one, thief, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [thief, one] { try device.sync() }
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    let id = try thief.write("from the phone")
    try thief.sync()
    try third.sync()
    var change = EntryChange()
    change.addTags = ["mine"]
    _ = try third.vault.edit(.id(id), change)
    try third.sync()
    for device in [one, third, one] { try device.sync() }
    #expect(try one.texts == ["from the phone"])
    #expect(try third.texts == ["from the phone"])
    #expect(try trash(third).isEmpty)
  }

  @Test func `what may lead to a listed segment that has not come counts until that is known`()
    throws
  {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [other, one] { try device.sync() }
    _ = try other.write("first")
    for device in [other, third] { try device.sync() }
    _ = try other.write("second")
    for device in [other, one] { try device.sync() }
    let last = try #require(
      shared.logs.filter { $0.device == other.id }.max { $0.sequence < $1.sequence })
    let object = try #require(shared.store[.log(last)])
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    try one.sync()
    shared.lose { $0 == .log(last) }
    // The revocation came before what it lists.
    try third.sync()
    #expect(try third.texts == ["first"])
    #expect(try trash(third).isEmpty)
    shared.put(.log(last), object)
    try third.sync()
    #expect(try third.texts == ["first", "second"])
  }

  /// Three devices, of which the first has revoked the second and the third has not heard of it.
  private func revoked(
    _ before: (SharingDevice) throws -> Void = { _ in }
  ) throws -> (one: SharingDevice, thief: SharingDevice, third: SharingDevice, Shared) {
    let (one, thief, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    try before(one)
    for device in [one, thief, third, one] { try device.sync() }
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    return (one, thief, third, shared)
  }

  @Test func `entries stay in their journal when what was done to it counts no more`() throws {
    var id: EntryID?
    let (one, thief, third, _) = try revoked { one in
      _ = try one.vault.change(names: .addJournal(Journal(id: 0, name: "Travel")))
      var draft = try EntryDraft("in Kyoto")
      draft.content.journal = "Travel"
      id = try one.vault.add(draft).id
    }
    let entry = try #require(id)
    _ = try thief.vault.change(names: .renameJournal("Travel", to: "Gone"))
    _ = try thief.vault.change(names: .removeJournal("Gone", entriesTo: nil))
    for device in [thief, third] { try device.sync() }
    #expect(try journals(third).isEmpty)
    for device in [one, third] { try device.sync() }
    #expect(try third.vault.all().map(\.journal) == ["Travel"])
    var star = EntryChange()
    star.starred = true
    _ = try third.vault.edit(.id(entry), star)
    for device in [third, one] { try device.sync() }
    #expect(try one.vault.all().map(\.journal) == ["Travel"])
    #expect(try one.vault.all().map(\.starred) == [true])
  }

  @Test func `a text that somebody kept is shown beside another on all devices`() throws {
    var id: EntryID?
    let (one, thief, third, _) = try revoked { id = try $0.write("first") }
    let entry = try #require(id)
    try thief.edit(entry, "by the phone")
    try third.edit(entry, "by the third")
    try thief.sync()
    try third.sync()
    var change = EntryChange()
    change.addTags = ["seen"]
    _ = try third.vault.edit(.id(entry), change)
    for device in [third, one, third, one] { try device.sync() }
    for device in [one, third] {
      #expect(Set(try device.conflicting) == ["by the phone", "by the third"])
      #expect(try device.vault.verify().isWhole)
    }
  }

  @Test func `what a thief purged comes back with its history and all its texts`() throws {
    let (one, thief, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let entry = try one.write("first")
    for device in [one, thief, third] { try device.sync() }
    try one.edit(entry, "by one")
    try third.edit(entry, "by the third")
    for device in [one, third, one, third, thief] { try device.sync() }
    #expect(try third.vault.conflicts(nil).count == 1)
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    _ = try thief.vault.delete([.id(entry)])
    _ = try thief.vault.purge(nil)
    for device in [thief, third] { try device.sync() }
    #expect(try third.vault.all().isEmpty)
    for device in [one, third, one] { try device.sync() }
    for device in [one, third] {
      #expect(try device.vault.conflicts(nil).count == 1)
      let snapshot = try Snapshot(device.vault)
      let texts = try snapshot.history(.id(entry)).map {
        try snapshot.entry(.id(entry), revision: $0.revision).body
      }
      #expect(Set(texts) == ["first", "by one", "by the third"])
      #expect(try device.vault.verify().isWhole)
    }
    #expect(try trash(third).isEmpty)
  }

  @Test func `a pack of a device that was taken out brings nothing in`() throws {
    let (one, thief, third, shared) = try revoked()
    for number in 0..<9 {
      _ = try thief.write("void \(number)")
      try thief.sync()
    }
    try thief.sync(compacting: true)
    #expect(!shared.packs.isEmpty)
    for device in [one, third, one, third] { try device.sync() }
    for device in [one, third] {
      #expect(try device.texts.isEmpty && trash(device).isEmpty)
      let store = try #require(try ReplicaStore(try Snapshot(device.vault).catalogue))
      #expect(!store.replica.devices.contains(try #require(thief.id)))
      #expect(shared.packs.allSatisfy { store.record.packs[$0].map { $0.partial != nil } == true })
    }
  }

  @Test func `what follows a pack that was passed over is merged all the same`() throws {
    let (one, thief, third, shared) = try revoked()
    for number in 0..<9 {
      _ = try thief.write("void \(number)")
      try thief.sync()
    }
    for _ in 0..<3 { try thief.sync(compacting: true) }
    #expect(!shared.packs.isEmpty && !shared.logs.contains { $0.device == thief.id })
    // It has not heard, and writes on top of it.
    try third.sync()
    #expect(try third.texts.count == 9)
    for _ in 0..<2 { try one.sync() }
    #expect(try one.texts.isEmpty)
    _ = try third.write("after it")
    for device in [third, one, third, one] { try device.sync() }
    #expect(try one.texts == ["after it"])
    #expect(try third.texts == ["after it"])
    #expect(try trash(one).count == 9)
    // Nothing of it stays once the trash is emptied.
    _ = try one.vault.purge(nil)
    for device in [one, third, one, third] { try device.sync(allowing: .max) }
    #expect(try trash(third).isEmpty)
    #expect(try one.vault.syncStatus()?.digest == third.vault.syncStatus()?.digest)
  }

  @Test func `what was done here is told before anything counts no more`() throws {
    var id: EntryID?
    let (one, thief, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    id = try one.write("to be purged")
    for device in [one, thief, third] { try device.sync() }
    let entry = try #require(id)
    // The revocation follows a record that has not come yet.
    let before = shared.store
    let fourth = try SharingDevice(shared)
    try join(fourth, by: one, name: "fourth")
    _ = try one.vault.revoke("phone", recovery: try spaceCode())
    try thief.edit(entry, "by the phone")
    for device in [thief, third] {
      let added = shared.store.filter { name, _ in
        if case .roster = name { before[name] == nil } else { false }
      }
      shared.lose { added[$0] != nil }
      try device.sync()
      for (name, bytes) in added { shared.put(name, bytes) }
    }
    #expect(try third.texts == ["by the phone"])
    _ = try third.vault.delete([.id(entry)])
    _ = try third.vault.purge(nil)
    try one.sync()
    let admissions = shared.store.filter { name, _ in
      if case .roster(let depth, _) = name { before[name] == nil && depth < 4 } else { false }
    }
    shared.lose { admissions[$0] != nil }
    try third.sync()
    for (name, bytes) in admissions { shared.put(name, bytes) }
    for device in [third, one, third, one] { try device.sync(allowing: .max) }
    #expect(try one.texts == third.texts)
    #expect(try third.vault.verify().isWhole)
  }
}
