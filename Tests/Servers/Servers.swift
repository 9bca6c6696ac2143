import Foundation
import Platform
import Scratch

/// A server started for a test, ended with it.
package final class Server {
  private let process = Process()

  /// - Parameter isUp: whether it answers.
  package init(_ words: [String], isUp: () -> Bool) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try Self.withoutBlockedSignals { try process.run() }
    for _ in 0..<300 {
      if isUp() { return }
      guard process.isRunning else { break }
      SystemClock.sleep(milliseconds: 100)
    }
    throw ServerError(words: words)
  }

  /// The threads that tests run on block most signals, and a process inherits that: SIGTERM would not end it.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGTERM)
    for _ in 0..<30 where process.isRunning { SystemClock.sleep(milliseconds: 100) }
    stop()
  }

  /// Ended by a signal, at once.
  package func stop(_ signal: Int32 = SIGKILL) {
    guard process.isRunning else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }
}

package struct ServerError: Error { let words: [String] }

/// Runs a program to its end; what it prints, nil when it fails.
@discardableResult
package func ran(_ words: String...) -> String? {
  (try? ChildProcess.output(of: words, seconds: 60, limit: 1 << 20)).map {
    String(decoding: $0, as: UTF8.self)
  }
}

package func isInstalled(_ program: String) -> Bool { find(program) != nil }

/// Where a program is: on the path, or beside the tests' Python.
package func find(_ program: String) -> String? {
  let environment = ProcessInfo.processInfo.environment
  var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
  if let python = environment["FACEDIARY_TEST_PYTHON"] {
    folders.insert(FileSystem.parent(of: python), at: 0)
  }
  return folders.map { $0 + "/" + program }.first { FileSystem.isExecutable($0) }
}

/// A port that nobody has now.
package func freePort() -> Int {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = bind(socket, $0, size)
      getsockname(socket, $0, &size)
    }
  }
  return Int(UInt16(bigEndian: address.sin_port))
}

package func answers(_ port: Int) -> Bool {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  address.sin_port = in_port_t(port).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
  } == 0
}

/// A directory of a test's own, taken away with it.
package final class Folder {
  package let path: String

  package init() throws {
    path = Scratch.root + "fdplace-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Two Syncthing daemons that carry one folder between two.
package final class Syncthing {
  package static let program = find("syncthing")
  private let root: Folder
  private var servers: [Server] = []
  private let ports = [freePort(), freePort()]

  package init() throws {
    root = try Folder()
    var devices: [String] = []
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        atPath: folder(name) + "/.stfolder", withIntermediateDirectories: true)
      ran("syncthing", "generate", "--home", home(name), "--skip-port-probing")
      guard let id = ran("syncthing", "--home", home(name), "--device-id") else {
        throw ServerError(words: ["syncthing"])
      }
      devices.append(id.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    for (index, name) in ["a", "b"].enumerated() {
      let known = zip(devices, ports).map { device, port in
        "<device id=\"\(device)\" compression=\"never\"><address>tcp://127.0.0.1:\(port)</address></device>"
      }
      try """
      <configuration version="36"><folder id="diary" path="\(folder(name))" type="sendreceive" rescanIntervalS="2" \
      fsWatcherEnabled="true" fsWatcherDelayS="1"><filesystemType>basic</filesystemType>\
      \(devices.map { "<device id=\"\($0)\"/>" }.joined())</folder>\(known.joined())<gui enabled="false"/><options>\
      <listenAddress>tcp://127.0.0.1:\(ports[index])</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>\
      <localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>\
      <urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled>\
      <reconnectionIntervalS>2</reconnectionIntervalS></options></configuration>
      """.write(toFile: home(name) + "/config.xml", atomically: true, encoding: .utf8)
    }
    try start()
  }

  private func home(_ name: String) -> String { root.path + "/home-" + name }
  package func folder(_ name: String) -> String { root.path + "/folder-" + name }

  package func start() throws {
    servers = try zip(["a", "b"], ports).map { name, port in
      try Server([
        "STMONITORED=yes", "syncthing", "serve", "--home", home(name), "--no-browser",
        "--no-restart",
      ]) { answers(port) }
    }
  }

  /// Both daemons end at once.
  package func stop() { for server in servers { server.stop() } }

  /// Waits until both folders have the same files.
  package func carry() throws {
    for _ in 0..<600 {
      if names("a") == names("b") { return }
      SystemClock.sleep(milliseconds: 100)
    }
    throw ServerError(words: ["syncthing", "did not carry in a minute"])
  }

  private func names(_ name: String) -> Set<String> {
    Set(
      (FileManager.default.enumerator(atPath: folder(name))?.compactMap { $0 as? String } ?? [])
        .filter { !$0.hasPrefix(".st") && !$0.contains("/.") })
  }
}

/// A PostgreSQL server with a table for objects, and a role that may select and insert.
package final class Postgres {
  static let programs = [
    "/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin",
  ]
  .first { FileSystem.isExecutable($0 + "/initdb") }
  package static var canRun: Bool {
    programs != nil && isInstalled("psql") && (getuid() != 0 || getpwnam("postgres") != nil)
  }

  let folder: Folder
  let port = freePort()
  package private(set) var server: Server?

  package init() throws {
    folder = try Folder()
    let data = folder.path + "/data"
    let programs = Self.programs ?? ""
    if getuid() == 0 { ran("chown", "postgres", folder.path) }
    guard
      run([programs + "/initdb", "-D", data, "-A", "trust", "-U", "keeper", "--no-sync"]) != nil
    else { throw ServerError(words: ["initdb"]) }
    try start()
    let sql =
      "create table facediary_object(name text collate \"C\" primary key, bytes bytea not null); create role device login; grant select, insert on facediary_object to device;"
    try keeperRuns(sql)
    try "[diary]\nhost=127.0.0.1\nport=\(port)\nuser=device\ndbname=postgres\n".write(
      toFile: service, atomically: true, encoding: .utf8)
  }

  package var service: String { folder.path + "/service.conf" }

  private var asUser: [String] {
    getuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
  }

  private func run(_ words: [String]) -> String? {
    (try? ChildProcess.output(of: asUser + words, seconds: 120, limit: 1 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// SQL of whoever owns the database.
  package func keeperRuns(_ sql: String) throws {
    guard
      ran(
        "psql", "-q", "-h", "127.0.0.1", "-p", "\(port)", "-U", "keeper", "-d", "postgres", "-v",
        "ON_ERROR_STOP=1", "-c", sql) != nil
    else { throw ServerError(words: ["psql", sql]) }
  }

  package func start() throws {
    let port = port
    server = try Server(
      asUser + [
        (Self.programs ?? "") + "/postgres", "-D", folder.path + "/data", "-p", "\(port)", "-c",
        "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off",
      ]
    ) {
      ran(
        "psql", "-h", "127.0.0.1", "-p", "\(port)", "-U", "keeper", "-d", "postgres", "-c",
        "select 1") != nil
    }
  }
}
