import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

@Suite struct RebindingTests {
  @Test func `another device's anchor and a running session see one more change, no older copy`()
    throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("one"))
    // A second computer that remembers the first one's counter, and a session begun before.
    let elsewhere = MemoryAnchors()
    func second() throws -> Vault {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: [UInt8](repeating: 8, count: 16),
        anchors: elsewhere, settings: bench.settings)
    }
    _ = try second().add(try EntryDraft("two"))
    let session = try bench.open()
    #expect(try session.all().count == 2)
    let other = [UInt8](repeating: 5, count: 16)
    let anchors = MemoryAnchors()
    try vault.rebind(
      to: other, key: try SecretBytes.random(), face: .none, templates: nil, over: nil
    ) { anchor throws(VaultError) in try anchors.save(anchor) }
    #expect(try vault.knows(device: other) && !vault.knows(device: bench.device))
    #expect(try session.all().count == 2)
    #expect(try second().all().count == 2)
    let third = try Vault.open(
      try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: other, anchors: anchors,
      settings: bench.settings)
    _ = try third.add(try EntryDraft("three"))
    #expect(try second().all().count == 3 && third.verify().isWhole)
  }

  /// The other device's anchor, from the first moment, knows that the state before is an older copy: nothing else says so when the old
  /// device store is gone.
  @Test func `rows from before the device's key was replaced are an older copy for the new one`()
    throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("one"))
    let before = try bench.copy(to: "before")
    let other = [UInt8](repeating: 5, count: 16)
    let anchors = MemoryAnchors()
    try vault.rebind(
      to: other, key: try SecretBytes.random(), face: .none, templates: nil, over: nil
    ) { anchor throws(VaultError) in try anchors.save(anchor) }
    func opened() throws -> Vault {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: other, anchors: anchors,
        settings: bench.settings)
    }
    let kept = anchors.anchor
    try bench.putBack(before)
    let failure = #expect(throws: VaultError.self) { try opened() }
    #expect(failure?.code == .rolledBack)
    #expect(anchors.anchor == kept)
  }
}
