import Foundation
import Glibc
import Testing

/// Files of other programs, made by somebody who wants more than an import.
@Suite(.threads) struct HostileImportTests {
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
