import Testing

/// A lost device is taken out of those that share a diary, through the command.
@Suite(.threads) struct RevokingTests {
  /// It deletes, so that all that it wrote later waits.
  @Test func `no device is revoked unseen while what it wrote waits for a decision`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    for number in 0..<4 { _ = try one.write("\(number)") }
    let two = try shared.join()
    try shared.sync(one, two)
    let ids = try two.ok(["list", "--json"]).array.compactMap { $0["id"] as? String }
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
    let all = try third.ok(["list", "--json"]).array.compactMap { $0["id"] as? String }
    try third.ok(["delete"] + all + ["--yes"])
    try shared.sync(third)
    try one.ok(["sync", "revoke", "third", "--yes", "--space-code-file", shared.spaceCode])
    #expect(try one.bodies.count == 5)
  }
}
