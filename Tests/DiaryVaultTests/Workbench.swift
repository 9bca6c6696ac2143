import Bytes
import Foundation
import RowStore
import Scratch
import Sealing
import Synchronization

@testable import DiaryVault
@testable import Entries
@testable import SealedFiles

/// An anchor kept in memory.
final class MemoryAnchors: AnchorStore {
  var anchor: Anchor?
  var reading = ChipReading.none
  /// Whether the disk that it is on is full.
  var fails = false

  func chip() throws(VaultError) -> ChipReading { reading }
  func load() throws(VaultError) -> Anchor? { anchor }
  func save(_ anchor: Anchor) throws(VaultError) {
    guard !fails else { throw VaultError(.diskFull, "anchor") }
    self.anchor = anchor
  }
  func lock() throws(VaultError) -> AnyObject { self }
}

/// A vault in a directory of its own, with a clock that stands still until told.
final class Workbench {
  let directory: String
  let anchors = MemoryAnchors()
  let device = [UInt8](repeating: 7, count: 16)
  let vaultID: [UInt8]
  static let limits = Argon2Cost(operations: 1, memory: 8192)
  var settings: VaultSettings

  var path: String { directory + "/diary.facediary" }
  /// The rows.
  var file: String { path + "/vault" }

  init(vaultID: [UInt8] = [UInt8](repeating: 9, count: 16)) throws {
    self.vaultID = vaultID
    directory = Scratch.root + "fd-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    settings = VaultSettings(now: { 1_700_000_000 }, leastMemory: 8192, busyTimeout: 2000)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  static func secret(_ text: String) throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try SecretBytes(wiping: &bytes)
  }

  static let recovery = "0123456789abcdef"

  func create(passphrase: String = "open sesame") throws -> Vault {
    let vault = try Vault.create(
      at: path, vaultID: vaultID, recovery: try Self.secret(Self.recovery), device: device,
      anchors: anchors, settings: settings)
    try vault.addSlot(.passphrase, secret: try Self.secret(passphrase), limits: Self.limits)
    return vault
  }

  func open(_ passphrase: String = "open sesame", accepting: Bool = false) throws -> Vault {
    try Vault.open(
      try LockedVault(path, settings: settings), kind: .passphrase,
      secret: try Self.secret(passphrase), device: device, anchors: anchors, settings: settings,
      for: accepting
        ? .accepting(Vault.Acceptance(policy: { old, _ in old })) : .everyday)
  }

  /// Copies the rows as they are on disk now.
  func copy(to name: String) throws -> String {
    let target = directory + "/" + name
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file + suffix) {
      try? FileManager.default.removeItem(atPath: target + suffix)
      try FileManager.default.copyItem(atPath: file + suffix, toPath: target + suffix)
    }
    return target
  }

  func putBack(_ copy: String) throws {
    for suffix in ["-wal", "-shm", ""] {
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: copy + suffix) {
      try FileManager.default.copyItem(atPath: copy + suffix, toPath: file + suffix)
    }
  }
}

extension EntryDraft {
  init(_ body: String, day: Int = 19_000, second: Int = 43_200, title: String? = nil) throws {
    self.init(
      date: try ZonedTime(seconds: Int64(day * 86_400 + second - 32_400), offset: 32_400),
      title: title, body: body)
  }
}

extension Workbench {
  /// Changes rows as somebody does who can write the file.
  func change(_ sql: String) throws {
    let store = try RowStore(file, .readWrite, schema: .vault)
    try store.transaction { () throws(StoreError) in try store.run(sql) }
  }
}

extension Vault {
  /// Many entries, one of them with a history; returns their ids.
  func fill() throws -> [EntryID] {
    var ids: [EntryID] = []
    for number in 0..<150 {
      ids.append(
        try add(
          try EntryDraft("text \(number)", day: 18_000 + number, title: "title \(number)")
        ).id)
    }
    for text in ["second", "third"] {
      var change = EntryChange()
      change.body = text
      _ = try edit(.id(ids[3]), change)
    }
    var change = EntryChange()
    change.addTags = ["tagged"]
    _ = try edit(.id(ids[3]), change)
    _ = try delete([.id(ids[5])])
    var attach = EntryChange()
    attach.attach = [
      try stage([UInt8](repeating: 9, count: 100_000), name: "photo.jpg", type: "image/jpeg")
    ]
    _ = try edit(.id(ids[7]), attach)
    try setTemplate("morning", body: "slept", isNew: true)
    _ = try self.change(names: .addJournal(Journal(id: 0, name: "Kyoto")))
    return ids
  }

  func take(_ items: [ImportItem], dryRun: Bool = false) throws -> ImportCounts {
    let taking = try VaultImport(self, isDryRun: dryRun)
    let sealer = ImportSealer(
      ObjectStore(VaultFolder(path), isDry: dryRun) { try self.objectKey(of: $0) })
    var rest = items[...]
    while let item = try sealer.next({ rest.popFirst() }) { try taking.take(item) }
    return try taking.finish()
  }

  /// Seals a file, for an entry to take.
  func stage(
    _ bytes: [UInt8], name: String, type: String = "application/octet-stream", piece: Int = 10_000,
    through store: ObjectStore? = nil
  ) throws -> SealedAttachment {
    var rest = bytes[...]
    return try (store ?? ObjectStore(VaultFolder(path)) { try self.objectKey(of: $0) }).seal(
      name: name, type: type
    ) {
      defer { rest = rest.dropFirst(piece) }
      return rest.isEmpty ? nil : Array(rest.prefix(piece))
    }
  }

  /// The bytes of an attachment.
  func read(_ name: String, of id: EntryID) throws -> [UInt8] {
    let reader = try ObjectReader(
      Snapshot(self).attachment(name, of: .id(id)), in: VaultFolder(path))
    var whole: [UInt8] = []
    while let piece = try reader.next() { whole += piece }
    return whole
  }

  /// Brings the search index up to date.
  func updateIndex() throws {
    guard let update = try IndexUpdate(self, tolerating: 0) else { return }
    while try !update.step(Slice(milliseconds: 1)) {}
  }

  func all(
    _ filter: EntryFilter = EntryFilter(), query: [String]? = nil, newestFirst: Bool = true
  ) throws -> [Entry] {
    let cursor = try EntryCursor(
      try Snapshot(self), filter: filter, newestFirst: newestFirst, bodies: true,
      query: query.map { SearchQuery($0) })
    var entries: [Entry] = []
    while let entry = try cursor.next() { entries.append(entry) }
    return entries
  }
}

/// A seeded generator (SplitMix64), so that a failure repeats.
struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
