import Foundation
import Testing

@testable import Formats

/// The journals of other programs that are folders, or outlines, in `Tests/Imports`.
extension ForeignEntriesTests {
  static let journals: [Expected] = [
    Expected(
      path: "diarium", format: "diarium", imported: 2, lost: ["field rating"],
      entries: [
        (
          "By the fjord", "2025-06-09T19:03:39+09:00", "Rowed **far** out.\n\nThen rain.",
          ["sea", "boat", "Ada"]
        ), (nil, "2025-06-10T08:00:00+09:00", "Home.", []),
      ]),
    Expected(
      path: "diarium/diarium.json", format: "diarium", imported: 2, lost: ["field rating"],
      entries: []),
    Expected(
      path: "dailytxt", format: "dailytxt", imported: 2, lost: ["unread templates.json"],
      entries: [
        (nil, "2024-03-09T12:00:00+09:00", "Walked **home**.\n\nLate.", ["feet", "night walk"]),
        (nil, "2024-03-31T12:00:00+09:00", "Last day.", []),
      ]),
    Expected(
      path: "dayone-classic", format: "dayone-classic", imported: 1, lost: ["field Music"],
      entries: [
        (nil, "2013-08-31T07:15:00+09:00", "Fish & chips\n<tonight>", ["food", "late night"])
      ]),
    Expected(
      path: "logseq", format: "logseq", imported: 1, lost: ["file pages/Hats.md"],
      entries: [
        (
          nil, "2024-01-15T12:00:00+09:00",
          """
          Left at dawn.
          - by train
            and on foot
            - up the hill
          - [ ] buy bread

          - [x] pack

          ![hat](../assets/hat.png)

          A note about a::b
          - ```swift
            let a = 1
              b()
            ```
          """, ["travel", "far away"]
        )
      ]),
    Expected(
      path: "org", format: "org", imported: 7,
      lost: ["field SCHEDULED", "file journal.org"],
      entries: [
        (nil, "2024-01-15T12:00:00+09:00", "Cold.", ["diary"]),
        (
          "Walk *far*", "2024-01-15T14:30:00+09:00",
          """
          - [x] boots
          - [ ] **hat**
          ## On the way
          Saw [a \\*bird\\*](https://example.com) and `code`.
          ```sh
          echo *no*
          ```
          """, ["diary", "feet"]
        ),
        ("Tea", "2024-01-15T12:00:00+09:00", "| a | b |\n| --- | --- |\n| 1 | 2 |", ["diary"]),
        ("Stamped", "2024-02-03T09:05:00+09:00", "A picture: ![](hat.png)", ["diary"]),
        ("Captured", "2024-02-04T21:00:00+09:00", "Late.", ["diary"]),
      ]),
    Expected(
      path: "org/days", format: "org", imported: 2,
      entries: [
        ("Breakfast", "2024-03-01T08:15:00+09:00", "Eggs.", []),
        ("Nap", "2024-03-01T12:00:00+09:00", "", []),
      ]),
    // One month's file, which a text with dates could be, too.
    Expected(
      path: "rednotebook/2026-04.txt", format: "rednotebook", imported: 1, lost: [], entries: []),
    Expected(
      path: "rednotebook", format: "rednotebook", imported: 4,
      lost: ["attachment /home/me/fish.jpg", "empty 2026-03.txt"],
      entries: [
        (
          nil, "2026-03-01T12:00:00+09:00",
          """
          Went *far* out, **then** home.

          #### Dinner
          - soup
          1. bread

          [the page](http://example.com/a//b) ![](/home/me/fish.jpg)
          \(Array(repeating: "long words", count: 14).joined(separator: " ")) \("")

          **Ideas**

          - buy a boat: soon, with "sails" and a very long sentence that goes on and on until the line is longer than PyYAML allows, twice
          - rest
          """, ["sea", "two words"]
        ),
        (
          nil, "2026-03-03T12:00:00+09:00",
          "日本語の日記。\n  indented\n\ttab 'quoted' \"double\" \\ back\u{2028}sep \u{1f600}", []
        ),
        (nil, "2026-03-14T12:00:00+09:00", "x: y # z", []),
        (nil, "2026-04-05T12:00:00+09:00", "flow, {braces} and 'quotes'", ["a"]),
      ]),
  ]

  @Test func `tags count once, and too many are named`() throws {
    let home = try Home()
    let many = (0..<70).map { "t\($0)" }
    let org = try home.put(
      "a.org", "* 2026-03-01 :" + String(repeating: "a:b:", count: 200) + "\n** One\nText\n")
    try home.ok(["import", "--format", "org", org])
    let journal = try home.put(
      "a.ics",
      """
      BEGIN:VCALENDAR\r\nBEGIN:VJOURNAL\r\nUID:1\r\nDTSTART:20260301T100000Z\r\nSUMMARY:Two\r
      CATEGORIES:c,c,c\\,d,\r\nCATEGORIES:e\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n
      """)
    try home.ok(["import", "--format", "vjournal", journal])
    let tags = try home.ok(["list", "--json"]).array.map { $0["tags"] as? [String] }
    #expect(
      tags == [["c", "c,d", "e"], ["a", "b"]] || tags == [["a", "b"], ["c", "c,d", "e"]])
    let full = try home.put(
      "b.org", "#+filetags: :" + many.joined(separator: ":") + ":\n* 2026-03-01 One\n")
    let run = try home.run([
      "import", "--format", "org", full, "--passphrase-file", home.passphrase,
    ])
    #expect(run.status == 8 && run.err.contains("\"tags\": expected at most 64"), "\(run.err)")
  }

  @Test func `photos, places and stars of journals come with them`() throws {
    let home = try Home()
    // Names of the project's own files are plain.
    let own = home.path + "/diarium"
    try FileManager.default.copyItem(atPath: Self.folder + "/diarium", toPath: own)
    let media = own + "/media/2025-06-09_190339000/"
    try FileManager.default.moveItem(atPath: media + "photo.jpg", toPath: media + "Odde ræn.jpg")
    try home.ok(["import", own])
    for path in ["dailytxt", "dayone-classic", "logseq", "org"] {
      try home.ok(["import", Self.folder + "/" + path])
    }
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    func entry(_ body: String) -> [String: Any] { entries.beginning(with: body) }
    let diarium = entry("Rowed")
    #expect(files(diarium) == ["Odde ræn.jpg"] && diarium["weather"] as? String == "Rain, 12 °C")
    #expect(diarium["location"] as? String == "58.02940, 7.45500")
    let daily = entry("Walked")
    #expect(files(daily) == ["key.png"] && daily["starred"] as? Bool == true)
    #expect(daily["location"] as? String == "Kyoto (35.01160, 135.76810)")
    let classic = entry("Fish")
    #expect(files(classic) == ["1FBA5B1D6D3C4C6C8BF6E9FEC20A9D7A.jpg"])
    #expect(classic["starred"] as? Bool == true && classic["weather"] as? String == "Clear, 28 °C")
    #expect(
      classic["location"] as? String == "Arashiyama, Kyoto, Japan (35.00940, 135.66680)")
    #expect(classic["zone"] as? String == "Asia/Tokyo")
    #expect(files(entry("Left")) == ["hat.png"] && files(entry("A picture")) == ["hat.png"])
  }

  @Test(arguments: [
    ("a/2024/03.json", #"{"days":[{"day":32,"text":"x"}]}"#, "day"),
    (
      "b/entries/X.doentry", "<plist><dict><key>Entry Text</key><string>x</string></dict></plist>",
      "Creation Date"
    ),
    (
      "b/entries/X.doentry", "<plist>" + String(repeating: "<dict><key>a</key>", count: 90_000),
      "Creation Date"
    ),
    ("c/2026-03.txt", "1: {text: never", "RedNotebook"),
    ("c/2026-03.txt", String(repeating: "{a: ", count: 50_000), "RedNotebook"),
    ("c/2026-03.txt", "40:\n  text: x\n", "40"),
    ("c/2026-03.txt", "1: &a\n  text: *a\n", "RedNotebook"),
    ("d/d.json", #"[{"date":"soon","heading":"a","html":"b"}]"#, "date"),
  ]) func `a broken journal is named`(path: String, text: String, words: String) throws {
    let home = try Home()
    _ = try home.put(path, text)
    let folder = home.path + "/" + path.prefix(1)
    let run = try home.run(["import", folder, "--passphrase-file", home.passphrase])
    #expect(run.status == 8 && run.err.contains(words), "\(run.status): \(run.err)")
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
  }

  @Test func `an encrypted backup of DailyTxT is called so`() throws {
    let home = try Home()
    _ = try home.put("a/2024/03.json", #"{"days":[{"day":3,"text":"gAAA"}]}"#)
    _ = try home.put("a/user.json", "{}")
    let run = try home.run(["import", home.path + "/a", "--passphrase-file", home.passphrase])
    #expect(run.status == 8 && run.err.contains("is encrypted"), "\(run.err)")
  }

  /// What a writer of YAML makes of it, against what was meant.
  @Test(
    arguments: [
      ("1: a\n", [("1", .text("a"))]), ("a:\n", [("a", .text(""))]),
      (
        "a:\n  b: 'it''s'\n  c: \"x\\ty\\u00e9\\\n    z\"\n",
        [
          ("a", .mapping([("b", .text("it's")), ("c", .text("x\tyéz"))]))
        ]
      ),
      (
        "a: |-\n  one\n\n    two\n  three\nb: >\n  one\n  two\n\n  three\n",
        [
          ("a", .text("one\n\n  two\nthree")), ("b", .text("one two\nthree")),
        ]
      ),
      (
        "a: plain\n  goes on\n\n  after\n# no\nb: {c: d, 'e f': {g: ~}, h}\n",
        [
          ("a", .text("plain goes on\nafter")),
          (
            "b",
            .mapping([
              ("c", .text("d")), ("e f", .mapping([("g", .text(""))])), ("h", .text("")),
            ])
          ),
        ]
      ),
      (
        "? long\n  key\n: v\n? other\n: {a: b}\n",
        [
          ("long key", .text("v")), ("other", .mapping([("a", .text("b"))])),
        ]
      ),
      ("", []), ("# nothing\n", []), ("- a\n", nil), ("a: [b]\n", nil), ("a: \"b\n", nil),
      ("a\n", nil), ("a: b\n  c: d\n", [("a", .text("b c: d"))]), ("  a: b\nc: d\n", nil),
    ] as [(String, [(String, BlockYAML.Node)]?)])
  func `YAML of mappings is read`(text: String, expected: [(String, BlockYAML.Node)]?) {
    let found = BlockYAML.mapping(text)
    #expect(found.map { BlockYAML.Node.mapping($0) } == expected.map { .mapping($0) })
  }

  @Test(arguments: [
    ("a *b* /c/ _d_ +e+ =f*= ~g~", "a **b** *c* *d* ~~e~~ `f*` `g`"),
    ("5*3*2 and/or a_b_c ~/x", "5*3*2 and/or a_b_c ~/x"), ("* b*", "* b*"), ("*b", "*b"),
    ("[[https://e.org]] [[id:1][note]] [[./a b.png]]", "https://e.org note ![](<./a b.png>)"),
    ("[[never", "[[never"), ("[1] a ]]", "[1] a ]]"),
  ]) func `Org's emphasis is Markdown's`(org: String, markdown: String) {
    #expect(MarkdownFromOrg.inline(org) == markdown)
  }

  @Test func `a line full of signs takes no longer than any other`() {
    for signs in ["*a ", "[[a", "=", "/", "[[a]["] {
      let line = String(repeating: signs, count: 100_000)
      #expect(!MarkdownFromOrg.inline(line).isEmpty)
    }
    #expect(
      !MarkdownFromTxt2tags.inline(String(repeating: "//a[\"\"b\"\".c", count: 50_000)).isEmpty)
  }
}

/// What is exported as journal entries of a calendar.
@Suite(.threads) struct CalendarExportTests {
  @Test func `entries come back from a calendar file`() throws {
    let home = try Home()
    let long = String(repeating: "長い一行、that; goes\\ on, ", count: 20) + "\n\nend"
    _ = try home.write(
      long, ["--title", "A, b; c", "--tag", "one", "--tag", "two", "--location", "Kyoto"])
    _ = try home.write("second", ["--date", "2026-03-01 09:30"])
    let file = home.path + "/out.ics"
    try home.ok(["export", "--format", "vjournal", "--output", file])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let lines = bytes.split(separator: 0x0a)
    #expect(lines.allSatisfy { $0.last == 0x0d && $0.count <= 76 })
    #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    // The same entries: nothing to import where they are.
    let again = try home.ok(["import", file, "--json"]).object
    #expect(again["imported"] as? Int == 0, "\(again)")
    let other = try Home()
    try other.ok(["import", file])
    func told(_ home: Home) throws -> [[String]] {
      try home.ok(["list", "--bodies", "--json"]).array.map { entry in
        ["id", "title", "body", "date", "location", "tags"].map { "\(entry[$0] ?? "-")" }
      }
    }
    #expect(try told(other) == (try told(home)))
  }
}
