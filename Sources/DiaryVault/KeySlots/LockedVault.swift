internal import Bytes
package import Entries
internal import RowStore

/// A vault file as it looks without any key.
package struct LockedVault {
  package let path: String
  /// The better of the file's two copies, else the device's spare. None of it is authentic before a key is there.
  package let keyring: Keyring
  /// This device's copy of the slots, when it is whole.
  let spare: SpareSlots?
  /// The slots in the spare, when it is whole and of this diary.
  package var spareSlots: [KeySlot]? {
    spare.flatMap { $0.keyring.vaultID == keyring.vaultID ? $0.keyring.slots : nil }
  }
  /// The copies in the file that read.
  let copies: [Keyring]
  /// Every slot of this vault that a copy or the device's spare holds, with the keyring it stands in, in the order in
  /// which a secret is tried: what file and spare agree on, what only the spare has, then the cheapest first.
  package let slots: [(slot: KeySlot, keyring: Keyring)]
  /// Whether slots are broken that nothing else replaces, so that nobody can say that a secret is wrong.
  let hasLostSlots: Bool
  /// Whether the file looks like a backup: it is written without a log, unlike a live diary or a plain copy of one. With the key,
  /// the state record proves it.
  package let isBackup: Bool
  /// What is wrong with the copies of the keyring, for `verify`.
  package let keyringProblems: [KeyringProblem]

  /// Whether a copy in the file is whole, so that the vault's id is the one that was written.
  package var isNamed: Bool { copies.contains(where: \.isWhole) }

  /// Whether the copies name several vaults, or several keys.
  package var isMixed: Bool { Self.areMixed(copies) }

  /// Whether the slots in the file name the key of a spare, or have a slot in common with it.
  package func hasSlots(ofSpare spare: [UInt8]) -> Bool {
    guard let other = (try? SpareSlots(spare))?.keyring else { return false }
    return copies.contains { copy in
      copy.keyID == other.keyID || copy.slots.contains { other.slots.contains($0) }
    }
  }

  private static func areMixed(_ copies: [Keyring]) -> Bool {
    Set(copies.map { $0.vaultID + $0.keyID }).count > 1
  }

  /// The file's copy of the slots that names this key.
  package func copy(of keyID: [UInt8]) -> Keyring? { copies.first { $0.keyID == keyID } }

  /// The slots of a kind that a device may try.
  func slots(of kind: SlotKind, device: [UInt8]) -> [(slot: KeySlot, keyring: Keyring)] {
    slots.filter { $0.slot.kind == kind && (!kind.needsFace || $0.slot.device == device) }
  }

  /// Reads both keyrings.
  ///
  /// - Parameters:
  ///   - spare: the device's copy.
  ///   - isOfSpare: whether the vault is that of the spare, whatever the copies say: their checksums need no key.
  /// - Throws: ``VaultError``: `noVault`, `notAVault`, `newerFormat`, `damaged` when neither copy reads.
  package init(
    _ path: String, settings: VaultSettings, spare: [UInt8]? = nil, isOfSpare: Bool = false
  ) throws(VaultError) {
    let store = try VaultRows(path, .readOnly, settings: settings)
    try self.init(store, path: path, spare: spare, isOfSpare: isOfSpare)
  }

  /// The same through a file that is open already.
  package init(
    _ glance: VaultGlance, spare: [UInt8]? = nil, isOfSpare: Bool = false
  ) throws(VaultError) {
    try self.init(try glance.rows(), path: glance.path, spare: spare, isOfSpare: isOfSpare)
  }

  init(
    _ store: VaultRows, path: String, spare: [UInt8]? = nil, isOfSpare: Bool = false
  ) throws(VaultError) {
    self.path = path
    isBackup = try store.isWithoutLog()
    self.spare = spare.flatMap { try? SpareSlots($0) }
    var problems: [KeyringProblem] = []
    var copies: [Keyring] = []
    for (number, table) in zip(1..., VaultRows.keyringTables) {
      do throws(VaultError) {
        guard let data = try store.keyring(in: table) ?? Self.lost(number, table, in: store) else {
          problems.append(.missing(copy: number))
          continue
        }
        let copy = try unsealing(.keyring, table) { () throws(SealingError) in try Keyring(data) }
        if !copy.isWhole || copy.damagedSlots > 0 { problems.append(.damaged(copy: number)) }
        copies.append(copy)
      } catch {
        if error.code != .damaged { throw error }
        problems.append(.unreadable(copy: number))
      }
    }
    let whole = copies.filter(\.isWhole)
    if whole.count == 2, whole[0] != whole[1] { problems.append(.copiesDiffer) }
    let kept = self.spare?.keyring
    guard let best = Self.best(of: copies, kept, isOfSpare: isOfSpare) else {
      throw VaultError(.damaged, .keyring, .keyring(problems))
    }
    var seen: Set<[UInt8]> = []
    func slots(_ keyrings: [Keyring]) -> [(slot: KeySlot, keyring: Keyring)] {
      keyrings.filter { $0.vaultID == best.vaultID }
        .flatMap { keyring in keyring.slots.map { ($0, keyring) } }
        .filter { seen.insert($0.slot.encoded() + $0.keyring.keyID).inserted }
    }
    let known = slots(kept.map { [$0] } ?? [])
    let inFile = Set(copies.flatMap { $0.slots.map { $0.encoded() } })
    let found = slots(copies)
    self.slots =
      known.filter { inFile.contains($0.slot.encoded()) }
      + known.filter { !inFile.contains($0.slot.encoded()) }
      + found.sorted { $0.slot.limits.work < $1.slot.limits.work }
    let isCovered = kept.map { kept in copies.allSatisfy { $0.generation <= kept.generation } }
    // Copies of two vaults or keys, or of another than the spare's that are no newer, were put together by somebody.
    let areMixed =
      Self.areMixed(copies)
      || kept.map { $0.keyID != best.keyID && best.generation <= $0.generation } ?? false
    // Without any copy nobody can say that the spare is of this vault.
    hasLostSlots =
      areMixed || self.slots.isEmpty || copies.isEmpty
      || copies.contains { $0.vaultID != best.vaultID }
      || (!copies.contains { $0.isWhole && $0.damagedSlots == 0 } && !(isCovered ?? false))
    keyring = best
    self.copies = copies
    keyringProblems = problems
  }
}

extension LockedVault {
  /// The copy of a table that is lost, as it may lie in the file: there, one copy cannot be told from the other.
  private static func lost(_ number: Int, _ table: String, in store: VaultRows) -> [UInt8]? {
    guard store.isLost(table) else { return nil }
    var left = number
    return store.looseRows?.first(1, .blob, limit: 64 << 10) { copy in
      guard Keyring.isMarked(copy) else { return nil }
      left -= 1
      return left == 0 ? copy : nil
    }
  }

  /// The better copy; the device's counts for a key that the file names too, or when the file names none.
  private static func best(of copies: [Keyring], _ kept: Keyring?, isOfSpare: Bool) -> Keyring? {
    let whole = copies.filter { $0.isWhole && (!isOfSpare || $0.vaultID == kept?.vaultID) }
    if whole.count == 2, whole[0].keyID != whole[1].keyID,
      let same = whole.first(where: { $0.keyID == kept?.keyID && $0.vaultID == kept?.vaultID })
    {
      return same
    }
    if let newest = whole.max(by: { $0.generation < $1.generation }) { return newest }
    let isSame = { (kept: Keyring) in
      copies.allSatisfy { $0.vaultID == kept.vaultID && $0.keyID == kept.keyID }
    }
    return kept.flatMap { isOfSpare || isSame($0) ? $0 : nil } ?? copies.first
  }
}

/// The vault's file, held open while it is looked at again and again without a key: each opening of a database costs more than what is
/// read, and the last to close folds the log into the file.
package final class VaultGlance {
  package let path: String
  private let settings: VaultSettings
  private var open: (rows: VaultRows, identity: [UInt64]?)?

  package init(_ path: String, settings: VaultSettings) {
    self.path = path
    self.settings = settings
  }

  /// What is at the path now.
  func rows() throws(VaultError) -> VaultRows {
    let now = VaultRows.identity(of: path)
    if let open, open.identity == now, !open.rows.isUnchanging { return open.rows }
    open = nil
    let rows = try VaultRows(path, .readOnly, settings: settings)
    open = (rows, now)
    return rows
  }
}

/// The attempt record of one host, in a row of the vault that needs no key to be replaced.
///
/// One connection for all its uses: the last to close folds the log into the file each time.
package final class AttemptRow {
  private let path: String
  private let host: [UInt8]
  private let settings: VaultSettings
  private let glance: VaultGlance
  private var writing: VaultRows?

  /// - Parameter glance: through which it is read.
  package init(
    _ path: String, host: [UInt8], settings: VaultSettings, through glance: VaultGlance? = nil
  ) {
    self.path = path
    self.host = host
    self.settings = settings
    self.glance = glance ?? VaultGlance(path, settings: settings)
  }

  /// The sealed record, nil when there is none.
  package func read() throws(VaultError) -> [UInt8]? {
    if let writing { return try writing.attempts(of: host) }
    return try glance.rows().attempts(of: host)
  }

  /// Replaces it; durable when this returns.
  package func write(_ sealed: [UInt8]) throws(VaultError) { try change { _ in sealed } }

  /// Replaces it by what `body` makes of it, in one transaction; nil leaves it.
  ///
  /// - Throws: ``VaultError`` `readOnly` for a backup too, which nothing writes: whoever has one can guess elsewhere, and a kill
  ///   would leave it in the middle of a write.
  package func change(_ body: ([UInt8]?) -> [UInt8]?) throws(VaultError) {
    let store: VaultRows
    if let open = writing {
      store = open
    } else {
      store = try VaultRows(path, .readWrite, settings: settings)
      writing = store
    }
    guard try !store.isWithoutLog() else { throw VaultError(.readOnly, path, .backupIsOnlyRead) }
    try store.transaction { () throws(VaultError) in
      guard let sealed = body(try store.attempts(of: host)) else { return }
      try store.put(attempts: sealed, of: host)
    }
  }
}
