package import Bytes
package import Entries
package import Sealing

/// Opening a vault: which slot, which state, and whether both are what this device and the state record know.
extension Vault {
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
        keys = try Self.keys(in: slot, of: keyring, secret, settings)
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
        try vault.requireForSalvage(slot, validToday: validToday, isInFile: isInFile)
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
    throw failure ?? nothingOpened(file, kind)
  }

  private static func nothingOpened(_ file: LockedVault, _ kind: SlotKind) -> VaultError {
    file.hasLostSlots
      ? VaultError(
        .damaged, .keySlot, .keyring(file.keyringProblems), part: .keySlot)
      : VaultError(kind == .face ? .noSuchSlot : .wrongSecret, file.path, slot: kind)
  }

  /// The keys that a slot gives for a secret; nil when it is another's.
  private static func keys(
    in slot: KeySlot, of keyring: Keyring, _ secret: borrowing SecretBytes,
    _ settings: VaultSettings
  ) throws(VaultError) -> VaultKeys? {
    do throws(SealingError) {
      guard
        let key = try slot.open(
          with: secret, vaultID: keyring.vaultID, keyID: keyring.keyID,
          leastMemory: settings.leastMemory)
      else { return nil }
      return try VaultKeys(key, vaultID: keyring.vaultID, keyID: keyring.keyID)
    } catch {
      throw VaultError(error, .keySlot, part: .keySlot)
    }
  }

  /// Of a state that cannot be read nobody knows more than this device; of another key it knows nothing.
  private func requireForSalvage(
    _ slot: KeySlot, validToday: Anchor?, isInFile: Bool
  ) throws(VaultError) {
    if let validToday, validToday.keyID == keyring.keyID {
      guard validToday.slots.contains(slot) else {
        throw VaultError(.wrongSecret, nil, path, .isNoLongerValid, slot: slot.kind)
      }
    } else if let (_, record) = try? currentState() {
      try require(slot, in: record.slots, isInFile: isInFile)
    }
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
      throw VaultError(error, .vaultKey)
    }
    let vault = Vault(
      path: file.path, keyring: file.keyring, slots: file.slots.map(\.slot), device: device,
      keys: keys, anchors: anchors, settings: settings)
    try vault.checkAnchor(nil, slot: nil, isInFile: true)
    return vault
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
    // On purpose also means: although the anchor cannot be read.
    func remember() throws(VaultError) -> Anchor? {
      acceptance == nil ? try anchors.load() : try? anchors.load()
    }
    // Without the lock another process's commits may come in between; then look again with it.
    let remembered = try remember()
    let finding = remembered?.compare(record, at: ref, device: device)
    if finding == .same { return try requireKnown(in: record.slots) }
    if let acceptance {
      if finding == nil || finding == .rolledBack || finding == .forked {
        if let slot { try requireValid(slot, record, remembered, finding, acceptance) }
        // Whoever thinks about it holds nobody up.
        try acceptance.confirm(
          OlderCopy(
            record, keyring, remembered, found: foundSlots + keyring.slots, device: device))
      }
    }
    let lock = try anchors.lock()
    try withExtendedLifetime(lock) { () throws(VaultError) in
      let remembered = try remember()
      let (ref, record) = try currentState()
      if let acceptance {
        switch remembered?.compare(record, at: ref, device: device) {
        case .same?, .ahead?, .acceptedElsewhere?: break
        case let finding:
          if let slot { try requireValid(slot, record, remembered, finding, acceptance) }
          return try startEpoch(above: remembered, finding, acceptance)
        }
      }
      guard let remembered else {
        try requireKnown(in: record.slots)
        return try anchors.save(Anchor(record, at: ref, keyID: keyring.keyID, device: device))
      }
      try require(remembered.compare(record, at: ref, device: device))
      try requireKnown(in: record.slots)
      try anchors.save(Anchor(record, at: ref, keyID: keyring.keyID, device: device))
    }
  }

  func require(_ finding: Anchor.Finding) throws(VaultError) {
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
    _ slot: KeySlot, _ record: StateRecord, _ remembered: Anchor?, _ finding: Anchor.Finding?,
    _ acceptance: Acceptance
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
    record.end(record.epoch, ended)
    if let remembered, remembered.epoch != record.epoch {
      record.end(remembered.epoch, remembered.counters)
    }
    record.epoch = settings.randomness.bytes(16)
    for (id, counter) in remembered?.counters ?? [:] {
      let now = record.devices[id] ?? DeviceState(counter: 0, templates: nil)
      record.devices[id] = now
      record.devices[id]?.counter = max(now.counter, counter)
    }
    record.devices[device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    record.policy = acceptance.policy(record.policy, remembered?.policy)
    if let remembered, finding == .forked {
      keyring.slots.removeAll { !remembered.slots.contains($0) }
      if record.devices[device]?.templates != remembered.templates {
        record.devices[device]?.templates = nil
      }
    } else if let remembered {
      record.devices[device]?.templates = remembered.templates
      keyring =
        remembered.slots.keyring(
          of: foundSlots + keyring.slots, vaultID: keyring.vaultID, keyID: keyring.keyID
        ).0
    }
    if !record.policy.allowsPlainFaces { keyring.slots.removeAll { $0.kind == .face } }
    keyring.generation = max(record.slots.generation, keyring.generation) + 1
    record.slots = KnownSlots(
      keyring, after: remembered?.slots ?? record.slots, at: settings.now())
    missingSlots = 0
    try store.put(keyring: keyring.encoded())
    try commit(record, through: store)
  }
}
