import Foundation
import Testing

/// What files of other programs say in ways of their own, each once.
@Suite(.threads) struct ImportDetailsTests {
  private func taken(
    _ files: [String: String], _ words: [String], format: String? = nil
  ) throws -> (run: Run, entries: [[String: Any]]) {
    let home = try Home()
    for (name, text) in files { _ = try home.put("in/" + name, text) }
    let run = try home.run(
      ["import", home.path + "/in" + (words.first ?? "")] + words.dropFirst()
        + (format.map { ["--format", $0] } ?? []) + ["--passphrase-file", home.passphrase])
    return (run, try home.ok(["list", "--json", "--bodies"]).array)
  }

  @Test(arguments: [
    ("2024/03/05.md", "Text", nil, "2024-03-05"), ("2024-03-02 Sat.md", "Text", nil, "2024-03-02"),
    ("2024-03-02-0930.md", "Text", nil, "2024-03-02T09:30"),
    ("2024-03-02T0930 Meeting.md", "Text", "Meeting", "2024-03-02T09:30"),
    ("2024-03-02 Sunset.md", "Text", "Sunset", "2024-03-02"),
    ("2024-03-02 2024 in review.md", "Text", "2024 in review", "2024-03-02T12:00"),
    ("2024-03-02 土.md", "Text", nil, "2024-03-02"),
    ("2024-03-02 Walk.md", "Text\r\nmore\r\n", "Walk", "2024-03-02"),
  ])
  func `a note's name says its day, its time and its title`(
    name: String, text: String, title: String?, date: String
  ) throws {
    let (run, entries) = try taken([name: text], [""], format: "markdown")
    #expect(run.status == 0 && entries.count == 1, "\(run)")
    let entry = entries.first ?? [:]
    #expect(entry["title"] as? String == title)
    #expect((entry["date"] as? String)?.hasPrefix(date) ?? false, "\(entry)")
    #expect(!((entry["body"] as? String)?.hasSuffix("\r") ?? true))
  }

  @Test func `a file that a note links to comes with it`() throws {
    let (run, entries) = try taken(
      [
        "notes/2024-03-02.md":
          "See [plan](../_resources/plan.pdf), [it](../_resources/plan.pdf), [other](2024-03-03.md)"
          + " and [site](https://example.com/x.pdf), [none](gone.txt).",
        "notes/2024-03-03.md": "Text", "_resources/plan.pdf": "%PDF",
      ], [""], format: "markdown")
    #expect(!run.err.contains("plan.pdf"), "\(run.err)")
    #expect(files(entries.beginning(with: "See")) == ["plan.pdf"], "\(entries)")
    #expect(files(entries.beginning(with: "Text")).isEmpty)
  }

  @Test func `front matter as Obsidian has it`() throws {
    let (_, entries) = try taken(
      [
        "2024-03-02.md": "---\ntags: one, two three\nstarred: yes\n---\nA",
        "2024-03-03.md": "---\ntags:\n  - \"#four\"\n---\nB",
      ], [""], format: "markdown")
    #expect(entries.beginning(with: "A")["tags"] as? [String] == ["one", "two three"])
    #expect(entries.beginning(with: "A")["starred"] as? Bool == true)
    #expect(entries.beginning(with: "B")["tags"] as? [String] == ["four"])
  }

  @Test func `what is written between signs that mean something else stays`() throws {
    let day = "Walk http://example.com/a--b--c//d //far//\n\n  ```\n  i--; j--; a//b//c\n  ```"
    let (_, notes) = try taken(
      [
        "2024-03.txt": "1:\n  text: |\n" + day.split(separator: "\n").map { "    \($0)\n" }.joined()
      ],
      [""], format: "rednotebook")
    let body = notes.first?["body"] as? String ?? ""
    #expect(body.contains("http://example.com/a--b--c//d *far*"), "\(body)")
    #expect(body.contains("i--; j--; a//b//c"), "\(body)")
    let head = "full_date,date,weekday,time,mood,activities,note_title,note\n"
    let (_, moods) = try taken(
      ["days.csv": head + "2024-03-01,March 1,Friday,9:00,good,,,I <sigh> 2 < 3 <ana@x.de>\n"],
      ["/days.csv"], format: "daylio")
    #expect(moods.first?["body"] as? String == "I <sigh> 2 < 3 <ana@x.de>", "\(moods)")
  }

  @Test func `a heading without a day is named, a calendar that is cut is refused`() throws {
    let (run, entries) = try taken(
      ["a.org": "* 2024-03-01 Fri\nText\n* Ideas\n** One\n** Two\n"], ["/a.org"])
    #expect(entries.count == 1 && run.err.contains("a.org:4") && run.err.contains("a.org:5"))
    let journal =
      "BEGIN:VCALENDAR\r\nBEGIN:VJOURNAL\r\nUID:1\r\nDTSTART;TZID=\"GMT+02:00\":20240301T093000\r\n"
      + "CREATED:20240301T090000Z\r\nSUMMARY:One\r\nEND:VJOURNAL\r\n"
    let (whole, found) = try taken(["a.ics": journal + "END:VCALENDAR\r\n"], ["/a.ics"])
    #expect(whole.status == 0, "\(whole.err)")
    #expect(found.first?["created"] as? String == "2024-03-01T09:00:00+00:00")
    let (cut, none) = try taken(
      ["a.ics": journal + "BEGIN:VJOURNAL\r\nUID:2\r\nDTSTART:20240302T0930"], ["/a.ics"])
    #expect(cut.status == 8 && none.isEmpty, "\(cut)")
  }

  @Test func `a field that no entry has is named, however many there are`() throws {
    let (run, entries) = try taken(
      [
        "a.json":
          #"[{"date": "2024-03-01", "body": "One", "mood": 3, "extra": [1], "revision": 2}]"#
      ],
      ["/a.json"])
    #expect(entries.count == 1 && run.err.contains("mood") && run.err.contains("extra"))
    #expect(!run.err.contains("revision"))
    let many = (0..<200_000).map { #""m\#($0)": 0"# }.joined(separator: ", ")
    let (rest, _) = try taken(
      ["a.json": #"[{"date": "2024-03-01", "body": "One", \#(many)}]"#], ["/a.json"])
    #expect(rest.status == 0)
  }

  @Test func `times of Org have an end, and a day's file its entries`() throws {
    let (_, meetings) = try taken(
      [
        "a.org":
          "* <2026-03-03 Tue 14:30-15:30> Talk\n* Trip <2026-03-04 Wed>--<2026-03-06 Fri>\nFar\n"
      ],
      ["/a.org"])
    let talk = meetings.first { $0["title"] as? String == "Talk" }
    #expect((talk?["until"] as? String)?.hasPrefix("2026-03-03T15:30") ?? false, "\(meetings)")
    #expect(meetings.contains { $0["title"] as? String == "Trip" })
    let (_, sunsets) = try taken(["a.org": "* 2026-03-03 Sunset walk\n"], ["/a.org"])
    #expect(sunsets.first?["title"] as? String == "Sunset walk", "\(sunsets)")
    let (_, day) = try taken(
      ["20260301": "* Sunday, 03/01/26\n** 08:00 Morning :tea:\nWarm.\n** 21:15 Evening\nCold.\n"],
      [""], format: "org")
    #expect(day.compactMap { $0["title"] as? String } == ["Evening", "Morning"], "\(day)")
    #expect(day.last?["tags"] as? [String] == ["tea"])
    #expect((day.first?["date"] as? String)?.hasPrefix("2026-03-01T21:15") ?? false)
  }

  /// A zone may have a sign in its name that ends a name in a calendar.
  @Test func `what is exported to a calendar comes back, whatever its zone is called`() throws {
    let home = try Home()
    let entry =
      #"[{"date": "2024-03-01T09:30:00+02:00", "zone": "GMT+02:00", "body": "One"}]"#
    try home.ok(["import", try home.put("one.json", entry)])
    let other = try Home()
    try home.ok(["export", "--format", "vjournal", "-o", other.path + "/one.ics"])
    try other.ok(["import", other.path + "/one.ics"])
    #expect(try other.ok(["list", "--json", "--bodies"]).array.beginning(with: "One").count > 0)
  }
}
