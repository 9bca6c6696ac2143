import Foundation
import Testing

/// What is sent while the diary is closed: all that was written while it was open.
@Suite(.threads) struct ClosedSendingTests {
  @Test(arguments: ["lock", "a single command", "an import"])
  func `what was written last is sent without a key`(by way: String) throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join("phone"))
    try shared.sync(one, two)
    switch way {
    case "lock":
      try one.ok(["unlock"])
      #expect(try one.run(["write", "the last words"]).status == 0)
      #expect(try one.run(["lock"]).status == 0)
    case "an import":
      let file = try one.put(
        "entries.json", #"[{"date":"2026-03-01T09:30:00+09:00","body":"the last words"}]"#)
      try one.ok(["import", file])
    default: try one.ok(["write", "the last words"])
    }
    let sent = try one.run(["sync", "--json"])
    #expect(sent.status == 0 && sent.object["open"] as? Bool == false, "\(sent)")
    #expect(sent.object["pushed"] as? Int == 1, "\(sent)")
    #expect(try one.run(["sync", "--json"]).object["pushed"] as? Int == 0)
    try shared.sync(two)
    #expect(try two.bodies == ["the last words"])
    // Nothing is told twice.
    try one.ok(["unlock"])
    try one.ok(["lock"])
    #expect(try one.run(["sync", "--json"]).object["pushed"] as? Int == 0)
  }
}
