import Bytes
import Foundation
import RowStore
import Sealing

@testable import DiaryVault
@testable import Entries

/// A diary with a face, whatever became of its file, and the device that opens it.
final class World {
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
    try session.admitFace(
      deviceKey: deviceKey, templates: [UInt8](repeating: 1, count: 32), over: nil)
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
      case .reset:
        func reset(_ purpose: Vault.Purpose) throws -> Vault {
          try open(
            .passphrase, "open sesame", for: purpose, device: [UInt8](repeating: 6, count: 16),
            anchors: MemoryAnchors())
        }
        // As the keeper does: what only the spare knows to be older is accepted.
        do { vault = try reset(.everyday) } catch let error as VaultError
          where error.reason == .olderThanDevice
        { vault = try reset(.accepting(Vault.Acceptance(policy: { old, _ in old }))) }
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
        let report = try Salvage(vault).run(take: { _ in }, abandon: {}, trashed: { _ in })
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
    device: [UInt8]? = nil, anchors: (any AnchorStore)? = nil
  ) throws -> Vault {
    try Vault.open(
      try file(), kind: kind, secret: try Workbench.secret(secret), device: device ?? bench.device,
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
        try session.sealBackup(state: $0, since: try session.beginBackup())
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
    case .deviceReplaced:
      try thief(as: bench.device).rebind(
        to: [UInt8](repeating: 8, count: 16), key: try SecretBytes.random(), face: .none,
        templates: nil,
        over: try thief(as: bench.device).templatesDigest(), policy: nil
      ) { _ throws(VaultError) in }
    case .spareBehind:
      try session.addSlot(
        .recovery, secret: try SecretBytes.random(16), limits: Workbench.limits)
    case .spareForged:
      // Of a key that nobody has, which says that it followed the vault's.
      let keyID = [UInt8](repeating: 7, count: 16)
      var lineage = Lineage()
      try lineage.add(replacing: try invented(session.keyring.keyID), by: try invented(keyID))
      let keyring = session.keyring
      spare = SpareSlots(
        Keyring(
          vaultID: keyring.vaultID, keyID: keyID, slots: keyring.slots,
          generation: UInt64(Int64.max)),
        KnownLineage(lineage, try invented(keyID))
      ).encoded()
    case .keyringBroken:
      let store = try RowStore(bench.file, .readWrite, schema: .vault)
      try store.transaction { () throws(StoreError) in
        try store.run("UPDATE keyring_copy SET data=?", [.blob([UInt8](repeating: 7, count: 99))])
      }
    case .chipAhead: putChip(at: 6)
    case .chipBehind: putChip(at: 4)
    case .chipGone: putChip(at: nil)
    case .chipRose: putChip(at: 6, isRising: true)
    case .spareAhead:
      let copy = try bench.copy(to: "older")
      try session.addSlot(
        .recovery, secret: try SecretBytes.random(16), limits: Workbench.limits)
      spare = session.spare?.encoded()
      try putBack(copy)
      bench.anchors.anchor = nil
    case .spareAlone:
      try putBackBeforeRotation {}
      bench.anchors.anchor = nil
    }
  }

  private func invented(_ keyID: [UInt8]) throws -> VaultKeys {
    try VaultKeys(try SecretBytes.random(), vaultID: session.keyring.vaultID, keyID: keyID)
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
  func putBack(_ copy: String) throws {
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
