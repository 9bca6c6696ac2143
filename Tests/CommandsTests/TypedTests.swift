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

  @Test(arguments: [
    ("en_US.UTF-8", "3/1/2026", "2026-03-01"), ("de_DE.UTF-8", "3/1/2026", "2026-01-03"),
    ("ja_JP.UTF-8", "3/1/2026", "2026-03-01"), ("C.UTF-8", "13.3.2026", "2026-03-13"),
  ])
  func `a date of numbers is in the locale's order, for every option`(
    locale: String, text: String, day: String
  ) throws {
    let home = try Home()
    func run(_ words: [String]) throws -> Run {
      try home.run(
        words + ["--passphrase-file", home.passphrase],
        extra: ["LC_ALL": locale, "FACEDIARY_LANGUAGE": "en"])
    }
    #expect(try run(["write", "x", "--date", text]).status == 0)
    let found = try run(["list", "--on", text, "--json"]).array
    #expect((found.first?["date"] as? String)?.hasPrefix(day) == true, "\(found)")
  }

  @Test func `the recovery code is understood where the passphrase is asked for`() throws {
    let home = try Home()
    _ = try home.write("found")
    let code = try String(contentsOfFile: home.recovery, encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    for typed in [code, code.lowercased().replacingOccurrences(of: "-", with: " ")] {
      let session = try TerminalSession(home, ["list"])
      #expect(session.expect("Passphrase:"))
      session.type(typed + "\r")
      #expect(session.expect("found"))
      #expect(session.end() == 0)
    }
    let wrong = try home.put("wrong", "not it\n")
    let refused = try home.run(["list", "--passphrase-file", wrong])
    #expect(refused.status == 3 && refused.err.contains("--recovery-file -"), "\(refused.err)")
  }

  @Test func `of backups the newest is taken, and one without a folder says how to set it`()
    throws
  {
    let home = try Home()
    let folder = home.path + "/backups"
    let backup = try home.backup(in: folder)
    let restored = try home.ok(["restore-backup", folder, "--yes"])
    #expect(restored.err.contains(backup), "\(restored)")
    let nowhere = try home.run(["backup", "--passphrase-file", home.passphrase])
    #expect(nowhere.status == 2 && nowhere.err.contains("config set backup"), "\(nowhere)")
    try home.ok(["config", "set", "backup", folder])
    try home.ok(["backup"])
  }

  @Test func `a name that is not there says how it is made`() throws {
    let home = try Home()
    let words = ["--passphrase-file", home.passphrase]
    let missing = try home.run(["write", "x", "--journal", "New Trip"] + words)
    #expect(
      missing.status == 6 && missing.err.contains("journals add 'New Trip'"), "\(missing.err)")
    try home.ok(["journals", "add", "New Trip"])
    try home.ok(["write", "x", "--journal", "New Trip"])
    let kind = try home.run(["write", "x", "--kind", "dream"] + words)
    #expect(kind.err.contains("kinds add 'dream'"), "\(kind.err)")
  }

  /// A separator of lines in a file's name is none of the front matter's.
  @Test func `hostile names of files come back from Markdown, and long ones are cut`() throws {
    let home = try Home()
    let file = try home.put("photo\u{2028}one.txt", "x")
    let long = try home.put("a." + String(repeating: "e", count: 240), "y")
    let id = try home.write("with a file", ["--attach", file, "--attach", long])
    try home.ok(["attach", id, long])
    let names = try home.ok(["attachments", id, "--json"]).array.compactMap {
      $0["name"] as? String
    }
    #expect(names.count == 3 && names.allSatisfy { $0.utf8.count <= 255 })
    let folder = home.path + "/out"
    try home.ok(["export", "--format", "markdown", "-o", folder])
    let other = try Home()
    try other.ok(["import", folder])
    let back = try other.ok(["attachments", "@last", "--json"]).array.count
    #expect(back == 3)
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
