import Bytes
import Glibc
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import Replication
@testable import SealedFiles

/// A device of the space that seals and signs what it likes, with its real keys.
@Suite struct HostileMemberTests {
  @Test func `what a device that was taken out writes is looked at once and said once`() throws {
    let (one, other, liar) = try Liar.beside()
    _ = try one.vault.revoke("liar", recovery: try spaceCode())
    try one.sync()
    try liar.put((0..<20_000).map { .set(Identity(high: 7, low: UInt64($0)), value: [1]) })
    let name = try #require(
      liar.shared.store.keys.first {
        if case .log(let end) = $0 { end.device == liar.id } else { false }
      })
    for device in [one, other] {
      #expect(try device.sync().troubles == [.wroteAfterRevocation(device: "liar")])
      // Whatever lies there now, nobody reads it.
      try SpaceMirror(VaultFolder(device.vault.path)).put(name, [1, 2, 3])
      for _ in 0..<2 { #expect(try device.sync().troubles.isEmpty) }
      let kept = try #require(try device.vault.spaceRecord())
      #expect(kept.passedOver.count == 1 && kept.malformed.isEmpty)
    }
  }

  /// Its bytes match its name, and nothing can open it.
  @Test func `a file of another length than it should have is no damage here`() throws {
    let (one, other, liar) = try Liar.beside()
    let bytes = [UInt8](repeating: 5, count: 2_000)
    let name = try #require(ObjectName(bytes: FileDigest.of(bytes)))
    liar.shared.put(.object(Hash(name.bytes)), bytes)
    let file = SealedAttachment(
      Attachment(name: "a.jpg", type: "image/jpeg", size: 11), object: name,
      key: [UInt8](repeating: 1, count: 32))
    try liar.put([try liar.entry("with a file", files: [file])])
    for device in [one, other] {
      for _ in 0..<2 { #expect(try device.sync().troubles.isEmpty) }
      #expect(try device.vault.verify().problems.isEmpty)
      let id = try #require(try device.vault.all().first).id
      let error = #expect(throws: VaultError.self) { try device.vault.read("a.jpg", of: id) }
      #expect(error?.reason == .hasNotArrived)
    }
    // What is cut off on this disk is damage.
    let path = one.vault.path + "/objects/" + name.text
    try #require(truncate(path, 1_000) == 0)
    #expect(try !one.vault.verify().problems.isEmpty)
  }

  @Test func `a pack that not all can open takes no segment's place`() throws {
    var (one, other, liar) = try Liar.beside()
    _ = try one.write("the newest")
    try one.sync()
    let member = try #require(try one.vault.spaceRecord()?.member)
    let secret = try liar.beginEpoch(for: [member, liar.record.member].sorted { $0.id < $1.id })
    try liar.pack(under: secret)
    let logs = one.shared.logs.count
    for _ in 0..<2 { try one.sync() }
    #expect(one.shared.logs.count >= logs)
    try other.sync()
    #expect(try other.texts == ["the newest"])
  }

  @Test func `names under ids that are not theirs say nothing`() throws {
    let (one, other, liar) = try Liar.beside()
    let sight = try #require(Kind.builtIn.first { $0.name == "sight" })
    let template = { (name: String) in
      SharedName.template(EntryTemplate(name: name, body: "of " + name)).encoded
    }
    try liar.put([
      .set(Identity.random(), value: template("day")),
      .set(Identity.random(), value: template("Day")),
      .set(
        Identity(high: 0, low: UInt64(sight.id)),
        value: SharedName.kind(Kind(id: 0, name: "EVIL", emoji: ""), place: 0).encoded),
      .set(SharedName.id(ofTemplate: "night"), value: template("night")),
    ])
    for _ in 0..<3 {
      for device in [one, other] {
        let report = try device.sync()
        // Nothing comes of it that would be told again and again.
        #expect(report.pushed == 0)
      }
    }
    for device in [one, other] {
      let catalogue = try Snapshot(device.vault).catalogue
      #expect(try catalogue.templates().templates.map(\.name) == ["night"])
      #expect(try catalogue.register().ownKinds.isEmpty)
    }
  }

  @Test func `names that are alike are numbered in a moment`() throws {
    let (one, _, liar) = try Liar.beside()
    try liar.put(
      (0..<1500).map { number in
        .set(
          Identity(high: UInt64(number + 1), low: 0),
          value: SharedName.journal(Journal(id: 0, name: "trip"), place: 0).encoded)
      })
    try one.sync()
    let names = try Snapshot(one.vault).catalogue.register().journals.map(\.name)
    #expect(names.count == NameRegister.countLimit && Set(names).count == names.count)
    #expect(names.contains("trip") && names.contains("trip 1000"))
  }

  @Test func `who adds journals without end takes nobody else's away`() throws {
    let (one, other, liar) = try Liar.beside()
    for name in ["Work", "Home"] {
      _ = try one.vault.change(names: .addJournal(Journal(name: name)))
    }
    _ = try other.vault.change(names: .addJournal(Journal(name: "Sea")))
    for device in [one, other, one] { try device.sync() }
    let honest = try #require(try one.vault.spaceRecord()).journals.values
    // Some in front of all others, and the others' own ones set as early as can be.
    try liar.put(
      (0..<3000).map { number in
        .set(
          Identity(high: UInt64(number + 1), low: 0),
          value: SharedName.journal(Journal(id: 0, name: "junk \(number)"), place: 0).encoded)
      }
        + honest.map {
          .set($0, value: SharedName.journal(Journal(id: 0, name: "late"), place: 9_999).encoded)
        })
    for device in [one, other, one, other] { try device.sync() }
    for device in [one, other] {
      let names = try Snapshot(device.vault).catalogue.register().journals
      #expect(names.count == NameRegister.countLimit)
      #expect(
        Set(try device.vault.spaceRecord()?.journals.values.map(\.self) ?? []).isSuperset(
          of: honest))
      #expect(try device.vault.verify().problems.isEmpty)
    }
    #expect(try one.sync().pushed == 0 && other.sync().pushed == 0)
  }

  @Test func `an operation that gives two texts says nothing, and keeps nobody from syncing`()
    throws
  {
    let (one, other, liar) = try Liar.beside()
    let id = Identity.random()
    guard case .revision(_, var fields, _) = try liar.entry("first", id: id) else { return }
    fields[ReplicatedEntry.body] = [.given(Array("first".utf8)), .given(Array("second".utf8))]
    try liar.put([.revision(id, fields: fields, unseen: []), try liar.entry("whole", id: id)])
    for device in [one, other] { try device.sync() }
    let entry = try #require(try one.vault.all().first)
    #expect(entry.body == "whole")
    var change = EntryChange()
    change.starred = true
    _ = try one.vault.edit(.id(entry.id), change)
    _ = try other.vault.delete([.id(entry.id)])
    _ = try other.vault.purge([.id(entry.id)])
    for _ in 0..<3 { for device in [one, other] { try device.sync() } }
    for device in [one, other] {
      #expect(try device.vault.all().isEmpty && device.sync().troubles.isEmpty)
      #expect(try device.vault.verify().problems.isEmpty)
    }
  }

  @Test func `a thousand truthful packs of a device that was taken out part nobody`() throws {
    let (one, other, liar) = try Liar.beside()
    _ = try one.write("from one")
    for device in [one, other] { try device.sync() }
    _ = try one.vault.revoke(liar.id.text, recovery: try spaceCode())
    let all = SegmentOpener.Keys(space: liar.space, liar.keys, liar.roster)
    let copies = try one.shared.store.compactMap { name, object -> SignedSegment? in
      guard case .log(let end) = name else { return nil }
      return try all.open(object, end)
    }
    #expect(!copies.isEmpty)
    for _ in 0..<1001 { try liar.pack(copies) }
    #expect(one.shared.packs.count == 1001)
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    _ = try other.write("from the other")
    for device in [other, one] { try device.sync() }
    for device in [one, other] { #expect(try device.texts == ["from one", "from the other"]) }
    #expect(try one.vault.syncStatus()?.digest == other.vault.syncStatus()?.digest)
  }

  @Test func `removals that wait for a yes do not go in slices`() throws {
    let (one, other, _) = try Liar.beside()
    for number in 0..<40 { _ = try one.write("\(number)") }
    for device in [one, other] { try device.sync() }
    for id in try one.vault.all().map(\.id) {
      _ = try one.vault.delete([.id(id)])
      try one.sync()
    }
    for _ in 0..<8 {
      let report = try other.sync()
      #expect(report.removals > 0)
      #expect(try other.vault.all().count >= 38)
    }
    try other.sync(allowing: .max)
    #expect(try other.vault.all().isEmpty)
  }

  @Test func `a yes is to as many removals as were named`() throws {
    let (one, other, _) = try Liar.beside()
    for number in 0..<50 { _ = try one.write("\(number)") }
    for device in [one, other] { try device.sync() }
    for count in [2, 1, 30] {
      for id in try one.vault.all().map(\.id).prefix(count) {
        _ = try one.vault.delete([.id(id)])
      }
      _ = try one.vault.purge(nil)
      try one.sync()
    }
    #expect(try other.sync().removals == 1)
    #expect(try other.sync(allowing: 1).removals == 30)
    #expect(try other.vault.all().count == 47)
    #expect(try other.sync(allowing: 30).removals == 0)
    #expect(try other.vault.all().count == 17)
  }

  @Test func `a removal that waits holds up nobody else`() throws {
    let (one, other, liar) = try Liar.beside()
    for number in 0..<40 { _ = try one.write("\(number)") }
    for device in [one, other] { try device.sync() }
    for id in try one.vault.all().map(\.id) { _ = try one.vault.delete([.id(id)]) }
    _ = try one.vault.purge(nil)
    try one.sync()
    try liar.put([try liar.entry("news")])
    let report = try other.sync()
    #expect(report.removals == 40 && report.waiting == 1)
    #expect(try other.texts.contains("news") && other.texts.count == 41)
  }

  /// The body that is left out is in no pack; and an operation that says nothing never comes to say anything.
  @Test func `a segment that is never whole makes nothing look lost`() throws {
    let (one, other, liar) = try Liar.beside()
    let lacking = try liar.segment([
      try liar.entry("left out"), try liar.entry("there"),
      .set(
        Identity.random(),
        value: SharedName.template(EntryTemplate(name: "day", body: "of day")).encoded),
    ]).without([0])
    try liar.pack([lacking])
    for _ in 0..<2 { for device in [one, other] { try device.sync() } }
    for number in 0..<10 {
      _ = try one.write("\(number)")
      try one.sync()
    }
    #expect(try one.sync(compacting: true).packed > 0)
    for _ in 0..<3 {
      for device in [other, one] { #expect(try device.sync().troubles.isEmpty) }
    }
    #expect(try other.texts == (0..<10).map(String.init) + ["there"])
    #expect(one.shared.logs.filter { $0.device == one.id }.isEmpty)
  }

  /// - Parameter isPacked: whether it lies in a pack alone.
  @Test(arguments: [false, true])
  func `what one device was kept from reading comes to it once another has packed it`(
    isPacked: Bool
  ) throws {
    var (one, other, liar) = try Liar.beside()
    let members = [one, other].map(\.id)
    let roster = try #require(try one.vault.spaceRecord()?.roster)
    let some = roster.active.filter { $0.id != members[1] }
    let secret = try liar.beginEpoch(for: some)
    let entry = try liar.entry("for some alone")
    if isPacked {
      try liar.pack([try liar.segment([entry])], under: secret)
    } else {
      try liar.put([entry], under: secret)
    }
    #expect(try other.sync().troubles == [.unreadable(1)])
    #expect(try other.texts.isEmpty)
    // Nobody has to ask for it.
    try one.sync()
    _ = try one.write("behind it")
    try one.sync()
    // What the pack replaces goes once that is in the place, and here once it is not.
    for device in [one, other] { try device.sync() }
    #expect(try other.sync().troubles == [])
    #expect(try other.texts == ["behind it", "for some alone"])
  }

  /// Where it let a device in, that waits for them.
  @Test func `pieces that were promised and never came are waited for until a repair`() throws {
    let (one, _, liar) = try Liar.beside()
    let end = LogEnd(device: liar.id, sequence: 77, hash: Hash([UInt8](repeating: 7, count: 32)))
    _ = try one.vault.updateSpace { $0.promised.insert(end) }
    for _ in 0..<2 { #expect(try one.sync().troubles == [.lost(1)]) }
    try one.shared.exchange(one.vault)
    #expect(try Reconciliation(one.vault, repairs: true).finish().troubles == [.neverCame(1)])
    for _ in 0..<2 { #expect(try one.sync().troubles.isEmpty) }
  }

  @Test func `a place in an order behind which nothing could stand says nothing`() throws {
    let (one, other, liar) = try Liar.beside()
    let journals = (0..<3).map { (name: "X\($0)", id: Identity.random()) }
    try liar.put(
      journals.map {
        .set($0.id, value: SharedName.journal(Journal(id: 0, name: $0.name), place: .max).encoded)
      })
    for device in [one, other] { try device.sync() }
    _ = try one.vault.change(names: .addJournal(Journal(id: 0, name: "mine")))
    for device in [one, other, one, other] { try device.sync() }
    let names = try [one, other].map { try Snapshot($0.vault).register().journals.map(\.name) }
    #expect(names[0] == names[1])
  }
}
