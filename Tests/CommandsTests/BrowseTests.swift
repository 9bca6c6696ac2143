import Foundation
import Glibc
import Testing

/// The full-screen timeline at a pseudo-terminal.
@Suite(.serialized, .threads) struct BrowseTests {
  @Test func `browse moves, reads, searches and gives the terminal back`() throws {
    let home = try Home()
    for day in 1...9 {
      _ = try home.write(
        "entry \(day) \u{1b}[31mred 長い文章\n second line \(day)", ["--date", "2026-03-0\(day)"])
    }
    try home.ok(["journals", "add", "Kyoto"])
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("\u{1b}[?1049h"))
    #expect(session.expect("9 entries"))
    #expect(!session.echoes)
    // What an entry holds cannot command the terminal.
    #expect(session.expect("␛[31mred") && !session.screen.contains("\u{1b}[31mred"))
    session.type("j")
    session.type("\r")
    #expect(session.expect("second line 8"))
    session.type("q")
    session.type("/")
    session.type("\"line 3\"")
    #expect(session.expect("/\"line 3\"▏"))
    session.type("\r\r")
    #expect(session.expect("second line 3"))
    session.type("q")
    session.type("\u{1b}[C")
    session.type("q")
    #expect(session.end() == 0)
    #expect(session.screen.contains("\u{1b}[?1049l"))
    #expect(session.echoes)
  }

  @Test func `a narrow terminal cuts titles, and no key's words`() throws {
    let home = try Home()
    let title = String(repeating: "長い題 and words ", count: 9)
    _ = try home.write("text", ["--title", title, "--tag", "kept"])
    try home.ok(["unlock"])
    let list = try TerminalSession(home, ["list"], columns: 44)
    #expect(list.end() == 0 && list.screen.contains("…") && list.screen.contains("#kept"))
    let session = try TerminalSession(home, ["browse"], columns: 44, rows: 80)
    #expect(session.expect("1 entry"))
    session.type("?")
    // Each key's words go on below where they do not fit.
    #expect(session.expect("any key"))
    let help = session.screen.components(separatedBy: "Moving").last ?? ""
    #expect(!help.contains("…"), "\(help)")
    session.type("qq")
    #expect(session.end() == 0)
  }

  @Test func `browse goes to a date, filters, undoes and shows its keys`() throws {
    let home = try Home()
    for month in 1...9 {
      _ = try home.write("month \(month)", ["--date", "2026-0\(month)-01T09:00"])
    }
    let old = try home.write("**long** ago", ["--date", "2024-05-05", "--tag", "past", "--star"])
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("10 entries"))
    // The cursor stands on the chosen entry, below the head and its day.
    #expect(session.expect("\u{1b}[6;1H\u{1b}[?25h"))
    session.type("j")
    #expect(session.expect("\u{1b}[8;1H\u{1b}[?25h"), "\(session.screen)")
    session.type("k?")
    #expect(session.expect("go to a date"))
    session.type("x~")
    #expect(session.expect("unknown key"))
    session.type("o")
    #expect(session.expect("no photos or files"))
    session.type("u")
    #expect(session.expect("nothing to undo"))
    session.type(":")
    #expect(session.expect("Go to date:"))
    session.type("2026-04-15\r\r")
    #expect(session.expect("2026-04-01, Wednesday"))
    session.type("q:never\r")
    #expect(session.expect("not a date: never"))
    session.type("#past\r")
    #expect(session.expect("1 / 10 entries"))
    session.type("\r")
    // Markdown as it is meant.
    #expect(session.expect("\u{1b}[1mlong\u{1b}[0m ago"))
    session.type("qdy")
    #expect(session.expect("press u to undo"))
    session.type("u")
    #expect(session.expect("restored"))
    session.type("\u{1b}")
    #expect(session.expect("10 entries", times: 3))
    session.type("*\r")
    #expect(session.expect("\u{1b}[1mlong\u{1b}[0m ago", times: 2))
    session.type("o")
    #expect(session.expect("no photos or files"))
    session.type("qq")
    #expect(session.end() == 0)
    #expect(try home.ok(["trash", "--json"]).array.isEmpty)
    #expect(try home.ok(["show", old]).status == 0)
  }

  @Test func `a paste that comes slowly is text and no command`() throws {
    let home = try Home()
    _ = try home.write("stay here")
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("stay here"))
    session.type("/\u{1b}[200~stay")
    usleep(400_000)
    session.type("\rdy")
    usleep(400_000)
    session.type("\u{1b}[201~")
    #expect(session.expect("/stay dy▏"))
    session.type("\u{1b}")
    usleep(100_000)
    session.type("q")
    #expect(session.end() == 0)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `open shows a file from memory and removes it`() throws {
    let home = try Home()
    let photo = try home.put("a photo.txt", "what is in it")
    let id = try home.write("with a file", ["--attach", photo])
    let seenFile = home.path + "/seen"
    let viewer = try home.put(
      "viewer",
      "#!/bin/sh\necho \"$1\" > \(seenFile); stat -f -c %T \"$1\" >> \(seenFile); cat \"$1\" >> \(seenFile)\n",
      mode: 0o700)
    try home.ok(["open", id, "--with", viewer])
    let seen = try String(contentsOfFile: home.path + "/seen", encoding: .utf8).split(
      separator: "\n")
    #expect(seen.count == 3 && seen[1] == "tmpfs" && seen[2] == "what is in it")
    #expect(seen[0].hasSuffix("/a photo.txt"))
    #expect(!FileManager.default.fileExists(atPath: String(seen[0])))
    #expect(
      !FileManager.default.fileExists(
        atPath: (String(seen[0]) as NSString).deletingLastPathComponent))
    // Without a terminal nobody can say when it may go.
    #expect(try home.run(["open", id]).status == 2)
    #expect(
      try home.run(
        ["open", id, "other", "--with", viewer] + ["--passphrase-file", home.passphrase]
      ).status == 6)
    #expect(
      try home.run(["open", id, "--with", "false"] + ["--passphrase-file", home.passphrase]).status
        == 9)
    #expect(
      try home.run(
        ["open", id, "--with", "/nowhere/viewer"] + ["--passphrase-file", home.passphrase]
      ).status == 6)
    try home.ok(["attach", id, viewer])
    #expect(
      try home.run(["open", id, "--with", viewer] + ["--passphrase-file", home.passphrase]).status
        == 7)
    #expect(
      try home.run(
        ["open", try home.write("bare"), "--with", viewer] + ["--passphrase-file", home.passphrase]
      ).status == 6)
  }

  @Test func `browse blanks the screen when the session ends`() throws {
    let home = try Home()
    _ = try home.write("private words")
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("private words"))
    try home.run(["lock"])
    #expect(session.end() == 3)
    let leave = try #require(session.screen.range(of: "\u{1b}[2J\u{1b}[?1049l"))
    #expect(session.screen[leave.upperBound...].contains("the session has ended"))
    #expect(!session.screen[leave.upperBound...].contains("private"))
    #expect(session.echoes)
  }

  @Test func `a signal restores the terminal's mode`() throws {
    let home = try Home()
    _ = try home.write("private words")
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("private words"))
    session.terminate()
    #expect(session.end() == 128 + SIGTERM)
    #expect(session.screen.contains("\u{1b}[?1049l") && session.echoes)
  }

  @Test func `a signal while its editor is open ends it, and the text is kept`() throws {
    let home = try Home()
    _ = try home.write("first thing")
    let editor = try home.put(
      "editor", "#!/bin/sh\necho 'from browse' > \"$1\"\ntouch \(home.path)/open\nsleep 60\n",
      mode: 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"], extra: ["EDITOR": editor])
    #expect(session.expect("first thing"))
    session.type("n")
    poll(3000, every: 20_000) { FileManager.default.fileExists(atPath: home.path + "/open") }
    session.terminate()
    #expect(session.end() == 128 + SIGTERM)
    #expect(session.screen.contains("write --recover"))
    try home.ok(["write", "--recover"])
    #expect(try home.ok(["list"]).out.contains("from browse"))
  }

  @Test func `stars, writes and deletes`() throws {
    let home = try Home()
    _ = try home.write("first thing")
    let editor = try home.put(
      "editor",
      """
      #!/bin/sh
      printf '%s\\n' --- 'date: 2020-01-01 09:00' --- '' 'from browse' > "$1"
      """, mode: 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"], extra: ["EDITOR": editor])
    #expect(session.expect("first thing"))
    session.type("s")
    #expect(session.expect("★"))
    session.type("n")
    #expect(session.expect("2 entries"))
    // The new one is chosen, although it is the older one.
    session.type("d")
    #expect(session.expect("[y/N]"))
    session.type("y")
    #expect(session.expect("moved to the trash"))
    session.type("q")
    #expect(session.end() == 0)
    let list = try home.ok(["list", "--json", "--bodies"]).array
    #expect(list.count == 1 && list[0]["starred"] as? Bool == true)
    #expect(try home.ok(["trash", "--json"]).array.count == 1)
  }
}
