import Bytes
import Foundation
import Glibc
import Testing

@testable import DiaryVault

/// What the owner has to hear is told, although the opening that found it came to nothing; and what is said to be done is done.
@Suite(.serialized, .threads) struct UntoldTests {
  private let home: Home

  init() throws { home = try Home(faces: true) }

  private var store: String { home.deviceStore }

  private var secret: [String] { ["--passphrase-file", home.passphrase] }

  /// Opens the diary while another process of the user has its folder for itself.
  private func openOccupied() throws -> Run {
    let folder = open(home.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
    return try home.run(["list"] + secret)
  }

  @Test
  func `a device that began anew says so at the next opening, when the first came to nothing`()
    throws
  {
    _ = try home.write("one")
    let copy = home.path + "/copy"
    try FileManager.default.copyItem(atPath: home.vault, toPath: copy)
    _ = try home.write("two")
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    try FileManager.default.copyItem(atPath: copy, toPath: home.vault)
    unlink(store + "/device.key")
    #expect(try openOccupied().status == 1)
    #expect(try home.run(["list"] + secret + Home.owner).status != 0)
    let run = try home.run(["list"] + secret + ["--quiet"])
    #expect(run.status == 0 && run.err.contains("older copy"), "\(run.err)")
    #expect(try !home.run(["list"] + secret).err.contains("older copy"))
  }

  @Test func `a key that was replaced elsewhere is told at the next opening, too`() throws {
    let other = try Home(made: false)
    try home.ok(["keys", "add", "recovery"])
    let there = ["--vault", home.folder, "--device", other.path + "/device"]
    #expect(try home.run(["list"] + there + secret).status == 0)
    #expect(
      try home.run(["keys", "rotate", "--yes", "--kdf", "interactive"] + there + secret).status == 0
    )
    #expect(try openOccupied().status == 1)
    let run = try home.run(["list"] + secret)
    #expect(run.status == 0 && run.err.contains("replaced on another device"), "\(run.err)")
    #expect(try !home.run(["list"] + secret).err.contains("another device"))
  }

  @Test func `a session has its owner hear a notice once`() throws {
    let store = ["--device", home.path + "/another"]
    let first = try home.run(["unlock"] + store + secret)
    #expect(first.err.contains("for the first time"), "\(first)")
    try home.run(["lock"])
    let next = try home.run(["unlock"] + store + secret)
    #expect(next.status == 0 && !next.err.contains("for the first time"), "\(next)")
    try home.run(["lock"])
  }

  @Test func `a passphrase that was changed opens nothing any more, beside the face neither`()
    throws
  {
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", home.passphrase, "--kdf",
      "interactive",
    ])
    #expect(try home.run(["list"] + Home.owner + secret).status == 0)
    let new = try home.put("new", "another horse\n")
    let words = ["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"] + secret
    // What changes the key of the device is in the way.
    let lock = open(store + "/../setup.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(try home.run(words).status != 0)
    close(lock)
    #expect(try home.run(["list"] + secret).status == 0)
    #expect(try home.run(words).status == 0)
    for more in [[], Home.owner] {
      #expect(try home.run(["list"] + more + secret).status != 0)
      #expect(try home.run(["list"] + more + ["--passphrase-file", new]).status == 0)
    }
  }

  @Test func `a present secret is accepted where the spare is behind and the anchor is lost`()
    throws
  {
    let there = ["--vault", home.folder, "--device", home.path + "/other"]
    #expect(try home.run(["list"] + there + secret).status == 0)
    let new = try home.put("new", "another horse\n")
    #expect(
      try home.run(
        ["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"] + there + secret
      ).status == 0)
    truncate(store + "/anchor", 0)
    #expect(try home.run(["list", "--passphrase-file", new]).status == 5)
    let run = try home.run(["accept-rollback", "--yes", "--passphrase-file", new])
    #expect(run.status == 0, "\(run.err)")
    #expect(try home.run(["list", "--passphrase-file", new]).status == 0)
    #expect(try home.run(["list"] + secret).status == 3)
  }

  /// Somebody who can write the file takes a way in out of both copies of the slots, and mends their checksums.
  @Test func `a way in that is taken out of the file makes no right passphrase wrong`() throws {
    let second = try home.put("second", "short\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    let bytes = VaultBytes(home.vault)
    func remove(_ kind: SlotKind) throws {
      var keyring = try Keyring(bytes.keyring())
      keyring.slots.removeAll { $0.kind == kind }
      try bytes.put(keyring: keyring.encoded())
    }
    try remove(.facePassphrase)
    let run = try home.run(["list", "--passphrase-file", second] + Home.owner)
    #expect(run.status == 0, "\(run.err)")
    try remove(.passphrase)
    #expect(try home.run(["list"] + secret).status == 0)
  }

  /// Whoever has a copy of the diary from before can replace its key on a machine of their own, and put a backup of that in the place of
  /// backups.
  @Test func `a backup of a later key says so, and takes a secret of today`() throws {
    _ = try home.write("one")
    let other = try Home(made: false)
    let there = ["--vault", home.folder, "--device", other.path + "/device"]
    let old = try home.put("old", "removed since\n")
    try home.ok([
      "keys", "add", "passphrase", "--new-passphrase-file", old, "--kdf", "interactive",
    ])
    #expect(try home.run(["list"] + there + secret).status == 0)
    let copy = home.path + "/copy.facediary"
    try FileManager.default.copyItem(atPath: home.folder, toPath: copy)
    let slot = try #require(
      try home.ok(["keys", "--json"]).array.last { $0["kind"] as? String == "passphrase" }?["id"]
        as? String)
    try home.ok(["keys", "remove", slot, "--yes"])
    // Rotated elsewhere, from a copy of before the removal, with the passphrase that was removed.
    let thief = ["--vault", copy, "--device", other.path + "/device", "--passphrase-file", old]
    #expect(
      try home.run(["keys", "rotate", "--yes", "--kdf", "interactive"] + thief).status == 0)
    let made = try home.run(["backup", home.path + "/backups", "--json"] + thief)
    let backup = try #require(made.object["file"] as? String)
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    let refused = try home.run(["restore-backup", backup, "--yes", "--passphrase-file", old])
    #expect(refused.status == 3, "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    // With one that is valid today it is named what it is.
    let ofBackup = ["--backup-passphrase-file", old]
    let run = try home.run(["restore-backup", backup, "--yes"] + secret + ofBackup)
    #expect(run.status == 0, "\(run)")
    #expect(run.err.contains("key was replaced after this device last saw the diary"), "\(run.err)")
    #expect(run.err.contains("replaced on another device"), "\(run.err)")
  }

  /// Whoever had an earlier key takes away what the device remembers, and puts back the ways in of that time.
  @Test func `a backup that becomes the diary of a device that remembers nothing says so`() throws {
    _ = try home.write("one")
    let spare = try Data(contentsOf: URL(fileURLWithPath: store + "/keyring"))
    let made = try home.ok(["backup", home.path + "/backups", "--json"])
    let backup = try #require(made.object["file"] as? String)
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    unlink(store + "/anchor")
    try spare.write(to: URL(fileURLWithPath: store + "/keyring"))
    let run = try home.run(["restore-backup", backup, "--yes", "--quiet"] + secret)
    #expect(run.status == 0 && run.err.contains("lost its record"), "\(run)")
    // It may have been somebody else who heard that.
    let next = try home.run(["list", "--quiet"] + secret)
    #expect(next.status == 0 && next.err.contains("lost its record"), "\(next)")
    #expect(try !home.run(["list", "--quiet"] + secret).err.contains("its record"))
    unlink(store + "/anchor")
    #expect(try home.run(["accept-rollback", "--yes"] + secret).status == 0)
    #expect(try home.run(["list", "--quiet"] + secret).err.contains("lost its record"))
  }

  @Test func `what a backup replaces is what its owner was told of, by who they still are`() throws
  {
    _ = try home.write("one")
    let made = try home.ok(["backup", home.path + "/backups", "--json"])
    let words = ["restore-backup", try #require(made.object["file"] as? String)] + secret
    func asked(_ meanwhile: () throws -> Void) throws -> Int32 {
      let session = try TerminalSession(home, words)
      #expect(session.expect("[y/N]", within: 30), "\(session.screen)")
      try meanwhile()
      session.type("y\n")
      return session.end()
    }
    #expect(try asked { _ = try home.write("two") } == 7)
    #expect(try home.bodies == ["one", "two"])
    let new = try home.put("new", "another horse\n")
    let change = ["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"] + secret
    var changed: Int32?
    #expect(try asked { changed = try home.run(change).status } == 3)
    #expect(changed == 0)
    #expect(try home.run(["list", "--passphrase-file", new]).out.contains("two"))
  }

  /// The warning is in the client's hands, and the client is gone before it said anything.
  @Test func `what was sent to a command that was killed is told again`() throws {
    _ = try home.write("one")
    for name in try FileManager.default.contentsOfDirectory(atPath: store)
    where name.hasPrefix("access") || name.hasPrefix("anchor") || name == "device.key" {
      unlink(store + "/" + name)
    }
    // A terminal that nobody reads from: what it says stays in the way.
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
    let spaces = [UInt8](repeating: 32, count: 4096)
    while write(end, spaces, spaces.count) > 0 {}
    _ = fcntl(end, F_SETFL, 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Home.binary)
    process.arguments = ["list"] + secret
    process.environment = home.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    usleep(1_500_000)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let run = try home.run(["list"] + secret)
    #expect(run.status == 0 && !run.err.isEmpty, "\(run)")
    #expect(try home.run(["list"] + secret).err.isEmpty)
  }
}
