import Foundation
import Glibc
import Platform
import Testing

/// The device key in a helper: an honest one, one that lies, a software TPM and a Secret Service.
@Suite(.threads) struct DeviceKeyTests {
  /// A helper as a shell script: what it does with each operation.
  private func helper(_ home: Home, _ body: String) throws -> String {
    try home.put(
      "helper",
      """
      #!/bin/sh
      while read -r line && [ -n "$line" ]; do case $line in
      key=*) key=${line#key=};; secret=*) secret=$line;; esac; done
      \(body)
      """, mode: 0o700)
  }

  private static let honest = """
    case $1 in store) echo "$secret" > "$HOME/k-$key";; get) [ ! -e "$HOME/k-$key" ] || cat "$HOME/k-$key";;
    erase) rm -f "$HOME/k-$key";; esac
    """

  /// It gives a key that this device never had.
  private static let foreign = "[ $1 = get ] && echo secret=$(printf '01%.0s' $(seq 32)); exit 0"

  @Test func `a note of the helper that others can read hides neither the vault nor the way in`()
    throws
  {
    let home = try Home(faces: true)
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    let store = home.path + "/.local/state/facediary"
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    try home.ok(["unlock"])
    chmod(store + "/\(id)/helper", 0o644)
    // What needs only the vault's name goes on: text that is typed, and the list of ways in.
    let session = try TerminalSession(
      home, ["write"],
      extra: ["EDITOR": try home.put("editor", "#!/bin/sh\necho typed > \"$1\"\n", mode: 0o700)])
    #expect(session.end() == 0, "\(session.screen)")
    try home.run(["lock"])
    let status = try home.run(["status", "--json"]).object
    #expect(status["id"] as? String == id && status["device"] as? String == "damaged")
    #expect(status["needs"] as? [String] == ["passphrase", "recovery"])
    #expect(try home.run(["keys", "remove", "zzzz"]).status == 6)
  }

  @Test(.enabled(if: FileSystem.isExecutable("/usr/bin/strace")))
  func `a file system that cannot exchange two names keeps no device out`() throws {
    let home = try Home(faces: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
    process.arguments = [
      "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
      "inject=renameat2:error=EINVAL", Home.binary, "policy", "set", "warm", "on",
      "--passphrase-file", home.passphrase,
    ]
    process.environment = home.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    try home.ok(["list"])
    #expect(try home.run(["status", "--json"]).object["device"] as? String == "known")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.path + "/.local/state/facediary")
    #expect(names.allSatisfy { !$0.hasSuffix(".next") && !$0.hasSuffix(".replaced") }, "\(names)")
  }

  @Test(arguments: ["a file", "a note that names nothing", "a copy of the note"])
  func `what lies in the place of a store that is being made keeps nobody out`(kind: String) throws
  {
    let home = try Home(faces: true)
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let store = home.path + "/.local/state/facediary/" + id
    let next = store + ".next"
    if kind == "a file" {
      try "x".write(toFile: next, atomically: true, encoding: .utf8)
    } else {
      mkdir(next, 0o700)
      let note = try String(contentsOfFile: store + "/helper", encoding: .utf8)
      try (kind == "a copy of the note" ? note : "nothing\n").write(
        toFile: next + "/helper", atomically: true, encoding: .utf8)
    }
    // No try at the right passphrase is counted as a wrong one.
    for _ in 0..<6 { try home.ok(["list"]) }
    #expect(!FileManager.default.fileExists(atPath: next))
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  @Test func `a store from before the device's key was replaced is named, and given up`() throws {
    let home = try Home(faces: true)
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let store = home.path + "/.local/state/facediary/" + id
    try FileManager.default.copyItem(atPath: store, toPath: home.path + "/stolen")
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    try FileManager.default.moveItem(atPath: store, toPath: home.path + "/newer")
    try FileManager.default.copyItem(atPath: home.path + "/stolen", toPath: store)
    for words in [["list"], ["unlock"], ["accept-rollback", "--yes"], ["write", "x"]] {
      let run = try home.run(words + ["--passphrase-file", home.passphrase])
      #expect(run.status == 5, "\(words): \(run)")
      #expect(run.err.contains("device reset"), "\(run.err)")
    }
    // What the hint says: the newer one put back,
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.moveItem(atPath: home.path + "/newer", toPath: store)
    try home.ok(["list"])
    #expect(try home.run(["list"] + Home.owner).status == 0)
    // or a new beginning.
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.copyItem(atPath: home.path + "/stolen", toPath: store)
    try home.ok(["device", "reset"])
    try home.ok(["enroll", "--model", "sface", Home.keys + "/owner-1.npy"])
    try home.ok(["list"])
    #expect(
      try home.run(["verify", "--json"] + ["--passphrase-file", home.passphrase]).status == 0)
  }

  @Test func `removed faces that are put back are blessed by no command`() throws {
    let home = try Home(faces: true)
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let store = home.path + "/.local/state/facediary/" + id
    try FileManager.default.copyItem(atPath: store + "/templates", toPath: home.path + "/old")
    let faces = try home.ok(["faces", "--json"]).array.compactMap { $0["id"] as? String }
    let first = try #require(faces.first)
    let renamed = try home.ok(["faces", "rename", String(first.prefix(8)), "renamed", "--json"])
      .array
    #expect(
      renamed.compactMap { $0["id"] as? String } == faces
        && renamed[0]["label"] as? String == "renamed")
    try FileManager.default.removeItem(atPath: store + "/templates")
    try FileManager.default.moveItem(atPath: home.path + "/old", toPath: store + "/templates")
    for words in [["faces"], ["faces", "rename", String(first.prefix(8)), "again"]] {
      #expect(try home.run(words + ["--passphrase-file", home.passphrase]).status == 5, "\(words)")
    }
    #expect(try home.run(["list"] + Home.owner).status != 0)
    // Enrolled anew, it opens.
    try home.ok(["enroll", "--model", "sface", Home.keys + "/owner-1.npy"])
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  /// What makes, accepts or rescues a diary asks the program, too: it is not confined then.
  @Test func `an older copy, a backup and a damaged diary come back with a key in a helper`() throws
  {
    let home = try Home(faces: true)
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    _ = try home.write("one")
    let copy = home.path + "/copy"
    try FileManager.default.copyItem(atPath: home.vault, toPath: copy)
    let backup = try home.backup(in: home.path + "/backups")
    _ = try home.write("two")
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    try FileManager.default.moveItem(atPath: copy, toPath: home.vault)
    let secret = ["--passphrase-file", home.passphrase]
    #expect(try home.run(["list"] + secret).err.contains("accept-rollback"))
    let accepted = try home.run(["accept-rollback", "--yes"] + secret)
    #expect(accepted.status == 0, "\(accepted)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    #expect(try home.run(["list"] + Home.owner).status == 0)
    let salvaged = home.path + "/salvaged.facediary"
    let rescued = try home.run(["salvage", salvaged] + secret)
    #expect(rescued.status == 0, "\(rescued)")
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    // Another key than its own makes no backup the diary.
    _ = try helper(home, Self.foreign)
    let refused = try home.run(["restore-backup", backup, "--yes"] + secret)
    #expect(refused.status == 7 && refused.err.contains("move"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    _ = try helper(home, Self.honest)
    let revived = try home.run(["restore-backup", backup, "--yes"] + secret)
    #expect(revived.status == 0, "\(revived)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `a note that names nothing is given up with the device's key`() throws {
    let home = try Home(faces: true)
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let note = home.path + "/.local/state/facediary/\(id)/helper"
    chmod(note, 0o600)
    try "nothing\n".write(toFile: note, atomically: true, encoding: .utf8)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status != 0)
    try home.ok(["device", "reset"])
    try home.ok(["list"])
  }

  @Test func `a helper that gives another key has it used for nothing`() throws {
    let home = try Home()
    try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    _ = try helper(home, Self.foreign)
    let secret = ["--passphrase-file", home.passphrase]
    for words in [["list"], ["accept-rollback", "--yes"]] {
      let run = try home.run(words + secret)
      #expect(run.status == 1 && run.err.contains("device reset"), "\(run.err)")
    }
    let reset = try home.run(["device", "reset"] + secret)
    #expect(reset.status == 0 && reset.err.contains(".damaged-1"), "\(reset.err)")
    #expect(try home.run(["list"] + secret).status == 0)
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "file")
  }

  @Test func `moving the device key to a helper erases the old key`() throws {
    let home = try Home(faces: true)
    let store = home.path + "/.local/state/facediary"
    let kept = home.path + "/old"
    let path = try helper(home, Self.honest)
    let id = try #require(FileManager.default.contentsOfDirectory(atPath: store).first)
    try FileManager.default.copyItem(atPath: store, toPath: kept)
    try home.ok(["device", "move", "--helper", path])
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "helper")
    #expect(!FileManager.default.fileExists(atPath: store + "/\(id)/device.key"))
    #expect(try home.run(["list"] + Home.owner).status == 0)
    // The store as it was, with the old key in its file, opens nothing of this vault.
    #expect(try home.run(["list", "--device", kept] + Home.owner).status != 0)
    // Gone for good, it is no new device, and the owner decides.
    _ = try helper(home, "exit 0")
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 1)
    try home.ok(["device", "reset"])
    try home.ok(["list"])
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "file")
  }

  @Test
  func `a device key that cannot be read keeps no passphrase away, and locking asks no helper`()
    throws
  {
    let home = try Home(faces: true)
    let counted = Self.honest + "\n[ $1 != get ] || echo x >> \"$HOME/gets\""
    try home.ok(["device", "move", "--helper", try helper(home, counted)])
    func gets() throws -> Int {
      try String(contentsOfFile: home.path + "/gets", encoding: .utf8).count { $0 == "x" }
    }
    let before = try gets()
    try home.ok(["lock"])
    #expect(try gets() == before)
    // A slow program is asked once a command.
    for words in [
      ["status"], ["list"] + Home.owner, ["list", "--passphrase-file", home.passphrase],
    ] {
      let before = try gets()
      #expect(try home.run(words).status == 0)
      #expect(try gets() == before + 1, "\(words)")
    }
    let damaged = try Home(faces: true)
    let key = URL(fileURLWithPath: damaged.deviceStore + "/device.key")
    try Data("no key".utf8).write(to: key)
    try damaged.ok(["list"])
  }

  @Test(arguments: [
    "exit 3", "yes secret=00", "echo secret=zz", "echo hello", "kill -9 $$",
    "case $1 in get) echo secret=0000000000000000000000000000000000000000000000000000000000000000;; esac",
    "head -c 100000 /dev/zero", "exec >&- 2>&-; exit 0",
  ])
  func `a helper that lies, floods or dies changes nothing`(_ body: String) throws {
    let home = try Home(faces: true)
    let path = try helper(home, body)
    let run = try home.run([
      "device", "move", "--helper", path, "--passphrase-file", home.passphrase, "--json",
    ])
    #expect(run.status == 1 && run.errorCode == "system", "\(run.err)")
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "file")
    #expect(try home.run(["list"] + Home.owner).status == 0)
    try home.ok(["verify"])
  }

  @Test
  func `a real software TPM and a real Secret Service keep the key, where they are installed`()
    throws
  {
    let home = try Home(faces: true)
    func has(_ program: String) -> Bool {
      ["/usr/bin/", "/bin/", "/usr/sbin/"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + program)
      }
    }
    guard has("swtpm"), has("tpm2_create"), has("secret-tool"), has("gnome-keyring-daemon"),
      has("dbus-run-session")
    else { return }
    let script = try home.put(
      "real.sh",
      try String(
        contentsOfFile: URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
          + "/Helpers/real.sh", encoding: .utf8), mode: 0o700)
    let log = try home.put("log", "")
    let file = open(log, O_WRONLY)
    let null = open("/dev/null", O_RDONLY)
    defer { for each in [file, null] { close(each) } }
    // Not Foundation's Process: the daemons it starts must not inherit the signals that a test thread blocks, nor
    // keep its end waited for.
    let child = try ChildProcess.spawn(
      ["/usr/bin/env"] + home.environment.map { "\($0)=\($1)" } + [
        "timeout", "60", "/bin/bash", script, Home.binary,
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Helpers",
        home.passphrase, Home.keys + "/owner-4.npy",
      ], files: [null, file, file], ownGroup: true)
    let status = ChildProcess.wait(for: child)
    let said = try String(contentsOfFile: log, encoding: .utf8)
    #expect(status == 0, "\(said)")
  }

  /// What counts from the moment that a command has ended is not undone by the folder alone.
  @Test(arguments: [
    ["device", "move", "--file"], ["policy", "set", "warm", "on"],
    ["keys", "add", "face-passphrase"],
  ])
  func `a copy from before the device's key was replaced is an older copy`(words: [String]) throws {
    let home = try Home(faces: true)
    _ = try home.write("one")
    if words[1] == "move" {
      try home.ok(["device", "move", "--helper", try helper(home, Self.honest)])
    }
    let copy = home.path + "/copy"
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: home.vault + suffix) {
      try FileManager.default.copyItem(atPath: home.vault + suffix, toPath: copy + suffix)
    }
    let second = try home.put("second", "another one")
    let more = ["--new-passphrase-file", second, "--kdf", "interactive"]
    try home.ok(words + (words[0] == "keys" ? more : []))
    for suffix in ["-wal", "-shm", ""] { unlink(home.vault + suffix) }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: copy + suffix) {
      try FileManager.default.moveItem(atPath: copy + suffix, toPath: home.vault + suffix)
    }
    let run = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(run.status == 5 && run.err.contains("accept-rollback"), "\(run)")
  }
}
