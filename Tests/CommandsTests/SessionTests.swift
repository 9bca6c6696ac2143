import Foundation
import Glibc
import Testing

@testable import Entries
@testable import Platform
@testable import Requests

/// A session against those who would read it, stop it or speak for it.
@Suite(.threads) struct SessionTests {
  @Test func `a session has indexed what it imported when the import says so`() throws {
    let home = try Home()
    _ = try home.write("one before")
    try home.ok(["unlock"])
    let lines = (0..<8000).map {
      "{\"date\": \"2026-03-01T09:30:00Z\", \"body\": \"walk \($0) by the river\"}\n"
    }
    let file = try home.put("many.jsonl", lines.joined())
    try home.ok(["import", file])
    let index = home.folder + "/index"
    #expect(try !FileManager.default.contentsOfDirectory(atPath: index).isEmpty)
    #expect(try home.ok(["search", "7999", "--json"]).array.count == 1)
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
    let id = try #require(home.keepers.first).id
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
          $0.hasPrefix("Max core file size") && ($0.contains(" 1 ") || $0.contains(" 0 "))
        })
  }

  /// What is stopped hears no clock.
  @Test func `Ctrl-Z stops no process that holds a key`() throws {
    let home = try Home()
    let script = try home.put("editor.sh", "#!/bin/sh\necho open; sleep 60\n", mode: 0o700)
    let writing = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": script])
    #expect(writing.expect("open"))
    let owner = try TerminalSession(
      home, ["passphrase", "--passphrase-file", home.passphrase])
    #expect(owner.expect("New passphrase: "))
    let ids = home.keepers.map(\.id)
    #expect(ids.count == 2)
    for id in ids {
      let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
      let line = try #require(status.firstMatch(of: /SigIgn:\t([0-9a-f]+)/)?.output.1)
      #expect(try #require(UInt64(line, radix: 16)) >> (UInt64(SIGTSTP) - 1) & 1 == 1)
    }
    owner.terminate()
    writing.terminate()
    _ = (owner.end(), writing.end())
  }

  @Test func `clients that read nothing are held for no more than the memory of some`() throws {
    let home = try Home()
    _ = try home.ok(["write", "-"], input: String(repeating: "fifteen ", count: 15 << 17))
    try home.ok(["unlock"])
    let process = try #require(home.keepers.first)
    let request = try Frame(ShowEntries([.last])).encoded
    let greedy = try (0..<20).map { _ in
      let client = try home.connectToKeeper()
      try client.send(request)
      return client
    }
    #expect(try home.run(["list"]).status == 0)
    let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
    let peak = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.output.1)
    #expect(try #require(Int(peak)) < 280 << 10, "\(peak)")
    withExtendedLifetime(greedy) {}
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
    let old = try home.put(
      "old.py",
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

  /// As a session that is stopped, whose place for those who wait to connect is full.
  @Test func `whoever accepts no connection holds no lock up, and is not called closed`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let runtime = home.path + "/run"
    let own = try #require(
      FileManager.default.contentsOfDirectory(atPath: runtime).first { $0.hasSuffix(".socket") })
    try home.run(["lock"])
    let name = runtime + "/" + own
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(listener, $0, size) == 0 && listen(listener, 0) == 0)
        for _ in 0..<3 {
          let full = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | 0o4000), 0)
          _ = Glibc.connect(full, $0, size)
        }
      }
    }
    let status = try home.run(["status", "--json"])
    #expect(status.status == 0 && status.out.contains("\"busy\""), "\(status)")
    let list = try home.run(["list"])
    #expect(list.status == 1 && list.err.contains("may still be open"), "\(list)")
    let start = Date()
    let all = try home.run(["lock", "--all"])
    #expect(all.status == 1 && all.err.contains("may still be open"), "\(all)")
    #expect(Date().timeIntervalSince(start) < 20)
  }

  /// Each waking keeps a laptop's processor from its rest.
  @Test func `a session that is open and idle wakes once a second`() throws {
    let home = try Home()
    try home.ok(["unlock"])
    let tasks = "/proc/\(try #require(home.keepers.first).id)/task"
    func wakes() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let line = status.firstMatch(of: /\nvoluntary_ctxt_switches:\t(\d+)/)?.output.1
        return sum + (line.flatMap { Int($0) } ?? 0)
      }
    }
    sleep(3)
    let before = try wakes()
    sleep(10)
    #expect(try wakes() - before <= 11)
  }

  /// As people move a folder to another disk, or a program that wants `lock` to miss the session.
  @Test(arguments: [true, false])
  func `a session ends whose folder was replaced by a link to a copy`(isLocked: Bool) throws {
    let home = try Home()
    try home.ok(["unlock"])
    let keepers = home.keepers
    #expect(keepers.count == 1)
    let files = FileManager.default
    try files.moveItem(atPath: home.folder, toPath: home.path + "/old")
    try files.copyItem(atPath: home.path + "/old", toPath: home.path + "/new")
    try files.createSymbolicLink(
      atPath: home.folder, withDestinationPath: isLocked ? home.path + "/new" : "new")
    if isLocked {
      #expect(try home.run(["lock"]).status == 0)
      #expect(keepers.allSatisfy { $0.isGone(within: 0) })
    } else {
      #expect(keepers.allSatisfy { $0.isGone(within: 60_000) })
    }
  }

  @Test func `the times a session tells are bounded, whoever tells them`() throws {
    for seconds in [Int.max, Int.min] {
      let told = SessionFacts(method: "face", life: seconds, idle: seconds, tried: [], confined: [])
      let read = try Wire.decode(SessionFacts.self, from: try Wire.encode(told))
      #expect((0...43_200).contains(read.life) && (0...43_200).contains(read.idle))
    }
  }

  /// As root, who may read the memory of a process that lets nobody else.
  @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
  func `a session does not hold the passphrase that opened it`(isWarm: Bool) throws {
    let home = try Home(faces: true)
    let word = "zebra-quagga-\(UUID().uuidString)"
    let new = try home.put("new", word + "\n")
    try home.ok(["passphrase", "--new-passphrase-file", new, "--kdf", "interactive"])
    let secret = ["--passphrase-file", new]
    if isWarm { #expect(try home.run(["policy", "set", "warm", "on"] + secret).status == 0) }
    #expect(try home.run(["unlock"] + secret).status == 0)
    if isWarm { try home.run(["lock"]) }
    let keeper = try #require(home.keepers.first).id
    let maps = try String(contentsOfFile: "/proc/\(keeper)/maps", encoding: .utf8)
    let memory = open("/proc/\(keeper)/mem", O_RDONLY)
    defer { close(memory) }
    #expect(memory >= 0)
    var read = 0
    for line in maps.split(separator: "\n") where line.contains(" rw") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
        UInt64($0, radix: 16)
      }
      guard ends.count == 2, ends[1] - ends[0] < 256 << 20 else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
      let count = pread(memory, &bytes, bytes.count, off_t(truncatingIfNeeded: ends[0]))
      guard count > 0 else { continue }
      read += count
      #expect(Data(bytes[..<count]).range(of: Data(word.utf8)) == nil, "\(line)")
    }
    #expect(read > 1 << 20)
  }

  @Test func `a runtime directory that somebody else took blocks no command`() throws {
    let home = try Home()
    for name in ["FACEDIARY_RUNTIME", "XDG_RUNTIME_DIR"] { unsetenv(name) }
    let extra = ["FACEDIARY_RUNTIME": "", "XDG_RUNTIME_DIR": "", "TMPDIR": home.path]
    _ = try home.put("facediary-\(geteuid())", "in the way")
    for words in [["list"], ["unlock"], ["write", "x"]] {
      let run = try home.run(words + ["--passphrase-file", home.passphrase], extra: extra)
      #expect(run.status == 0, "\(run.err)")
    }
    #expect(try home.run(["list"], extra: extra).status == 0)
    #expect(try home.run(["lock"], extra: extra).status == 0)
    #expect(try home.run(["list"], extra: extra).status == 3)
  }
}
