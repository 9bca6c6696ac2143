import Bytes
import Foundation
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// The table of `ThreatModel` that says what comes along when a diary gets other contents: each part of a state, by each way.
@Suite struct TakenOverTests {
  private static let table = try! DocumentedTable(section: "## What comes along with contents")

  /// How a diary gets the contents of another state, or goes on with them.
  enum Way: String, CaseIterable {
    case restored = "a backup's contents"
    case restoredOfReplacedKey = "the same, of a replaced key"
    case revived = "a backup where the rows are gone"
    case revivedOfReplacedKey = "the same, of a replaced key, too"
    case accepted = "an older copy that is accepted"

    var isOfReplacedKey: Bool { self == .restoredOfReplacedKey || self == .revivedOfReplacedKey }
  }

  /// What a state consists of.
  enum Part: String, CaseIterable {
    case role, made, incarnation
    case past = "incarnations that ended"
    case counters = "devices and their counters"
    case retired = "devices that were given another key"
    case faces = "faces of other devices"
    case ownFace = "face of this device"
    case slots = "ways in"
    case generation = "number of the ways in"
    case policy
    case added = "number of entries ever added"
    case latest = "latest entry"
    case sections = "entries"
    case register = "journals and kinds"
    case templates
    case drafts = "keys of kept texts"
    case lineage
    case unknown = "fields of a later version"
    case space = "membership in a space"
  }

  @Test func `the table has every way and every part of a state`() throws {
    #expect(Self.table.columns == Way.allCases.map(\.rawValue))
    #expect(Self.table.rows == Part.allCases.map(\.rawValue))
    // A new field of the record has to be put into the table.
    let state = try #require(try World().session.latestState)
    #expect(
      Mirror(reflecting: state).children.compactMap(\.label) == [
        "role", "made", "incarnation", "past", "devices", "slots", "added", "latest", "register",
        "templates", "policy", "sections", "space", "earlierDrafts", "lineage", "unknown",
      ])
  }

  @Test(arguments: Way.allCases)
  func `what comes along is what the table says`(_ way: Way) throws {
    let world = try World()
    let bench = world.bench
    let session = world.session
    try session.addSlot(
      .passphrase, secret: try Workbench.secret("replaced since"), limits: Workbench.limits)
    let before = try #require(session.latestState)
    try session.beginSpace(recovery: try Workbench.secret(Workbench.recovery), name: "laptop")
    try session.mark(1)
    let copy = try bench.copy(to: "older")
    let folder = bench.directory + "/backup"
    try Vault.makeBackup(of: bench.path, as: folder, settings: bench.settings) {
      try session.sealBackup(state: $0, since: try session.beginBackup())
    }
    let theirs = try Values(
      way == .accepted ? session : world.backup(folder, validToday: nil))
    try session.unmark(to: before)
    try session.removeSlot(try #require(session.keyring.slots.last).id)
    try session.addSlot(
      .passphrase, secret: try Workbench.secret("of today"), limits: Workbench.limits)
    if way.isOfReplacedKey { try world.rotate(session) }
    try session.mark(2)
    let present = try Values(session)
    let remembered = session.currentAnchor
    // As a caller makes the stricter one of both.
    func both(_ one: SealedPolicy, _ other: SealedPolicy?) -> SealedPolicy {
      SealedPolicy(one.bytes + (other?.bytes ?? []), allowsPlainFaces: true)
    }
    let result: Vault
    switch way {
    case .restored, .restoredOfReplacedKey:
      try session.restore(try world.backup(folder, validToday: nil))
      result = session
    case .revived, .revivedOfReplacedKey:
      let backup = try world.backup(folder, validToday: remembered)
      let revived = try world.copy(of: backup, validToday: remembered)
      let lost = LostDiary(anchor: remembered, spare: session.spare, wasKnown: true)
      let ways = try backup.waysOfToday(
        lost, .passphrase, try Workbench.secret("open sesame"), place: "")
      _ = try revived.revive(from: backup, lost, ways) { both($0, remembered?.policy) }
      result = revived
    case .accepted:
      try bench.putBack(copy)
      result = try Vault.open(
        try LockedVault(bench.path, settings: bench.settings), kind: .passphrase,
        secret: try Workbench.secret("open sesame"), device: bench.device, anchors: bench.anchors,
        settings: bench.settings, for: .accepting(Vault.Acceptance(policy: both)))
    }
    let values = try Values(result)
    for part in Part.allCases {
      let found = values.origin(of: part, present, theirs)
      #expect(Self.table[part.rawValue, way.rawValue] == found, "\(part.rawValue): \(found)")
    }
    // No device finds a lower number than it remembers.
    let counters = try #require(result.latestState).counters
    for (id, counter) in present.counters where !(way == .accepted) {
      #expect(counters[id] ?? 0 >= counter)
    }
  }
}

/// The parts of a state, each as a set of what it consists of.
private struct Values {
  private var parts: [TakenOverTests.Part: Set<[UInt8]>] = [:]
  let counters: [[UInt8]: UInt64]

  init(_ vault: Vault) throws {
    let snapshot = try Snapshot(vault)
    let state = snapshot.catalogue.state
    counters = state.counters
    func number(_ value: some FixedWidthInteger) -> Set<[UInt8]> { [Array("\(value)".utf8)] }
    for part in TakenOverTests.Part.allCases {
      let found: Set<[UInt8]> =
        switch part {
        case .role: number(state.role.rawValue)
        case .made: number(state.made)
        case .incarnation: [state.incarnation]
        case .past: Set(state.past.map(\.incarnation))
        case .counters: Set(state.devices.keys)
        case .retired: state.retired
        case .faces:
          Set(state.devices.compactMap { $0.key == vault.device ? nil : $0.value.templates })
        case .ownFace: state.devices[vault.device]?.templates.map { [$0] } ?? []
        case .slots: Set(state.slots.digests)
        case .generation: number(state.slots.generation)
        case .policy: Set(state.policy.bytes.map { [$0] })
        case .added: number(state.added)
        case .latest: state.latest.map { [$0.bytes] } ?? []
        case .sections: Set(try vault.all().map { Array(($0.title ?? "").utf8) })
        case .register: Set(try snapshot.catalogue.register().journals.map { Array($0.name.utf8) })
        case .templates: Set(try snapshot.templates().map { Array($0.name.utf8) })
        case .drafts: Set(state.earlierDrafts)
        case .lineage: Set(state.lineage.links.map(\.signature))
        case .unknown: state.unknown.isEmpty ? [] : [state.unknown]
        case .space: state.space == nil ? [] : [[1]]
        }
      parts[part] = found
    }
  }

  /// Whose a part is: of the diary before, of the contents that it was given, of both or of neither.
  func origin(of part: TakenOverTests.Part, _ present: Values, _ theirs: Values) -> String {
    let (value, ours, given) = (parts[part]!, present.parts[part]!, theirs.parts[part]!)
    if value == ours { return value == given ? "the same" : "the diary's" }
    if value == given { return "the contents'" }
    if value.isEmpty { return "none" }
    if part == .generation { return value.isDisjoint(with: given) ? "higher" : "new" }
    if value.isSuperset(of: ours.union(given)) { return "both" }
    return "new"
  }
}

extension World {
  fileprivate func backup(_ path: String, validToday: Anchor?) throws -> Vault {
    try Vault.open(
      try LockedVault(path, settings: bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: bench.device, anchors: MemoryAnchors(),
      settings: bench.settings, for: .backup(validToday: validToday))
  }

  /// What the keeper makes the diary of.
  fileprivate func copy(of backup: Vault, validToday: Anchor?) throws -> Vault {
    let path = bench.directory + "/new"
    try LockedVault.copy(backup.path, to: path, settings: bench.settings)
    return try self.backup(path, validToday: validToday)
  }
}

extension Vault {
  /// Gives every part of the state something that says when it was given.
  fileprivate func mark(_ number: UInt8) throws {
    let name = "mark \(number)"
    _ = try add(try EntryDraft(name, title: name))
    _ = try change(names: .addJournal(Journal(name: name)))
    try setTemplate(name, body: name, isNew: true)
    let id = [UInt8](repeating: number, count: 16)
    let digest = [UInt8](repeating: number, count: 32)
    let former = [UInt8](repeating: number + 100, count: 16)
    let own = device
    try change { edit throws(VaultError) in
      edit.update { state in
        state.policy = SealedPolicy([number], allowsPlainFaces: true)
        state.devices[id] = DeviceState(counter: UInt64(number), templates: digest)
        state.devices[own]?.templates = digest
        state.devices[former] = .retired(counter: 1)
        state.end(id, [id: 1])
        state.takeDrafts([digest])
        state.unknown = [number]
        state.added += UInt64(number) * 1000
      }
    }
  }

  /// Takes back what ``mark(_:)`` gave, as far as it is no content.
  fileprivate func unmark(to before: StateRecord) throws {
    try change { edit throws(VaultError) in
      edit.update { state in
        var new = before
        new.sections = state.sections
        (new.register, new.templates, new.latest) = (state.register, state.templates, state.latest)
        new.added = state.added
        for (id, device) in state.devices where new.devices[id] != nil { new.devices[id] = device }
        // A space that it had begun is left.
        state = new
      }
    }
  }
}
