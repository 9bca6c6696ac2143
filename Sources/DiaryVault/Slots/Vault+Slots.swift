package import Bytes
package import Entries
package import Sealing

extension Vault {
  /// Adds a way in by passphrase or recovery code; returns the slot's id.
  @discardableResult
  package func addSlot(
    _ kind: SlotKind, secret: borrowing SecretBytes, limits: Argon2Cost = .moderate
  ) throws(VaultError) -> [UInt8] {
    let slot = try makeSlot(kind, secret: secret, limits: limits)
    try changeSlots { slots, _, _ in slots.append(slot) }
    return slot.id
  }

  /// The slots that a passphrase opens: each is tried, by Argon2id.
  ///
  /// - Parameter known: those that need not be tried.
  package func passphraseSlots(
    openedBy secret: borrowing SecretBytes, but known: [[UInt8]] = []
  ) throws(VaultError) -> [KeySlot] {
    var found: [KeySlot] = []
    for slot in keyring.slots where slot.kind == .passphrase && !known.contains(slot.id) {
      if case .some = try slot.keys(
        with: secret, of: keyring, leastMemory: settings.leastMemory)
      {
        found.append(slot)
      }
    }
    return found
  }

  /// Replaces passphrases by a new one.
  ///
  /// - Parameter old: the slots that go with the change.
  /// - Throws: ``VaultError`` `conflict` where one of them is gone meanwhile: of two changes at once only one counts.
  package func replacePassphrase(
    _ old: Set<[UInt8]>, by secret: borrowing SecretBytes, limits: Argon2Cost
  ) throws(VaultError) {
    let slot = try makeSlot(.passphrase, secret: secret, limits: limits)
    try changeSlots { slots, _, _ throws(VaultError) in
      guard old.isSubset(of: slots.map(\.id)) else {
        throw VaultError(.conflict, .keySlots, "", .wasChangedMeanwhile)
      }
      slots.removeAll { old.contains($0.id) }
      slots.append(slot)
    }
    if let openedBy, old.contains(openedBy) { self.openedBy = slot.id }
  }

  /// Removes a way in.
  ///
  /// - Parameter rules: what becomes of the policy in the same change.
  /// - Throws: ``VaultError`` `notFound`; `conflict` for the last one that needs no face.
  package func removeSlot(
    _ id: [UInt8], changing rules: (SealedPolicy) throws(VaultError) -> SealedPolicy = { $0 }
  ) throws(VaultError) {
    guard let slot = keyring.slots.first(where: { $0.id == id }) else {
      throw VaultError(.notFound, .slot, Base32.encode(id))
    }
    let own = device
    try changeSlots { slots, state, policy throws(VaultError) in
      // Asked of the slots as they are in this very change: two removals at once must not take the last two.
      guard slots.contains(where: { !$0.kind.needsFace && $0.id != id }) else {
        throw VaultError(.conflict, .slot, String(Base32.encode(id).prefix(8)), .isLastWayIn)
      }
      slots.removeAll { $0.id == id }
      if slot.device == own, !slots.contains(where: { $0.device == own }) { state.templates = nil }
      policy = try rules(policy)
    }
  }

  // MARK: This device

  /// How this device's face opens the vault.
  package enum FaceSlot {
    /// A slot opened by the device key alone.
    case plain
    /// One opened by the device key followed by a passphrase.
    case withPassphrase(SecretBytesBox, Argon2Cost)
    /// None: a face opens only what a passphrase opened before.
    case none
  }

  /// Lets this device's face in: its slot, opened by `deviceKey`, and the digest of its templates, in
  /// one change. Slots the device has stay as they are; where the policy allows no plain ones, none is made.
  ///
  /// - Parameters:
  ///   - before: the digest of the templates that these replace.
  ///   - wanted: false never makes one.
  /// - Throws: ``VaultError`` `conflict` where they are others meanwhile.
  package func admitFace(
    deviceKey: borrowing SecretBytes, templates digest: [UInt8], over before: [UInt8]?,
    slot wanted: Bool = true
  ) throws(VaultError) {
    guard wanted, !hasFaceSlot else {
      return try change { edit throws(VaultError) in
        var own = edit.catalogue.state.devices[device] ?? DeviceState(counter: 0, templates: nil)
        try requireFaces(before, own)
        own.templates = digest
        edit.update { $0.devices[device] = own }
      }
    }
    let slot = try makeSlot(.face, secret: deviceKey, limits: .moderate)
    try changeSlots { slots, device, policy throws(VaultError) in
      try requireFaces(before, device)
      if policy.allowsPlainFaces { slots.append(slot) }
      device.templates = digest
    }
  }

  private func requireFaces(
    _ before: [UInt8]?, _ device: DeviceState?
  ) throws(VaultError) {
    guard device?.templates == before else {
      throw VaultError(.conflict, .enrolledFaces, "", .wasChangedMeanwhile)
    }
  }

  /// Removes this device's face slot and templates.
  package func dismissFace(over before: [UInt8]?) throws(VaultError) {
    let own = device
    try changeSlots { slots, device, _ throws(VaultError) in
      try requireFaces(before, device)
      slots.removeAll { $0.device == own }
      device.templates = nil
    }
  }

  /// Gives this device another key, and with it another name. Its old slots are removed from this
  /// file.
  ///
  /// - Parameters:
  ///   - key: the new device key.
  ///   - digest: of the templates as sealed under it; nil when no face is enrolled.
  ///   - before: of those that are sealed under the present key.
  ///   - policy: replaced in the same change when given.
  ///   - keep: keeps, just before the commit and under the device's lock, what the other one's anchor has to say:
  ///     the change then looks like one of its own.
  package func rebind(
    to other: [UInt8], key: borrowing SecretBytes, face: FaceSlot, templates digest: [UInt8]?,
    over before: [UInt8]?, policy: PolicyChange? = nil,
    keeping keep: (Anchor) throws(VaultError) -> Void
  ) throws(VaultError) {
    let keys = keys
    var slot: KeySlot?
    if digest != nil {
      switch face {
      case .none: break
      case .plain:
        slot = try keys.slot(
          .face, secret: key, device: other, settings: settings)
      case .withPassphrase(let passphrase, let limits):
        let joined = try joining(key, passphrase)
        slot = try keys.slot(
          .facePassphrase, secret: joined, device: other, limits: limits, settings: settings)
      }
    }
    let own = device
    try replace { catalogue throws(VaultError) in
      var state = catalogue.state
      try requireFaces(before, state.devices[own])
      let counter = state.devices[own]?.counter ?? 0
      state.devices[own] = .retired(counter: counter)
      // Of the state before it has the counters alone: that state knows nothing of the other one, and is an older copy for it.
      var anchor = anchor(catalogue.state, at: .none)
      anchor.counters[other] = counter
      anchor.retired.insert(own)
      try keep(anchor)
      state.devices[other] = DeviceState(counter: counter, templates: digest)
      if let policy { state.policy = try policy.applied(to: state.policy) }
      var changed = keyring
      changed.generation += 1
      changed.slots.removeAll { $0.device == own }
      if let slot { changed.slots.append(slot) }
      if !state.policy.allowsPlainFaces { changed.slots.removeAll { $0.kind == .face } }
      return Replacement(state: state, keys: keys, keyring: changed, device: other)
    }
  }

  func joining(
    _ key: borrowing SecretBytes, _ passphrase: SecretBytesBox
  ) throws(VaultError) -> SecretBytes {
    do throws(SealingError) { return try key.followed(by: passphrase.secret) } catch {
      throw VaultError(error, .keySlot, part: .keySlot)
    }
  }

  private func makeSlot(
    _ kind: SlotKind, secret: borrowing SecretBytes, limits: Argon2Cost
  ) throws(VaultError) -> KeySlot {
    try keys.slot(
      kind, secret: secret, device: kind.needsFace ? device : nil, limits: limits,
      settings: settings)
  }

  private func changeSlots(
    _ body: (inout [KeySlot], inout DeviceState, inout SealedPolicy) throws(VaultError) -> Void
  ) throws(VaultError) {
    let changed = try change { edit throws(VaultError) in
      var changed = keyring
      var own = edit.catalogue.state.devices[device] ?? DeviceState(counter: 0, templates: nil)
      var policy = edit.catalogue.state.policy
      try body(&changed.slots, &own, &policy)
      if !policy.allowsPlainFaces { changed.slots.removeAll { $0.kind == .face } }
      changed.generation += 1
      let known = KnownSlots(changed, after: edit.catalogue.state.slots, at: settings.now())
      edit.update { state in
        state.devices[device] = own
        state.slots = known
        state.policy = policy
      }
      guard changed.slots.count <= Keyring.slotLimit else {
        throw VaultError(.keySlots, expected: .atMost(Keyring.slotLimit))
      }
      let work = changed.slots.filter { $0.kind == .passphrase }.map(\.limits.work).reduce(0, +)
      guard work <= Argon2Cost.mostWork else {
        throw VaultError(.keySlots, expected: .tooMuchWork)
      }
      let store = edit.catalogue.store
      try store.put(keyring: changed.encoded())
      return changed
    }
    keyring = changed
    emptyLog()
  }

  /// When each slot was made, seconds since 1970, by its id.
  package func slotTimes() throws(VaultError) -> [[UInt8]: Int64] {
    let known = try Snapshot(self).catalogue.state.slots
    return Dictionary(
      keyring.slots.compactMap { slot in known.made(slot).map { (slot.id, $0) } }
    ) { first, _ in first }
  }

  package var hasFaceSlot: Bool { keyring.slots.contains { $0.device == device } }

  /// Whether the vault knows this device, by the name it has now.
  package func knows(device id: [UInt8]) throws(VaultError) -> Bool {
    try Snapshot(self).catalogue.state.devices[id].map { !$0.isRetired } ?? false
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

  // MARK: Policy

  /// The policy for opening the diary, as the owner set it; empty until then.
  package func policy() throws(VaultError) -> [UInt8] { try sealedPolicy().bytes }

  package func sealedPolicy() throws(VaultError) -> SealedPolicy {
    try Snapshot(self).catalogue.state.policy
  }

  /// Sets the policy. One that allows no plain faces removes every device's plain face slot in the same change.
  ///
  /// - Throws: ``VaultError`` `conflict` when it is not any more what it was.
  package func change(_ policy: PolicyChange) throws(VaultError) {
    try changeSlots { _, _, now throws(VaultError) in now = try policy.applied(to: now) }
  }
}

/// Another policy in place of the one that its owner was shown.
package struct PolicyChange {
  package let before: SealedPolicy
  package let after: SealedPolicy

  package init(from before: SealedPolicy, to after: SealedPolicy) {
    self.before = before
    self.after = after
  }

  fileprivate func applied(to now: SealedPolicy) throws(VaultError) -> SealedPolicy {
    guard now == before else { throw VaultError(.conflict, .policy, "", .wasChangedMeanwhile) }
    return after
  }
}

extension VaultKeys {
  /// A slot that wraps this vault key.
  func slot(
    _ kind: SlotKind, secret: borrowing SecretBytes, device: [UInt8]? = nil,
    limits: Argon2Cost = .moderate, settings: VaultSettings
  ) throws(VaultError) -> KeySlot {
    do throws(SealingError) {
      return try KeySlot(
        kind: kind, secret: secret, vaultKey: vaultKey, vaultID: vaultID, keyID: keyID,
        device: device, limits: limits, leastMemory: settings.leastMemory,
        randomness: settings.randomness)
    } catch {
      throw VaultError(error, .keySlot, part: .keySlot)
    }
  }
}
