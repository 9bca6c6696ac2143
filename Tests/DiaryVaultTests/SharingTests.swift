import Bytes
import Foundation
import Replication
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

@Suite struct SharingTests {
  @Test func `two devices are one diary`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("from the laptop", title: "A title", tags: ["a", "b"])
    try one.sync()
    let report = try other.sync()
    #expect(report.merged == 1 && report.troubles.isEmpty)
    let there = try #require(try other.vault.all().first)
    #expect(there.id == id && there.title == "A title" && there.tags == ["a", "b"])
    try other.edit(id, "changed on the phone")
    _ = try other.write("from the phone")
    try other.sync()
    try one.sync()
    #expect(try one.texts == other.texts)
    #expect(try one.texts == ["changed on the phone", "from the phone"])
    // Nothing is told twice.
    #expect(try one.sync().pushed == 0 && other.sync().pushed == 0)
    #expect(try one.vault.syncStatus()?.digest == other.vault.syncStatus()?.digest)
    #expect(try one.vault.verify().problems.isEmpty && other.vault.verify().problems.isEmpty)
  }

  @Test func `two texts are a conflict that the next edit ends`() throws {
    let (one, other, _) = try pair()
    let id = try one.write("first")
    try one.sync()
    try other.sync()
    try one.edit(id, "by one")
    try other.edit(id, "by the other")
    try one.sync()
    #expect(try other.sync().conflicts == 1)
    #expect(try one.sync().conflicts == 1)
    let conflict = try #require(try one.vault.conflicts(nil).first)
    #expect(Set(try one.conflicting) == ["by one", "by the other"])
    #expect(Set(conflict.versions.compactMap(\.device)) == ["laptop", "phone"])
    #expect(
      try other.conflicting == one.conflicting)
    // A star ends nothing, and tells nothing of the text.
    var star = EntryChange()
    star.starred = true
    _ = try other.vault.edit(.id(id), star)
    try other.sync()
    #expect(try one.sync().conflicts == 1)
    #expect(try one.vault.all().first?.starred == true)
    #expect(throws: VaultError(.conflict, "")) { try one.edit(id, "both") }
    try one.edit(id, "both", endsConflict: true)
    #expect(try one.sync().conflicts == 0)
    #expect(try other.sync().conflicts == 0)
    #expect(try other.texts == ["both"])
    let history = try Snapshot(other.vault).history(.id(id))
    let bodies = try history.map {
      try Snapshot(other.vault).entry(.id(id), revision: $0.revision).body ?? ""
    }
    #expect(Set(bodies).isSuperset(of: ["first", "by one", "by the other", "both"]))
    #expect(try one.vault.verify().problems.isEmpty && other.vault.verify().problems.isEmpty)
  }

  private func indexFiles(of device: SharingDevice) throws -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: device.bench.path + "/index")) ?? []
  }

  @Test func `what goes for good goes unless somebody wrote on`() throws {
    let (one, other, _) = try pair()
    let (gone, kept) = (try one.write("gone"), try one.write("kept"))
    try one.sync()
    try other.sync()
    try other.vault.updateIndex()
    #expect(try !indexFiles(of: other).isEmpty)
    _ = try one.vault.delete([.id(gone), .id(kept)])
    _ = try one.vault.purge(nil)
    try other.edit(kept, "kept and changed")
    try one.sync()
    try other.sync()
    try one.sync()
    #expect(try one.texts == ["kept and changed"])
    #expect(try other.texts == ["kept and changed"])
    // No word of what is gone stays in what search is fast by.
    #expect(try indexFiles(of: other).isEmpty)
    #expect(try one.vault.verify().problems.isEmpty && other.vault.verify().problems.isEmpty)
  }

  @Test func `journals, kinds, templates and photos go along`() throws {
    let (one, other, _) = try pair()
    _ = try one.vault.change(names: .addJournal(Journal(name: "Trips", emoji: "🏔")))
    _ = try other.vault.change(names: .addJournal(Journal(name: "Trips")))
    _ = try one.vault.change(names: .addKind(Kind(name: "walk", emoji: "🥾")))
    try one.vault.setTemplate("day", body: "What was good?", isNew: true)
    var draft = try EntryDraft("on the hill")
    draft.content.journal = "Trips"
    draft.content.kind = "walk"
    draft.attachments = [
      try one.vault.stage(
        [UInt8](repeating: 5, count: 200_000), name: "hill.jpg", type: "image/jpeg")
    ]
    let id = try one.vault.add(draft).id
    for device in [one, other, one, other, one] { try device.sync() }
    for device in [one, other] {
      let names = try Snapshot(device.vault).register()
      #expect(Set(names.journals.map(\.name)) == ["Trips", "Trips 2"])
      #expect(names.kind(named: "walk") != nil)
      #expect(try Snapshot(device.vault).templates().map(\.body) == ["What was good?"])
      #expect(try device.vault.read("hill.jpg", of: id).count == 200_000)
      #expect(try device.vault.verify().problems.isEmpty)
    }
    #expect(
      try Snapshot(one.vault).register().journals.map(\.name)
        == Snapshot(other.vault).register().journals.map(\.name))
    let entries = try [one, other].map { try #require(try $0.vault.all().first) }
    #expect(entries[0].kind == "walk" && entries[1].kind == "walk")
    #expect(entries[0].journal == entries[1].journal)
    #expect(try one.sync().pushed == 0 && other.sync().pushed == 0)
    _ = try other.vault.change(names: .removeJournal("Trips", entriesTo: nil))
    for device in [other, one, other] { try device.sync() }
    #expect(try Snapshot(one.vault).register().journals.count == 1)
    #expect(try Snapshot(one.vault).count == Snapshot(other.vault).count)
  }

  @Test func `many entries come in whole and the limit of removals holds`() throws {
    let (one, other, _) = try pair()
    var items: [ImportItem] = []
    for number in 0..<300 {
      items.append(
        .entry(ImportedEntry(draft: try EntryDraft("entry \(number)", day: 18_000 + number))))
    }
    _ = try one.vault.take(items)
    try one.sync()
    try other.sync()
    #expect(try other.texts == one.texts)
    let ids = try one.vault.all().prefix(30).map { EntryReference.id($0.id) }
    _ = try one.vault.delete(ids)
    try one.sync()
    let report = try other.sync()
    #expect(report.removals == 30)
    #expect(try Snapshot(other.vault).count == 300)
    #expect(try other.sync(allowing: .max).removals == 0)
    #expect(try Snapshot(other.vault).count == 270)
    #expect(try other.vault.verify().problems.isEmpty)
  }

  @Test func `the newest can be read while the rest comes`() throws {
    let (one, other, shared) = try pair()
    let items = try (0..<12).map { number in
      ImportItem.entry(
        ImportedEntry(
          draft: try EntryDraft(
            String(repeating: "\(number) ", count: 250_000), day: 18_000 + number,
            title: "\(number)")))
    }
    _ = try one.vault.take(items)
    try one.sync()
    #expect(shared.logs.count > 1)
    try shared.exchange(other.vault)
    let settling = Reconciliation(other.vault)
    var titles: [String] { get throws { try other.vault.all().compactMap(\.title) } }
    while try titles.isEmpty { #expect(try settling.step(Slice(milliseconds: 0)) == nil) }
    #expect(try titles.contains("11") && !titles.contains("0"))
    _ = try settling.finish()
    #expect(try titles.count == 12)
  }

  /// Rows are found by the first eight bytes of an id; an entry of another device may have the same ones on purpose.
  @Test func `an id that begins like another keeps nothing from being shown`() throws {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "tablet")
    func take(_ text: String, _ id: UInt8, _ device: SharingDevice) throws {
      let entry = ImportedEntry(
        id: EntryID(bytes: [UInt8](repeating: 9, count: 15) + [id]), draft: try EntryDraft(text))
      _ = try device.vault.take([.entry(entry)])
    }
    try take("mine", 1, one)
    for number in 1...3 {
      _ = try third.write("from the tablet \(number)")
      try third.sync()
      if number == 2 { try take("another under nearly the same id", 2, other) }
      _ = try other.write("from the phone \(number)")
      try other.sync()
    }
    // They are many in one change, and the one whose place is taken is in the middle of it.
    for device in [one, other, third, one, other] {
      let report = try device.sync()
      #expect(report.waiting == 0 && report.troubles.isEmpty)
    }
    let all = (1...3).flatMap { ["from the phone \($0)", "from the tablet \($0)"] }.sorted()
    let alike = "another under nearly the same id"
    for device in [one, other, third] {
      #expect(try device.texts == [alike] + all + ["mine"])
      #expect(try device.vault.verify().problems.isEmpty)
    }
    func id(_ text: String, _ device: SharingDevice) throws -> EntryID {
      try #require(try device.vault.all().first { $0.body == text }).id
    }
    // Each goes on being written, on either device.
    try one.edit(try id(alike, one), alike + " again")
    try other.edit(try id("mine", other), "mine and yours")
    for device in [one, other, third, one] { try device.sync() }
    for device in [one, other, third] {
      #expect(try device.texts == [alike + " again"] + all + ["mine and yours"])
    }
    // Two texts of it are a conflict under the id that it has here.
    try one.edit(try id(alike + " again", one), "by one")
    try other.edit(try id(alike + " again", other), "by the other")
    for device in [one, other, one] { try device.sync() }
    let conflicts = try one.vault.conflicts(nil)
    #expect(conflicts.count == 1 && conflicts.first?.versions.count == 2)
    // One that is purged takes nothing else along.
    _ = try other.vault.delete([.id(try id("mine and yours", other))])
    _ = try other.vault.purge(nil)
    for device in [other, one, third, one] { try device.sync(allowing: .max) }
    for device in [one, third] {
      #expect(try device.vault.all().count == 7 && !device.texts.contains("mine and yours"))
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `a lost store is noticed and nothing here goes`() throws {
    let (one, other, shared) = try pair()
    _ = try one.write("precious")
    try one.sync()
    try other.sync()
    shared.lose { if case .log = $0 { true } else { false } }
    let report = try one.sync()
    #expect(report.troubles.contains { if case .lost = $0 { true } else { false } })
    #expect(try one.texts == ["precious"])
    #expect(shared.store.keys.allSatisfy { if case .log = $0 { false } else { true } })
    try shared.exchange(one.vault, repairing: true)
    #expect(try one.sync().troubles.isEmpty)
    let third = try SharingDevice(shared)
    try join(third, by: other, name: "third")
    #expect(try third.texts == ["precious"])
  }

  @Test func `the recovery code and the store are enough`() throws {
    let (one, other, shared) = try pair()
    _ = try one.write("one")
    try one.sync()
    _ = try other.write("other")
    try other.sync()
    let third = try SharingDevice(shared)
    #expect(throws: VaultError.self) {
      try third.vault.recoverSpace(recovery: try spaceCode("0000000000000000"), name: "new")
    }
    try shared.exchange(third.vault)
    try third.vault.recoverSpace(recovery: try spaceCode(), name: "new")
    try third.sync()
    #expect(try third.texts == ["one", "other"])
    _ = try third.write("three")
    try third.sync()
    #expect(try one.sync().troubles.isEmpty)
    #expect(try one.texts == ["one", "other", "three"])
  }

  @Test func `a piece under another name hides nothing`() throws {
    let (one, other, shared) = try pair()
    _ = try one.write("to be hidden")
    try one.sync()
    let segments = shared.store.filter { if case .log = $0.key { true } else { false } }
    for case (.log(let end), let bytes) in segments {
      for sequence in [1, end.sequence, end.sequence + 7] {
        let nobody = DeviceID(Array(repeating: UInt8(truncatingIfNeeded: sequence), count: 32))
        shared.put(.log(LogEnd(device: nobody, sequence: sequence, hash: end.hash)), bytes)
        shared.put(.log(LogEnd(device: end.device, sequence: sequence, hash: end.hash)), bytes)
      }
    }
    let garbage = [UInt8](repeating: 0, count: 3 << 20)
    shared.put(.roster(1, SpaceObject.hash(garbage)), garbage)
    shared.put(.roster(1, SpaceObject.hash([1, 2, 3])), [1, 2, 3])
    let report = try other.sync()
    #expect(report.troubles.contains { if case .refused = $0 { true } else { false } })
    #expect(try other.texts == ["to be hidden"])
    // Nor does it keep anybody out.
    let third = try SharingDevice(shared)
    try join(third, by: one, name: "third")
    #expect(try third.texts == ["to be hidden"])
  }

  @Test func `long texts go in pieces`() throws {
    let (one, other, shared) = try pair()
    let id = try one.write(String(repeating: "a", count: 5 << 20))
    for letter in ["b", "c", "d"] { try one.edit(id, String(repeating: letter, count: 5 << 20)) }
    for number in 0..<50 {
      _ = try one.write("\(number) " + String(repeating: "x", count: 100_000))
    }
    try one.sync()
    for (name, bytes) in shared.store {
      if case .log = name { #expect(bytes.count < 11 << 20) }
    }
    try other.sync()
    #expect(try other.texts == one.texts)
    #expect(try Snapshot(other.vault).history(.id(id)).count == 4)
  }

  @Test func `who comes in notices that the place shows an older day`() throws {
    let (one, _, shared) = try pair()
    _ = try one.write("old")
    try one.sync()
    let old = shared.store
    _ = try one.write("new")
    try one.sync()
    // The roster and the answer are there, and what was written last is not.
    shared.lose { if case .log = $0 { old[$0] == nil } else { false } }
    let third = try SharingDevice(shared)
    let code = try RecoveryCode.make()
    let space = String(try one.vault.requireSpace().prefix(12))
    _ = try third.vault.askToJoin(code: code, space: space, name: "third")
    try third.sync()
    try one.sync()
    let pairing = try Pairing(code)
    try one.vault.letIn(try #require(one.vault.requests(pairing).first), pairing)
    try one.sync()
    let report = try third.sync()
    #expect(try third.texts == ["old"])
    #expect(report.troubles == [.lost(1)])
    try shared.exchange(one.vault, repairing: true)
    #expect(try third.sync().troubles.isEmpty)
    #expect(try third.texts == ["new", "old"])
  }

  @Test func `a space that the code does not name is not joined`() throws {
    let shared = Shared()
    let thief = try SharingDevice(shared)
    try thief.vault.beginSpace(recovery: try spaceCode("thiefthiefthief!"), name: "thief")
    try thief.sync()
    let one = try SharingDevice(shared)
    try one.vault.beginSpace(recovery: try spaceCode(), name: "laptop")
    let joining = try SharingDevice(shared)
    _ = try joining.write("private")
    // The code was seen over a shoulder.
    let code = try RecoveryCode.make()
    let text = try Pairing.text(of: code, space: try one.vault.requireSpace())
    let typed = try Pairing.parse(text)
    _ = try joining.vault.askToJoin(code: typed.code.secret, space: typed.space, name: "phone")
    try joining.sync()
    try thief.sync()
    let pairing = try Pairing(code)
    try thief.vault.letIn(try #require(thief.vault.requests(pairing).first), pairing)
    try thief.sync()
    #expect(try joining.sync().isAsking)
    #expect(try thief.sync().pulled == 0)
  }

  @Test func `a backup from before shares nothing and says so`() throws {
    let shared = Shared()
    let device = try SharingDevice(shared)
    #expect(try Reconciliation(device.vault).finish().sharesNothing)
  }

  @Test func `vault and device store put back together are noticed`() throws {
    let (one, other, _) = try pair()
    _ = try one.write("before")
    for device in [one, other, one] { try device.sync() }
    let (copy, anchor) = (try one.bench.copy(to: "copy"), one.bench.anchors.anchor)
    _ = try one.write("written since")
    try one.sync()
    try other.sync()
    // A disk set back: the rows, what the device remembers of them, and the mirror beside them.
    try one.bench.putBack(copy)
    one.bench.anchors.anchor = anchor
    try FileManager.default.removeItem(atPath: one.bench.path + "/sync")
    let again = try one.bench.open()
    try one.shared.exchange(again)
    // What settles by itself tells nobody; it is said until a person has heard it, and then no more.
    for isTold in [false, false, true] {
      let report = try Reconciliation(again, isTold: isTold).finish()
      #expect(report.troubles.contains(.copied))
    }
    #expect(try !Reconciliation(again, isTold: true).finish().troubles.contains(.copied))
    #expect(try again.all().compactMap(\.body).sorted() == ["before", "written since"])
    // It goes on, and the others hear of it.
    _ = try again.add(try EntryDraft("after it was put back"))
    _ = try Reconciliation(again).finish()
    try one.shared.exchange(again)
    try other.sync()
    #expect(try other.texts == ["after it was put back", "before", "written since"])
    #expect(try again.verify().problems.isEmpty)
  }

  @Test func `nothing holds the keys of a vault that was closed`() throws {
    weak var vault: Vault?
    weak var other: Vault?
    do {
      let devices = try pair()
      vault = devices.one.vault
      other = devices.other.vault
      let id = try devices.one.write("text")
      for device in [devices.one, devices.other] { try device.sync() }
      try devices.one.edit(id, "one")
      try devices.other.edit(id, "other")
      for device in [devices.one, devices.other, devices.one] { try device.sync() }
      _ = try devices.one.vault.conflicts(nil)
      _ = try devices.one.vault.revoke("phone", recovery: try spaceCode())
      try devices.one.sync()
      #expect(vault != nil && other != nil)
    }
    #expect(vault == nil && other == nil)
  }
}
