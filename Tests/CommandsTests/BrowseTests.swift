import Foundation
import Glibc
import Testing

/// The full-screen timeline at a pseudo-terminal.
@Suite(.serialized) struct BrowseTests {
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

  @Test func `stars, writes and deletes`() throws {
    let home = try Home()
    _ = try home.write("first thing")
    let editor = home.path + "/editor"
    try Data("#!/bin/sh\necho 'from browse' > \"$1\"\n".utf8).write(
      to: URL(fileURLWithPath: editor))
    chmod(editor, 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"], extra: ["EDITOR": editor])
    #expect(session.expect("first thing"))
    session.type("s")
    #expect(session.expect("★"))
    session.type("n")
    #expect(session.expect("2 entries"))
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
