import Bytes
import Foundation
import Testing

@testable import Commands
@testable import Dates
@testable import Entries
@testable import Formats
@testable import Requests
@testable import Words

/// Every field of an entry through every form it takes outside the vault: a field that is forgotten in one fails here.
@Suite(.threads) struct ContentFormatsTests {
  private static func full() throws -> EntryContent {
    EntryContent(
      date: try ZonedTime(seconds: 1_772_000_000, offset: 32_400),
      until: try ZonedTime(seconds: 1_772_003_600, offset: 32_400), zone: "Asia/Tokyo",
      journal: "Kyoto", kind: "meal", title: "Tea: \"hot\"", body: "By the river.\n\n---\nend",
      tags: ["friends", "tea, green"], starred: true,
      location: "Kyoto: 京都 (35.0, 135.7)", weather: "- 12 °C, \"snow\"")
  }

  @Test func `what is shown, compared and edited has every field`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto"])
    let id = try home.write("QOLD")
    let editor = try home.put(
      "editor",
      """
      #!/bin/sh
      cp "$1" '\(home.path)/given'
      cat '\(home.path)/head' > "$1"
      """, mode: 0o700)
    // Each field with a value that stands nowhere else, by its name.
    let values = [
      "date": "2026-03-02 09:30", "until": "11:07", "journal": "Kyoto", "kind": "meal",
      "title": "QTITLE", "tags": "qtag", "starred": "yes", "location": "QPLACE",
      "weather": "QSKY", "body": "QBODY",
    ]
    let shown = values.merging(["date": "2026-03-02", "starred": "★", "kind": "meal"]) { $1 }
    let fields = EntryField.all.map(\.name).filter { $0 != "zone" }
    #expect(Set(values.keys) == Set(fields))
    let lines = fields.filter { $0 != "body" }.map { "\($0): \(values[$0]!)" }
    _ = try home.put("head", "---\n\(lines.joined(separator: "\n"))\n---\n\nQBODY\n")
    let session = try TerminalSession(
      home, ["edit", id, "--passphrase-file", home.passphrase], extra: ["EDITOR": editor])
    #expect(session.end() == 0, "\(session.screen)")
    let given = try String(contentsOfFile: home.path + "/given", encoding: .utf8)
    let (show, history) = (
      try home.ok(["show", id]).out, try home.ok(["history", id, "--diff"]).out
    )
    for field in fields {
      #expect(field == "body" || given.contains("\n\(field):"), "\(field)")
      #expect(show.contains(shown[field]!), "\(field): \(show)")
      #expect(history.contains(shown[field]!), "\(field): \(history)")
    }
  }

  @Test func `messages carry every field`() throws {
    var writer = ByteWriter()
    try Self.full().write(to: &writer)
    var reader = ByteReader(writer.bytes)
    #expect(try EntryContent(&reader) == Self.full())
    #expect(reader.isAtEnd)
    let encoded = try Wire.encode(try Self.full())
    #expect(try Wire.decode(EntryContent.self, from: encoded) == Self.full())
  }

  @Test(arguments: ["json", "markdown"])
  func `an export that comes back is equal in every field`(format: String) throws {
    let home = try Home()
    let content = try Self.full()
    let file = home.path + "/one.json"
    let sample: [String: Any] = [
      "date": content.date.iso, "until": content.until?.iso ?? "", "zone": content.zone ?? "",
      "journal": "Kyoto", "kind": "meal", "title": content.title ?? "", "body": content.body,
      "tags": content.tags, "starred": true,
      "location": content.location ?? "", "weather": content.weather ?? "",
    ]
    #expect(Set(sample.keys) == Set(EntryField.all.map(\.name)))
    #expect(Options.lines.map(\.line.name) == EntryField.lines.map(\.name))
    try JSONSerialization.data(withJSONObject: [sample]).write(to: URL(fileURLWithPath: file))
    try home.ok(["import", file])
    let out = home.path + "/out" + (format == "json" ? ".json" : "")
    try home.ok(["export", "--format", format, "-o", out])
    func listed() throws -> [NSDictionary] {
      try home.ok(["list", "--bodies", "--json"]).array.map { entry in
        NSDictionary(dictionary: entry.filter { $0.key != "revision" && $0.key != "modified" })
      }
    }
    let before = try listed()
    for field in EntryField.all {
      #expect(before.first?[field.name] as? NSObject == sample[field.name] as? NSObject)
    }
    let id = try #require(before.first?["id"] as? String)
    try home.ok(["delete", id, "--yes"])
    try home.ok(["purge", "--yes"])
    try home.ok(["import", out] + (format == "json" ? [] : ["--format", format]))
    #expect(try listed() == before)
  }

  @Test func `JSON output is byte-equal in every language`() throws {
    let home = try Home(faces: true)
    let id = try home.write("tea", ["--tag", "friends", "--kind", "meal", "--title", "t"])
    let labels = home.path + "/labels.csv"
    try Data(
      ("person,file\n"
        + ["owner-1.npy", "owner-2.json", "owner-3.csv"].map { "a,\(Home.keys)/\($0)\n" }.joined()
        + ["stranger-1.npy", "stranger-2.json"].map { "b,\(Home.keys)/\($0)\n" }.joined()).utf8
    ).write(to: URL(fileURLWithPath: labels))
    let secret = ["--passphrase-file", home.passphrase]
    let asked: [[String]] = [
      ["status"], ["models"], ["match", Home.keys + "/owner-1.npy", Home.keys + "/owner-4.npy"],
      ["calibrate", labels], ["probe", "--command", "cat \(Home.keys)/owner-1.npy"],
      ["list"] + secret, ["show", id] + secret, ["search", "tea"] + secret,
      ["history", id] + secret, ["tags"] + secret, ["kinds"] + secret, ["journals"] + secret,
      ["stats"] + secret, ["rank", "words", "--period", "all"] + secret,
      ["attachments", id] + secret, ["trash"] + secret, ["templates"] + secret,
      ["on-this-day"] + secret, ["verify"] + secret, ["export"] + secret, ["faces"] + secret,
      ["policy"], ["keys"], ["device"], ["lock"], ["nonsense"], ["list", "--limit", "x"],
      ["show", "zzzz"] + secret, ["list"],
      ["enroll", Home.keys + "/owner-1.npy", Home.keys + "/stranger-1.npy", "--force"] + secret,
    ]
    for words in asked {
      // What changes something is asked once in each of two equal homes.
      let other = words[0] == "enroll" ? try Home(faces: true) : home
      let placed = words.map { $0 == home.passphrase ? other.passphrase : $0 }
      let english = try home.run(words + ["--json"])
      let japanese = try other.run(placed + ["--json", "--language", "ja"])
      #expect(english.status == japanese.status, "\(words)")
      if words[0] == "enroll" {
        #expect(
          english.object["warnings"] as? [String] == japanese.object["warnings"] as? [String])
      } else {
        #expect(english.out == japanese.out, "\(words)")
        #expect(english.err == japanese.err || english.status == 0, "\(words)")
      }
    }
  }
}
