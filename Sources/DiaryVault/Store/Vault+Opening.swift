package import Bytes
package import Entries
package import Sealing

/// Opening a vault: which slot, which state, and whether both are what this device and the state record know.
extension Vault {
  /// How an older copy, put back on purpose, goes on.
  package struct Acceptance {
    /// Makes one policy of the copy's and the one this device remembers.
    package let policy: (SealedPolicy, SealedPolicy?) -> SealedPolicy
    /// Called with what comes back before anything is changed; throwing stops it.
    package let confirm: (OlderCopy) throws(VaultError) -> Void

    package init(
      policy: @escaping (SealedPolicy, SealedPolicy?) -> SealedPolicy,
      confirm: @escaping (OlderCopy) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) {
      self.policy = policy
      self.confirm = confirm
    }
  }

  /// What a vault is opened for.
  package enum Purpose {
    /// To be read and written; a backup, to be read.
    case everyday
    /// To go on from an older copy that was put back on purpose, under a new incarnation. The secret must be one that is valid today.
    case accepting(Acceptance)
    /// To become the diary, or to give it its contents: a backup. What this device remembers of the same key says which slots
    /// count, instead of the backup's own.
    case backup(validToday: Anchor?)
    /// To take out what still opens. What this device remembers counts in the same way.
    case salvage(validToday: Anchor?)
  }

  /// Opens the vault at `path` with a secret: a passphrase, the 16 bytes of a recovery code, the device key,
  /// or the device key followed by a passphrase.
  ///
  /// ``Admission`` decides what may be done with it. All slots together cost at most ``Argon2Cost/mostWork``, no matter who wrote
  /// them.
  ///
  /// - Throws: ``VaultError``: `wrongSecret` only when no slot of the kind is damaged and none opens;
  ///   `damaged` when one is; `noSuchSlot`; `tampered`; `rolledBack`; `forked`; as ``LockedVault``.
  package static func open(
    _ file: LockedVault, kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings, for purpose: Purpose = .everyday
  ) throws(VaultError) -> Vault {
    let slots = tried(file.slots(of: kind, device: device), of: file, anchors)
    guard !slots.isEmpty || file.hasLostSlots else {
      throw VaultError(.noSuchSlot, file.path, slot: kind)
    }
    var unread: (vault: Vault, isInFile: Bool)?
    // What keeps the vault from being opened by a secret that is right today.
    var proved: VaultError?
    var trial = SlotTrial(settings)
    for (slot, keyring) in slots {
      guard trial.maySpend(on: slot) else { break }
      guard let keys = trial.keys(of: slot, keyring, with: secret) else { continue }
      let vault = Vault(
        path: file.path, keyring: keyring,
        slots: file.slots.filter { $0.keyring.keyID == keyring.keyID }.map(\.slot), device: device,
        keys: keys, anchors: anchors, settings: settings)
      vault.openedBy = slot.id
      let isInFile = file.copies.contains { $0.slots.contains(slot) }
      do throws(VaultError) {
        try vault.admit(purpose, by: Way(kind: kind, slot: slot, isInFile: isInFile), file.spare)
      } catch {
        // The slot wraps a key that is not the vault's: an earlier one, in a spare that is behind, or one put there for a guess.
        let isOfOtherKey = error.part == .stateRecord || error.reason == .keyWasReplaced
        let hasOthers = file.slots.contains { $0.keyring.keyID != keyring.keyID }
        // Or the slot is only in the spare, and another device removed it since: the file may have a newer one.
        let isBehind = !isInFile && [.wrongSecret, .noSuchSlot].contains(error.code)
        guard isOfOtherKey || isBehind else { throw error }
        if !isInFile, isOlder(file, than: slot, keyring, anchors) {
          proved = VaultError(.rolledBack, file.path, .keyWasRetired)
        }
        if isInFile || isBehind || !hasOthers { trial.note(error) }
        continue
      }
      if case .everyday = purpose { vault.emptyLog(waiting: false) }
      // Salvage uses the file's key if a slot gives it: this device's spare may have another key.
      guard vault.latest != nil else {
        if unread == nil || isInFile && !(unread?.isInFile ?? false) { unread = (vault, isInFile) }
        continue
      }
      return vault
    }
    if let unread { return unread.vault }
    // Whatever it is for the slots in the file.
    if let proved { throw proved }
    throw nothingOpened(file, kind, after: trial)
  }

  /// Tries a secret on the slots as ``open(_:kind:secret:device:anchors:settings:for:)`` does when none opens, also where one does, and
  /// opens nothing with it.
  ///
  /// - Throws: ``VaultError``, always: what a wrong secret is answered with.
  package static func tryOnly(
    _ file: LockedVault, kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8],
    settings: VaultSettings
  ) throws(VaultError) -> Never {
    var trial = SlotTrial(settings)
    for (slot, keyring) in file.slots(of: kind, device: device) {
      guard trial.maySpend(on: slot) else { break }
      if trial.keys(of: slot, keyring, with: secret) != nil { trial.isWrongForOne = kind.isHashed }
    }
    throw nothingOpened(file, kind, after: trial)
  }

  /// Opens it with the vault key itself, kept by who opened it before: for a face, or to read a backup. The key goes by the id of
  /// `keyring`, one of the file's copies; nil is the better one.
  package static func open(
    _ file: LockedVault, vaultKey: consuming SecretBytes, keyring: Keyring? = nil, device: [UInt8],
    anchors: any AnchorStore, settings: VaultSettings, for purpose: Purpose = .everyday
  ) throws(VaultError) -> Vault {
    let keyring = keyring ?? file.keyring
    let keys: VaultKeys
    do throws(SealingError) {
      keys = try VaultKeys(
        vaultKey, vaultID: keyring.vaultID, keyID: keyring.keyID)
    } catch {
      throw VaultError(error, .vaultKey)
    }
    let vault = Vault(
      path: file.path, keyring: keyring, slots: file.slots.map(\.slot), device: device,
      keys: keys, anchors: anchors, settings: settings)
    try vault.admit(purpose, by: nil, file.spare)
    if case .everyday = purpose { vault.emptyLog(waiting: false) }
    return vault
  }

  // MARK: Admission

  /// The slot that opened it.
  private struct Way {
    let kind: SlotKind
    let slot: KeySlot
    /// False for one that only this device's spare has.
    let isInFile: Bool
  }

  /// What was found out about the vault.
  private struct Look {
    let verdict: Admission.Verdict
    let standing: Admission.Standing
    let remembered: Anchor?
    let state: (ref: Ref, record: StateRecord)?

    /// Whether nothing here knows what was decided since: the anchor is gone, or the chip's counter shows that it may be an old one.
    var isForgotten: Bool { remembered == nil || standing.chip ?? .same != .same }
  }

  /// Asks the one gate what may be done with the vault, and does what follows for this device's anchor.
  private func admit(
    _ purpose: Purpose, by way: Way?, _ spare: SpareSlots?
  ) throws(VaultError) {
    let first = try look(purpose, way, spare)
    switch first.verdict {
    case .refuse(let refusal) where !refusal.mayPass: throw error(refusal, purpose, way)
    case .read:
      isOnlyRead = true
      return
    case .write where first.standing.anchor == .same: return
    case .write, .refuse: break
    case .ask:
      // Waiting for the owner's answer does not block other requests.
      if case .accepting(let acceptance) = purpose, let record = first.state?.record {
        try acceptance.confirm(
          OlderCopy(
            record, keyring, first.isForgotten ? nil : first.remembered, first.standing.anchor,
            found: foundSlots + keyring.slots, device: device))
      }
    }
    // Without the lock another process's commits may come in between; now they cannot.
    let lock = try anchors.lock()
    try withExtendedLifetime(lock) { () throws(VaultError) in
      let now = try look(purpose, way, spare)
      switch now.verdict {
      case .refuse(let refusal): throw error(refusal, purpose, way)
      case .read: isOnlyRead = true
      case .ask:
        guard case .accepting(let acceptance) = purpose else { return }
        // What is accepted is what its owner was told of.
        guard case .ask = first.verdict, now.state?.ref == first.state?.ref else {
          throw VaultError(.conflict, path, .wasReplacedWhileOpen)
        }
        // The owner is to hear of the key whatever comes next; of the acceptance, it is their own.
        try follow(nil, now.standing.lineage)
        if now.isForgotten { try anchors.willForget() }
        try startIncarnation(now, spare, acceptance)
      case .write:
        guard let (ref, record) = now.state else { return }
        try follow(now.standing.anchor, now.standing.lineage)
        try anchors.save(anchor(record, at: ref))
      }
    }
  }

  private func load(ignoringDamage: Bool) throws(VaultError) -> Anchor? {
    do throws(VaultError) { return try anchors.load() } catch {
      guard ignoringDamage, error.code == .damaged else { throw error }
      return nil
    }
  }

  /// Has it kept for the owner that this device goes on from what another one decided.
  func follow(
    _ finding: Anchor.Finding?, _ key: KnownLineage.Finding?
  ) throws(VaultError) {
    let (acceptance, rotation) = (finding == .acceptedElsewhere, key == .continued)
    guard acceptance || rotation else { return }
    try anchors.willFollow(acceptance: acceptance, rotation: rotation)
    hasFollowed = true
  }

  private func look(
    _ purpose: Purpose, _ way: Way?, _ spare: SpareSlots?
  ) throws(VaultError) -> Look {
    let door = door(purpose, way)
    let today: Anchor? =
      switch purpose {
      case .backup(let today), .salvage(let today):
        today?.known.keyID == keyring.keyID ? today : nil
      case .everyday, .accepting: nil
      }
    // If the state cannot be read, this device's memory is all there is to go by.
    let state = door == .salvage ? try? currentState() : try currentState()
    var standing = Admission.Standing(role: state?.record.role ?? .live)
    var remembered: Anchor?
    if let (ref, record) = state, record.role == .live, door != .salvage, door != .backup {
      // The owner may accept an older copy even if the anchor cannot be read.
      remembered = try load(ignoringDamage: door == .acceptance)
      standing.lineage = lineage(record, remembered, spare)
      standing.anchor = remembered?.compare(
        record, at: ref, under: standing.lineage, device: device)
      // Where the anchor is gone, the spare may still know of ways in that were changed since.
      if remembered == nil, let spare, spare.keyring.keyID == keyring.keyID,
        spare.keyring.generation > record.slots.generation
      {
        standing.anchor = .rolledBack
      }
      standing.isDeviceReplaced = record.devices[device]?.isRetired ?? false
      if let remembered, case .value(let now) = try anchors.chip() {
        standing.chip = ChipCount.compare(remembered.chip, now: now)
      }
    }
    if let way {
      let isDecided = [.same, .ahead, .acceptedElsewhere].contains(standing.anchor)
      standing.isSlotKnown =
        door == .acceptance && !isDecided && standing.role == .live
        ? isValid(way.slot, state?.record, remembered, standing, spare)
        : (today?.slots ?? state?.record.slots)?.contains(way.slot) ?? true
      // The vault's own policy binds every device, whatever slots their keys still fit.
      standing.isKindAllowed =
        way.kind != .face || state?.record.policy.allowsPlainFaces ?? false
    }
    return Look(
      verdict: Admission.verdict(at: door, standing), standing: standing, remembered: remembered,
      state: state)
  }

  /// Whether its key is the one that this device remembers of the diary, or followed it; true where it remembers none.
  func follows(_ remembered: Anchor?, _ spare: SpareSlots?) -> Bool {
    guard let record = latest?.record else { return true }
    return ![.retired, .foreign].contains(lineage(record, remembered, spare))
  }

  /// How the key relates to those that anchor and spare remember. The spare may be ahead when saving the anchor failed. It is not
  /// sealed: one that is not of the anchor's key, or of one that followed it, is not asked.
  private func lineage(
    _ record: StateRecord, _ remembered: Anchor?, _ spare: SpareSlots?
  ) -> KnownLineage.Finding? {
    let own = known(record)
    let kept = spare?.known
    let origin = kept.flatMap { remembered?.known.compare($0, vaultID: keyring.vaultID) }
    let isOurs = remembered == nil || origin == .same || origin == .continued
    let findings = [remembered?.known, isOurs ? kept : nil].compactMap {
      $0?.compare(own, vaultID: keyring.vaultID)
    }
    if findings.contains(.retired) { return .retired }
    return findings == [.continued, .foreign] ? .foreign : findings.first
  }

  private func door(_ purpose: Purpose, _ way: Way?) -> Admission.Door {
    switch purpose {
    case .everyday: way.map { $0.kind.needsFace ? .face : .secret } ?? .warm
    case .accepting: .acceptance
    case .backup: .backup
    case .salvage: .salvage
    }
  }

  /// An older copy is accepted with a secret that is valid today, as far as this device knows: of an older copy in its own
  /// memory, of a fork on both sides, and where it remembers nothing, in its spare of the slots.
  private func isValid(
    _ slot: KeySlot, _ record: StateRecord?, _ remembered: Anchor?,
    _ standing: Admission.Standing, _ spare: SpareSlots?
  ) -> Bool {
    let isInState = record?.slots.contains(slot) ?? false
    // This device knows no slots of a key that followed the one it remembers.
    if standing.lineage == .continued { return isInState }
    guard let remembered else {
      // A spare that is behind says nothing of what another device changed since.
      guard let spare, spare.keyring.keyID == keyring.keyID,
        spare.keyring.generation >= record?.slots.generation ?? 0
      else { return isInState }
      return isInState && spare.keyring.slots.contains(slot)
    }
    return remembered.slots.contains(slot) && (standing.anchor != .forked || isInState)
  }

  /// Why a vault is not opened, in words.
  private func error(
    _ refusal: Admission.Refusal, _ purpose: Purpose, _ way: Way?
  ) -> VaultError {
    // This device's spare may be behind another device that changed the slots: then the secret is simply not valid now.
    let simply = error(refusal, way?.kind ?? .face)
    guard refusal == .slot else { return simply }
    switch purpose {
    case .accepting, .backup(validToday: .some), .salvage(validToday: .some):
      return VaultError(.wrongSecret, path, .isNoLongerValid, slot: simply.slot)
    case .everyday, .backup, .salvage: break
    }
    guard let way, way.isInFile else { return simply }
    // Another process may have removed it since the file was read.
    if let now = try? LockedVault(path, settings: settings),
      !now.slots.contains(where: { $0.slot.id == way.slot.id })
    {
      return VaultError(.wrongSecret, path, .isNoLongerValid, slot: way.kind)
    }
    return VaultError(.tampered, .slot, Base32.encode(way.slot.id), .slotWasRemoved)
  }

  /// Goes on from an older copy: its entries come back, under a new incarnation with counters above everything remembered.
  /// What the owner decided since stays: the ways in, the policy, the faces of this device. Of a fork, only ways in that
  /// both sides know stay. Where only the chip says that it is older, nobody remembers others than the copy's own.
  private func startIncarnation(
    _ look: Look, _ spare: SpareSlots?, _ acceptance: Acceptance
  ) throws(VaultError) {
    let (remembered, finding) = (look.remembered, look.standing.anchor)
    let store = try writing()
    try store.begin(writing: true)
    defer { store.rollback() }
    var (_, record) = try readState(store)
    let isSame = remembered?.incarnation == record.incarnation
    if let remembered, isSame { record.raise(to: remembered) }
    record.end(record.incarnation, record.counters)
    if let remembered, !isSame {
      record.end(remembered.incarnation, remembered.counters)
      record.retire(remembered.retired)
    }
    record.incarnation = settings.randomness.bytes(16)
    record.devices[device, default: DeviceState(counter: 0, templates: nil)].counter += 1
    record.policy = acceptance.policy(record.policy, remembered?.policy)
    let hasSameKey = remembered?.keyID == keyring.keyID
    if let remembered, finding == .forked || !hasSameKey {
      if hasSameKey { keyring.slots.removeAll { !remembered.slots.contains($0) } }
      if record.devices[device]?.templates != remembered.templates {
        record.devices[device]?.templates = nil
      }
    } else if let remembered, finding == .rolledBack {
      record.devices[device]?.templates = remembered.templates
      keyring =
        remembered.slots.keyring(
          of: foundSlots + keyring.slots, vaultID: keyring.vaultID, keyID: keyring.keyID
        ).0
    }
    // What was enrolled or removed since is not known: this device's faces open nothing.
    if look.isForgotten { record.devices[device]?.templates = nil }
    if remembered == nil, let spare, spare.keyring.keyID == keyring.keyID,
      spare.keyring.generation >= keyring.generation
    {
      // The anchor is gone, the spare still knows which ways in were removed.
      keyring.slots.removeAll { !spare.keyring.slots.contains($0) }
    }
    if !record.policy.allowsPlainFaces { keyring.slots.removeAll { $0.kind == .face } }
    // The spare is not sealed: it leaves room for all the changes that are to come.
    let known = spare?.keyring.keyID == keyring.keyID ? spare?.keyring.generation ?? 0 : 0
    keyring.generation =
      max(record.slots.generation, keyring.generation, min(known, 1 << 62)) + 1
    record.slots = KnownSlots(
      keyring,
      after: hasSameKey && [.rolledBack, .forked].contains(finding)
        ? remembered?.slots : record.slots,
      at: settings.now())
    missingSlots = 0
    try store.put(keyring: keyring.encoded())
    // It is not accepted where this device cannot remember it.
    try commit(record, through: store, remembersFirst: true)
  }
}
