import Foundation
import Testing

/// What would be gone waits until its owner has decided.
@Suite(.threads) struct ConsentTests {
  /// Two devices that have some entries.
  private func together(_ count: Int) throws -> (shared: SharedDiary, one: Home, two: Home) {
    let shared = try SharedDiary()
    for number in 0..<count { _ = try shared.one.write("\(number)") }
    let two = try shared.join()
    try shared.sync(shared.one, two)
    return (shared, shared.one, two)
  }

  private func ids(_ home: Home) throws -> [String] {
    try home.ok(["list", "--json"]).array.compactMap { $0["id"] as? String }
  }

  /// It deletes, so that all that it wrote later waits.
  @Test func `no device is revoked unseen while what it wrote waits for a decision`() throws {
    let (shared, one, two) = try together(4)
    let ids = try self.ids(two)
    try two.ok(["delete"] + ids + ["--yes"])
    _ = try two.write("a note from the phone")
    try shared.sync(two)
    // The revocation is the first to see it.
    let revoke = ["sync", "revoke", "phone", "--space-code-file", shared.spaceCode]
    let refused = try one.run(revoke + ["--passphrase-file", one.passphrase])
    #expect(refused.status == 7 && refused.err.contains("--yes"), "\(refused)")
    try one.ok(["sync", "--yes"])
    #expect(try one.bodies == ["a note from the phone"])
    try one.ok(revoke)
    // Nothing of that keeps anybody from revoking a thief.
    let third = try shared.join("third")
    try shared.sync(one, third)
    for number in 0..<4 { _ = try one.write("\(number)") }
    try shared.sync(one, third)
    let all = try self.ids(third)
    try third.ok(["delete"] + all + ["--yes"])
    try shared.sync(third)
    try one.ok(["sync", "revoke", "third", "--yes", "--space-code-file", shared.spaceCode])
    #expect(try one.bodies.count == 5)
  }

  @Test func `a device that joins again is told what would be removed, and removes it as advised`()
    throws
  {
    let (shared, one, two) = try together(4)
    try two.ok(["sync", "leave", "--yes"])
    let ids = try self.ids(one)
    try one.ok(["delete"] + ids.dropFirst() + ["--yes"])
    try shared.sync(one)
    _ = try shared.join("phone again", two)
    #expect(try two.bodies.count == 4)
    let status = try two.ok(["sync", "status"]).out
    #expect(status.contains("another device deleted 3 entries or moved them to the trash"))
    #expect(status.contains("to decide, run facediary sync"))
    #expect(try two.run(["sync", "--passphrase-file", two.passphrase]).status == 2)
    #expect(try two.bodies.count == 4)
    try two.ok(["sync", "--yes"])
    #expect(try two.bodies == one.bodies && two.bodies.count == 1)
  }

  @Test func `a script agrees to as many removals as it names, and to no more`() throws {
    let (shared, one, two) = try together(6)
    let ids = try self.ids(one)
    try one.ok(["delete"] + ids.dropFirst(2) + ["--yes"])
    try shared.sync(one)
    for few in [[], ["--max-delete", "0"], ["--max-delete", "3"]] {
      let refused = try two.run(["sync", "--passphrase-file", two.passphrase] + few)
      #expect(refused.status == 2, "\(refused)")
      #expect(try two.bodies.count == 6)
    }
    #expect(try two.run(["sync", "--max-delete", "-1"]).status == 2)
    try two.ok(["sync", "--max-delete", "4"])
    #expect(try two.bodies.count == 2)
  }

  /// A photo is fetched in a round of its own.
  @Test func `it agrees to so many in all rounds together`() throws {
    let (shared, one, two) = try together(12)
    let ids = try self.ids(one)
    let photo = one.path + "/photo"
    try Data(count: 5000).write(to: URL(fileURLWithPath: photo))
    _ = try one.write("with a file", ["--attach", photo])
    try shared.sync(one)
    for few in [ids[..<4], ids[4..<8]] {
      try one.ok(["delete"] + few + ["--yes"])
      try shared.sync(one)
    }
    let first = try two.run([
      "sync", "--max-delete", "4", "--passphrase-file", two.passphrase, "--json",
    ])
    #expect(first.status == 2 && first.object["removals"] as? Int == 4, "\(first)")
    #expect(try two.bodies.count == 9)
    try two.ok(["sync", "--max-delete", "4"])
    #expect(try two.bodies == one.bodies && two.bodies.count == 5)
  }
}
