import Entries
import Testing

@testable import CommandLine
@testable import Dates
@testable import Formats
@testable import Words

/// jrnl's two forms, read in pieces of one byte so that no place is safe by the size of a read.
@Suite(.threads) struct JrnlEntriesTests {
  private func drafts(_ text: String) throws -> [EntryDraft] {
    var bytes = Array(text.utf8)[...]
    var entries = try JrnlEntries(name: "j", zone: LocalZone()) {
      bytes.popFirst().map { [$0] } ?? []
    }
    var drafts: [EntryDraft] = []
    while let item = try entries.next() {
      guard case .entry(let entry) = item else { continue }
      drafts.append(entry.draft)
    }
    return drafts
  }

  @Test func `text is entries that begin after an empty line`() throws {
    let drafts = try drafts(
      "\u{feff}\n[2026-03-01 09:30] Tea with @mia *\r\nBy the river. (@kyoto) a@b.c @mia\r\n"
        + "[2020-01-01 00:00] not a heading\n\n[2026-03-02 01:05:10 PM] 二日\n\n\n[12] text\n\n")
    #expect(drafts.count == 2)
    #expect(drafts[0].title == "Tea with @mia" && drafts[0].starred)
    #expect(drafts[0].date.iso.hasPrefix("2026-03-01T09:30"))
    #expect(drafts[0].tags == ["mia", "kyoto"])
    #expect(
      drafts[0].body
        == "By the river. (@kyoto) a@b.c @mia\n[2020-01-01 00:00] not a heading")
    #expect(drafts[1].title == "二日" && !drafts[1].starred)
    #expect(drafts[1].date.iso.hasPrefix("2026-03-02T13:05:10"))
    #expect(drafts[1].body == "[12] text")
  }

  @Test func `dates are read as jrnl reads them`() throws {
    let some = try drafts(
      "[2019-07-01 14:23] one @C++ @c# @OS/2.\n\n[2019-07 14:23] The third entry\n\n"
        + "[01.08.2019 09:00] dots\n\n[2019] no\n\n[1.8.19] no\n")
    #expect(
      some.map { String($0.date.iso.prefix(16)) }
        == ["2019-07-01T14:23", "2019-07-01T14:23", "2019-08-01T09:00"])
    #expect(some[0].tags == ["C++", "c#", "OS/2"] && some[1].title == "The third entry")
    #expect(some[2].body == "[2019] no\n\n[1.8.19] no")
    let old = try drafts(
      "2014-10-20 15:30 First of them.\nbody\n2014-10-21 no time\n\n2014-10-22 3:30  PM Second\n"
        + "\n2013-06-09 12:30 Am Abend\n\n2013-06-10 15:39 Am Morgen\n"
        + "\n[2015-01-01 10:00] not one\n")
    #expect(
      old.map { String($0.date.iso.prefix(16)) } == [
        "2014-10-20T15:30", "2014-10-22T15:30", "2013-06-09T12:30", "2013-06-10T15:39",
      ])
    #expect(old.suffix(3).map(\.title) == ["Second", "Am Abend", "Am Morgen"])
    #expect(old[0].title == "First of them." && old[0].body == "body\n2014-10-21 no time")
    #expect(old[3].body == "[2015-01-01 10:00] not one")
  }

  @Test func `a title too long is text and nothing is lost`() throws {
    let long = String(repeating: "長", count: EntryDraft.titleLimit)
    let drafts = try drafts("[2026-03-01 09:30] \(long)\nmore\n")
    #expect(drafts.count == 1 && drafts[0].title == nil)
    #expect(drafts[0].body == long + "\nmore")
  }

  @Test func `JSON is read by its members`() throws {
    let drafts = try drafts(
      #"""
      {"tags": {"@food": 1}, "entries": [{"title": " Tea ", "body": "\nhot\n\n", "date": "2026-03-01",
      "time": "09:30", "tags": ["@food", "#x", "y"], "starred": true}, {"date": "2026-03-02"
      , "body": "b"}]}
      """#)
    #expect(drafts.count == 2)
    #expect(drafts[0].title == "Tea" && drafts[0].body == "hot" && drafts[0].starred)
    #expect(drafts[0].tags == ["food", "x", "y"])
    #expect(drafts[0].date.iso.hasPrefix("2026-03-01T09:30"))
    #expect(drafts[1].title == nil && drafts[1].body == "b")
  }

  @Test(arguments: [
    ("", "j contains no entry; an entry begins with a date such as [2026-03-01 09:30]"),
    ("\n \n", "j contains no entry; an entry begins with a date such as [2026-03-01 09:30]"),
    ("\nhello\n", "j, line 2: expected [2026-03-01 09:30] and a title"),
    ("[2026-02-30 09:30] x\n", "j, line 1: not a date: 2026-02-30 09:30"),
    ("[2026-03-01 09:30] a\n\n[2026-13-01 09:30] x\n", "j, line 3: not a date: 2026-13-01 09:30"),
  ])
  func `what cannot be read is an error with its line`(text: String, message: String) {
    let error = #expect(throws: Failure.self) {
      do { _ = try drafts(text) } catch let bad as BadEntry { throw bad.failure }
    }
    #expect(error?.code == .invalid)
    #expect(error?.message.text(in: .english) == message)
  }
}
