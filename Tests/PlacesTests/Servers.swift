import Foundation
import Platform

/// A server started for a test, ended with it.
final class Server {
  private let process = Process()

  /// - Parameter isUp: whether it answers.
  init(_ words: [String], isUp: () -> Bool) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<300 {
      if isUp() { return }
      guard process.isRunning else { break }
      SystemClock.sleep(milliseconds: 100)
    }
    throw ServerError(words: words)
  }

  deinit { stop(SIGTERM) }

  /// Ended by a signal, at once.
  func stop(_ signal: Int32 = SIGKILL) {
    guard process.isRunning else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }
}

struct ServerError: Error { let words: [String] }

/// Runs a program to its end; what it prints, nil when it fails.
@discardableResult
func ran(_ words: String...) -> String? {
  (try? ChildProcess.output(of: words, seconds: 60, limit: 1 << 20)).map {
    String(decoding: $0, as: UTF8.self)
  }
}

func isInstalled(_ program: String) -> Bool { find(program) != nil }

/// Where a program is: on the path, or beside the tests' Python.
func find(_ program: String) -> String? {
  let environment = ProcessInfo.processInfo.environment
  var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
  if let python = environment["FACEDIARY_TEST_PYTHON"] {
    folders.insert(FileSystem.parent(of: python), at: 0)
  }
  return folders.map { $0 + "/" + program }.first { FileSystem.isExecutable($0) }
}

/// A port that nobody has now.
func freePort() -> Int {
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

func answers(_ port: Int) -> Bool {
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
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "fdplace-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A PostgreSQL server with a table for objects, and a role that may select and insert.
final class Postgres {
  static let programs = [
    "/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin",
  ]
  .first { FileSystem.isExecutable($0 + "/initdb") }
  static var canRun: Bool {
    programs != nil && isInstalled("psql") && (getuid() != 0 || getpwnam("postgres") != nil)
  }

  let folder: Folder
  let port = freePort()
  private(set) var server: Server?

  init() throws {
    folder = try Folder()
    let data = folder.path + "/data"
    let programs = Self.programs ?? ""
    if getuid() == 0 { ran("chown", "postgres", folder.path) }
    guard
      run([programs + "/initdb", "-D", data, "-A", "trust", "-U", "keeper", "--no-sync"]) != nil
    else { throw ServerError(words: ["initdb"]) }
    try start()
    let sql =
      "create table facediary_object(name text primary key, bytes bytea not null); create role device login; grant select, insert on facediary_object to device;"
    guard
      ran(
        "psql", "-q", "-h", "127.0.0.1", "-p", "\(port)", "-U", "keeper", "-d", "postgres", "-c",
        sql)
        != nil
    else { throw ServerError(words: ["psql"]) }
    try "[diary]\nhost=127.0.0.1\nport=\(port)\nuser=device\ndbname=postgres\n".write(
      toFile: service, atomically: true, encoding: .utf8)
  }

  var service: String { folder.path + "/service.conf" }

  private var asUser: [String] {
    getuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
  }

  private func run(_ words: [String]) -> String? {
    (try? ChildProcess.output(of: asUser + words, seconds: 120, limit: 1 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  func start() throws {
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
