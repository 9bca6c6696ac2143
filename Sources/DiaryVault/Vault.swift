internal import RowStore
package import Sealing

/// An open diary vault.
///
/// One owner at a time (it is not `Sendable`); any number of processes may have the same file open. It
/// is opened with a key and does not know who supplied it.
package final class Vault {
  package let path: String
  package private(set) var keyring: Keyring
  /// This device's id: which counter in the state record is its own.
  package let device: [UInt8]
  let keys: VaultKeys
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
    let store = try VaultFile.store(path, .create, settings: settings)
    let vault = Vault(
      path: path, keyring: keyring, device: device, keys: keys, anchors: anchors, settings: settings
    )
    vault.writer = store
    var state = StateRecord(epoch: settings.randomness.bytes(16), keyring: keyring.digest)
    state.devices[device] = DeviceState(counter: 1, templates: nil)
    let sealed = vault.seal(state)
    try storing(path) { () throws(StoreError) in
      try store.transaction { () throws(StoreError) in
        try Self.put(keyring, into: store)
        try store.run("INSERT INTO state(id, sealed) VALUES(1, ?)", [.blob(sealed)])
      }
    }
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    try anchors.save(Anchor(state, at: ref))
    vault.latest = (ref, state)
    return vault
  }

  /// Opens the vault at `path` with a secret: a passphrase, the 16 bytes of a recovery code, or the
  /// device key.
  ///
  /// - Parameter acceptRollback: opens even though the anchor says this is an older copy or a fork, and
  ///   starts a new epoch.
  /// - Throws: ``VaultError``: `wrongSecret` only when every slot of the kind is whole and none opens;
  ///   `damaged` when one is not; `noSuchSlot`; `tampered`; `rolledBack`; `forked`; as ``VaultFile``.
  package static func open(
    _ file: VaultFile, kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings, acceptRollback: Bool = false
  ) throws(VaultError) -> Vault {
    let slots = file.keyring.slots.filter {
      $0.kind == kind && (kind != .face || $0.salt == device)
    }
    guard !slots.isEmpty || file.keyring.damagedSlots > 0 else {
      throw VaultError(.noSuchSlot, file.path, "\(kind)")
    }
    for slot in slots {
      let keys = try unsealing("key slot") { () throws(SealingError) -> VaultKeys? in
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
      try vault.checkAnchor(accepting: acceptRollback)
      return vault
    }
    guard file.keyring.damagedSlots == 0 else {
      throw VaultError(.damaged, "key slot", file.keyringProblems.joined(separator: ", "))
    }
    throw VaultError(.wrongSecret, file.path, "\(kind)")
  }

  // MARK: Connections

  func reader() throws(VaultError) -> RowStore {
    try checkIdentity()
    if let known = readers.popLast() { return known }
    return try VaultFile.store(path, .readOnly, settings: settings)
  }

  func giveBack(_ store: RowStore) {
    store.rollback()
    if readers.count < 4 { readers.append(store) }
  }

  func writing() throws(VaultError) -> RowStore {
    try checkIdentity()
    if let writer { return writer }
    let store = try VaultFile.store(path, .readWrite, settings: settings)
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
      throw VaultError(.conflict, path, "was replaced or moved while it was open")
    }
  }

  // MARK: State

  func seal(_ state: StateRecord) -> [UInt8] {
    keys.seal(
      state.plain(), .state, object: [UInt8](repeating: 0, count: 16),
      randomness: settings.randomness)
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
      throw VaultError(.tampered, "state record", "missing")
    }
    if let latest, latest.ref == ref { return latest }
    let record = try unsealing("state record") { () throws(SealingError) in
      unsafe try StateRecord(
        plain: try keys.open(sealed.span.bytes, .state, object: [UInt8](repeating: 0, count: 16)))
    }
    if let latest, record.epoch == latest.record.epoch,
      latest.record.devices.contains(where: {
        (record.devices[$0.key]?.counter ?? 0) < $0.value.counter
      })
    {
      throw VaultError(.rolledBack, path, "older than what this session has seen")
    }
    if record.keyring != keyring.digest {
      // Another process may have changed the slots: what counts is that the record knows these.
      let now = try VaultFile(store, path: path)
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
    // Without the lock another process's commits may come in between; then look again with it.
    if !accepting, let remembered = try anchors.load() {
      let (ref, record) = try currentState()
      if remembered.compare(record, at: ref, device: device) == .same { return }
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
    case .rolledBack: throw VaultError(.rolledBack, path, "older than the last one seen here")
    case .forked: throw VaultError(.forked, path, "not a continuation of the last one seen here")
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
      record.devices[id] = DeviceState(
        counter: max(now.counter, counter), templates: now.templates)
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
  func beginChange() throws(VaultError) -> OpenChange {
    let lock = try anchors.lock()
    let store = try writing()
    try storing(path) { () throws(StoreError) in try store.begin(writing: true) }
    do throws(VaultError) {
      let (ref, record) = try readState(store)
      guard record.role == .live else {
        throw VaultError(.readOnly, path, "a backup is not written")
      }
      if let remembered = try anchors.load() {
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

    func commit() throws(VaultError) {
      guard lock != nil else { return }
      defer { undo() }
      guard edit.isChanged else { return }
      var state = try edit.finish()
      state.devices[vault.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
      try vault.commit(state, through: store)
      vault.staged.subtract(edit.linked)
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

  // MARK: Slots and devices

  private static func put(_ keyring: Keyring, into store: RowStore) throws(StoreError) {
    let data = keyring.encoded()
    for table in ["keyring", "keyring_copy"] {
      try store.run("INSERT OR REPLACE INTO \(table)(copy, data) VALUES(1, ?)", [.blob(data)])
    }
  }

  /// Adds a way in by passphrase or recovery code.
  package func addSlot(
    _ kind: SlotKind, secret: borrowing SecretBytes, limits: PassphraseLimits = .moderate
  ) throws(VaultError) {
    let slot = try makeSlot(kind, secret: secret, limits: limits)
    try changeSlots { slots, _ in slots.append(slot) }
  }

  /// Lets this device's face in: its slot, opened by `deviceKey`, and the digest of its templates, in
  /// one change. A slot the device had before stays as it is.
  package func admitFace(
    deviceKey: borrowing SecretBytes, templates digest: [UInt8]
  ) throws(VaultError) {
    guard !hasFaceSlot else { return try setTemplatesDigest(digest) }
    let slot = try makeSlot(.face, secret: deviceKey, limits: .moderate)
    try changeSlots { slots, device in
      slots.append(slot)
      device.templates = digest
    }
  }

  /// Takes this device's face slot and templates away.
  package func dismissFace() throws(VaultError) {
    let own = device
    try changeSlots { slots, device in
      slots.removeAll { $0.kind == .face && $0.salt == own }
      device.templates = nil
    }
  }

  private func makeSlot(
    _ kind: SlotKind, secret: borrowing SecretBytes, limits: PassphraseLimits
  ) throws(VaultError) -> KeySlot {
    do throws(SealingError) {
      return try KeySlot(
        kind: kind, secret: secret, vaultKey: keys.vaultKey, vaultID: keyring.vaultID,
        keyID: keyring.keyID, device: kind == .face ? device : nil, limits: limits,
        leastMemory: settings.leastMemory, created: settings.now(), randomness: settings.randomness)
    } catch {
      throw VaultError(error, "key slot")
    }
  }

  private func changeSlots(
    _ body: (inout [KeySlot], inout DeviceState) -> Void
  ) throws(VaultError) {
    let changed = try change { edit throws(VaultError) in
      var changed = keyring
      edit.update { state in
        var own = state.devices[device] ?? DeviceState(counter: 0, templates: nil)
        body(&changed.slots, &own)
        state.devices[device] = own
        changed.generation += 1
        state.keyring = changed.digest
      }
      guard changed.slots.count <= Keyring.slotLimit else {
        throw VaultError(.invalid, "key slots", "at most \(Keyring.slotLimit)")
      }
      let store = edit.catalogue.store
      try storing(path) { () throws(StoreError) in try Self.put(changed, into: store) }
      return changed
    }
    keyring = changed
  }

  package var hasFaceSlot: Bool {
    keyring.slots.contains { $0.kind == .face && $0.salt == device }
  }

  /// The digest of the templates this device may use; nil when it has none.
  package func templatesDigest() throws(VaultError) -> [UInt8]? {
    let snapshot = try Snapshot(self)
    return snapshot.catalogue.state.devices[device]?.templates
  }

  package func setTemplatesDigest(_ digest: [UInt8]?) throws(VaultError) {
    try change { edit throws(VaultError) in
      edit.update {
        $0.devices[device, default: DeviceState(counter: 0, templates: nil)].templates = digest
      }
    }
  }
}
