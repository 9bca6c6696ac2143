import Foundation
import Replication
import Scratch
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// A device tells what it changed, cannot reach the place, and leaves or replaces the key of its diary.
@Suite struct UnsentSegmentTests {
  private func tell(_ device: SharingDevice) throws {
    try Reconciliation(device.vault).tell(within: .unlimited)
  }

  /// The segments that wait for the device to come in again.
  private func unsent(_ device: SharingDevice) -> [String] {
    let folder = device.vault.path + "/sync/unsent"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains("-") }
  }

  @Test(arguments: [SharingDevice.Leaving.leaves, .rotates])
  func `what was told and never sent is sent when the device is back`(
    leaving: SharingDevice.Leaving
  ) throws {
    let (one, other, _) = try pair()
    let id = try one.write("by one")
    let purged = try one.write("to be purged")
    try settle(one, other)
    try other.edit(id, "by other")
    for turn in 1...3 {
      _ = try other.write("told \(turn)")
      try tell(other)
      try other.leave(leaving)
      #expect(unsent(other).count == 1)
      if turn == 2 {
        // What waits has nothing to do with another space, nor with a request that nobody answers.
        _ = try other.vault.askToJoin(
          code: try spaceCode(), space: "0123456789ab", name: "mistake")
        #expect(unsent(other).count == 1)
        _ = try other.vault.delete([.id(purged)])
        _ = try other.vault.purge(nil)
      }
      try other.edit(id, "by other, \(turn)")
      try join(other, by: one, name: "again \(turn)")
      #expect(try other.vault.spaceRecord()?.former?.devices.count == turn)
      #expect(unsent(other).isEmpty)
      // The place lost nothing: it never had it.
      #expect(try other.sync(allowing: .max).troubles.isEmpty)
      try settle(one, other)
      // It is known what the last text followed, so that there is one.
      #expect(try one.vault.conflicts(nil).isEmpty)
    }
    for device in [one, other] {
      #expect(Set(try device.texts) == ["by other, 3", "told 1", "told 2", "told 3"])
    }
  }

  @Test func `nothing waits after a space was left where everything was sent`() throws {
    let (one, other, _) = try pair()
    _ = try other.write("sent")
    try settle(one, other)
    try other.leave()
    #expect(unsent(other).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.vault.path + "/sync").isEmpty)
  }

  @Test func `what waits goes when the diary begins a space of its own`() throws {
    let (one, other, _) = try pair()
    try settle(one, other)
    _ = try other.write("told")
    try tell(other)
    try other.leave()
    #expect(unsent(other).count == 1)
    other.shared = Shared()
    try other.vault.beginSpace(recovery: try spaceCode("another sixteen!"), name: "new")
    #expect(unsent(other).isEmpty)
    try other.sync()
    #expect(other.shared.logs.count == 1)
    #expect(try other.texts == ["told"])
  }

  /// A process that was killed between leaving and putting the segment aside.
  @Test func `what lies there still is put aside by the next join`() throws {
    let (one, other, _) = try pair()
    try settle(one, other)
    _ = try other.write("told")
    try tell(other)
    let sync = other.vault.path + "/sync"
    let kept = other.vault.path + "-kept"
    try FileManager.default.copyItem(atPath: sync, toPath: kept)
    try other.leave()
    try FileManager.default.removeItem(atPath: sync)
    try FileManager.default.moveItem(atPath: kept, toPath: sync)
    try join(other, by: one, name: "again")
    #expect(try other.vault.spaceRecord()?.former?.devices.count == 1)
    try settle(one, other)
    #expect(try one.texts == ["told"])
  }

  /// A process that was killed between bringing it back and the commit.
  @Test func `what was brought back before is not called lost`() throws {
    let (one, other, _) = try pair()
    try settle(one, other)
    _ = try other.write("told")
    try tell(other)
    try other.leave()
    try admit(other, by: one, name: "again")
    try one.shared.exchange(other.vault)
    try SpaceMirror(VaultFolder(other.vault.path)).bringBackUnsent()
    #expect(unsent(other).isEmpty)
    #expect(try Reconciliation(other.vault).finish().troubles.isEmpty)
    try settle(one, other)
    #expect(try one.texts == ["told"])
  }

  @Test func `a revocation that was never sent is sent when the device is back`() throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    _ = try one.write("by one")
    try settle(one, other, third)
    _ = try other.vault.revoke("third", recovery: try spaceCode())
    try other.leave()
    #expect(unsent(other).contains { $0.hasPrefix("roster/") })
    try join(other, by: one, name: "again")
    try settle(other, one)
    #expect(try third.sync().troubles == [.closed])
    #expect(try one.vault.syncStatus()?.devices.filter(\.isRevoked).map(\.name) == ["third"])
  }

  /// What comes after the commit fails no rotation: the new recovery code is the one that counts.
  @Test(arguments: [SharingDevice.Leaving.leaves, .rotates])
  func `something in the place of what waits is in nobody's way`(
    leaving: SharingDevice.Leaving
  ) throws {
    let (one, other, _) = try pair()
    _ = try other.write("told")
    try tell(other)
    let path = other.vault.path + "/sync/unsent"
    #expect(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
    try other.leave(leaving)
    try join(other, by: one, name: "again")
    try settle(other, one)
    #expect(try one.texts == ["told"])
  }

  @Test func `of a link in the place of the folder nothing is taken away`() throws {
    let (_, other, _) = try pair()
    _ = try other.write("told")
    try tell(other)
    let (sync, elsewhere) = (other.vault.path + "/sync", other.vault.path + "-elsewhere")
    try FileManager.default.moveItem(atPath: sync, toPath: elsewhere)
    symlink(elsewhere, sync)
    let before = try FileManager.default.subpathsOfDirectory(atPath: elsewhere)
    try other.leave()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere) == before)
  }
}
