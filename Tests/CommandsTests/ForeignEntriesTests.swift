import Foundation
import Testing

@testable import Commands

/// What other programs export, in `Tests/Imports`.
@Suite struct ForeignEntriesTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Imports").path

  private struct Expected {
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
      path: "jrnl", format: "jrnl", imported: 2, lost: ["file notes.md.bak"],
      entries: [
        ("Folder day. text @tag", "2026-03-01T09:30:00+09:00", "", ["tag"]),
        ("Next", "2026-03-02T09:30:00+09:00", "more", []),
      ]),
  ]

  @Test(arguments: all.indices)
  func `every program's export is recognised and comes in whole`(index: Int) throws {
    let expected = Self.all[index]
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
    func entry(_ body: String) -> [String: Any] {
      entries.first { ($0["body"] as? String ?? "").hasPrefix(body) } ?? [:]
    }
    func files(_ entry: [String: Any]) -> [String] {
      (entry["attachments"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
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

/// HTML as Markdown.
@Suite struct MarkupTests {
  @Test(arguments: [
    ("a<b>b</b>c", "a**b**c"), ("<b> spaced </b>x", "**spaced** x"), ("<b></b>x", "x"),
    ("<b><b>twice</b></b>", "**twice**"), ("<i><b>both</b></i>", "***both***"),
    ("<b>never closed", "**never closed**"), ("</b></p></li>stray", "stray"),
    ("a &lt;b&gt; &amp; &eacute;&#233; &nope; &", "a <b> & éé &nope; &"),
    ("x < y > z <3", "x < y > z <3"), ("<a href=x>y", "[y](x)"), ("<a>y</a>", "y"),
    ("<a href='a (b) c'>t</a>", "[t](<a (b) c>)"), ("<a href=\"u\"><b>t</a></b>", "[**t**](u)"),
    ("<b>x<a href=u>y</b>z</a>", "**x[y](u)**z"), ("<!-- c -->x<!-- y", "x<!-- y"),
    ("<![CDATA[a<b>c]]>d", "a<b>cd"), ("<script>alert(1)</script>x<style>p</style>", "x"),
    ("<p>a</p><p></p><p>b</p>", "a\n\nb"), ("a<br><br>b", "a\n\nb"), ("<h3>t</h3>x", "### t\n\nx"),
    ("<ul><li>a<li>b</ul>", "- a\n- b"), ("<code>a`b\\c</code>", "`` a`b\\c ``"),
    ("<pre>a<a href=x>b\nc</pre>d</a>", "```\nab\nc\n```\n\nd"), ("<hr>x", "---\n\nx"),
    ("<img src='' alt=x>y", "y"), ("<img src=a.png />", "![](a.png)"),
    ("日本<strong>語</strong>の<em>本</em>", "日本**語**の*本*"),
    ("<div>a<div>b</div>c</div>", "a\nb\nc"),
    ("<p># no</p><p>- no</p><p>2. no</p>", "\\# no\n\n\\- no\n\n2\\. no"),
  ]) func `as a reader would have it`(html: String, markdown: String) {
    #expect(MarkdownFromHTML.text(html) == markdown)
  }

  /// Whatever it is made of, a text of a mebibyte takes no longer than reading it does.
  @Test(arguments: [
    "<", "<a", "<a \"", "<!--", "<!---->", "<b>", "<b>x</b>", "<blockquote>", "<ul><li>",
    "<a href=x>",
    "<a href=x>y</a>", "&", "&amp", "</b>", "<td>", "<pre>", "*", ".", "1.", "<i><b>x</i></b>",
    "<a href=x><b>y</b></a>", "<br>", "<img src=data:,>", "<code>x</code>",
  ]) func `no text stalls it`(piece: String) {
    let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
    _ = MarkdownFromHTML.text(text)
  }
}
