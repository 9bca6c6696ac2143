import Foundation
import Platform
import Synchronization
import TestServers
import Testing

@testable import Places

/// What every place must do, whatever it is made of.
enum Conformance {
  static func check(_ place: any Place) throws {
    #expect(try place.list("fd1/none").isEmpty)
    let from = try Folder()
    var contents: [String: [UInt8]] = [:]
    for number in 0..<20 {
      contents["log/d\(number % 3)/\(number + 1)-x"] = (0..<(number * 97 + 1)).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ number)
      }
    }
    contents["roster/1-y"] = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for (name, bytes) in contents {
      let path = from.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: FileSystem.parent(of: path), withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let names = contents.keys.sorted()
    try place.put(names, from: from.path, under: "fd1/space/", replacing: false)
    // Again is no harm, and what begins alike is something else.
    try place.put(names, from: from.path, under: "fd1/space/", replacing: false)
    try place.put(["roster/1-y"], from: from.path, under: "fd1/space2/", replacing: true)
    #expect(try Set(place.list("fd1/space")) == Set(names.map { "fd1/space/" + $0 }))
    #expect(try place.list("fd1/space2") == ["fd1/space2/roster/1-y"])
    let to = try Folder()
    try place.get(
      names.map { "fd1/space/" + $0 } + ["fd1/space/log/d1/999-x"], into: to.path)
    for (name, bytes) in contents {
      let read = FileManager.default.contents(atPath: to.path + "/fd1/space/" + name)
      #expect(read.map { Array($0) } == bytes, "\(name)")
    }
    #expect(!FileManager.default.fileExists(atPath: to.path + "/fd1/space/log/d1/999-x"))
    #expect(try place.needs().isEmpty)
    try place.tryOut()
    #expect(try place.list("fd1/test").isEmpty)
    // What is replaced goes, and nothing else; what is not there is no error.
    let gone = ["fd1/space/log/d1/2-x", "fd1/space/log/d1/999-x", "fd1/space/roster/1-y"]
    let there = Set(names.map { "fd1/space/" + $0 })
    if try place.remove(gone) {
      #expect(try Set(place.list("fd1/space")) == there.subtracting(gone))
      #expect(try place.list("fd1/space2") == ["fd1/space2/roster/1-y"])
    } else {
      #expect(try Set(place.list("fd1/space")) == there)
    }
  }
}

@Suite(.serialized) struct PlaceTests {
  @Test func `a folder`() throws {
    let folder = try Folder()
    try Conformance.check(try Places.named("folder:" + folder.path))
    // Half files of whoever carries it about, and folders that are none of ours.
    try "x".write(
      toFile: folder.path + "/fd1/space/log/d1/.syncthing.7-x.tmp", atomically: false,
      encoding: .utf8)
    #expect(
      try !Places.named("folder:" + folder.path).list("fd1/space").contains { $0.contains("tmp") })
  }

  @Test func `a folder that is not there is said`() throws {
    let folder = try Folder()
    let place = try Places.named("folder:" + folder.path + "/not-mounted")
    #expect(throws: PlaceError(.missing, "folder:" + folder.path + "/not-mounted")) {
      try place.list("fd1/space")
    }
    #expect(try !place.needs().isEmpty)
  }

  @Test func `any program`() throws {
    let folder = try Folder()
    let script = folder.path + "/keep"
    try """
    #!/bin/sh
    root=\(folder.path)/store
    case $1 in
    list) cd "$root" 2>/dev/null && [ -d "$2" ] && find "$2" -type f || true ;;
    get) while read -r n; do [ -f "$root/$n" ] && mkdir -p "$2/$(dirname "$n")" && cp "$root/$n" "$2/$n"; done <"$3"; true ;;
    remove) while read -r n; do rm -f "$root/$n"; done <"$2" ;;
    put) while read -r n; do mkdir -p "$root/$3$(dirname "$n")" && cp "$2/$n" "$root/$3$n"; done <"$4" ;;
    esac
    """.write(toFile: script, atomically: true, encoding: .utf8)
    try Conformance.check(try Places.named("cmd:sh '\(script)'"))
  }

  @Test func `a program that fails is said`() throws {
    let place = try Places.named("cmd:sh -c 'echo no room >&2; exit 3' x")
    #expect(
      throws: PlaceError(
        .program("sh", says: "no room\n"), "cmd:sh -c 'echo no room >&2; exit 3' x")
    ) {
      try place.list("fd1/space")
    }
    #expect(throws: PlaceError.self) {
      try Places.named("cmd:/no/such/program").list("fd1/space")
    }
  }

  @Test(arguments: [
    "", "folder:", "folder:relative", "ftp:x", "rclone:remote", "rclone:--config=/x:y", "nothing",
  ])
  func whatIsNoPlaceIsSaid(_ text: String) {
    #expect(throws: PlaceError(.unknown, text)) { try Places.named(text) }
  }

  /// Others may write to the folder.
  @Test func `a link does not lead out of a folder`() throws {
    let (folder, from, elsewhere) = (try Folder(), try Folder(), try Folder())
    let place = try Places.named("folder:" + folder.path)
    try Data([1]).write(to: URL(fileURLWithPath: from.path + "/a"))
    try Data([1]).write(to: URL(fileURLWithPath: elsewhere.path + "/b"))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/fd1", withIntermediateDirectories: false)
    symlink(elsewhere.path, folder.path + "/fd1/space")
    let refusal = PlaceError(.notFolder, place.place)
    #expect(throws: refusal) { try place.list("fd1/space") }
    #expect(throws: refusal) { try place.get(["fd1/space/b"], into: from.path) }
    #expect(throws: refusal) {
      try place.put(["a"], from: from.path, under: "fd1/space/", replacing: true)
    }
    #expect(throws: refusal) { try place.remove(["fd1/space/b"]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == ["b"])
  }

  /// Somebody else who may write there exchanges a folder for a link, again and again.
  @Test func `no link that comes between two steps leads out of a folder`() throws {
    let (folder, from, elsewhere) = (try Folder(), try Folder(), try Folder())
    let place = try Places.named("folder:" + folder.path)
    let names = (0..<20).map { "piece\($0)" }
    for name in names {
      try Data([1]).write(to: URL(fileURLWithPath: from.path + "/" + name))
      try Data([2]).write(to: URL(fileURLWithPath: elsewhere.path + "/" + name))
    }
    let (space, link, away) = (
      folder.path + "/fd1/space", folder.path + "/fd1/link", folder.path + "/fd1/away"
    )
    try FileManager.default.createDirectory(atPath: space, withIntermediateDirectories: true)
    symlink(elsewhere.path, link)
    let isOver = Mutex(false)
    let attacker = Thread {
      while !isOver.withLock({ $0 }) {
        rename(space, away)
        rename(link, space)
        rename(space, link)
        rename(away, space)
      }
    }
    attacker.start()
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      try? place.put(names, from: from.path, under: "fd1/space/", replacing: true)
      let all = names.map { "fd1/space/" + $0 }
      try? FileManager.default.removeItem(atPath: from.path + "/got")
      try? place.get(all, into: from.path + "/got")
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: from.path + "/got")) ?? []
      where name.contains("piece") {
        #expect(try Data(contentsOf: URL(fileURLWithPath: from.path + "/got/" + name)) == Data([1]))
      }
      _ = try? place.remove(all)
    }
    isOver.withLock { $0 = true }
    while !attacker.isFinished { usleep(1000) }
    for name in names {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: elsewhere.path + "/" + name)) == Data([2]))
    }
  }

  @Test(.enabled(if: isInstalled("rclone"))) func `rclone on a disk`() throws {
    let folder = try Folder()
    try Conformance.check(try Places.named("rclone::local:" + folder.path))
  }

  @Test(.enabled(if: isInstalled("rclone"))) func `a remote that only variables make`() throws {
    let folder = try Folder()
    setenv("RCLONE_CONFIG_BYVARIABLE_TYPE", "local", 1)
    defer { unsetenv("RCLONE_CONFIG_BYVARIABLE_TYPE") }
    try Conformance.check(try Places.named("rclone:byvariable:" + folder.path))
  }

  /// As where rclone is killed, or the disk of a server is full.
  @Test(.enabled(if: isInstalled("rclone")), arguments: ["alias", "crypt"], [true, false])
  func `what a remote has only a part of is put there again`(
    _ kind: String, replacing: Bool
  ) throws {
    let (folder, from) = (try Folder(), try Folder())
    let settings = [
      "TYPE": kind, "REMOTE": folder.path, "FILENAME_ENCRYPTION": "off",
      "PASSWORD": try #require(ran("rclone", "obscure", "p")).trimmingCharacters(
        in: .whitespacesAndNewlines),
    ]
    for (name, value) in settings { setenv("RCLONE_CONFIG_PARTLY_\(name)", value, 1) }
    defer { for name in settings.keys { unsetenv("RCLONE_CONFIG_PARTLY_\(name)") } }
    let place = try Places.named("rclone:partly:")
    for (name, size) in [("a", 100_000), ("b", 10)] {
      try Data(count: size).write(to: URL(fileURLWithPath: from.path + "/" + name))
    }
    try place.put(["a", "b"], from: from.path, under: "fd1/space/", replacing: false)
    let (a, b) = (PlacedObject("fd1/space/a", size: 100_000), PlacedObject("fd1/space/b", size: 10))
    #expect(try Set(place.objects(in: "fd1/space")) == [a, b])
    let stored = folder.path + "/fd1/space/a" + (kind == "crypt" ? ".bin" : "")
    for size in [50_000, 0] {
      #expect(truncate(stored, size) == 0)
      let listed = try place.objects(in: "fd1/space")
      #expect(listed.contains(b) && listed.count == 2)
      #expect(try #require(listed.first { $0.name == a.name }?.size) < 100_000)
      // One that cannot be read keeps the other from coming no more than it must.
      let to = try Folder()
      try? place.get([a.name, b.name], into: to.path)
      #expect(FileManager.default.fileExists(atPath: to.path + "/" + b.name))
      try place.put(["a", "b"], from: from.path, under: "fd1/space/", replacing: replacing)
      #expect(try Set(place.objects(in: "fd1/space")) == [a, b])
    }
    let to = try Folder()
    try place.get([a.name], into: to.path)
    #expect(FileManager.default.contents(atPath: to.path + "/" + a.name) == Data(count: 100_000))
  }

  @Test(.enabled(if: isInstalled("rclone")), arguments: ["webdav", "sftp"])
  func `rclone to a server`(_ kind: String) throws {
    let folder = try Folder()
    let port = freePort()
    let server = try Server([
      "rclone", "serve", kind, folder.path, "--addr", "127.0.0.1:\(port)", "--user", "u", "--pass",
      "p",
    ]) { answers(port) }
    let password = try #require(ran("rclone", "obscure", "p")).trimmingCharacters(
      in: .whitespacesAndNewlines)
    let remote =
      kind == "webdav"
      ? ":webdav,url='http://127.0.0.1:\(port)',vendor=other,user=u,pass=\(password):"
      : ":sftp,host=127.0.0.1,port=\(port),user=u,pass=\(password),shell_type=none:"
    let place = try Places.named("rclone:" + remote)
    try Conformance.check(place)
    let wrong = try Places.named(
      "rclone:" + remote.replacingOccurrences(of: password, with: "AAAAAAAAAAAAAAAAAAAAAAAA"))
    #expect(throws: PlaceError.self) { try wrong.list("fd1/space") }
    server.stop()
    #expect(throws: PlaceError.self) { try place.list("fd1/space") }
  }

  @Test(.enabled(if: isInstalled("rclone") && isInstalled("moto_server")))
  func `rclone to S3`() throws {
    let port = freePort()
    let server = try Server([find("moto_server") ?? "", "-H", "127.0.0.1", "-p", "\(port)"]) {
      answers(port)
    }
    let remote =
      ":s3,provider=Other,endpoint='http://127.0.0.1:\(port)',access_key_id=k,secret_access_key=s,force_path_style=true:"
    ran("rclone", "mkdir", remote + "diary")
    try Conformance.check(try Places.named("rclone:" + remote + "diary"))
    server.stop()
  }

  @Test(.enabled(if: Postgres.canRun)) func postgres() throws {
    let postgres = try Postgres()
    setenv("PGSERVICEFILE", postgres.service, 1)
    defer { unsetenv("PGSERVICEFILE") }
    let place = try Places.named("postgres:diary")
    try Conformance.check(place)
    // The server itself refuses to forget, and to change.
    for sql in ["delete from facediary_object", "update facediary_object set bytes = ''"] {
      #expect(
        ran("psql", "-q", "-d", "service=diary user=device", "-c", sql) == nil)
    }
    // A name that could say more to the server than a name is refused before it is asked.
    #expect(throws: PlaceError.self) { try place.list("fd1'; drop table facediary_object; --") }
    #expect(throws: PlaceError.self) { try Places.named("postgres:other").list("fd1/space") }
    postgres.server?.stop()
    #expect(throws: PlaceError.self) { try place.list("fd1/space") }
    // A server that is down is no reason to make a table.
    #expect(throws: PlaceError.self) { try place.needs() }
    #expect(throws: PlaceError.self) { try place.tryOut() }
    try postgres.start()
    #expect(try place.list("fd1/space2").count == 1)
    // What is too large for it keeps nothing else from going.
    let from = try Folder()
    for (name, size) in [("a", 10), ("b", 1001), ("c", 1000)] {
      try Data(count: size).write(to: URL(fileURLWithPath: from.path + "/" + name))
    }
    #expect(throws: PlaceError(.tooLarge(limit: 1000), "p")) {
      try PostgresPlace(service: "diary", "p", sizeLimit: 1000).put(
        ["a", "b", "c"], from: from.path, under: "fd1/large/", replacing: false)
    }
    #expect(try Set(place.list("fd1/large")) == ["fd1/large/a", "fd1/large/c"])
  }

  /// A table of any collation lists the same: Debian's default makes "/" count for nothing.
  @Test(.enabled(if: Postgres.canRun)) func `a database sorts names as a language does`() throws {
    let postgres = try Postgres()
    setenv("PGSERVICEFILE", postgres.service, 1)
    defer { unsetenv("PGSERVICEFILE") }
    try postgres.keeperRuns(
      "create collation words (provider = icu, locale = 'en-US-u-ka-shifted');"
        + " drop table facediary_object;")
    let place = try Places.named("postgres:diary")
    #expect(try place.needs() == PostgresPlace.schema)
    try postgres.keeperRuns(
      "create table facediary_object(name text collate words primary key, bytes bytea not null);"
        + " grant select, insert on facediary_object to device;")
    try Conformance.check(place)
    // And the table that we tell people to make.
    try postgres.keeperRuns(
      "drop table facediary_object; " + PostgresPlace.schema[0]
        + " grant select, insert on facediary_object to device;")
    try Conformance.check(place)
  }

  @Test(.enabled(if: isInstalled("psql"))) func `psql that waits for a silent server is ended`()
    throws
  {
    let server = try SilentServer()
    setenv("PGSERVICEFILE", server.folder.path + "/service", 1)
    defer { unsetenv("PGSERVICEFILE") }
    try "[silent]\nhost=127.0.0.1\nport=\(server.port)\nuser=device\n".write(
      toFile: server.folder.path + "/service", atomically: true, encoding: .utf8)
    #expect(throws: PlaceError.self) {
      try PostgresPlace(service: "silent", "p", silence: 1).list("fd1/space")
    }
  }
}

@Suite struct SilentPlaceTests {
  @Test(.enabled(if: isInstalled("rclone"))) func `rclone that waits for a silent server is ended`()
    throws
  {
    let url = "http://127.0.0.1:\(try SilentServer().port)"
    #expect(throws: PlaceError.self) {
      try RclonePlace(":webdav,url='\(url)',vendor=other:", "r", silence: 1).list("fd1/space")
    }
  }

  @Test func `a program that says nothing is ended, one that says something now and then is not`()
    throws
  {
    #expect(throws: PlaceError.self) {
      try ProgramPlace(["sh", "-c", "sleep 600; echo"], "c", silence: 1).list("fd1/space")
    }
    let slow = ProgramPlace(
      ["sh", "-c", "for i in 1 2 3 4; do echo fd1/space/$i; sleep 0.4; done"], "c", silence: 1)
    #expect(try slow.list("fd1/space").count == 4)
  }
}

/// Takes connections and never says anything.
private final class SilentServer {
  let folder: Folder
  let port = freePort()
  private let server: Server

  init() throws {
    folder = try Folder()
    let script = """
      import socket, time
      s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind(("127.0.0.1", \(port))); s.listen(64)
      held = []
      while True: held.append(s.accept())
      """
    let port = port
    server = try Server(["python3", "-c", script]) { answers(port) }
  }
}
