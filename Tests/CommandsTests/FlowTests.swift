import Foundation
import Glibc
import Testing

/// The command as scripts meet it: standard output, standard error, exit code.
@Suite(.serialized, .threads) struct FlowTests {
  private let owner = Home.keys + "/owner-4.npy"
  private let stranger = Home.keys + "/stranger-1.npy"

  @Test func `a recovery code that was read counts, whatever becomes of the rest of the output`()
    throws
  {
    let home = try Home(made: false)
    let code = home.path + "/code"
    let shell = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["-i"] + home.environment.map { "\($0)=\($1)" } + [
        "sh", "-c",
        "'\(Home.binary)' init --passphrase-file '\(home.passphrase)' | head -c 34 > '\(code)'",
      ])
    shell.waitUntilExit()
    #expect(try Data(contentsOf: URL(fileURLWithPath: code)).count == 34)
    #expect(try home.run(["unlock", "--recovery-file", code]).status == 0)
  }

  @Test func `without a diary everything says so`() throws {
    let home = try Home(made: false)
    #expect(try home.run(["status", "--json"]).object["state"] as? String == "onboarding")
    for words in [
      ["list"], ["write", "x"], ["unlock"], ["enroll", owner], ["verify"], ["show", "abcd"],
    ] {
      let run = try home.run(words)
      #expect(run.status == 6, "\(words)")
      #expect(run.out == "")
      #expect(
        run.err
          == "facediary: there is no diary at \(home.folder)\nhint: to create one: facediary init; "
          + "if there was one before, check that its disk is connected, or restore a backup: "
          + "facediary restore-backup BACKUP\n")
    }
    #expect(try home.run(["list", "--json"]).errorCode == "no-vault")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/.local"))
  }

  @Test func `the main job: init, enrol, refuse a stranger, open, write, find, lock`() throws {
    let home = try Home()
    #expect(try home.run(["status", "--json"]).object["state"] as? String == "onboarding")
    let enrolled = try home.ok([
      "enroll", Home.keys + "/owner-1.npy", Home.keys + "/owner-2.json", "--json",
    ])
    #expect((enrolled.object["enrolled"] as? [[String: Any]])?.count == 2)
    #expect(enrolled.object["state"] as? String == "authentication")

    let refused = try home.run(["unlock", "--face", stranger, "--json"])
    #expect(refused.status == 3)
    #expect(refused.errorCode == "face-refused")
    #expect(refused.object["state"] as? String == "authentication")
    #expect(refused.object["similarity"] == nil)

    let opened = try home.run(["unlock", "--face", owner, "--json", "--for", "1h"])
    #expect(opened.status == 0)
    #expect(opened.object["method"] as? String == "face")
    #expect(opened.object["similarity"] as? Double ?? 0 > 0.7)

    let written = try home.run(["write", "京都で", "お茶", "--title", "Uji", "--tag", "tea"])
    #expect(written.status == 0)
    #expect(written.out.count == 27)
    let id = String(written.out.dropLast())
    #expect(try home.run(["write"], input: "piped in\n").status == 0)
    let found = try home.run(["search", "お茶", "--json"]).array
    #expect(found.map { $0["id"] as? String } == [id])
    #expect(found[0]["excerpt"] as? String == "京都で お茶")
    #expect(found[0]["body"] == nil)
    #expect(try home.run(["show", "--raw", String(id.prefix(6))]).out == "京都で お茶")
    #expect(try home.run(["show", "@last", "--json"]).array[0]["body"] as? String == "piped in")
    #expect(try home.run(["status", "--json"]).object["state"] as? String == "authenticated")
    #expect(try home.run(["lock"]).status == 0)
    #expect(try home.run(["lock"]).status == 0)
    let locked = try home.run(["list", "--json"])
    #expect(locked.status == 3)
    #expect(locked.errorCode == "locked")

    for case let name as String in FileManager.default.enumerator(atPath: home.path) ?? .init() {
      guard let data = FileManager.default.contents(atPath: home.path + "/" + name) else {
        continue
      }
      for word in ["お茶", "piped in", "Uji"] {
        #expect(data.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
      }
    }
  }

  @Test func `five strangers lock the face out with 4, a passphrase lifts it`() throws {
    let home = try Home(faces: true)
    for left in [4, 3, 2, 1] {
      let run = try home.run(["unlock", "--face", stranger])
      #expect(run.status == 3)
      #expect(run.err.contains("tries left: \(left)\n"))
    }
    #expect(try home.run(["unlock", "--face", stranger]).status == 4)
    let locked = try home.run(["unlock", "--face", owner, "--json"])
    #expect(locked.status == 4)
    #expect(locked.errorCode == "locked-out")
    #expect(
      (try home.run(["status", "--json"]).object["face"] as? [String: Any])?["lockedOut"] as? Bool
        == true)
    try home.ok(["list"])
    #expect(try home.run(["list", "--face", owner]).status == 0)
  }

  @Test func `a probe that cannot be read costs no try`() throws {
    let home = try Home(faces: true)
    try Data("1 2 3".utf8).write(to: URL(fileURLWithPath: home.path + "/bad"))
    for (words, status) in [
      ([home.path + "/bad"], 8), (["/no/such/file"], 6), (["cmd:false"], 8),
      (["cmd:no-such-program"], 6),
    ] as [([String], Int32)] {
      #expect(try home.run(["unlock", "--face"] + words).status == status)
    }
    #expect(
      (try home.run(["status", "--json"]).object["face"] as? [String: Any])?["attemptsLeft"] as? Int
        == 5)
  }

  @Test func `a program's vector opens, with a small environment and no descriptors`() throws {
    let home = try Home(faces: true)
    let probe = try home.put(
      "probe.sh",
      "#!/bin/sh\n[ -z \"$SECRET\" ] || exit 7\n[ -e /proc/self/fd/3 ] && exit 8\ncat '\(owner)'\n",
      mode: 0o700)
    #expect(try home.run(["list", "--face", "cmd:\(probe)"], extra: ["SECRET": "x"]).status == 0)
    #expect(
      try home.run(["list", "--face", "-"], data: FileManager.default.contents(atPath: owner))
        .status == 0)
  }

  @Test func `two factors given must both pass, and standard input serves once`() throws {
    let home = try Home(faces: true)
    try Data("wrong\n".utf8).write(to: URL(fileURLWithPath: home.path + "/wrong"))
    #expect(
      try home.run(["list", "--face", owner, "--passphrase-file", home.passphrase]).status == 0)
    #expect(
      try home.run(["list", "--face", owner, "--passphrase-file", home.path + "/wrong"]).status == 3
    )
    #expect(
      try home.run(["list", "--face", stranger, "--passphrase-file", home.passphrase]).status == 3)
    let twice = try home.run(["list", "--face", "-", "--passphrase-file", "-"])
    #expect(twice.status == 2)
    #expect(twice.err.contains("--face") && twice.err.contains("--passphrase-file"))
  }

  @Test func `the recovery code opens, a slip of the pen is told apart`() throws {
    let home = try Home(made: false)
    let made = try home.run([
      "init", "--passphrase-file", home.passphrase, "--kdf", "interactive", "--json",
    ])
    let code = try #require(made.object["recoveryCode"] as? String)
    let file = URL(fileURLWithPath: home.path + "/code")
    try Data(code.lowercased().utf8).write(to: file)
    #expect(try home.run(["list", "--recovery-file", file.path]).status == 0)
    try Data((code.dropLast() + (code.last == "7" ? "8" : "7")).utf8).write(to: file)
    let slip = try home.run(["list", "--recovery-file", file.path])
    #expect(slip.status == 3)
    #expect(slip.err.contains("check what you typed"))
  }

  @Test func `an edit makes a revision, a stale one is 7, untouched fields stay`() throws {
    let home = try Home()
    let id = try home.write(
      "one", ["--title", "T", "--tag", "a", "--date", "2026-03-01T09:30", "--until", "+90m"])
    #expect(
      try home.ok(["edit", id, "two", "--tag", "b", "--untag", "a", "--star", "--json"]).object[
        "revision"] as? Int == 2)
    #expect(
      try home.run(["edit", id, "x", "--revision", "1", "--passphrase-file", home.passphrase])
        .status == 7)
    let entry = try home.ok(["show", id, "--json"]).array[0]
    #expect(entry["body"] as? String == "two")
    #expect(entry["tags"] as? [String] == ["b"])
    #expect(entry["title"] as? String == "T")
    #expect(entry["starred"] as? Bool == true)
    #expect(entry["date"] as? String == "2026-03-01T09:30:00+09:00")
    #expect(entry["until"] as? String == "2026-03-01T11:00:00+09:00")
    #expect(entry["zone"] as? String == "Asia/Tokyo")
    #expect(
      try home.ok(["show", id, "--revision", "1", "--json"]).array[0]["body"] as? String == "one")
    #expect(try home.ok(["history", id, "--json"]).array.map { $0["revision"] as? Int } == [2, 1])
    #expect(
      try home.ok(["edit", id, "--no-title", "--no-until", "--json"]).object["revision"] as? Int
        == 3)
    let bare = try home.ok(["show", id, "--json"]).array[0]
    #expect(bare["title"] is NSNull && bare["until"] is NSNull)
  }

  @Test func `the trash: delete, restore, purge, each with its code`() throws {
    let home = try Home()
    let id = try home.write("x")
    #expect(try home.run(["delete", id, "--passphrase-file", home.passphrase]).status == 2)
    #expect(try home.ok(["delete", id, "--yes", "--json"]).object["count"] as? Int == 1)
    #expect(try home.run(["show", id, "--passphrase-file", home.passphrase]).status == 6)
    #expect(try home.ok(["trash", "--json"]).array.count == 1)
    #expect(try home.ok(["restore", id, "--json"]).object["count"] as? Int == 1)
    try home.ok(["delete", id, "--yes"])
    #expect(try home.ok(["purge", "--yes", "--json"]).object["count"] as? Int == 1)
    #expect(try home.ok(["trash", "--json"]).array.isEmpty)
    let secret = ["--passphrase-file", home.passphrase]
    #expect(try home.run(["restore", id] + secret).status == 6)
    // All of it, or what is named.
    let more = try ["y", "z"].map { try home.write($0) }
    try home.ok(["delete", "--yes"] + more)
    for words in [["restore"], ["restore", "--all", more[0]]] {
      #expect(try home.run(words + secret).status == 2)
    }
    #expect(try home.ok(["restore", "--all", "--json"]).object["count"] as? Int == 2)
    #expect(try home.ok(["list", "--json"]).array.count == 2)
  }

  @Test func `what is exported imports back equal`() throws {
    let home = try Home()
    _ = try home.write(
      "one\n\ttwo \u{1b}[31m 日本語",
      ["--title", "A \"title\"", "--tag", "t", "--date", "2026-01-01T00:00:00Z", "--star"])
    _ = try home.write("second")
    let file = home.path + "/out.json"
    try home.ok(["export", "-o", file])
    #expect(
      try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let other = try Home()
    let look = try other.ok(["import", file, "--dry-run", "--json"]).object
    #expect(look["imported"] as? Int == 2 && (look["examples"] as? [[String: Any]])?.count == 2)
    let shown = try other.ok(["import", file, "--dry-run"]).out
    #expect(shown.contains("2026-01-01  A \"title\"\n"), "\(shown)")
    let lines = (10...21).map { "{\"date\":\"2026-01-\($0)T10:00:00Z\",\"body\":\"day \($0)\"}" }
    let many = try other.put("many.jsonl", lines.joined(separator: "\n"))
    #expect(try other.ok(["import", many, "--dry-run"]).out.hasSuffix("\n… and 2 more\n"))
    #expect(try other.ok(["list", "--json"]).array.isEmpty)
    #expect(try other.ok(["import", file, "--json"]).object["imported"] as? Int == 2)
    #expect(try other.ok(["import", file, "--json"]).object["duplicates"] as? Int == 2)
    #expect(
      try other.ok(["list", "--json", "--bodies"]).out
        == home.ok(["list", "--json", "--bodies"]).out)
    #expect(try other.ok(["export"]).out == home.ok(["export"]).out)
  }

  @Test func `a bad import names line and field and changes nothing`() throws {
    let home = try Home()
    for (text, place) in [
      (
        "{\"date\":\"2026-01-01\",\"body\":\"a\"}\n{\"date\":\"nonsense\",\"body\":\"b\"}\n",
        "line 2"
      ),
      ("[{\"body\":\"b\"}]", "\"date\""), ("[{\"date\":\"2026-01-01\"}]", "\"body\""),
      ("[{\"date\":\"2026-01-01\",\"body\":\"a\",\"tags\":5}]", "\"tags\""),
      ("{\"format\":2}", "format 1"),
      ("[{\"date\":\"2026-01-01\",\"body\":\"\"}]", "line 1"), ("nonsense", "is not recognised"),
      ("", "is empty"), ("[Walk](x.md)", "is not recognised"),
      (String(repeating: "[", count: 1000), "object"),
    ] {
      let run = try home.run(["import", "-", "--passphrase-file", home.passphrase], input: text)
      #expect(run.status == 8, "\(text.prefix(60)): \(run.err)")
      #expect(run.err.contains(place), "\(run.err)")
    }
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
    #expect(
      try home.ok(
        ["import", "-"],
        input:
          "{\"date\":\"2026-01-01\",\"body\":\"a\"}\n{\"date\":\"2026-01-02\",\"body\":\"b\",\"kind\":\"🍽\"}"
      ).status == 0)
    #expect(try home.ok(["list", "--json"]).array.map { $0["kind"] as? String } == ["meal", nil])
  }

  @Test(
    arguments: [
      (["frob"], 2), (["lits"], 2), (["list", "--nope"], 2), (["list", "extra"], 2),
      (["write", "--title"], 2),
      (["show"], 2), (["match", "a"], 2), (["unlock", "--for", "soon"], 2),
      (["unlock", "--for", "13h"], 2), (["init", "--kdf", "soft"], 2),
      (["write", "x", "--date", "nonsense"], 8), (["write", "x", "--date", "2026-02-30"], 8),
      (["write", "x", "--date", "2026-03-01T10:00", "--until", "09:00"], 8), (["write", " "], 8),
      (["show", "zz"], 8), (["show", "zzzz"], 6), (["show", "@9"], 6),
      (["write", "x", "--journal", "No"], 6),
      (["write", "x", "--kind", "meel"], 6), (["list", "--kind", "no"], 6), (["init"], 7),
      (["write", "--", "--title"], 0),
      (["list", "--limit", "0"], 0), (["faces", "remove", "abcdefgh"], 6),
      (["write", "x", "--passphrase-file", "/no/such"], 2), (["write", "x", "--device"], 2),
    ] as [([String], Int32)]) func `each mistake has its exit code and one line of cause`(
      words: [String], status: Int32
    ) throws
  {
    let home = try Home()
    let run = try home.run(["--passphrase-file", home.passphrase] + words)
    #expect(run.status == status, "\(words): \(run.err)")
    if status != 0 {
      let lines = run.err.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.first?.hasPrefix("facediary: ") == true)
      #expect(
        lines.count <= 2 && (lines.count < 2 || lines.last!.hasPrefix("hint: ")), "\(run.err)")
    }
    _ = try home.ok(["verify"])
  }

  @Test func `help is everywhere, and the bare command asks for one`() throws {
    let home = try Home(made: false)
    #expect(try home.run(["--version"]).out == "facediary 0.1.0\n")
    let overview = try home.run(["--help"])
    #expect(overview.status == 0)
    for name in [
      "init", "enroll", "faces", "models", "unlock", "lock", "status", "match", "write", "list",
      "show", "edit", "delete", "restore", "trash", "purge", "search", "import", "export", "verify",
      "accept-rollback", "demo",
    ] {
      #expect(overview.out.contains("  \(name)"))
      let help = try home.run([name, "--help"])
      #expect(help.status == 0 && help.out.contains("usage: facediary \(name)"), "\(name)")
    }
    #expect(try home.run(["write", "-h"]).out.contains("shell's history"))
    let bare = try home.run([])
    #expect(bare.status == 2 && bare.out == "" && bare.err.contains("usage:"))
    // A subcommand is described with its command; what is none is told what there is.
    let sub = try home.run(["help", "sync", "invite"])
    #expect(try sub.status == 0 && sub.out == home.run(["sync", "--help"]).out)
    for (words, hint) in [
      (["help", "sync", "invit"], "did you mean invite?"),
      (["help", "list", "all"], "no help for list all"),
      (["config", "lang"], "use one of: show, set, unset"),
    ] {
      let run = try home.run(words)
      #expect(run.status == 2 && run.err.contains(hint), "\(words): \(run.err)")
    }
  }

  @Test func `match decides with 0 and 3, and not at all without a threshold`() throws {
    let home = try Home(made: false)
    let a = Home.keys + "/owner-1.npy"
    #expect(try home.run(["match", a, owner, "--model", "sface"]).status == 0)
    let refused = try home.run(["match", a, stranger, "--model", "SFace", "--json"])
    #expect(refused.status == 3)
    #expect(refused.object["accepted"] as? Bool == false)
    #expect(refused.object["threshold"] as? Double == 0.407)
    let unknown = try home.run(["match", a, owner, "--json"])
    #expect(unknown.status == 2)
    #expect(unknown.object["threshold"] is NSNull && unknown.object["accepted"] is NSNull)
    #expect(unknown.object["similarity"] as? Double ?? 0 > 0.7)
    #expect(try home.run(["match", a, owner, "--threshold", "1.5"]).status == 8)
    for text in ["abc", "0,9", "", "0x1p-1"] {
      let wrong = try home.run(["match", a, owner, "--threshold", text])
      #expect(wrong.status == 2 && wrong.err.contains("must be a number from -1 to 1"))
    }
    // Who has named the model is not told to name it.
    let own = try home.run(["match", a, owner, "--model", "nosuch"])
    #expect(own.status == 2 && own.err.contains("nosuch") && !own.err.contains("--model"))
  }

  @Test func `a vault that is none, damaged or read-only is told apart, never a wrong passphrase`()
    throws
  {
    let home = try Home()
    _ = try home.write("kept")
    let url = URL(fileURLWithPath: home.vault)
    try? FileManager.default.removeItem(atPath: home.vault + "-shm")
    let good = try Data(contentsOf: url)
    func status(_ data: Data) throws -> Int32 {
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: home.vault + suffix)
      }
      try data.write(to: url)
      let run = try home.run(["show", "@1", "--raw", "--passphrase-file", home.passphrase])
      #expect(!run.err.contains("wrong passphrase"), "\(run.err)")
      if run.status == 0 { #expect(run.out == "kept") }
      return run.status
    }
    #expect(try status(Data("no database, but long enough to be looked at as one".utf8)) == 8)
    #expect(try status(Data()) == 8)
    var newer = good
    newer.replaceSubrange(60..<64, with: [0, 0, 0, 9])
    #expect(try status(newer) == 8)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      var bad = good
      let start = Int.random(in: 100..<bad.count, using: &random)
      for index in start..<min(bad.count, start + 40) {
        bad[index] = .random(in: 0...255, using: &random)
      }
      let found = try status(bad)
      #expect([0, 5, 8].contains(found), "offset \(start): \(found)")
    }
    #expect(try status(good) == 0)
  }

  @Test func `twenty writers at once lose nothing`() async throws {
    let home = try Home(faces: true)
    #expect(try home.run(["unlock", "--face", owner]).status == 0)
    let statuses = await withTaskGroup(of: Int32.self) { group in
      for number in 0..<20 {
        group.addTask {
          // Half through the session, half by themselves.
          let words =
            ["write", "entry \(number)"]
            + (number % 2 == 0 ? [] : ["--face", Home.keys + "/owner-4.npy"])
          return (try? home.run(words).status) ?? -1
        }
      }
      var all: [Int32] = []
      for await status in group { all.append(status) }
      return all
    }
    #expect(statuses.allSatisfy { $0 == 0 }, "\(statuses)")
    #expect(try home.run(["list", "--json"]).array.count == 20)
    #expect(try home.run(["verify"]).status == 0)
  }

  @Test func `an older copy put back is 5, and can be accepted`() throws {
    let home = try Home()
    _ = try home.write("one")
    let store = URL(fileURLWithPath: home.vault)
    let old = try Data(contentsOf: store)
    let oldLog = FileManager.default.contents(atPath: home.vault + "-wal")
    _ = try home.write("two")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.vault + suffix)
    }
    try old.write(to: store)
    if let oldLog { try oldLog.write(to: URL(fileURLWithPath: home.vault + "-wal")) }
    let run = try home.run(["list", "--json", "--passphrase-file", home.passphrase])
    #expect(run.status == 5)
    #expect(run.errorCode == "rolled-back")
    #expect(try home.run(["accept-rollback"]).status == 3)
    try home.ok(["accept-rollback"])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
    _ = try home.write("three")
    #expect(try home.ok(["list", "--json"]).array.count == 2)
  }
}
