package import Access
internal import Authentication
package import Bytes
package import DiaryVault
package import Entries
package import Sealing

/// What makes access permanent, or takes it away.
extension Keeper {
  /// Sets the policy. Turning warm mode on or off replaces the device key, so that slots in old copies no longer open; where faces
  /// may no longer open the diary alone, no device's does.
  package func setPolicy(_ policy: AccessPolicy, _ rights: OwnerRights) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    guard policy.isValid else { throw VaultError(.policy, expected: .withinBounds) }
    let (before, sealed) = (try self.policy(), try vault.sealedPolicy())
    let change = PolicyChange(from: sealed, to: policy.sealed)
    if policy.isWarm, !before.isWarm, try hasPIN() { throw Self.pinKeepsNothingWarm }
    let (slots, others) = (try slotFacts(), foreignFaces(vault, keys))
    if before.isWarm != policy.isWarm {
      try rebind(vault, store, keys, face: policy.isWarm ? .none : .plain, policy: change)
    } else {
      try vault.change(change)
    }
    afterwards {
      let now = try self.store(store.vaultID)
      guard let keys = try now.keys() else { return }
      try now.keep(vault.spare)
      try access(now, keys).opened(bySecret: true, policy: policy.encoded())
    }
    noteFacesDropped(from: slots, of: others)
  }

  /// Names the plain face slots of other devices that were there and are not any more.
  private func noteFacesDropped(from before: [KeySlotFacts], of others: Set<[UInt8]>) {
    let now = Set(opened?.keyring.slots.map(\.id) ?? [])
    for slot in before where others.contains(slot.id) && !now.contains(slot.id) {
      notices.append(.faceDropped(slot))
    }
  }

  /// The plain face slots of other devices.
  private func foreignFaces(_ vault: Vault, _ keys: DeviceKeys) -> Set<[UInt8]> {
    Set(vault.keyring.slots.filter { $0.kind == .face && $0.device != keys.id }.map(\.id))
  }

  /// The ways in, without what they hold.
  package func slotFacts() throws -> [KeySlotFacts] { try vault().slotFacts() }

  /// Adds a way in that needs a face and a passphrase together, and removes every device's plain face slot.
  package func addFacePassphrase(
    _ passphrase: consuming SecretBytes, limits: Argon2Cost, _ rights: OwnerRights
  ) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    guard try agreedTemplates(vault, store, keys) != nil else {
      throw AuthenticationError(.noFace, location.vault)
    }
    let before = try vault.sealedPolicy()
    var policy = try self.policy()
    policy.isWarm = false
    policy.isWithPassphrase = true
    let (slots, others) = (try slotFacts(), foreignFaces(vault, keys))
    try rebind(
      vault, store, keys, face: .withPassphrase(SecretBytesBox(passphrase), limits),
      policy: PolicyChange(from: before, to: policy.sealed))
    noteFacesDropped(from: slots, of: others)
  }

  /// Adds a passphrase or recovery code as a way in; returns the slot's id.
  @discardableResult
  package func addSlot(
    _ kind: SlotKind, _ secret: consuming SecretBytes, limits: Argon2Cost,
    _ rights: OwnerRights
  ) throws -> [UInt8] {
    try require(rights)
    let (vault, store, _) = try openParts()
    if kind == .passphrase { try requireOther(than: secret, vault) }
    let id = try vault.addSlot(kind, secret: secret, limits: limits)
    afterwards { try store.keep(vault.spare) }
    return id
  }

  /// A passphrase in two slots would go on opening the diary when it is taken out of one.
  ///
  /// - Throws: ``VaultError`` `conflict` when it opens the diary already.
  private func requireOther(
    than passphrase: borrowing SecretBytes, _ vault: Vault, but replaced: [[UInt8]] = []
  ) throws {
    if let slot = try vault.passphraseSlots(openedBy: passphrase, but: replaced).first {
      throw VaultError(
        .conflict, .slot, String(Base32.encode(slot.id).prefix(8)), .opensByThisAlready)
    }
  }

  /// Changes the passphrase: the one that was given for the rights, or every one when a recovery code was.
  ///
  /// Where the face opens the diary together with that same passphrase, it is changed there, too.
  ///
  /// - Parameter old: what opened the diary, when it was a passphrase.
  package func changePassphrase(
    from old: SecretBytesBox?, to passphrase: consuming SecretBytes, limits: Argon2Cost,
    _ rights: OwnerRights
  ) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    let known = vault.keyring.slots.filter { $0.kind == .passphrase }.map(\.id)
    var replaced = vault.openedBy.flatMap { known.contains($0) ? [$0] : nil } ?? known
    // The same passphrase may stand in several: none of them is to open the diary any more.
    if let old {
      replaced += try vault.passphraseSlots(openedBy: old.secret, but: replaced).map(\.id)
    }
    try requireOther(than: passphrase, vault, but: replaced)
    var both: KeySlot?
    if let old { both = try vault.faceSlot(openedBy: old, deviceKey: keys.key) }
    let box = SecretBytesBox(passphrase)
    // First, because it can fail: nobody is to believe that the old one opens nothing any more.
    if both != nil { try rebind(vault, store, keys, face: .withPassphrase(box, limits)) }
    let device = vault.device
    try vault.replacePassphrase(Set(replaced), by: box.secret, limits: limits)
    afterwards { try self.store(vault.keyring.vaultID).keep(vault.spare) }
    // A slot whose passphrase is not at hand keeps it.
    for slot in vault.keyring.slots
    where slot.kind == .facePassphrase && (both == nil || slot.device != device) {
      notices.append(.faceKeepsPassphrase(KeySlotFacts(slot)))
    }
  }

  /// Removes a way in. Removing this device's face slot removes its faces, too.
  package func removeSlot(_ id: [UInt8], _ rights: OwnerRights) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    let slot = vault.keyring.slots.first { $0.id == id }
    let wasFaceWithPassphrase = slot?.kind == .facePassphrase && slot?.device == keys.id
    try vault.removeSlot(id) { rules throws(VaultError) in
      wasFaceWithPassphrase ? try rules.withoutPassphrase() : rules
    }
    afterwards {
      if slot?.device == keys.id { try store.removeTemplates() }
      try store.keep(vault.spare)
    }
  }

  /// Replaces the vault key.
  package func rotate(
    recovery: borrowing SecretBytes, passphrase: SecretBytesBox?, limits: Argon2Cost,
    shown: [KeySlot]? = nil, _ rights: OwnerRights, progress: (Int, Int) -> Void
  ) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    forgetWarm()
    tell(
      try vault.rotate(
        recovery: recovery, passphrase: passphrase, limits: limits, deviceKey: keys.key,
        shown: shown, progress: progress))
    afterwards { try store.keep(vault.spare) }
  }

  /// The slots that ``rotate(recovery:passphrase:limits:_:progress:)`` drops.
  package func slotsDropped(keeping passphrase: SecretBytesBox?) throws -> [KeySlot] {
    let (vault, _, keys) = try openParts()
    return try vault.slotsDropped(keeping: passphrase, deviceKey: keys.key)
  }

  private static let pinKeepsNothingWarm = VaultError(
    .conflict, .deviceKey, "", .pinKeepsNothingWarm)

  // MARK: The device key

  /// Where the device key is kept.
  package func deviceKeyPlace() throws -> DeviceKeyPlace {
    let id = try opened?.keyring.vaultID ?? file().keyring.vaultID
    return try DeviceKeyPlace(of: directory(of: id), vaultID: id)
  }

  /// Whether a program is asked for the device key: what runs programs cannot be confined.
  package func asksProgram() throws -> Bool {
    if case .program = try deviceKeyPlace() { true } else { false }
  }

  /// What the name of a device store ends with while this device gets another key.
  static let nextSuffix = ".next"

  /// Whether a kill came while this device got another key.
  package var hasUnfinishedKey: Bool {
    guard let id = try? file().keyring.vaultID else { return false }
    return directory(of: id, suffix: Self.nextSuffix).exists
  }

  /// The name of the note in a device store whose key a chip keeps.
  package static let chipNote = ChipDeviceKeyStore.fileName

  /// Whether others can use the chip that keeps the device key while a connection to it is kept; true where none does.
  package var isChipShared: Bool {
    (try? deviceKeyPlace()) == .chip ? chip.isShared : true
  }

  /// Connects to the chip that keeps the device key, for a process that is about to give up making connections.
  ///
  /// - Parameter evenUnused: also where no chip keeps it yet.
  package func keepChip(evenUnused: Bool = false) {
    if evenUnused || (try? deviceKeyPlace()) == .chip { chip.keep() }
  }

  /// Makes a new device key, kept in another place, and discards the old one.
  ///
  /// - Parameter pin: what the chip will ask for before it gives the key; nil for none.
  package func moveDeviceKey(
    to place: DeviceKeyPlace, pin: SecretBytesBox? = nil, passphrase: SecretBytesBox?,
    _ rights: OwnerRights
  ) throws {
    try require(rights)
    let (vault, store, keys) = try openParts()
    let kinds = vault.keyring.slots.filter { $0.device == keys.id }.map(\.kind)
    var face = Vault.FaceSlot.plain
    if kinds.contains(.facePassphrase) {
      guard let passphrase,
        let slot = try vault.faceSlot(openedBy: passphrase, deviceKey: keys.key)
      else { throw AuthenticationError(.needsSecret, "device key", need: .anotherPassphrase) }
      face = .withPassphrase(passphrase, slot.limits)
    } else if try policy().isWarm {
      guard pin == nil else { throw Self.pinKeepsNothingWarm }
      face = .none
    }
    let before = held.pin
    held.pin = pin
    do { try rebind(vault, store, keys, face: face, place: place) } catch {
      held.pin = before
      throw error
    }
  }

  /// Gives this device another key.
  ///
  /// A whole new device store is made beside the old one; the vault changes sides in one commit; then the two exchange
  /// their names. Killed before the commit, the old one counts; after it, the next opening by passphrase finishes.
  ///
  /// - Parameter place: where the new key is kept; nil for where the old one is.
  private func rebind(
    _ vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys, face: Vault.FaceSlot,
    policy: PolicyChange? = nil, place: DeviceKeyPlace? = nil
  ) throws {
    let id = store.vaultID
    let policyAfter = try policy?.after ?? vault.sealedPolicy()
    // From the first file of the other store to the last of this one: an opening by passphrase meanwhile would take it
    // for what a kill left.
    let lock = try DeviceDirectory(location.devices).lock("setup.lock")
    defer { withExtendedLifetime(lock) {} }
    let place = try place ?? deviceKeyPlace()
    let directory = directory(of: id, suffix: Self.nextSuffix)
    if directory.exists { discard(try self.store(id, suffix: Self.nextSuffix)) }
    if case .program(let command) = place {
      try HelperDeviceKeyStore(
        command: command, vaultID: id, key: Base32.encode(settings.randomness.bytes(16))
      ).write(to: directory)
    }
    do {
      let next = try self.store(id, suffix: Self.nextSuffix, place: place)
      let nextKeys = try next.makeKeys(fresh: true)
      var digest: [UInt8]?
      let before = try vault.templatesDigest()
      if let (set, known) = try store.loadTemplates(keys),
        let agreed = before, Digest.areEqual(known, agreed)
      {
        digest = try next.putTemplates(set, nextKeys)
      }
      let anchors = DeviceAnchors(next, nextKeys, isNew: true)
      try access(next, nextKeys).opened(bySecret: true, policy: policyAfter.bytes)
      try next.keep(vault.spare)
      places.carry(id, to: next.directory.path)
      try vault.rebind(
        to: nextKeys.id, key: nextKeys.key, face: face, templates: digest, over: before,
        policy: policy
      ) { anchor throws(VaultError) in try anchors.save(anchor) }
    } catch {
      if let next = try? self.store(id, suffix: Self.nextSuffix) { discard(next) }
      throw error
    }
    // Committed: what fails from here on is finished by the next opening with a passphrase.
    afterwards {
      let before = try access(store, keys).untold()
      try exchange(id)
      let now = try self.store(id)
      guard let nowKeys = try now.keys() else { return }
      let anchors = DeviceAnchors(now, nowKeys)
      vault.anchors = anchors
      // What was kept for the owner in the store that is gone, also by the commit just now.
      if !before.signs.isEmpty {
        try access(now, nowKeys).keep(untold: before.signs, aside: before.aside)
      }
      // What the commit remembered stood in the store that is gone.
      let lock = try anchors.lock()
      defer { withExtendedLifetime(lock) {} }
      if let anchor = vault.currentAnchor { try anchors.save(anchor) }
      try ledger(now, nowKeys).reset()
      try now.keep(vault.spare)
    }
  }

  private func exchange(_ vaultID: [UInt8]) throws {
    let old = directory(of: vaultID)
    let next = directory(of: vaultID, suffix: Self.nextSuffix)
    if old.exists {
      // Not between a commit of another process and its anchor, which is found by the store's name: it would be written into the
      // new store, under the old key.
      try old.locked(DeviceAnchors.lockName) {
        try AccessRecord.locked(old) { try old.exchange(with: next) }
      }
      discard(try store(vaultID, suffix: Self.nextSuffix))
    } else {
      try next.rename(to: old.path)
    }
  }

  /// A store nobody needs any more, and its key. Best effort: what stays opens nothing.
  private func discard(_ store: DeviceStore) {
    // A copy of the note that counts would take the key or the counters of this device with it.
    let live = directory(of: store.vaultID)
    let isOfLiveKey =
      chipStore(in: store.directory).hasKey(of: chipStore(in: live))
      || HelperDeviceKeyStore.nameSameKey(store.directory, live)
    if !isOfLiveKey { try? store.keyStore.erase() }
    store.directory.removeAll()
  }

  /// After a kill in the middle of ``rebind``: the vault says which of the two stores is its. Only the live one is
  /// asked, told by the anchor of the store it would speak for: a backup or an older copy knows what is long gone.
  ///
  /// - Parameter givingUp: a store whose key cannot be had is put aside, and with it one that the vault no longer knows.
  ///   Afterwards this device's store may be another one.
  func finishRebinding(
    _ secret: GivenSecret, _ file: LockedVault, _ store: DeviceStore, _ keys: DeviceKeys?,
    givingUp: Bool
  ) throws {
    let id = file.keyring.vaultID
    let lock = try DeviceDirectory(location.devices).lock("setup.lock")
    defer { withExtendedLifetime(lock) {} }
    let next: DeviceStore
    do throws(AuthenticationError) { next = try self.store(id, suffix: Self.nextSuffix) } catch {
      // What is not a store, or names no key, blocks nothing. Nothing is moved before the secret has proved right.
      try prove(secret, file)
      _ = try setAside(
        DeviceStore(base: location.devices, vaultID: id, suffix: Self.nextSuffix))
      return
    }
    guard next.directory.exists else { return }
    // Nothing is moved before the secret has proved right, which the questions below do with a key alone.
    if keys == nil { try prove(secret, file) }
    // The other one's key, for which a program or chip would have to be asked, matters only when this one's is not it.
    if let keys, try belongs(secret, file, to: keys, of: store) { return discard(next) }
    // An unreadable key is no reason to discard the store, which may be the one that counts. A missing key is.
    let nextKeys: DeviceKeys?
    do { nextKeys = try next.keysIfAny() } catch  where givingUp {
      _ = try setAside(next)
      if keys != nil { notices.append(.deviceStoreReplaced(path: try setAside(store))) }
      return
    }
    guard let nextKeys else {
      // A program that gives no key now may still have it.
      if next.keyStore.isElsewhere { _ = try setAside(next) } else { discard(next) }
      return
    }
    guard try belongs(secret, file, to: nextKeys, of: next) else { return }
    guard let keys else { return try exchange(id) }
    let before = try access(store, keys).untold()
    try exchange(id)
    if !before.signs.isEmpty {
      try access(self.store(id), nextKeys).keep(untold: before.signs, aside: before.aside)
    }
  }
}

extension Vault {
  package func slotFacts() throws(VaultError) -> [KeySlotFacts] {
    let times = try slotTimes()
    return keyring.slots.map { KeySlotFacts($0, created: times[$0.id]) }
  }
}

extension DeviceKeyPlace {
  /// Where a device store keeps its key.
  package init(of directory: DeviceDirectory, vaultID: [UInt8]) throws(AuthenticationError) {
    if try ChipDeviceKeyStore.isUsed(in: directory) {
      self = .chip
    } else if let helper = try HelperDeviceKeyStore(in: directory, vaultID: vaultID) {
      self = .program(helper.command)
    } else {
      self = .file
    }
  }
}
