import Bytes
import Foundation
import RowStore
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// A backup on a medium that gives other bytes the second time.
struct RestoreTests {
  private let bench: Workbench
  private let vault: Vault

  init() throws {
    bench = try Workbench()
    vault = try bench.create()
    for text in ["one", "two"] {
      _ = try vault.add(try Self.draft(text), as: EntryID.random(.system))
    }
  }

  private static func draft(_ text: String) throws -> EntryDraft {
    EntryDraft(date: try ZonedTime(seconds: 1_700_000_000, offset: 0), body: text)
  }

  private func backUp(_ name: String) throws -> VaultFolder {
    let folder = VaultFolder(bench.directory + "/" + name)
    try Vault.makeBackup(of: bench.path, as: folder.path, settings: bench.settings) {
      try vault.sealBackup(state: $0)
    }
    return folder
  }

  /// Opens a backup and looks at all of it, as an owner is told before being asked.
  private func looked(_ folder: VaultFolder) throws -> Vault {
    let backup = try Vault.open(
      try LockedVault(folder.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings, for: .backup(validToday: nil))
    #expect(try backup.verify().isWhole)
    return backup
  }

  @Test func `another backup written in the place of the one that was looked at is refused`()
    throws
  {
    let older = try backUp("older")
    _ = try vault.add(try Self.draft("three"), as: EntryID.random(.system))
    let newer = try backUp("newer")
    let backup = try looked(newer)
    // The same file, by its inode, with the bytes of the other.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: older.file))
    // By its change counter SQLite sees that it is another one.
    bytes[27] &+= 7
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: newer.file))
    try file.write(contentsOf: bytes)
    try file.truncate(atOffset: UInt64(bytes.count))
    try file.close()
    #expect(throws: VaultError(.conflict, "")) { try vault.restore(backup) }
    #expect(try Snapshot(vault).count == 3)
    #expect(try vault.verify().isWhole)
  }

  @Test(arguments: [
    "UPDATE body SET sealed=zeroblob(60) WHERE entry=(SELECT max(entry) FROM body)",
    "UPDATE page SET sealed=zeroblob(60)", "UPDATE section SET sealed=zeroblob(60)",
    "DELETE FROM body WHERE entry=(SELECT min(entry) FROM body)",
    "INSERT INTO register(id, sealed) VALUES(77, x'00')",
  ])
  func `rows that were spoilt after they were looked at take nothing's place`(sql: String) throws {
    let folder = try backUp("copy")
    let backup = try looked(folder)
    _ = try vault.add(try Self.draft("three"), as: EntryID.random(.system))
    let store = try RowStore(folder.file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in try store.run(sql) }
    #expect(throws: VaultError.self) { try vault.restore(backup) }
    #expect(try Snapshot(vault).count == 3)
    #expect(try vault.verify().isWhole)
  }
}
