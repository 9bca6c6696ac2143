import Foundation
import Glibc
import Platform
import Testing

@testable import FaceDiary

/// What a careful person would try first, against the built program.
@Suite struct TrustTests {
  private static let owner = ["--face", Home.keys + "/owner-4.npy"]
  private static let stranger = ["--face", Home.keys + "/stranger-1.npy"]

  private func put(_ home: Home, _ name: String, _ text: String, mode: mode_t = 0o600) throws
    -> String
  {
    let path = home.path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
    return path
  }

  @Test func `wrong passphrases have to wait, by whatever device store they come`() throws {
    let home = try Home()
    let wrong = try put(home, "wrong", "nope\n")
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
      ["restore-backup", home.vault, "--yes"],
    ] {
      let run = try home.run(words + ["--json"])
      #expect(
        run.status == 3 && run.errorCode == "needs-passphrase" || words[1] == "remove",
        "\(words): \(run.err)")
      // A face makes nothing permanent either.
      #expect(try home.run(words + Self.owner).status != 0, "\(words)")
    }
  }

  @Test func `slots are listed, added, removed, and the passphrase changes`() throws {
    let home = try Home(faces: true)
    let new = try put(home, "new", "another horse\n")
    #expect(
      try Set(home.run(["keys", "--json"]).array.map { $0["kind"] as? String }) == [
        "recovery", "passphrase", "face",
      ])
    let code = try #require(
      home.ok(["keys", "add", "recovery", "--json"]).object["recoveryCode"] as? String)
    let second = try put(home, "code", code)
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
    #expect(try home.run(["unlock", "--json"] + Self.owner).errorCode == "needs-passphrase")
    try home.ok(["unlock"])
    #expect(try home.run(["lock"]).status == 0)
    #expect(try home.run(["list"]).status == 3)
    #expect(try home.run(["unlock"] + Self.stranger).status == 3)
    let opened = try home.run(["unlock", "--json"] + Self.owner)
    #expect(opened.object["method"] as? String == "face")
    #expect(try home.run(["list"]).status == 0)
    // Five strangers wipe it.
    #expect(try home.run(["lock"]).status == 0)
    for left in (0..<5).reversed() {
      #expect(try home.run(["unlock"] + Self.stranger).status == (left > 0 ? 3 : 4))
    }
    #expect(try home.run(["unlock"] + Self.owner).status == 4)
    try home.ok(["unlock"])
    #expect(try home.run(["lock", "--all"]).status == 0)
    #expect(try home.run(["unlock"] + Self.owner).status == 3)
    try home.ok(["policy", "set", "warm", "off"])
    #expect(try home.run(["list"] + Self.owner).status == 0)
  }

  @Test func `face and passphrase: neither alone, and one answer for both`() throws {
    let home = try Home(faces: true)
    let second = try put(home, "second", "short\n")
    let wrong = try put(home, "wrong", "nope\n")
    try home.ok([
      "keys", "add", "face-passphrase", "--new-passphrase-file", second, "--kdf", "interactive",
    ])
    let both = ["--passphrase-file", second]
    #expect(try home.run(["list"] + Self.owner).status == 3)
    #expect(try home.run(["list"] + both).status == 3)
    #expect(try home.run(["list"] + Self.owner + both).status == 0)
    let face = try home.run(["list", "--json"] + Self.stranger + both)
    let secret = try home.run(["list", "--json"] + Self.owner + ["--passphrase-file", wrong])
    #expect(face.status == 3 && secret.status == 3 && face.errorCode == secret.errorCode)
    func words(_ run: Run) -> String { run.err.filter { !$0.isNumber } }
    #expect(words(face) == words(secret))
    // A dropped slot never comes back as one that the face opens alone.
    let id = try #require(home.ok(["faces", "--json"]).array.first?["id"] as? String)
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive"])
    try home.ok(["faces", "rename", id, "other"])
    func opensAlone() throws -> Bool {
      try home.run(["keys", "--json"]).array.contains { $0["kind"] as? String == "face" }
        || home.run(["list"] + Self.owner).status == 0
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

  @Test func `a killed first opening leaves the device as before it`() throws {
    let home = try Home(faces: true)
    let other = ["--device", home.path + "/other"]
    try home.ok(["list"] + other)
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: home.path + "/other").first { $0.count == 26 }
    )
    for name in ["anchor", "access"] { unlink(home.path + "/other/\(id)/" + name) }
    try home.ok(["list"] + other)
    // But an anchor alone that is gone is no accident.
    unlink(home.path + "/other/\(id)/anchor")
    #expect(try home.run(["list", "--passphrase-file", home.passphrase] + other).status == 5)
  }

  /// A helper as a shell script: what it does with each operation.
  private func helper(_ home: Home, _ body: String) throws -> String {
    try put(
      home, "helper",
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
    #expect(try home.run(["list"] + Self.owner).status == 0)
    // The store as it was, with the old key in its file, opens nothing of this vault.
    #expect(try home.run(["list", "--device", kept] + Self.owner).status != 0)
    // Gone for good, it is no new device, and the owner decides.
    _ = try helper(home, "exit 0")
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 1)
    try home.ok(["device", "reset"])
    try home.ok(["list"])
    #expect(try home.run(["device", "--json"]).object["key"] as? String == "file")
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
    #expect(try home.run(["list"] + Self.owner).status == 0)
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
    let script = try put(
      home, "real.sh",
      try String(
        contentsOfFile: URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
          + "/Helpers/real.sh", encoding: .utf8), mode: 0o700)
    let log = try put(home, "log", "")
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

  @Test func `backups rotate, restore, and a gone diary comes back`() throws {
    let home = try Home(faces: true)
    _ = try home.write("one")
    let folder = home.path + "/backups"
    for _ in 0..<3 { try home.ok(["backup", "--keep", "2", folder]) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".facediary") })
    let backup = folder + "/" + names[1]
    #expect(try home.ok(["list", "--json", "--vault", backup]).array.count == 1)
    #expect(try home.run(["backup", backup, "--passphrase-file", home.passphrase]).status == 7)
    _ = try home.write("two")
    #expect(
      try home.run(["restore-backup", backup, "--passphrase-file", home.passphrase]).status == 2)
    try home.ok(["restore-backup", backup, "--yes"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    #expect(try home.run(["list"] + Self.owner).status == 0)
    // Another diary's backups are left alone, and so is what only looks like one.
    let other = try Home()
    mkdir(folder + "/facediary-2000-01-01T000000Z.facediary", 0o700)
    try other.ok(["backup", "--keep", "1", folder])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
    #expect(
      try other.run(["restore-backup", backup, "--yes", "--passphrase-file", other.passphrase])
        .status == 7)
    try FileManager.default.removeItem(atPath: home.vault)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try home.ok(["restore-backup", backup, "--yes"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    // Whose face was removed since is not known: nobody's opens it.
    #expect(try home.run(["list"] + Self.owner).status != 0)
  }

  @Test func `a damaged vault is salvaged, and links in the way are refused`() throws {
    let home = try Home()
    for number in 0..<5 { _ = try home.write("text \(number)") }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: home.vault))
    // The state record's own page: nothing can be reached along its path any more.
    let state = try #require(Self.page(of: "state", in: home.vault))
    for index in (state * 16_384 - 400)..<(state * 16_384) { bytes[index] ^= 0xff }
    try bytes.write(to: URL(fileURLWithPath: home.vault))
    #expect(try home.run(["list", "--passphrase-file", home.passphrase]).status == 5)
    let out = home.path + "/out.facediary"
    symlink(home.path + "/nowhere", out)
    #expect(try home.run(["salvage", out, "--passphrase-file", home.passphrase]).status == 7)
    unlink(out)
    let report = try home.ok(["salvage", out, "--json", "--kdf", "interactive"])
    #expect(report.object["entries"] as? Int == 5)
    #expect(try home.ok(["list", "--json", "--vault", out]).array.count == 5)
    try home.ok(["verify", "--vault", out])
  }

  /// The database page where a table's tree begins.
  private static func page(of table: String, in vault: String) -> Int? {
    let tables = ["keyring", "state"]
    // Root pages follow one another in the order of the schema, after the header and the pointer map.
    return tables.firstIndex(of: table).map { $0 + 3 }
  }

  @Test
  func `the session cannot be dumped, traced, stopped by bad clients, or talked to by strangers`()
    throws
  {
    let home = try Home()
    _ = try home.write("kept")
    try home.ok(["unlock"])
    let runtime = home.path + "/run"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: runtime).first { $0.hasSuffix(".socket") })
    var facts = stat()
    lstat(runtime + "/" + name, &facts)
    #expect(facts.st_mode & 0o777 == 0o600)
    func connect() -> Int32 {
      let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { target in
        for (index, byte) in (runtime + "/" + name).utf8.enumerated() { target[index] = byte }
      }
      let status = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(status == 0)
      return file
    }
    var random = SystemRandomNumberGenerator()
    var files: [Int32] = []
    for round in 0..<200 {
      let file = connect()
      files.append(file)
      // Nonsense, half a message, a flood of greetings, an enormous length, an operation without a greeting.
      var bytes: [UInt8] =
        switch round % 5 {
        case 0: (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: [200, 0, 0, 0, 2, 0x7b]
        case 2: Array(repeating: [2, 0, 0, 0, 1, 2] as [UInt8], count: 2000).flatMap { $0 }
        case 3: [255, 255, 255, 127, 2]
        default: [9, 0, 0, 0, 2] + Array("{\"a\":1}\n".utf8)
        }
      _ = send(file, &bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if round % 3 == 0 { close(files.removeLast()) }
    }
    #expect(try home.run(["list", "--json"]).array.count == 1)
    for file in files { close(file) }
    #expect(try home.run(["write", "after all of that"]).status == 0)
    // Who runs it: not dumpable, so its memory file belongs to root alone and nobody may attach.
    let session = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int.init)
      .first { id in
        let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(id)/cmdline"))) ?? Data()
        let environment =
          (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(id)/environ"))) ?? Data()
        return String(decoding: line, as: UTF8.self).contains("__keeper")
          && (environment.isEmpty
            || String(decoding: environment, as: UTF8.self).contains(home.path))
      }
    let id = try #require(session)
    if geteuid() != 0 {
      #expect(open("/proc/\(id)/mem", O_RDONLY) < 0)
      var owner = stat()
      stat("/proc/\(id)/mem", &owner)
      #expect(owner.st_uid == 0)
    }
    let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
    #expect(
      geteuid() != 0
        || limits.split(separator: "\n").contains {
          $0.hasPrefix("Max core file size") && $0.contains(" 0 ")
        })
  }

  @Test func `a session of another version is refused and its process named`() throws {
    let home = try Home()
    // An older keeper: it answers the greeting with its own version, and knows the message that ends it.
    mkdir(home.path + "/run", 0o700)
    try home.ok(["unlock"])
    let runtime = home.path + "/run"
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: runtime).first { $0.hasSuffix(".socket") })
    #expect(try home.run(["lock"]).status == 0)
    let old = try put(
      home, "old.py",
      """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); os.chmod(sys.argv[1], 0o600); s.listen(1)
      os.write(1, b"ready\\n")
      c, _ = s.accept(); c.recv(6); c.sendall(b"\\x02\\0\\0\\0\\x01\\x01")
      os.write(1, b"told\\n" if c.recv(100)[-1:] == b"\\x09" else b"not told\\n")
      os.unlink(sys.argv[1])
      """)
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [old, runtime + "/" + name]
    let out = Pipe()
    process.standardOutput = out
    try process.run()
    #expect(out.fileHandleForReading.availableData == Data("ready\n".utf8))
    let run = try home.run(["list", "--json"])
    #expect(run.status == 3 && run.errorCode == "locked")
    process.waitUntilExit()
    #expect(out.fileHandleForReading.availableData == Data("told\n".utf8))
    try home.ok(["unlock"])
    #expect(try home.run(["list"]).status == 0)
  }

  @Test func `twenty writers at once lose nothing`() async throws {
    let home = try Home()
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<20 {
        group.addTask {
          try home.run(["write", "number \(number)", "--passphrase-file", home.passphrase]).status
        }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(try home.ok(["list", "--json"]).array.count == 20)
    try home.ok(["verify"])
  }

  /// Every file of vault and device store, flipped, cut and zeroed at many places.
  @Test func `a file damaged anywhere gives the right content or an integrity error`() throws {
    let home = try Home(faces: true)
    for number in 0..<3 {
      _ = try home.write("text \(number)", ["--date", "2026-01-0\(number + 1)"])
    }
    let store = home.path + "/.local/state/facediary"
    let id = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).first { $0.count == 26 })
    let files =
      [home.vault]
      + (try FileManager.default.contentsOfDirectory(atPath: store + "/" + id)).filter {
        !$0.hasSuffix(".lock")
      }.map { store + "/\(id)/" + $0 }
    let kept = home.path + ".kept"
    try FileManager.default.copyItem(atPath: home.path, toPath: kept)
    defer { try? FileManager.default.removeItem(atPath: kept) }
    let truth = try home.ok(["list", "--bodies", "--json"]).out
    var tried = 0
    for path in files {
      let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
      let most = CrashTests.isThorough ? 24 : 6
      for number in 0..<most {
        let place = size * number / most + number % 7
        guard place < size else { continue }
        for damage in 0..<3 {
          try FileManager.default.removeItem(atPath: home.path)
          try FileManager.default.copyItem(atPath: kept, toPath: home.path)
          var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
          switch damage {
          case 0: bytes[place] ^= 0x41
          case 1: bytes = bytes.prefix(place)
          default: for index in place..<min(size, place + 600) { bytes[index] = 0 }
          }
          try bytes.write(to: URL(fileURLWithPath: path))
          chmod(path, 0o600)
          tried += 1
          for way in [["--passphrase-file", home.passphrase], Self.owner] {
            let run = try home.run(["list", "--bodies", "--json"] + way)
            let what = "\(path.suffix(20)) at \(place), damage \(damage): \(run.err)"
            #expect(run.status != 0 || run.out == truth, "\(what)")
            // Integrity, not a vault, or this device's face is not to be trusted: never a wrong secret.
            #expect([0, 1, 3, 4, 5, 6, 8].contains(run.status), "\(what)")
            #expect(run.errorCode != "wrong-secret", "\(what)")
          }
        }
      }
    }
    #expect(tried > 50)
  }
}
