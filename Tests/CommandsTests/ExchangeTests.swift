import Foundation
import Glibc
import TestServers
import Testing

/// What goes out of a diary and comes in again, and what people bring from elsewhere.
@Suite(.threads) struct ExchangeTests {
  @Test(arguments: ["json", "markdown"])
  func `what is exported comes back equal`(format: String) throws {
    let home = try Home()
    let file = home.path + "/a.bin"
    try Data((0..<70_000).map { UInt8($0 & 255) }).write(to: URL(fileURLWithPath: file))
    try home.ok([
      "journals", "add", "旅", "--from", "2026-03-01", "--to", "2026-03-04", "--emoji", "⛩",
    ])
    try home.ok(["kinds", "add", "run", "--emoji", "🏃"])
    try home.ok(
      ["write", "--title", "a: \"b\" # c", "--tag", "x y", "--tag", "[z]"],
      input: "---\nnot front matter\n---\n\nend  ")
    _ = try home.write(
      "\n\n  川\tで\u{1b}[2J",
      ["--journal", "旅", "--kind", "run", "--star", "--date", "2026-03-01T09:30", "--until", "+2h"])
    _ = try home.write("", ["--title", "only a title", "--attach", file])
    let other = try Home()
    let target = home.path + "/out"
    var words = ["export", "--format", format, "-o", target]
    if format == "json" { words += ["--attachments", home.path + "/files"] }
    try home.ok(words)
    var back = ["import", target]
    if format == "json" { back += ["--attachments", home.path + "/files"] }
    #expect(try other.ok(back + ["--dry-run", "--json"]).object["imported"] as? Int == 3)
    #expect(try other.ok(back + ["--json"]).object["imported"] as? Int == 3)
    #expect(try other.ok(back + ["--json"]).object["duplicates"] as? Int == 3)
    #expect(try home.ok(["export"]).out == other.ok(["export"]).out)
    let id = try #require(
      other.ok(["list", "--has-attachment", "--json"]).array.first?["id"] as? String)
    try other.ok(["extract", id, "a.bin", "-o", home.path + "/b.bin"])
    #expect(FileManager.default.contentsEqual(atPath: file, andPath: home.path + "/b.bin"))
    // A second export does not write over the first.
    if format == "markdown" {
      #expect(try home.run(words + ["--passphrase-file", home.passphrase]).status == 7)
    }
  }

  @Test(arguments: [
    ("2024-05-01 09:30:00 +0900", "2024-05-01T09:30:00+09:00"),
    ("2024-05-01 09:30:00.250Z", "2024-05-01T09:30:00+00:00"),
    ("2024-05-09 # of May", "2024-05-09"),
    ("\"[[2024-05-10]]\"", "2024-05-10"), ("2024-05-01 09:30 -0330", "2024-05-01T09:30:00-03:30"),
    ("yesterdayish", nil),
  ])
  func `dates at the head of a file are read as other programs write them`(
    _ each: (written: String, means: String?)
  ) throws {
    let home = try Home()
    let file = try home.put("note.md", "---\ndate: \(each.written)\n---\n\nwords\n")
    let run = try home.run(["import", file, "--passphrase-file", home.passphrase])
    guard let means = each.means else {
      #expect(run.status == 8 && run.err.contains("\"yesterdayish\" is not a date"), "\(run)")
      return
    }
    #expect(run.status == 0, "\(run)")
    let date = try home.ok(["list", "--json"]).array.first?["date"] as? String
    #expect(date?.hasPrefix(means) == true, "\(date ?? "")")
  }

  @Test(arguments: ["markdown", "jrnl", "json"])
  func `line ends of a text survive an export`(format: String) throws {
    let home = try Home()
    let texts = ["a\r\nb\r\n", "one\ntwo", "end\r", "\n\nblank before", "x\n\n"]
    for text in texts { _ = try home.write(text, ["--date", "2026-03-01T09:30"]) }
    let other = try Home()
    let target = home.path + "/out"
    try home.ok(["export", "--format", format, "-o", target])
    try other.ok(["import", target])
    func bodies(_ home: Home) throws -> [String] {
      try home.ok(["list", "--json", "--bodies"]).array.compactMap { $0["body"] as? String }
        .sorted()
    }
    if format == "jrnl" {
      // Its title is the first line, whatever ends that.
      #expect(try bodies(other).count == texts.count)
    } else {
      #expect(try bodies(other) == bodies(home))
    }
  }

  @Test
  func `an export is taken in with the files beside it, also from a zip; no backup is in another`()
    throws
  {
    let home = try Home()
    let entry = try home.write("with a file")
    try home.ok(["attach", entry, try home.put("note.txt", "by hand\n")])
    let export = home.path + "/export.json"
    try home.ok(["export", "-o", export, "--attachments", export + "-files"])
    let zip = home.path + "/export.zip"
    _ = try #require(
      ran("sh", "-c", "cd '\(home.path)' && zip -qr export.zip export.json export.json-files"))
    for file in [export, zip] {
      let other = try Home()
      try other.ok(["import", file])
      #expect(try other.ok(["extract", "@1", "note.txt", "-o", "-"]).out == "by hand\n", "\(file)")
    }
    let backups = home.path + "/backups"
    try home.ok(["backup", backups])
    let backup = try #require(
      FileManager.default.contentsOfDirectory(atPath: backups).first { $0.hasSuffix(".facediary") })
    let within = try home.run(["backup", backups + "/" + backup + "/more"])
    #expect(within.status == 7, "\(within)")
    // What is not typed is not named.
    #expect(try !home.run(["backup", home.folder]).err.contains("/new"))
  }

  @Test func `jrnl and Day One are taken in`() throws {
    let home = try Home()
    func file(_ name: String, _ text: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/" + name))
      return home.path + "/" + name
    }
    let jrnl = try file(
      "j.txt",
      "[2026-01-02 09:30] A title. @food\nbody line\n[2026-01-02 10:00] not an entry\n\n[2026-01-03 10:00 PM] Second *\n"
    )
    #expect(
      try home.ok(["import", jrnl, "--format", "jrnl", "--json"]).object["imported"] as? Int == 2)
    var list = try home.ok(["list", "--json", "--bodies", "--reverse"]).array
    #expect(list[0]["body"] as? String == "body line\n[2026-01-02 10:00] not an entry")
    #expect(list[0]["tags"] as? [String] == ["food"])
    #expect(list[1]["starred"] as? Bool == true)
    #expect((list[1]["date"] as? String)?.hasPrefix("2026-01-03T22:00") == true)
    let again = try home.ok(["export", "--format", "jrnl"]).out
    let jrnlJSON = try file("j.json", again)
    #expect(
      try home.ok(["import", jrnlJSON, "--format", "jrnl", "--json"]).object["duplicates"] as? Int
        == 2)
    try FileManager.default.createDirectory(
      atPath: home.path + "/photos", withIntermediateDirectories: false)
    _ = try file("photos/abc.jpeg", "\u{7f}photo")
    let dayOne = try file(
      "Trip.json",
      ##"{"metadata":{"version":"1.0"},"entries":[{"uuid":"0123456789ABCDEF0123456789ABCDEF","creationDate":"2020-05-01T00:00:00Z","timeZone":"Asia/Tokyo","text":"# Day\\. One\n\nHello\\! ![](dayone-moment://ID1)","tags":["x"],"starred":true,"photos":[{"md5":"abc","type":"jpeg","identifier":"ID1"},{"md5":"../../passphrase","type":"txt"}]}]}"##
    )
    let run = try home.ok(["import", dayOne, "--format", "dayone", "--json"])
    #expect(run.object["imported"] as? Int == 1)
    var lost = try #require(run.object["lost"] as? [[String: Any]])
    #expect(lost.count == 1 && lost[0]["what"] as? String == "attachment")
    #expect((lost[0]["where"] as? String)?.hasPrefix("photos/") == true)
    list = try home.ok(["list", "--journal", "Trip", "--json", "--bodies"]).array
    #expect(list[0]["title"] as? String == "Day. One")
    #expect(list[0]["body"] as? String == "Hello! ![](abc.jpeg)")
    #expect(list[0]["date"] as? String == "2020-05-01T09:00:00+09:00")
    #expect((list[0]["attachments"] as? [[String: Any]])?.count == 1)
    // The folder as Day One's archive holds it, with what entries here have no place for.
    for folder in ["/one", "/one/audios"] {
      try FileManager.default.createDirectory(
        atPath: home.path + folder, withIntermediateDirectories: false)
    }
    _ = try file("one/audios/def.m4a", "sound")
    _ = try file(
      "one/Walks.json",
      ##"{"entries":[{"creationDate":"2021-05-01T00:00:00Z","text":"a ![](dayone-moment:/audio/A1)","audios":[{"md5":"def","format":"aac","identifier":"A1"}],"weather":{"conditionsDescription":"Mostly sunny","temperatureCelsius":11.6},"location":{"placeName":"Arashiyama","localityName":"Kyoto","latitude":35.00941,"longitude":-0.5},"activity":{"code":"walk"}},{"creationDate":"2021-05-02T00:00:00Z","text":"b","weather":{"code":"rain"},"activity":{"code":"run"}}]}"##
    )
    let folder = try home.ok(["import", home.path + "/one", "--json"])
    #expect(folder.object["imported"] as? Int == 2)
    lost = try #require(folder.object["lost"] as? [[String: Any]])
    #expect(lost.count == 1 && lost[0]["what"] as? String == "field")
    #expect(lost[0]["where"] as? String == "activity" && lost[0]["count"] as? Int == 2)
    #expect(
      try home.ok(["import", home.path + "/one"]).err.contains("the field activity of 2 entries"))
    let kept = try home.ok(["list", "--json"]).array
    #expect(kept.map { $0["weather"] as? String }.contains("Mostly sunny, 12 °C"))
    #expect(kept.map { $0["weather"] as? String }.contains("rain"))
    #expect(
      kept.map { $0["location"] as? String }.contains("Arashiyama, Kyoto (35.00941, -0.50000)"))
    list = try home.ok(["list", "--journal", "Walks", "--json", "--bodies", "--reverse"]).array
    #expect(list[0]["body"] as? String == "a ![](def.m4a)")
    #expect((list[0]["attachments"] as? [[String: Any]])?.count == 1)
    for (name, format, text) in [
      ("a.txt", "jrnl", "no heading\n"), ("b.txt", "jrnl", "[2026-13-01 09:30] x\n"),
      ("c.json", "dayone", #"{"entries":[{"text":"x"}]}"#), ("d.json", "dayone", "[]"),
      ("e.json", "jrnl", #"{"entries":[{"title":"x","date":"soon"}]}"#),
    ] {
      let run = try home.run([
        "import", try file(name, text), "--format", format, "--passphrase-file", home.passphrase,
      ])
      #expect(run.status == 8 && run.err.contains(name), "\(name): \(run.err)")
    }
    #expect(try home.ok(["list", "--json"]).array.count == 5)
  }

  @Test func `a folder of notes is taken as people keep it, and what is left out is named`() throws
  {
    let home = try Home()
    let notes = home.path + "/notes"
    func note(_ name: String, _ text: String) throws {
      let path = notes + "/" + name
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    try note("2026/02/03.md", "by folders ![sea](../../img/sea%20side.png \"a title\")")
    try note("journals/2026_02_05.md", "Logseq ![[cat.png|300]] ![[cat.png]] ![[gone.png]]")
    try note("walk.md", "---\ncreated: 2026-02-01 08:15\nmood: glad\ntags: [a]\n---\nObsidian")
    try note("2026-02-07 a name.md", "![](https://example.org/x.png) ![](../outside.png)")
    try note("README.md", "no day")
    try note("2026-02-08.md", "\n")
    try note("img/sea side.png", "\u{89}PNG sea")
    try note("deep/er/cat.png", "\u{89}PNG cat")
    try note(".obsidian/2026-01-01.md", "settings")
    try Data("x".utf8).write(to: URL(fileURLWithPath: home.path + "/outside.png"))
    let run = try home.ok(["import", notes, "--json"])
    #expect(run.object["imported"] as? Int == 4)
    let lost = try #require(run.object["lost"] as? [[String: Any]]).map {
      "\($0["what"] as? String ?? "") \($0["where"] as? String ?? "")"
    }
    #expect(
      Set(lost) == [
        "attachment gone.png", "attachment ../outside.png", "field mood", "file README.md",
        "empty 2026-02-08.md",
      ])
    let list = try home.ok(["list", "--json", "--reverse"]).array
    #expect(
      list.map { String(($0["date"] as? String ?? "").prefix(16)) }
        == ["2026-02-01T08:15", "2026-02-03T12:00", "2026-02-05T12:00", "2026-02-07T12:00"])
    let names = list.map {
      ($0["attachments"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(names == [[], ["sea side.png"], ["cat.png"], []])
    #expect(try home.ok(["import", notes]).err.contains("not imported: gone.png"))
  }

  @Test func `no command writes what it is asked for over the diary`() throws {
    let home = try Home()
    let photo = try home.put("photo.jpg", "a photo")
    _ = try home.write("with a photo", ["--attach", photo])
    symlink(home.folder, home.path + "/link")
    let store = home.deviceStore + "/anchor"
    for target in [home.vault, home.path + "/link/vault", home.folder + "/objects/x", store] {
      let extracted = try home.run(
        ["extract", "@1", "photo.jpg", "-o", target, "--passphrase-file", home.passphrase])
      #expect(extracted.status == 8 && extracted.err.contains("own folder"), "\(extracted)")
      let exported = try home.run(
        ["export", "-o", target, "--passphrase-file", home.passphrase])
      #expect(exported.status == 8, "\(exported)")
    }
    // A copy there would be lost with the diary.
    for target in [
      home.folder, home.folder + "/objects", home.path + "/link/new/backups",
      home.path + "/missing/../link", home.folder + "/objects/missing/../..",
    ] {
      for words in [
        ["backup", target], ["salvage", target + "/rescued"],
        ["export", "--format", "markdown", "-o", target + "/pages"],
        ["export", "--attachments", target + "/photos"], ["sync", "setup", "folder:" + target],
      ] {
        let run = try home.run(words + ["--passphrase-file", home.passphrase])
        #expect(run.status == 8 && run.err.contains("own folder"), "\(words): \(run)")
      }
    }
    try home.ok(["extract", "@1", "photo.jpg", "-o", home.path + "/here.jpg"])
    try home.ok(["verify"])
  }

  @Test func `what is piped has no marks of other systems, and a pipe nobody fills is no file`()
    throws
  {
    let home = try Home()
    let run = try home.run(
      ["write", "-", "--json", "--passphrase-file", home.passphrase],
      input: "\u{feff}one\r\ntwo\r\n")
    let id = try #require(run.object["id"] as? String)
    #expect(try home.ok(["show", id, "--json"]).array[0]["body"] as? String == "one\ntwo")
    let pipe = home.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for words in [["attach", id, pipe], ["import", pipe]] {
      let run = try home.run(words + ["--passphrase-file", home.passphrase])
      #expect(run.status != 0 && run.err.contains(pipe), "\(run.err)")
    }
    let missing = try home.run(
      ["write", "x", "--journal", "Lyfe", "--passphrase-file", home.passphrase])
    #expect(missing.status == 6)
  }

  @Test func `what is imported is recognised`() throws {
    let home = try Home()
    func file(_ name: String, _ text: String) throws -> String {
      try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/" + name))
      return home.path + "/" + name
    }
    func imported(_ path: String) throws -> Int? {
      try home.ok(["import", path, "--json"]).object["imported"] as? Int
    }
    #expect(try imported(try file("a", "\u{feff}[2026-01-02 09:30] A title.\nbody\n")) == 1)
    #expect(try imported(try file("b", "2014-10-20 15:30 Old jrnl.\nbody\n")) == 1)
    #expect(
      try imported(
        try file(
          "c",
          #"{"tags":{},"entries":[{"title":"t","body":"b","date":"2020-01-01","time":"10:00"}]}"#))
        == 1)
    #expect(
      try imported(
        try file("d", #"{"entries":[{"creationDate":"2020-05-01T00:00:00Z","text":"x"}]}"#)) == 1)
    #expect(try imported(try file("e", #"{"date":"2026-01-05","body":"lines"}"#)) == 1)
    #expect(try imported(try file("f", #"[{"date":"2026-01-06","body":"list"}]"#)) == 1)
    let own = home.path + "/own.json"
    try home.ok(["export", "-o", own])
    #expect(try imported(own) == 0)
    for (text, word) in [("PK\u{3}\u{4}rest", "zip"), ("gAAAAABlYWFh", "jrnl --decrypt")] {
      let run = try home.run(
        ["import", try file("x", text), "--passphrase-file", home.passphrase])
      #expect(run.status == 8 && run.err.contains(word), "\(run.err)")
    }
  }

  @Test func `entries as large as they may be go in and out in any company`() throws {
    let home = try Home()
    let tags = (0..<60).map { "\($0)" + String(repeating: "t", count: 250) }
    var entries: [[String: Any]] = (0..<130).map {
      ["date": "2026-01-01T00:00:\($0 % 60 / 10)\($0 % 10)Z", "body": "text \($0)", "tags": tags]
    }
    entries.append([
      "date": "2025-01-01", "body": String(repeating: "x", count: (16 << 20) - 8), "tags": tags,
    ])
    let file = home.path + "/large.json"
    try JSONSerialization.data(withJSONObject: entries).write(to: URL(fileURLWithPath: file))
    try home.ok(["import", file])
    #expect(try home.ok(["list", "--bodies", "--json"]).array.count == 131)
    try home.ok(["export", "-o", home.path + "/out.json"])
    try home.ok(["import", home.path + "/out.json"])
    #expect(try home.ok(["list", "--json"]).array.count == 131)
  }

  @Test func `two kinds with one emoji, as two devices may have them, come in again`() throws {
    let home = try Home()
    let file = try home.put(
      "kinds.json",
      """
      {"kinds": [{"name": "run", "emoji": "🏃"}, {"name": "jog", "emoji": "🏃"}],
       "entries": [{"date": "2026-01-01", "body": "one", "kind": "jog"}]}
      """)
    try home.ok(["import", file])
    #expect(try home.ok(["list", "--json"]).array.first?["kind"] as? String == "jog")
  }

  @Test(arguments: [
    ["export"], ["export", "--format", "jrnl"], ["search", "small"], ["keys"], ["list"],
  ])
  func `what does not get where it is written ends with an error`(_ words: [String]) throws {
    let home = try Home()
    let file = try home.put("note.txt", "a file")
    _ = try home.write("small", ["--attach", file])
    let command = (words + ["--passphrase-file", home.passphrase]).map { "'\($0)'" }
      .joined(separator: " ")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "'\(Home.binary)' \(command) > /dev/full 2> \(home.path)/said"]
    process.environment = home.environment
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: home.path + "/said", encoding: .utf8)
    #expect(process.terminationStatus == 1, "\(words): \(said)")
    #expect(said.contains("full"), "\(said)")
  }

  @Test func `a long import says on a terminal how many entries were read`() throws {
    let home = try Home()
    let line = #"{"date":"2026-01-01T00:00:00Z","body":"text"}"#
    let words =
      "(echo '\(line)'; sleep 0.7; echo '\(line)') | '\(Home.binary)' import - --passphrase-file '\(home.passphrase)'"
    let session = try TerminalSession(home, ["-c", words], program: "/bin/sh")
    #expect(session.end() == 0, "\(session.screen)")
    #expect(session.screen.contains(/import  [12] entr(y|ies) read/), "\(session.screen)")
  }
}
