import Foundation
import Testing

/// A device that leaves its space and joins it again changes nothing that all devices have.
@Suite(.threads) struct LeavingTests {
  private func names(_ home: Home, _ command: String) throws -> [String] {
    try home.ok([command, "--json"]).array.compactMap { $0["name"] as? String }
  }

  private func texts(_ home: Home) throws -> [String: String] {
    try home.ok(["templates", "--json"]).array.reduce(into: [:]) {
      $0[$1["name"] as? String ?? ""] = $1["body"] as? String
    }
  }

  @Test(arguments: [true, false])
  func `what lost to another change before does not come back`(isAgain: Bool) throws {
    let shared = try SharedDiary()
    let one = shared.one
    try one.ok(["templates", "add", "T", "zero"])
    try one.ok(["journals", "add", "Kyoto"])
    try one.ok(["kinds", "add", "Sport", "--emoji", "🏃"])
    try shared.sync(one)
    let two = try shared.join()
    for (home, word) in [(one, "one"), (two, "two")] {
      try home.ok(["templates", "edit", "T", "text of \(word)"])
      try home.ok(["journals", "rename", "Kyoto", "Kyoto \(word)"])
      try home.ok(["kinds", "rename", "Sport", "Sport \(word)"])
    }
    try shared.sync(one, two, one, two)
    let before = (try texts(one), try names(one, "journals"), try names(one, "kinds"))
    #expect(Set(before.0.values) == ["text of one", "text of two"], "\(before.0)")
    for name in isAgain ? ["again", "once more"] : ["again"] {
      try two.ok(["sync", "leave", "--yes"])
      _ = try shared.join(name, two)
      try shared.sync(two, one, two, one)
    }
    for home in [one, two] {
      #expect(try texts(home) == before.0)
      #expect(try names(home, "journals") == before.1)
      #expect(try names(home, "kinds") == before.2)
    }
  }

  @Test func `who leaves as the copy of a device is not told to revoke the device`() throws {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("before the copy")
    try shared.sync(one)
    let two = try shared.join()
    let copy = try two.cloned()
    _ = try two.write("by the first")
    _ = try copy.write("by the copy")
    try shared.sync(two)
    #expect(try copy.run(["sync", "--passphrase-file", copy.passphrase]).status == 5)
    let left = try copy.ok(["sync", "leave", "--yes"])
    #expect(!left.err.contains("revoke"), "\(left)")
    _ = try shared.join("copy", copy)
    #expect(try two.run(["sync", "--passphrase-file", two.passphrase]).status != 3)
    try shared.sync(copy, one, two)
    for home in [one, two, copy] {
      #expect(try Set(home.bodies) == ["before the copy", "by the first", "by the copy"])
    }
  }

  @Test func `a backup is restored while the diary is open with changes that were not sent`() throws
  {
    let shared = try SharedDiary()
    let one = shared.one
    _ = try one.write("in the backup")
    let backup = try one.backup(in: one.path + "/backups")
    try one.ok(["unlock"])
    _ = try one.write("written since")
    let restored = try one.run([
      "restore-backup", backup, "--yes", "--passphrase-file", one.passphrase,
    ])
    #expect(restored.status == 0, "\(restored)")
    #expect(try Set(one.bodies) == ["in the backup", "written since"])
  }

  @Test func `who comes in again under its name is told to revoke what it was`() throws {
    let shared = try SharedDiary()
    let (one, two) = (shared.one, try shared.join("phone"))
    try two.ok(["sync", "leave", "--yes"])
    let recovered = try two.ok([
      "sync", "recover", shared.place, "--space-code-file", shared.spaceCode, "--name", "phone",
    ])
    let command = try #require(
      recovered.err.firstMatch(of: /facediary sync revoke ([0-9a-z]{8})/), "\(recovered.err)")
    try shared.sync(two, one)
    // The advice is followed, by the id: the name alone would mean both.
    let id = String(command.1)
    #expect(
      try one.run([
        "sync", "revoke", "phone", "--space-code-file", shared.spaceCode, "--passphrase-file",
        one.passphrase,
      ]).status == 7)
    try two.ok(["sync", "revoke", id, "--space-code-file", shared.spaceCode])
    try two.ok(["sync", "leave", "--yes"])
    let other = try two.ok([
      "sync", "recover", shared.place, "--space-code-file", shared.spaceCode, "--name", "tablet",
    ])
    #expect(!other.err.contains("same name"), "\(other.err)")
  }
}
