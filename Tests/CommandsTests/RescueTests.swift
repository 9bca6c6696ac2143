import Foundation
import Glibc
import Platform
import Testing

/// What somebody typed when the terminal went away, the machine shut down, or a process was killed: it comes back, and nothing of it
/// lies about in clear.
@Suite(.threads) struct RescueTests {
  private func newest(_ home: Home) throws -> String? {
    try home.ok(["show", "@last", "--json"]).array.first?["body"] as? String
  }

  /// Files below the usual places that hold a word, a test's own scripts apart.
  private func places(of word: String, _ home: Home) -> [String] {
    ["/dev/shm", home.path].flatMap { base in
      (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []).filter {
        let bytes = FileManager.default.contents(atPath: base + "/" + $0) ?? Data()
        return bytes.range(of: Data(word.utf8)) != nil && !bytes.starts(with: Data("#!".utf8))
      }
    }
  }

  @Test(arguments: ["nano", "ed", "vim", "nvim", "emacs"])
  func `what an editor rescued when the terminal went away is kept`(editor: String) throws {
    let home = try Home()
    let path = home.environment["PATH"] ?? ""
    guard path.split(separator: ":").contains(where: { FileSystem.isExecutable($0 + "/" + editor) })
    else {
      print("skipped: \(editor) is not installed")
      return
    }
    let word = "heron" + editor + "QX7"
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase],
      extra: [
        "EDITOR": editor == "emacs" ? "emacs -nw" : editor, "XDG_RUNTIME_DIR": "/dev/shm",
      ])
    if editor != "ed" { #expect(session.expect("entry.md")) }
    usleep(1_500_000)
    let begin = ["ed": "a\n", "vim": "O", "nvim": "O"][editor] ?? ""
    session.type(begin + "\(word) was never saved" + (editor == "ed" ? "\n" : ""))
    usleep(500_000)
    session.hangUp()
    _ = session.end()
    #expect(places(of: word, home) == [])
    let recovered = try home.run(["write", "--recover", "--passphrase-file", home.passphrase])
    #expect(recovered.status == 0, "\(recovered) \(session.screen)")
    #expect(try newest(home)?.contains("\(word) was never saved") ?? false)
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `a text that is typed at the terminal comes back after a signal`(signal: Int32) throws {
    let home = try Home()
    let session = try TerminalSession(home, ["write", "-", "--passphrase-file", home.passphrase])
    #expect(session.expect("Ctrl-D"))
    session.type("one line\nand another\n")
    #expect(session.expect("and another"))
    usleep(300_000)
    session.signal(signal)
    #expect(session.end() == 128 + signal, "\(session.screen)")
    try home.ok(["write", "--recover"])
    #expect(try newest(home) == "one line\nand another")
  }

  @Test func `Ctrl-C while a text is typed at the terminal keeps nothing`() throws {
    let home = try Home()
    // Ctrl-C with the line itself throws the line away: whoever was told of it must not wait for it.
    for typed in [["not wanted\n", "\u{3}"], ["not wanted\n\u{3}"]] {
      let session = try TerminalSession(home, ["write", "-", "--passphrase-file", home.passphrase])
      #expect(session.expect("Ctrl-D"))
      for text in typed {
        session.type(text)
        #expect(session.expect(text.contains("\u{3}") ? "^C" : "not wanted"))
      }
      #expect(session.end() == 130, "\(session.screen)")
      #expect(
        try home.run(["write", "--recover", "--passphrase-file", home.passphrase]).status == 6)
    }
  }

  /// It would become an entry beside the one that its editor saves in the end.
  @Test func `what an editor has open is recovered by nobody else`() throws {
    let home = try Home()
    let program = try home.put(
      "hx",
      "#!/bin/sh\necho half a thought > \"$1\"\nwhile [ ! -e \"$0.end\" ]; do sleep 0.1; done\n",
      mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    let folder = home.deviceStore + ".drafts"
    while (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty ?? true {
      usleep(50_000)
    }
    let recover = ["write", "--recover", "--passphrase-file", home.passphrase]
    #expect(try home.run(recover).status == 6)
    _ = try home.put("hx.end", "")
    #expect(session.end() == 0, "\(session.screen)")
    #expect(try home.run(recover).status == 6)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  /// Nothing tells a process that is killed so, and yet nothing of the text stays in clear once somebody uses the diary again.
  @Test func `what was saved in an editor outlives a kill of the command, sealed`() throws {
    let home = try Home()
    let word = "kittiwakeQX8"
    // It saves and goes on, as people do.
    let program = try home.put(
      "hx", "#!/bin/sh\necho \(word) > \"$1\"\ntrap '' HUP TERM\nwhile sleep 0.2; do :; done\n",
      mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase],
      extra: ["EDITOR": program, "XDG_RUNTIME_DIR": "/dev/shm"])
    var drafts: [String] = []
    for _ in 0..<600 where drafts.isEmpty {
      usleep(20_000)
      let store = home.path + "/.local/state/facediary"
      let folder = try FileManager.default.contentsOfDirectory(atPath: store)
        .first { $0.hasSuffix(".drafts") }
      drafts =
        folder.map {
          (try? FileManager.default.contentsOfDirectory(atPath: store + "/" + $0)) ?? []
        }
        ?? []
    }
    #expect(drafts.count == 1)
    #expect(places(of: word, home).count == 1)
    session.signal(SIGKILL)
    #expect(session.end() == 128 + SIGKILL)
    // While the editor lives, its file stays.
    _ = try home.run(["lock"], extra: ["XDG_RUNTIME_DIR": "/dev/shm"])
    #expect(places(of: word, home).count == 1)
    let end = Process()
    end.executableURL = URL(fileURLWithPath: "/usr/bin/pkill")
    end.arguments = ["-9", "-f", program]
    try end.run()
    end.waitUntilExit()
    usleep(300_000)
    _ = try home.run(["lock"], extra: ["XDG_RUNTIME_DIR": "/dev/shm"])
    #expect(places(of: word, home) == [])
    try home.ok(["write", "--recover"])
    #expect(try newest(home) == word)
  }

  @Test func `where the folder of kept text cannot be written, it is sealed in memory`() throws {
    let home = try Home()
    let id = try #require(try home.run(["status", "--json"]).object["id"] as? String)
    let drafts = home.path + "/.local/state/facediary/" + id + ".drafts"
    mkdir(drafts, 0o755)
    chmod(drafts, 0o755)
    let word = "dunlinQX9"
    let program = try home.put(
      "hx", "#!/bin/sh\necho \(word) > \"$1\"\nkill -9 $$\n", mode: 0o700)
    let session = try TerminalSession(
      home, ["write", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 137, "\(session.screen)")
    #expect(places(of: word, home) == [])
    try home.ok(["write", "--recover"])
    #expect(try newest(home) == word)
    #expect(try home.run(["write", "--recover", "--passphrase-file", home.passphrase]).status == 6)
  }

  @Test func `a backup that does not say what it needs is copied by no backup`() throws {
    let home = try Home()
    let photo = try home.put("photo.jpg", "\u{1}\u{2}photo")
    _ = try home.write("one", ["--attach", photo])
    let backup = try home.backup(in: home.path + "/backups")
    let list = backup + "/contents"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: list))
    try bytes.dropLast(1).write(to: URL(fileURLWithPath: list))
    let objects = try FileManager.default.contentsOfDirectory(
      atPath: home.path + "/backups/objects")
    for words in [
      ["backup", home.path + "/other"], ["backup", home.path + "/backups", "--keep", "1"],
    ] {
      let run = try home.run(
        words + ["--vault", backup, "--passphrase-file", home.passphrase])
      #expect(run.status == 5, "\(words): \(run)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.path + "/backups/objects") == objects
    )
  }

  @Test func `lock --all says when this diary is open where it sees no process`() throws {
    let home = try Home()
    let folder = open(home.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(folder, LOCK_SH) == 0)
    let run = try home.run(["lock", "--all"])
    #expect(run.status == 1, "\(run)")
    close(folder)
    #expect(try home.run(["lock", "--all"]).status == 0)
  }

  @Test func `an interrupted export of a folder leaves nothing of it`() throws {
    let home = try Home()
    let text = String(repeating: "wagtailQX0 ", count: 2000)
    let items = (0..<3000).map { "{\"date\":\"2024-01-01T00:00:00Z\",\"body\":\"\($0) \(text)\"}" }
    let file = "{\"format\":1,\"entries\":[" + items.joined(separator: ",") + "]}"
    try home.ok(["import", try home.put("many.json", file), "--format", "json"])
    // On a busy machine the export may be done before the signal comes: then once more.
    for attempt in 0..<20 {
      let out = home.path + "/out\(attempt)"
      let session = try TerminalSession(
        home,
        ["export", "--format", "markdown", "-o", out, "--passphrase-file", home.passphrase])
      poll(100_000, every: 200) { FileManager.default.fileExists(atPath: out) }
      session.type("\u{3}")
      let status = session.end()
      guard status != 0 else { continue }
      #expect(status == 130, "\(session.screen)")
      #expect(!FileManager.default.fileExists(atPath: out))
      return
    }
    Issue.record("no export was interrupted")
  }

  @Test func `what a killed command left beside the diary goes after a day`() throws {
    let home = try Home()
    let backup = try home.backup(in: home.path + "/copies")
    let parent = (home.folder as NSString).deletingLastPathComponent
    func left(_ name: String, hours: Double, isMarked: Bool = true) throws {
      let path = parent + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      for name in ["vault"] + (isMarked ? [".unfinished"] : []) {
        try Data([1]).write(to: URL(fileURLWithPath: path + "/" + name))
      }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)], ofItemAtPath: path)
    }
    try left(".facediary-0123456789abc.new", hours: 25)
    try left(".facediary-1123456789abc.new", hours: 23)
    try left(".facediary-mine", hours: 99)
    // Who may write to this folder can give such a name to anything of its owner's.
    try left(".facediary-2123456789abc.new", hours: 25, isMarked: false)
    try FileManager.default.removeItem(atPath: home.folder)
    try home.ok(["restore-backup", backup, "--yes"])
    let names = try FileManager.default.contentsOfDirectory(atPath: parent)
    #expect(
      Set(names) == [
        (home.folder as NSString).lastPathComponent, ".facediary-1123456789abc.new",
        ".facediary-mine", ".facediary-2123456789abc.new",
      ], "\(names)")
  }

  @Test func `an edit with a journal that does not exist is recovered into its entry`() throws {
    let home = try Home()
    try home.ok(["write", "as it was"])
    let program = try home.put(
      "hx",
      """
      #!/bin/sh
      [ -e \(home.path)/second ] && exit 0
      touch \(home.path)/second
      sed -i 's/^journal:.*/journal: Nope/; s/as it was/as it is/' "$1"

      """, mode: 0o700)
    let session = try TerminalSession(
      home, ["edit", "@last", "--passphrase-file", home.passphrase], extra: ["EDITOR": program])
    #expect(session.end() == 6, "\(session.screen)")
    let recovered = try home.ok(["write", "--recover", "--json"])
    #expect(recovered.array.first?["revision"] as? Int == 2, "\(recovered.out)")
    #expect(recovered.array.first?["insteadOf"] == nil)
    let shown = try home.ok(["show", "--raw", "@last"])
    #expect(shown.out.hasPrefix("journal: Nope\n\nas it is"), "\(shown.out)")
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }
}
