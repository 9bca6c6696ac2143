import Foundation
import Glibc
import Testing

/// Living with a diary, through the built command.
@Suite(.threads) struct DiaryLifeTests {
  @Test func `a journal with days groups entries, and is removed together with them`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto", "--from", "2026-03-01", "--to", "2026-03-04"])
    for (words, status) in [
      (["journals", "add", "kyoto"], 7), (["journals", "add", " "], 8),
      (["journals", "add", "Bad", "--from", "2026-03-04", "--to", "2026-03-01"], 8),
      (["journals", "rename", "Nowhere", "X"], 6), (["journals", "remove", "Kyoto"], 2),
      (["journals", "fly"], 2), (["kinds", "remove", "meal", "--yes"], 7),
      (["kinds", "add", "MEAL"], 7), (["kinds", "add", "MEAL", "--emoji", "🍜"], 7),
      (["kinds", "add", "soup", "--emoji", "🍽️"], 7), (["kinds", "add", "x", "--emoji", "abc"], 8),
      (["write", "x", "--journal", "Kioto"], 6), (["write", "x", "--kind", "mael"], 6),
      (["list", "--from", "2026-03-05", "--to", "2026-03-01"], 8),
    ] {
      let run = try home.run(words + ["--passphrase-file", home.passphrase])
      #expect(run.status == Int32(status), "\(words): \(run.err)")
    }
    _ = try home.write(
      "temple", ["--journal", "kyoto", "--date", "2026-03-01T09:30", "--until", "+90m"])
    _ = try home.write("ramen", ["--journal", "Kyoto", "--date", "2026-03-03", "--kind", "🍽️"])
    let list = try home.ok(["list", "--journal", "Kyoto", "--empty-days", "--reverse"]).out
    let days = list.split(separator: "\n").filter { $0.hasPrefix("2026-03-0") }
    #expect(days.map { $0.prefix(10) } == ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"])
    #expect(try home.ok(["journals", "--json"]).array[0]["count"] as? Int == 2)
    try home.ok(["journals", "remove", "Kyoto", "--trash", "--yes"])
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
    #expect(try home.ok(["trash", "--json"]).array.count == 2)
    let bad = try home.run(
      [
        "write", "x", "--date", "2026-03-01T10:00", "--until", "09:00", "--passphrase-file",
        home.passphrase,
      ])
    #expect(bad.status == 8)
  }

  @Test func `photos go in and out, and never over another file`() throws {
    let home = try Home()
    let photo = home.path + "/photo.jpg"
    var data = Data([0xff, 0xd8, 0xff, 0xe0])
    data.append(Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    try data.write(to: URL(fileURLWithPath: photo))
    let id = try home.write("", ["--attach", photo])
    try home.ok(["attach", id, photo])
    let names = try home.ok(["attachments", id, "--json"]).array
    #expect(names.map { $0["name"] as? String } == ["photo.jpg", "photo-2.jpg"])
    #expect(names[0]["type"] as? String == "image/jpeg" && names[0]["size"] as? Int == data.count)
    try home.ok(["extract", id, "photo-2.jpg", "-o", home.path + "/out.jpg"])
    #expect(FileManager.default.contents(atPath: home.path + "/out.jpg") == data)
    let run = try home.run([
      "extract", id, "nothing.png", "--passphrase-file", home.passphrase, "--json",
    ])
    #expect(run.status == 6 && run.errorCode == "not-found")
    // A link planted where it writes is not followed.
    symlink(home.passphrase, home.path + "/link.jpg")
    #expect(
      try home.run([
        "extract", id, "photo.jpg", "-o", home.path + "/link.jpg", "--passphrase-file",
        home.passphrase,
      ]).status == 7)
    #expect(try home.ok(["list", "--has-attachment", "--json"]).array.count == 1)
    try home.ok(["detach", id, "photo.jpg"])
    #expect(try home.ok(["attachments", id, "--json"]).array.count == 1)
    #expect(try home.ok(["verify", "--json"]).object["attachments"] as? Int == 2)
  }

  @Test func `findings of two outside reviews stay fixed`() throws {
    let home = try Home()
    func status(_ words: [String], _ input: String = "") throws -> Int32 {
      try home.run(words + ["--passphrase-file", home.passphrase], input: input).status
    }
    // Names that are texts although YAML knows them, and the longest a name can be.
    try home.ok(["journals", "add", "null"])
    let long = home.path + "/" + String(repeating: "n", count: 250)
    try Data("x".utf8).write(to: URL(fileURLWithPath: long))
    let id = try home.write(
      "body",
      ["--title", "null", "--journal", "null", "--tag", "~", "--tag", "null", "--attach", long])
    try home.ok(["export", "--format", "markdown", "-o", home.path + "/md"])
    try home.ok(["export", "-o", home.path + "/plain.json"])
    let other = try Home()
    // First without its file, then with it: the file is not lost.
    try other.ok(["import", home.path + "/plain.json"])
    #expect(try other.ok(["import", home.path + "/md", "--json"]).object["imported"] as? Int == 1)
    let back = try other.ok(["show", id, "--json"]).array[0]
    #expect(back["title"] as? String == "null" && back["journal"] as? String == "null")
    #expect(back["tags"] as? [String] == ["~", "null"])
    #expect((back["attachments"] as? [[String: Any]])?.count == 1)
    // Imports that never end are refused while they are small.
    let tags = "[{\"date\":\"2026-01-01\",\"tags\":[" + String(repeating: "\"a\",", count: 100)
    #expect(try status(["import", "-"], tags) == 8)
    #expect(
      try status(
        ["import", "-", "--format", "dayone"],
        "{\"entries\":[{\"x\":[" + String(repeating: "{\"a\":1},", count: 600_000)) == 8)
    // A note is as safe for a terminal as a list.
    #expect(try !home.ok(["journals", "add", "J\u{1b}[31m\u{9b}"]).err.contains("\u{1b}"))
    // Dates as people write them, our own Japanese ones included.
    for date in [
      "2026-3-1", "2026/03/01", "2026年3月1日", "2026年03月01日", "yesterday 18:00", "昨日 18:00", "９：００",
    ] { #expect(try status(["write", "x", "--date", date]) == 0, "\(date)") }
    // The wide space parts words; an offset that is not ours is no claim to our zone.
    _ = try home.write("カフェで読書", ["--date", "2026-02-01T09:30Z"])
    let found = try home.ok(["search", "かふぇ　読書", "--json"]).array
    #expect(found.count == 1 && found[0]["zone"] is NSNull)
    #expect(try home.run(["lsit", "--language", "ja"]).err.contains("コマンドはありません"))
    #expect(
      try home.ok(["journals", "edit", "null", "--from", "2026-03-01", "--json"]).object["name"]
        as? String == "null")
    let journals = try home.ok(["journals", "--json"]).array
    #expect(journals[0]["from"] as? String == "2026-03-01")
  }

  @Test func `an interrupt at the prompt loses no text`() throws {
    let home = try Home()
    let editor = try home.put(
      "editor",
      "#!/bin/sh\necho typed >> \"$1\"\nFACEDIARY_RUNTIME=\(home.path)/run \(Home.binary) lock\n",
      mode: 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(home, ["write"], extra: ["EDITOR": editor])
    #expect(session.expect("Passphrase: "))
    session.type("\u{3}")
    #expect(session.end() == 130)
    // Four wrong passphrases: the right one has to wait its second, too.
    while try home.ok(["status", "--json"]).object["retryAfter"] as? Int != nil { usleep(50_000) }
    let id = try #require(home.ok(["write", "--recover", "--json"]).array.first?["id"] as? String)
    #expect(try home.ok(["show", "--raw", id]).out == "typed")
  }

  @Test func `the HTML export has no script and no outside reference`() throws {
    let home = try Home()
    let image = home.path + "/x.png"
    let bytes = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2])
    try bytes.write(to: URL(fileURLWithPath: image))
    _ = try home.write(
      "<script>alert(1)</script> & \"q\"", ["--title", "<b>", "--tag", "<i>", "--attach", image])
    let html = try home.ok(["export", "--format", "html"]).out
    #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("<i>"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;"))
    // What is no picture inside, nobody can clean: it is named.
    #expect(html.contains("📎 x.png") && !html.contains("<img"))
    let asked = try home.ok(["export", "--format", "html", "--photo-metadata"]).out
    #expect(asked.contains("src=\"data:image/png;base64,\(bytes.base64EncodedString())\""))
    #expect(!html.contains("http://") && !html.contains("https://"))
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
  }

  @Test(arguments: ["json", "markdown"])
  func `templates and every name of a kind go along with an export`(format: String) throws {
    let home = try Home()
    _ = try home.write("one")
    let text = "Slept:\nDreamt: \u{1f4a4}\n"
    try home.ok(["templates", "add", "Morning", text])
    try home.ok(["kinds", "add", "hike", "--emoji", "🥾"])
    let out = home.path + (format == "json" ? "/out.json" : "/out")
    try home.ok(["export", "--format", format, "--output", out])
    let other = try Home()
    func templates(_ home: Home) throws -> String { try home.ok(["templates", "--json"]).out }
    try other.ok(["import", out])
    #expect(try templates(other) == templates(home))
    // Again: nothing is new. One with another text is a conflict, which may be passed over or replaced.
    try other.ok(["import", out])
    try other.ok(["templates", "remove", "Morning", "--yes"])
    try other.ok(["templates", "add", "Morning", "Other"])
    #expect(try other.run(["import", out, "--passphrase-file", other.passphrase]).status == 7)
    try other.ok(["import", out, "--on-conflict", "skip"])
    #expect(try templates(other).contains("Other"))
    try other.ok(["import", out, "--on-conflict", "update"])
    #expect(try templates(other) == templates(home))
    // A part of a diary takes none along.
    #expect(try !home.ok(["export", "--on", "today"]).out.contains("Dreamt"))
  }

  @Test func `the history is exported where it is asked for`() throws {
    let home = try Home()
    let id = try home.write("first", ["--title", "A"])
    try home.ok(["edit", id, "second"])
    try home.ok(["edit", id, "third"])
    _ = try home.write("unchanged")
    #expect(!(try home.ok(["export"]).out.contains("history")))
    let out = home.path + "/out.json"
    try home.ok(["export", "--history", "--output", out])
    let whole = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: out)))
        as? [String: Any])
    let history = try #require(whole["history"] as? [[String: Any]])
    #expect(history.map { $0["body"] as? String } == ["first", "second"])
    #expect(history.allSatisfy { $0["id"] as? String == id || id.hasPrefix("\($0["id"] ?? "-")") })
    #expect((whole["entries"] as? [Any])?.count == 2)
    // Nobody can write what was written before: that is said.
    let reply = try Home().ok(["import", out, "--json"]).object
    #expect(reply["imported"] as? Int == 2 && "\(reply["lost"] ?? "")".contains("history"))
    #expect(
      try home.run([
        "export", "--history", "--format", "html", "--passphrase-file", home.passphrase,
      ])
      .status == 2)
  }

  @Test func `the HTML export is laid out like a book`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto & back"])
    for (date, text, more) in [
      ("2024-12-31", "last of a year", []), ("2025-01-01", "first of the next", []),
      ("2025-01-01", "金閣寺を見た。とても静か。", ["--journal", "Kyoto & back"]),
    ] as [(String, String, [String])] { _ = try home.write(text, ["--date", date] + more) }
    let html = try home.ok(["export", "--format", "html"]).out
    let order = [
      "<header class=\"cover\">", "December 2024 – January 2025", "3 entries",
      "<nav aria-label=\"Contents\">",
      "<a href=\"#m2024-12\">December 2024</a><span>1</span>",
      "<a href=\"#m2025-01\">January 2025</a><span>2</span>",
      "<a href=\"#m2025-01\">Kyoto &amp; back</a><span>2025-01-01</span>", "</nav>",
      "<h2 class=\"year\">2024</h2>", "<h2 id=\"m2024-12\">December 2024</h2>",
      "<p class=\"day\">Tuesday, 31 December 2024</p>", "last of a year",
      "<h2 class=\"year\">2025</h2>",
      "<h2 id=\"m2025-01\">January 2025</h2>", "first of the next", "<article lang=\"ja\">", "金閣寺",
    ]
    var rest = html[...]
    for part in order {
      let place = try #require(rest.firstRange(of: part), "\(part)")
      rest = rest[place.upperBound...]
    }
    #expect(html.split(separator: "<p class=\"day\">").count == 3)
    #expect(html.contains("counter(page)"))
    // In Japanese, and without a table where it would have one line.
    let short = try home.ok([
      "export", "--format", "html", "--on", "2024-12-31", "--language", "ja",
    ]).out
    #expect(short.contains("<h2 id=\"m2024-12\">2024年12月</h2>") && !short.contains("<nav"))
  }

  @Test func `rank, stats and on-this-day count`() throws {
    let home = try Home()
    for (day, tag) in [
      ("2025-03-01", "food"), ("2025-03-02", "food"), ("2025-03-03", "art"), ("2026-03-01", "art"),
      ("2026-03-02", "art"), ("2026-03-03", "food"), ("2026-03-04", "walk"),
    ] { _ = try home.write("a day", ["--date", day, "--tag", tag]) }
    let rank = try home.ok([
      "rank", "tags", "--period", "2026", "--versus", "2025", "--json",
    ]).array
    #expect(rank.map { $0["name"] as? String } == ["art", "food", "walk"])
    #expect(rank.map { $0["rank"] as? Int } == [1, 2, 2])
    #expect(rank.map { $0["movement"] as? Int } == [1, -1, nil])
    #expect(rank.map { $0["previousRank"] as? Int } == [2, 1, nil])
    let text = try home.ok(["rank", "tags", "--period", "2026"]).out
    #expect(text.contains("▲ 1") && text.contains("▼ 1") && text.contains("new"))
    let stats = try home.ok(["stats", "--json"]).object
    #expect(stats["entries"] as? Int == 7 && stats["longestStreak"] as? Int == 4)
    #expect(stats["firstDate"] as? String == "2025-03-01")
    let months = try #require(stats["perMonth"] as? [[String: Any]])
    #expect(months.map { $0["words"] as? Int } == [6, 8])
    #expect(try home.ok(["stats", "--year", "2025"]).out.contains("3 entries         6 words"))
    #expect(try home.ok(["stats", "--year", "2025", "--json"]).object["entries"] as? Int == 3)
    let then = try home.ok(["on-this-day", "--date", "2026-03-02", "--json"]).array
    #expect(then.count == 1 && (then[0]["date"] as? String)?.hasPrefix("2025-03-02") == true)
    #expect(try home.ok(["tags", "--json"]).array.map { $0["count"] as? Int } == [3, 3, 1])
  }

  @Test func `what a shell puts behind --attach does not become the text`() throws {
    let home = try Home()
    let (one, two) = (try home.put("one.jpg", "1"), try home.put("two.jpg", "2"))
    let run = try home.run(
      ["write", "--attach", one, two, "a day", "--passphrase-file", home.passphrase])
    #expect(run.status == 2 && run.err.contains("two.jpg"), "\(run.err)")
    #expect(try home.ok(["list", "--json"]).array.isEmpty)
    try home.ok(["write", "--attach", one, "--attach", two, "a day"])
  }

  @Test func `a new name of a tag is one tag`() throws {
    let home = try Home()
    let id = try home.write("a day", ["--tag", "Meal, friends"])
    #expect(try home.ok(["list", "--tag", "Meal,friends", "--json"]).array.count == 1)
    // An empty word lets nothing through, and not everything.
    for none in ["", "#"] {
      #expect(try home.ok(["list", "--tag", none, "--json"]).array.isEmpty)
    }
    for (name, words) in [("b, c", "more than one tag"), ("", "the new name is empty")] {
      let run = try home.run(
        ["tags", "rename", "Meal", name, "--passphrase-file", home.passphrase])
      #expect(run.status == 8 && run.err.contains(words), "\(run.err)")
    }
    try home.ok(["tags", "rename", "Meal", "\"b, c\""])
    #expect(try home.ok(["list", "--tag", "\"b, c\"", "--json"]).array.count == 1)
    // A quotation mark in a tag is a part of it.
    try home.ok(["tags", "rename", "friends", "5\" disk"])
    #expect(try home.ok(["list", "--tag", "5\" disk", "--json"]).array.count == 1)
    try home.ok(["tags", "rename", "5\" disk", "friends"])
    try home.ok(["tags", "rename", "b, c", "Meal"])
    try home.ok(["tags", "rename", "Meal", "\"b, c\""])
    let shown = try home.ok(["show", id, "--json"]).array[0]["tags"] as? [String]
    #expect(shown.map(Set.init) == ["b, c", "friends"])
  }

  @Test func `what a format leaves out is said`() throws {
    let home = try Home()
    let photo = try home.put("one.jpg", "1")
    _ = try home.write("a day", ["--attach", photo])
    for format in ["jrnl", "vjournal"] {
      let run = try home.ok(["export", "--format", format, "--output", home.path + "/" + format])
      #expect(run.err.contains("not in this format"), "\(run.err)")
    }
  }

  @Test func `a session that the policy allows less is told so`() throws {
    let home = try Home()
    let run = try home.ok(["unlock", "--idle", "1h"])
    #expect(run.err.contains("policy set idle"), "\(run.err)")
    let closed = try home.run(["unlock"])
    #expect(closed.status == 3 && !closed.err.contains("the diary is closed"), "\(closed.err)")
  }

  @Test func `templates stand in the order of their names on every device`() throws {
    let home = try Home()
    for name in ["walk", "Éclair", "dream", "Evening"] {
      try home.ok(["templates", "add", name, "text"])
    }
    let names = try home.ok(["templates", "--json"]).array.map { $0["name"] as? String }
    #expect(names == ["dream", "Éclair", "Evening", "walk"])
  }

  @Test func `templates begin an entry, and a closed session loses no text`() throws {
    let home = try Home()
    try home.ok(["templates", "add", "morning", "How did I sleep?"])
    #expect(try home.ok(["templates", "--json"]).array[0]["body"] as? String == "How did I sleep?")
    #expect(
      try home.run(["templates", "add", "Morning", "x", "--passphrase-file", home.passphrase])
        .status == 7)
    let editor = try home.put(
      "editor",
      "#!/bin/sh\necho typed >> \"$1\"\nFACEDIARY_RUNTIME=\(home.path)/run \(Home.binary) lock\n",
      mode: 0o700)
    try home.ok(["unlock"])
    let session = try TerminalSession(
      home, ["write", "--template", "morning"], extra: ["EDITOR": editor])
    for time in 1...4 {
      #expect(session.expect("Passphrase: ", times: time))
      session.type("wrong\n")
      #expect(session.expect("wrong passphrase", times: time))
    }
    #expect(session.end() == 3)
    #expect(session.screen.contains("write --recover"))
    // Sealed: the word is in no file.
    let grep = Process()
    grep.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    grep.arguments = ["grep", "-rqs", "typed", home.path + "/.local"]
    try grep.run()
    grep.waitUntilExit()
    #expect(grep.terminationStatus == 1)
    // Four wrong passphrases: the right one has to wait its second, too.
    while try home.ok(["status", "--json"]).object["retryAfter"] as? Int != nil { usleep(50_000) }
    let id = try #require(home.ok(["write", "--recover", "--json"]).array.first?["id"] as? String)
    #expect(try home.ok(["show", "--raw", id]).out == "How did I sleep?\ntyped")
    #expect(
      try home.run(["write", "--recover", "--passphrase-file", home.passphrase]).status == 6)
  }

  @Test func `--language ja translates texts and leaves JSON unchanged`() throws {
    let home = try Home()
    for command in [
      "init", "unlock", "lock", "status", "enroll", "faces", "match", "models", "calibrate",
      "probe",
      "write", "edit", "templates", "attach", "attachments", "extract", "detach", "browse", "list",
      "show", "search", "history", "on-this-day", "journals", "kinds", "tags", "stats", "rank",
      "delete", "restore", "trash", "purge", "verify", "backup", "restore-backup", "salvage",
      "import", "export", "accept-rollback", "demo", "passphrase", "keys", "policy", "device",
      "completion", "man",
    ] {
      let run = try home.run([command, "--help", "--language", "ja"])
      #expect(run.status == 0)
      // No line of words is left in English: each has a character of Japanese, a name or an example.
      for line in run.out.split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        let isName = text.hasPrefix("-") || text.hasPrefix("facediary ")
        #expect(
          isName || text.unicodeScalars.contains { $0.value >= 0x3000 } || !text.contains(" ")
            || ["bash:", "zsh:", "fish:"].contains { text.hasPrefix($0) }, "\(command): \(line)")
      }
    }
    let japanese = try home.run(["list"], extra: ["LC_ALL": "ja_JP.UTF-8"])
    let english = try home.run(["list"])
    #expect(japanese.status == english.status && japanese.err.contains("日記は閉じています"))
    #expect(
      try home.run(["list", "--json"], extra: ["LANG": "ja_JP.UTF-8"]).err
        == home.run(["list", "--json"]).err)
  }

  @Test func `completion offers what there is, and nothing of a closed diary`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto trip"])
    let id = try home.write("one", ["--tag", "temple"])
    func complete(_ words: String...) throws -> [String] {
      try home.run(["__complete"] + words).out.split(separator: "\n").map {
        String($0.prefix { $0 != "\t" })
      }
    }
    #expect(try complete("wri") == ["write"])
    #expect(try complete("write", "--jo") == ["--journal"])
    #expect(try complete("journals", "re") == ["rename", "remove"])
    #expect(try complete("enroll", "") == [":file"])
    #expect(try complete("write", "--journal", "").isEmpty)
    #expect(try complete("show", "").isEmpty)
    try home.ok(["unlock"])
    #expect(try complete("write", "--journal", "ky") == ["Kyoto trip"])
    #expect(try complete("list", "--tag", "") == ["temple"])
    #expect(try complete("show", String(id.prefix(4))) == [String(id.prefix(8))])
    #expect(try complete("completion", "") == ["bash", "zsh", "fish"])
    for shell in ["bash", "zsh", "fish"] {
      #expect(try home.run(["completion", shell]).out.contains("__complete"))
    }
    #expect(try home.run(["man"]).out.hasPrefix(".TH FACEDIARY 1"))
  }
}
