import Entries
import Testing

@testable import DiaryVault

/// What other devices remove waits for a yes where it is much, and was here.
@Suite struct RemovalConsentTests {
  private func write(_ count: Int, _ device: SharingDevice) throws -> [EntryReference] {
    try (0..<count).map { .id(try device.write("entry \($0) of \(count)")) }
  }

  @Test func `nobody is asked of entries that came and went while this device was away`() throws {
    let (one, other, _) = try pair()
    _ = try write(5, one)
    for device in [one, other] { try device.sync() }
    let gone = try write(30, one)
    try one.sync()
    _ = try one.vault.delete(gone)
    try one.sync()
    let report = try other.sync()
    #expect(report.removals == 0 && report.troubles.isEmpty)
    #expect(try other.texts == one.texts)
    #expect(try other.texts.count == 5)
  }

  @Test func `nor does a device that comes in, of all that ever was there`() throws {
    let (one, _, shared) = try pair()
    _ = try one.vault.delete(try write(30, one))
    try one.sync()
    _ = try one.vault.purge(nil)
    _ = try write(3, one)
    try one.sync()
    let third = try SharingDevice(shared)
    #expect(try join(third, by: one, name: "third").removals == 0)
    #expect(try third.texts == one.texts)
  }

  @Test(arguments: [false, true])
  func `a device that joins again is asked of what it still has`(isPurged: Bool) throws {
    let (one, other, _) = try pair()
    let gone = try write(30, one)
    _ = try write(4, one)
    for device in [one, other] { try device.sync() }
    try other.vault.leaveSpace()
    _ = try one.vault.delete(gone)
    if isPurged { _ = try one.vault.purge(nil) }
    try one.sync()
    let report = try join(other, by: one, name: "again")
    #expect(report.removals == (isPurged ? 0 : 30))
    #expect(try other.vault.all().count == 34)
    #expect(try other.vault.syncStatus()?.removals == report.removals)
    for device in [other, one, other] { try device.sync(allowing: .max) }
    // What was deleted for good stays, as this device had it when it joined.
    for device in [one, other] { #expect(try device.vault.all().count == (isPurged ? 34 : 4)) }
  }
}
