import Bytes
import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// A purge takes what its author was shown from every device, and nothing else.
@Suite struct PurgedTextTests {
  private func purge(_ id: EntryID, by device: SharingDevice) throws {
    _ = try device.vault.delete([.id(id)])
    _ = try device.vault.purge(nil)
  }

  /// Every text in every revision of every entry.
  private func texts(_ device: SharingDevice) throws -> Set<String> {
    let snapshot = try Snapshot(device.vault)
    var texts: Set<String> = []
    for entry in try device.vault.all() {
      for old in try snapshot.history(.id(entry.id)) {
        texts.insert(try snapshot.entry(.id(entry.id), revision: old.revision).body ?? "")
      }
    }
    return texts
  }

  /// Three devices with an entry that was edited once.
  private func written() throws -> (devices: [SharingDevice], id: EntryID) {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let id = try one.write("secret", title: "hush", tags: ["s"])
    try one.sync()
    try one.edit(id, "clean")
    for device in [one, other, third] { try device.sync() }
    return ([one, other, third], id)
  }

  private func meet(_ devices: [SharingDevice]) throws {
    for device in devices + devices + devices {
      #expect(try device.sync(allowing: .max).troubles.filter(\.isFailure) == [])
    }
    #expect(Set(try devices.map { try $0.vault.syncStatus()?.digest }).count == 1)
    for device in devices { #expect(try device.vault.verify().problems.isEmpty) }
  }

  /// Nobody is told in between, and its revisions count from 1 again.
  @Test(arguments: [0, 1, 2], [0, 1])
  func `an entry that was purged and imported again is told as another`(
    edits: Int, again: Int
  ) throws {
    let (one, other, _) = try pair()
    let id = try one.write("secret")
    for edit in 0..<edits { try one.edit(id, "secret \(edit)") }
    try meet([one, other])
    try purge(id, by: one)
    let draft = try EntryDraft("imported")
    _ = try one.vault.take([.entry(ImportedEntry(id: id, draft: draft))])
    for edit in 0..<min(again, edits) { try one.edit(id, "imported \(edit)") }
    try meet([one, other])
    let expected = Set(["imported"] + (0..<min(again, edits)).map { "imported \($0)" })
    for device in [one, other] { #expect(try texts(device) == expected) }
    var star = EntryChange()
    star.starred = true
    _ = try other.vault.edit(.id(id), star)
    try meet([one, other])
    for device in [one, other] { #expect(try texts(device) == expected) }
  }

  @Test(arguments: [true, false])
  func `a star or a tag that crosses a purge brings nothing back`(_ isTag: Bool) throws {
    let (devices, id) = try written()
    var change = EntryChange()
    if isTag { change.addTags = ["mine"] } else { change.starred = true }
    _ = try devices[1].vault.edit(.id(id), change)
    try purge(id, by: devices[0])
    try meet(devices)
    for device in devices { #expect(try texts(device).isEmpty) }
  }

  @Test func `an edit that crosses a purge keeps itself, its date and its star`() throws {
    let (devices, id) = try written()
    var star = EntryChange()
    star.starred = true
    _ = try devices[0].vault.edit(.id(id), star)
    for device in devices { try device.sync() }
    let date = try #require(try devices[0].vault.all().first?.date)
    try devices[1].edit(id, "mine")
    try purge(id, by: devices[0])
    try meet(devices)
    for device in devices {
      #expect(try texts(device) == ["mine"])
      let entry = try #require(try device.vault.all().first)
      #expect(entry.title == nil && entry.tags == [] && entry.starred && entry.date == date)
    }
  }

  @Test func `of a conflict the text goes that was purged`() throws {
    let (devices, id) = try written()
    try devices[0].edit(id, "by one")
    try devices[1].edit(id, "by the other")
    for device in [devices[0], devices[2]] { try device.sync() }
    try purge(id, by: devices[2])
    try meet(devices)
    for device in devices { #expect(try texts(device) == ["by the other"]) }
    #expect(try devices[0].vault.conflicts(nil).isEmpty)
  }
}
