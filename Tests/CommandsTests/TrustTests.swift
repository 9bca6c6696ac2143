import Foundation
import Glibc
import RowStore
import Testing

/// What a careful person would try first, against the built program: secrets, ways in and rights.
@Suite(.threads) struct TrustTests {
  @Test func `wrong passphrases from elsewhere do not make a device wait that knows the diary`()
    throws
  {
    let home = try Home()
    try home.ok(["list"])
    let wrong = try home.put("wrong", "not the passphrase\n")
    let other = ["--device", home.path + "/other"]
    // After seven the wait is long enough for a slow machine.
    for _ in 0..<7 {
      while try home.run(["list", "--passphrase-file", wrong] + other).status != 3 {}
    }
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + other).status == 4)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 0)
  }

  @Test func `wrong passphrases have to wait, by whatever device store they come`() throws {
    let home = try Home()
    let wrong = try home.put("wrong", "nope\n")
    func wait() throws -> Int? { try home.run(["status", "--json"]).object["retryAfter"] as? Int }
    // The first four cost nothing; after seven the wait is long enough for a slow machine to be asked about it.
    for _ in 0..<7 {
      while try wait() != nil { usleep(50_000) }
      #expect(try home.run(["list", "--passphrase-file", wrong]).status == 3)
    }
    let waits = try home.run(["list", "--json", "--passphrase-file", wrong])
    #expect(waits.status == 4 && waits.errorCode == "locked-out")
    let seconds = try #require(try wait())
    #expect((1...8).contains(seconds))
    let elsewhere = ["--device", home.path + "/other"]
    #expect(try home.run(["list", "--passphrase-file", wrong] + elsewhere).status == 4)
    #expect(try home.run(["salvage", home.path + "/out", "--passphrase-file", wrong]).status == 4)
    while try wait() != nil { usleep(100_000) }
    try home.ok(["list"])
    #expect(try wait() == nil)
  }

  @Test func `commands that make access permanent ask for a secret even in a session`() throws {
    let home = try Home(faces: true)
    try home.ok(["unlock"])
    for words in [
      ["enroll", Home.keys + "/owner-4.npy"], ["faces"], ["keys", "add", "recovery"],
      ["keys", "rotate", "--yes"], ["keys", "remove", "aaaa"], ["passphrase"],
      ["policy", "set", "idle", "1h"], ["device", "move", "--file"], ["accept-rollback"],
      ["restore-backup", home.folder, "--yes"],
    ] {
      let run = try home.run(words + ["--json"])
      #expect(
        run.status == 3 && run.errorCode == "needs-passphrase" || words[1] == "remove",
        "\(words): \(run.err)")
      // A face makes nothing permanent either.
      #expect(try home.run(words + Home.owner).status != 0, "\(words)")
    }
  }

  @Test func `slots are listed, added, removed, and the passphrase changes`() throws {
    let home = try Home(faces: true)
    let new = try home.put("new", "another horse\n")
    #expect(
      try Set(home.run(["keys", "--json"]).array.map { $0["kind"] as? String }) == [
        "recovery", "passphrase", "face",
      ])
    let code = try #require(
      home.ok(["keys", "add", "recovery", "--json"]).object["recoveryCode"] as? String)
    let second = try home.put("code", code)
    #expect(try home.run(["list", "--recovery-file", second]).status == 0)
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 3)
    #expect(try home.run(["list", "--passphrase-file", new]).status == 0)
    for slot in try home.run(["keys", "--json"]).array where slot["kind"] as? String != "face" {
      let id = slot["id"] as? String ?? ""
      let last = try home.run(["keys", "--json"]).array.filter { $0["kind"] as? String != "face" }
      let run = try home.run(["keys", "remove", id, "--recovery-file", second])
      #expect(run.status == (last.count == 1 ? 7 : 0) || run.status == 3)
    }
    let left = try home.run(["keys", "--json"]).array.filter { $0["kind"] as? String != "face" }
    #expect(left.count >= 1)
  }

  @Test func `warm: no face slot on the disk, and a face only re-opens what a passphrase opened`()
    throws
  {
    let home = try Home(faces: true)
    try home.ok(["policy", "set", "warm", "on"])
    #expect(try !home.run(["keys", "--json"]).array.contains { $0["kind"] as? String == "face" })
    #expect(try home.run(["unlock", "--json"] + Home.owner).errorCode == "needs-passphrase")
    try home.ok(["unlock"])
    #expect(try home.run(["lock"]).status == 0)
    #expect(try home.run(["list"]).status == 3)
    #expect(try home.run(["unlock"] + Home.stranger).status == 3)
    let opened = try home.run(["unlock", "--json"] + Home.owner)
    #expect(opened.object["method"] as? String == "face")
    #expect(try home.run(["list"]).status == 0)
    // Five strangers wipe it.
    #expect(try home.run(["lock"]).status == 0)
    for left in (0..<5).reversed() {
      #expect(try home.run(["unlock"] + Home.stranger).status == (left > 0 ? 3 : 4))
    }
    #expect(try home.run(["unlock"] + Home.owner).status == 4)
    try home.ok(["unlock"])
    #expect(try home.run(["lock", "--all"]).status == 0)
    #expect(try home.run(["unlock"] + Home.owner).status == 3)
    try home.ok(["policy", "set", "warm", "off"])
    #expect(try home.run(["list"] + Home.owner).status == 0)
  }

  @Test func `face and passphrase: neither alone, and one answer for both`() throws {
    let home = try Home(faces: true)
    let second = try home.put("second", "short\n")
    let wrong = try home.put("wrong", "nope\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    let both = ["--passphrase-file", second]
    #expect(try home.run(["list"] + Home.owner).status == 3)
    #expect(try home.run(["list"] + both).status == 3)
    #expect(try home.run(["list"] + Home.owner + both).status == 0)
    let face = try home.run(["list", "--json"] + Home.stranger + both)
    let secret = try home.run(["list", "--json"] + Home.owner + ["--passphrase-file", wrong])
    #expect(face.status == 3 && secret.status == 3 && face.errorCode == secret.errorCode)
    func words(_ run: Run) -> String { run.err.filter { !$0.isNumber } }
    #expect(words(face) == words(secret))
    // A dropped slot never comes back as one that the face opens alone.
    let id = try #require(home.ok(["faces", "--json"]).array.first?["id"] as? String)
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    try home.ok(["faces", "rename", id, "other"])
    func opensAlone() throws -> Bool {
      try home.run(["keys", "--json"]).array.contains { $0["kind"] as? String == "face" }
        || home.run(["list"] + Home.owner).status == 0
    }
    #expect(try !opensAlone())
    try home.ok(["device", "move", "--file"])
    #expect(try !opensAlone())
    for value in ["on", "off"] { try home.ok(["policy", "set", "warm", value]) }
    #expect(try !opensAlone())
    // Only when the owner says so.
    try home.ok(["policy", "set", "face-passphrase", "off"])
    try home.ok(["enroll", Home.keys + "/owner-4.npy", "--model", "sface"])
    #expect(try opensAlone())
  }

  @Test func `replacing the device key does not fail concurrent openings`() async throws {
    let home = try Home(faces: true)
    try await withThrowingTaskGroup(of: (String, Run).self) { group in
      group.addTask {
        for value in ["on", "off", "on", "off"] { try home.ok(["policy", "set", "warm", value]) }
        return ("policy", Run(status: 0, out: "", err: ""))
      }
      for number in 0..<12 {
        group.addTask {
          (
            "write",
            try home.run(["write", "n \(number)", "--passphrase-file", home.passphrase])
          )
        }
      }
      for try await (what, run) in group {
        // Told to try again it may be; never that something is damaged, or old.
        #expect(run.status == 0 || run.status == 7, "\(what): \(run.err)")
      }
    }
    try home.ok(["verify"])
  }

  @Test func `any file of a known device store that is gone is damage`() throws {
    let home = try Home(faces: true)
    let other = ["--device", home.path + "/other"]
    try home.ok(["list"] + other)
    let store = try #require(
      FileManager.default.contentsOfDirectory(atPath: home.path + "/other").first { $0.count == 26 }
    )
    func list() throws -> Run {
      try home.run(["list", "--passphrase-file", home.passphrase] + other)
    }
    for gone in [["anchor"], ["access"], ["anchor", "access"]] {
      for name in gone { unlink(home.path + "/other/\(store)/" + name) }
      #expect(try list().status == 5, "\(gone)")
      // Nor does a try that failed, or an owner who said no, make it a device that never knew the diary.
      let wrong = try home.put("wrong", "not this\n")
      for words in [["accept-rollback", "--yes"], ["salvage", home.path + "/none"]] {
        #expect(
          try home.run(words + ["--passphrase-file", wrong] + other).status != 0)
      }
      #expect(try list().status == 5, "\(gone)")
      try home.ok(["accept-rollback"] + other)
      #expect(try list().status == 0)
    }
  }

  @Test func `a vault that others could read is made private, and a folder open to them is named`()
    throws
  {
    let home = try Home()
    chmod(home.vault, 0o644)
    let first = try home.ok(["list"])
    #expect(first.err.contains("other users could read"))
    #expect(
      try FileManager.default.attributesOfItem(atPath: home.vault)[.posixPermissions] as? Int
        == 0o600)
    #expect(try !home.ok(["list"]).err.contains("other users"))
    let folder = (home.vault as NSString).deletingLastPathComponent
    chmod(folder, 0o777)
    #expect(try home.ok(["list"]).err.contains("chmod go-w"))
    chmod(folder, 0o1777)
    #expect(try !home.ok(["list"]).err.contains("chmod"))
  }

  @Test
  func `accepting an older copy brings entries back, and nothing the owner decided against since`()
    throws
  {
    let home = try Home(faces: true)
    _ = try home.write("one")
    let weak = try home.put("weak", "removed since\n")
    try home.ok([
      "keys", "add", "passphrase", "--new-passphrase-file", weak, "--kdf", "interactive",
    ])
    let older = home.path + "/older"
    try FileManager.default.copyItem(atPath: home.vault, toPath: older)
    // Since then: two entries, a way in removed, another added, a stricter policy, a face more.
    for text in ["two", "three"] { _ = try home.write(text) }
    let slots = try home.run(["keys", "--json"]).array.filter {
      $0["kind"] as? String == "passphrase"
    }
    let id = try #require(slots.last?["id"] as? String)
    try home.ok(["keys", "remove", id])
    let newer = try home.put("newer", "added since\n")
    try home.ok([
      "keys", "add", "passphrase", "--new-passphrase-file", newer, "--kdf", "interactive",
    ])
    try home.ok(["policy", "set", "idle", "1m"])
    try home.ok(["enroll", Home.keys + "/owner-4.npy", "--model", "sface"])
    let faces = try home.ok(["faces", "--json"]).array.count
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try Data(contentsOf: URL(fileURLWithPath: older)).write(to: URL(fileURLWithPath: home.vault))
    for secret in [home.passphrase, newer, weak] {
      #expect(try home.run(["list", "--passphrase-file", secret]).status == 5, "\(secret)")
    }
    // What was removed since accepts nothing, and nothing is changed.
    let refused = try home.run(["accept-rollback", "--json", "--passphrase-file", weak])
    #expect(refused.status == 3 && refused.errorCode == "wrong-secret", "\(refused.err)")
    #expect(refused.err.contains("replaced after the copy was made"))
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 5)
    // Said no to, neither.
    let asked = try TerminalSession(home, ["accept-rollback", "--passphrase-file", newer])
    #expect(asked.expect("this copy has 1 entry"))
    for words in [
      "it had 3", "2 entries added since", "stays removed", "policy", "faces", "[y/N]",
    ] {
      #expect(asked.expect(words), "\(words): \(asked.screen)")
    }
    asked.type("n\n")
    #expect(asked.end() == 9, "\(asked.screen)")
    #expect(try home.run(["list", "--passphrase-file", newer]).status == 5)
    let accepted = try home.run(["accept-rollback", "--json", "--passphrase-file", newer])
    #expect(accepted.status == 0 && accepted.object["lacks"] as? Int == 2, "\(accepted.err)")
    for secret in [home.passphrase, newer] {
      #expect(try home.run(["list", "--json", "--passphrase-file", secret]).array.count == 1)
    }
    #expect(try home.run(["list", "--passphrase-file", weak]).status == 3)
    #expect(try home.run(["policy", "--json"]).object["idle"] as? Int == 60)
    #expect(try home.ok(["faces", "--json"]).array.count == faces)
    #expect(try home.run(["list"] + Home.owner).status == 0)
    #expect(try home.ok(["verify", "--json"]).object["ok"] as? Bool == true)
    // Once more there is nothing to accept, and another device goes on as after any change.
    #expect(try home.ok(["accept-rollback"]).err.contains("nothing to accept"))
  }

  @Test func `a wrong face and a wrong passphrase are counted alike where both are wanted`() throws
  {
    func traces(_ words: (Home, String) -> [String]) throws -> ([String], Int) {
      let home = try Home(faces: true)
      let second = try home.put("second", "short\n")
      _ = try home.put("wrong", "nope\n")
      try home.ok([
        "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
      ])
      var answers: [String] = []
      for _ in 0..<6 {
        let run = try home.run(["list", "--json"] + words(home, second))
        answers.append("\(run.status) \(run.err)")
        let status = try home.run(["status", "--json"])
        answers.append(
          status.out.components(separatedBy: "\"device\"").last?
            .components(separatedBy: ",\"retryAfter\"").first ?? "")
        // As long as the wait after it, at most.
        if (status.object["retryAfter"] as? Int) != nil { usleep(1_100_000) }
      }
      // In clear: how many wrong ones there were.
      let row = try VaultBytes(home.vault).blob(
        "SELECT attempts FROM device WHERE length(attempts)=36")
      return (answers, Int(row.first ?? 0))
    }
    let face = try traces { Home.stranger + ["--passphrase-file", $1] }
    let secret = try traces { home, _ in
      Home.owner + ["--passphrase-file", home.path + "/wrong"]
    }
    #expect(face.0 == secret.0)
    #expect(face.1 == secret.1 && face.1 > 0)
  }

  @Test func `a backup that becomes the diary brings no replaced way in and no weaker policy back`()
    throws
  {
    let home = try Home(faces: true)
    _ = try home.write("one")
    let backup = try home.backup(in: home.path + "/copies")
    let new = try home.put("new", "another horse\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    #expect(try home.run(["policy", "set", "idle", "1m", "--passphrase-file", new]).status == 0)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    let old = try home.run([
      "restore-backup", backup, "--yes", "--json", "--passphrase-file", home.passphrase,
    ])
    #expect(old.status == 3 && old.errorCode == "wrong-secret", "\(old.err)")
    let restored = try home.run(["restore-backup", backup, "--yes", "--passphrase-file", new])
    #expect(restored.status == 0, "\(restored.err)")
    #expect(try home.run(["list", "--json", "--passphrase-file", new]).array.count == 1)
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 3)
    #expect(try home.run(["policy", "--json"]).object["idle"] as? Int == 60)
    #expect(try home.run(["verify", "--passphrase-file", new]).status == 0)
  }

  @Test func `a backup from before a rotation becomes the diary only with a secret of today`()
    throws
  {
    let home = try Home()
    _ = try home.write("one")
    let backup = try home.backup(in: home.path + "/copies")
    let new = try home.put("new", "another horse\n")
    // A text that was kept under the key of the backup.
    let earlier = try home.put("kak", "#!/bin/sh\necho earlier > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let first = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": earlier])
    #expect(first.end() == 137, "\(first.screen)")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let rotated = try home.run([
      "keys", "rotate", "--passphrase-file", new, "--json", "--yes", "--kdf", "interactive",
    ])
    #expect(rotated.status == 0, "\(rotated.err)")
    // And a text that was kept under the key of today.
    let program = try home.put("hx", "#!/bin/sh\necho kept > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let editing = try TerminalSession(
      home, ["write", "--passphrase-file", new], extra: ["EDITOR": program])
    #expect(editing.end() == 137, "\(editing.screen)")
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    let old = try home.run([
      "restore-backup", backup, "--yes", "--json", "--passphrase-file", home.passphrase,
    ])
    #expect(old.status == 3 && old.errorCode == "wrong-secret", "\(old.err)")
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    // Today's alone does not open the backup, and the hint says what does.
    let todays = try home.run([
      "restore-backup", backup, "--yes", "--json", "--passphrase-file", new,
    ])
    #expect(todays.status == 3 && todays.err.contains("--backup-passphrase-file"), "\(todays.err)")
    #expect(!FileManager.default.fileExists(atPath: home.vault))
    let both = try home.run([
      "restore-backup", backup, "--yes", "--passphrase-file", new, "--backup-passphrase-file",
      home.passphrase,
    ])
    // Today's ways in stay, and that of the backup opens nothing any more.
    #expect(both.status == 0, "\(both.err)")
    let list = ["list", "--json", "--passphrase-file"]
    #expect(try home.run(list + [home.passphrase]).errorCode == "wrong-secret")
    #expect(try home.run(list + [new]).array.count == 1)
    #expect(try home.run(["verify", "--passphrase-file", new]).status == 0)
    #expect(try home.run(["write", "--recover", "--passphrase-file", new]).status == 0)
    #expect(try home.run(list + [new]).array.count == 3)
  }

  @Test func `a face opens no backup in the diary's place, in a warm session either`() throws {
    let home = try Home(faces: true)
    try home.ok(["policy", "set", "warm", "on"])
    _ = try home.write("in the backup")
    let backup = try home.backup(in: home.path + "/copies")
    _ = try home.write("since then")
    try home.ok(["unlock"])
    #expect(try home.run(["lock"]).status == 0)
    // A backup's rows where the diary's were, with what this device counts in them.
    let live = VaultBytes(home.vault)
    let counted = try live.blobs("SELECT host FROM device").map { host in
      (
        host,
        try live.blob(
          "SELECT attempts FROM device WHERE hex(host)='\(host.map { String(format: "%02X", $0) }.joined())'"
        )
      )
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try FileManager.default.copyItem(atPath: backup + "/vault", toPath: home.vault)
    for (host, attempts) in counted {
      try VaultBytes(home.vault).run(
        "INSERT INTO device(host, attempts) VALUES(?, ?)", [.blob(host), .blob(attempts)])
    }
    let face = try home.run(["unlock", "--json"] + Home.owner)
    #expect(face.status == 3 && face.errorCode == "needs-passphrase", "\(face.out) \(face.err)")
    #expect(try home.run(["list"]).status == 3)
    // By the passphrase it opens, and is named.
    let named = try home.run(["list", "--passphrase-file", home.passphrase])
    #expect(named.status == 0 && named.err.contains("backup"), "\(named.err)")
    _ = try home.run(["lock", "--all"])
  }

  @Test func `half of a record put back to "never opened" is no new device`() throws {
    let home = try Home()
    let store = home.path + "/.local/state/facediary"
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).first { $0.count == 26 })
    for half in [0..<4096, 4096..<8192] {
      try home.ok(["list"])
      let path = "\(store)/\(id)/access"
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for place in half where place < bytes.count { bytes[place] = 0 }
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.write(contentsOf: bytes)
      try handle.close()
      unlink("\(store)/\(id)/anchor")
      #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 5)
      try home.ok(["accept-rollback"])
    }
  }
}
