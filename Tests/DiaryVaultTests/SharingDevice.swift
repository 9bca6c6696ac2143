import Bytes
import Foundation
import Replication
import Sealing
import Synchronization
import Testing

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// A store in memory, and devices that move their mirrors to and from it.
final class Shared {
  /// The time of its devices: it stands still, or goes on by a second each time that somebody looks.
  let now: @Sendable () -> Int64

  init(ticking: Bool = false) {
    let time = Mutex<Int64>(1_700_000_000)
    now = {
      time.withLock {
        if ticking { $0 += 1 }
        return $0
      }
    }
  }

  private(set) var store: [ObjectPath: [UInt8]] = [:]

  func exchange(_ vault: Vault, repairing: Bool = false) throws {
    let mirror = SpaceMirror(VaultFolder(vault.path))
    let plan = mirror.plan(Set(store.keys), repairing: repairing)
    for name in plan.get { try mirror.put(name, try #require(store[name])) }
    for name in plan.put { store[name] = try mirror.read(name) }
    try mirror.keep(listing: Set(store.keys))
  }

  func remove(_ names: [String], _ vault: Vault) throws {
    let objects = Set(names.compactMap { ObjectPath($0) })
    store = store.filter { !objects.contains($0.key) }
    try SpaceMirror(VaultFolder(vault.path)).forget(objects)
  }

  var packs: [Hash] {
    store.keys.compactMap { if case .pack(let hash) = $0 { hash } else { nil } }
  }
  var logs: [LogEnd] { store.keys.compactMap { if case .log(let end) = $0 { end } else { nil } } }
  var files: Int { store.keys.count { if case .object = $0 { true } else { false } } }

  func lose(_ isLost: (ObjectPath) -> Bool) { store = store.filter { !isLost($0.key) } }
  func put(_ name: ObjectPath, _ bytes: [UInt8]) { store[name] = bytes }
}

/// One device of a diary.
final class SharingDevice {
  let bench: Workbench
  let vault: Vault
  var shared: Shared

  /// - Parameter replicaPart: the most bytes of a row of what is kept of the others.
  init(_ shared: Shared, replicaPart: Int? = nil) throws {
    self.shared = shared
    bench = try Workbench()
    bench.settings.now = shared.now
    if let replicaPart { bench.settings.replicaPart = replicaPart }
    vault = try bench.create()
  }

  var id: DeviceID? { try? vault.spaceRecord()?.member.id }

  @discardableResult
  func sync(allowing: Int = 0, compacting: Bool = false) throws -> SyncReport {
    try shared.exchange(vault)
    let report = try Reconciliation(
      vault, allowing: allowing, compacts: compacting, isTold: true
    ).finish()
    try shared.remove(report.replaced, vault)
    try shared.exchange(vault)
    return report
  }

  func write(_ text: String, title: String? = nil, tags: [String] = []) throws -> EntryID {
    var draft = try EntryDraft(text, title: title)
    draft.content.tags = tags
    return try vault.add(draft).id
  }

  func edit(_ id: EntryID, _ body: String, endsConflict: Bool = false) throws {
    var change = EntryChange()
    change.body = body
    change.endsConflict = endsConflict
    _ = try vault.edit(.id(id), change)
  }

  /// How a device leaves its space.
  enum Leaving: CaseIterable {
    case leaves
    /// As who replaces the diary's key has to.
    case rotates
    /// With nothing kept of what it was told and had told: as where its last segment never reached the place.
    case forgets
  }

  func leave(_ how: Leaving = .leaves) throws {
    switch how {
    case .leaves: try vault.leaveSpace()
    case .rotates:
      _ = try vault.rotate(
        recovery: try spaceCode("aaaaaaaaaaaaaaaa"), passphrase: nil, limits: Workbench.limits,
        deviceKey: try SecretBytes.random())
    case .forgets:
      try vault.leaveSpace()
      try vault.change { edit throws(VaultError) in
        try edit.catalogue.store.removeReplica()
        edit.update { $0.space = nil }
      }
    }
  }

  /// The texts of the entries with more than one, as they are shown.
  var conflicting: [String] {
    get throws {
      let snapshot = try Snapshot(vault)
      return try vault.conflicts(nil).flatMap { entry in
        try entry.versions.map {
          try snapshot.entry(.id(entry.id), revision: $0.revision).body ?? ""
        }
      }
    }
  }

  var texts: [String] { get throws { try vault.all().compactMap(\.body).sorted() } }
}

func spaceCode(_ text: String = "fedcba9876543210") throws -> SecretBytes {
  try Workbench.secret(text)
}

/// Two devices of one space.
func pair(replicaPart: Int? = nil, ticking: Bool = false) throws -> (
  one: SharingDevice, other: SharingDevice, shared: Shared
) {
  let shared = Shared(ticking: ticking)
  let one = try SharingDevice(shared, replicaPart: replicaPart)
  let other = try SharingDevice(shared, replicaPart: replicaPart)
  try one.vault.beginSpace(recovery: try spaceCode(), name: "laptop")
  try one.sync()
  try join(other, by: one)
  return (one, other, shared)
}

/// Lets a device in, which has not heard of it yet.
func admit(_ other: SharingDevice, by one: SharingDevice, name: String = "phone") throws {
  let code = try RecoveryCode.make()
  let (_, check) = try other.vault.askToJoin(
    code: code, space: String(try one.vault.requireSpace().prefix(12)), name: name)
  #expect(try other.sync().isAsking)
  try one.sync()
  let pairing = try Pairing(code)
  let requests = try one.vault.requests(pairing)
  #expect(requests.map(\.check) == [check] && requests.map(\.name) == [name])
  try one.vault.letIn(try #require(requests.first), pairing)
  try one.sync()
}

/// - Returns: what its first sync said.
@discardableResult
func join(
  _ other: SharingDevice, by one: SharingDevice, name: String = "phone"
) throws -> SyncReport {
  try admit(other, by: one, name: name)
  let report = try other.sync()
  #expect(!report.isAsking)
  return report
}

/// Everybody has everything, and nothing more to say.
func settle(_ devices: SharingDevice...) throws {
  for _ in 0..<3 { for device in devices { try device.sync(allowing: .max) } }
  for device in devices {
    #expect(try device.sync(allowing: .max).pushed == 0)
    #expect(try device.vault.verify().problems.isEmpty)
  }
}
