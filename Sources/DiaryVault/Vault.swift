package import Sealing

/// An open diary vault.
///
/// One owner at a time (it is not `Sendable`); any number of processes may have the same file open. It
/// is opened with a key and does not know who supplied it.
package final class Vault {
  package let path: String
  /// The slots the state record knows, as far as file or spare have them.
  package internal(set) var keyring: Keyring
  /// How many of them neither has. Then the vault is only read.
  package internal(set) var missingSlots = 0
  /// Whether an older copy was accepted on another device since this one saw the vault.
  package private(set) var followsAcceptance = false
  /// Slots that the file or this device's spare held when it was opened: authentic are those the state record knows.
  let foundSlots: [KeySlot]
  /// The slot that opened it.
  package private(set) var openedBy: [UInt8]?
  /// This device's id: which counter in the state record is its own.
  package private(set) var device: [UInt8]
  private(set) var keys: VaultKeys
  let anchors: any AnchorStore
  package var settings: VaultSettings
  var cache: PageCache

  private var writer: VaultRows?
  private var readers: [VaultRows] = []
  /// Attachments sealed by this process that no entry has yet, by row: their size once all of it was taken in.
  var staged: [Int64: Int?] = [:]
  private var identity: [UInt64]?
  /// The state record last seen; older ones are refused from then on.
  private var latest: (ref: Ref, record: StateRecord)? {
    didSet {
      if let record = latest?.record, begun?.epoch != record.epoch {
        begun = (record.epoch, record.devices.mapValues(\.counter))
      }
    }
  }
  /// The epoch, and every device's counter when it was first seen here.
  private var begun: (epoch: [UInt8], counters: [[UInt8]: UInt64])?

  init(
    path: String, keyring: Keyring, slots: [KeySlot] = [], device: [UInt8], keys: VaultKeys,
    anchors: any AnchorStore, settings: VaultSettings
  ) {
    self.path = path
    self.keyring = keyring
    foundSlots = slots
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
    discardStaged(staged.keys)
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
    let store = try VaultRows(path, .create, settings: settings)
    let vault = Vault(
      path: path, keyring: keyring, device: device, keys: keys, anchors: anchors, settings: settings
    )
    vault.writer = store
    var state = StateRecord(
      epoch: settings.randomness.bytes(16), slots: KnownSlots(keyring))
    state.devices[device] = DeviceState(counter: 1, templates: nil)
    let sealed = vault.seal(state)
    try store.begin(state: sealed, keyring)
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    try anchors.save(Anchor(state, at: ref, device: device))
    vault.latest = (ref, state)
    return vault
  }

  /// How an older copy, put back on purpose, goes on.
  package struct Acceptance {
    /// Makes one policy of the copy's and the one this device remembers.
    package let policy: (SealedPolicy, SealedPolicy?) -> SealedPolicy
    /// This device's spare of the slots.
    let spare: [UInt8]?
    /// Told what comes back before anything is changed; throwing stops it.
    package let confirm: (OlderCopy) throws(VaultError) -> Void

    package init(
      policy: @escaping (SealedPolicy, SealedPolicy?) -> SealedPolicy, spare: [UInt8]? = nil,
      confirm: @escaping (OlderCopy) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) {
      self.policy = policy
      self.spare = spare
      self.confirm = confirm
    }
  }

  /// Opens the vault at `path` with a secret: a passphrase, the 16 bytes of a recovery code, the device key,
  /// or the device key followed by a passphrase.
  ///
  /// A backup is opened without asking the anchor, which is the live vault's, and cannot be written. All slots together
  /// cost at most ``PassphraseLimits/mostWork``, whoever wrote them.
  ///
  /// - Parameter acceptance: opens even though the anchor says this is an older copy or a fork, and
  ///   starts a new epoch. The secret must be one that is valid today.
  /// - Parameter validToday: of a backup that is to become the diary, or a vault that is salvaged: what this device remembers,
  ///   whose slots count instead of its own.
  /// - Throws: ``VaultError``: `wrongSecret` only when no slot of the kind is damaged and none opens;
  ///   `damaged` when one is; `noSuchSlot`; `tampered`; `rolledBack`; `forked`; as ``LockedVault``.
  package static func open(
    _ file: LockedVault, kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings, acceptance: Acceptance? = nil,
    validToday: Anchor? = nil, forSalvage: Bool = false
  ) throws(VaultError) -> Vault {
    let slots = file.slots.filter {
      $0.slot.kind == kind && (!kind.needsFace || $0.slot.device == device)
    }
    guard !slots.isEmpty || file.hasLostSlots else {
      throw VaultError(.noSuchSlot, file.path, slot: kind)
    }
    var failure: VaultError?
    var work: UInt64 = 0
    for (slot, keyring) in slots {
      if kind.isHashed, slot.limits.isAcceptable(leastMemory: settings.leastMemory) {
        work += slot.limits.work
        guard work <= PassphraseLimits.mostWork else {
          failure = failure ?? VaultError(.damaged, .keySlots, "", .tooMuchWork, part: .keySlot)
          break
        }
      }
      let keys: VaultKeys?
      do throws(VaultError) {
        keys = try unsealing("key slot", part: .keySlot) { () throws(SealingError) -> VaultKeys? in
          guard
            let key = try slot.open(
              with: secret, vaultID: keyring.vaultID, keyID: keyring.keyID,
              leastMemory: settings.leastMemory)
          else { return nil }
          return try VaultKeys(key, vaultID: keyring.vaultID, keyID: keyring.keyID)
        }
      } catch {
        // One that is broken, or asks for too much, keeps no other from being tried.
        failure = failure ?? error
        continue
      }
      guard let keys else { continue }
      let vault = Vault(
        path: file.path, keyring: keyring,
        slots: file.slots.filter { $0.keyring.keyID == keyring.keyID }.map(\.slot), device: device,
        keys: keys, anchors: anchors, settings: settings)
      vault.openedBy = slot.id
      let isInFile = file.copies.contains { $0.slots.contains(slot) }
      if forSalvage {
        // Of a state that cannot be read nobody knows more than this device.
        let known = validToday?.slots ?? (try? vault.currentState())?.record.slots
        if let known { try vault.require(slot, in: known, isInFile: isInFile) }
        return vault
      }
      do throws(VaultError) {
        try vault.checkAnchor(
          acceptance, slot: slot, isInFile: isInFile, backupSlots: validToday?.slots)
      } catch {
        // A slot of a key that is not the vault's: of the one it had, in a spare that is behind, or put into a copy.
        let isOfOtherKey = error.part == .stateRecord || error.reason == .keyWasReplaced
        guard isOfOtherKey, file.slots.contains(where: { $0.keyring.keyID != keyring.keyID }) else {
          throw error
        }
        if isInFile { failure = failure ?? error }
        continue
      }
      try vault.requireAllowed(kind)
      return vault
    }
    if let failure { throw failure }
    guard !file.hasLostSlots else {
      throw VaultError(
        .damaged, "key slot", file.keyringProblems.joined(separator: ", "), part: .keySlot)
    }
    throw VaultError(kind == .face ? .noSuchSlot : .wrongSecret, file.path, slot: kind)
  }

  /// A slot counts when the state record knows it: one that was removed opens nothing any more.
  private func require(
    _ slot: KeySlot, in known: KnownSlots, isInFile: Bool
  ) throws(VaultError) {
    guard !known.contains(slot) else { return }
    // This device's spare is behind another device that changed the slots: then the secret is simply not valid now.
    guard isInFile else {
      throw VaultError(slot.kind.needsFace ? .noSuchSlot : .wrongSecret, path, slot: slot.kind)
    }
    throw VaultError(.tampered, .slot, Base32.encode(slot.id), .slotWasRemoved)
  }

  /// The vault's own policy binds every device, whatever slots their keys still fit.
  private func requireAllowed(_ kind: SlotKind) throws(VaultError) {
    // Nor does a face open a backup, whose policy and attempts are not today's.
    let isAllowed = kind != .face || latest?.record.policy.allowsPlainFaces ?? false
    guard isAllowed, !kind.needsFace || !isBackup else {
      throw VaultError(.noSuchSlot, path, slot: kind)
    }
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
      path: file.path, keyring: file.keyring, slots: file.slots.map(\.slot), device: device,
      keys: keys, anchors: anchors, settings: settings)
    try vault.checkAnchor(nil, slot: nil, isInFile: true)
    return vault
  }

  /// The state record last seen.
  var latestState: StateRecord? { latest?.record }

  /// Whether a state is none from before this vault was opened here.
  func isContinuation(_ record: StateRecord) -> Bool {
    guard let begun else { return false }
    return record.epoch == begun.epoch
      && begun.counters.allSatisfy { record.devices[$0.key]?.counter ?? 0 >= $0.value }
  }

  /// What a device's anchor says of the vault as it is now.
  package var currentAnchor: Anchor? {
    latest.map { Anchor($0.record, at: $0.ref, device: device) }
  }

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

  func reader() throws(VaultError) -> VaultRows {
    try checkIdentity()
    if let known = readers.popLast() { return known }
    return try VaultRows(path, .readOnly, settings: settings)
  }

  func giveBack(_ store: VaultRows) {
    store.rollback()
    if readers.count < 4 { readers.append(store) }
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

  // MARK: State

  func seal(_ state: StateRecord) -> [UInt8] {
    keys.seal(
      state.plain(), .state, object: VaultKeys.nowhere,
      randomness: settings.randomness)
  }

  func open(state sealed: [UInt8]) throws(VaultError) -> StateRecord {
    try unsealing("state record", part: .stateRecord) { () throws(SealingError) in
      unsafe try StateRecord(
        plain: try keys.open(sealed.span.bytes, .state, object: VaultKeys.nowhere))
    }
  }

  /// Reads the state record through `store`, whose transaction fixes what is seen from now on.
  func readState(_ store: VaultRows) throws(VaultError) -> (ref: Ref, record: StateRecord) {
    let sealed = try store.blob(.state, limit: StateRecord.sizeLimit)
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

  /// Holds the vault against what this device remembers of it, and the slot that opened it against what is known.
  private func checkAnchor(
    _ acceptance: Acceptance?, slot: KeySlot?, isInFile: Bool, backupSlots: KnownSlots? = nil
  ) throws(VaultError) {
    func requireKnown(in known: KnownSlots) throws(VaultError) {
      if let slot { try require(slot, in: known, isInFile: isInFile) }
    }
    let (ref, record) = try currentState()
    // An older copy that says so. It is only ever read.
    if record.role == .backup {
      if let slot, let backupSlots, !backupSlots.contains(slot) {
        throw VaultError(.wrongSecret, nil, path, .isNoLongerValid, slot: slot.kind)
      }
      return backupSlots == nil ? try requireKnown(in: record.slots) : ()
    }
    // Without the lock another process's commits may come in between; then look again with it.
    if let remembered = acceptance == nil ? try anchors.load() : try? anchors.load(),
      remembered.compare(record, at: ref, device: device) == .same
    {
      return try requireKnown(in: record.slots)
    }
    // On purpose also means: although the anchor cannot be read.
    func remember() throws(VaultError) -> Anchor? {
      acceptance == nil ? try anchors.load() : try? anchors.load()
    }
    if let acceptance {
      let remembered = try remember()
      let finding = remembered?.compare(record, at: ref, device: device)
      if finding == nil || finding == .rolledBack || finding == .forked {
        if let slot {
          try requireValid(slot, isInFile: isInFile, record, remembered, finding, acceptance)
        }
        // Whoever thinks about it holds nobody up.
        try acceptance.confirm(OlderCopy(record, keyring, remembered, device: device))
      }
    }
    let lock = try anchors.lock()
    try withExtendedLifetime(lock) { () throws(VaultError) in
      let remembered = try remember()
      let (ref, record) = try currentState()
      if let acceptance {
        switch remembered?.compare(record, at: ref, device: device) {
        case .same?, .ahead?, .acceptedElsewhere?: break
        case let finding: return try startEpoch(above: remembered, finding, acceptance)
        }
      }
      guard let remembered else {
        try requireKnown(in: record.slots)
        return try anchors.save(Anchor(record, at: ref, device: device))
      }
      try require(remembered.compare(record, at: ref, device: device))
      try requireKnown(in: record.slots)
      try anchors.save(Anchor(record, at: ref, device: device))
    }
  }

  private func require(_ finding: Anchor.Finding) throws(VaultError) {
    switch finding {
    case .same, .ahead: return
    case .acceptedElsewhere: followsAcceptance = true
    case .rolledBack: throw VaultError(.rolledBack, path, .olderThanDevice)
    case .forked: throw VaultError(.forked, path, .notAContinuation)
    }
  }

  private func currentState() throws(VaultError) -> (ref: Ref, record: StateRecord) {
    latest = nil
    let store = try reader()
    defer { giveBack(store) }
    try store.begin(writing: false)
    return try readState(store)
  }

  /// The secret must be one that is valid today, as far as this device knows: of an older copy in its own memory, of a
  /// fork on both sides, and where it remembers nothing, in its spare of the slots.
  private func requireValid(
    _ slot: KeySlot, isInFile: Bool, _ record: StateRecord, _ remembered: Anchor?,
    _ finding: Anchor.Finding?, _ acceptance: Acceptance
  ) throws(VaultError) {
    var isValid = remembered?.slots.contains(slot) ?? record.slots.contains(slot)
    if finding == .forked { isValid = isValid && record.slots.contains(slot) }
    if remembered == nil, let spare = acceptance.spare.flatMap({ try? Keyring($0) }) {
      isValid = isValid && (spare.keyID != keyring.keyID || spare.slots.contains(slot))
    }
    guard isValid else {
      throw VaultError(.wrongSecret, nil, path, .isNoLongerValid, slot: slot.kind)
    }
  }

  /// Goes on from an older copy: its entries come back, under a new epoch with counters above everything remembered.
  /// What the owner decided since stays: the ways in, the policy, the faces of this device. Of a fork, only ways in that
  /// both sides know stay.
  private func startEpoch(
    above remembered: Anchor?, _ finding: Anchor.Finding?, _ acceptance: Acceptance
  ) throws(VaultError) {
    let store = try writing()
    try store.begin(writing: true)
    defer { store.rollback() }
    var (_, record) = try readState(store)
    var ended = record.devices.mapValues(\.counter)
    if let remembered, remembered.epoch == record.epoch {
      ended.merge(remembered.counters) { max($0, $1) }
    }
    record.past.append(PastEpoch(epoch: record.epoch, counters: ended))
    if let remembered, remembered.epoch != record.epoch {
      record.past.append(PastEpoch(epoch: remembered.epoch, counters: remembered.counters))
    }
    record.past.removeFirst(max(0, record.past.count - PastEpoch.limit))
    record.epoch = settings.randomness.bytes(16)
    for (id, counter) in remembered?.counters ?? [:] {
      let now = record.devices[id] ?? DeviceState(counter: 0, templates: nil)
      record.devices[id] = now
      record.devices[id]?.counter = max(now.counter, counter)
    }
    record.devices[device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    record.policy = acceptance.policy(record.policy, remembered?.policy)
    if let remembered {
      record.devices[device]?.templates = remembered.templates
      keyring =
        remembered.slots.keyring(
          of: foundSlots + keyring.slots, vaultID: keyring.vaultID, keyID: keyring.keyID
        ).0
    }
    if !record.policy.allowsPlainFaces { keyring.slots.removeAll { $0.kind == .face } }
    keyring.generation = max(record.slots.generation, keyring.generation) + 1
    record.slots = KnownSlots(keyring)
    missingSlots = 0
    let changed = keyring
    try store.put(changed)
    try commit(record, through: store)
  }

  // MARK: Writing

  /// Runs `body` as one durable change: all of it, or nothing.
  func change<Result>(
    repairing: Bool = false, _ body: (CatalogueEdit) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let change = try beginChange(repairing: repairing)
    defer { change.undo() }
    let result = try body(change.edit)
    try change.commit()
    return result
  }

  /// Begins a change that ends with ``OpenChange/commit()``, or undone when it is let go.
  ///
  /// - Parameters:
  ///   - reviving: a backup becomes a live vault with this change.
  ///   - repairing: it may be one of a vault whose key slots are not all there.
  func beginChange(
    reviving: Bool = false, repairing: Bool = false
  ) throws(VaultError) -> OpenChange {
    let lock = try anchors.lock()
    let store = try writing()
    try store.begin(writing: true)
    do throws(VaultError) {
      let (ref, record) = try readState(store)
      guard record.role == .live || reviving else {
        throw VaultError(.readOnly, path, .backupIsOnlyRead)
      }
      guard missingSlots == 0 || repairing else {
        throw VaultError(.damaged, .keySlots, "", .slotsMissing(missingSlots))
      }
      if !reviving, let remembered = try anchors.load() {
        let finding = remembered.compare(record, at: ref, device: device)
        try require(finding)
        if finding != .same { try anchors.save(Anchor(record, at: ref, device: device)) }
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
    new.state.slots = KnownSlots(new.keyring)
    new.state.devices[new.device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    try store.put(new.keyring)
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
    private let store: VaultRows
    private var lock: AnyObject?

    fileprivate init(vault: Vault, store: VaultRows, lock: AnyObject, edit: CatalogueEdit) {
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
          for row in edit.linked { vault.staged[row] = nil }
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

  private func commit(_ state: StateRecord, through store: VaultRows) throws(VaultError) {
    let sealed = seal(state)
    try store.put(sealed, .state)
    try store.commit()
    let ref = unsafe Ref(sealed: sealed.span.bytes)!
    latest = (ref, state)
    try? anchors.save(Anchor(state, at: ref, device: device))
  }
}
