import Bytes
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// What later versions of this program may add.
@Suite struct RecordVersionTests {
  private static func raised(_ plain: [UInt8]) throws -> [UInt8] {
    var content = try Padding.unpad(plain)
    content[0] = 2
    return Padding.pad(content)
  }

  private static func longer(_ plain: [UInt8]) throws -> [UInt8] {
    Padding.pad(try Padding.unpad(plain) + Array("more".utf8))
  }

  @Test func `what a later version adds at the end is kept`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    try vault.setTemplate("morning", body: "slept", isNew: true)
    _ = try vault.add(try EntryDraft("text", day: 18_000))
    let catalogue = try Snapshot(vault).catalogue
    var names = try NameRegister(plain: Self.longer(try catalogue.register().plain()))
    _ = try names.addJournal(Journal(id: 0, name: "Osaka"))
    #expect(try Padding.unpad(names.plain()).suffix(4) == Array("more".utf8))
    var templates = try TemplateList(plain: Self.longer(try catalogue.templates().plain()))
    templates.templates = []
    #expect(try Padding.unpad(templates.plain()).suffix(4) == Array("more".utf8))
    let known = try #require(catalogue.state.sections.first)
    var section = try Section(plain: Self.longer(try catalogue.section(known).plain()))
    section.pages[0].count += 1
    #expect(try Padding.unpad(section.plain()).suffix(4) == Array("more".utf8))
  }

  @Test func `a record of a later version is said to be that`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("text", day: 18_000))
    let catalogue = try Snapshot(vault).catalogue
    let known = try #require(catalogue.state.sections.first)
    let section = try catalogue.section(known)
    let page = try catalogue.page(section.pages[0])
    let header = try page.header(0)
    #expect(throws: SealingError.newer) {
      try Section(plain: Self.raised(section.plain()))
    }
    #expect(throws: SealingError.newer) {
      try NameRegister(plain: Self.raised(NameRegister().plain()))
    }
    #expect(throws: SealingError.newer) {
      try TemplateList(plain: Self.raised(TemplateList().plain()))
    }
    #expect(throws: SealingError.newer) { try Header(past: Self.raised(header.past)) }
    #expect(throws: SealingError.newer) { try HeaderPage(plain: [2] + page.plain().dropFirst()) }
    #expect(throws: SealingError.malformed) {
      try HeaderPage(plain: [0] + page.plain().dropFirst())
    }
    var state = try Padding.unpad(catalogue.state.plain())
    state[0] = 3
    #expect(throws: SealingError.newer) { try StateRecord(plain: Padding.pad(state)) }
    #expect(VaultError(SealingError.newer, .headerPage).code == .newerFormat)
  }

  @Test func `the history's rows name neither entry nor revision, and go with the entry`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    let id = try vault.add(try EntryDraft("first", day: 18_000)).id
    _ = try vault.add(try EntryDraft("another", day: 18_001))
    for (number, text) in ["second", nil, "third", nil].enumerated() {
      var change = EntryChange()
      change.body = text
      change.title = .set("title \(number)")
      _ = try vault.edit(.id(id), change)
    }
    func rows() throws -> [Int64] {
      try VaultRows(bench.path, .readOnly, settings: vault.settings).rows(of: .history)
    }
    // Four headers, two texts.
    #expect(try rows().count == 6)
    #expect(try !rows().contains { $0 == id.key || $0 < 1 << 32 })
    #expect(try vault.verify().isWhole)
    _ = try vault.delete([.id(id)])
    _ = try vault.purge([.id(id)])
    #expect(try rows().isEmpty)
  }

  /// A state record with as much as one may have of what an anchor remembers.
  private static func largest(devices: Int) throws -> StateRecord {
    var writer = ByteWriter()
    writer.put(UInt64(1))
    writer.put(UInt16(Keyring.slotLimit))
    writer.put([UInt8](repeating: 7, count: Keyring.slotLimit * 40))
    var reader = ByteReader(writer.bytes)
    var state = StateRecord(
      incarnation: [UInt8](repeating: 1, count: 16), slots: try KnownSlots(&reader))
    let ids = (0..<devices).map { number in (0..<16).map { UInt8(number >> ($0 % 2 * 8) & 0xff) } }
    for id in ids { state.devices[id] = DeviceState(counter: 1, templates: nil) }
    let counters = Dictionary(uniqueKeysWithValues: ids.map { ($0, UInt64(1)) })
    for number in 0..<PastIncarnation.limit {
      state.end([UInt8](repeating: UInt8(number + 2), count: 16), counters)
    }
    writer = ByteWriter()
    writer.put(UInt8(Lineage.limit))
    writer.put([UInt8](repeating: 9, count: Lineage.limit * 112))
    reader = ByteReader(writer.bytes)
    state.lineage = try Lineage(&reader)
    return state
  }

  @Test func `an anchor of any state record that is read has room`() throws {
    let state = try Self.largest(devices: PastIncarnation.deviceLimit)
    #expect(try StateRecord(plain: state.plain()).devices.count == PastIncarnation.deviceLimit)
    let keys = try VaultKeys(
      try SecretBytes.random(), vaultID: [UInt8](repeating: 0, count: 16),
      keyID: [UInt8](repeating: 0, count: 16))
    let anchor = Anchor(
      state, at: unsafe Ref(sealed: [UInt8](repeating: 0, count: 64).span.bytes)!,
      known: KnownLineage(state.lineage, keys), device: [])
    #expect(anchor.encoded().count + 4096 <= Anchor.sizeLimit)
    #expect(throws: SealingError.malformed) {
      _ = try StateRecord(plain: try Self.largest(devices: PastIncarnation.deviceLimit + 1).plain())
    }
  }

  @Test func `numbers that nothing could be added to are no numbers of ours`() throws {
    var state = try Self.largest(devices: 1)
    state.added = .max
    #expect(throws: SealingError.malformed) { _ = try StateRecord(plain: state.plain()) }
    for revision in [0, Header.revisionLimit + 1, .max] as [UInt64] {
      let bench = try Workbench()
      let vault = try bench.create()
      let id = try vault.add(try EntryDraft("text", day: 18_000)).id
      var header = try #require(try Snapshot(vault).catalogue.entry(id))
      header.revision = revision
      var page = HeaderPage()
      _ = page.insert(header.encoded(), key: header.key)
      #expect(throws: SealingError.malformed) {
        _ = try HeaderPage(plain: page.plain()).header(0)
      }
    }
  }
}
