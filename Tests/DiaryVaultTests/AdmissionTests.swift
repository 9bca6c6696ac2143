import Bytes
import Foundation
import RowStore
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries

/// The table of `ThreatModel`, each state made for real and opened by each door.
@Suite struct AdmissionTests {
  private static let table = try! DocumentedTable(section: "## What opens, and what does not")

  @Test func `the table has every door, and every state is one that is made here`() {
    #expect(Self.table.columns == Door.allCases.map(\.rawValue))
    #expect(Set(Self.table.rows) == Set(State.allCases.map(\.rawValue)))
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
    .chipGone: .chipHasNoCounter, .deviceReplaced: .deviceWasReplaced,
  ]

  @Test func `what is salvaged is read with the key of the file, whatever the spare says`() throws {
    for state in [State.beforeRotation, .othersKey] {
      let world = try World()
      try world.make(state)
      try world.breakState()
      #expect(world.verdict(at: .salvage) == "read", "\(state.rawValue)")
    }
  }

  @Test func `an open diary does not even read what somebody else wrote with its counters`() throws
  {
    let world = try World()
    try world.make(.twin)
    #expect(throws: VaultError.self) { try Snapshot(world.session) }
  }

  /// Another process went on since the session read last, and somebody put the rows back that it saw, or others from before.
  @Test(arguments: [false, true]) func `an open diary believes nothing older than the device does`(
    isOtherState: Bool
  ) throws {
    let world = try World(inPlace: true)
    if isOtherState {
      _ = try world.bench.open().add(try EntryDraft("unseen by the session"))
    } else {
      _ = try Snapshot(world.session)
    }
    let copy = try world.bench.copy(to: "before")
    _ = try world.bench.open().add(try EntryDraft("later"))
    try world.putBack(copy)
    let failure = #expect(throws: VaultError.self) { try Snapshot(world.session) }
    #expect(failure?.code == .rolledBack)
    #expect(throws: VaultError.self) { try world.session.beginBackup() }
  }

  @Test func `an older copy that is accepted without an anchor lets no face of this device in`()
    throws
  {
    let world = try World()
    world.bench.anchors.anchor = nil
    let vault = try world.bench.open(accepting: true)
    #expect(try vault.templatesDigest() == nil)
  }

  @Test func `nothing is accepted where the device cannot remember it`() throws {
    let world = try World()
    try world.make(.older)
    world.bench.anchors.fails = true
    for _ in 0..<3 { #expect(throws: VaultError.self) { try world.bench.open(accepting: true) } }
    world.bench.anchors.fails = false
    let vault = try world.bench.open(accepting: true)
    #expect(try vault.all().count == 1 && vault.latestState?.past.count == 1)
  }

  @Test func `entries of a later key are not sealed under one that was replaced`() throws {
    let world = try World()
    let copy = world.bench.directory + "/copy"
    let before = try world.bench.copy(to: "before")
    try world.rotate(world.session)
    try Vault.makeBackup(of: world.bench.path, as: copy, settings: world.bench.settings) {
      try world.session.sealBackup(state: $0, since: try world.session.beginBackup())
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
    case deviceReplaced =
      "as it was left, on a device whose store is one from before its key was replaced"
    case spareBehind = "as it was left, on a device whose spare of the slots is behind"
    case spareForged = "as it was left, on a device whose spare of the slots somebody forged"
    case keyringBroken = "as it was left, with one of its two copies of the slots broken"
    case chipAhead = "as it was left, with a chip that has counted more"
    case chipBehind = "as it was left, with a chip that has counted less"
    case chipGone = "as it was left, with a chip that has lost the counter"
    case chipRose = "as it was left, killed while the chip counted"
    case noAnchor = "as it was left, on a device with a new key"
    case spareAhead =
      "a copy from before the ways in were changed, on a device with a new key and its old spare of the slots"
    case spareAlone =
      "a copy from before the key was replaced, on a device with a new key and its old spare of the slots"
  }

  /// The disk is full after the device remembers what it accepts, and before that is there; or a kill comes then.
  @Test func `what was accepted by half is accepted with the same secret again`() throws {
    let bench = try Workbench()
    let vault = try bench.create()
    _ = try vault.add(try EntryDraft("one"))
    let older = try bench.copy(to: "older")
    let old = try #require(vault.keyring.slots.first { $0.kind == .passphrase })
    try vault.addSlot(
      .passphrase, secret: try Workbench.secret("of today"), limits: Workbench.limits)
    try vault.removeSlot(old.id)
    let spare = try #require(vault.spare?.encoded())
    func open(_ passphrase: String, accepting: Bool = false) throws -> Vault {
      try Vault.open(
        try LockedVault(bench.path, settings: bench.settings, spare: spare), kind: .passphrase,
        secret: try Workbench.secret(passphrase), device: bench.device, anchors: bench.anchors,
        settings: bench.settings,
        for: accepting ? .accepting(Vault.Acceptance(policy: { old, _ in old })) : .everyday)
    }
    try bench.putBack(older)
    _ = try open("of today", accepting: true)
    // Remembered, and the rows are the copy's still.
    try bench.putBack(older)
    let refused = #expect(throws: VaultError.self) { try open("of today") }
    #expect(refused?.code == .rolledBack)
    let again = try open("of today", accepting: true)
    #expect(try again.all().count == 1)
    #expect(throws: VaultError.self) { try open("open sesame") }
    _ = try open("of today")
  }

  /// Whoever may write the device store alone cannot make the right passphrase useless by what it costs to try a slot of theirs.
  @Test func `a costly slot in a forged spare keeps nobody out`() throws {
    let bench = try Workbench()
    bench.settings.leastMemory = 8192
    let vault = try bench.create()
    let spare = try #require(vault.spare)
    let own = try #require(spare.keyring.slots.first { $0.kind == .passphrase })
    var forged = Array(own.encoded().dropLast(16))
    forged[0] ^= 1
    // Ten passes over a gigabyte: all that may be spent.
    forged.replaceSubrange(33..<37, with: [10, 0, 0, 0])
    forged.replaceSubrange(37..<45, with: [0, 0, 0, 0x40, 0, 0, 0, 0])
    forged += Digest.blake2b(forged, count: 16, domain: "FDv1 slot checksum")
    let slot = try KeySlot(forged)
    let kept = SpareSlots(
      Keyring(
        vaultID: spare.keyring.vaultID, keyID: spare.keyring.keyID, slots: [slot],
        generation: spare.keyring.generation + 1), spare.known)
    let opened = try Vault.open(
      try LockedVault(bench.path, settings: bench.settings, spare: kept.encoded()),
      kind: .passphrase, secret: try Workbench.secret("open sesame"), device: bench.device,
      anchors: bench.anchors, settings: bench.settings)
    #expect(opened.openedBy == own.id)
  }

  @Test func `an older copy of a later key is accepted as what it is`() throws {
    let world = try World()
    try world.make(.othersKeyForked)
    var told: OlderCopy?
    let anchors = FollowingAnchors(world.bench.anchors.anchor)
    let vault = try Vault.open(
      try LockedVault(world.bench.path, settings: world.bench.settings), kind: .passphrase,
      secret: try Workbench.secret("open sesame"), device: world.bench.device, anchors: anchors,
      settings: world.bench.settings,
      for: .accepting(
        Vault.Acceptance(policy: { old, _ in old }, confirm: { copy in told = copy })))
    let copy = try #require(told)
    // None of its ways in was removed: all of them open the diary from now on.
    #expect(copy.isOfLaterKey && copy.removed.isEmpty && copy.lost == 0)
    #expect(vault.keyring.slots.contains { $0.kind == .recovery })
    #expect(anchors.followed == [true])
  }

  /// Notes of which followings the owner is to hear.
  private final class FollowingAnchors: AnchorStore {
    var anchor: Anchor?
    var followed: [Bool] = []
    init(_ anchor: Anchor?) { self.anchor = anchor }
    func load() throws(VaultError) -> Anchor? { anchor }
    func save(_ anchor: Anchor) throws(VaultError) { self.anchor = anchor }
    func lock() throws(VaultError) -> AnyObject { self }
    func willFollow(acceptance: Bool, rotation: Bool) throws(VaultError) {
      followed.append(rotation)
    }
  }
}
