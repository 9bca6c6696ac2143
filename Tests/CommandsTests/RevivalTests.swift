import Foundation
import Testing

/// A diary's rows are gone, and somebody who has a replaced secret changed what the device remembers of it before a backup becomes the
/// diary.
@Suite(.serialized, .threads) struct RevivalTests {
  private let home: Home
  private let new: String

  init() throws {
    home = try Home()
    new = try home.put("new", "another horse\n")
    _ = try home.write("one")
  }

  /// The device store, whichever diary's.
  private var store: String { home.deviceStore }

  /// Puts what this program never wrote in the place of a file of the device store, and returns its path.
  private func putSomethingElse(_ name: String) -> String {
    let path = store + "/" + name
    unlink(path)
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    chmod(path, 0o600)
    truncate(path, 80 << 20)
    return path
  }

  @discardableResult
  private func ok(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Run
  {
    let run = try home.run(words)
    #expect(run.status == 0, "\(run.err)", sourceLocation: sourceLocation)
    return run
  }

  private func loseRows() {
    for suffix in ["", "-wal", "-shm"] { unlink(home.vault + suffix) }
  }

  private func keep(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: store + "/" + name))
  }

  private func put(back data: Data, _ name: String) throws {
    try data.write(to: URL(fileURLWithPath: store + "/" + name))
    chmod(store + "/" + name, 0o600)
  }

  @Test(arguments: [["anchor"], ["anchor", "access"]])
  func `a backup goes on under its own key, where the spare is one from before`(
    _ gone: [String]
  ) throws {
    let before = try keep("keyring")
    let old = home.recovery
    let rotated = try ok([
      "keys", "rotate", "--yes", "--kdf", "interactive", "--passphrase-file", home.passphrase,
    ])
    let code = try #require(
      rotated.out.split(whereSeparator: \.isWhitespace).first { $0.filter { $0 == "-" }.count > 3 })
    _ = try home.write("after it")
    let backup = try home.backup(in: home.path + "/copies")
    loseRows()
    for name in gone { unlink(store + "/" + name) }
    try put(back: before, "keyring")
    try ok(["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase])
    #expect(try home.run(["list", "--recovery-file", old]).status == 3)
    let today = try home.put("today", code + "\n")
    #expect(try home.run(["list", "--recovery-file", today]).status == 0)
    #expect(try ok(["list", "--json", "--passphrase-file", home.passphrase]).array.count == 2)
  }

  @Test func `a way in that was removed before the backup stays removed, whatever the spare says`()
    throws
  {
    let before = try keep("keyring")
    try ok([
      "passphrase", "--new-passphrase-file", new, "--kdf", "interactive", "--passphrase-file",
      home.passphrase,
    ])
    _ = try ok(["write", "after it", "--passphrase-file", new])
    let made = try ok(["backup", home.path + "/copies", "--json", "--passphrase-file", new])
    let backup = try #require(made.object["file"] as? String)
    loseRows()
    unlink(store + "/anchor")
    try put(back: before, "keyring")
    let words = ["restore-backup", backup, "--yes", "--passphrase-file"]
    #expect(try home.run(words + [home.passphrase]).status == 3)
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    try ok(words + [new])
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 3)
    #expect(try ok(["list", "--json", "--passphrase-file", new]).array.count == 2)
    #expect(try home.run(["list", "--recovery-file", home.recovery]).status == 0)
  }

  @Test func `ways in that only an unsealed spare knows are told to be lost`() throws {
    let backup = try home.backup(in: home.path + "/copies")
    try ok([
      "passphrase", "--new-passphrase-file", new, "--kdf", "interactive", "--passphrase-file",
      home.passphrase,
    ])
    let other = try home.put("other", "a third horse\n")
    try ok([
      "keys", "add", "passphrase", "--new-passphrase-file", other, "--kdf", "interactive",
      "--passphrase-file", new,
    ])
    loseRows()
    unlink(store + "/anchor")
    let run = try ok([
      "restore-backup", backup, "--yes", "--passphrase-file", new, "--backup-passphrase-file",
      home.passphrase,
    ])
    #expect(run.err.contains("keys add"), "\(run.err)")
    for (secret, opens) in [(new, true), (other, false), (home.passphrase, false)] {
      #expect(try (home.run(["list", "--passphrase-file", secret]).status == 0) == opens)
    }
  }

  @Test(arguments: [["anchor"], ["anchor", "access"], ["device.key"]])
  func `a backup of the same key brings its policy along, whatever the device forgot`(
    _ gone: [String]
  ) throws {
    try ok(["policy", "set", "passphrase-after", "2h", "--passphrase-file", home.passphrase])
    let backup = try home.backup(in: home.path + "/copies")
    loseRows()
    for name in gone { unlink(store + "/" + name) }
    try ok(["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase])
    let policy = try ok(["policy", "show", "--passphrase-file", home.passphrase])
    #expect(policy.out.contains("2h"), "\(policy.out)")
  }

  @Test func `a device that gets a new key says so, and where the old store is`() throws {
    let backup = try home.backup(in: home.path + "/copies")
    loseRows()
    for name in ["device.key", "keyring"] { unlink(store + "/" + name) }
    let run = try ok([
      "restore-backup", backup, "--yes", "--passphrase-file", home.passphrase,
    ])
    #expect(run.err.contains(".damaged-1"), "\(run.err)")
  }

  @Test func `killed while a device begins anew, it still knows which ways in were removed`() throws
  {
    var calls = 0
    // The first is not killed.
    for turn in [100_000] + stride(from: 1, through: 60, by: 2) where calls == 0 || turn <= calls {
      let home = try Home()
      let store = home.deviceStore
      unlink(store + "/device.key")
      let end = try home.fault(turn, "kill", ["list", "--passphrase-file", home.passphrase])
      calls = max(calls, end.calls)
      let names = try FileManager.default.contentsOfDirectory(atPath: store)
      #expect(names.contains("keyring"), "call \(turn): \(names)")
      #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 0)
    }
    #expect(calls > 5)
  }

  @Test func `where nothing says what opens the diary, the way out that is named leads out`() throws
  {
    let backup = try home.backup(in: home.path + "/copies")
    loseRows()
    for name in ["anchor", "keyring"] { unlink(store + "/" + name) }
    let words = ["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase]
    let run = try home.run(words)
    #expect(
      run.status == 5 && run.err.contains("in \(store), move it to another folder"), "\(run.err)")
    try FileManager.default.moveItem(atPath: store, toPath: home.path + "/moved")
    try ok(words)
    #expect(try ok(["list", "--json", "--passphrase-file", home.passphrase]).array.count == 1)
  }

  @Test(arguments: ["keyring", "templates.staged"])
  func `what is put in the place of a file that nothing depends on locks nobody out`(
    _ name: String
  ) throws {
    let path = putSomethingElse(name)
    try ok(["list", "--passphrase-file", home.passphrase])
    _ = try home.write("two")
    unlink(path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    try ok(["list", "--passphrase-file", home.passphrase])
  }

  @Test(arguments: ["chip", "helper"])
  func `what stands in the place of another file is named, and moving it away helps`(
    _ name: String
  ) throws {
    let path = putSomethingElse(name)
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 5 && run.err.contains("move \(path) to another folder"), "\(run.err)")
    try FileManager.default.moveItem(atPath: path, toPath: home.path + "/moved")
    try ok(["list", "--passphrase-file", home.passphrase])
  }

  /// - Parameter isBackup: what stands in the diary's place: a backup, or the diary from before its key was replaced.
  @Test(arguments: [true, false])
  func `what stands in the diary's place is moved away as the hint says, and the backup comes back`(
    _ isBackup: Bool
  ) throws {
    _ = try home.write("one")
    let before = home.path + "/before"
    try FileManager.default.copyItem(atPath: home.folder, toPath: before)
    if !isBackup { try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"]) }
    let backup = try home.backup(in: home.path + "/copies")
    try FileManager.default.removeItem(atPath: home.folder)
    try FileManager.default.copyItem(atPath: isBackup ? backup : before, toPath: home.folder)
    let words = ["restore-backup", backup, "--yes", "--passphrase-file", home.passphrase]
    let run = try home.run(words)
    #expect(run.status != 0 && run.err.contains("to another folder, then run this again"), "\(run)")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.moveItem(
        atPath: home.vault + suffix, toPath: home.path + "/moved" + suffix)
    }
    #expect(try home.run(words).status == 0)
    #expect(try !home.ok(["list", "--json"]).array.isEmpty)
  }
}
