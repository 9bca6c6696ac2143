import Foundation
import Testing

/// Somebody deletes what the device remembers, so that a secret which was replaced opens the diary again.
@Suite(.serialized, .threads) struct ForgottenAnchorTests {
  /// As somebody does who has a replaced passphrase, and may delete files of the diary and the device store.
  @Test(arguments: [["anchor"], ["anchor", "access"], ["anchor", "keyring"]])
  func `a replaced secret revives no backup where what the device remembers is deleted`(
    _ gone: [String]
  ) throws {
    let home = try Home()
    _ = try home.write("one")
    let backup = try home.backup(in: home.path + "/copies")
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    for suffix in ["", "-wal", "-shm"] { unlink(home.vault + suffix) }
    try forget(gone, home)
    let words = ["restore-backup", backup, "--yes", "--json", "--passphrase-file"]
    #expect(try home.run(words + [home.passphrase]).status != 0)
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    guard !gone.contains("keyring") else { return }
    // The hint says what does it: a secret of today, and the one that the backup was made with.
    let alone = try home.run(words + [new])
    #expect(alone.status == 3 && alone.err.contains("--backup-passphrase-file"), "\(alone.err)")
    let both = try home.run(words + [new, "--backup-passphrase-file", home.passphrase])
    #expect(both.status == 0, "\(both.err)")
    #expect(try home.run(["list", "--json", "--passphrase-file", new]).array.count == 1)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 3)
    #expect(try home.run(["verify", "--passphrase-file", new]).status == 0)
  }

  @Test func `passphrases of a backup are counted where a recovery code is given for today`() throws
  {
    let home = try Home()
    let wrong = try home.put("wrong", "nope\n")
    let device = home.path + "/device"
    let stores = home.path + "/.local/state/facediary"
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: stores).first { $0.count == 26 })
    let store = device + "/" + id
    try FileManager.default.createDirectory(
      atPath: store, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data("no keyring".utf8).write(to: URL(fileURLWithPath: store + "/keyring"))
    chmod(store + "/keyring", 0o600)
    var found: [Int32] = []
    var last = ""
    for _ in 0..<7 where found.last != 4 {
      let run = try home.run([
        "restore-backup", home.folder, "--vault", home.path + "/none", "--device", device, "--yes",
        "--recovery-file", home.recovery, "--backup-passphrase-file", wrong,
      ])
      found.append(run.status)
      last = run.err
    }
    #expect(found.last == 4 && found.prefix(4) == [3, 3, 3, 3], "\(found) \(last)")
  }

  private func forget(_ names: [String], _ home: Home) throws {
    let all = try #require(FileManager.default.enumerator(atPath: home.path))
    let found = all.compactMap { $0 as? String }.filter { path in
      names.contains { path.hasSuffix("/" + $0) } && !path.contains(".facediary/")
    }
    #expect(found.count == names.count, "\(found)")
    for path in found { unlink(home.path + "/" + path) }
  }

  /// The device key is gone, too, and the spare of the slots is all that is left.
  @Test(arguments: ["accept-rollback", "device reset"])
  func `an older copy that only the spare knows to be older is gone on with on purpose`(
    _ words: String
  ) throws {
    let home = try Home()
    _ = try home.write("one")
    let copy = home.path + "/copy"
    try FileManager.default.copyItem(atPath: home.vault, toPath: copy)
    let new = try home.put("new", "another horse\n")
    try home.ok(["keys", "add", "passphrase", "--new-passphrase-file", new])
    _ = try home.write("two")
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    try FileManager.default.copyItem(atPath: copy, toPath: home.vault)
    try forget(["device.key"], home)
    let secret = ["--passphrase-file", home.passphrase]
    // Nothing is put aside or made by a command that does not accept it, however often.
    for _ in 0..<2 {
      let run = try home.run(["list"] + secret)
      #expect(run.status == 5 && run.err.contains("accept-rollback"), "\(run.err)")
    }
    let yes = words == "accept-rollback" ? ["--yes"] : []
    let run = try home.run(words.split(separator: " ").map(String.init) + yes + secret)
    #expect(run.status == 0, "\(run.err)")
    #expect(try home.run(["list", "--json"] + secret).array.count == 1)
    #expect(try home.run(["verify"] + secret).status == 0)
  }

  @Test func `an older copy that is accepted without an anchor brings no removed way in back`()
    throws
  {
    let home = try Home()
    let other = try home.put("other", "another horse\n")
    try home.ok(["keys", "add", "passphrase", "--new-passphrase-file", other])
    let copy = home.path + "/copy"
    try FileManager.default.copyItem(atPath: home.vault, toPath: copy)
    let slots = try home.ok(["keys", "--json"]).array
    let id = try #require(
      slots.first { $0["kind"] as? String == "passphrase" }?["id"] as? String)
    #expect(
      try home.run(["keys", "remove", id, "--yes", "--passphrase-file", other]).status == 0)
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    try FileManager.default.copyItem(atPath: copy, toPath: home.vault)
    try forget(["anchor"], home)
    #expect(try home.run(["list", "--passphrase-file", other]).status == 5)
    #expect(
      try home.run(["accept-rollback", "--yes", "--passphrase-file", other]).status == 0)
    #expect(try home.run(["list", "--passphrase-file", other]).status == 0)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 3)
  }

  @Test func `a passphrase that was replaced and opens a backup takes back no wrong try`() throws {
    let home = try Home()
    let backup = try home.backup(in: home.path + "/copies")
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--kdf", "interactive", "--new-passphrase-file", new])
    let wrong = try home.put("wrong", "not this\n")
    var said = ""
    for _ in 0..<8 {
      said += try home.run(["list", "--json", "--passphrase-file", wrong]).err
      let run = try home.run([
        "list", "--vault", backup, "--passphrase-file", home.passphrase, "--json",
      ])
      said += run.status == 0 ? "" : run.err
    }
    #expect(said.contains("waiting"), "\(said)")
  }

  @Test func `a slot that cannot get its memory makes no guessing free`() throws {
    let home = try Home()
    let other = try home.put("other", "another horse\n")
    let wrong = try home.put("wrong", "not this\n")
    try home.ok([
      "keys", "add", "passphrase", "--new-passphrase-file", other, "--kdf", "sensitive",
    ])
    var codes: [String] = []
    // On a slow machine the first waits are over before the next try.
    for _ in 0..<10 {
      let said = try home.run(
        ["list", "--json", "--passphrase-file", wrong], memory: 900_000
      ).err
      codes.append(said.contains("Argon2id") ? "memory" : said)
    }
    #expect(
      codes[0] == "memory" && codes.dropFirst(5).contains { $0.contains("waiting") }, "\(codes)")
  }

  @Test func `want of memory does not tell a right face from a wrong one`() throws {
    let home = try Home(faces: true)
    let second = try home.put("second", "short\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "sensitive",
    ])
    let runs = try [Home.owner, Home.stranger].map {
      try home.run(["list", "--json", "--passphrase-file", second] + $0, memory: 900_000)
    }
    #expect(runs[0].err.contains("Argon2id") && runs[0].err == runs[1].err, "\(runs)")
    #expect(runs[0].status == runs[1].status)
  }

  @Test func `a device store that was deleted is told also to who wants no remarks`() throws {
    let home = try Home()
    try home.ok(["write", "one"])
    try forget(["device.key"], home)
    let run = try home.ok(["write", "two", "--quiet"])
    #expect(run.err.contains("facediary:"), "\(run.err)")
  }
}
