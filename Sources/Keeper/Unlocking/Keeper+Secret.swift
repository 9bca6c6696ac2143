package import Access
internal import Authentication
internal import Bytes
internal import DiaryVault
package import Entries
internal import Platform
internal import SealedFiles
package import Sealing

extension Keeper {
  /// Whether this device's face opens the diary only together with a passphrase.
  package func faceNeedsPassphrase() throws -> Bool {
    let file = try file()
    guard let keys = try store(file.keyring.vaultID).keys() else { return false }
    let kinds = slotsOfThisDevice(file).filter { $0.device == keys.id }.map(\.kind)
    return kinds.contains(.facePassphrase) && !kinds.contains(.face)
  }

  /// The secret to ask for when the diary is opened: a recovery code where it has no passphrase.
  package var secretToAskFor: SecretFactor {
    let slots = (try? file())?.slots.map(\.slot) ?? []
    return slots.isEmpty || slots.contains { $0.kind == .passphrase } ? .passphrase : .recovery
  }

  /// The ways in as this device knows them: those of the file stand in clear, and anybody who can write it can take some away.
  private func slotsOfThisDevice(_ file: LockedVault) -> [KeySlot] {
    file.spareSlots ?? file.keyring.slots
  }

  /// Why a face is not enough now; nil when it is, or when none is enrolled.
  package func freshness() throws -> FreshnessNeed? {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return .never }
    return try faceNeed(store.vaultID, access(store, keys))
  }

  /// Seconds until a passphrase may be tried; 0 for now.
  package func passphraseWait() throws -> Int64 {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return 0 }
    return try access(store, keys).waiting()
  }

  /// The policy: of the open vault, else as this device last saw it.
  package func policy() throws -> AccessPolicy {
    if let opened {
      let bytes = try opened.policy()
      do throws(SealingError) { return try AccessPolicy(bytes) } catch {
        throw VaultError(error, .policy)
      }
    }
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return AccessPolicy() }
    return try access(store, keys).policy()
  }

  /// Opens by passphrase or recovery code.
  package func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions = []
  ) throws {
    try open(try GivenSecret(factor, typed: secret), options)
  }

  /// - Parameter confirm: called with what comes back with an older copy before it is accepted; throwing stops it.
  package func open(
    _ prepared: GivenSecret, _ options: OpeningOptions,
    confirm: @escaping (OlderCopy) throws(VaultError) -> Void = { _ throws(VaultError) in }
  ) throws {
    let store = storeIdentity()
    do {
      try openOnce(prepared, options, confirm)
    } catch {
      guard wasRebound(since: store, error) else { throw error }
      try openOnce(prepared, options, confirm)
    }
  }

  private func openOnce(
    _ prepared: GivenSecret, _ options: OpeningOptions,
    _ confirm: @escaping (OlderCopy) throws(VaultError) -> Void
  ) throws {
    let resetDevice = options.contains(.resetsDevice)
    let isAccepting = options.contains(.acceptsOlderCopy)
    let file = try file(settledBy: prepared)
    let id = file.keyring.vaultID
    // After a kill in the middle of getting another key the other one may be the one that can be read.
    var (store, keys) = try reach(
      id, forgiving: resetDevice || hasUnfinishedKey, givingUp: resetDevice)
    if let found = keys, try !isOwn(found, store) {
      guard resetDevice else { throw foreignKey(store) }
      keys = nil
    }
    // Asked before the try below leaves its own record.
    let (isKnown, isUnfinished) = try standing(
      store, keys, needsRecord: !isAccepting && !file.isBackup)
    let trial = try beginTrial(prepared.factor, on: file, store, keys)
    let confirm = trial.letting(confirm)
    let opened: (vault: Vault, device: DeviceKeys)
    // The secret of an old backup may have been replaced since.
    let isValidToday = { (opened: (vault: Vault, device: DeviceKeys)) in !opened.vault.isBackup }
    do {
      opened = try trial.count(proves: isValidToday) {
        if hasUnfinishedKey {
          try finishRebinding(prepared, file, store, keys, givingUp: resetDevice)
          (store, keys) = try reach(id, forgiving: resetDevice, givingUp: resetDevice)
        }
        let replaced = resetDevice ? try replacedKeys(prepared, file, store, keys) : nil
        var (device, isNew, setup) = try setUp(
          prepared, file, &store, keys, givingUp: resetDevice, replaced: replaced?.id,
          acceptsOlder: isAccepting || resetDevice)
        // Killed before its first anchor was kept, it is as new as it was.
        if !isNew, isUnfinished {
          isNew = true
          try access(store, device).keep(untold: .storeGone)
        }
        defer { withExtendedLifetime(setup) {} }
        return (try admit(prepared, options, file, store, device, isNew: isNew, confirm), device)
      }
    } catch let error as VaultError where error.code == .wrongSecret {
      throw try unproven(error, store, isKnown: isKnown)
    }
    let (vault, device) = opened
    if vault.isBackup {
      // It is only read: neither its attempts nor this device's anchor are touched.
      notices.append(.backup(vault.backupTime ?? 0))
    } else {
      // It may only look like a backup.
      _ = try standing(store, device, needsRecord: file.isBackup && !isAccepting)
      if file.isBackup { try restoreLog(of: vault) }
      try remember(vault, store, device)
    }
    // What was accepted has today's slots now.
    try adopt(
      vault, isAccepting || resetDevice ? try self.file() : file, access(store, device),
      bySecret: true)
  }

  /// Opens the vault itself. A device that is reset goes on with an older copy, without the ways in that its spare of the slots knows
  /// to be gone.
  private func admit(
    _ prepared: GivenSecret, _ options: OpeningOptions, _ file: LockedVault, _ store: DeviceStore,
    _ device: DeviceKeys, isNew: Bool,
    _ confirm: @escaping (OlderCopy) throws(VaultError) -> Void
  ) throws(VaultError) -> Vault {
    let isAccepting = options.contains(.acceptsOlderCopy)
    func open(_ purpose: Vault.Purpose) throws(VaultError) -> Vault {
      try Vault.open(
        file, kind: prepared.kind, secret: prepared.secret, device: device.id,
        anchors: DeviceAnchors(store, device, isNew: isNew, acceptsChip: isAccepting),
        settings: settings, for: purpose)
    }
    if isAccepting { return try open(.accepting(acceptance(store, device, confirm))) }
    do throws(VaultError) { return try open(.everyday) } catch {
      guard options.contains(.resetsDevice), error.reason == .olderThanDevice else { throw error }
      return try open(.accepting(acceptance(store, device) { _ in }))
    }
  }

  /// This device's store, and its keys where they can be read.
  ///
  /// - Parameters:
  ///   - forgiving: a program or chip that gives no key is no error.
  ///   - givingUp: nor is a note of one that cannot be understood.
  private func reach(
    _ vaultID: [UInt8], forgiving: Bool, givingUp: Bool
  ) throws(AuthenticationError) -> (DeviceStore, DeviceKeys?) {
    let store: DeviceStore
    do throws(AuthenticationError) { store = try self.store(vaultID) } catch {
      guard givingUp else { throw error }
      return (DeviceStore(base: location.devices, vaultID: vaultID), nil)
    }
    return (store, try readableKeys(store, forgiving: forgiving))
  }

  /// The keys that a device may give up although they are at hand: those the vault knows to be replaced, and those of a chip that
  /// counts no longer.
  ///
  /// - Throws: ``VaultError`` `conflict` for any others.
  private func replacedKeys(
    _ secret: GivenSecret, _ file: LockedVault, _ store: DeviceStore, _ keys: DeviceKeys?
  ) throws -> DeviceKeys? {
    guard let keys else { return nil }
    do throws(VaultError) {
      _ = try Vault.open(
        file, kind: secret.kind, secret: secret.secret, device: keys.id,
        anchors: ReadOnlyAnchors(DeviceAnchors(store, keys)), settings: settings)
    } catch {
      if error.reason == .deviceWasReplaced || error.isOfChip { return keys }
      guard [.rolledBack, .forked].contains(error.code) else { throw error }
    }
    throw VaultError(.conflict, .deviceKey, "", .deviceKeyIsAtHand)
  }

  /// The keys of this device, and what keeps others from making some; made when there are none, or only replaced ones.
  private func setUp(
    _ secret: GivenSecret, _ file: LockedVault, _ store: inout DeviceStore, _ keys: DeviceKeys?,
    givingUp: Bool, replaced: [UInt8]?, acceptsOlder: Bool
  ) throws -> (keys: DeviceKeys, isNew: Bool, lock: FileLock?) {
    if let keys, keys.id != replaced { return (keys, false, nil) }
    let lock = try beginSetup(secret, file, acceptsOlder: acceptsOlder)
    let now = try reach(store.vaultID, forgiving: givingUp, givingUp: givingUp)
    store = now.0
    if let keys = now.1, keys.id != replaced {
      if try isOwn(keys, store) { return (keys, false, lock) }
      // A program or chip that gives a key which is not this device's gives it again: it is given up with the store.
      guard givingUp else { throw foreignKey(store) }
    }
    return (try makeKeys(&store), true, lock)
  }

  /// Nothing is made or moved before the secret has proved right, and by one process at a time.
  private func beginSetup(
    _ secret: GivenSecret, _ file: LockedVault, acceptsOlder: Bool
  ) throws -> FileLock {
    do throws(VaultError) { try prove(secret, file) } catch {
      // The spare knows that it is an older copy, and which secrets are valid today.
      guard acceptsOlder, error.reason == .olderThanDevice else { throw error }
      try proveToAccept(secret, file)
    }
    let base = DeviceDirectory(location.devices)
    try base.make()
    return try base.lock("setup.lock")
  }

  private func acceptance(
    _ store: DeviceStore, _ keys: DeviceKeys,
    _ confirm: @escaping (OlderCopy) throws(VaultError) -> Void
  ) -> Vault.Acceptance {
    let known = try? access(store, keys).policy().sealed
    return Vault.Acceptance(
      policy: { $0.stricter($1).stricter(known) }, confirm: confirm)
  }

  /// Whether a key is the one that this device's records are sealed with, as far as there are any.
  func isOwn(_ keys: DeviceKeys, _ store: DeviceStore) throws -> Bool {
    if try access(store, keys).wasOpened() != nil { return true }
    if (try? DeviceAnchors(store, keys).load()) != nil { return true }
    // A key that is kept elsewhere is never there without its records.
    let names = store.directory.names()
    return !store.keyStore.isElsewhere && !(names.contains("access") && names.contains("anchor"))
  }

  private func foreignKey(_ store: DeviceStore) -> AuthenticationError {
    store.keyStore.isElsewhere
      ? AuthenticationError(.helper, store.directory.path, .program(.gaveUnknownKey))
      : AuthenticationError(
        .storeDamaged, store.directory.path + "/device.key", .said("it opens nothing here"))
  }

  /// Whether the device ever opened this diary, and whether it was killed before it kept its first anchor.
  ///
  /// - Throws: ``VaultError`` `damaged` when what says so is gone.
  private func standing(
    _ store: DeviceStore, _ keys: DeviceKeys?, needsRecord: Bool
  ) throws -> (isKnown: Bool, isUnfinished: Bool) {
    guard let keys else { return (false, false) }
    guard let wasOpened = try access(store, keys).wasOpened() ?? (needsRecord ? nil : true) else {
      throw Self.noAccessRecord(store)
    }
    return (wasOpened, try !wasOpened && !store.hasAnchor())
  }

  /// Makes a new key for this device. Whatever is in its store was sealed by the key that is gone, and is put aside. The owner is to be
  /// told, whatever becomes of this opening.
  func makeKeys(_ store: inout DeviceStore) throws -> DeviceKeys {
    guard store.directory.names().allSatisfy({ ["access", "keyring"].contains($0) }) else {
      let aside = try putAside(store)
      store = try self.store(store.vaultID)
      return try store.makeKeys(untold: .storeReplaced, aside: aside)
    }
    // Where the rows are gone, nothing is left that counted here.
    let known =
      try !VaultFolder(location.vault).hasNoRows && attemptRow(store.vaultID).read() != nil
    return try store.makeKeys(untold: known ? .storeGone : .newDevice)
  }

  /// What a secret that was right changes on this device.
  private func remember(_ vault: Vault, _ store: DeviceStore, _ keys: DeviceKeys) throws {
    let lock = try store.lockTemplates()
    try withExtendedLifetime(lock) {
      try store.recoverTemplates(knownDigest: try vault.templatesDigest())
    }
    do {
      try ledger(store, keys).reset()
    } catch let error as VaultError
      where [.readOnly, .permission, .diskFull].contains(error.code)
    {
      // A vault on a read-only or full disk can be read; its face stays as locked or open as it was.
    } catch let error as AuthenticationError where error.code == .helper {
      // Without the counter of the chip no try is taken.
      notices.append(.faceStaysLocked(error.reason))
    }
    // One with slots missing is no better than the spare there is.
    if vault.missingSlots == 0 {
      do throws(AuthenticationError) { try store.keep(vault.spare) } catch {
        guard error.code == .diskFull else { throw error }
        // Who has changed a secret on a full disk can read, and make room.
        notices.append(.deviceStoreBehind(error.subject, error.reason))
      }
    }
    try access(store, keys).opened(bySecret: true, policy: try vault.policy())
    notePlace(store.vaultID)
  }

  /// Without it nobody can say whether the device opened the diary before.
  static func noAccessRecord(_ store: DeviceStore) -> VaultError {
    VaultError(.damaged, store.directory.path + "/access", .missingOrUnreadable, part: .anchor)
  }

  /// Without the spare nobody can say whether the secret is wrong or the slot was altered.
  static func noSpare(_ store: DeviceStore) -> VaultError {
    VaultError(.damaged, store.directory.path + "/keyring", .missing, part: .keySlot)
  }

  /// Whether the store's spare of the slots is there and whole.
  func hasSpare(_ store: DeviceStore) throws -> Bool {
    try store.spareKeyring().flatMap { try? SpareSlots($0) } != nil
  }

  /// The device's keys, nil when there are none that can be read.
  func readableKeys(
    _ store: DeviceStore, forgiving: Bool
  ) throws(AuthenticationError) -> DeviceKeys? {
    do throws(AuthenticationError) {
      return try store.keys()
    } catch {
      guard error.code == .storeDamaged || (forgiving && error.code == .helper) else {
        throw error
      }
      return nil
    }
  }

  /// Opens the vault and closes it again, to find out whether this secret is right.
  func prove(
    _ secret: GivenSecret, _ file: LockedVault, for purpose: Vault.Purpose = .everyday
  ) throws(VaultError) {
    _ = try Vault.open(
      file, kind: secret.kind, secret: secret.secret, device: [UInt8](repeating: 0, count: 16),
      anchors: NoAnchors(), settings: settings, for: purpose)
  }

  /// The same for an older copy that its owner accepts: whether the secret is one with which that may be done.
  private func proveToAccept(_ secret: GivenSecret, _ file: LockedVault) throws(VaultError) {
    let stop = Vault.Acceptance(
      policy: { old, _ in old },
      confirm: { _ throws(VaultError) in throw VaultError(.declined, "") })
    do throws(VaultError) {
      try prove(secret, file, for: .accepting(stop))
    } catch {
      guard error.code == .declined else { throw error }
    }
  }

  /// The same, for a vault that is open: the file must be that vault, and no older copy of it.
  ///
  /// - Returns: the id of the slot that the secret opened.
  func prove(
    _ secret: GivenSecret, _ file: LockedVault, for vault: Vault, anchors: DeviceAnchors?
  ) throws(VaultError) -> [UInt8]? {
    let proof = try Vault.open(
      file, kind: secret.kind, secret: secret.secret, device: vault.device,
      anchors: anchors.map(ReadOnlyAnchors.init) ?? NoAnchors(), settings: settings)
    guard proof.hasKey(of: vault), !proof.isBackup else {
      throw VaultError(.tampered, location.vault, .notTheOpenDiary)
    }
    // Without anchors an older copy looks like the diary: what counts are the ways in of the one that is open, as they are now.
    _ = try Snapshot(vault)
    guard vault.keyring.slots.contains(where: { $0.id == proof.openedBy }) else {
      throw VaultError(.wrongSecret, location.vault, .isNoLongerValid, slot: secret.kind)
    }
    return proof.openedBy
  }

  /// Whether a vault that is no backup, and no older copy by these anchors, knows the device.
  func belongs(
    _ secret: GivenSecret, _ file: LockedVault, to keys: DeviceKeys, of store: DeviceStore
  ) throws -> Bool {
    let vault: Vault
    do throws(VaultError) {
      vault = try Vault.open(
        file, kind: secret.kind, secret: secret.secret, device: keys.id,
        anchors: ReadOnlyAnchors(DeviceAnchors(store, keys)), settings: settings)
    } catch {
      // With slots that are damaged nobody can tell whether the secret is wrong.
      guard [.rolledBack, .forked, .damaged].contains(error.code), error.part != .keySlot else {
        throw error
      }
      return false
    }
    return try !vault.isBackup && vault.knows(device: keys.id)
  }

  /// Puts a device store aside whose place another one takes. The spare of the slots comes along, and is there at every moment: without
  /// it, nobody would know which ways in were removed.
  private func putAside(_ store: DeviceStore) throws -> String {
    let next = DeviceStore(
      base: location.devices, vaultID: store.vaultID, suffix: ".begun")
    if next.directory.exists { _ = try setAside(next) }
    try next.directory.make()
    if let spare = try store.spareKeyring(), !spare.isEmpty { try next.keepKeyring(spare) }
    try store.directory.exchange(with: next.directory)
    return try setAside(next, of: store)
  }

  /// Renames a device store that cannot be read, and so keeps it for inspection.
  func setAside(_ store: DeviceStore, of original: DeviceStore? = nil) throws -> String {
    for number in 1...1000 {
      let path = (original ?? store).directory.path + ".damaged-\(number)"
      if DeviceDirectory(path).exists { continue }
      try store.directory.rename(to: path)
      return path
    }
    throw AuthenticationError(.system, store.directory.path, .cannotBeMovedAside)
  }
}

/// Asks an anchor and never moves it.
final class ReadOnlyAnchors: AnchorStore {
  private let anchors: any AnchorStore
  var stamp: [UInt64]? { anchors.stamp }
  init(_ anchors: any AnchorStore) { self.anchors = anchors }
  func load() throws(VaultError) -> Anchor? { try anchors.load() }
  func chip() throws(VaultError) -> ChipReading { try anchors.chip() }
  func save(_: Anchor) throws(VaultError) {}
  func lock() throws(VaultError) -> AnyObject { try anchors.lock() }
}

/// Used as long as a device has no anchor.
final class NoAnchors: AnchorStore {
  func load() throws(VaultError) -> Anchor? { nil }
  func save(_: Anchor) throws(VaultError) {}
  func lock() throws(VaultError) -> AnyObject { self }
}

extension VaultError {
  /// Whether the chip that holds the device key keeps no counter, or does not tell it.
  fileprivate var isOfChip: Bool {
    switch reason {
    case .chip, .chipHasNoCounter: true
    default: false
    }
  }
}
