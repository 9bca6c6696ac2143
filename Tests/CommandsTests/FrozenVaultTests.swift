import Foundation
import Testing

/// A vault of format 1, written once and for ever: what this version says of it, every later one must.
@Suite(.threads) struct FrozenVaultTests {
  private static let directory = URL(fileURLWithPath: Home.keys).deletingLastPathComponent()
    .appendingPathComponent("vectors/frozen")

  @Test func `the frozen vault opens with the same content`() throws {
    let home = try Home(made: false)
    let vault = home.path + "/frozen.facediary"
    try FileManager.default.copyItem(
      atPath: Self.directory.appendingPathComponent("diary.facediary").path, toPath: vault)
    let expected = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: Self.directory.appendingPathComponent("frozen.json")))
        as? [String: Any])
    try Data((expected["passphrase"] as? String ?? "").utf8).write(
      to: URL(fileURLWithPath: home.passphrase))
    func ask(_ words: [String]) throws -> Any {
      try home.ok(words + ["--json", "--vault", vault]).json
    }
    func same(_ one: Any?, _ other: Any?) -> Bool {
      guard let one = one as? NSObject, let other = other as? NSObject else { return false }
      return one.isEqual(other)
    }
    #expect(same(try ask(["list", "--bodies"]), expected["entries"]))
    #expect(same(try ask(["trash"]), expected["trash"]))
    #expect(same(try ask(["journals"]), expected["journals"]))
    #expect(same(try ask(["kinds"]), expected["kinds"]))
    #expect(same(try ask(["templates"]), expected["templates"]))
    for (id, history) in try #require(expected["history"] as? [String: Any]) {
      #expect(same(try ask(["history", id]), history))
    }
    for (id, body) in try #require(expected["firstRevision"] as? [String: String]) {
      let first = try #require(
        (try ask(["show", id, "--revision", "1"]) as? [[String: Any]])?.first)
      #expect(first["body"] as? String == body)
    }
    let attached = try #require(expected["attachments"] as? [String: [String: String]]).keys.first!
    let note = home.path + "/note"
    try home.ok(["extract", attached, "note.txt", "-o", note, "--vault", vault])
    #expect(try String(contentsOfFile: note, encoding: .utf8) == "a file of no picture\n")
    try home.ok(["extract", attached, "big.bin", "-o", note, "--vault", vault])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: note)) == Data(repeating: 0x7a, count: 70_000))
    for code in try #require(expected["recoveryCodes"] as? [String]) {
      try Data(code.utf8).write(to: URL(fileURLWithPath: home.path + "/code"))
      let run = try home.run([
        "verify", "--json", "--vault", vault, "--recovery-file", home.path + "/code",
      ])
      #expect(run.status == 0 && run.object["ok"] as? Bool == true)
    }
    // And it lives on.
    try home.ok(["write", "now", "--vault", vault])
    try home.ok(["keys", "rotate", "--yes", "--kdf", "interactive", "--vault", vault])
    #expect(
      (try ask(["list"]) as? [Any])?.count == (expected["entries"] as? [Any]).map { $0.count + 1 })
  }
}
