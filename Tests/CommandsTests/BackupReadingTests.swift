import Foundation
import TestServers
import Testing

/// A backup is read by anybody, with any secret, and stays as it was.
@Suite(.threads) struct BackupReadingTests {
  private let home: Home
  private let backup: String
  private let before: Data

  init() throws {
    home = try Home(faces: true)
    _ = try home.write("one")
    backup = try home.backup(in: home.path + "/backups")
    before = try Data(contentsOf: URL(fileURLWithPath: backup + "/vault"))
  }

  private func expectUntouched(_ what: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: backup)
    #expect(Set(names).isSubset(of: ["vault", "contents", "objects"]), "\(what): \(names)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup + "/vault")) == before, "\(what)")
  }

  @Test func `no try at any secret writes it`() throws {
    let wrong = try home.put("wrong", "no horse\n")
    let words = ["--vault", backup, "list"]
    let face = ["--face", Home.keys + "/owner-2.json"]
    #expect(try home.run(words + ["--passphrase-file", wrong]).status == 3)
    try expectUntouched("a wrong passphrase")
    try home.ok(words)
    try expectUntouched("the passphrase")
    _ = try home.run(words + face)
    try expectUntouched("a face")
    let other = try Home(made: false)
    #expect(try other.run(words + ["--passphrase-file", wrong]).status == 3)
    try expectUntouched("a wrong passphrase on a new device")
    try other.ok(words)
    try expectUntouched("the passphrase on a new device")
    let third = try Home(made: false)
    let restore = ["restore-backup", backup, "--passphrase-file"]
    let refused = try third.run(restore + [wrong, "--yes"])
    #expect(refused.status == 3, "\(refused.err)")
    try expectUntouched("a wrong passphrase for a restore")
    #expect(try third.run(restore + [third.passphrase, "--yes"]).status == 0)
    try expectUntouched("a restore")
  }

  private func sqlite(_ statement: String, on vault: String) throws {
    let script = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])"
    #expect(ran("/usr/bin/python3", "-c", script, vault + "/vault", statement) != nil)
  }

  @Test func `one in the diary's place is restored, not accepted`() throws {
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(atPath: backup, toPath: home.folder)
    for words in [["accept-rollback", "--yes"], ["write", "two"]] {
      let refused = try home.run(words + ["--passphrase-file", home.passphrase])
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.err.contains("restore-backup") && refused.err.contains("read-only"))
    }
    // As the hint says.
    let aside = home.path + "/aside"
    try FileManager.default.moveItem(atPath: home.folder, toPath: aside)
    try home.ok(["restore-backup", aside, "--yes"])
    _ = try home.write("two")
  }

  @Test func `a diary that was given a backup's form is the diary again`() throws {
    try sqlite("PRAGMA journal_mode=DELETE", on: home.folder)
    let face = try home.run(["list"] + Home.owner)
    #expect(face.status == 3 && face.err.contains("open the diary once"), "\(face)")
    let said = try home.ok(["list"])
    #expect(said.err.contains("looked like a backup"), "\(said)")
    #expect(try home.run(["list"] + Home.owner).status == 0)
    #expect(try !home.ok(["list"]).err.contains("backup"))
    _ = try home.backup(in: home.path + "/more")
  }

  @Test func `a backup that was given a diary's form is a backup`() throws {
    let photo = try home.put("photo.jpg", "a photo")
    _ = try home.write("with a photo", ["--attach", photo])
    let first = try home.backup(in: home.path + "/first")
    try sqlite("PRAGMA journal_mode=WAL", on: first)
    let made = try home.ok(["--vault", first, "backup", home.path + "/copies", "--json"])
    let copy = try #require(made.object["file"] as? String)
    try home.ok(["--vault", copy, "verify"])
    let photoThere = try home.ok(["--vault", copy, "extract", "@1", "photo.jpg", "-o", "-"]).out
    #expect(photoThere == "a photo")
  }

  @Test(arguments: [(18, 3), (47, 5)] as [(Int, UInt8)])
  func `a head that SQLite does not know is damage`(_ place: Int, _ byte: UInt8) throws {
    let file = URL(fileURLWithPath: home.vault)
    var bytes = try Data(contentsOf: file)
    bytes[place] = byte
    try bytes.write(to: file)
    let run = try home.run(["write", "more", "--passphrase-file", home.passphrase])
    #expect(run.status == 5 && run.err.contains("hint: "), "\(run)")
  }

  /// Earlier versions wrote a try into a backup; a kill left it in the middle of that.
  @Test func `one that a kill left in the middle of a write is read`() throws {
    let script = """
      import os, sqlite3, sys
      file = sqlite3.connect(sys.argv[1], isolation_level=None)
      file.executescript('PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE')
      for name, in file.execute("select name from sqlite_schema where type='table'").fetchall():
          file.execute('delete from "%s"' % name)
      file.execute('create table big (x)')
      file.executemany('insert into big values (zeroblob(4000))', [()] * 200)
      os._exit(9)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, backup + "/vault"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 9)
    let names = try FileManager.default.contentsOfDirectory(atPath: backup)
    #expect(names.contains("vault-journal"))
    #expect(try home.ok(["--vault", backup, "list", "--json"]).array.count == 1)
    try expectUntouched("taken back")
  }

  @Test func `a folder of backups that others may write is said, and the advice ends that`() throws
  {
    let home = try Home()
    let folder = home.path + "/shared backups"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    chmod(folder, 0o777)
    let said = try home.ok(["backup", folder])
    let advice = try #require(said.err.firstMatch(of: /chmod go-w '.*'/), "\(said.err)")
    #expect(system("exec \(advice.0)") == 0)
    #expect(try !home.ok(["backup", folder]).err.contains("chmod"))
  }
}
