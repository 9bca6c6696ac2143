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
      try vault.sealBackup(state: $0, since: try vault.beginBackup())
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

  @Test(arguments: [
    "INSERT INTO register(id, sealed) VALUES(77, x'00')", "INSERT INTO history VALUES(5, x'00')",
    "INSERT INTO body VALUES(5, 1, x'00')", "UPDATE keyring SET data=zeroblob(100)",
    "UPDATE body SET page=page+1",
  ])
  func `a backup of which nothing is lost is restored, without what belongs to nothing`(
    sql: String
  ) throws {
    let folder = try backUp("copy")
    let store = try RowStore(folder.file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in try store.run(sql) }
    let backup = try Vault.open(
      try LockedVault(folder.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings, for: .backup(validToday: nil))
    let report = try backup.verify()
    #expect(!report.isWhole && report.obstacle == nil)
    _ = try vault.add(try Self.draft("three"), as: EntryID.random(.system))
    try vault.restore(backup)
    #expect(try vault.all().compactMap(\.body).sorted() == ["one", "two"])
    #expect(try vault.verify().isWhole)
  }

  @Test func `a backup without a file of its entries is restored without it`() throws {
    var draft = try Self.draft("with files")
    draft.attachments = [
      try vault.stage([1, 2, 3], name: "gone.bin"), try vault.stage([4], name: "there.bin"),
    ]
    let id = try vault.add(draft).id
    let folder = VaultFolder(bench.path)
    try FileManager.default.removeItem(
      atPath: folder.objects + "/" + draft.attachments[0].object.text)
    let backup = try Vault.open(
      try LockedVault(try backUp("copy").path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings, for: .backup(validToday: nil))
    let report = try backup.verify()
    #expect(report.lostFiles == 1 && report.obstacle == nil)
    try FileManager.default.removeItem(atPath: folder.objects)
    try vault.restore(backup)
    #expect(try Snapshot(vault).entry(.id(id)).attachments.count == 2)
    let there = try folder.objectNames()
    #expect(there == [draft.attachments[1].object])
    #expect(try vault.verify().lostFiles == 1)
  }

  /// Somebody may put a kept text back while its writer goes on.
  @Test func `a later state of a kept text is not taken for the earlier one`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = EntryID.random(.system)
    let half = try vault.add(try Self.draft("half"), as: id)
    let whole = try vault.add(try Self.draft("half and the rest"), as: id)
    #expect(half.id == id && whole.id != id)
    #expect(try vault.all().count == 2)
    // What is there already, in whatever revision, becomes no second entry.
    var change = EntryChange()
    change.body = "changed since"
    _ = try vault.edit(.id(id), change)
    #expect(try vault.add(try Self.draft("half"), as: id).id == id)
    #expect(try vault.all().count == 2)
  }
}
