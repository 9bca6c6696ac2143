import Foundation
import Testing

/// What people type and name: secrets in files, tags, times, files to attach.
@Suite(.threads) struct TypedTests {
  @Test func `the first line of a secret's file is the secret`() throws {
    let home = try Home()
    let file = try home.put("more", "correct horse\r\nand a remark\n")
    #expect(try home.run(["list", "--passphrase-file", file]).status == 0)
  }

  @Test func `tags are typed alike everywhere, renamed and merged`() throws {
    let home = try Home()
    let id = try home.write("a", ["--tag", "food, #friends", "--tag", "\"x, y\"、z"])
    _ = try home.write("b", ["--tag", "Food"])
    func tags() throws -> [String: Int] {
      Dictionary(
        uniqueKeysWithValues: try home.ok(["tags", "--json"]).array.map {
          ($0["name"] as? String ?? "", $0["count"] as? Int ?? 0)
        })
    }
    #expect(try Set(tags().keys.map { $0.lowercased() }) == ["food", "friends", "x, y", "z"])
    let renamed = try home.ok(["tags", "rename", "friends", "#people", "--json"]).object
    #expect(renamed["entries"] as? Int == 1)
    let taken = ["tags", "rename", "z", "PEOPLE", "--passphrase-file", home.passphrase]
    #expect(try home.run(taken).err.contains("tags merge z PEOPLE"))
    #expect(
      try home.ok(["tags", "merge", "z", "food", "people", "--json"]).object["entries"] as? Int == 2
    )
    #expect(try tags() == ["people": 2, "x, y": 1])
    _ = try home.ok(["edit", id, "--untag", "people, \"x, y\""])
    #expect(try tags() == ["people": 1])
    let missing = ["tags", "rename", "nope", "a", "--passphrase-file", home.passphrase]
    #expect(try home.run(missing).status == 6)
  }

  @Test func `a time that lies ahead is said`() throws {
    let home = try Home()
    let ahead = try home.ok(["write", "x", "--date", "tomorrow 20:00"])
    #expect(ahead.err.contains("in the future") && ahead.err.contains("20:00"), "\(ahead.err)")
    #expect(try !home.ok(["write", "y"]).err.contains("future"))
    let edited = try home.ok(["edit", "@last", "--date", "tomorrow"])
    #expect(edited.err.contains("in the future"), "\(edited.err)")
  }

  @Test func `no device is attached, and a recovery code that nobody reads is not kept`() throws {
    let home = try Home()
    #expect(
      try home.run(["write", "x", "--attach", "/dev/zero", "--passphrase-file", home.passphrase])
        .status == 7)
    let other = try Home(made: false)
    let script = "(\"$0\" init --passphrase-file \"$1\"; echo $? > \"$2\") 2> \"$2.err\" | true"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, Home.binary, other.passphrase, other.path + "/status"]
    process.environment = other.environment
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: other.path + "/status.err", encoding: .utf8)
    #expect(said.contains("standard output: Broken pipe"), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: other.folder))
  }
}
