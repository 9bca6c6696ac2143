import Foundation
import Glibc
import Testing

/// What an open diary does by itself, and that nothing of it goes on when it is closed.
@Suite(.threads) struct AutoSyncTests {
  /// The mover's processes of a home.
  private func movers(_ home: Home) -> Int {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.count { process in
      guard Int(process) != nil,
        let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
      else { return false }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.contains("auto") && words.contains(home.folder)
    }
  }

  private func wait(
    _ location: SourceLocation = #_sourceLocation, until isSo: () throws -> Bool
  ) throws {
    for _ in 0..<1200 {
      if try isSo() { return }
      usleep(50_000)
    }
    Issue.record("it did not happen within a minute", sourceLocation: location)
  }

  private func logs(_ folder: String) -> Int {
    (FileManager.default.subpaths(atPath: folder) ?? []).count { $0.contains("/log/") }
  }

  private func texts(_ home: Home) throws -> [String] {
    try home.run(["list", "--bodies", "--json"]).array.compactMap { $0["body"] as? String }
  }

  @Test func `open diaries send and fetch by themselves, which is no use of them`() throws {
    let shared = try SharedDiary(isAutomatic: true)
    let (one, two) = (shared.one, try shared.join())
    for home in [one, two] {
      #expect(try home.run(["sync", "auto", "--json"]).object["auto"] as? Bool == true)
      try home.ok(["unlock", "--idle", "10m"])
      try wait { movers(home) == 1 }
    }
    func idleEnd() throws -> Date {
      let session = try two.run(["status", "--json"]).object["session"] as? [String: Any]
      return try #require(
        ISO8601DateFormatter().date(from: session?["idleExpires"] as? String ?? ""))
    }
    func heard() -> String {
      (try? String(contentsOfFile: two.folder + "/sync/listing", encoding: .utf8)) ?? ""
    }
    let (before, listing) = (try idleEnd(), heard())
    #expect(try one.run(["write", "from the laptop"]).status == 0)
    try wait { heard() != listing }
    #expect(abs(try idleEnd().timeIntervalSince(before)) <= 1)
    try wait { try texts(two).contains("from the laptop") }
    #expect(try two.run(["write", "from the phone"]).status == 0)
    try wait { try texts(one).contains("from the phone") }
    let status = try one.run(["sync", "status", "--json"]).object
    #expect(status["auto"] as? Bool == true && status["reached"] as? String != nil)
    // It ends with the session.
    for home in [one, two] {
      #expect(try home.run(["lock"]).status == 0)
      try wait { movers(home) == 0 }
    }
  }

  @Test func `what nobody saw is said by the next command of sync, once`() throws {
    let shared = try SharedDiary(isAutomatic: true)
    let (one, two) = (shared.one, try shared.join())
    let id = try one.write("gone, and more")
    try shared.sync(one, two)
    try one.ok(["delete", id, "--yes"])
    try one.ok(["purge", id, "--yes"])
    try two.ok(["edit", id, "of the phone"])
    try shared.sync(one)
    // Both merge by themselves.
    for home in [two, one] { try home.ok(["unlock"]) }
    try wait { try texts(one) == ["of the phone"] }
    for home in [two, one] { try home.run(["lock"]) }
    for (home, code) in [(two, "survived"), (one, "came-back")] {
      func troubles(_ words: [String]) throws -> [String] {
        (try home.ok(words + ["--json"]).object["troubles"] as? [[String: Any]] ?? []).compactMap {
          $0["code"] as? String
        }
      }
      #expect(try troubles(["sync", "status"]) == [code])
      #expect(try home.ok(["sync", "status"]).out.contains(id.prefix(8)))
      // A timer tells nobody, and still says it.
      for _ in 0..<2 {
        #expect(try home.ok(["sync", "--quiet"]).err.contains(id.prefix(8)))
        #expect(try troubles(["sync", "status"]) == [code])
      }
      #expect(try troubles(["sync"]) == [code])
      #expect(try troubles(["sync"]).isEmpty)
      #expect(try troubles(["sync", "status"]).isEmpty)
    }
  }

  @Test func `what moves by itself goes to the place that is set when its turn comes`() throws {
    let shared = try SharedDiary(isAutomatic: true)
    let one = shared.one
    try one.ok(["unlock"])
    let listing = one.folder + "/sync/listing"
    try wait { FileManager.default.fileExists(atPath: listing) && movers(one) == 1 }
    // Another command has the turn, and goes on in another place before it gives it away.
    let directory = open(one.folder + "/sync", O_RDONLY | O_CLOEXEC)
    #expect(flock(directory, LOCK_EX) == 0)
    #expect(try one.run(["write", "for the new place"]).status == 0)
    let other = shared.folder + "-new"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    usleep(400_000)
    let places = URL(fileURLWithPath: one.path + "/.local/state/facediary/places.json")
    let text = try String(contentsOf: places, encoding: .utf8)
    try Data(text.replacingOccurrences(of: "/place\"", with: "/place-new\"").utf8).write(to: places)
    let before = logs(shared.folder)
    // It waits for its turn by now, or will find the new place when it comes to it.
    for _ in 0..<8 { usleep(400_000) }
    close(directory)
    try wait { logs(other) > 0 }
    #expect(logs(shared.folder) == before)
  }

  @Test func `a program that is named beside an open session is not run by itself`() throws {
    let shared = try SharedDiary(isAutomatic: true)
    let one = shared.one
    try one.ok(["unlock"])
    let before = logs(shared.folder)
    #expect(try one.run(["write", "moved"]).status == 0)
    try wait { logs(shared.folder) > before && movers(one) == 1 }
    let places = URL(fileURLWithPath: one.path + "/.local/state/facediary/places.json")
    let text = try String(contentsOf: places, encoding: .utf8)
    let program = try one.put("program", "#!/bin/sh\ntouch \(one.path)/ran\n", mode: 0o700)
    let place = try #require(text.firstRange(of: /"folder:[^"]*"/))
    try Data(text.replacing(text[place], with: "\"cmd:\(program)\"").utf8).write(to: places)
    #expect(try one.run(["write", "a change"]).status == 0)
    try wait { movers(one) == 0 }
    #expect(!FileManager.default.fileExists(atPath: one.path + "/ran"))
    // Who asks for it is served.
    _ = try one.run(["sync"])
    #expect(FileManager.default.fileExists(atPath: one.path + "/ran"))
  }

  @Test func `one process moves, however often it is switched off and on`() throws {
    let shared = try SharedDiary(isAutomatic: true)
    let one = shared.one
    try one.ok(["unlock"])
    try wait { movers(one) == 1 }
    for _ in 0..<2 {
      try one.ok(["sync", "auto", "off"])
      try wait { movers(one) == 0 }
      try one.ok(["sync", "auto", "on"])
      try wait { movers(one) == 1 }
    }
    // Into another space, without a new session.
    try one.ok(["sync", "leave", "--yes"])
    try wait { movers(one) == 0 }
    let folder = shared.folder + "-new"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try one.ok(["sync", "setup", "folder:" + folder])
    try wait { movers(one) == 1 }
    let before = logs(folder)
    #expect(try one.run(["write", "moved there"]).status == 0)
    try wait { logs(folder) > before && movers(one) == 1 }
    // The one that runs goes on by itself; another that is started waits for it, and ends.
    let last = folder + "-last"
    try FileManager.default.createDirectory(atPath: last, withIntermediateDirectories: false)
    try one.ok(["sync", "move", "folder:" + last])
    #expect(try one.run(["write", "moved again"]).status == 0)
    let moved = logs(last)
    try wait { logs(last) > moved && movers(one) == 1 }
  }

  @Test func `a diary that is told not to sends nothing by itself`() throws {
    let shared = try SharedDiary()
    #expect(try shared.one.run(["sync", "auto", "off"]).status == 0)
    #expect(try shared.one.run(["sync", "auto", "--json"]).object["auto"] as? Bool == false)
    try shared.one.ok(["unlock"])
    #expect(movers(shared.one) == 0)
    let wrong = try shared.one.run(["sync", "auto", "perhaps", "--json"])
    #expect(wrong.status == 2 && wrong.errorCode == "usage")
    try shared.one.run(["lock"])
    let closed = try shared.one.run(["sync", "auto", "run", "--json"])
    #expect(closed.errorCode == "not-found")
    // So it stays, and the way back is said, which is not a space of its own.
    try shared.one.ok(["sync", "leave", "--yes"])
    let left = try shared.one.run(["sync"])
    #expect(left.status == 6 && left.err.contains("sync join \(shared.place) CODE"), "\(left)")
    let folder = shared.folder + "-new"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try shared.one.ok(["sync", "setup", "folder:" + folder])
    #expect(try shared.one.run(["sync", "auto", "--json"]).object["auto"] as? Bool == false)
  }

  @Test func `devices go on in another place`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    _ = try one.write("before")
    try shared.sync(one, two)
    // What nobody but the old place has comes along, with its file.
    let file = try one.put("photo.txt", "a file of the old place")
    let id = try one.write("with a file")
    try one.ok(["attach", id, file])
    try shared.sync(one)
    let folder = shared.folder + "-new"
    let other = "folder:" + folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    for home in [two, one] {
      let moved = try home.ok(["sync", "move", other, "--json"])
      #expect(moved.status == 0 && moved.object["place"] as? String == other, "\(moved.err)")
    }
    try FileManager.default.removeItem(atPath: shared.folder)
    let again = try one.run(["sync", "move", other])
    #expect(again.status == 0 && again.err.contains("already syncs through"), "\(again)")
    _ = try one.write("after")
    try shared.sync(one, two)
    #expect(try two.bodies == ["after", "before", "with a file"])
    let out = two.path + "/out.txt"
    try two.ok(["extract", id, "photo.txt", "-o", out])
    #expect(try String(contentsOfFile: out, encoding: .utf8) == "a file of the old place")
  }
}
