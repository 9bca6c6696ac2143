import Foundation
import Glibc
import Scratch
import TestServers
import Testing

/// Two homes keep one diary through every engine there is, while both write, are killed, and go back in time, and the server
/// between them is killed, too. With `FACEDIARY_THOROUGH` in the environment through all of them, without it through a folder.
@Suite(.serialized, .threads) struct EngineFlowTests {
  /// - Parameters:
  ///   - trouble: what happens to the server while both write.
  ///   - carry: what brings everything from the one's place to the other's.
  private func keepOneDiary(
    _ shared: SharedDiary, _ two: Home, trouble: () throws -> Void = {},
    carry: () throws -> Void = {}
  ) throws {
    let one = shared.one
    var random = SystemRandomNumberGenerator()
    var written: [String] = []
    func write(_ home: Home, _ text: String) throws {
      _ = try home.write(text)
      written.append(text)
    }
    /// One sync after another, until both have all of it.
    func settle(_ codes: Set<Int32> = [0]) throws {
      for home in [one, two, one, two] {
        let run = try home.run(["sync", "--passphrase-file", home.passphrase])
        #expect(codes.contains(run.status), "\(run.out) \(run.err)")
        try carry()
      }
    }
    func interrupt(_ home: Home, after milliseconds: UInt32) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Home.binary)
      process.arguments = ["sync", "--quiet", "--passphrase-file", home.passphrase]
      process.environment = home.environment
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      usleep(UInt32.random(in: 0..<milliseconds * 1000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try settle()
    let earlier = one.path + ".earlier"
    defer { try? FileManager.default.removeItem(atPath: earlier) }
    try FileManager.default.copyItem(atPath: one.path, toPath: earlier)
    for round in 0..<4 {
      for (home, name) in [(one, "one"), (two, "two")] {
        try write(home, "\(name) \(round)")
        try interrupt(home, after: 600)
      }
    }
    // The server ends while something is on its way; what was not sent goes once it is back.
    let text = String(repeating: "日記", count: 10_000)
    try write(one, text)
    try trouble()
    try settle()
    #expect(try one.bodies == written.sorted() && two.bodies == one.bodies)
    // One home as it was an hour ago, with everything that its device remembers: nothing on the machine can tell.
    for name in try FileManager.default.contentsOfDirectory(atPath: earlier) {
      try? FileManager.default.removeItem(atPath: one.path + "/" + name)
      try FileManager.default.copyItem(
        atPath: earlier + "/" + name, toPath: one.path + "/" + name)
    }
    try write(one, "after it went back")
    let noticed = try one.run(["sync", "--json", "--passphrase-file", one.passphrase])
    #expect(noticed.status == 5, "\(noticed.out) \(noticed.err)")
    #expect(noticed.out.contains("\"copied\""), "\(noticed.out)")
    try carry()
    try write(two, "written meanwhile")
    try settle([0, 5])
    try settle()
    #expect(try one.bodies == written.sorted() && two.bodies == one.bodies)
    for home in [one, two] {
      try home.ok(["verify"])
      #expect(try home.ok(["conflicts", "--json"]).array.isEmpty)
    }
    // What was purged goes, where the place lets it, and the diary stays what it is.
    try one.ok(["sync", "compact"])
    try settle()
    #expect(try one.bodies == written.sorted() && two.bodies == one.bodies)
  }

  @Test func `a folder`() throws {
    let folder = try Folder()
    let shared = try SharedDiary { _ in "folder:" + folder.path }
    try keepOneDiary(shared, try shared.join())
  }

  @Test(
    .enabled(if: isInstalled("rclone")),
    arguments: ["webdav", "sftp"].enumerated().filter { Thoroughness.tries($0.offset) }
      .map(\.element))
  func rclone(_ kind: String) throws {
    let folder = try Folder()
    let port = freePort()
    func serve() throws -> Server {
      try Server([
        "rclone", "serve", kind, folder.path, "--addr", "127.0.0.1:\(port)", "--user", "u",
        "--pass", "p",
      ]) { answers(port) }
    }
    var server = try serve()
    let password = try #require(ran("rclone", "obscure", "p")).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let remote =
      kind == "webdav"
      ? ":webdav,url='http://127.0.0.1:\(port)',vendor=other,user=u,pass=\(password):"
      : ":sftp,host=127.0.0.1,port=\(port),user=u,pass=\(password),shell_type=none:"
    let shared = try SharedDiary { _ in "rclone:" + remote + "diary" }
    try keepOneDiary(shared, try shared.join()) {
      try killMeanwhile(shared.one) { server.stop() }
      server = try serve()
    }
  }

  @Test(
    .enabled(if: Thoroughness.tries(2) && isInstalled("rclone") && isInstalled("moto_server")))
  func s3() throws {
    let port = freePort()
    // moto keeps all in memory: one that is killed comes back empty, which is what `repair` is for.
    func serve() throws -> Server {
      let server = try Server([find("moto_server") ?? "", "-H", "127.0.0.1", "-p", "\(port)"]) {
        answers(port)
      }
      ran("rclone", "mkdir", remote + "diary")
      return server
    }
    let remote =
      ":s3,provider=Other,endpoint='http://127.0.0.1:\(port)',access_key_id=k,secret_access_key=s,force_path_style=true:"
    var server = try serve()
    let shared = try SharedDiary { _ in "rclone:" + remote + "diary" }
    let two = try shared.join()
    try keepOneDiary(shared, two) {
      try killMeanwhile(shared.one) { server.stop() }
      server = try serve()
      let lost = try shared.one.run(["sync", "--passphrase-file", shared.one.passphrase])
      #expect(lost.status == 5, "\(lost.err)")
      for home in [shared.one, two] { try home.ok(["sync", "repair"]) }
    }
  }

  @Test(.enabled(if: Thoroughness.tries(3) && Postgres.canRun)) func postgres() throws {
    let postgres = try Postgres()
    func make(_ home: Home) throws {
      _ = try home.put(
        ".pg_service.conf", try String(contentsOfFile: postgres.service, encoding: .utf8))
    }
    let shared = try SharedDiary { home in
      try make(home)
      return "postgres:diary"
    }
    let two = try Home(made: false)
    try make(two)
    try keepOneDiary(shared, try shared.join("phone", two)) {
      try killMeanwhile(shared.one) { postgres.server?.stop() }
      try postgres.start()
    }
  }

  @Test(.enabled(if: Thoroughness.tries(4) && Syncthing.program != nil)) func syncthing() throws {
    let syncthing = try Syncthing()
    let shared = try SharedDiary { _ in "folder:" + syncthing.folder("a") }
    let two = try shared.join(at: "folder:" + syncthing.folder("b"))
    try keepOneDiary(
      shared, two,
      trouble: {
        // The daemons, not the folder, are what may end here.
        try shared.one.ok(["sync"])
        syncthing.stop()
        try syncthing.start()
      }, carry: { try syncthing.carry() })
  }

  /// Sends while the server is ended under it; the command says so, and that is all.
  private func killMeanwhile(_ home: Home, _ end: () -> Void) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Home.binary)
    process.arguments = ["sync", "--quiet", "--passphrase-file", home.passphrase]
    process.environment = home.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    usleep(UInt32.random(in: 100_000..<900_000))
    end()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && [0, 1].contains(process.terminationStatus))
  }
}
