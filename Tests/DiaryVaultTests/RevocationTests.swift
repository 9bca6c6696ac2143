import Bytes
import Foundation
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

  @Test func `a revoked device is heard no more`() throws {
    let (one, other, _) = try pair()
    _ = try one.write("before")
    for device in [one, other, one] { try device.sync() }
    #expect(throws: VaultError.self) {
      _ = try one.vault.revoke("phone", recovery: try spaceCode("0000000000000000"))
    }
    #expect(try one.vault.revoke("phone", recovery: try spaceCode()) == "phone")
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
}
