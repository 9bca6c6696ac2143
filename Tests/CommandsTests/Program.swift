import Foundation
import Glibc
import Scratch
import Testing

/// What one run of the built binary gave.
struct Run {
  let status: Int32
  let out: String
  let err: String

  var json: Any {
    do {
      return try JSONSerialization.jsonObject(with: Data(out.utf8), options: .fragmentsAllowed)
    } catch {
      Issue.record("no JSON: \(out) \(err)")
      return NSNull()
    }
  }
  var object: [String: Any] { json as? [String: Any] ?? [:] }
  var array: [[String: Any]] { json as? [[String: Any]] ?? [] }
  var errorCode: String? {
    let object = try? JSONSerialization.jsonObject(with: Data(err.utf8)) as? [String: [String: Any]]
    return object?["error"]?["code"] as? String
  }
}

/// A home of its own for the built `facediary`, with a passphrase and files to point at.
final class Home: Sendable {
  let path: String
  static let keys = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Keys/faces")
    .path
  static let owner = ["--face", keys + "/owner-4.npy"]
  static let stranger = ["--face", keys + "/stranger-1.npy"]
  /// The program, with a passphrase that costs next to nothing to try.
  /// What is kept for ever is written by the program as people have it.
  static let binary =
    ProcessInfo.processInfo.environment["FACEDIARY_WRITE_KEYS"] == nil
    ? products + "/facediary-quick" : shipped
  /// The program as people have it.
  static let shipped = products + "/facediary"
  /// The test bundle lies beside the products it was built with.
  private static let products =
    (Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent().path

  var passphrase: String { path + "/passphrase" }
  var recovery: String { path + "/recovery" }
  /// The diary's folder, and the rows in it.
  var folder: String { path + "/.local/share/facediary/diary.facediary" }
  var vault: String { folder + "/vault" }
  let environment: [String: String]

  /// Writes a file of this home and returns its path.
  ///
  /// A program is copied into place by another process. A test that runs beside this one may
  /// fork while this process still has the file open for writing, and a file that any process
  /// has open for writing cannot be executed (ETXTBSY).
  /// Runs with a fault at the `nth` write-side call, its output in `stdout` and `stderr` of the home; how it ended and how many
  /// calls there were.
  func fault(
    _ nth: Int, _ what: String, _ words: [String]
  ) throws -> (status: Int32, calls: Int) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.binary).deletingLastPathComponent()
      .appendingPathComponent("faults")
    process.arguments = ["\(nth)", what, path + "/calls", Self.binary] + words
    process.environment = environment
    for (name, keyPath) in [
      ("/stdout", \Process.standardOutput), ("/stderr", \Process.standardError),
    ] {
      _ = FileManager.default.createFile(atPath: path + name, contents: nil)
      process[keyPath: keyPath] = FileHandle(forWritingAtPath: path + name)
    }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let calls = try String(contentsOfFile: path + "/calls", encoding: .utf8)
    return (process.terminationStatus, Int(calls.dropLast()) ?? 0)
  }

  /// Adds a member to the configuration.
  func configure(_ key: String, _ value: String) throws {
    let file = URL(fileURLWithPath: path + "/.config/facediary/config.json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    var document: [String: Any] = [:]
    if let kept = try? Data(contentsOf: file) {
      document = try JSONSerialization.jsonObject(with: kept) as? [String: Any] ?? [:]
    }
    document[key] = value
    try JSONSerialization.data(withJSONObject: document).write(to: file)
  }

  func put(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    let path = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    guard mode & 0o111 != 0 else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      chmod(path, mode)
      return path
    }
    let draft = path + ".draft"
    try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
    defer { unlink(draft) }
    let copy = try Process.run(
      URL(fileURLWithPath: "/usr/bin/install"),
      arguments: ["-m", String(mode, radix: 8), draft, path])
    copy.waitUntilExit()
    #expect(copy.terminationStatus == 0)
    return path
  }

  /// Puts a file or folder of this home into an archive and returns its path.
  func zip(_ name: String, _ item: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["zip", "-qr", name, item]
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    try process.run()
    process.waitUntilExit()
    return path + "/" + name
  }

  init(made: Bool = true, faces: Bool = false) throws {
    path = Scratch.root + "fh-" + UUID().uuidString.prefix(13)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    environment = [
      "HOME": path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "TZ": "Asia/Tokyo",
      "LANG": "C.UTF-8", "FACEDIARY_RUNTIME": path + "/run", "TMPDIR": path + "/tmp",
    ]
    // What a killed command leaves behind goes with the home.
    try FileManager.default.createDirectory(
      atPath: path + "/tmp", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try Data("correct horse\n".utf8).write(to: URL(fileURLWithPath: passphrase))
    guard made else { return }
    var words = ["init", "--passphrase-file", passphrase, "--kdf", "interactive", "--json"]
    if faces {
      for name in ["owner-1.npy", "owner-2.json", "owner-3.csv"] {
        words += ["--face", Self.keys + "/" + name]
      }
      words += ["--model", "sface"]
    }
    let made = try run(words)
    #expect(made.status == 0)
    _ = try put("recovery", made.object["recoveryCode"] as? String ?? "")
  }

  deinit {
    _ = try? run(["lock"])
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Runs the binary with nothing, or `input`, on standard input.
  ///
  /// - Parameter memory: KiB of address space that it may have at most.
  @discardableResult
  func run(
    _ words: [String], input: String? = nil, data: Data? = nil, extra: [String: String] = [:],
    memory: Int? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: memory == nil ? Self.binary : "/bin/sh")
    process.arguments =
      (memory.map { ["-c", "ulimit -v \($0); exec \"$0\" \"$@\"", Self.binary] } ?? []) + words
    process.environment = environment.merging(extra) { $1 }
    let out = path + "/out-" + UUID().uuidString
    for suffix in ["o", "e", "i"] {
      _ = FileManager.default.createFile(atPath: out + suffix, contents: nil)
    }
    defer {
      for suffix in ["o", "e", "i"] { try? FileManager.default.removeItem(atPath: out + suffix) }
    }
    try (data ?? Data((input ?? "").utf8)).write(to: URL(fileURLWithPath: out + "i"))
    process.standardInput = FileHandle(forReadingAtPath: out + "i")
    process.standardOutput = FileHandle(forWritingAtPath: out + "o")
    process.standardError = FileHandle(forWritingAtPath: out + "e")
    try process.run()
    process.waitUntilExit()
    func read(_ suffix: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: out + suffix)), as: UTF8.self)
    }
    return Run(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      out: try read("o"), err: try read("e"))
  }

  /// Begins a command that goes on beside the test.
  ///
  /// - Parameters:
  ///   - printing: the file that gets standard output, made anew; nil for none.
  ///   - saying: the same of standard error.
  func start(
    _ words: [String], printing: String? = nil, saying: String? = nil
  ) throws -> Process {
    func file(_ path: String?) -> FileHandle {
      guard let path else { return .nullDevice }
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return FileHandle(forWritingAtPath: path) ?? .nullDevice
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.binary)
    process.arguments = words
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = file(printing)
    process.standardError = file(saying)
    try process.run()
    return process
  }

  /// Runs with the passphrase and returns standard output.
  @discardableResult
  func ok(_ words: [String], input: String? = nil) throws -> Run {
    let run = try run(words + ["--passphrase-file", passphrase], input: input)
    #expect(run.status == 0, "\(words): \(run.err)")
    return run
  }

  /// The store of this device, of the home's only diary.
  var deviceStore: String {
    let stores = path + "/.local/state/facediary"
    let names = try? FileManager.default.contentsOfDirectory(atPath: stores)
    return stores + "/" + (names?.first { $0.count == 26 } ?? "none")
  }

  /// Makes a backup in a directory and returns its path.
  func backup(in directory: String) throws -> String {
    try ok(["backup", directory, "--json"]).object["file"] as? String ?? ""
  }

  func write(_ text: String, _ more: [String] = []) throws -> String {
    try ok(["write", text, "--json"] + more).object["id"] as? String ?? ""
  }
}

/// A program on a pseudo-terminal, answered as a person would.
final class TerminalSession {
  private let master: Int32
  private let child: pid_t
  private(set) var screen = ""

  init(
    _ home: Home, _ words: [String], extra: [String: String] = [:], program: String = Home.binary,
    columns: UInt16 = 0, rows: UInt16 = 0
  ) throws {
    // posix_openpt and its kin are hidden behind _XOPEN_SOURCE; these are what they do:
    // TIOCSPTLCK and TIOCGPTN.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: Int32 = 0
    #expect(ioctl(master, 0x4004_5431, &number) == 0)
    #expect(ioctl(master, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    if columns > 0 {
      var size = winsize(
        ws_row: rows > 0 ? rows : 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }
    // setsid makes the child the leader of a session whose terminal is the first one it opens.
    let script = "exec 0<>\"$1\" 1>&0 2>&0; shift; exec \"$@\""
    var arguments: [UnsafeMutablePointer<CChar>?] =
      (["setsid", "-w", "sh", "-c", script, "sh", name, program] + words)
      .map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      home.environment.merging(["TERM": "xterm"]) { $1 }.merging(extra) { $1 }
      .map { strdup($0.key + "=" + $0.value) } + [nil]
    var pid: pid_t = 0
    // A test may run on a thread that blocks signals; a terminal's programs do not inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let status = posix_spawnp(&pid, "setsid", nil, &attributes, &arguments, &variables)
    posix_spawnattr_destroy(&attributes)
    for text in arguments + variables { free(text) }
    #expect(status == 0)
    child = pid
  }

  deinit { close(master) }

  /// Reads until the screen holds `text` so many times; false when it never does. A slow machine is no failure: the time is for
  /// what hangs.
  func expect(_ text: String, times: Int = 1, within seconds: Double = 60) -> Bool {
    for _ in 0..<max(1, Int(seconds * 20)) {
      if screen.ranges(of: text).count >= times { return true }
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 50) > 0, !pull() { return screen.ranges(of: text).count >= times }
    }
    return false
  }

  /// Answers whatever is asked without echo, agrees to every question, and leaves full screens, until the program ends.
  func end(answering secret: String, within seconds: Double) -> Int32? {
    var screens = 0
    var status: Int32 = 0
    let last = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < last {
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      // Nobody may have the terminal open for a moment.
      if poll(&entry, 1, 50) > 0, !pull() { usleep(10_000) }
      if waitpid(child, &status, WNOHANG) == child {
        drain()
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
      }
      if screen.ranges(of: "\u{1b}[?1049h").count > screens, screen.contains("q quit") {
        screens += 1
        type("q")
      } else if screen.hasSuffix("[y/N] ") {
        type("y\n")
        screen += "\n"
      } else if !echoes, screen.hasSuffix(": ") {
        type(secret + "\n")
        screen += "\n"
      }
    }
    return nil
  }

  /// What was written last and not read yet: it may come between a look and the end.
  private func drain() {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0, pull() {}
  }

  private func pull() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }

  func type(_ text: String) { type(bytes: Array(text.utf8)) }

  func type(bytes: [UInt8]) { _ = Glibc.write(master, bytes, bytes.count) }

  /// Whether the terminal echoes what is typed.
  var echoes: Bool {
    var state = termios()
    tcgetattr(master, &state)
    return state.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Tells the program to end. (setsid and sh have become it.)
  func terminate() { signal(SIGTERM) }

  /// Closes the terminal, as a window that is closed does.
  func hangUp() { signal(SIGHUP) }

  func signal(_ number: Int32) { kill(child, number) }

  /// Waits for the end and returns the exit code; a program that has not ended after two minutes hangs, and is killed.
  ///
  /// - Parameter key: what somebody types every two seconds until the program ends.
  func end(typing key: String? = nil) -> Int32 {
    var status: Int32 = 0
    var typed = ContinuousClock.now - .seconds(2)
    let deadline = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < deadline {
      if let key, ContinuousClock.now - typed >= .seconds(2) {
        type(key)
        typed = .now
      }
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 5) > 0 { _ = pull() }
      if waitpid(child, &status, WNOHANG) == child {
        drain()
        return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
      }
      usleep(5000)
    }
    kill(child, SIGKILL)
    return -1
  }
}

extension [[String: Any]] {
  /// Of listed entries, the one whose text begins so.
  func beginning(with body: String) -> [String: Any] {
    first { ($0["body"] as? String ?? "").hasPrefix(body) } ?? [:]
  }
}

/// The names of a listed entry's files.
func files(_ entry: [String: Any]) -> [String] {
  (entry["attachments"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
}

/// Looks so many times, microseconds apart, until something is so, and no more after that.
func poll(_ times: Int, every interval: UInt32, until isSo: () throws -> Bool) rethrows {
  for _ in 0..<times {
    if try isSo() { return }
    usleep(interval)
  }
}

extension Home {
  /// Whether the process that wrote its number into the file has ended: until then an interrupt is that process's.
  func hasEnded(_ name: String) -> Bool {
    let number = try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
    guard let id = pid_t(number?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") else {
      return false
    }
    return kill(id, 0) != 0
  }
}
