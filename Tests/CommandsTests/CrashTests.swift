import Foundation
import Glibc
import Scratch
import Testing

/// What a diary must be after a kill or a failed write at any system call of a command.
///
/// Every write-side call of every command, or a few of them: ``Thoroughness``.
@Suite(.threads) struct CrashTests {
  /// A command, what must be there before it, and how its work is recognised afterwards.
  struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    var prepare: @Sendable (Desk) throws -> Void = { _ in }
    let words: @Sendable (Desk) -> [String]
    /// Whether what the command does is there.
    let isDone: @Sendable (Desk) throws -> Bool
    /// After a thing that failed, not was killed, nothing may be there unless it says that it was done.
    var tellsWhenDone = true

    var testDescription: String { name }
  }

  static let scenarios: [Scenario] = [
    Scenario(
      name: "write", words: { _ in ["write", "the new one"] },
      isDone: {
        try $0.count() == 3
      }),
    Scenario(
      name: "edit", words: { _ in ["edit", "@2", "another text", "--tag", "t"] },
      isDone: {
        try $0.json(["show", "@2"]).array[0]["body"] as? String == "another text"
      }),
    Scenario(
      name: "delete", words: { _ in ["delete", "@1", "--yes"] }, isDone: { try $0.count() == 1 }),
    Scenario(
      name: "purge", prepare: { try $0.ok(["delete", "@1", "--yes"]) },
      words: { _ in ["purge", "--yes"] }, isDone: { try $0.json(["trash"]).array.isEmpty }),
    Scenario(
      name: "attach", prepare: { try $0.put("file", [UInt8](repeating: 7, count: 300_000)) },
      words: { ["attach", "@1", $0.path + "/file"] },
      isDone: {
        try $0.json(["attachments", "@1"]).array.count == 1
      }),
    Scenario(
      name: "import of 1,000",
      prepare: {
        let lines = (0..<1000).map {
          "{\"date\":\"2025-01-01T00:00:\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z\",\"body\":\"entry \($0)\"}\n"
        }
        try $0.put("in.jsonl", Array(lines.joined().utf8))
      }, words: { ["import", $0.path + "/in.jsonl"] },
      isDone: {
        let count = try $0.count()
        #expect(count == 2 || count == 1002)
        return count == 1002
      }),
    Scenario(
      name: "enroll",
      words: { _ in ["enroll", "--model", "sface", Home.keys + "/owner-1.npy"] },
      isDone: { try $0.json(["faces"]).array.count == 1 }),
    Scenario(
      name: "faces remove",
      prepare: { try $0.ok(["enroll", "--model", "sface", Home.keys + "/owner-1.npy"]) },
      words: { ["faces", "remove", $0.faceID] }, isDone: { try $0.json(["faces"]).array.isEmpty }),
    Scenario(
      name: "policy set warm",
      prepare: { try $0.ok(["enroll", "--model", "sface", Home.keys + "/owner-1.npy"]) },
      words: { _ in ["policy", "set", "warm", "on"] },
      isDone: {
        try !($0.json(["keys"]).array.contains { $0["kind"] as? String == "face" })
      }),
    Scenario(
      name: "keys rotate", words: { _ in ["keys", "rotate", "--yes"] },
      isDone: { desk in
        // The code that opens tells which side of the commit it was.
        desk.adoptNewCode()
      }),
    Scenario(
      name: "passphrase", prepare: { try $0.put("new", Array("another horse\n".utf8)) },
      words: {
        ["passphrase", "--kdf", "interactive", "--new-passphrase-file", $0.path + "/new"]
      },
      isDone: {
        let old = try $0.home.run(
          ["list", "--json", "--passphrase-file", $0.home.passphrase]
        ).status
        let new = try $0.home.run(["list", "--json", "--passphrase-file", $0.path + "/new"]).status
        #expect((old == 0) != (new == 0))
        return new == 0
      }),
    Scenario(
      name: "backup", words: { ["backup", $0.path + "/copies"] },
      isDone: {
        guard let copy = $0.backup else { return false }
        let count = try $0.json(["list", "--vault", copy]).array.count
        #expect(count == 2)
        return true
      }),
    Scenario(
      name: "restore-backup",
      prepare: {
        try $0.ok(["backup", $0.path + "/copies"])
        try $0.ok(["write", "later"])
      }, words: { ["restore-backup", $0.backup ?? "", "--yes"] },
      isDone: {
        let count = try $0.count()
        #expect(count == 2 || count == 3)
        return count == 2
      }),
    Scenario(
      name: "restore-backup where diary and device are gone",
      prepare: {
        try $0.ok(["backup", $0.path + "/copies"])
        for path in [$0.home.folder, $0.home.path + "/.local/state/facediary"] {
          try FileManager.default.removeItem(atPath: path)
        }
      }, words: { ["restore-backup", $0.backup ?? "", "--yes"] },
      isDone: {
        let isThere = FileManager.default.fileExists(atPath: $0.home.vault)
        // Interrupted, it is done again.
        if !isThere { try $0.ok(["restore-backup", $0.backup ?? "", "--yes"]) }
        return isThere
      }),
    Scenario(
      name: "salvage", words: { ["salvage", $0.path + "/out.facediary"] },
      isDone: {
        FileManager.default.fileExists(atPath: $0.path + "/out.facediary")
      }),
    Scenario(
      name: "first opening by another device",
      words: { ["list", "--device", $0.path + "/other"] },
      isDone: {
        // Killed in the middle, it is as new as it was.
        try $0.ok(["list", "--device", $0.path + "/other"])
        return true
      }),
    Scenario(
      name: "face-passphrase beside another device's face",
      prepare: {
        let face = ["enroll", "--model", "sface", Home.keys + "/owner-1.npy"]
        for more in [[], ["--device", $0.path + "/other"]] { try $0.ok(face + more) }
        try $0.put("short", Array("short\n".utf8))
      },
      words: {
        [
          "keys", "add", "face-passphrase", "--new-passphrase-file", $0.path + "/short", "--kdf",
          "interactive",
        ]
      },
      isDone: {
        let kinds = try $0.json(["keys"]).array.compactMap { $0["kind"] as? String }
        // Both of them alone, or neither.
        #expect([0, 2].contains(kinds.count { $0 == "face" }))
        let other = try $0.home.run(["list"] + Home.owner + ["--device", $0.path + "/other"])
        #expect((other.status == 0) == kinds.contains("face"))
        return kinds.contains("face-passphrase")
      }),
    Scenario(
      name: "accept-rollback",
      prepare: {
        let kept = try Data(contentsOf: URL(fileURLWithPath: $0.home.vault))
        try $0.ok(["write", "later"])
        for suffix in ["-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: $0.home.vault + suffix)
        }
        try kept.write(to: URL(fileURLWithPath: $0.home.vault))
      }, words: { _ in ["accept-rollback"] },
      isDone: {
        let run = try $0.run(["list", "--json"])
        #expect(run.status == 0 || run.status == 5, "\(run.err)")
        if run.status == 5 { try $0.ok(["accept-rollback"]) }
        return run.status == 0
      }),
    Scenario(
      name: "verify --repair of altered slots",
      prepare: {
        var bytes = try VaultBytes($0.home.vault).keyring()
        bytes[bytes.count - 40] ^= 1
        try VaultBytes($0.home.vault).put(keyring: VaultBytes.mended(bytes))
      }, words: { _ in ["verify", "--repair"] },
      isDone: {
        let status = try $0.run(["verify", "--json"]).status
        #expect(status == 0 || status == 5)
        if status == 5 { try $0.ok(["verify", "--repair"]) }
        return status == 0
      }),
  ]

  /// A home that is put back as it was before each try, at the same place: the device store knows its path.
  final class Desk: Sendable {
    let home: Home
    var path: String { home.path }
    private let kept: String

    init(_ scenario: Scenario) throws {
      home = try Home(made: false)
      kept = home.path + ".kept"
      let made = try home.run([
        "init", "--passphrase-file", home.passphrase, "--kdf", "interactive", "--json",
      ])
      #expect(made.status == 0)
      try put("code", Array((made.object["recoveryCode"] as? String ?? "").utf8))
      try ok(["write", "one", "--date", "2026-01-01"])
      try ok(["write", "two", "--date", "2026-01-02"])
      try scenario.prepare(self)
      try FileManager.default.copyItem(atPath: home.path, toPath: kept)
    }

    deinit { try? FileManager.default.removeItem(atPath: kept) }

    var code: [String] { ["--recovery-file", path + "/code"] }

    /// The passphrase's own command authenticates by it; the others by the code, which costs no Argon2id.
    func secret(for words: [String]) -> [String] {
      words[0] == "passphrase" ? ["--passphrase-file", home.passphrase] : code
    }

    func reset() throws {
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: kept, toPath: path)
    }

    func put(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func run(_ words: [String]) throws -> Run { try home.run(words + code) }

    @discardableResult
    func ok(_ words: [String]) throws -> Run {
      let run = try run(words)
      #expect(run.status == 0, "\(words): \(run.err)")
      return run
    }

    func json(_ words: [String]) throws -> Run { try ok(words + ["--json"]) }
    func count() throws -> Int { try json(["list"]).array.count }
    /// The backup in `copies`.
    var backup: String? {
      let copies = path + "/copies"
      return (try? FileManager.default.contentsOfDirectory(atPath: copies))?
        .first { $0.hasSuffix(".facediary") }.map { copies + "/" + $0 }
    }
    var faceID: String { (try? json(["faces"]).array.first?["id"] as? String) ?? "" }

    /// Takes the code that `keys rotate` printed when the old one opens nothing any more.
    func adoptNewCode() -> Bool {
      guard let now = try? home.run(["list", "--json"] + code), now.status != 0 else {
        return false
      }
      #expect(now.status == 3)
      let text = (try? String(contentsOfFile: path + "/stdout", encoding: .utf8)) ?? ""
      let printed = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
      try? put("code", Array((printed?["recoveryCode"] as? String ?? "").utf8))
      return true
    }

    /// Runs with a fault at the `nth` write-side call; how it ended and how many there were.
    func fault(_ nth: Int, _ what: String, _ words: [String]) throws -> (status: Int32, calls: Int)
    {
      try home.fault(nth, what, words + secret(for: words) + ["--json"])
    }

    /// Nothing half: every record opens along its path, by the next command anybody runs.
    func isWhole(_ place: String) throws {
      let run = try home.run(["verify", "--json"] + code)
      #expect(run.status == 0, "\(place): \(run.out)\(run.err)")
    }
  }

  @Test(arguments: scenarios)
  func `a kill at any write leaves all of a change or none`(_ scenario: Scenario) throws {
    let desk = try Desk(scenario)
    let (status, calls) = try desk.fault(0, "kill-file", scenario.words(desk))
    #expect(status == 0 && calls > 5)
    #expect(try scenario.isDone(desk))
    for nth in Thoroughness.places(calls, few: 3) {
      try desk.reset()
      let place = "\(scenario.name), call \(nth) of \(calls)"
      let (status, _) = try desk.fault(nth, "kill-file", scenario.words(desk))
      #expect(status == 137 || status == 0, "\(place)")
      let done = try scenario.isDone(desk)
      // What was acknowledged is there. (The answer of a rotation comes before its commit.)
      let answered = (try? Data(contentsOf: URL(fileURLWithPath: desk.path + "/stdout")).count) ?? 0
      if answered > 0, ["write", "edit", "import of 1,000", "enroll"].contains(scenario.name) {
        #expect(done, "\(place)")
      }
      try desk.isWhole(place)
      // And it can be gone on with.
      if nth % 3 == 1 { try desk.ok(["write", "afterwards"]) }
    }
  }

  @Test(
    arguments: scenarios.filter {
      ["write", "attach", "enroll", "keys rotate", "passphrase", "backup", "restore-backup"]
        .contains($0.name)
    }, ["enospc", "eio", "short", "enospc+"])
  func `a write that fails is an error and undoes the change`(
    _ scenario: Scenario, _ what: String
  ) throws {
    let desk = try Desk(scenario)
    let (_, calls) = try desk.fault(0, what, scenario.words(desk))
    for nth in Thoroughness.places(calls, few: 2, step: what == "enospc" ? 2 : 5) {
      try desk.reset()
      let place = "\(scenario.name), \(what) at call \(nth) of \(calls)"
      let (status, _) = try desk.fault(nth, what, scenario.words(desk))
      #expect(status < 128, "\(place): \(status)")
      let done = try scenario.isDone(desk)
      if status == 0 { #expect(done, "\(place)") }
      try desk.isWhole(place)
    }
  }

  @Test func `a kill while a diary is made leaves none, or one that opens`() throws {
    let home = try Home(made: false)
    func make(_ nth: Int, _ what: String) throws -> (status: Int32, calls: Int) {
      for name in ["/.local", "/run", "/stdout"] {
        try? FileManager.default.removeItem(atPath: home.path + name)
      }
      return try home.fault(
        nth, what,
        [
          "init", "--no-passphrase", "--json", "--model", "sface", "--face",
          Home.keys + "/owner-1.npy",
        ])
    }
    for what in ["kill-file", "enospc"] {
      let (status, calls) = try make(0, what)
      #expect(status == 0 && calls > 5)
      for nth in Thoroughness.places(calls, few: 5) {
        _ = try make(nth, what)
        if FileManager.default.fileExists(atPath: home.vault) {
          let text = try Data(contentsOf: URL(fileURLWithPath: home.path + "/stdout"))
          let answer = try JSONSerialization.jsonObject(with: text) as? [String: Any]
          try Data((answer?["recoveryCode"] as? String ?? "").utf8).write(
            to: URL(fileURLWithPath: home.path + "/code"))
          let run = try home.run(["verify", "--json", "--recovery-file", home.path + "/code"])
          #expect(run.status == 0, "\(what) at call \(nth) of \(calls): \(run.err)")
        } else {
          let run = try home.run(["init", "--no-passphrase", "--json"])
          #expect(run.status == 0, "\(what) at call \(nth) of \(calls): \(run.err)")
        }
      }
    }
  }
}
