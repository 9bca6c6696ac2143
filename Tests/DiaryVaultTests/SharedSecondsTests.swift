import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// Entries of one second stand in one order on every device.
@Suite struct SharedSecondsTests {
  private func items(_ range: Range<Int>, day: Int = 18_000) throws -> [ImportItem] {
    try range.map { number in
      .entry(ImportedEntry(draft: try EntryDraft("", day: day, title: "\(number)")))
    }
  }

  private func titles(of device: SharingDevice) throws -> [String] {
    try device.vault.all().compactMap(\.title)
  }

  @Test func `an import without times keeps its order on every device`() throws {
    let (one, other, shared) = try pair()
    // More than a page has.
    _ = try one.vault.take(try items(0..<200))
    try one.sync()
    try other.sync()
    let order = try titles(of: one)
    #expect(Set(order).count == 200)
    #expect(try titles(of: other) == order)
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "tablet")
    #expect(try titles(of: third) == order)
    for device in [one, other, third] {
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `entries of a second of several devices have one order`() throws {
    let (one, other, _) = try pair()
    for (device, name) in [(one, "a"), (other, "b"), (one, "c"), (other, "d"), (other, "e")] {
      _ = try device.write(name, title: name)
    }
    let gone = try other.write("f", title: "f")
    _ = try other.vault.delete([.id(gone)])
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    let order = try titles(of: one)
    #expect(order.count == 5)
    #expect(try titles(of: other) == order)
    // Those of one device stay in the order in which it wrote them.
    #expect(order.filter { "ac".contains($0) } == ["c", "a"])
    #expect(order.filter { "bde".contains($0) } == ["e", "d", "b"])
    // From the trash, too.
    _ = try one.vault.restore([.id(gone)])
    for device in [one, other] { try device.sync() }
    #expect(try titles(of: one) == titles(of: other))
    for device in [one, other] {
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `an entry that moves into another's second takes the same place everywhere`() throws {
    let (one, other, _) = try pair()
    _ = try one.vault.take(try items(0..<3, day: 18_000))
    try one.sync()
    try other.sync()
    _ = try other.vault.take(try items(3..<6, day: 18_001))
    _ = try one.vault.take(try items(6..<9, day: 18_002))
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    let entries = try one.vault.all()
    let date = try #require(entries.first { $0.title == "4" }).date
    for (device, title) in [(one, "7"), (other, "8"), (one, "1"), (other, "0")] {
      var change = EntryChange()
      change.date = date
      let id = try #require(entries.first { $0.title == title }).id
      _ = try device.vault.edit(.id(id), change)
    }
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    #expect(try titles(of: one) == titles(of: other))
    #expect(try titles(of: one).count == 9)
    for device in [one, other] {
      #expect(try device.sync().pushed == 0)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }
}
