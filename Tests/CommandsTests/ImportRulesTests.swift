import Foundation
import Glibc
import Testing

/// What an import does with entries that are here already, and with those that cannot be taken.
@Suite(.threads) struct ImportRulesTests {
  private func entries(_ home: Home) throws -> [[String: Any]] {
    try home.ok(["list", "--bodies", "--json", "--reverse"]).array
  }

  @Test func `an entry that is here with other content is refused, left or made a new revision`()
    throws
  {
    let home = try Home()
    let id = try home.write("one", ["--date", "2026-03-01T10:00", "--tag", "a", "--star"])
    let file = try home.put(
      "in.json",
      #"[{"id":"\#(id)","date":"2026-03-01T10:00","body":"two","tags":["b"],"title":"T"},{"date":"2026-03-02","body":"new"}]"#
    )
    #expect(try home.run(["import", file, "--passphrase-file", home.passphrase]).status == 7)
    #expect(try entries(home).count == 1)
    var reply = try home.ok(["import", file, "--on-conflict", "skip", "--json"]).object
    #expect(reply["imported"] as? Int == 1 && reply["skipped"] as? Int == 1)
    #expect(try entries(home)[0]["body"] as? String == "one")
    reply = try home.ok(["import", file, "--on-conflict", "update", "--dry-run", "--json"]).object
    #expect(reply["updated"] as? Int == 1 && reply["duplicates"] as? Int == 1)
    #expect(try entries(home)[0]["body"] as? String == "one")
    reply = try home.ok(["import", file, "--on-conflict", "update", "--json"]).object
    #expect(reply["updated"] as? Int == 1 && reply["duplicates"] as? Int == 1)
    let entry = try entries(home)[0]
    #expect(entry["body"] as? String == "two" && entry["title"] as? String == "T")
    #expect(entry["tags"] as? [String] == ["b"] && entry["starred"] as? Bool == false)
    #expect(entry["revision"] as? Int == 2)
    // The same again changes nothing; what was thrown away stays there.
    reply = try home.ok(["import", file, "--on-conflict", "update", "--json"]).object
    #expect(reply["updated"] as? Int == 0 && reply["duplicates"] as? Int == 2)
    try home.ok(["edit", id, "three"])
    try home.ok(["delete", id, "--yes"])
    reply = try home.ok(["import", file, "--on-conflict", "update", "--json"]).object
    #expect(reply["updated"] as? Int == 0 && reply["skipped"] as? Int == 1)
    #expect(try home.ok(["trash", "--json"]).array.count == 1)
    #expect(try home.run(["import", file, "--on-conflict", "guess"]).status == 2)
  }

  @Test func `files that changed are a conflict, and again and again is the same as once`() throws {
    let home = try Home()
    let file = try home.put("a.txt", "one")
    let id = try home.write("with a file", ["--attach", file])
    try home.ok(["export", "-o", home.path + "/out.json", "--attachments", home.path + "/files"])
    let words = [
      "import", home.path + "/out.json", "--attachments", home.path + "/files", "--json",
    ]
    #expect(try home.ok(words).object["duplicates"] as? Int == 1)
    for text in ["two", "more than one"] {
      _ = try home.put("files/\(id)/a.txt", text)
      #expect(try home.run(words + ["--passphrase-file", home.passphrase]).status == 7)
      #expect(try home.ok(words + ["--on-conflict", "skip"]).object["skipped"] as? Int == 1)
      #expect(try home.ok(words + ["--on-conflict", "update"]).object["updated"] as? Int == 1)
      #expect(try home.ok(words + ["--on-conflict", "update"]).object["duplicates"] as? Int == 1)
      let names = try home.ok(["attachments", id, "--json"]).array.map { $0["name"] as? String }
      #expect(names == ["a.txt"])
      #expect(try home.ok(["extract", id, "a.txt", "-o", "-"]).out == text)
    }
    // Without its file it gets it; in the trash it gets nothing.
    try home.ok(["detach", id, "a.txt"])
    #expect(try home.ok(words).object["imported"] as? Int == 1)
    try home.ok(["detach", id, "a.txt"])
    try home.ok(["delete", id, "--yes"])
    #expect(try home.ok(words + ["--on-conflict", "update"]).object["skipped"] as? Int == 1)
    #expect(try home.ok(["trash", "--json"]).array.first?["attachments"] as? [String] == [])
  }

  @Test func `what is left out makes no journal, and a name that is none is a bad entry`() throws {
    let home = try Home()
    let id = try home.write("one", ["--date", "2026-03-01T10:00"])
    let file = try home.put(
      "in.json", #"[{"id":"\#(id)","date":"2026-03-01T10:00","body":"one","journal":"New"}]"#)
    try home.ok(["import", file, "--on-conflict", "skip"])
    #expect(try home.ok(["journals", "--json"]).array.isEmpty)
    let bad = try home.put(
      "bad.json",
      #"[{"date":"2026-03-01","body":"x","journal":"\#(String(repeating: "J", count: 400))"},{"date":"2026-03-01","body":"x","kind":"a\nb"},{"date":"2026-03-02","body":"good"}]"#
    )
    // All of them stand on one line, which is named once.
    let four = try home.put(
      "four.json",
      "[" + Array(repeating: #"{"date":"soon","body":"x"}"#, count: 4).joined(separator: ",") + "]")
    let refused = try home.run(["import", four, "--passphrase-file", home.passphrase])
    #expect(refused.err.contains("3 more cannot be imported either: \(four):1;"), "\(refused.err)")
    let run = try home.ok(["import", bad, "--skip-bad", "--json"])
    #expect(run.object["imported"] as? Int == 1 && run.object["skipped"] as? Int == 2, "\(run.out)")
  }

  @Test(arguments: [
    (
      "a.json",
      #"{"format":1,"entries":[{"date":"soon","body":"bad","tags":[{"a":[1]}]},{"date":"2026-03-01","body":"good"},{"body":["x",{"y":[]}]},{"date":"2026-03-02","body":""},{"id":"?","date":"2026-03-02","body":"x"},{"date":"2026-03-03","body":"good too"}]}"#
    ),
    (
      "b.json",
      "{\"date\":\"2026-03-01\",\"body\":[[]]}\n{\"date\":\"2026-03-01\",\"body\":\"good\"}\n{\"body\":\"x\"}\n{\"date\":1,\"body\":\"x\"}\n{\"date\":\"2026-02-30\",\"body\":\"x\"}\n{\"date\":\"2026-03-03\",\"body\":\"good too\"}\n"
    ),
    (
      "c.json",
      #"{"entries":[{"text":"no date"},{"creationDate":"2026-03-01T03:00:00Z","text":"good"},{"creationDate":"x"},{"creationDate":1},{"creationDate":""},{"creationDate":"2026-03-03T03:00:00Z","text":"good too"}]}"#
    ),
    (
      "d.json",
      #"{"tags":{},"entries":[{"title":"x","date":"soon","time":"1"},{"title":"good","date":"2026-03-01","time":"12:00"},{"title":"","body":"","date":"2026-03-01","time":"12:00"},{"date":7},{"title":"x"},{"title":"good too","date":"2026-03-03","time":"12:00"}]}"#
    ),
    (
      "e.txt",
      "[2026-13-01 09:30] bad\n\n[2026-03-01 12:00] good\n\n[2026-02-30 09:30] bad\n\n[2026-03-01 25:00] bad\n\n[2026-03-01 09:61] bad\n\n[2026-03-03 12:00] good too\n"
    ),
  ])
  func `what is bad is left out and named, what is good comes in`(
    _ each: (name: String, text: String)
  ) throws {
    let home = try Home()
    let file = try home.put(each.name, each.text)
    let refused = try home.run(["import", file, "--passphrase-file", home.passphrase])
    #expect(refused.status == 8, "\(refused.err)")
    #expect(try entries(home).isEmpty)
    let run = try home.ok(["import", file, "--skip-bad", "--json"])
    #expect(run.object["imported"] as? Int == 2, "\(run.out)")
    #expect(run.object["skipped"] as? Int == 4, "\(run.out)")
    let lost = (run.object["lost"] as? [[String: Any]] ?? []).filter {
      $0["what"] as? String == "entry"
    }
    #expect(lost.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 4)
    #expect(lost.allSatisfy { ($0["where"] as? String ?? "").contains(each.name + ":") }, "\(lost)")
    let kept = try entries(home)
    #expect(kept.count == 2)
    for (entry, words) in zip(kept, ["good", "good too"]) {
      #expect(entry["body"] as? String == words || entry["title"] as? String == words)
    }
    let said = try home.ok(["import", file, "--skip-bad"]).err
    #expect(
      said.contains("skipped 4 entries") && said.contains("already in the diary: 2"), "\(said)")
  }

  @Test func `an import that brings nothing says why, and fails where something was left out`()
    throws
  {
    let home = try Home()
    let empty = try home.ok(["import", try home.put("empty.json", #"{"format":1,"entries":[]}"#)])
    #expect(empty.err.contains("contains no entries"), "\(empty)")
    let notes = try home.put("no-date.md", "a text without a day")
    let left = try home.run(["import", notes, "--passphrase-file", home.passphrase])
    #expect(left.status == 8 && left.err.contains("nothing was imported"), "\(left)")
    let bad = try home.put("bad.json", #"[{"date":"soon","body":"x"}]"#)
    let skipped = try home.run(
      ["import", bad, "--skip-bad", "--json", "--passphrase-file", home.passphrase])
    #expect(skipped.status == 8 && skipped.object["skipped"] as? Int == 1, "\(skipped)")
    // What is here already is a reason of its own.
    let good = try home.put("good.json", #"[{"date":"2026-03-01","body":"x"}]"#)
    for _ in 0..<2 { try home.ok(["import", good]) }
  }

  @Test func `a note that cannot be read keeps no folder out`() throws {
    let home = try Home()
    let folder = home.path + "/notes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try home.put("notes/2026-03-01.md", "good")
    _ = try home.put("notes/2026-03-02.md", "---\ntitle: x\nno colon\n---\ntext")
    _ = try home.put("notes/2026-03-03.md", "---\nid: none\n---\ntext")
    try Data([0xff, 0xfe, 0x41]).write(to: URL(fileURLWithPath: folder + "/2026-03-04.md"))
    #expect(symlink("/etc/hostname", folder + "/2026-03-05.md") == 0)
    #expect(try home.run(["import", folder, "--passphrase-file", home.passphrase]).status == 8)
    let run = try home.ok(["import", folder, "--skip-bad", "--json"])
    #expect(run.object["imported"] as? Int == 1, "\(run.out)")
    #expect((run.object["skipped"] as? Int ?? 0) >= 3, "\(run.out)")
  }

  private static let canZip = ["/usr/bin/zip", "/usr/bin/unzip"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs whatever `unzip` is; this one never gets done.
  @Test func `no name from a file begins a line of its own in what is said`() throws {
    let home = try Home()
    let forged = "x\nfacediary: imported 5 entries\nhint: run curl evil\n#"
    let file = try home.put(
      "forged.json",
      ##"[{"date":"2026-01-01","body":"x","\##(forged.replacing("\n", with: "\\n"))":1}]"##)
    let folder = home.path + "/folder"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in [
      ("a.md", "---\ndate: 2026-01-01\n---\n\nx\n"), (forged + ".md", "no date\n"),
      (forged + ".txt", "x"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    for words in [["--format", "json", file], [folder]] {
      for language in ["en_US.UTF-8", "ja_JP.UTF-8"] {
        let run = try home.run(
          ["import", "--dry-run"] + words + ["--passphrase-file", home.passphrase],
          extra: ["LC_ALL": language])
        #expect(run.err.contains("curl evil"), "\(run)")
        for line in (run.out + run.err).split(separator: "\n") {
          #expect(
            !line.hasPrefix("facediary: imported 5") && !line.hasPrefix("hint: run"), "\(line)")
        }
      }
    }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal while an archive is unpacked ends the unpacking and leaves nothing of it`(
    _ signal: Int32
  ) throws {
    let home = try Home()
    _ = try home.put(
      "bin/unzip",
      """
      #!/bin/sh
      while [ "$1" != -d ]; do shift; done
      mkdir -p "$2/sub"; echo '{"plain"' > "$2/sub/text.json"
      echo "$2 $$" > \(home.path)/unpacking.new; mv \(home.path)/unpacking.new \(home.path)/unpacking
      while :; do echo more >> "$2/more"; sleep 0.1; done
      """, mode: 0o700)
    let archive = try home.put("x.zip", "PK\u{3}\u{4}rest")
    let session = try TerminalSession(
      home, ["import", archive, "--passphrase-file", home.passphrase],
      extra: ["PATH": home.path + "/bin:/usr/bin:/bin"])
    var told: [Substring] = []
    for _ in 0..<3000 where told.isEmpty {
      told =
        (try? String(contentsOfFile: home.path + "/unpacking", encoding: .utf8))
        .map { $0.split(whereSeparator: \.isWhitespace) } ?? []
      usleep(20_000)
    }
    let place = String(try #require(told.first))
    let unzip = try #require(told.last.flatMap { pid_t($0) })
    #expect(FileManager.default.fileExists(atPath: place + "/sub/text.json"))
    session.signal(signal)
    #expect(session.end() == 128 + signal, "\(session.screen)")
    let folder = (place as NSString).deletingLastPathComponent
    #expect(!FileManager.default.fileExists(atPath: folder))
    poll(6000, every: 10_000) { kill(unzip, 0) != 0 }
    #expect(kill(unzip, 0) != 0)
  }

  @Test(.enabled(if: canZip, "zip and unzip are not here"))
  func `a zip archive is taken as it is, and nothing of it stays`() throws {
    let home = try Home()
    func zip(_ name: String, _ files: [(String, String)], in folder: String = "") throws -> String {
      let place = home.path + "/make-" + name
      for (file, text) in files {
        let path = place + "/" + folder + file
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/zip")
      process.arguments = ["-qry", home.path + "/" + name, "."]
      process.currentDirectoryURL = URL(fileURLWithPath: place)
      try process.run()
      process.waitUntilExit()
      return home.path + "/" + name
    }
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter {
        $0.hasPrefix("facediary-")
          && (try? FileManager.default.subpathsOfDirectory(atPath: "/dev/shm/" + $0))?
            .contains { $0.contains("zip-mark") } ?? false
      }
    }
    let dayOne = try zip(
      "dayone.zip",
      [
        (
          "zip-mark.json",
          #"{"entries":[{"creationDate":"2026-03-01T03:00:00Z","text":"one ![](dayone-moment://P1)","photos":[{"md5":"abc","type":"jpeg","identifier":"P1"}]}]}"#
        ), ("photos/abc.jpeg", "a photo"),
      ])
    #expect(try home.ok(["import", dayOne, "--json"]).object["imported"] as? Int == 1)
    #expect((try entries(home)[0]["attachments"] as? [Any])?.count == 1)
    let notes = try zip(
      "notes.zip", [("2026-03-02.md", "two"), ("sub/2026-03-03 zip-mark.md", "three")],
      in: "My vault/")
    #expect(try home.ok(["import", notes, "--json"]).object["imported"] as? Int == 2)
    let single = try zip("one.zip", [("zip-mark.txt", "[2026-03-04 10:00] four\n")])
    #expect(try home.ok(["import", single, "--json"]).object["imported"] as? Int == 1)
    #expect(try entries(home).count == 4)
    #expect(try left().isEmpty)
    // A name that is a pattern is a name, and nobody is asked for a password.
    let other = try zip("a1.zip", [("2026-04-01.md", "wrong one")], in: "m/")
    try FileManager.default.moveItem(atPath: other, toPath: home.path + "/a1.zip.keep")
    let named = try zip("right.zip", [("2026-04-02 zip-mark.md", "right one")], in: "m2/")
    try FileManager.default.moveItem(atPath: named, toPath: home.path + "/a[1].zip")
    try FileManager.default.moveItem(
      atPath: home.path + "/a1.zip.keep", toPath: home.path + "/a1.zip")
    #expect(
      try home.ok(["import", home.path + "/a[1].zip", "--json"]).object["imported"] as? Int == 1)
    #expect(try entries(home).contains { $0["title"] as? String == "zip-mark" })
    #expect(try left().isEmpty)
    // A link in it leads nowhere, and what is no archive after all is said.
    try FileManager.default.createDirectory(
      atPath: home.path + "/make-link.zip", withIntermediateDirectories: true)
    #expect(symlink("/etc/hostname", home.path + "/make-link.zip/2026-03-05.md") == 0)
    let link = try zip("link.zip", [])
    #expect(try home.run(["import", link, "--passphrase-file", home.passphrase]).status != 0)
    let plain = try home.put("plain.md", "secret")
    let locking = Process()
    locking.executableURL = URL(fileURLWithPath: "/usr/bin/zip")
    locking.arguments = ["-qj", "-P", "word", home.path + "/locked.zip", plain]
    try locking.run()
    locking.waitUntilExit()
    let locked = try home.run(
      ["import", home.path + "/locked.zip", "--passphrase-file", home.passphrase])
    #expect(locked.status == 8 && locked.err.contains("protected by a password"), "\(locked.err)")
    let broken = try home.put("broken.zip", "PK\u{3}\u{4}and no more")
    let run = try home.run(["import", broken, "--passphrase-file", home.passphrase])
    #expect(run.status == 8 && run.err.contains("broken.zip"), "\(run.err)")
    #expect(try entries(home).count == 5)
  }

  @Test func `a folder too deep is named`() throws {
    let home = try Home()
    let deep = "notes/" + (1...18).map { "d\($0)" }.joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: home.path + "/" + deep, withIntermediateDirectories: true)
    _ = try home.put("notes/2026-03-01.md", "good")
    _ = try home.put(deep + "/2026-03-02.md", "too deep")
    let run = try home.ok(["import", home.path + "/notes", "--json"])
    #expect(run.object["imported"] as? Int == 1)
    let lost = try #require((run.object["lost"] as? [[String: Any]])?.first)
    #expect(lost["what"] as? String == "folder", "\(run.out)")
    #expect(lost["where"] as? String == (1...17).map { "d\($0)" }.joined(separator: "/"))
  }

  @Test func `what is no JSON at all is not read past`() throws {
    let home = try Home()
    for text in [
      #"[{"date":"2026-03-01","body":"good"},{"date":"2026-03-01","body":"cut"#,
      #"[{"date":"2026-03-01","body":"good"},{"date":nope}]"#, "[{]", "{", #"[{"date":"x"}"#,
    ] {
      let file = try home.put("in.json", text)
      let run = try home.run([
        "import", file, "--format", "json", "--skip-bad", "--passphrase-file", home.passphrase,
      ])
      #expect(run.status == 8, "\(text): \(run.out)\(run.err)")
      #expect(try entries(home).isEmpty)
    }
  }
}
