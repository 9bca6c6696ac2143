import Entries
import Foundation
import Requests
import Testing

@testable import Commands
@testable import Dates
@testable import Formats
@testable import Words

/// What changed, and how it becomes what it was.
@Suite(.threads) struct RevisionTests {
  @Test func `lines that changed stand between those around them`() {
    let old = (1...12).map(String.init).joined(separator: "\n")
    let new = old.replacing("\n6\n", with: "\nsix\n").replacing("\n12", with: "")
    #expect(
      TextDifference(from: old, to: new).lines == [
        .gap(3), .same("4"), .same("5"), .removed("6"), .added("six"), .same("7"), .same("8"),
        .gap(1), .same("10"), .same("11"), .removed("12"),
      ])
    #expect(TextDifference(from: old, to: old).lines.isEmpty)
    #expect(TextDifference(from: "", to: "a").lines == [.added("a")])
    // Too long for a shortest one, and still right.
    let many = (0..<100_000).map { "\($0)" }.joined(separator: "\n")
    let others = (0..<100_000).map { "x\($0)" }.joined(separator: "\n")
    #expect(TextDifference(from: many, to: others).lines.count == 200_000)
  }

  @Test func `any difference leads from the old text to the new one`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      func text() -> [String] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          ["a", "b", "c", ""].randomElement(using: &random)!
        }
      }
      let (old, new) = (text().joined(separator: "\n"), text().joined(separator: "\n"))
      var removed = 0
      var added = 0
      for line in TextDifference(from: old, to: new).lines {
        switch line {
        case .removed: removed += 1
        case .added: added += 1
        default: break
        }
      }
      func count(_ text: String) -> Int {
        text.isEmpty ? 0 : text.split(separator: "\n", omittingEmptySubsequences: false).count
      }
      #expect(count(old) - removed + added == count(new))
    }
  }

  @Test func `history shows what changed and revert brings a revision back, files apart`() throws {
    let home = try Home()
    try home.ok(["journals", "add", "Kyoto"])
    let file = try home.put("note.txt", "a file")
    let id = try home.write(
      "one\ntwo",
      ["--title", "First", "--tag", "a", "--journal", "Kyoto", "--date", "2026-03-01T10:00"])
    try home.ok([
      "edit", id, "one\nzwei", "--title", "Second", "--tag", "b", "--untag", "a", "--star",
      "--location", "Kamo",
    ])
    try home.ok(["attach", id, file])
    let history = try home.ok(["history", id, "--diff"]).out
    for line in [
      "- First", "+ Second", "- two", "+ zwei", "- #a", "+ #b", "+ ★", "+ 📎 note.txt",
      "+ location: Kamo",
    ] {
      #expect(history.contains("\n\(line)\n"), "\(line)")
    }
    #expect(try home.run(["revert", id, "9", "--passphrase-file", home.passphrase]).status == 6)
    #expect(try home.run(["revert", id, "x"]).status == 2)
    let reply = try home.ok(["revert", id, "1", "--json"]).object
    #expect(reply["revision"] as? Int == 4)
    let entry = try #require(home.ok(["show", id, "--json"]).array.first)
    #expect(entry["title"] as? String == "First" && entry["body"] as? String == "one\ntwo")
    #expect(entry["tags"] as? [String] == ["a"] && entry["starred"] as? Bool == false)
    #expect(entry["journal"] as? String == "Kyoto")
    #expect((entry["attachments"] as? [Any])?.count == 1)
    // The newest already.
    #expect(try home.ok(["revert", id, "4", "--json"]).object["revision"] as? Int == 4)
  }

  @Test func `a revision without a journal or kind comes back without one`() throws {
    func entry(_ journal: String?, _ kind: String?) throws -> Entry {
      let date = try ZonedTime(seconds: 1_700_000_000, offset: 0)
      return Entry(
        id: .random(), revision: 1,
        content: EntryContent(date: date, journal: journal, kind: kind, body: "text"),
        hasBody: true, preview: nil, attachments: [], created: 0, modified: 0, trashed: nil,
        bodySize: 4)
    }
    let names = Names(journals: [Journal(name: "Kyoto")], kinds: Kind.builtIn)
    let bare = EntryChange(
      bringing: try entry("Kyoto", "meal"), backTo: try entry(nil, nil), names)
    #expect(bare.journal == .clear && bare.kind == .clear)
    // One that is gone cannot come back.
    let gone = EntryChange(
      bringing: try entry("Kyoto", "meal"), backTo: try entry("Nara", "opera"), names)
    #expect(gone.isEmpty)
  }
}
