import Foundation
import Testing

/// A session merges by itself what a sync without a key has brought.
@Suite(.threads) struct SessionMergeTests {
  @Test func `what was moved while the diary was closed is there after unlock`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    _ = try one.write("from the laptop")
    try one.ok(["sync"])
    // No session is open, and nothing opens one: objects are moved, no more.
    let moved = try two.run(["sync", "--json"]).object
    #expect(moved["open"] as? Bool == false && moved["pulled"] as? Int ?? 0 > 0)
    try two.ok(["unlock"])
    func texts() throws -> [String] {
      try two.run(["list", "--bodies", "--json"]).array.compactMap { $0["body"] as? String }
    }
    try poll(600, every: 100_000) { try texts().contains("from the laptop") }
    #expect(try texts().contains("from the laptop"))
    // It can be found, and nothing is left for the next sync to merge.
    #expect(try two.run(["search", "laptop", "--json"]).array.count == 1)
    #expect(try two.run(["sync", "--json"]).object["merged"] as? Int == 0)
    #expect(try two.run(["verify"]).status == 0)
  }

  @Test func `a removal that needs a yes waits for it after unlock, too`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join())
    let ids = try (0..<25).map { try one.write("entry \($0)") }
    try shared.sync(one, two)
    try one.ok(["delete", "--yes"] + ids)
    try one.ok(["purge", "--yes"])
    try one.ok(["sync"])
    _ = try two.run(["sync", "--json"])
    try two.ok(["unlock"])
    #expect(try two.run(["sync", "--json"]).object["removals"] as? Int == 25)
    #expect(try two.run(["sync", "status", "--json"]).object["removals"] as? Int == 25)
    #expect(try two.run(["list", "--json"]).array.count == 25)
    #expect(try two.run(["sync", "--yes"]).status == 0)
    #expect(try two.run(["list", "--json"]).array.isEmpty)
    #expect(try two.run(["sync", "status", "--json"]).object["removals"] as? Int == 0)
  }
}
