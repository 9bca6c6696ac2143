import Foundation
import Glibc
import Testing

/// Files of other programs, made by somebody who wants more than an import.
@Suite(.threads) struct HostileImportTests {
  /// Small files that name something very often, and large ones of nothing.
  @Test(arguments: [
    "tags.json", "templates.json", "deep.org", "lines.org", "diarium", "journal.md", "month.txt",
  ])
  func `an import costs no more than its file is worth`(name: String) throws {
    let home = try Home()
    var path = home.path + "/" + name
    let lines = String(repeating: "\n", count: 300_000)
    switch name {
    case "tags.json":
      path = home.path + "/txt"
      let days =
        #"{"days":[{"day":1,"text":"x","tags":[\#(String(repeating: "1,", count: 20_000))1]}]}"#
      _ = try home.put("txt/2024/03.json", days)
      let long = String(repeating: "n", count: 1 << 20)
      _ = try home.put("txt/tags.json", #"{"tags":[{"id":1,"name":"\#(long)"}]}"#)
    case "templates.json":
      let names = (0..<199).map { #"{"name":"\#($0)ガギグ","body":"b"}"# }
      let more = Array(repeating: #"{"name":"z","body":"b"}"#, count: 100_000)
      let all = (names + more).joined(separator: ",")
      _ = try home.put(name, #"{"format":1,"templates":[\#(all)],"entries":[]}"#)
    case "deep.org":
      let tags = (0..<60).map { "t\($0)" }.joined(separator: ":")
      _ = try home.put(
        name,
        (1...1_500).map { String(repeating: "*", count: $0) + " h :\(tags):\n" }.joined())
    case "lines.org": _ = try home.put(name, "* 2026-03-01\nx" + lines + "y\n")
    case "diarium":
      let entries = (0..<5_000).map {
        #"{"date":"2026-03-01T10:00:00.\#($0)","heading":"h","html":"x"}"#
      }
      _ = try home.put("diarium/a.json", "[\(entries.joined(separator: ","))]")
      for number in 0..<200 {
        _ = try home.put("diarium/media/2026-03-01_100000/\(number).png", "PNG")
      }
    case "journal.md":
      path = home.path + "/graph"
      _ = try home.put("graph/logseq/config.edn", "{}")
      _ = try home.put("graph/journals/2026_03_01.md", "- x" + lines + "- y\n")
    default:
      path = home.path + "/notebook"
      _ = try home.put("notebook/2026-03.txt", "1:\n  text: |\n    a" + lines + "    b\n")
    }
    let run = try home.run(
      ["import", path, "--dry-run", "--passphrase-file", home.passphrase])
    // Of the second, no heading has a day.
    let isRefused = ["tags.json", "deep.org"].contains(name)
    #expect(run.status == (isRefused ? 8 : 0), "\(run.err.prefix(500))")
  }

  /// Unpacked in memory; nothing may be left there.
  @Test func `an archive with very deep folders leaves nothing`() throws {
    let home = try Home()
    let inner = Array(repeating: "d", count: 150).joined(separator: "/")
    _ = try home.put(
      "x/" + inner + "/a.json", #"{"userEditedTimestampUsec":1700000000000000,"textContent":"y"}"#)
    let run = try home.run(
      ["import", try home.zip("x.zip", "x"), "--passphrase-file", home.passphrase])
    #expect(run.status == 0, "\(run.err)")
    let left = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter {
      FileManager.default.fileExists(atPath: "/dev/shm/\($0)/unpacked/x/d")
    }
    #expect(left == [])
  }

  @Test func `an import takes in nothing through a link`() throws {
    let home = try Home()
    let ssh = home.path + "/.ssh"
    let id = "572gq89mz2chd6jqg4esz2hn04"
    let other = "psbtyv9ab8prhnbg9ks3zzznsm"
    for path in ["/.ssh", "/day/photos", "/notes/files", "/json"] {
      try FileManager.default.createDirectory(
        atPath: home.path + path, withIntermediateDirectories: true)
    }
    _ = try home.put(".ssh/id_rsa.jpeg", "PRIVATE KEY")
    rmdir(home.path + "/day/photos")
    symlink(ssh, home.path + "/day/photos")
    symlink(ssh, home.path + "/notes/files/" + id)
    symlink(ssh, home.path + "/json/" + id)
    let dayOne = try home.put(
      "day/Journal.json",
      """
      {"entries":[{"creationDate":"2026-01-01T00:00:00Z","text":"one",
      "photos":[{"md5":"id_rsa","type":"jpeg"}]}]}
      """)
    let markdown = "---\ndate: 2026-01-02\nid: \(id)\nattachments: [id_rsa.jpeg]\n---\ntwo\n"
    _ = try home.put("notes/2026-01-02.md", markdown)
    let json = try home.put(
      "entries.json",
      """
      [{"id":"\(other)","date":"2026-01-03T00:00:00Z","body":"three",
      "attachments":[{"name":"id_rsa.jpeg","size":11,"type":"image/jpeg"}]}]
      """)
    symlink(ssh, home.path + "/json/" + other)
    for words in [
      ["import", dayOne, "--format", "dayone"], ["import", home.path + "/notes"],
      ["import", json, "--attachments", home.path + "/json"],
    ] {
      let run = try home.ok(words)
      #expect(run.err.contains("1"), "\(run.err)")
    }
    let entries = try home.ok(["list", "--json"]).array
    #expect(entries.count == 3)
    #expect(entries.allSatisfy { ($0["attachments"] as? [Any])?.isEmpty ?? false })
    // The same folders without links are taken in.
    unlink(home.path + "/day/photos")
    try FileManager.default.copyItem(atPath: ssh, toPath: home.path + "/day/photos")
    _ = try home.put(
      "day/Journal.json",
      """
      {"entries":[{"creationDate":"2026-01-04T00:00:00Z","text":"four",
      "photos":[{"md5":"id_rsa","type":"jpeg"}]}]}
      """)
    try home.ok(["import", dayOne, "--format", "dayone"])
    let newest = try #require(try home.ok(["list", "--limit", "1", "--json"]).array.first)
    #expect((newest["attachments"] as? [Any])?.count == 1)
    // A file of notes that is itself a link stops the import, which says which.
    symlink(ssh + "/id_rsa.jpeg", home.path + "/notes/2026-01-09.md")
    let run = try home.run(["import", home.path + "/notes", "--passphrase-file", home.passphrase])
    #expect(run.status == 7 && run.err.contains("2026-01-09.md"), "\(run.err)")
  }
}
