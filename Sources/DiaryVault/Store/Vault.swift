package import Bytes
package import Entries
internal import Platform
internal import SealedFiles
package import Sealing

/// An open diary vault.
///
/// One owner at a time (it is not `Sendable`); any number of processes may have the same file open. It
/// is opened with a key and does not know who supplied it.
package final class Vault {
  package let path: String
  /// The slots the state record knows, as far as file or spare have them.
  package internal(set) var keyring: Keyring
  /// How many of them are in neither. If any are missing, the vault is only read.
  package internal(set) var missingSlots = 0
  /// Whether it was admitted only to be read: a backup, or a vault that is salvaged.
  var isOnlyRead = false
  /// Slots that the file or this device's spare held when it was opened: authentic are those the state record knows.
  let foundSlots: [KeySlot]
  /// The slot that opened it.
  package var openedBy: [UInt8]?
  /// The states with which backups began, as ``beginBackup()`` gave them.
  var begunBackups: [[UInt8]] = []
  /// This device's id: which counter in the state record is its own.
  package private(set) var device: [UInt8]
  private(set) var keys: VaultKeys {
    didSet { searchIndex = SearchIndex(VaultFolder(path), keys) }
  }
  private(set) var searchIndex: SearchIndex
  /// Exchanged with the device's key.
  package var anchors: any AnchorStore
  package var settings: VaultSettings
  /// The files of texts that are kept on this device until they are saved; nil where that cannot be known.
  package var filesOfKeptTexts: (Vault) -> KeptFiles = { _ in KeptFiles() }
  var cache: PageCache
  private var unsavedAnchor: VaultError?
  /// The state that agreed with the anchor last, and the anchor's stamp.
  private var agreed: (ref: Ref, stamp: [UInt64])?
  /// Whether it went on from what another device decided: an older copy that was accepted, or a key that was replaced.
  var hasFollowed = false

  /// See ``takeKeepsFormerState()``.
  var keepsFormerState = false

  private var writer: VaultRows?
  private var readers: [VaultRows] = []
  private var identity: [UInt64]?
  /// The state record last seen; older ones are refused from then on.
  var latest: (ref: Ref, record: StateRecord)?

  init(
    path: String, keyring: Keyring, slots: [KeySlot] = [], device: [UInt8], keys: VaultKeys,
    anchors: any AnchorStore, settings: VaultSettings
  ) {
    self.path = path
    self.keyring = keyring
    foundSlots = slots
    self.device = device
    self.keys = keys
    searchIndex = SearchIndex(VaultFolder(path), keys)
    self.anchors = anchors
    self.settings = settings
    cache = PageCache(limit: settings.cacheLimit)
  }

  deinit {
    // The last connection to close folds the log into the file and removes it, if it may write: a
    // closed diary is one file.
    readers = []
    writer = nil
  }

  /// Makes a new vault at `path`, which must not exist, with one slot: the recovery code's.
  package static func create(
    at path: String, vaultID: [UInt8], recovery: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings
  ) throws(VaultError) -> Vault {
    let keyID = settings.randomness.bytes(16)
    let (keys, slot) = try unsealing(.vaultKey) { () throws(SealingError) in
      let key = try SecretBytes.random()
      let slot = try KeySlot(
        kind: .recovery, secret: recovery, vaultKey: key, vaultID: vaultID, keyID: keyID,
        leastMemory: settings.leastMemory, randomness: settings.randomness)
      return (try VaultKeys(key, vaultID: vaultID, keyID: keyID), slot)
    }
    let keyring = Keyring(vaultID: vaultID, keyID: keyID, slots: [slot])
    let store = try VaultRows(path, .create, settings: settings)
    let vault = Vault(
      path: path, keyring: keyring, device: device, keys: keys, anchors: anchors, settings: settings
    )
    vault.writer = store
    var state = StateRecord(
      incarnation: settings.randomness.bytes(16), slots: KnownSlots(keyring, at: settings.now()))
    state.devices[device] = DeviceState(counter: 1, templates: nil)
    let sealed = vault.seal(state)
    try store.begin(state: sealed, keyring: keyring.encoded())
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    try anchors.save(vault.anchor(state, at: ref))
    vault.latest = (ref, state)
    return vault
  }

  /// The state record last seen.
  var latestState: StateRecord? { latest?.record }

  /// What a device's anchor says of the vault as it is now.
  package var currentAnchor: Anchor? {
    latest.map { anchor($0.record, at: $0.ref) }
  }

  /// What a device keeps of the ways in, beside its anchor.
  package var spare: SpareSlots? {
    latest.map { SpareSlots(keyring, known($0.record)) }
  }

  /// Whether both are open with the same vault key, whatever their files say; in constant time.
  package func hasKey(of other: Vault) -> Bool {
    keys.vaultKey.isEqual(to: other.keys.vaultKey)
  }

  /// A copy of the vault key, for code that may open the vault again.
  package func copyOfKey() throws(SealingError) -> SecretBytes { try keys.vaultKey.copy() }

  /// The key of the object that a file of this content becomes, by its BLAKE2b-512; it opens that object and nothing else.
  package func objectKey(of digest: [UInt8]) throws(VaultError) -> [UInt8] {
    guard digest.count == 64 else { throw VaultError(.message, expected: .bytes(64...64)) }
    let key = try unsealing(.object) { () throws(SealingError) in
      try KeyDerivation.bind(keys.objectSalt, to: digest)
    }
    return unsafe key.withUnsafeBytes { unsafe Array($0) }
  }

  /// Whether this is a backup: readable, never written.
  package var isBackup: Bool { latest?.record.role == .backup }
  /// When it was made, seconds since 1970.
  package var backupTime: Int64? { isBackup ? latest?.record.made : nil }

  // MARK: Connections

  /// Has changes go through a log beside the file again.
  package func keepLog() throws(VaultError) { try writing().keepLog(true) }

  /// Folds the log into the file after a change that takes a key or a way in away: until then the file itself is what it was before,
  /// for whoever copies it without the log. A process that reads that state keeps it there; then ``takeKeepsFormerState()`` says so, and
  /// the next opening tries again without waiting.
  func emptyLog(waiting: Bool = true) {
    let log = VaultFolder(path).file + "-wal"
    guard !isOnlyRead, (try? FileStatus(log).size) ?? 0 > 0 else { return }
    let isEmpty = (try? writing().checkpoint(waiting: waiting)) ?? false
    if waiting { keepsFormerState = !isEmpty }
  }

  /// Whether the file without its log still is what it was before a change that took a way in away; once.
  package func takeKeepsFormerState() -> Bool {
    defer { keepsFormerState = false }
    return keepsFormerState
  }

  func reader() throws(VaultError) -> VaultRows {
    try checkIdentity()
    if let known = readers.popLast() { return known }
    return try VaultRows(path, .readOnly, settings: settings)
  }

  /// The state record as it is in the file now, whatever was seen before.
  func currentState() throws(VaultError) -> (ref: Ref, record: StateRecord) {
    latest = nil
    let store = try reader()
    defer { giveBack(store) }
    try store.begin(writing: false)
    return try readState(store)
  }

  func giveBack(_ store: VaultRows) {
    store.rollback()
    if readers.count < 4, !store.isUnchanging { readers.append(store) }
  }

  func writing() throws(VaultError) -> VaultRows {
    try checkIdentity()
    if let writer { return writer }
    let store = try VaultRows(path, .readWrite, settings: settings)
    writer = store
    return store
  }

  /// The file at our path must still be the one we opened: what is written into one that was moved
  /// away would be acknowledged and never seen again.
  private func checkIdentity() throws(VaultError) {
    let now = VaultRows.identity(of: path)
    guard let identity else {
      identity = now
      return
    }
    guard now == identity else {
      throw VaultError(.conflict, path, .wasReplacedWhileOpen)
    }
  }

  /// Reads everything from the file again.
  func forgetPages() { cache = PageCache(limit: settings.cacheLimit) }

  // MARK: State

  func seal(_ state: StateRecord) -> [UInt8] {
    keys.seal(
      state.plain(), .state, object: VaultKeys.nowhere,
      randomness: settings.randomness)
  }

  func open(state sealed: [UInt8]) throws(VaultError) -> StateRecord {
    try unsealing(.stateRecord, part: .stateRecord) { () throws(SealingError) in
      unsafe try StateRecord(
        plain: try keys.open(sealed.span.bytes, .state, object: VaultKeys.nowhere))
    }
  }

  /// Reads the state record through `store`, whose transaction fixes what is seen from now on.
  func readState(_ store: VaultRows) throws(VaultError) -> (ref: Ref, record: StateRecord) {
    let sealed = try store.blob(.state, limit: StateRecord.sizeLimit)
    guard let sealed, let ref = unsafe Ref(sealed: sealed.span.bytes) else {
      throw VaultError(.tampered, .stateRecord, .missing)
    }
    if let latest, latest.ref == ref { return latest }
    let record: StateRecord
    do throws(VaultError) {
      record = try open(state: sealed)
    } catch {
      if let now = try? LockedVault(store, path: path).keyring, now.isWhole,
        now.keyID != keyring.keyID
      {
        throw VaultError(.conflict, path, .keyWasReplaced)
      }
      throw error
    }
    if let latest, latest.record.role == .live || record.role == .live {
      try goOn(
        record, known(latest.record).compare(known(record), vaultID: keyring.vaultID),
        record.continuation(of: latest.record),
        older: .olderThanSession)
    } else if latest != nil {
      // A backup is never written, so this is not the file that was opened.
      throw VaultError(.conflict, path, .wasReplacedWhileOpen)
    }
    var match = record.slots.keyring(
      of: keyring.slots, vaultID: keyring.vaultID, keyID: keyring.keyID)
    if match.missing > 0 {
      // Another process changed the slots, or somebody the file.
      let now = (try? LockedVault(store, path: path))?.slots.map(\.slot) ?? []
      match = record.slots.keyring(
        of: now + foundSlots + keyring.slots, vaultID: keyring.vaultID, keyID: keyring.keyID)
    }
    keyring = match.0
    missingSlots = match.missing
    latest = (ref, record)
    return (ref, record)
  }

  /// What a device remembers of the keys of a state.
  func known(_ record: StateRecord) -> KnownLineage { KnownLineage(record.lineage, keys) }

  /// What this device remembers of a state.
  func anchor(_ record: StateRecord, at ref: Ref) -> Anchor {
    Anchor(record, at: ref, known: known(record), device: device)
  }

  /// Asks the gate whether an open diary may go on with what its file says now.
  ///
  /// - Parameters:
  ///   - key: how its key relates to the one this device or session has seen.
  ///   - finding: of the state to the one it has seen.
  ///   - older: what an older copy is older than.
  func goOn(
    _ record: StateRecord, _ key: KnownLineage.Finding, _ finding: Anchor.Finding,
    older: VaultError.Reason
  ) throws(VaultError) {
    var standing = Admission.Standing(role: record.role)
    standing.lineage = key
    standing.anchor = finding
    guard case .refuse(let refusal) = Admission.verdict(at: .session, standing) else { return }
    throw refusal == .olderCopy ? VaultError(.rolledBack, path, older) : error(refusal)
  }

  /// The same for what this device remembers; what another device decided is kept for the owner.
  func goOn(
    _ record: StateRecord, at ref: Ref, after remembered: Anchor
  ) throws(VaultError) -> Anchor.Finding {
    let key = remembered.known.compare(known(record), vaultID: keyring.vaultID)
    let finding = remembered.compare(record, at: ref, under: key, device: device)
    try goOn(record, key, finding, older: .olderThanDevice)
    try follow(finding, key)
    return finding
  }

  /// Why a vault may not be used, by a slot of this kind.
  func error(_ refusal: Admission.Refusal, _ kind: SlotKind = .face) -> VaultError {
    switch refusal {
    case .backup, .kind: VaultError(.noSuchSlot, path, slot: kind)
    case .noBackup: VaultError(.conflict, path, .isNoBackup)
    case .retiredKey: VaultError(.rolledBack, path, .keyWasRetired)
    case .replacedDevice: VaultError(.rolledBack, .deviceKey, .deviceWasReplaced)
    case .foreignKey: VaultError(.forked, path, .keyIsForeign)
    case .olderCopy: VaultError(.rolledBack, path, .olderThanDevice)
    case .fork: VaultError(.forked, path, .notAContinuation)
    case .chipAhead: VaultError(.rolledBack, path, .chipIsAhead)
    case .chipBehind: VaultError(.rolledBack, path, .chipIsBehind)
    case .chipGone: VaultError(.rolledBack, path, .chipHasNoCounter)
    case .slot: VaultError(kind.needsFace ? .noSuchSlot : .wrongSecret, path, slot: kind)
    }
  }

  /// Has the device's chip count this opening; where none counts, and for a backup, nothing is done.
  package func beginSession() throws(VaultError) {
    guard !isOnlyRead else { return }
    let lock = try anchors.lock()
    try withExtendedLifetime(lock) { () throws(VaultError) in try anchors.beginSession() }
  }

  /// Makes sure that a state which is read is no older than what this device remembers: another process may have gone on since this one
  /// looked last, and somebody put older rows back.
  ///
  /// - Returns: whether it agrees. It may not when another process wrote between the reading of the two.
  func agrees(_ record: StateRecord, at ref: Ref, isSure: Bool) throws(VaultError) -> Bool {
    guard record.role == .live, !isOnlyRead else { return true }
    let stamp = anchors.stamp
    if stamp != nil, let agreed, agreed.ref == ref, agreed.stamp == stamp { return true }
    guard let remembered = try anchors.load() else { return true }
    do throws(VaultError) { _ = try goOn(record, at: ref, after: remembered) } catch {
      guard isSure else { return false }
      throw error
    }
    if let stamp { agreed = (ref, stamp) }
    return true
  }

  // MARK: Writing

  /// Puts a state in place of the one there is and ends the transaction.
  ///
  /// - Parameter remembersFirst: whether this device remembers it before it is there, so that nothing changes when that fails.
  func commit(
    _ state: StateRecord, through store: VaultRows, remembersFirst: Bool = false
  ) throws(VaultError) {
    guard state.devices.count <= PastIncarnation.deviceLimit else {
      throw VaultError(.conflict, .device, .atMost(PastIncarnation.deviceLimit))
    }
    // Nothing is written that would not be read.
    _ = try unsealing(.stateRecord) { () throws(SealingError) in
      try StateRecord(plain: state.plain())
    }
    let sealed = seal(state)
    guard sealed.count <= StateRecord.sizeLimit else {
      throw VaultError(.conflict, .stateRecord, .atMostBytes(StateRecord.sizeLimit))
    }
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    if remembersFirst { try anchors.save(anchor(state, at: ref)) }
    try store.put(sealed, .state)
    try store.commit()
    latest = (ref, state)
    guard !remembersFirst else { return }
    do throws(VaultError) { try anchors.save(anchor(state, at: ref)) } catch {
      unsavedAnchor = error
    }
  }

  /// Whether it went on from what another device decided, once.
  package func takeHasFollowed() -> Bool {
    defer { hasFollowed = false }
    return hasFollowed
  }

  /// Why the anchor of the last commit could not be saved, once.
  package func takeUnsavedAnchor() -> VaultError? {
    defer { unsavedAnchor = nil }
    return unsavedAnchor
  }

  /// The same under other keys, with other slots or by another device's name; all stays as it was when that fails.
  func commit(
    _ state: StateRecord, through store: VaultRows, keys: VaultKeys, keyring: Keyring,
    device: [UInt8]
  ) throws(VaultError) {
    let before = (self.keys, self.keyring, self.device)
    (self.keys, self.keyring, self.device) = (keys, keyring, device)
    do throws(VaultError) {
      try commit(state, through: store)
    } catch {
      (self.keys, self.keyring, self.device) = before
      throw error
    }
    forgetPages()
    readers = []
    if keyring.keyID != before.1.keyID { searchIndex.removeAll() }
  }
}
