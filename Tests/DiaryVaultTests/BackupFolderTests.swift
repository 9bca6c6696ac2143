import Foundation
import Scratch
import Testing

@testable import DiaryVault
@testable import Entries
@testable import Platform
@testable import SealedFiles

/// Somebody may write where backups are kept, and puts links to the diary in the place of folders while one is made or removed.
@Suite struct BackupFolderTests {
  private let files = FileManager.default

  enum Moment: CaseIterable { case copied, sealed }

  @Test(arguments: Moment.allCases)
  func `a link in the place of the backup does not lead into the diary`(moment: Moment) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for number in 0..<40 { _ = try vault.add(try EntryDraft("entry \(number)")) }
    let copies = bench.directory + "/copies"
    try files.createDirectory(atPath: copies, withIntermediateDirectories: true)
    var isExchanged = false
    func exchange() {
      let name = (try? files.contentsOfDirectory(atPath: copies))?.first { $0.hasSuffix(".new") }
      guard !isExchanged, let name else { return }
      isExchanged = true
      rename(copies + "/" + name, bench.directory + "/aside")
      symlink(bench.path, copies + "/" + name)
    }
    // Whatever comes of the backup.
    _ = try? Vault.makeBackup(
      of: bench.path, as: copies + "/one.facediary", settings: bench.settings,
      progress: { _, _ in if moment == .copied { exchange() } },
      sealing: {
        if moment == .sealed { exchange() }
        return try vault.sealBackup(state: $0, since: try vault.beginBackup())
      })
    #expect(isExchanged)
    _ = try vault.add(EntryDraft("after"))
    #expect(try vault.verify().problems.isEmpty)
    #expect(try bench.open().all().count == 41)
  }

  @Test func `nothing is written to a folder that was put there before it was made`() throws {
    let (folder, other) = (Scratch(), try Workbench())
    _ = try other.create().add(EntryDraft("other"))
    #expect(throws: PlatformError.self) { try OpenDirectory(new: other.path) }
    symlink(other.path, folder.path + "/link")
    #expect(throws: PlatformError.self) { try OpenDirectory(new: folder.path + "/link") }
  }

  @Test func `objects are removed where the lock is, not where its name leads now`() throws {
    let folder = Scratch()
    let (place, diary) = (folder.path + "/backups", folder.path + "/diary")
    let name = ObjectName(String(repeating: "0", count: 52))?.text ?? ""
    for path in [place, diary] {
      try files.createDirectory(atPath: path + "/objects", withIntermediateDirectories: true)
      #expect(files.createFile(atPath: path + "/objects/" + name, contents: nil))
    }
    let lock = try #require(VaultFolder(place).lockObjects())
    rename(place + "/objects", folder.path + "/aside")
    symlink(diary + "/objects", place + "/objects")
    VaultFolder.removeObjects(lock, but: [])
    #expect(try VaultFolder(diary).objectNames().count == 1)
    #expect(try files.contentsOfDirectory(atPath: folder.path + "/aside").isEmpty)
  }

  /// A process that is killed while it removes one leaves what the next one takes away.
  @Test func `a backup that is being removed has the name of none`() throws {
    let folder = Scratch()
    let name = "facediary-2026-11-30T000000Z.facediary"
    for each in [name, "facediary-2026-11-30T000001Z.facediary"] {
      try files.createDirectory(
        atPath: folder.path + "/" + each, withIntermediateDirectories: true)
      let backup = VaultFolder(folder.path + "/" + each)
      #expect(files.createFile(atPath: backup.file, contents: nil))
      try BackupContents(backup, objects: []).write(to: backup)
    }
    try files.createDirectory(
      atPath: folder.path + "/objects", withIntermediateDirectories: true)
    let removed = VaultFolder.removeBackups(
      [folder.path + "/" + name, "/elsewhere/" + name], in: folder.path,
      keeping: "facediary-2026-11-30T000001Z.facediary")
    #expect(removed.contains(folder.path + "/" + name))
    #expect(
      try files.contentsOfDirectory(atPath: folder.path).sorted() == [
        "facediary-2026-11-30T000001Z.facediary", "objects",
      ])
  }

  @Test func `what took the name of a backup is not removed as one`() throws {
    let folder = Scratch()
    let path = folder.path + "/facediary-2026-11-30T000000Z.facediary"
    try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in ["contents", "years of work"] {
      #expect(files.createFile(atPath: path + "/" + name, contents: nil))
    }
    #expect(VaultFolder.removeBackups([path], in: folder.path, keeping: "").isEmpty)
    #expect(try Set(files.contentsOfDirectory(atPath: path)) == ["contents", "years of work"])
  }

  /// A failed rename, and a kill before the mark or after it.
  @Test func `what did not get its name is removed by who made it, or by the next`() throws {
    let folder = Scratch()
    let name = folder.path + "/a.new"
    var made = try UnfinishedFolder(named: name)
    #expect(files.createFile(atPath: made.folder.file, contents: nil))
    #expect(throws: VaultError.self) { try made.publish(as: folder.path + "/none/b") }
    made.remove()
    #expect(!files.fileExists(atPath: name))
    // A kill may come after the mark, or before it.
    for isMarked in [true, false] {
      made = try UnfinishedFolder(named: name)
      if !isMarked { try FileSystem.remove(name + "/.unfinished") }
      UnfinishedFolder.remove(leftAt: name)
      #expect(try files.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
    made = try UnfinishedFolder(named: name)
    try made.publish(as: folder.path + "/diary")
    #expect(try files.contentsOfDirectory(atPath: folder.path + "/diary").isEmpty)
    made.remove()
    #expect(try files.contentsOfDirectory(atPath: folder.path) == ["diary"])
  }

  /// Who may write to the folder above can rename what is being made, and give its name to something else, at any moment.
  @Test func `what is being made is where it was made, whatever is done with its name`() throws {
    let folder = Scratch()
    let (name, target) = (folder.path + "/a.new", folder.path + "/diary")
    // A link to another folder has its name: nothing is written there, and that gets no name.
    let other = folder.path + "/other"
    try files.createDirectory(atPath: other, withIntermediateDirectories: false)
    #expect(files.createFile(atPath: other + "/text", contents: nil))
    var made = try UnfinishedFolder(named: name)
    try FileSystem.rename(name, to: folder.path + "/away")
    try files.createSymbolicLink(atPath: name, withDestinationPath: other)
    #expect(files.createFile(atPath: made.folder.file, contents: nil))
    #expect { try made.publish(as: target) } throws: { ($0 as? VaultError)?.reason == .wasMoved }
    made.remove()
    #expect(try files.contentsOfDirectory(atPath: other) == ["text"])
    #expect(try files.contentsOfDirectory(atPath: folder.path + "/away").isEmpty)
    try FileSystem.remove(target)
    made = try UnfinishedFolder(named: name)
    try made.publish(as: target)
    #expect(try files.contentsOfDirectory(atPath: target).isEmpty)
    // Where a kill left it, the next who opens the diary takes it away.
    let bench = try Workbench()
    _ = try bench.create()
    #expect(files.createFile(atPath: bench.path + "/.unfinished", contents: nil))
    try VaultFolder(bench.path).check()
    #expect(!files.fileExists(atPath: bench.path + "/.unfinished"))
  }

  @Test func `a vault takes the place of rows that are gone only in a diary's folder`() throws {
    let folder = Scratch()
    let target = folder.path + "/diary"
    try files.createDirectory(atPath: target + "/objects", withIntermediateDirectories: true)
    #expect(files.createFile(atPath: target + "/facediary-2026.facediary", contents: nil))
    let made = try UnfinishedFolder(named: folder.path + "/a.new")
    #expect(files.createFile(atPath: made.folder.file, contents: nil))
    #expect { try made.publish(inPlaceOf: target) } throws: {
      ($0 as? VaultError)?.reason == .isNoDiarysFolder
    }
    try FileSystem.remove(target + "/facediary-2026.facediary")
    try made.publish(inPlaceOf: target)
    made.remove()
    #expect(files.fileExists(atPath: target + "/vault"))
    #expect(try files.contentsOfDirectory(atPath: folder.path) == ["diary"])
  }

  /// Who may write where backups are kept can give such a name to anything of its owner's.
  @Test func `a name alone does not make anything an unfinished backup`() throws {
    let folder = Scratch()
    let (kept, stem) = ("facediary-2026-11-30T000001Z.facediary", "facediary-2026-11-30T000000Z")
    let unfinished = stem + ".facediary-abc.new"
    _ = try UnfinishedFolder(named: folder.path + "/" + stem + ".facediary-def.new")
    for name in [kept, unfinished, "objects"] {
      try files.createDirectory(
        atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    let texts = folder.path + "/" + unfinished + "/years of work"
    #expect(files.createFile(atPath: texts, contents: nil))
    let object = folder.path + "/objects/" + String(repeating: "0", count: 52)
    #expect(files.createFile(atPath: object, contents: nil))
    _ = VaultFolder.removeBackups([], in: folder.path, keeping: kept)
    #expect(files.fileExists(atPath: texts))
    // It may be a backup that needs objects.
    #expect(files.fileExists(atPath: object))
    UnfinishedFolder.remove(leftAt: folder.path + "/" + unfinished)
    #expect(files.fileExists(atPath: texts))
    UnfinishedFolder.remove(leftAt: folder.path + "/" + stem + ".facediary-def.new")
    #expect(!files.fileExists(atPath: folder.path + "/" + stem + ".facediary-def.new"))
  }
}
