internal import RowStore
package import Sealing

/// An open diary vault.
///
/// One owner at a time (it is not `Sendable`); any number of processes may have the same file open. It
/// is opened with a key and does not know who supplied it.
package final class Vault {
  package let path: String
  package internal(set) var keyring: Keyring
  /// The slot that opened it.
  package private(set) var openedBy: [UInt8]?
  /// This device's id: which counter in the state record is its own.
  package private(set) var device: [UInt8]
  private(set) var keys: VaultKeys
  let anchors: any AnchorStore
  package var settings: VaultSettings
  var cache: PageCache

  private var writer: RowStore?
  private var readers: [RowStore] = []
  /// Attachments sealed by this process that no entry has yet.
  var staged: Set<Int64> = []
  private var identity: [UInt64]?
  /// The state record last seen; older ones are refused from then on.
  private var latest: (ref: Ref, record: StateRecord)?

  init(
    path: String, keyring: Keyring, device: [UInt8], keys: VaultKeys, anchors: any AnchorStore,
    settings: VaultSettings
  ) {
    self.path = path
    self.keyring = keyring
    self.device = device
    self.keys = keys
    self.anchors = anchors
    self.settings = settings
    cache = PageCache(limit: settings.cacheLimit)
  }

  deinit {
    // The last connection to close folds the log into the file and removes it, if it may write: a
    // closed diary is one file.
    readers = []
    discardStaged(staged)
    writer = nil
  }

  /// Makes a new vault at `path`, which must not exist, with one slot: the recovery code's.
  package static func create(
    at path: String, vaultID: [UInt8], recovery: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings
  ) throws(VaultError) -> Vault {
    let keyID = settings.randomness.bytes(16)
    let (keys, slot) = try unsealing("vault key") { () throws(SealingError) in
      let key = try SecretBytes.random()
      let slot = try KeySlot(
        kind: .recovery, secret: recovery, vaultKey: key, vaultID: vaultID, keyID: keyID,
        leastMemory: settings.leastMemory, created: settings.now(), randomness: settings.randomness)
      return (try VaultKeys(key, vaultID: vaultID, keyID: keyID), slot)
    }
    let keyring = Keyring(vaultID: vaultID, keyID: keyID, slots: [slot])
    let store = try LockedVault.store(path, .create, settings: settings)
    let vault = Vault(
      path: path, keyring: keyring, device: device, keys: keys, anchors: anchors, settings: settings
    )
    vault.writer = store
    var state = StateRecord(epoch: settings.randomness.bytes(16), keyring: keyring.digest)
    state.devices[device] = DeviceState(counter: 1, templates: nil)
    let sealed = vault.seal(state)
    try storing(path) { () throws(StoreError) in
      try store.transaction { () throws(StoreError) in
        try put(keyring, into: store)
        try store.run("INSERT INTO state(id, sealed) VALUES(1, ?)", [.blob(sealed)])
      }
    }
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    try anchors.save(Anchor(state, at: ref))
    vault.latest = (ref, state)
    return vault
  }

  /// Opens the vault at `path` with a secret: a passphrase, the 16 bytes of a recovery code, the device key,
  /// or the device key followed by a passphrase.
  ///
  /// A backup is opened without asking the anchor, which is the live vault's, and cannot be written.
  ///
  /// - Parameter acceptRollback: opens even though the anchor says this is an older copy or a fork, and
  ///   starts a new epoch.
  /// - Throws: ``VaultError``: `wrongSecret` only when every slot of the kind is whole and none opens;
  ///   `damaged` when one is not; `noSuchSlot`; `tampered`; `rolledBack`; `forked`; as ``LockedVault``.
  package static func open(
    _ file: LockedVault, kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings, acceptRollback: Bool = false,
    forSalvage: Bool = false
  ) throws(VaultError) -> Vault {
    let slots = file.keyring.slots.filter {
      $0.kind == kind && (!kind.needsFace || $0.device == device)
    }
    guard !slots.isEmpty || file.keyring.damagedSlots > 0 else {
      throw VaultError(.noSuchSlot, file.path, slot: kind)
    }
    for slot in slots {
      let keys = try unsealing("key slot", part: .keySlot) {
        () throws(SealingError) -> VaultKeys? in
        guard
          let key = try slot.open(
            with: secret, vaultID: file.keyring.vaultID, keyID: file.keyring.keyID,
            leastMemory: settings.leastMemory)
        else { return nil }
        return try VaultKeys(key, vaultID: file.keyring.vaultID, keyID: file.keyring.keyID)
      }
      guard let keys else { continue }
      let vault = Vault(
        path: file.path, keyring: file.keyring, device: device, keys: keys, anchors: anchors,
        settings: settings)
      vault.openedBy = slot.id
      if !forSalvage { try vault.checkAnchor(accepting: acceptRollback) }
      return vault
    }
    guard file.keyring.damagedSlots == 0 else {
      throw VaultError(
        .damaged, "key slot", file.keyringProblems.joined(separator: ", "), part: .keySlot)
    }
    throw VaultError(.wrongSecret, file.path, slot: kind)
  }

  /// Opens it with the vault key itself, kept by who opened it before.
  package static func open(
    _ file: LockedVault, vaultKey: consuming SecretBytes, device: [UInt8], anchors: any AnchorStore,
    settings: VaultSettings
  ) throws(VaultError) -> Vault {
    let keys: VaultKeys
    do throws(SealingError) {
      keys = try VaultKeys(
        vaultKey, vaultID: file.keyring.vaultID, keyID: file.keyring.keyID)
    } catch {
      throw VaultError(error, "vault key")
    }
    let vault = Vault(
      path: file.path, keyring: file.keyring, device: device, keys: keys, anchors: anchors,
      settings: settings)
    try vault.checkAnchor(accepting: false)
    return vault
  }

  /// What a device's anchor says of the vault as it is now.
  package var currentAnchor: Anchor? { latest.map { Anchor($0.record, at: $0.ref) } }

  /// Whether both are open with the same vault key, whatever their files say; in constant time.
  package func hasKey(of other: Vault) -> Bool {
    keys.vaultKey.isEqual(to: other.keys.vaultKey)
  }

  /// A copy of the vault key, for who may open it once more.
  package func copyOfKey() throws(SealingError) -> SecretBytes { try keys.vaultKey.copy() }

  /// Whether this is a backup: readable, never written.
  package var isBackup: Bool { latest?.record.role == .backup }
  /// When it was made, seconds since 1970.
  package var backupTime: Int64? { isBackup ? latest?.record.made : nil }

  // MARK: Connections

  func reader() throws(VaultError) -> RowStore {
    try checkIdentity()
    if let known = readers.popLast() { return known }
    return try LockedVault.store(path, .readOnly, settings: settings)
  }

  func giveBack(_ store: RowStore) {
    store.rollback()
    if readers.count < 4 { readers.append(store) }
  }

  func writing() throws(VaultError) -> RowStore {
    try checkIdentity()
    if let writer { return writer }
    let store = try LockedVault.store(path, .readWrite, settings: settings)
    writer = store
    return store
  }

  /// The file at our path must still be the one we opened: what is written into one that was moved
  /// away would be acknowledged and never seen again.
  private func checkIdentity() throws(VaultError) {
    let now = RowStore.identity(of: path)
    guard let identity else {
      identity = now
      return
    }
    guard now == identity else {
      throw VaultError(.conflict, path, .wasReplacedWhileOpen)
    }
  }

  // MARK: State

  func seal(_ state: StateRecord) -> [UInt8] {
    keys.seal(
      state.plain(), .state, object: [UInt8](repeating: 0, count: 16),
      randomness: settings.randomness)
  }

  func open(state sealed: [UInt8]) throws(VaultError) -> StateRecord {
    try unsealing("state record") { () throws(SealingError) in
      unsafe try StateRecord(
        plain: try keys.open(sealed.span.bytes, .state, object: [UInt8](repeating: 0, count: 16)))
    }
  }

  /// Reads the state record through `store`, whose transaction fixes what is seen from now on.
  func readState(_ store: RowStore) throws(VaultError) -> (ref: Ref, record: StateRecord) {
    var sealed: [UInt8]?
    try storing(path) { () throws(StoreError) in
      try store.run("SELECT sealed FROM state WHERE id=1") { row throws(StoreError) in
        sealed = try row.blob(0, limit: StateRecord.sizeLimit)
        return false
      }
    }
    guard let sealed, let ref = unsafe Ref(sealed: sealed.span.bytes) else {
      throw VaultError(.tampered, "state record", .missing)
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
    if let latest, record.epoch == latest.record.epoch,
      latest.record.devices.contains(where: {
        (record.devices[$0.key]?.counter ?? 0) < $0.value.counter
      })
    {
      throw VaultError(.rolledBack, path, .olderThanSession)
    }
    if record.keyring != keyring.digest {
      // Another process may have changed the slots: what counts is that the record knows these.
      let now = try LockedVault(store, path: path)
      let isKnown = now.keyring.digest == record.keyring
      // A keyring that is broken says nothing of who broke it; the slot that opened is whole.
      guard now.keyring.keyID == keyring.keyID, isKnown || !now.keyring.isWhole else {
        throw VaultError(.tampered, "key slots", "not those the state record knows")
      }
      if isKnown { keyring = now.keyring }
    }
    latest = (ref, record)
    return (ref, record)
  }

  /// Holds the vault against what this device remembers of it.
  private func checkAnchor(accepting: Bool) throws(VaultError) {
    let (ref, record) = try currentState()
    // An older copy that says so. It is only ever read.
    if record.role == .backup { return }
    // Without the lock another process's commits may come in between; then look again with it.
    if !accepting, let remembered = try anchors.load(),
      remembered.compare(record, at: ref, device: device) == .same
    {
      return
    }
    let lock = try anchors.lock()
    try withExtendedLifetime(lock) { () throws(VaultError) in
      // On purpose also means: although the anchor cannot be read.
      let remembered = accepting ? try? anchors.load() : try anchors.load()
      let (ref, record) = try currentState()
      if accepting { return try startEpoch(above: remembered) }
      guard let remembered else { return try anchors.save(Anchor(record, at: ref)) }
      try require(remembered.compare(record, at: ref, device: device))
      try anchors.save(Anchor(record, at: ref))
    }
  }

  private func require(_ finding: Anchor.Finding) throws(VaultError) {
    switch finding {
    case .same, .ahead: return
    case .rolledBack: throw VaultError(.rolledBack, path, .olderThanDevice)
    case .forked: throw VaultError(.forked, path, .notAContinuation)
    }
  }

  private func currentState() throws(VaultError) -> (ref: Ref, record: StateRecord) {
    latest = nil
    let store = try reader()
    defer { giveBack(store) }
    try storing(path) { () throws(StoreError) in try store.begin(writing: false) }
    return try readState(store)
  }

  /// Goes on from an older copy: counters above everything remembered, under a new epoch.
  private func startEpoch(above remembered: Anchor?) throws(VaultError) {
    let store = try writing()
    try storing(path) { () throws(StoreError) in try store.begin(writing: true) }
    defer { store.rollback() }
    var (_, record) = try readState(store)
    record.epoch = settings.randomness.bytes(16)
    for (id, counter) in remembered?.counters ?? [:] {
      let now = record.devices[id] ?? DeviceState(counter: 0, templates: nil)
      record.devices[id] = now
      record.devices[id]?.counter = max(now.counter, counter)
    }
    record.devices[device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    try commit(record, through: store)
  }

  // MARK: Writing

  /// Runs `body` as one durable change: all of it, or nothing.
  func change<Result>(
    _ body: (CatalogueEdit) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let change = try beginChange()
    defer { change.undo() }
    let result = try body(change.edit)
    try change.commit()
    return result
  }

  /// Begins a change that ends with ``OpenChange/commit()``, or undone when it is let go.
  ///
  /// - Parameter reviving: a backup becomes a live vault with this change.
  func beginChange(reviving: Bool = false) throws(VaultError) -> OpenChange {
    let lock = try anchors.lock()
    let store = try writing()
    try storing(path) { () throws(StoreError) in try store.begin(writing: true) }
    do throws(VaultError) {
      let (ref, record) = try readState(store)
      guard record.role == .live || reviving else {
        throw VaultError(.readOnly, path, .backupIsOnlyRead)
      }
      if !reviving, let remembered = try anchors.load() {
        let finding = remembered.compare(record, at: ref, device: device)
        try require(finding)
        if finding == .ahead { try anchors.save(Anchor(record, at: ref)) }
      }
      return OpenChange(
        vault: self, store: store, lock: lock,
        edit: CatalogueEdit(Catalogue(vault: self, store: store, state: record)))
    } catch {
      store.rollback()
      throw error
    }
  }

  /// What ``replace(_:)`` puts in place of everything.
  struct Replacement {
    var state: StateRecord
    var keys: VaultKeys
    var keyring: Keyring
    /// This device's name from then on.
    var device: [UInt8]
  }

  /// One change that may replace everything, the keys included, and leaves no log behind.
  func replace(
    reviving: Bool = false, _ body: (Catalogue) throws(VaultError) -> Replacement
  ) throws(VaultError) {
    let change = try beginChange(reviving: reviving)
    defer { change.undo() }
    let store = change.edit.catalogue.store
    var new = try body(change.edit.catalogue)
    new.state.keyring = new.keyring.digest
    new.state.devices[new.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    try storing(path) { () throws(StoreError) in try put(new.keyring, into: store) }
    let before = (keys, keyring, device)
    (keys, keyring, device) = (new.keys, new.keyring, new.device)
    do throws(VaultError) {
      try commit(new.state, through: store)
    } catch {
      (keys, keyring, device) = before
      throw error
    }
    cache = PageCache(limit: settings.cacheLimit)
    readers = []
    change.undo()
    // What it was before must not stay readable in the log. Best effort: a reader may still need it.
    try? store.checkpoint()
    try? store.shrink()
  }

  /// A write transaction under way.
  ///
  /// The device's lock is held over commit and anchor, so the anchor is at most one commit behind. When
  /// saving the anchor fails the commit still counts; the next access brings the anchor up to it, or
  /// says why it can't.
  final class OpenChange {
    let edit: CatalogueEdit
    private let vault: Vault
    private let store: RowStore
    private var lock: AnyObject?

    fileprivate init(vault: Vault, store: RowStore, lock: AnyObject, edit: CatalogueEdit) {
      self.vault = vault
      self.store = store
      self.lock = lock
      self.edit = edit
    }

    deinit { undo() }

    func commit() throws(VaultError) { _ = try commit(within: .unlimited) }

    /// False when the slice was over before it was durable.
    func commit(within slice: Slice) throws(VaultError) -> Bool {
      guard lock != nil else { return true }
      do throws(VaultError) {
        if edit.isChanged {
          guard try edit.sealPages(within: slice) else { return false }
          var state = try edit.finish()
          state.devices[vault.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
          try vault.commit(state, through: store)
          vault.staged.subtract(edit.linked)
        }
        undo()
        return true
      } catch {
        undo()
        throw error
      }
    }

    /// Undoes what was not committed and lets the lock go. Does nothing the second time.
    func undo() {
      guard lock != nil else { return }
      store.rollback()
      lock = nil
    }
  }

  private func commit(_ state: StateRecord, through store: RowStore) throws(VaultError) {
    let sealed = seal(state)
    try storing(path) { () throws(StoreError) in
      try store.run("UPDATE state SET sealed=? WHERE id=1", [.blob(sealed)])
      try store.commit()
    }
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    latest = (ref, state)
    try? anchors.save(Anchor(state, at: ref))
  }
}
