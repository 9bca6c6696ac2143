import Foundation
import Testing

@testable import DiaryVault
@testable import Entries

/// Journals, kinds and templates that devices make without knowing of one another.
@Suite struct SharedNamesTests {
  private func templates(_ device: SharingDevice) throws -> [String: String] {
    Dictionary(
      try Snapshot(device.vault).templates().map { ($0.name, $0.body) }, uniquingKeysWith: { $1 })
  }

  private func settle(_ devices: SharingDevice...) throws {
    for _ in 0..<3 { for device in devices { try device.sync() } }
    for device in devices { #expect(try device.sync().pushed == 0) }
  }

  /// Two texts of one template, on both devices.
  private func two() throws -> (one: SharingDevice, other: SharingDevice) {
    let (one, other, _) = try pair()
    try one.vault.setTemplate("day", body: "Slept:", isNew: true)
    try settle(one, other)
    try one.vault.setTemplate("day", body: "Slept, dreamt:", isNew: false)
    try other.vault.setTemplate("day", body: "Weather:", isNew: false)
    try settle(one, other)
    for device in [one, other] {
      let found = try templates(device)
      #expect(Set(found.keys) == ["day", "day 2"])
      #expect(Set(found.values) == ["Slept, dreamt:", "Weather:"])
    }
    #expect(try templates(one) == templates(other))
    return (one, other)
  }

  @Test func `a journal or kind that goes undoes no change of another one`() throws {
    let (one, other, _) = try pair()
    for (name, emoji) in [("A", "🚶"), ("B", "🏃"), ("C", "🚲"), ("D", "🛶")] {
      _ = try one.vault.change(names: .addJournal(Journal(name: name)))
      _ = try one.vault.change(names: .addKind(Kind(id: 0, name: name + "k", emoji: emoji)))
    }
    try settle(one, other)
    let changes: [(NamesChange, NamesChange)] = [
      (.renameJournal("B", to: "Paris"), .removeJournal("A", entriesTo: nil)),
      (.renameKind("Bk", to: "Run"), .removeKind("Ak")),
      (
        .editJournal("D", from: .set(20_000), to: .set(20_003), emoji: .keep),
        .removeJournal("C", entriesTo: nil)
      ),
      (.removeKind("Dk"), .removeKind("Ck")),
    ]
    for (here, there) in changes {
      _ = try one.vault.change(names: here)
      _ = try other.vault.change(names: there)
    }
    _ = try other.vault.change(names: .addJournal(Journal(name: "E")))
    try settle(other, one)
    for device in [one, other] {
      let names = try Snapshot(device.vault).catalogue.register()
      #expect(names.journals.map(\.name) == ["Paris", "D", "E"])
      #expect(names.journals[1].to == 20_003)
      #expect(names.ownKinds.map(\.name) == ["Run"])
    }
    _ = try other.vault.change(names: .moveJournal("E", before: "Paris"))
    try settle(one, other)
    for device in [one, other] {
      let names = try Snapshot(device.vault).catalogue.register()
      #expect(names.journals.map(\.name) == ["E", "Paris", "D"])
    }
  }

  @Test func `a template that two devices changed keeps both texts`() throws { _ = try two() }

  @Test func `a change of either text makes two templates of them`() throws {
    for name in ["day", "day 2"] {
      let (one, other) = try two()
      let rest = try templates(one).filter { $0.key != name }
      try one.vault.setTemplate(name, body: "Today:", isNew: false)
      try settle(one, other)
      for device in [one, other] {
        #expect(try templates(device) == rest.merging([name: "Today:"]) { $1 })
      }
      try other.vault.setTemplate("day 2", body: nil, isNew: false)
      try settle(one, other)
      for device in [one, other] { #expect(try templates(device).count == 1) }
    }
  }

  /// A device that leaves and joins again must not bring everything twice.
  @Test func `what two devices have alike is one thing where they meet`() throws {
    let (one, other, _) = try pair()
    _ = try one.vault.change(names: .addJournal(Journal(name: "Kyoto")))
    _ = try one.vault.change(names: .addKind(Kind(id: 0, name: "walk", emoji: "🚶")))
    try settle(one, other)
    func names(_ device: SharingDevice) throws -> [String] {
      let names = try Snapshot(device.vault).catalogue.register()
      return names.journals.map(\.name) + names.ownKinds.map(\.name)
    }
    #expect(try names(other) == ["Kyoto", "walk"])
    try other.vault.leaveSpace()
    try join(other, by: one, name: "again")
    try settle(one, other)
    for device in [one, other] { #expect(try names(device) == ["Kyoto", "walk"]) }
    // One that is not the same is another, and so is one that is made when the first has another name.
    let day = 20_000
    _ = try one.vault.change(names: .addJournal(Journal(name: "Trip", from: day, to: day + 3)))
    _ = try other.vault.change(names: .addJournal(Journal(name: "Trip", from: day + 9)))
    try settle(one, other)
    for device in [one, other] {
      #expect(Set(try names(device)) == ["Kyoto", "Trip", "Trip 2", "walk"])
    }
    _ = try one.vault.change(names: .renameJournal("Kyoto", to: "Nara"))
    try settle(one, other)
    _ = try other.vault.change(names: .addJournal(Journal(name: "Kyoto")))
    try settle(one, other)
    for device in [one, other] {
      #expect(Set(try names(device)) == ["Nara", "Kyoto", "Trip", "Trip 2", "walk"])
    }
  }

  /// Names that got a number, days that were set later, and templates with two texts, by every way in which a diary leaves its space.
  @Test(arguments: SharingDevice.Leaving.allCases)
  func `who comes in again brings nothing twice`(leaving: SharingDevice.Leaving) throws {
    let (one, other, _) = try pair()
    let day = 20_000
    for (device, start) in [(one, day), (other, day + 9)] {
      _ = try device.vault.change(names: .addJournal(Journal(name: "Trip", from: start)))
      _ = try device.vault.change(
        names: .addKind(Kind(name: "walk", emoji: start == day ? "🚶" : "🏃")))
      try device.vault.setTemplate("day", body: "Slept \(start):", isNew: true)
    }
    try settle(one, other)
    _ = try one.vault.change(
      names: .editJournal("Trip", from: .keep, to: .set(day + 40), emoji: .keep))
    var draft = try EntryDraft("in the second")
    draft.content.journal = "Trip 2"
    let id = try other.vault.add(draft).id
    try settle(one, other)
    func names(_ device: SharingDevice) throws -> [String] {
      let names = try Snapshot(device.vault).catalogue.register()
      return names.journals.map { "\($0.name) \($0.from ?? 0) \($0.to ?? 0)" }
        + names.ownKinds.map { $0.name + $0.emoji }
    }
    let before = try names(one)
    let texts = try templates(one)
    #expect(before.count == 4 && texts.count == 2)
    for device in [other, one, other] {
      try device.leave(leaving)
      // Nor does it say that anything was changed.
      #expect(try join(device, by: device === one ? other : one, name: "again").merged == 0)
      try settle(one, other)
      for device in [one, other] {
        #expect(try names(device) == before)
        #expect(try templates(device) == texts)
        let number = try #require(try Snapshot(device.vault).catalogue.entry(id)?.journal)
        #expect(
          try Snapshot(device.vault).catalogue.register().journal(number)?.name == "Trip 2")
      }
    }
    // Removed is removed, also where the same text was told of twice.
    for name in ["day 2", "day"] {
      let rest = try templates(one).filter { $0.key != name }
      try one.vault.setTemplate(name, body: nil, isNew: false)
      try settle(one, other)
      for device in [one, other] { #expect(try templates(device) == rest) }
    }
  }

  @Test func `a removed text goes, and the other stays`() throws {
    for name in ["day", "day 2"] {
      let (one, other) = try two()
      let rest = try templates(one).filter { $0.key != name }
      try one.vault.setTemplate(name, body: nil, isNew: false)
      try settle(one, other)
      for device in [one, other] { #expect(try templates(device) == rest) }
    }
  }

  /// - Parameter editsMeanwhile: whether the other device writes in the entry while its journal is gone there.
  @Test(arguments: [false, true])
  func `an entry has its journal and kind again when they come back`(editsMeanwhile: Bool) throws {
    let (one, other, _) = try pair()
    for change in [
      NamesChange.addJournal(Journal(name: "Trip")), .addKind(Kind(name: "Run", emoji: "")),
    ] {
      _ = try one.vault.change(names: change)
    }
    let id = try one.write("one")
    try settle(one, other)
    for change in [NamesChange.removeJournal("Trip", entriesTo: nil), .removeKind("Run")] {
      _ = try other.vault.change(names: change)
    }
    var change = EntryChange()
    change.journal = .set("Trip")
    change.kind = .set("Run")
    _ = try one.vault.edit(.id(id), change)
    for device in [one, other] { try device.sync() }
    if editsMeanwhile { try other.edit(id, "two") }
    // Newer than their removal.
    for number in 0..<6 { _ = try one.write("\(number)") }
    _ = try one.vault.change(
      names: .editJournal("Trip", from: .set(20_000), to: .keep, emoji: .keep))
    _ = try one.vault.change(names: .renameKind("Run", to: "Jog"))
    try settle(one, other)
    func expectThem() throws {
      for device in [one, other] {
        let entry = try #require(try device.vault.all().first { $0.id == id })
        #expect(entry.content.journal == "Trip" && entry.content.kind == "Jog")
      }
    }
    try expectThem()
    try other.edit(id, "a new text")
    try settle(one, other)
    try expectThem()
    for device in [one, other] { #expect(try device.vault.verify().problems.isEmpty) }
  }

  @Test func `a template that is removed here and changed there stays`() throws {
    let (one, other, _) = try pair()
    try one.vault.setTemplate("day", body: "Slept:", isNew: true)
    try settle(one, other)
    try one.vault.setTemplate("day", body: nil, isNew: false)
    try other.vault.setTemplate("day", body: "Weather:", isNew: false)
    try settle(one, other)
    for device in [one, other] { #expect(try templates(device) == ["day": "Weather:"]) }
    try one.vault.setTemplate("day", body: nil, isNew: false)
    try settle(one, other)
    for device in [one, other] { #expect(try templates(device).isEmpty) }
  }

  @Test func `names as long as names may be are numbered, and can be changed and removed`() throws {
    let long = String(repeating: "長", count: 85)
    #expect(long.utf8.count == 255)
    let (one, other, _) = try pair()
    for (day, device) in [one, other].enumerated() {
      _ = try device.vault.change(names: .addJournal(Journal(name: long, from: day)))
      _ = try device.vault.change(names: .addKind(Kind(name: long, emoji: "")))
    }
    try settle(one, other)
    for device in [one, other] {
      let names = try Snapshot(device.vault).register().journals.map(\.name)
      #expect(names.contains(long) && names.count == 2)
      #expect(names.allSatisfy { $0.utf8.count <= NameRegister.nameLimit })
    }
    let numbered = try #require(
      Snapshot(one.vault).register().journals.first { $0.name != long }?.name)
    _ = try one.vault.change(
      names: .editJournal(numbered, from: .keep, to: .keep, emoji: .set("🏔")))
    _ = try one.vault.change(names: .removeJournal(long, entriesTo: nil))
    try settle(one, other)
    for device in [one, other] {
      let journals = try Snapshot(device.vault).register().journals
      #expect(journals.map(\.emoji) == ["🏔"])
    }
  }

  @Test func `hundreds of long names that are alike are numbered in a moment`() throws {
    let (one, other, _) = try pair()
    for (day, device) in [one, other].enumerated() {
      for index in 0..<400 {
        let name = String(repeating: "x", count: 250) + String(index + 1000)
        _ = try device.vault.change(names: .addJournal(Journal(name: name, from: day)))
      }
    }
    try settle(one, other)
    let names = try Snapshot(one.vault).register().journals.map(\.name)
    #expect(names == (try Snapshot(other.vault).register().journals.map(\.name)))
    #expect(Set(names).count == names.count)
    #expect(names.contains { $0.hasSuffix("x 401") && $0.utf8.count == 252 })
  }

  @Test func `a text for which there is no room here is not taken away by a change of another`()
    throws
  {
    let (one, other, _) = try pair()
    let long = String(repeating: "x", count: EntryTemplate.bodyLimit - 100)
    for number in 0..<23 {
      try one.vault.setTemplate("\(number)", body: "\(number) " + long, isNew: true)
    }
    try one.vault.setTemplate("day", body: "Slept:", isNew: true)
    try settle(one, other)
    try one.vault.setTemplate("day", body: "a " + long, isNew: false)
    try other.vault.setTemplate("day", body: "b " + long, isNew: false)
    try settle(one, other)
    let shown = try #require(templates(one)["day"])
    #expect(try templates(one).count == 24 && templates(other) == templates(one))
    try one.vault.setTemplate("day", body: "Slept, dreamt:", isNew: false)
    try one.vault.setTemplate("0", body: nil, isNew: false)
    try settle(one, other)
    let now = try templates(one)
    #expect(try now == templates(other))
    #expect(now["day"] == "Slept, dreamt:")
    #expect(now.values.contains { $0 != shown && ($0 == "a " + long || $0 == "b " + long) })
  }
}
