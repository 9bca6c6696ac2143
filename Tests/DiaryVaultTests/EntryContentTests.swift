import Replication
import Testing

@testable import DiaryVault
@testable import Entries

/// The one description of an entry: a field that is added and forgotten somewhere fails here, by its name.
@Suite struct EntryContentTests {
  /// With every field set to something else than it is when nothing is said.
  static func full(_ names: (journal: String, kind: String) = ("Kyoto", "meal")) throws
    -> EntryContent
  {
    EntryContent(
      date: try ZonedTime(seconds: 1_772_000_000, offset: 32_400),
      until: try ZonedTime(seconds: 1_772_003_600, offset: 32_400), zone: "Asia/Tokyo",
      journal: names.journal, kind: names.kind, title: "Tea", body: "By the river.",
      tags: ["friends", "tea"], starred: true, location: "Kyoto (35.0116, 135.7681)",
      weather: "snow")
  }

  private static func plain() throws -> EntryContent {
    EntryContent(date: try ZonedTime(seconds: 0, offset: 0), body: "")
  }

  private static func value(_ field: EntryField, _ content: EntryContent) -> String {
    switch field.place {
    case .time(let path): "\(content[path])"
    case .optionalTime(let path): "\(String(describing: content[path]))"
    case .text(let path): "\(String(describing: content[path]))"
    case .body(let path): content[path]
    case .texts(let path): "\(content[path])"
    case .flag(let path): "\(content[path])"
    }
  }

  @Test func `the table has a row for every field, each set in the sample`() throws {
    let content = try Self.full()
    #expect(
      Mirror(reflecting: content).children.compactMap(\.label) == EntryField.all.map(\.name)
        || Set(Mirror(reflecting: content).children.compactMap(\.label))
          == Set(EntryField.all.map(\.name))
    )
    let plain = try Self.plain()
    for field in EntryField.all {
      #expect(Self.value(field, content) != Self.value(field, plain), "\(field.name)")
    }
  }

  @Test func `a vault keeps every field, and so does a revision of another one`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.change(names: .addJournal(Journal(name: "Kyoto")))
    let content = try Self.full()
    let id = try vault.add(EntryDraft(content)).id
    #expect(try Snapshot(vault).entry(EntryReference.id(id)).content == content)
    var change = EntryChange()
    change.title = .set("Coffee")
    _ = try vault.edit(.id(id), change)
    var expected = content
    expected.title = "Coffee"
    #expect(try Snapshot(vault).entry(.id(id)).content == expected)
    #expect(
      try Snapshot(vault).entry(.id(id), revision: 1).content == content)
  }

  @Test func `an edit can say every field`() throws {
    let content = try Self.full()
    var change = EntryChange()
    change.date = content.date
    change.until = .set(try #require(content.until))
    change.zone = .set("Asia/Tokyo")
    change.journal = .set("Kyoto")
    change.kind = .set("meal")
    change.title = .set("Tea")
    change.body = content.body
    change.addTags = content.tags
    change.starred = true
    change.location = content.location.map { .set($0) } ?? .keep
    change.weather = .set("snow")
    #expect(try Self.plain().changed(by: change) == content)
    #expect(content.changed(by: EntryChange()) == content)
    change = EntryChange()
    change.removeTags = ["TEA"]
    #expect(content.changed(by: change).tags == ["friends"])
  }

  @Test func `what makes one content of another says every field`() throws {
    let (plain, full) = (try Self.plain(), try Self.full())
    for (old, new) in [(plain, full), (full, plain)] {
      #expect(old.changed(by: EntryChange(from: old, to: new)) == new)
    }
  }

  @Test(arguments: EntryField.all.map(\.name))
  func `an import with another value in one field is another entry`(name: String) throws {
    let bench = try Workbench()
    let vault = try bench.create()
    for journal in ["Kyoto", "Work"] {
      _ = try vault.change(names: .addJournal(Journal(name: journal)))
    }
    let content = try Self.full()
    let id = try vault.add(EntryDraft(content)).id
    func take(_ content: EntryContent) throws -> ImportCounts {
      let taking = try VaultImport(vault, isDryRun: true)
      try taking.take(.entry(ImportedEntry(id: id, draft: EntryDraft(content))))
      return try taking.finish()
    }
    #expect(try take(content).duplicates == 1)
    var other = content
    switch try #require(EntryField.named(name)).place {
    case .time(let path): other[path] = try ZonedTime(seconds: 1_771_999_999, offset: 0)
    case .optionalTime(let path): other[path] = nil
    case .text(let path):
      other[path] = ["journal": "Work", "kind": "stay", "zone": "UTC"][name] ?? "Other"
    case .body(let path): other[path] = "By the river!"
    case .texts(let path): other[path] = ["tea"]
    case .flag(let path): other[path] = false
    }
    #expect(throws: VaultError(.conflict, ""), "\(name)") { _ = try take(other) }
  }

  @Test
  func `every field has a number of its own for other devices, and none of what nobody writes`() {
    let numbers = EntryField.all.map { Field($0.number) }
    #expect(Set(numbers).count == numbers.count)
    #expect(Set(numbers).isDisjoint(with: [3, 4, 5, 6]))
  }

  @Test func `every field has a place of its own in the header, and none of the vault's own`() {
    var (keys, bits): ([UInt8], [UInt8]) = ([], [])
    for field in EntryField.all {
      switch field.header {
      case .record(let key): keys.append(key)
      case .flag(let bit): bits.append(bit)
      case .fixed: #expect(field.name == "date")
      case .body: #expect(field.name == "body")
      }
    }
    #expect(Set(keys).count == keys.count && Set(bits).count == bits.count)
    #expect(Set(keys).isDisjoint(with: [1, 2, 21] + Array(8...8) + Array(10...18)))
    #expect(!bits.contains(2))
  }

  /// What one device writes is what the other shows: a field that devices do not tell one another of would be erased by the
  /// next merge.
  @Test func `another device shows every field, and an edit there loses none`() throws {
    let (one, other, _) = try pair()
    _ = try one.vault.change(names: .addJournal(Journal(name: "Kyoto")))
    let content = try Self.full()
    let id = try one.vault.add(EntryDraft(content)).id
    try one.sync()
    try other.sync()
    #expect(try Snapshot(other.vault).entry(.id(id)).content == content)
    var change = EntryChange()
    change.title = .set("Coffee")
    _ = try other.vault.edit(.id(id), change)
    try other.sync()
    try one.sync()
    var expected = content
    expected.title = "Coffee"
    #expect(try Snapshot(one.vault).entry(.id(id)).content == expected)
  }
}
