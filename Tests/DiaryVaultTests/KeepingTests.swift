import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import RowStore
@testable import SealedFiles

/// Keys that change, copies, and what is left of a broken vault.
@Suite struct KeepingTests {
  private func contents(_ vault: Vault) throws -> [String] {
    var lines = try vault.all().map { "\($0.id) \($0.title ?? "") \($0.body ?? "")" }
    for entry in try vault.all() {
      let snapshot = try Snapshot(vault)
      for old in try snapshot.history(.id(entry.id)) {
        lines.append(
          try snapshot.entry(.id(entry.id), revision: old.revision).body ?? "")
      }
      for file in entry.attachments {
        lines.append("\(file.name) \(try vault.read(file.name, of: entry.id).count)")
      }
    }
    return lines + (try Snapshot(vault).templates().map(\.name))
      + (try Snapshot(vault).register().journals.map(\.name))
  }

  @Test func `rotating seals everything anew, and the old ways in are gone`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.fill()
    let before = try contents(vault)
    let old = vault.keyring
    let box = SecretBytesBox(try Workbench.secret("open sesame"))
    var code = [UInt8](repeating: 5, count: 16)
    let new = try SecretBytes(wiping: &code)
    try vault.rotate(
      recovery: new, passphrase: box, limits: Workbench.limits,
      deviceKey: try SecretBytes.random())
    #expect(try contents(vault) == before)
    #expect(try vault.verify().isWhole)
    #expect(vault.keyring.keyID != old.keyID && vault.keyring.vaultID == old.vaultID)
    #expect(try contents(try bench.open()) == before)
    #expect(throws: VaultError(.wrongSecret, "")) {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .recovery,
        secret: try Workbench.secret(Workbench.recovery), device: bench.device,
        anchors: bench.anchors, settings: bench.settings)
    }
    // Nothing in the file is as it was: no sealed row survived, no log either.
    let log = try? Data(contentsOf: URL(fileURLWithPath: bench.path + "-wal"))
    #expect(log?.isEmpty ?? true)
    _ = try vault.add(try EntryDraft("after"))
    #expect(try vault.verify().isWhole)
  }

  @Test func `a session of the old key reads nothing after a rotation, and says why`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("one"))
    let other = try bench.open()
    try vault.rotate(
      recovery: try SecretBytes.random(16), passphrase: nil, limits: Workbench.limits,
      deviceKey: try SecretBytes.random())
    #expect(throws: VaultError(.conflict, "")) { try other.all() }
    #expect(throws: VaultError(.conflict, "")) { try other.add(try EntryDraft("two")) }
  }

  @Test func `a rotation undoes no change of the ways in that came while it worked`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let other = try bench.open()
    let shown = vault.keyring.slots
    let added = try other.addSlot(
      .passphrase, secret: try Workbench.secret("added"), limits: Workbench.limits)
    // Its own memory of the slots may be new or old by then.
    for _ in 0..<2 {
      #expect(throws: VaultError(.conflict, "")) {
        try vault.rotate(
          recovery: try SecretBytes.random(16), passphrase: nil, limits: Workbench.limits,
          deviceKey: try SecretBytes.random(), shown: shown)
      }
      _ = try vault.all()
    }
    #expect(try bench.open("added").keyring.slots.contains { $0.id == added })
    try vault.rotate(
      recovery: try SecretBytes.random(16), passphrase: nil, limits: Workbench.limits,
      deviceKey: try SecretBytes.random(), shown: vault.keyring.slots)
    #expect(throws: VaultError.self) { try bench.open("added") }
  }

  /// What a copy of the file without its log has.
  private func slotsAlone(_ bench: Workbench) throws -> Set<[UInt8]> {
    let copy = bench.path + "-alone"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: VaultFolder(bench.path).file, toPath: VaultFolder(copy).file)
    return Set(try LockedVault(copy, settings: bench.settings).slots.map(\.slot.id))
  }

  @Test func `a way in that was removed is not in the file either, whoever has the diary open`()
    throws
  {
    let bench = try Workbench()
    let vault = try bench.create()
    let session = try bench.open()
    #expect(try session.all().isEmpty)
    let id = try vault.addSlot(
      .passphrase, secret: try Workbench.secret("added"), limits: Workbench.limits)
    #expect(try slotsAlone(bench).contains(id))
    try vault.removeSlot(id)
    #expect(try !slotsAlone(bench).contains(id))
    #expect(!vault.takeKeepsFormerState())
    // One that is reading keeps it there, and it is said; the next opening ends it.
    _ = try vault.add(try EntryDraft("one"))
    let old = Set(vault.keyring.slots.map(\.id))
    do {
      let reading = try Snapshot(session)
      try vault.rotate(
        recovery: try SecretBytes.random(16),
        passphrase: SecretBytesBox(try Workbench.secret("open sesame")), limits: Workbench.limits,
        deviceKey: try SecretBytes.random())
      #expect(vault.takeKeepsFormerState() && !vault.takeKeepsFormerState())
      #expect(try !slotsAlone(bench).isDisjoint(with: old))
      withExtendedLifetime(reading) {}
    }
    _ = try bench.open()
    #expect(try slotsAlone(bench).isDisjoint(with: old))
  }

  @Test func `of two new passphrases at once only one counts`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let other = try bench.open()
    let old = Set(vault.keyring.slots.filter { $0.kind == .passphrase }.map(\.id))
    // Read before the slot went: nothing was tampered with.
    let file = try LockedVault(bench.path, settings: bench.settings)
    try other.replacePassphrase(
      old, by: try Workbench.secret("first"), limits: Workbench.limits)
    #expect(throws: VaultError(.conflict, "")) {
      try vault.replacePassphrase(
        old, by: try Workbench.secret("second"), limits: Workbench.limits)
    }
    _ = try bench.open("first")
    #expect(throws: VaultError(.wrongSecret, "")) { try bench.open("second") }
    #expect(throws: VaultError(.wrongSecret, "")) {
      try Vault.open(
        file, kind: .passphrase, secret: try Workbench.secret("open sesame"),
        device: bench.device, anchors: bench.anchors, settings: bench.settings)
    }
  }

  @Test func `a backup is read like a vault, never written, and no rollback`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let ids = try vault.fill()
    let before = try contents(vault)
    let copy = bench.directory + "/copy"
    try Vault.makeBackup(of: bench.path, as: copy, settings: bench.settings) {
      try vault.sealBackup(state: $0, since: try vault.beginBackup())
    }
    #expect(throws: VaultError(.vaultExists, "")) {
      try Vault.makeBackup(of: bench.path, as: copy, settings: bench.settings) {
        SealedBackup($0, isOfBackup: false, missing: 0)
      }
    }
    _ = try vault.add(try EntryDraft("later"))
    let anchor = bench.anchors.anchor
    let file = try LockedVault(copy, settings: bench.settings)
    let backup = try Vault.open(
      file, kind: .passphrase, secret: try Workbench.secret("open sesame"), device: bench.device,
      anchors: bench.anchors, settings: bench.settings)
    #expect(backup.isBackup && backup.backupTime == 1_700_000_000)
    #expect(try contents(backup) == before && backup.verify().isWhole)
    #expect(throws: VaultError(.readOnly, "")) { try backup.add(try EntryDraft("no")) }
    #expect(throws: VaultError(.readOnly, "")) { try backup.delete([.id(ids[0])]) }
    #expect(bench.anchors.anchor == anchor)
    // Back in place: what was later is gone, the ways in are today's, and the anchor goes on.
    try vault.addSlot(.passphrase, secret: try Workbench.secret("newer"), limits: Workbench.limits)
    try vault.restore(backup)
    #expect(try contents(vault) == before && vault.verify().isWhole)
    #expect(try contents(try bench.open("newer")) == before)
    _ = try vault.add(try EntryDraft("and on"))
    // Nothing is left beside a copy that was only read.
    #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
  }

  @Test func `a backup in part is told from a whole one, and the objects of others stay`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let ids = try vault.fill()
    let copies = bench.directory + "/copies"
    mkdir(copies, 0o700)
    func backup(_ name: String) throws -> VaultFolder {
      try Vault.makeBackup(of: bench.path, as: copies + "/" + name, settings: bench.settings) {
        try vault.sealBackup(state: $0, since: try vault.beginBackup())
      }
      return VaultFolder(copies + "/" + name)
    }
    func objects() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: copies + "/objects"))
    }
    let first = try backup("1.facediary")
    _ = try vault.delete([.id(ids[7])])
    _ = try vault.purge(nil)
    // A program that another test starts just now may still hold the lock of who sealed the photo: then it goes the next time.
    for _ in 0..<1000 where try !VaultFolder(bench.path).objectNames().isEmpty {
      _ = try vault.purge(nil)
    }
    var attach = EntryChange()
    attach.attach = [try vault.stage([1, 2, 3], name: "new")]
    _ = try vault.edit(.id(ids[8]), attach)
    let second = try backup("2.facediary")
    let shared = try objects()
    #expect(shared.count == 2)
    try first.checkContents()
    try second.checkContents()
    // Each reads whole where they stand together.
    let opened = try Vault.open(
      try LockedVault(first.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings)
    #expect(try opened.verify().isWhole)
    #expect(try opened.read("photo.jpg", of: ids[7]).count == 100_000)
    // An object less, rows cut, a list cut.
    let photo = try #require(BackupContents(of: first)?.objects.first)
    let aside = bench.directory + "/aside"
    try FileManager.default.moveItem(atPath: copies + "/objects/" + photo.text, toPath: aside)
    #expect(throws: VaultError(.damaged, "")) { try first.checkContents() }
    try second.checkContents()
    try FileManager.default.moveItem(atPath: aside, toPath: copies + "/objects/" + photo.text)
    let rows = try Data(contentsOf: URL(fileURLWithPath: first.file))
    try rows.prefix(rows.count / 2).write(to: URL(fileURLWithPath: first.file))
    #expect(throws: VaultError(.damaged, "")) { try first.checkContents() }
    try rows.write(to: URL(fileURLWithPath: first.file))
    let list = try Data(contentsOf: URL(fileURLWithPath: first.contents))
    for count in [0, 10, list.count / 2, list.count - 1] {
      try list.prefix(count).write(to: URL(fileURLWithPath: first.contents))
      #expect(BackupContents(of: first) == nil)
      // Nobody knows what it needs: nothing goes.
      _ = VaultFolder.removeBackups([], in: copies, keeping: "2.facediary")
      #expect(try objects() == shared)
    }
    try list.write(to: URL(fileURLWithPath: first.contents))
    // Links lead to files that are not ours, and a rotten object here is put right from the backup.
    let stranger = bench.directory + "/documents"
    mkdir(stranger, 0o700)
    try Data([1]).write(to: URL(fileURLWithPath: stranger + "/letter"))
    let link = copies + "/facediary-2026-01-01T000000Z.facediary-abc.new"
    symlink(stranger, link)
    _ = VaultFolder.removeBackups([link], in: copies, keeping: "2.facediary")
    #expect(FileManager.default.fileExists(atPath: stranger + "/letter"))
    #expect(try objects() == shared)
    unlink(link)
    let new = try #require(BackupContents(of: second)?.objects.first)
    let live = VaultFolder(bench.path).objects + "/" + new.text
    var rotten = try Data(contentsOf: URL(fileURLWithPath: live))
    rotten[5] ^= 1
    try rotten.write(to: URL(fileURLWithPath: live))
    #expect(try !vault.verify().isWhole)
    try vault.restore(
      try Vault.open(
        try LockedVault(second.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
        settings: bench.settings))
    #expect(try vault.verify().isWhole)
    _ = VaultFolder.removeBackups([first.path], in: copies, keeping: "2.facediary")
    #expect(try objects() == Set(BackupContents(of: second)?.objects.map(\.text) ?? []))
    #expect(!FileManager.default.fileExists(atPath: first.path))
    try second.checkContents()
  }

  @Test func `what a backup of an older key holds goes on under today's key and ways in`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.fill()
    let before = try contents(vault)
    let copy = bench.directory + "/copy"
    try Vault.makeBackup(of: bench.path, as: copy, settings: bench.settings) {
      try vault.sealBackup(state: $0, since: try vault.beginBackup())
    }
    try vault.rotate(
      recovery: try SecretBytes.random(16),
      passphrase: SecretBytesBox(try Workbench.secret("newer")), limits: Workbench.limits,
      deviceKey: try SecretBytes.random())
    let backup = try Vault.open(
      try LockedVault(copy, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
      settings: bench.settings)
    try vault.restore(backup)
    #expect(try contents(try bench.open("newer")) == before)
    #expect(try vault.verify().isWhole && vault.keyring.keyID != backup.keyring.keyID)
    #expect(throws: VaultError(.wrongSecret, "")) { try bench.open("open sesame") }
  }

  @Test func `the last slot that needs no face cannot be removed`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    try vault.admitFace(
      deviceKey: try SecretBytes.random(), templates: [UInt8](repeating: 1, count: 32), over: nil)
    let slots = vault.keyring.slots
    try vault.removeSlot(slots.first { $0.kind == .recovery }!.id)
    #expect(throws: VaultError(.conflict, "")) {
      try vault.removeSlot(slots.first { $0.kind == .passphrase }!.id)
    }
    try vault.removeSlot(slots.first { $0.kind == .face }!.id)
    #expect(try vault.templatesDigest() == nil)
    #expect(vault.keyring.slots.map(\.kind) == [.passphrase])
  }

  @Test func `repair rebuilds from what verifies, and takes nothing away where something is lost`()
    throws
  {
    let bench = try Workbench()
    var ids: [EntryID] = []
    do { ids = try bench.create().fill() }
    try bench.change("UPDATE body SET page=page+1 WHERE entry=\(ids[9].key)")
    try bench.change("INSERT INTO page(id, sealed) VALUES(5, zeroblob(40))")
    try bench.change("INSERT INTO section(id, sealed) VALUES(9, zeroblob(40))")
    try bench.change("UPDATE keyring_copy SET data=zeroblob(100)")
    do {
      let vault = try bench.open()
      #expect(try !vault.verify().isWhole)
      #expect(try vault.repair() >= 4)
      #expect(try vault.verify().isWhole)
      #expect(try vault.repair() == 0)
      #expect(try Snapshot(vault).entry(.id(ids[9])).body == "text 9")
    }
    try bench.change("UPDATE body SET sealed=zeroblob(200) WHERE entry=\(ids[4].key)")
    try bench.change("INSERT INTO page(id, sealed) VALUES(5, zeroblob(40))")
    let vault = try bench.open()
    _ = try vault.repair()
    #expect(try vault.verify().problems.count == 2)
  }

  @Test func `a state from before the backup began is sealed as no backup`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    func state() throws -> [UInt8] {
      var found: [UInt8] = []
      try RowStore(bench.file, .readOnly, schema: .vault).run("SELECT sealed FROM state") {
        row throws(StoreError) in
        found = try row.blob(0, limit: 1 << 20)
        return false
      }
      return found
    }
    let again = try bench.open()
    // The session knew it, and somebody puts it back while the diary is copied.
    let old = try state()
    _ = try vault.add(try EntryDraft("today"))
    let begun = try again.beginBackup()
    #expect(throws: VaultError(.rolledBack, "")) { try again.sealBackup(state: old, since: begun) }
    // Nor by what some other process kept of a backup that began then.
    #expect(throws: VaultError(.rolledBack, "")) { try again.sealBackup(state: old, since: old) }
    // What was written since by anybody is no reason to refuse.
    let now = try state()
    _ = try vault.add(try EntryDraft("later"))
    #expect(try !again.sealBackup(state: now, since: begun).bytes.isEmpty)
    _ = try Snapshot(again)
    #expect(try !again.sealBackup(state: now, since: begun).bytes.isEmpty)
  }

  @Test func `a backup relies on no shared object that is not what its name says`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    var draft = try EntryDraft("with a photo")
    draft.attachments = [
      try vault.stage([UInt8](repeating: 7, count: 90_000), name: "a.jpg", type: "image/jpeg")
    ]
    let id = try vault.add(draft).id
    let folder = bench.directory + "/copies"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func backup(_ name: String) throws -> Vault {
      let path = folder + "/" + name + ".facediary"
      try Vault.makeBackup(of: bench.path, as: path, settings: bench.settings) {
        try vault.sealBackup(state: $0, since: try vault.beginBackup())
      }
      return try Vault.open(
        try LockedVault(path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: bench.device, anchors: MemoryAnchors(),
        settings: bench.settings)
    }
    #expect(try backup("one").read("a.jpg", of: id).count == 90_000)
    // Rot, with the same length, in the one that is shared.
    let object = try #require(VaultFolder(bench.path).objectNames().first).text
    let shared = folder + "/objects/" + object
    let whole = try #require(FileManager.default.contents(atPath: shared))
    var rotten = whole
    rotten[whole.count / 2] ^= 1
    try rotten.write(to: URL(fileURLWithPath: shared))
    #expect(try backup("two").read("a.jpg", of: id).count == 90_000)
    #expect(FileManager.default.contents(atPath: shared) == whole)
    // Also when nothing in the file system tells of it, once the memory of having read it is a month old.
    try rotten.write(to: URL(fileURLWithPath: shared))
    let checked = CheckedObjects(
      in: folder + "/objects", beside: VaultFolder(folder), now: 1_700_000_000)
    checked.wrote(try #require(ObjectName(object)))
    checked.keep()
    bench.settings = VaultSettings(
      now: { 1_700_000_000 + 31 * 86_400 }, leastMemory: 8192, busyTimeout: 2000)
    #expect(try backup("three").read("a.jpg", of: id).count == 90_000)
    // Rotten in both places is named, and no backup is made.
    try rotten.write(to: URL(fileURLWithPath: shared))
    try rotten.write(to: URL(fileURLWithPath: bench.path + "/objects/" + object))
    #expect { try backup("four") } throws: { ($0 as? VaultError)?.code == .damaged }
    #expect(!FileManager.default.fileExists(atPath: folder + "/four.facediary"))
  }

  @Test func `a place of objects that cannot be listed is no empty one`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("text"))
    // A file where the folder should be: it cannot be listed by root either.
    try? FileManager.default.removeItem(atPath: bench.path + "/objects")
    try Data("x".utf8).write(to: URL(fileURLWithPath: bench.path + "/objects"))
    #expect(throws: VaultError.self) {
      try Vault.makeBackup(
        of: bench.path, as: bench.directory + "/copy.facediary", settings: bench.settings
      ) { try vault.sealBackup(state: $0, since: try vault.beginBackup()) }
    }
    #expect(throws: VaultError.self) { try VaultFolder(bench.path).objectNames() }
    #expect(!FileManager.default.fileExists(atPath: bench.directory + "/copy.facediary"))
  }
}
