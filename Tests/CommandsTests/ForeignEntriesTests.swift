import Foundation
import Testing

@testable import Dates
@testable import Formats
@testable import Words

/// What other programs export, in `Tests/Imports`.
@Suite(.threads) struct ForeignEntriesTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Imports").path

  struct Expected {
    var path: String
    var format: String
    var imported: Int
    /// Kind and place of everything that was left out.
    var lost: [String] = []
    /// Title, date, body, tags of some entry.
    var entries: [(title: String?, date: String, body: String, tags: [String])]
  }

  private static let all: [Expected] = [
    Expected(
      path: "mini-diary.json", format: "mini-diary", imported: 2,
      entries: [
        ("First", "2024-01-01T12:00:00+09:00", "**bold** text", []),
        (nil, "2024-01-02T12:00:00+09:00", "two", []),
      ]),
    Expected(
      path: "mini-diarium.json", format: "mini-diarium", imported: 1, lost: ["field metadata"],
      entries: [
        (
          "T", "2024-01-15T12:00:00+09:00",
          """
          See [Visit site](https://example.com) **please** now

          - [x] done
          - [ ] open

          1. one
             - sub
          2. two

          > quoted
          >
          > more

          ```
          a *b*
            c
          ```

          1\\. no list, \\*star\\* a_b_c # x

          ![pic](picture-1.png)

          | a | b |
          | --- | --- |
          | 1 | 2 |

          line
          break
          """, ["travel", "work"]
        )
      ]),
    Expected(
      path: "keep", format: "keep", imported: 2,
      lost: [
        "attachment Keep/gone.jpg", "empty Keep/Empty.json", "field sharees",
        "file Keep/Labels.json", "trashed Keep/Old.json",
      ],
      entries: [
        (
          "Note one", "2020-03-01T08:00:00+09:00",
          "Hello *Keep*\n\n[Ex](https://example.com/)", ["Diary"]
        ), (nil, "2020-03-01T09:00:00+09:00", "- [ ] milk\n- [x] eggs", []),
      ]),
    Expected(
      path: "standard-notes.json", format: "standard-notes", imported: 2,
      lost: ["attachment photo.jpg", "trashed standard-notes.json"],
      entries: [
        ("Plain", "2021-03-04T14:06:07+09:00", "plain text", ["work"]),
        (
          "Super", "2021-03-04T15:06:07+09:00",
          """
          ## Head

          a **bold** `code`
          [link](https://e.org)

          - [x] x
            - deep

          > *q1*

          ```swift
          let a
          b
          ```
          """, []
        ),
      ]),
    Expected(
      path: "journey", format: "journey", imported: 2,
      lost: ["field mood", "field music_title"],
      entries: [
        (nil, "2017-06-09T08:33:20+02:00", "Hello **Journey**", ["x"]),
        (nil, "2017-06-21T08:06:40+09:00", "plain", []),
      ]),
    Expected(
      path: "daylio.csv", format: "daylio", imported: 2, lost: ["field scales"],
      entries: [
        (
          "A title", "2021-09-28T22:00:00+09:00", "**Bold** line\nsecond, \"quoted\"\nthird",
          ["sad", "clean", "music", "movies / tv"]
        ), (nil, "2021-09-27T23:10:00+09:00", "average", ["average"]),
      ]),
    Expected(
      path: "diaro", format: "diaro", imported: 1,
      entries: [("T <1>", "2014-09-18T02:26:40+02:00", "line one\nline two 🎉", ["one", "two"])]),
    Expected(
      path: "apple-journal", format: "apple-journal", imported: 1,
      lost: ["attachment Resources/IMG1.heic", "field stateOfMind"],
      entries: [
        (
          "Youve Connected", "2024-11-03T12:00:00+09:00",
          "> How was it?\n\nParagraph one.\n\nParagraph two.", []
        )
      ]),
    Expected(
      path: "calendar.ics", format: "vjournal", imported: 3,
      lost: [
        "attachment https", "field CONTACT", "field VEVENT", "trashed calendar.ics",
      ],
      entries: [
        ("in UTC", "2026-03-03T09:30:00+09:00", "", []),
        (nil, "2026-03-02T12:00:00+09:00", "only a day", []),
        (
          "A walk, by the river", "2026-07-01T21:30:00+02:00",
          "first line\nsecond; line that is folded because it is longer than seventy-five octets",
          ["walk", "birds, large"]
        ),
      ]),
    Expected(
      path: "jrnl", format: "jrnl", imported: 2, lost: ["file notes.md.bak"],
      entries: [
        ("Folder day. text @tag", "2026-03-01T09:30:00+09:00", "", ["tag"]),
        ("Next", "2026-03-02T09:30:00+09:00", "more", []),
      ]),
  ]

  @Test(arguments: (all + journals).indices)
  func `every program's export is recognised and comes in whole`(index: Int) throws {
    let expected = (Self.all + Self.journals)[index]
    let home = try Home()
    let path = Self.folder + "/" + expected.path
    let reply = try home.ok(["import", path, "--json"]).object
    #expect(reply["imported"] as? Int == expected.imported)
    let lost = (reply["lost"] as? [[String: Any]] ?? []).map { part in
      let place =
        (part["where"] as? String ?? "").replacing(path + ":", with: expected.path + ":")
        .split(separator: ":").first ?? ""
      return "\(part["what"] ?? "") \(place)"
    }
    #expect(lost.sorted() == expected.lost)
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    for wanted in expected.entries {
      let entry = try #require(
        entries.first {
          $0["title"] as? String == wanted.title && $0["body"] as? String == wanted.body
        },
        "\(wanted.title ?? "-"): \(entries.map { $0["body"] as? String ?? "" })")
      #expect(entry["date"] as? String == wanted.date)
      #expect(entry["tags"] as? [String] == wanted.tags)
    }
    // Again, by name: nothing new, nothing in conflict.
    let again = try home.ok(["import", path, "--format", expected.format, "--json"]).object
    #expect(again["imported"] as? Int == 0)
    #expect(again["duplicates"] as? Int == expected.imported)
  }

  @Test func `fields, photos and places come with them`() throws {
    let home = try Home()
    for path in ["journey", "diaro", "apple-journal", "keep", "mini-diarium.json"] {
      try home.ok(["import", Self.folder + "/" + path])
    }
    let entries = try home.ok(["list", "--bodies", "--json"]).array
    func entry(_ body: String) -> [String: Any] { entries.beginning(with: body) }
    let journey = entry("Hello **Journey")
    #expect(journey["location"] as? String == "Bahnhof, Zürich (47.37800, 8.54000)")
    #expect(journey["weather"] as? String == "clear sky, 21 °C")
    #expect(journey["starred"] as? Bool == true && journey["zone"] as? String == "Europe/Zurich")
    #expect(files(journey) == ["1497-3f-a.jpg"])
    let diaro = entry("line one")
    #expect(diaro["journal"] as? String == "Reise & mehr")
    #expect(diaro["location"] as? String == "Home, Street 1 (35.10000, 135.20000)")
    #expect(files(diaro) == ["photo_1.jpg"])
    let apple = entry("> How")
    #expect(apple["location"] as? String == "Old Town" && files(apple) == ["IMG2.heic"])
    #expect(files(entry("Hello *Keep")) == ["abc.jpg"])
    let picture = entry("See [")
    #expect(files(picture) == ["picture-1.png"])
    let id = try #require(picture["id"] as? String)
    let out = home.path + "/out.png"
    try home.ok(["extract", id, "picture-1.png", "-o", out])
    #expect(try Data(contentsOf: URL(fileURLWithPath: out)).starts(with: [0x89, 0x50]))
  }

  /// Each is refused with its place, and nothing comes in.
  @Test(arguments: [
    (
      "mini.json", #"{"metadata":{},"entries":{"01/01/2024":{"title":"x","text":"y"}}}"#,
      "mini.json, line 1"
    ),
    ("mini.json", #"{"metadata":{},"entries":{"2024-01-01":["x"]}}"#, "mini.json"),
    ("a.json", #"{"metadata":{"application":"Mini Diarium"},"entries":[{"text":"x"}]}"#, "date"),
    ("n.json", #"{"items":[{"content_type":"Note","content":"004:x"}]}"#, "is encrypted"),
    (
      "n.json",
      #"{"version":"004","items":[{"content":"004:\#(String(repeating: "x", count: 70_000))"}]}"#,
      "is encrypted"
    ),
    ("pgp.asc", "-----BEGIN PGP MESSAGE-----\n\nabc\n", "is encrypted"),
    ("age.txt", "age-encryption.org/v1\n-> X25519 abc\n", "is encrypted"),
    ("openssl", "U2FsdGVkX1+abc", "is encrypted"),
    ("jrnl.txt", "gAAAAABk", "encrypted by jrnl"),
    ("old-jrnl.txt", "\u{1}\0\u{7f}abc", "may be encrypted"),
    ("broken.zip", "PK\u{3}\u{4}garbage", "damaged or incomplete zip file"),
    ("holiday.gif", "GIF89a\0\u{1}", "attach it to an entry"),
    ("letter.pdf", "%PDF-1.7 x", "(application/pdf), not an export"),
    ("n.json", #"{"items":[{"content_type":"Note","content":{"text":"x"}}]}"#, "created_at"),
    ("n.json", #"{"items":[{"content_type":"Note","content":{"text":"x"}"#, "n.json"),
    ("k.json", #"{"userEditedTimestampUsec":1e300,"textContent":"x"}"#, "createdTimestampUsec"),
    ("k.json", #"{"userEditedTimestampUsec":"soon","textContent":"x"}"#, "createdTimestampUsec"),
    ("j.json", #"{"date_journal":"x","text":"y"}"#, "date_journal"),
    ("j.json", #"{"date_journal":-1e14,"text":"y"}"#, "j.json"),
    ("d.csv", "full_date,date,weekday,time,mood\n2021-13-01,x,y,10:00,z\n", "d.csv, line 2"),
    ("d.csv", "full_date,time,mood\n2021-01-01,25:00,z\n\"open", "d.csv, line 2"),
    ("d.xml", #"<data><table name="diaro_tags"></table></data>"#, "diaro_entries"),
    (
      "d.xml",
      #"<data><table name="diaro_entries"><r><uid>u1</uid><date>x</date></r></table></data>"#,
      "u1"
    ),
  ]) func `what is broken is named`(name: String, text: String, words: String) throws {
    let home = try Home()
    let file = try home.put(name, text)
    let run = try home.run(["import", file, "--passphrase-file", home.passphrase])
    #expect(run.status == 8 && run.err.contains(words), "\(run.status): \(run.err)")
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
  }

  @Test(
    arguments: [
      ("Sun Feb 15 2026 15:15:14 GMT+0100 (CET)", 1_771_164_914),
      ("Sun Feb 15 2026 09:45:14 GMT-0430", 1_771_164_914),
      ("S\u{301}un Feb 15 2026 15:15:14 GMT+0100", 1_771_164_914),
      ("Sun Feb 30 2026 15:15:14 GMT+0100", nil), ("Sun Feb 15 2026 25:15:14 GMT+0100", nil),
      ("Sun Feb 15 2026 15:15:14 GMT+01", nil), ("Sun Feb 15 2026 15:15:14 GMT+01\u{301}0", nil),
      ("Sun F\u{301}eb 15 2026 15:15:14 GMT+0100", nil), ("S\u{301}un Feb …", nil), ("", nil),
      ("Sun Feb １５ 2026 15:15:14 GMT+0100", nil),
    ] as [(String, Int64?)])
  func `a date of JavaScript's is read, or is none`(text: String, seconds: Int64?) {
    #expect(MiniDiaryEntries.seconds(javaScript: text) == seconds)
  }

  @Test func `a date with a combining mark is no trap`() throws {
    let home = try Home()
    let file = try home.put(
      "mini.json",
      #"{"metadata":{},"entries":{"2024-01-01":{"title":"x","text":"y","dateUpdated":"S\u0301un Feb …"}}}"#
    )
    try home.ok(["import", file])
    #expect(try home.ok(["list", "--json"]).array.count == 1)
  }

  @Test func `an archive is named by its own name, not by where it was unpacked`() throws {
    let home = try Home()
    _ = try home.put("keep/a.json", #"{"textContent":"x""#)
    _ = try home.put(
      "keep/b.json", #"{"userEditedTimestampUsec":1700000000000000,"textContent":"y"}"#)
    let zip = try home.zip("takeout.zip", "keep")
    let secret = ["--passphrase-file", home.passphrase]
    let refused = try home.run(["import", zip] + secret)
    #expect(refused.status == 8 && refused.err.contains(zip + "/keep/a.json"), "\(refused.err)")
    #expect(!refused.err.contains("unpacked"), "\(refused.err)")
    let skipping = try home.run(["import", zip, "--skip-bad"] + secret)
    #expect(skipping.status == 0 && !(skipping.out + skipping.err).contains("unpacked"))
    _ = try home.put(
      "Standard Notes.json", #"{"items":[{"content_type":"Note","content":"004:x"}]}"#)
    let notes = try home.zip("notes.zip", "Standard Notes.json")
    let sealed = try home.run(["import", notes, "--json"] + secret)
    #expect(sealed.status == 8 && sealed.err.contains("is encrypted"), "\(sealed.err)")
    #expect(!sealed.err.contains("unpacked"), "\(sealed.err)")
  }

  /// Signs are bytes, a quote is one only where a field begins, and one that is not closed is said.
  @Test func `a line of Daylio's is read as it stands`() throws {
    let home = try Home()
    let file = try home.put(
      "d.csv",
      "full_date,time,mood,note\n2021-01-01,10:00,a,one\u{2028}two\r\n2021-01-02,10:00,b,6\" pipe\r\n"
        + "2021-01-03,10:00,c,\"a <b>b</b>\r\nnext\"\n2021-01-04,10:00,d,\"\u{fe0f}x\"\n")
    try home.ok(["import", file])
    let bodies = try home.ok(["list", "--bodies", "--json"]).array.map { $0["body"] as? String }
    #expect(bodies == ["\u{fe0f}x", "a **b**\nnext", "6\" pipe", "one\u{2028}two"])
    let open = try home.put(
      "o.csv", "full_date,time,mood,note\n2021-02-01,10:00,a,\"never\n2021-02-02,1,b,c\n")
    let run = try home.run(["import", open, "--passphrase-file", home.passphrase])
    #expect(run.status == 8 && run.err.contains("line 2: a quote is opened"), "\(run.err)")
    // As many columns as rows take no longer than either.
    let wide = try home.put(
      "w.csv",
      "full_date" + String(repeating: ",", count: 100_000)
        + String(repeating: "\n2021-01-01", count: 20_000))
    _ = try home.run(["import", wide, "--dry-run", "--passphrase-file", home.passphrase])
  }

  @Test func `nothing lies in a folder unseen`() throws {
    let home = try Home()
    for name in ["a.json", "b.json"] {
      _ = try home.put(
        "keep/\(name)", #"{"userEditedTimestampUsec":1583020800000000,"textContent":"\#(name)"}"#)
    }
    _ = try home.put("keep/photo.jpg", "not named")
    _ = try home.put("keep/a.html", "<p>the same")
    let lost =
      try home.ok(["import", home.path + "/keep", "--json"]).object["lost"] as? [[String: Any]]
    #expect(lost?.map { "\($0["what"] ?? "") \($0["where"] ?? "")" } == ["unread photo.jpg"])
    // Two programs' entries: neither swallows the other's.
    _ = try home.put("keep/2024-01-01.md", "a note")
    let both = try home.run(["import", home.path + "/keep", "--passphrase-file", home.passphrase])
    #expect(both.status == 2 && both.err.contains("markdown, keep"), "\(both.err)")
    #expect(both.err.contains("--format keep"))
    let notes = try home.ok(["import", home.path + "/keep", "--format", "markdown", "--json"])
      .object
    #expect(notes["imported"] as? Int == 1 && (notes["lost"] as? [Any])?.count == 4)
    _ = try home.put("vault/a 2024-01-01.md", "x")
    _ = try home.put(
      "vault/data.json", #"{"entries":[{"creationDate":"2024-01-01T00:00:00Z","text":"x"}]}"#)
    #expect(
      try home.run(["import", home.path + "/vault", "--passphrase-file", home.passphrase]).status
        == 2)
  }

  @Test func `one note comes by standard input, and what is none is said`() throws {
    let home = try Home()
    let note = #"{"date_journal":1583020800000,"text":"by pipe","id":"x"}"#
    let run = try home.run(
      ["import", "-", "--json", "--passphrase-file", home.passphrase], input: note)
    #expect(run.object["imported"] as? Int == 1, "\(run.err)")
    for (name, text, words) in [
      ("x.pdf", "%PDF-1.4", "attach it"), ("t.txt", "hello", "is not recognised"),
      ("u.txt", "\u{feff}h\0i", "is not text"),
    ] {
      let file = try home.put(name, text)
      let run = try home.run(["import", file, "--passphrase-file", home.passphrase])
      #expect(run.status == 8 && run.err.contains(words), "\(run.err)")
    }
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      let file = home.path + "/wide.json"
      let bytes = try #require("[{\"date\":\"2026-01-01\",\"body\":\"a\"}]".data(using: encoding))
      try bytes.write(to: URL(fileURLWithPath: file))
      let run = try home.run(["import", file, "--passphrase-file", home.passphrase])
      #expect(run.status == 8 && run.err.contains("iconv -f UTF-16 -t UTF-8 '\(file)'"), "\(run)")
    }
    let alone = try home.put(
      "2024年3月5日 Walk.md", "# Not this\nby the river #旅/京都 #1 `#code` a#b #work,")
    try home.ok(["config", "set", "inlineTags", "on"])
    try home.ok(["import", alone])
    let entry = try #require(home.ok(["list", "--bodies", "--json"]).array.first)
    #expect(
      entry["title"] as? String == "Not this" && entry["tags"] as? [String] == ["旅/京都", "work"])
    #expect((entry["date"] as? String)?.hasPrefix("2024-03-05") == true)
    // A time without an offset is one of this zone.
    for (time, isLocal) in [
      ("2024-05-06 10:00", true), ("2024-05-07T10:00", true), ("2024-05-08", true),
      ("2024-05-09 10:00 +0545", false), ("2024-05-10T10:00:00Z", false),
    ] {
      let note = try home.put("note.md", "---\ndate: \(time)\n---\n\(time)")
      try home.ok(["import", note])
      let entry = try #require(home.ok(["list", "--json", "--limit", "1"]).array.first)
      #expect((entry["date"] as? String)?.hasPrefix(time.prefix(10)) == true)
      #expect((entry["zone"] is NSNull) == !isLocal, "\(time)")
    }
  }

  @Test func `a day of jrnl's that cannot be read is one, and a Day One text may be rich alone`()
    throws
  {
    let home = try Home()
    _ = try home.put("j/2026/03/01.txt", "[2026-03-01 09:30] one\n")
    _ = try home.put("j/2026/03/02.txt", "")
    _ = try home.put("j/2026/03/03.txt", "no head\n")
    _ = try home.put("j/2026/03/04.txt", "[2026-03-04 09:30] four\n")
    let reply = try home.ok(["import", home.path + "/j", "--skip-bad", "--json"]).object
    #expect(reply["imported"] as? Int == 2 && reply["skipped"] as? Int == 1)
    let rich = try home.put(
      "d.json",
      #"{"entries":[{"uuid":"A","creationDate":"2024-01-01T00:00:00Z","richText":"{\"contents\":[{\"text\":\"rich \"},{\"text\":\"words\"}]}"},{"uuid":"B","creationDate":"2024-01-02T00:00:00Z","text":"x","photos":[{"md5":"m","format":"jpeg"}]}]}"#
    )
    try home.ok(["import", rich])
    #expect(try home.ok(["search", "rich words", "--json"]).array.count == 1)
    let edited = try home.put(
      "d.json", #"{"entries":[{"uuid":"B","creationDate":"2024-01-02T00:00:00Z","text":"other"}]}"#)
    let run = try home.run(["import", edited, "--passphrase-file", home.passphrase])
    #expect(run.status == 7 && run.err.contains("--on-conflict update"), "\(run.err)")
  }

  @Test func `what is cut off or belongs to nobody is said`() throws {
    let home = try Home()
    let cut = try home.put(
      "d.xml",
      "<data><table name=\"diaro_entries\"><r><uid>a</uid><date>1411000000000</date><text>x</text></r><r><uid>b</uid><da"
    )
    let run = try home.run(["import", cut, "--passphrase-file", home.passphrase])
    #expect(run.status == 8)
    let odd = try home.put(
      "o.xml",
      """
      <data><table name="diaro_entries"><r><uid></uid><date>1411000000000</date><text>one</text><mood>3</mood></r>
      <r><uid></uid><date>1411000000001</date><text>two</text><folder_uid>gone</folder_uid></r></table>
      <table name="diaro_attachments"><r><entry_uid>nobody</entry_uid><filename>p.jpg</filename></r></table></data>
      """)
    let reply = try home.ok(["import", odd, "--json"]).object
    let lost = (reply["lost"] as? [[String: Any]] ?? []).map { $0["where"] as? String ?? "" }
    #expect(
      reply["imported"] as? Int == 2
        && lost.sorted() == ["folder_uid", "media/photo/p.jpg", "mood"])
  }

  @Test func `all that is bad is named at once`() throws {
    let home = try Home()
    let rows = (1...4).map { "2021-0\($0)-0\($0),10:00,ok" } + ["2021-99-01,x,bad", "nonsense,,"]
    let file = try home.put("d.csv", "full_date,time,mood\n" + rows.joined(separator: "\n") + "\n")
    let run = try home.run(["import", file, "--passphrase-file", home.passphrase])
    #expect(run.status == 8)
    #expect(run.err.contains("line 6") && run.err.contains("1 more") && run.err.contains("d.csv:7"))
    let reply = try home.ok(["import", file, "--skip-bad", "--json"]).object
    #expect(reply["imported"] as? Int == 4 && reply["skipped"] as? Int == 2)
  }
}
