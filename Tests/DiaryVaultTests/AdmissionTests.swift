import Bytes
import Foundation
import RowStore
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// The table of `ThreatModel`, each state made for real and opened by each door.
@Suite struct AdmissionTests {
  private static let table = try! Table(section: "## What opens, and what does not")

  @Test func `the table has every door, and every state is one that is made here`() {
    #expect(Self.table.doors == Door.allCases.map(\.rawValue))
    #expect(Set(Self.table.states) == Set(State.allCases.map(\.rawValue)))
  }

  @Test(arguments: State.allCases)
  func `a vault opens as the table says`(_ state: State) throws {
    for door in Door.allCases {
      let world = try World(inPlace: door == .session)
      try world.make(state)
      let before = try world.bytes()
      let anchor = world.bench.anchors.anchor
      let verdict = world.verdict(at: door)
      #expect(
        verdict == Self.table[state.rawValue, door.rawValue],
        "\(state.rawValue), \(door.rawValue): \(String(describing: world.failure))")
      if let reason = Self.reasons[state], [.passphrase, .acceptance].contains(door),
        verdict == "refuse"
      {
        #expect((world.failure as? VaultError)?.reason == reason, "\(state.rawValue), \(door)")
      }
      if verdict == "refuse" || verdict == "read" {
        #expect(try world.bytes() == before)
        #expect(world.bench.anchors.anchor == anchor)
      }
    }
  }

  @Test func `only who had a key names the one that follows it`() throws {
    let vaultID = [UInt8](repeating: 9, count: 16)
    func keys(_ id: UInt8) throws -> VaultKeys {
      try VaultKeys(
        try SecretBytes.random(), vaultID: vaultID, keyID: [UInt8](repeating: id, count: 16))
    }
    let (first, second, third) = (try keys(1), try keys(2), try keys(3))
    let thief = try keys(4)
    var honest = Lineage()
    let atFirst = KnownLineage(honest, first)
    try honest.add(replacing: first, by: second)
    let atSecond = KnownLineage(honest, second)
    #expect(atFirst.compare(atSecond, vaultID: vaultID) == .continued)
    #expect(atSecond.compare(atSecond, vaultID: vaultID) == .same)
    #expect(atSecond.compare(atFirst, vaultID: vaultID) == .retired)
    var stolen = honest
    try honest.add(replacing: second, by: third)
    let atThird = KnownLineage(honest, third)
    #expect(atFirst.compare(atThird, vaultID: vaultID) == .continued)
    #expect(atThird.compare(atSecond, vaultID: vaultID) == .retired)
    // The first key is known, and what the second signed; its own signature is not to be had.
    let asSecond = try VaultKeys(
      try SecretBytes.random(), vaultID: vaultID, keyID: second.keyID)
    try stolen.add(replacing: asSecond, by: thief)
    #expect(atSecond.compare(KnownLineage(stolen, thief), vaultID: vaultID) == .foreign)
    #expect(atFirst.compare(KnownLineage(stolen, thief), vaultID: vaultID) == .foreign)
    // A true chain in front of another key, in another diary, and two devices that replaced the key without knowing of each other.
    #expect(atFirst.compare(KnownLineage(honest, thief), vaultID: vaultID) == .foreign)
    #expect(
      atFirst.compare(atSecond, vaultID: [UInt8](repeating: 8, count: 16)) == .foreign)
    var other = Lineage()
    try other.add(replacing: first, by: thief)
    #expect(atSecond.compare(KnownLineage(other, thief), vaultID: vaultID) == .foreign)
    #expect(atThird.compare(KnownLineage(other, thief), vaultID: vaultID) == .foreign)
    for _ in 0..<(Lineage.limit - 2) { try honest.add(replacing: third, by: third) }
    #expect(throws: VaultError(.conflict, "")) { try honest.add(replacing: third, by: first) }
  }

  /// Why a secret does not open it: not by chance.
  private static let reasons: [State: VaultError.Reason] = [
    .beforeRotation: .keyWasRetired, .forgedRotation: .keyWasRetired, .spareAlone: .keyWasRetired,
    .thiefsKey: .keyIsForeign, .chipAhead: .chipIsAhead, .chipBehind: .chipIsBehind,
    .chipGone: .chipHasNoCounter,
  ]

  @Test func `what is salvaged is read with the key of the file, whatever the spare says`() throws {
    for state in [State.beforeRotation, .othersKey] {
      let world = try World()
      try world.make(state)
      try world.breakState()
      #expect(world.verdict(at: .salvage) == "read", "\(state.rawValue)")
    }
  }

  @Test func `entries of a later key are not sealed under one that was replaced`() throws {
    let world = try World()
    let copy = world.bench.directory + "/copy"
    let before = try world.bench.copy(to: "before")
    try world.rotate(world.session)
    try Vault.makeBackup(of: world.bench.path, as: copy, settings: world.bench.settings) {
      try world.session.sealBackup(state: $0)
    }
    try world.bench.putBack(before)
    let behind = try Vault.open(
      try LockedVault(world.bench.path, settings: world.bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: [UInt8](repeating: 8, count: 16),
      anchors: MemoryAnchors(), settings: world.bench.settings)
    let backup = try Vault.open(
      try LockedVault(copy, settings: world.bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: behind.device,
      anchors: MemoryAnchors(), settings: world.bench.settings, for: .backup(validToday: nil))
    let failure = #expect(throws: VaultError.self) { try behind.restore(backup) }
    #expect(failure?.reason == .isOfEarlierKey)
    #expect(try behind.all().count == 1)
  }

  enum Door: String, CaseIterable {
    case passphrase
    case recovery = "recovery code"
    case reset = "device reset"
    case face
    case both = "face and passphrase"
    case warm, session
    case acceptance = "accept-rollback"
    case backup = "restore-backup"
    case salvage
  }

  enum State: String, CaseIterable {
    case left = "as it was left"
    case older = "an older copy"
    case forged = "an older copy with forged counters and an invented device"
    case twin = "a copy with the same counters and other content"
    case beforeRotation = "a copy from before the key was replaced"
    case forgedRotation = "such a copy, forged to look like the next state"
    case thiefsKey = "under a key that a thief of the old one made"
    case othersKey = "under a key that another device made"
    case othersKeyForked = "the same, without what this device wrote last"
    case backup = "a backup in its place"
    case removedSlot = "a vault in which a removed slot was put back"
    case anotherDiary = "another diary"
    case laterFormat = "of a later format"
    case otherDevice = "written by another device since"
    case clone = "written twice by a clone of this device since"
    case fork = "an older copy that another device went on with"
    case storeBehind = "as it was left, on a device whose store was put back by two changes"
    case spareBehind = "as it was left, on a device whose spare of the slots is behind"
    case keyringBroken = "as it was left, with one of its two copies of the slots broken"
    case chipAhead = "as it was left, with a chip that has counted more"
    case chipBehind = "as it was left, with a chip that has counted less"
    case chipGone = "as it was left, with a chip that has lost the counter"
    case chipRose = "as it was left, killed while the chip counted"
    case noAnchor = "as it was left, on a device with a new key"
    case spareAlone =
      "a copy from before the key was replaced, on a device with a new key and its old spare of the slots"
  }
}

/// A Markdown table of a page of the documentation.
private struct Table {
  let doors: [String]
  let states: [String]
  private let cells: [String: [String: String]]

  init(section: String) throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/FaceDiary/FaceDiary.docc/ThreatModel.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rows = text[text.range(of: section)!.upperBound...].split(separator: "\n")
      .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    doors = Array(rows[0].dropFirst())
    var cells: [String: [String: String]] = [:]
    for row in rows.dropFirst(2) {
      cells[row[0]] = Dictionary(uniqueKeysWithValues: zip(doors, row.dropFirst()))
    }
    states = rows.dropFirst(2).map { $0[0] }
    self.cells = cells
  }

  subscript(state: String, door: String) -> String? { cells[state]?[door] }
}

/// A diary with a face, whatever became of its file, and the device that opens it.
private final class World {
  let bench: Workbench
  var failure: (any Error)?
  private let deviceKey: SecretBytes
  /// Open since before anything happened to the file.
  let session: Vault
  /// Whether rows are written over in the file that is there, or another file takes its place.
  private let isInPlace: Bool
  private let vaultKey: SecretBytes
  private var spare: [UInt8]?

  init(inPlace: Bool = false) throws {
    isInPlace = inPlace
    bench = try Workbench()
    deviceKey = try SecretBytes.random()
    session = try bench.create()
    try session.admitFace(deviceKey: deviceKey, templates: [UInt8](repeating: 1, count: 32))
    try session.addSlot(
      .facePassphrase, secret: try Self.both(deviceKey), limits: Workbench.limits)
    _ = try session.add(try EntryDraft("first"))
    vaultKey = try session.copyOfKey()
    spare = session.spare?.encoded()
  }

  /// The rows as they lie on the disk, whatever their log.
  func bytes() throws -> [Data?] {
    ["", "-wal"].map {
      let data = try? Data(contentsOf: URL(fileURLWithPath: bench.file + $0))
      return data?.isEmpty ?? true ? nil : data
    }
  }

  private func file() throws -> LockedVault {
    try LockedVault(bench.path, settings: bench.settings, spare: spare)
  }

  // MARK: Doors

  func verdict(at door: AdmissionTests.Door) -> String {
    var isAsked = false
    do {
      let vault: Vault
      switch door {
      case .passphrase: vault = try open(.passphrase, "open sesame")
      case .recovery: vault = try open(.recovery, Workbench.recovery)
      case .reset: vault = try open(.passphrase, "open sesame", anchors: MemoryAnchors())
      case .face:
        vault = try Vault.open(
          try file(), kind: .face, secret: deviceKey, device: bench.device, anchors: bench.anchors,
          settings: bench.settings)
      case .both:
        vault = try Vault.open(
          try file(), kind: .facePassphrase, secret: try Self.both(deviceKey), device: bench.device,
          anchors: bench.anchors, settings: bench.settings)
      case .warm:
        vault = try Vault.open(
          try file(), vaultKey: try vaultKey.copy(), device: bench.device, anchors: bench.anchors,
          settings: bench.settings)
      case .session: vault = session
      case .acceptance:
        vault = try open(
          .passphrase, "open sesame",
          for: .accepting(
            Vault.Acceptance(policy: { old, _ in old }) { _ throws(VaultError) in isAsked = true }))
      case .backup: vault = try open(.passphrase, "open sesame", for: .backup(validToday: nil))
      case .salvage: vault = try open(.passphrase, "open sesame", for: .salvage(validToday: nil))
      }
      if door == .salvage {
        let report = try Salvage(vault).run(take: { _ in }, trashed: { _ in })
        return !vault.isOnlyRead ? "write" : report.entries > 0 ? "read" : "nothing"
      }
      _ = try Snapshot(vault)
      do { _ = try vault.add(try EntryDraft("second")) } catch let error as VaultError
        where error.code == .readOnly
      {
        return "read"
      }
      return isAsked ? "ask" : "write"
    } catch {
      failure = error
      return "refuse"
    }
  }

  private func open(
    _ kind: SlotKind, _ secret: String, for purpose: Vault.Purpose = .everyday,
    anchors: (any AnchorStore)? = nil
  ) throws -> Vault {
    try Vault.open(
      try file(), kind: kind, secret: try Workbench.secret(secret), device: bench.device,
      anchors: anchors ?? bench.anchors, settings: bench.settings, for: purpose)
  }

  /// What opens the slot for both factors.
  private static func both(_ deviceKey: borrowing SecretBytes) throws -> SecretBytes {
    try deviceKey.followed(by: try Workbench.secret("both"))
  }

  // MARK: States

  func make(_ state: AdmissionTests.State) throws {
    switch state {
    case .left: break
    case .older: try putBackOlder {}
    case .forged:
      try putBackOlder { try forge { $0 + 2 } }
    case .twin:
      // Written here, and written once more from the same copy by somebody else.
      try putBackOlder { _ = try thief(as: bench.device).add(try EntryDraft("not mine")) }
    case .beforeRotation: try putBackBeforeRotation {}
    case .forgedRotation: try putBackBeforeRotation { try forge { _ in counter() + 1 } }
    case .thiefsKey:
      try putBackBeforeRotation {
        let new = try thief()
        try rotate(new)
        try forge { _ in counter() + 1 }
      }
    case .othersKey:
      let other = try thief()
      try rotate(other)
    case .othersKeyForked:
      try putBackOlder { try rotate(try thief()) }
    case .backup:
      let copy = bench.directory + "/copy"
      try Vault.makeBackup(of: bench.path, as: copy, settings: bench.settings) {
        try session.sealBackup(state: $0)
      }
      _ = try session.add(try EntryDraft("later"))
      try putBack(copy + "/vault")
    case .removedSlot:
      let before = try keyrings()
      let slot = session.keyring.slots.first { $0.kind == .passphrase }!
      try session.removeSlot(slot.id)
      spare = session.spare?.encoded()
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      try store.transaction { () throws(StoreError) in
        try store.run("UPDATE keyring SET data=?", [.blob(before)])
        try store.run("UPDATE keyring_copy SET data=?", [.blob(before)])
      }
    case .anotherDiary:
      let other = try Workbench(vaultID: [UInt8](repeating: 3, count: 16))
      _ = try other.create(passphrase: "another")
      try putBack(try other.copy(to: "rows"))
    case .laterFormat:
      var plain = try Padding.unpad(try Snapshot(session).catalogue.state.plain())
      plain[0] = 3
      let sealed = session.keys.seal(
        Padding.pad(plain), .state, object: VaultKeys.nowhere, randomness: .system)
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      try store.transaction { () throws(StoreError) in
        try store.run("UPDATE state SET sealed=?", [.blob(sealed)])
      }
    case .noAnchor: bench.anchors.anchor = nil
    case .otherDevice: _ = try thief().add(try EntryDraft("elsewhere"))
    case .clone:
      let clone = try thief(as: bench.device)
      for _ in 0..<2 { _ = try clone.add(try EntryDraft("by the clone")) }
    case .fork: try putBackOlder { _ = try thief().add(try EntryDraft("elsewhere")) }
    case .storeBehind:
      let anchor = bench.anchors.anchor
      for _ in 0..<2 { _ = try session.add(try EntryDraft("later")) }
      bench.anchors.anchor = anchor
    case .spareBehind:
      try session.addSlot(
        .recovery, secret: try SecretBytes.random(16), limits: Workbench.limits)
    case .keyringBroken:
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      try store.transaction { () throws(StoreError) in
        try store.run("UPDATE keyring_copy SET data=?", [.blob([UInt8](repeating: 7, count: 99))])
      }
    case .chipAhead: putChip(at: 6)
    case .chipBehind: putChip(at: 4)
    case .chipGone: putChip(at: nil)
    case .chipRose: putChip(at: 6, isRising: true)
    case .spareAlone:
      try putBackBeforeRotation {}
      bench.anchors.anchor = nil
    }
  }

  /// A chip that this device remembers at five.
  private func putChip(at value: UInt64?, isRising: Bool = false) {
    bench.anchors.anchor?.chip = ChipCount(value: 5, isRising: isRising)
    bench.anchors.reading = .value(value)
  }

  /// One entry more, and the rows as they were before it; then what a thief does with them.
  private func putBackOlder(_ change: () throws -> Void) throws {
    let copy = try bench.copy(to: "older")
    _ = try session.add(try EntryDraft("later"))
    try putBack(copy)
    try change()
  }

  private func putBackBeforeRotation(_ change: () throws -> Void) throws {
    let copy = try bench.copy(to: "older")
    try rotate(session)
    spare = session.spare?.encoded()
    try putBack(copy)
    try change()
  }

  /// Puts rows back as they were: as another file, or over those that are there.
  private func putBack(_ copy: String) throws {
    guard isInPlace else { return try bench.putBack(copy) }
    let from = try RowStore(copy, .readOnly, schema: .vault)
    let to = try RowStore(bench.file, .readWrite, schema: .vault)
    let tables = [
      ("keyring", 1), ("keyring_copy", 1), ("state", 1), ("register", 1), ("section", 1),
      ("page", 1), ("body", 2), ("history", 1), ("replica", 1),
    ]
    try to.transaction { () throws(StoreError) in
      for (table, numbers) in tables {
        try to.run("DELETE FROM \(table)")
        try from.run("SELECT * FROM \(table)") { row throws(StoreError) in
          var values: [Statement.Value] = []
          for column in 0..<Int32(numbers) { values.append(.integer(try row.integer(column))) }
          values.append(.blob(try row.blob(Int32(numbers), limit: 8 << 20)))
          let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
          try to.run("INSERT INTO \(table) VALUES(\(marks))", values)
          return true
        }
      }
    }
  }

  /// Lets the state record be what nobody can open.
  func breakState() throws {
    let store = try RowStore(bench.file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in
      try store.run("UPDATE state SET sealed=?", [.blob([UInt8](repeating: 7, count: 400))])
    }
  }

  func rotate(_ vault: Vault) throws {
    try vault.rotate(
      recovery: try Workbench.secret(Workbench.recovery),
      passphrase: SecretBytesBox(try Workbench.secret("open sesame")), limits: Workbench.limits,
      deviceKey: deviceKey)
  }

  /// The vault in the hands of somebody who has its passphrase, on another device.
  private func thief(as device: [UInt8] = [UInt8](repeating: 8, count: 16)) throws -> Vault {
    try Vault.open(
      try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: device,
      anchors: MemoryAnchors(), settings: bench.settings)
  }

  private func counter() -> UInt64 { bench.anchors.anchor?.counters[bench.device] ?? 0 }

  /// Lets the state look as this device would have written it next, and invents a device.
  private func forge(_ counter: (UInt64) -> UInt64) throws {
    let vault = try thief()
    let own = bench.device
    let remembered = bench.anchors.anchor?.counters ?? [:]
    try vault.change { edit throws(VaultError) in
      edit.update { state in
        for (id, counter) in remembered {
          state.devices[id, default: DeviceState(counter: 0, templates: nil)].counter = counter
        }
        state.devices[own, default: DeviceState(counter: 0, templates: nil)].counter = counter(
          remembered[own] ?? 0)
        state.devices[[UInt8](repeating: 5, count: 16)] = DeviceState(counter: 1, templates: nil)
      }
    }
  }

  private func keyrings() throws -> [UInt8] {
    var found: [UInt8] = []
    try RowStore(bench.file, .readOnly, schema: .vault).run("SELECT data FROM keyring") {
      row throws(StoreError) in
      found = try row.blob(0, limit: 1 << 20)
      return false
    }
    return found
  }
}
