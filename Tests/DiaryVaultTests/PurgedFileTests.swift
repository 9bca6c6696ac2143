import Bytes
import Foundation
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// Photos and files of entries that were purged, and much that is purged at once.
@Suite struct PurgedFileTests {
  private func photo(_ device: SharingDevice, _ byte: UInt8) throws -> EntryID {
    var draft = try EntryDraft("with a photo")
    draft.attachments = [
      try device.vault.stage(
        [UInt8](repeating: byte, count: 50_000), name: "a.jpg", type: "image/jpeg")
    ]
    return try device.vault.add(draft).id
  }

  private func objects(_ device: SharingDevice) throws -> Int {
    try VaultFolder(device.vault.path).objectNames().count
  }

  private func lost(_ device: SharingDevice) throws -> [ObjectPath] {
    let mirror = SpaceMirror(VaultFolder(device.vault.path))
    return mirror.plan(Set(device.shared.store.keys)).lost
  }

  @Test func `a purged photo goes on every device and is not called lost`() throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 1)
    for device in [one, other, other] { try device.sync() }
    #expect(try objects(other) == 1)
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    try one.sync()
    try other.sync()
    #expect(try objects(one) == 0 && objects(other) == 0)
    for _ in 0..<3 {
      for device in [one, other] { try device.sync(compacting: true) }
    }
    #expect(shared.files == 0)
    for device in [one, other] {
      #expect(try device.sync().troubles.isEmpty)
      #expect(try lost(device).isEmpty)
      #expect(try device.vault.verify().problems.isEmpty)
    }
    // Repairing does not bring it back.
    try shared.exchange(other.vault, repairing: true)
    #expect(shared.files == 0)
  }

  /// Whoever was away for both merges them at once.
  @Test func `a photo that comes with its purge is waited for by nobody`() throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 5)
    try one.sync()
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    try one.sync()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [other, third, other, third] {
      let report = try device.sync()
      #expect(report.missingFiles == 0 && report.troubles.isEmpty)
      #expect(try objects(device) == 0)
    }
    for _ in 0..<2 { try third.sync(compacting: true) }
    #expect(shared.files == 0)
    for device in [one, other, third] {
      try shared.exchange(device.vault, repairing: true)
      #expect(try shared.files == 0 && device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `a photo that has not come is no loss and no attack`() throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 6)
    try one.sync()
    let held = shared.store.filter { if case .object = $0.key { true } else { false } }
    shared.lose { if case .object = $0 { true } else { false } }
    #expect(try other.sync().missingFiles == 1)
    #expect(try other.vault.verify().problems.isEmpty)
    let error = #expect(throws: VaultError.self) { try other.vault.read("a.jpg", of: id) }
    #expect(error?.code == .notFound && error?.reason == .hasNotArrived)
    for (name, bytes) in held { shared.put(name, bytes) }
    for _ in 0..<2 { try other.sync() }
    #expect(try other.vault.read("a.jpg", of: id).count == 50_000)
    // One that had come and is gone is a loss.
    let object = try #require(try VaultFolder(other.vault.path).objectNames().first)
    try FileManager.default.removeItem(atPath: other.vault.path + "/objects/" + object.text)
    #expect(try !other.vault.verify().problems.isEmpty)
  }

  /// Whoever purged the entry had not seen it.
  @Test func `a photo that somebody added meanwhile stays when its entry is purged`() throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 7)
    for device in [one, other, other] { try device.sync() }
    var change = EntryChange()
    change.attach = [
      try other.vault.stage(
        [UInt8](repeating: 8, count: 40_000), name: "b.jpg", type: "image/jpeg")
    ]
    _ = try other.vault.edit(.id(id), change)
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    try one.sync()
    #expect(try other.sync().troubles.contains(.survived(1, [id])))
    for device in [one, other, one, other] { try device.sync(compacting: true) }
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [one, other, third] {
      let report = try device.sync()
      #expect(report.troubles.isEmpty && report.missingFiles == 0)
      let entry = try #require(try device.vault.all().first)
      #expect(entry.title == nil && entry.body?.isEmpty ?? true && entry.trashed == nil)
      #expect(entry.attachments.map(\.name) == ["b.jpg"])
      #expect(try device.vault.read("b.jpg", of: entry.id).count == 40_000)
      #expect(try device.vault.verify().problems.isEmpty)
      #expect(try objects(device) == 1)
    }
    // It goes on as any other entry.
    try other.edit(id, "what it shows")
    for device in [other, one, third, other] { try device.sync() }
    for device in [one, other, third] { #expect(try device.texts == ["what it shows"]) }
  }

  @Test func `photos and tags stand in one order on every device`() throws {
    let (one, other, _) = try pair()
    var draft = try EntryDraft("with photos")
    draft.content.tags = ["z", "a", "m"]
    for (number, name) in ["c.jpg", "a.jpg", "d.jpg", "b.jpg"].enumerated() {
      draft.attachments.append(
        try one.vault.stage(
          [UInt8](repeating: UInt8(number), count: 500), name: name, type: "image/jpeg"))
    }
    let id = try one.vault.add(draft).id
    for device in [one, other, one] { try device.sync() }
    for device in [one, other] {
      let entry = try #require(try device.vault.all().first { $0.id == id })
      #expect(entry.attachments.map(\.name) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
      #expect(entry.tags == ["a", "m", "z"])
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.read("d.jpg", of: id) == [UInt8](repeating: 2, count: 500))
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `a photo that another entry has stays when one with it is purged`() throws {
    let (one, other, _) = try pair()
    let id = try photo(one, 2)
    for device in [one, other, other] { try device.sync() }
    // The same photo, by the other device: in the history of an entry alone.
    var draft = try EntryDraft("kept")
    draft.attachments = [
      try other.vault.stage(
        [UInt8](repeating: 2, count: 50_000), name: "b.jpg", type: "image/jpeg")
    ]
    let kept = try other.vault.add(draft).id
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    for device in [one, other, one, other] { try device.sync() }
    #expect(try other.vault.read("b.jpg", of: kept).count == 50_000)
    #expect(try one.vault.read("b.jpg", of: kept).count == 50_000)
  }

  /// - Parameter isBefore: whether the photo is attached again before the other device takes it from the place.
  @Test(arguments: [false, true])
  func `a purged photo that is attached again is sent again`(isBefore: Bool) throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 4)
    for device in [one, other, other] { try device.sync() }
    _ = try other.vault.delete([.id(id)])
    _ = try other.vault.purge(nil)
    for device in [other, one, other] { try device.sync(allowing: .max) }
    let again = isBefore ? try photo(one, 4) : nil
    for _ in 0..<3 { try other.sync(compacting: true) }
    #expect(shared.files == 0)
    let entry = try again ?? photo(one, 4)
    for device in [one, other, one, other] { #expect(try device.sync().troubles.isEmpty) }
    #expect(try shared.files == 1 && lost(one).isEmpty && lost(other).isEmpty)
    #expect(try other.vault.read("a.jpg", of: entry).count == 50_000)
    #expect(try other.vault.verify().problems.isEmpty)
  }

  @Test func `a purge that crosses edits leaves both devices whole`() throws {
    let (one, other, shared) = try pair()
    let id = try photo(one, 3)
    for device in [one, other, other] { try device.sync() }
    try other.edit(id, "edited")
    var detach = EntryChange()
    detach.detach = ["a.jpg"]
    _ = try other.vault.edit(.id(id), detach)
    try other.edit(id, "edited again")
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    for _ in 0..<3 {
      for device in [one, other] { try device.sync(allowing: .max, compacting: true) }
    }
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    for device in [one, third, other, third] { try device.sync(allowing: .max) }
    for device in [one, other, third] {
      #expect(try device.sync(allowing: .max).troubles.isEmpty)
      #expect(try lost(device).isEmpty)
      #expect(try device.texts == ["edited again"])
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `a purged photo goes from the rows of a history that show several operations`() throws
  {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    let id = try one.write("first text")
    for device in [one, other, third] { try device.sync() }
    func purge(_ device: SharingDevice) throws {
      _ = try device.vault.delete([.id(id)])
      _ = try device.vault.purge(nil)
    }
    try one.edit(id, "second text")
    try purge(third)
    var change = EntryChange()
    change.attach = [
      try other.vault.stage([UInt8](repeating: 5, count: 5_000), name: "a.jpg", type: "image/jpeg")
    ]
    _ = try other.vault.edit(.id(id), change)
    // The second text and the photo meet; the first text is taken by a purge that knows of neither.
    for device in [other, one, third, one] { try device.sync(allowing: .max) }
    try purge(other)
    for _ in 0..<3 { for device in [one, other, third] { try device.sync(allowing: .max) } }
    for _ in 0..<2 {
      for device in [other, one, third] { try device.sync(allowing: .max, compacting: true) }
    }
    #expect(shared.files == 0)
    for device in [one, other, third] {
      #expect(try device.texts == ["second text"])
      #expect(try objects(device) == 0 && lost(device).isEmpty)
      #expect(try device.sync().troubles.isEmpty)
    }
  }

  @Test
  func `a photo that somebody took from the place with an entry of theirs is put there again`()
    throws
  {
    let (one, other, shared) = try pair()
    let id = try photo(other, 6)
    for device in [other, one, one, other] { try device.sync() }
    // The same photo in an entry that the other device has not heard of when it purges and compacts.
    let kept = try photo(other, 6)
    try other.sync()
    let last = try #require(
      shared.logs.filter { $0.device == other.id }.max { $0.sequence < $1.sequence })
    let hidden = try #require(shared.store[.log(last)])
    shared.lose { $0 == .log(last) }
    _ = try one.vault.delete([.id(id)])
    _ = try one.vault.purge(nil)
    for _ in 0..<3 { try one.sync(compacting: true) }
    #expect(shared.files == 0)
    shared.put(.log(last), hidden)
    for device in [other, one, other, one] { try device.sync(allowing: .max) }
    #expect(try shared.files == 1 && lost(other).isEmpty && lost(one).isEmpty)
    #expect(try one.vault.read("a.jpg", of: kept).count == 50_000)
    // Also when it is taken later.
    shared.lose { if case .object = $0 { true } else { false } }
    #expect(try lost(other).isEmpty)
    try other.sync()
    #expect(shared.files == 1)
  }

  /// As more than 100,000 at once are, which no reader takes in one segment.
  @Test func `many entries purged between two syncs are told in portions`() throws {
    let (one, other, shared) = try pair()
    for number in 0..<25 { _ = try one.write("\(number)") }
    let stays = try one.write("stays")
    try one.sync()
    try other.sync()
    let all = try one.vault.all().filter { $0.id != stays }
    _ = try one.vault.delete(all.map { .id($0.id) })
    _ = try one.vault.purge(nil)
    let telling = Reconciliation(one.vault)
    telling.removalsAtOnce = 10
    #expect(try telling.finish().pushed == 3)
    try shared.exchange(one.vault)
    #expect(try other.sync(allowing: .max).troubles.isEmpty)
    #expect(try other.texts == ["stays"])
    for device in [one, other] {
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }
}
