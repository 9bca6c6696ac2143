import Foundation
import Glibc
import Testing

/// Keys as a terminal sends them.
@Suite(.threads) struct KeyTests {
  @Test(arguments: [
    "\u{1b}[<0;-9223372036854775808;1M", "\u{1b}[<0;99999999999999999999;1M", "\u{1b}[<0;0;0M",
    "\u{1b}[<1;2M", "\u{1b}[999999999999999999999~", "\u{1b}[200~never ends",
  ])
  func `nothing a terminal can send ends browse`(garbage: String) throws {
    let home = try Home()
    _ = try home.write("here")
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("here"))
    session.type(garbage)
    usleep(100_000)
    session.type("\u{1b}[201~q")
    usleep(50_000)
    session.type("q")
    #expect(session.end() == 0)
  }

  @Test func `a paste is text and never a command`() throws {
    let home = try Home()
    _ = try home.write("here")
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["browse"])
    #expect(session.expect("here"))
    session.type("\u{1b}[200~dy\ndy\n\u{1b}[201~")
    session.type("q")
    #expect(session.end() == 0)
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }
}
