import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

@Suite struct NamesTests {
  @Test func `journals are added, renamed, moved and removed`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for name in ["Kyoto", "Work", "Home"] {
      _ = try vault.change(names: .addJournal(Journal(name: name)))
    }
    #expect { _ = try vault.change(names: .addJournal(Journal(name: "ＫＹＯＴＯ"))) } throws: {
      ($0 as? VaultError)?.code == .conflict
    }
    _ = try vault.change(names: .moveJournal("Home", before: "Kyoto"))
    _ = try vault.change(names: .renameJournal("kyoto", to: "京都"))
    #expect(try Snapshot(vault).register().journals.map(\.name) == ["Home", "京都", "Work"])
    var draft = try EntryDraft("temple")
    draft.journal = "京都"
    let id = try vault.add(draft).id
    #expect(try vault.change(names: .removeJournal("京都", entriesTo: "Home")) == 1)
    #expect(try Snapshot(vault).entry(.id(id)).journal == "Home")
    #expect(try vault.change(names: .removeJournal("Home", entriesTo: nil)) == 1)
    #expect(try vault.all().isEmpty && Snapshot(vault).trashed == 1)
    // A number is never given again: nothing old becomes something new.
    _ = try vault.change(names: .addJournal(Journal(name: "Later")))
    _ = try vault.restore([.id(id)])
    #expect(try vault.all()[0].journal == nil)
    #expect(try vault.verify().isWhole)
  }

  @Test func `a kind is found however it was typed`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.change(names: .addKind(Kind(name: "run", emoji: "🏃‍♀️")))
    let register = try Snapshot(vault).register()
    for (typed, name) in [
      ("🍽", "meal"), ("🍽️", "meal"), ("ごはん", "meal"), ("ゴハン", "meal"), ("🍽️ごはん", "meal"),
      ("MEAL", "meal"), ("ｍｅａｌ", "meal"), ("🏞️ sight", "sight"), ("🏨", "stay"), ("移動🚗", "move"),
      ("🏃‍♀️", "run"), ("🏃‍♀", "run"),
    ] { #expect(register.kind(named: typed)?.name == name, "\(typed)") }
    #expect(register.kind(named: "🍜") == nil)
    #expect { _ = try vault.change(names: .removeKind("meal")) } throws: {
      ($0 as? VaultError)?.code == .conflict
    }
  }

  @Test func `tallies count what is written`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for index in 0..<10 {
      var draft = try EntryDraft("the river and 川の流れ ラーメン", day: 19_000 + index)
      draft.tags = index < 4 ? ["Food"] : ["food", "x"]
      _ = try vault.add(draft)
    }
    let snapshot = try Snapshot(vault)
    #expect(try snapshot.tally(.tags, EntryFilter()).step(.unlimited)?.map(\.count) == [10, 6])
    let words = try #require(try snapshot.tally(.words, EntryFilter()).step(.unlimited))
    #expect(words.map(\.name).sorted() == ["and", "river", "the", "ラーメン"].sorted())
    let statistics = try #require(try snapshot.statistics(EntryFilter()).step(.unlimited))
    #expect(statistics.days.count == 10 && statistics.words > 0)
    // Ten days from 2022-01-08, all in one month.
    #expect(statistics.months == [2022 * 12: statistics.words])
    var one = EntryFilter()
    (one.fromDay, one.toDay) = (19_000, 19_000)
    let day = try #require(try snapshot.statistics(one).step(.unlimited))
    #expect(day.months == [2022 * 12: day.words] && day.words * 10 == statistics.words)
  }

  @Test func `templates are kept sealed and found by any case`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    try vault.setTemplate("Morning", body: "How did I sleep?", isNew: true)
    #expect { try vault.setTemplate("morning", body: "x", isNew: true) } throws: {
      ($0 as? VaultError)?.code == .conflict
    }
    // Nor does a text take the place of one that its writer has not seen.
    #expect {
      try vault.setTemplate("morning", body: "x", isNew: false, expected: "another")
    } throws: {
      ($0 as? VaultError)?.reason == .wasEditedMeanwhile
    }
    try vault.setTemplate("MORNING", body: "Dreams:", isNew: false, expected: "How did I sleep?")
    #expect(
      try Snapshot(bench.open()).templates() == [EntryTemplate(name: "Morning", body: "Dreams:")])
    try vault.setTemplate("morning", body: nil, isNew: false)
    #expect(try Snapshot(vault).templates().isEmpty)
  }

  @Test func `an unsaved text opens with its own diary's key only`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let sealed = try SealedBox.seal(Array("typed".utf8), to: vault.draftKey)
    #expect(try vault.openDraft(sealed).text == Array("typed".utf8))
    let elsewhere = try Workbench()
    let other = try elsewhere.create()
    #expect { _ = try other.openDraft(sealed) } throws: { ($0 as? VaultError)?.code == .damaged }
    for index in sealed.indices {
      var bad = sealed
      bad[index] ^= 1
      #expect(throws: VaultError.self) { _ = try vault.openDraft(bad) }
    }
  }
}
