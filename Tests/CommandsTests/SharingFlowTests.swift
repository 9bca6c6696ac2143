import Foundation
import Glibc
import Testing

@Suite(.threads) struct SharingFlowTests {
  @Test func `two homes keep one diary`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("written before 日記")
    let two = try shared.join()
    try shared.sync(one, two)
    #expect(try two.bodies == ["written before 日記"])
    let id = try two.write("from the phone", ["--title", "Café"])
    try shared.sync(two, one)
    #expect(try one.bodies == two.bodies)
    try one.ok(["edit", id, "by the laptop"])
    try two.ok(["edit", id, "by the phone"])
    try shared.sync(one, two, one)
    for home in [one, two] {
      let conflicts = try home.ok(["conflicts", "--json"]).array
      #expect(conflicts.count == 1)
      let versions = conflicts.first?["versions"] as? [[String: Any]] ?? []
      #expect(
        Set(versions.compactMap { $0["body"] as? String }) == ["by the laptop", "by the phone"])
      #expect(Set(versions.compactMap { $0["device"] as? String }) == ["laptop", "phone"])
      #expect(try home.ok(["list"]).out.contains("⇄"))
    }
    for format in ["json", "jrnl", "html"] {
      let exported = try one.ok(["export", "--format", format]).out
      #expect(exported.contains("by the laptop") && exported.contains("by the phone"))
    }
    // Nobody replaces a text without having been shown it, and the hint's way works.
    let secret = ["--passphrase-file", two.passphrase]
    for words in [["edit", id, "both of us"], ["revert", id, "1"]] {
      let refused = try two.run(words + secret)
      #expect(refused.status == 7 && refused.err.contains("--ends-conflict"), "\(refused.err)")
    }
    try two.ok(["edit", id, "both of us", "--ends-conflict"])
    try shared.sync(two, one)
    #expect(try one.ok(["conflicts", "--json"]).array.isEmpty)
    #expect(try one.bodies.contains("both of us"))
    let states = try [one, two].map {
      try $0.ok(["sync", "status", "--json"]).object["digest"] as? String
    }
    #expect(states[0] == states[1])
    for home in [one, two] { #expect(try home.ok(["verify", "--json"]).status == 0) }
    try expectNoPlainText(in: shared.folder, ["日記", "Café", "laptop", "phone", "both"])
  }

  private func expectNoPlainText(in folder: String, _ words: [String]) throws {
    var objects = 0
    for name in FileManager.default.enumerator(atPath: folder)?.allObjects ?? [] {
      guard let name = name as? String,
        let bytes = FileManager.default.contents(atPath: folder + "/" + name)
      else { continue }
      objects += 1
      for word in words {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
        #expect(!name.contains(word))
      }
    }
    #expect(objects > 5)
  }

  @Test func `a closed diary moves and an open one merges`() throws {
    let shared = try SharedDiary()
    let two = try shared.join()
    _ = try shared.one.write("to be moved")
    try shared.sync(shared.one)
    let moved = try two.run(["sync", "--json"])
    #expect(moved.status == 0 && moved.object["open"] as? Bool == false)
    #expect(moved.object["pulled"] as? Int == 1)
    // Away from the place, what was moved is merged.
    try FileManager.default.moveItem(atPath: shared.folder, toPath: shared.folder + ".away")
    let gone = try two.run(["sync", "--json"])
    #expect(gone.status == 1 && gone.errorCode == "system")
    try FileManager.default.moveItem(atPath: shared.folder + ".away", toPath: shared.folder)
    #expect(try two.ok(["sync", "--json"]).object["merged"] as? Int == 1)
    #expect(try two.bodies == ["to be moved"])
  }

  @Test func `what is wrong with a place is named and takes nothing away`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("kept here")
    try shared.sync(one)
    let logs = try #require(
      FileManager.default.enumerator(atPath: shared.folder)?.allObjects.compactMap { $0 as? String }
        .filter { $0.contains("/log/") && $0.contains("-") })
    #expect(!logs.isEmpty)
    // Emptied behind our back.
    for name in logs { try FileManager.default.removeItem(atPath: shared.folder + "/" + name) }
    let lost = try one.run(["sync", "--json", "--passphrase-file", one.passphrase])
    #expect(lost.status == 5)
    #expect(
      (lost.object["troubles"] as? [[String: Any]])?.first?["code"] as? String == "lost")
    let hint = (lost.object["troubles"] as? [[String: Any]])?.first?["hint"] as? String
    #expect(hint?.contains("facediary sync repair") == true)
    #expect(try one.bodies == ["kept here"])
    let repaired = try one.ok(["sync", "repair", "--json"]).object["pushed"] as? Int ?? 0
    #expect(repaired >= logs.count)
    #expect(
      logs.allSatisfy { FileManager.default.fileExists(atPath: shared.folder + "/" + $0) })
    try shared.sync(one)
    // Damaged there: passed over by who comes in, until it is right again.
    let path = shared.folder + "/" + logs[0]
    let whole = try #require(FileManager.default.contents(atPath: path))
    try (whole.dropLast() + [whole.last.map { ~$0 } ?? 0]).write(to: URL(fileURLWithPath: path))
    let two = try shared.join(ends: 5)
    #expect(try two.bodies.isEmpty)
    try whole.write(to: URL(fileURLWithPath: path))
    try shared.sync(two)
    #expect(try two.bodies == ["kept here"])
    // Nonsense under a name of its own, in the name of a device.
    let garbage = Data(repeating: 7, count: 2000)
    let hash = try #require(try b2(garbage))
    let device = (path as NSString).deletingLastPathComponent
    try garbage.write(to: URL(fileURLWithPath: device + "/77-" + hash))
    let refused = try two.run(["sync", "--json", "--passphrase-file", two.passphrase])
    #expect(refused.status == 5)
    #expect(
      (refused.object["troubles"] as? [[String: Any]])?.first?["code"] as? String == "damaged")
    #expect(try two.bodies == ["kept here"])
  }

  /// The name of an object, made by a program that is not ours: hexadecimal to Crockford's base32.
  private func b2(_ bytes: Data) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["b2sum", "-l", "256"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(bytes)
    try input.fileHandleForWriting.close()
    let hex = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .prefix(64)
    process.waitUntilExit()
    var (bits, count, text) = (0, 0, "")
    let symbols = Array("0123456789abcdefghjkmnpqrstvwxyz")
    for digit in hex {
      guard let value = digit.hexDigitValue else { return nil }
      bits = bits << 4 | value
      count += 4
      if count >= 5 {
        count -= 5
        text.append(symbols[bits >> count & 31])
        bits &= (1 << count) - 1
      }
    }
    if count > 0 { text.append(symbols[bits << (5 - count) & 31]) }
    return text
  }

  @Test func `much that would go waits for a yes`() throws {
    let shared = try SharedDiary()
    let two = try shared.join()
    for number in 0..<4 { _ = try shared.one.write("entry \(number)") }
    try shared.sync(shared.one, two)
    try shared.one.ok(["delete", "@1", "@2", "@3", "@4", "--yes"])
    try shared.one.ok(["purge", "--yes"])
    try shared.sync(shared.one)
    let asked = try two.run(["sync", "--json", "--passphrase-file", two.passphrase])
    #expect(asked.status == 2 && asked.object["removals"] as? Int == 4)
    #expect(try two.bodies.count == 4)
    let session = try TerminalSession(two, ["sync", "--passphrase-file", two.passphrase])
    #expect(session.expect("Remove 4 entries"), "\(session.screen)")
    session.type("n\n")
    #expect(session.end() == 9, "\(session.screen)")
    #expect(!session.screen.contains("--yes"), "\(session.screen)")
    try two.ok(["sync", "--yes"])
    #expect(try two.bodies.isEmpty)
  }

  @Test func `a lost device is taken out and all lost ones are recovered`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("precious")
    let two = try shared.join()
    try shared.sync(one, two)
    // The diary's own code is another one.
    let wrong = try one.run([
      "sync", "revoke", "phone", "--passphrase-file", one.passphrase, "--space-code-file",
      one.recovery,
    ])
    #expect(wrong.status == 3)
    try one.ok(["sync", "revoke", "phone", "--space-code-file", shared.spaceCode])
    _ = try one.write("after the theft")
    try shared.sync(one)
    try one.ok(["edit", "@last", "--star"])
    try shared.sync(one)
    let closed = try two.run(["sync", "--json", "--passphrase-file", two.passphrase])
    #expect(closed.status == 5)
    #expect(try two.bodies == ["precious"])
    // What a device whose diary is gone can do is said.
    try FileManager.default.moveItem(atPath: two.folder, toPath: two.folder + "-away")
    let gone = try two.run(["list", "--passphrase-file", two.passphrase])
    #expect(gone.status == 6 && gone.err.contains("sync recover " + shared.place), "\(gone)")
    #expect(
      try one.ok(["sync", "devices", "--json"]).array.first { $0["name"] as? String == "phone" }?[
        "revoked"] as? Bool == true)
    let third = try Home(made: false)
    let code = try third.put(
      "space-code", try String(contentsOfFile: shared.spaceCode, encoding: .utf8))
    let back = try third.run([
      "sync", "recover", shared.place, "--name", "new", "--space-code-file", code,
      "--passphrase-file", third.passphrase, "--kdf", "interactive",
    ])
    #expect(back.status == 0 && back.err.contains("2 entries"), "\(back.err)")
    #expect(try third.bodies == ["after the theft", "precious"])
    _ = try third.write("from the new one")
    try shared.sync(third, one)
    #expect(try one.bodies == third.bodies)
  }

  @Test func `killed anywhere, nothing is lost`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    var written: [String] = []
    var random = SystemRandomNumberGenerator()
    for round in 0..<12 {
      for (home, name) in [(one, "one"), (two, "two")] {
        written.append("\(name) \(round)")
        _ = try home.write("\(name) \(round)")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Home.binary)
        process.arguments = ["sync", "--quiet", "--passphrase-file", home.passphrase]
        process.environment = home.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        usleep(UInt32.random(in: 0..<400_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
    }
    try shared.sync(one, two, one, two)
    #expect(try one.bodies == written.sorted())
    #expect(try two.bodies == written.sorted())
    for home in [one, two] {
      #expect(try home.ok(["verify", "--json"]).status == 0)
      #expect(try home.ok(["conflicts", "--json"]).array.isEmpty)
    }
  }

  /// What was purged leaves the place when every device has said that it holds what replaces it.
  @Test func `what was purged is taken from the place`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    let id = try one.write("a secret for a while")
    for number in 0..<8 {
      _ = try one.write("entry \(number)")
      try shared.sync(one)
    }
    let two = try shared.join()
    try shared.sync(one, two)
    try one.ok(["delete", id, "--yes"])
    try one.ok(["purge", id, "--yes"])
    try shared.sync(one, two, one)
    func names() -> Set<String> {
      Set(
        FileManager.default.enumerator(atPath: shared.folder)?.allObjects.compactMap {
          $0 as? String
        }
        .filter { $0.contains("/log/") && $0.contains("-") } ?? [])
    }
    let before = names()
    let packed = try one.ok(["sync", "compact", "--json"])
    #expect(packed.object["packed"] as? Int == 1)
    // It waits for nobody: whoever lacks something takes it from the pack.
    #expect(packed.object["removed"] as? Int ?? 0 >= before.count)
    #expect(before.isDisjoint(with: names()))
    // Who only moves does not cry wolf afterwards.
    #expect(try two.run(["sync"]).status == 0)
    try shared.sync(two)
    let closed = try one.run(["sync", "--json"])
    #expect(closed.status == 0, "\(closed.out)")
    for home in [two, one] {
      let report = try home.ok(["sync", "--json"]).object
      #expect((report["troubles"] as? [Any])?.isEmpty == true)
    }
    #expect(before.isDisjoint(with: names()))
    let third = try shared.join("third")
    #expect(try third.bodies == (0..<8).map { "entry \($0)" })
    #expect(try one.run(["sync", "--passphrase-file", one.passphrase]).status == 0)
  }

  @Test func `what is no place or no code is said`() throws {
    let home = try Home()
    #expect(try home.run(["sync", "--json"]).status == 6)
    #expect(
      try home.run(["sync", "setup", "ftp:x", "--passphrase-file", home.passphrase]).status == 2)
    #expect(
      try home.run(["sync", "setup", "folder:/no/such/place", "--passphrase-file", home.passphrase])
        .status == 1)
    #expect(
      try home.run([
        "sync", "join", "folder:" + home.path, "ABCD", "--passphrase-file", home.passphrase,
      ])
      .status == 8)
    #expect(
      try home.run([
        "sync", "join", "folder:" + home.path, "0000-0000-0000-0000-0000-0000-0000-0000-0000-0000",
        "--passphrase-file", home.passphrase,
      ]).status == 8)
    #expect(try home.run(["sync", "status", "--passphrase-file", home.passphrase]).status == 6)
    #expect(try home.ok(["conflicts", "--json"]).array.isEmpty)
  }

  @Test func `a place that has another diary already is said`() throws {
    let (one, two) = (try Home(), try Home())
    let folder = one.path + "/place"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (home, says) in [(one, false), (two, true)] {
      let run = try home.run([
        "sync", "setup", "folder:" + folder, "--passphrase-file", home.passphrase,
      ])
      #expect(run.status == 0 && run.err.contains("another device, run") == says, "\(run.err)")
    }
  }

  @Test func `two syncs of one device at once take turns`() throws {
    let shared = try SharedDiary()
    let two = try shared.join()
    for round in 0..<5 {
      for number in 0..<6 {
        _ = try shared.one.write("entry \(round) \(number)")
        try shared.sync(shared.one)
      }
      let running = try (0..<3).map { _ in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Home.binary)
        process.arguments = ["sync", "--passphrase-file", two.passphrase]
        process.environment = two.environment
        for stream in [\Process.standardOutput, \Process.standardError] {
          process[keyPath: stream] = FileHandle.nullDevice
        }
        try process.run()
        return process
      }
      for process in running {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
    }
    #expect(try two.bodies == shared.one.bodies)
  }

  @Test func `a file imported on two devices is there once where its entries have ids`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    let dayOne = """
      {"metadata": {"version": "1.0"}, "entries": [{"uuid": "0123456789ABCDEF0123456789ABCDEF",
      "creationDate": "2025-01-02T10:00:00Z", "timeZone": "UTC", "text": "with an id"}]}
      """
    for home in [one, two] {
      try home.ok(["import", try home.put("dayone.json", dayOne)])
      try home.ok(["import", try home.put("jrnl.txt", "[2026-03-01 09:30] Without one\n")])
    }
    try shared.sync(one, two, one)
    for home in [one, two] {
      let bodies = try home.bodies
      #expect(bodies.count == 3 && bodies.count { $0 == "with an id" } == 1, "\(bodies)")
      #expect(try home.ok(["conflicts", "--json"]).array.isEmpty)
    }
  }

  @Test func `a new title ends no conflict of texts`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    let id = try one.write("first", ["--title", "T"])
    try shared.sync(one, two)
    try one.ok(["edit", id, "by the laptop"])
    try two.ok(["edit", id, "by the phone"])
    try shared.sync(one, two, one)
    try one.ok(["edit", id, "--title", "Another"])
    for round in 0..<2 {
      for home in round == 0 ? [one] : [one, two] {
        let versions = try home.ok(["conflicts", "--json"]).array.first?["versions"]
        #expect(
          Set((versions as? [[String: Any]] ?? []).compactMap { $0["body"] as? String })
            == ["by the laptop", "by the phone"])
      }
      try shared.sync(one, two, one)
    }
    #expect(try two.ok(["show", id, "--json"]).array.first?["title"] as? String == "Another")
    // Nor does an import, which shows nobody what it replaces.
    let export = one.path + "/export.json"
    try one.ok(["export", "--format", "json", "-o", export])
    let text = try String(contentsOfFile: export, encoding: .utf8)
    try text.replacing("by the laptop", with: "imported").replacing(
      "by the phone", with: "imported"
    )
    .write(toFile: export, atomically: true, encoding: .utf8)
    let imported = try one.run([
      "import", export, "--on-conflict", "update", "--passphrase-file", one.passphrase,
    ])
    #expect(imported.status == 7, "\(imported)")
    #expect(try one.ok(["conflicts", "--json"]).array.count == 1)
    // A conflict of titles alone is ended by a title.
    let other = try one.write("same", ["--title", "A"])
    try shared.sync(one, two)
    try one.ok(["edit", other, "--title", "B"])
    try two.ok(["edit", other, "--title", "C"])
    try shared.sync(one, two, one)
    #expect(try one.ok(["conflicts", "--json"]).array.count == 2)
    let title = ["edit", other, "--title", "D"]
    #expect(try one.run(title + ["--passphrase-file", one.passphrase]).status == 7)
    try one.ok(title + ["--ends-conflict"])
    try shared.sync(one, two)
    #expect(try two.ok(["conflicts", "--json"]).array.count == 1)
    // Without another text the one that is shown first stays.
    let first = try two.ok(["show", "--raw", id]).out
    try two.ok(["edit", id, "--ends-conflict"])
    try shared.sync(two, one)
    for home in [one, two] {
      #expect(try home.ok(["conflicts", "--json"]).array.isEmpty)
      #expect(try home.ok(["show", "--raw", id]).out == first)
    }
    let ended = try one.ok(["conflicts", id])
    #expect(ended.err.contains("\(id) has only one text"), "\(ended)")
  }
}
