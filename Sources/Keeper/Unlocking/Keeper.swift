package import Access
package import Authentication
internal import Bytes
package import DiaryVault
internal import Entries
internal import Platform
internal import SealedFiles
package import Sealing

/// Proof that the passphrase or recovery code was given just now.
///
/// Only ``Keeper`` makes one. Whatever makes access permanent takes it as an argument, so that it cannot be called for
/// a diary that a face opened.
package final class OwnerRights: Sendable { fileprivate init() {} }

/// The one object that holds keys: an open vault, what a warm face needs to open it again, and what this device
/// remembers of it.
///
/// It parses nothing but the vault and the device store. In the command it lives in a process of its own; an app's
/// ``Diary`` holds one. It is not `Sendable`: the code that made it is its only user.
package final class Keeper {
  package let location: DiaryLocation
  let verifier: any BiometricVerifier
  private let makeKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)?
  package let settings: VaultSettings
  package let clock: any AccessClock
  var opened: Vault? {
    didSet { opened?.filesOfKeptTexts = { [location] in location.filesOfKeptTexts(of: $0) } }
  }
  /// The device keys that helper programs gave, held until the diary is closed.
  let held = HeldDeviceKeys()
  /// What the stores of this device said of the vault's state, by their vaults' ids: a helper that hangs is asked once.
  var remembered: [[UInt8]: Bool?] = [:]
  /// The id of the vault's diary, where only the secret given last has shown it.
  var settledName: [UInt8]?
  /// The vault's file, while it is held open.
  var glance: VaultGlance?
  /// The way to the chip that keeps the device key, where one does.
  let chip: ChipLine
  private var rights: OwnerRights?
  /// A part in the lock on the vault's folder, by which `lock` learns that the diary is open where it sees no process.
  private var presence: FileLock?
  /// How often it was closed: what was begun before a closing opens nothing after it.
  private(set) var closings = 0
  /// What lets a face open the diary again, in warm mode.
  var warm: WarmKey?
  var lastWarmCheck: Int64 = 0
  /// What the owner should be told, gathered while opening.
  var notices: [DiaryNotice] = []
  /// The device store's record that still has something for the owner.
  private var untold: (access: AccessRecord, signs: UntoldSigns)?

  package init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), settings: VaultSettings = VaultSettings()
  ) {
    self.location = location
    chip = ChipLine(path: location.chip)
    self.clock = clock
    self.verifier = verifier
    makeKeyStore = deviceKeyStore
    self.settings = settings
  }

  /// The open vault.
  ///
  /// - Throws: ``AuthenticationError`` `locked` while the diary is closed.
  package func vault() throws(AuthenticationError) -> Vault {
    guard let opened else { throw AuthenticationError(.locked, location.vault) }
    return opened
  }

  package var isOpen: Bool { opened != nil }

  package func close() {
    closings += 1
    held.forget()
    remembered = [:]
    opened = nil
    presence = nil
    rights = nil
    untold = nil
  }

  // MARK: Owner's rights

  /// Seconds after an opening in which the owner's rights can be claimed: the person who gave the secret is
  /// still there.
  package static let secondsToClaim: Int64 = 60

  /// The rights of a diary that a passphrase or recovery code opened. Works once; nil when a face opened it,
  /// and when it was opened more than ``secondsToClaim`` ago.
  package func claimOwner() -> OwnerRights? {
    guard isOpen, rights == nil, let openedBySecret else { return nil }
    self.openedBySecret = nil
    guard let passed = openedBySecret.possiblyPassed(AccessTime(clock)),
      passed <= Self.secondsToClaim
    else { return nil }
    rights = OwnerRights()
    return rights
  }

  /// When a secret opened the diary; nil after a face did, and after a claim.
  private var openedBySecret: AccessTime?

  /// The same for an open diary, after the secret was tried again.
  package func proveOwner(
    _ factor: SecretFactor, _ secret: consuming SecretBytes
  ) throws -> OwnerRights {
    let vault = try vault()
    let file = try file()
    let prepared = try GivenSecret(factor, typed: secret)
    // What lies at the path now may be another file than the one that is open.
    guard file.keyring.vaultID == vault.keyring.vaultID else {
      throw VaultError(.tampered, location.vault, .notTheOpenDiary)
    }
    let store = try store(vault.keyring.vaultID)
    let keys = try store.keys()
    let trial = try beginTrial(factor, on: file, store, keys)
    // What is changed from now on is changed for whoever gave this secret.
    vault.openedBy = try trial.count {
      try prove(prepared, file, for: vault, anchors: keys.map { DeviceAnchors(store, $0) })
    }
    let proved = OwnerRights()
    rights = proved
    return proved
  }

  /// - Throws: ``AuthenticationError`` `notOwner` when the diary was closed since; ``VaultError`` `wrongSecret` when what opened it was
  ///   replaced meanwhile: somebody may have waited long at a prompt.
  package func require(_ rights: OwnerRights) throws {
    guard isOpen, self.rights === rights else {
      throw AuthenticationError(.notOwner, location.vault)
    }
    let vault = try vault()
    guard !vault.isBackup, let own = vault.openedBy else { return }
    _ = try Snapshot(vault)
    guard vault.keyring.slots.contains(where: { $0.id == own }) || vault.missingSlots > 0 else {
      throw VaultError(.wrongSecret, location.vault, .isNoLongerValid)
    }
  }

  // MARK: Notices

  /// Tells that the diary had to leave its space.
  func tell(_ former: FormerDevice?) {
    guard let former else { return }
    notices.append(.leftSpace(device: former.name, id: former.id))
  }

  /// Adds what the device store keeps for the owner.
  func noteUntold(_ access: AccessRecord) throws {
    let (signs, aside) = try access.untold()
    guard !signs.isEmpty else { return }
    untold = (access, signs)
    var found: [DiaryNotice] = []
    if signs.contains(.storeReplaced) { found.append(.deviceStoreReplaced(path: aside)) }
    if signs.contains(.storeGone) { found.append(.deviceStoreGone) }
    if signs.contains(.memoryGone) { found.append(.deviceMemoryGone) }
    if signs.contains(.newDevice) { found.append(.newDevice) }
    if signs.contains(.acceptedElsewhere) { found.append(.olderCopyAcceptedElsewhere) }
    if signs.contains(.keyReplaced) { found.append(.keyReplacedElsewhere) }
    notices += found.filter { !notices.contains($0) }
  }

  /// The notices that were taken have reached their owner.
  package func noticesWereTold() throws {
    guard let told = untold else { return }
    untold = nil
    try told.access.told(told.signs)
  }

  /// The notices since the last call.
  package func takeNotices() throws -> [DiaryNotice] {
    if opened?.takeHasFollowed() ?? false {
      let (_, store, keys) = try openParts()
      try noteUntold(access(store, keys))
    }
    defer { notices = [] }
    // An anchor that could not be saved does not undo the commit. It is reported.
    if let failure = opened?.takeUnsavedAnchor() {
      notices.append(.deviceStoreBehind(failure.subject, failure.reason))
    }
    if opened?.takeKeepsFormerState() ?? false { notices.append(.keepsFormerState) }
    return notices
  }

  /// Runs what follows a commit. The commit stays valid if this fails.
  func afterwards(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as AuthenticationError {
      notices.append(.deviceStoreBehind(error.subject, error.reason))
    } catch let error as VaultError {
      notices.append(.deviceStoreBehind(error.subject, error.reason))
    } catch {
      notices.append(.deviceStoreBehind("", .said("\(error)")))
    }
  }

  /// - Parameter place: where its key is about to be kept; nil for where it is.
  package func store(
    _ vaultID: [UInt8], suffix: String = "", place: DeviceKeyPlace? = nil
  ) throws(AuthenticationError) -> DeviceStore {
    // Who may write there can put another folder in the place of a store.
    if let base = try? FileStatus(location.devices, following: true), base.isWritableByOthers {
      throw AuthenticationError(PlatformError(.directoryNotPrivate, location.devices))
    }
    let plain = DeviceStore(base: location.devices, vaultID: vaultID, suffix: suffix)
    func with(
      _ keyStore: any DeviceKeyStore, counter: (any DeviceCounter)? = nil
    ) -> DeviceStore {
      DeviceStore(
        base: location.devices, vaultID: vaultID, suffix: suffix, keyStore: keyStore,
        counter: counter)
    }
    if let makeKeyStore { return with(makeKeyStore(plain.directory.path)) }
    let isInChip =
      try place == nil ? ChipDeviceKeyStore.isUsed(in: plain.directory) : place == .chip
    if isInChip {
      let chip = chipStore(in: plain.directory)
      return with(chip, counter: chip)
    }
    if let helper = try HelperDeviceKeyStore(in: plain.directory, vaultID: vaultID) {
      // A diary that is kept warm must not be opened by this memory alone.
      return with(warm == nil ? HeldDeviceKeyStore(base: helper, held: held) : helper)
    }
    return plain
  }

  /// Where a device store lies.
  func directory(of vaultID: [UInt8], suffix: String = "") -> DeviceDirectory {
    DeviceStore(base: location.devices, vaultID: vaultID, suffix: suffix).directory
  }

  func chipStore(in directory: DeviceDirectory) -> ChipDeviceKeyStore {
    ChipDeviceKeyStore(directory, chip, held, mayHold: warm == nil)
  }

  /// Whether a PIN has to be given before anything can be opened here.
  ///
  /// - Parameter vaultID: of a diary that is gone; nil for the one that is here.
  package func needsPIN(of vaultID: [UInt8]? = nil) throws -> Bool {
    // While only a secret can show which diary it is, no chip is given a PIN that may be another diary's.
    guard let id = try vaultID ?? settledID() else { return false }
    return try chipStore(in: directory(of: id)).needsPIN()
  }

  /// The same of a key that was being replaced when a kill came.
  package func needsUnfinishedPIN() throws -> Bool {
    try chipStore(
      in: directory(of: try file().keyring.vaultID, suffix: Self.nextSuffix)
    ).needsPIN()
  }

  /// Whether the device key is given only for a PIN.
  func hasPIN() throws -> Bool {
    try chipStore(in: directory(of: try file().keyring.vaultID)).hasPIN()
  }

  /// The PIN that the key in the chip asks for, held until the diary is closed.
  package func give(pin: SecretBytesBox) { held.pin = pin }

  /// The same, tried at once: a wrong one costs one of the chip's tries and no more.
  package func unlockChip(with pin: SecretBytesBox, of vaultID: [UInt8]? = nil) throws {
    held.pin = pin
    // With a PIN a store may say what it could not say before.
    remembered = remembered.filter { $0.value != nil }
    do {
      _ = try store(try vaultID ?? file().keyring.vaultID).keys()
    } catch {
      // One that could not be tried is tried, or said to be missing, where the key is needed.
      let reason = (error as? AuthenticationError)?.reason
      if reason == .chip(.wrongPIN) { held.pin = nil }
      throw error
    }
  }

  /// Has the chip count this session, where one counts: vault and device store put back together are noticed then.
  ///
  /// - Returns: false when it could not, which is said; the first change tries again.
  package func beginSession() -> Bool {
    var isCounted = false
    afterwards {
      try vault().beginSession()
      isCounted = true
    }
    return isCounted
  }

  func access(_ store: DeviceStore, _ keys: DeviceKeys) -> AccessRecord {
    AccessRecord(store, keys, clock: clock)
  }

  func ledger(_ store: DeviceStore, _ keys: DeviceKeys, vault path: String? = nil) -> AttemptLedger
  {
    let row = attemptRow(store.vaultID, vault: path)
    return AttemptLedger(
      store, keys,
      row: AttemptLedger.Row(read: { try row.read() }, write: { try row.write($0) }))
  }

  /// The row of the vault for tries at the passphrase from anywhere.
  func waits(_ file: LockedVault) -> VaultWaits {
    let row = AttemptRow(
      file.path, host: [UInt8](repeating: 0, count: 16), settings: settings)
    return VaultWaits(
      read: { try row.read() }, change: { try row.change($0) },
      vaultID: file.keyring.vaultID, clock: clock)
  }

  func attemptRow(_ vaultID: [UInt8], vault path: String? = nil) -> AttemptRow {
    AttemptRow(
      path ?? location.vault, host: location.host(vaultID: vaultID), settings: settings,
      through: path == nil ? glance : nil)
  }

  // MARK: Opening

  /// Whether another folder lies now where the one was that is open: whoever closes that diary does not mean this one.
  package var isFolderReplaced: Bool { presence?.isReplaced ?? false }

  /// Takes part in the lock on the vault's folder until the diary is closed, where there is a folder.
  ///
  /// - Throws: ``AuthenticationError`` `busy` while another program keeps the folder for itself: `lock` would not see us.
  package func takePresence() throws(AuthenticationError) {
    guard presence == nil else { return }
    let folder = FileSystem.realPath(location.vault) ?? location.vault
    do throws(PlatformError) {
      presence = try FileLock.directory(folder, sharedWithin: .seconds(1))
    } catch {
      guard error.reason != .busy else { throw AuthenticationError(.busy, folder) }
    }
  }

  /// The vault is open from now on. The person whose secret opened it may claim the owner's rights.
  ///
  /// - Throws: as ``takePresence()``.
  func adopt(
    _ vault: Vault, _ file: LockedVault, _ access: AccessRecord, bySecret: Bool = false
  ) throws {
    try takePresence()
    _ = vault.takeHasFollowed()
    try noteUntold(access)
    var problems = vault.keyringProblems(file)
    // Ways in may have changed between what was read of the file and of its state.
    for _ in 0..<3 where !problems.isEmpty {
      guard (try? Snapshot(vault)) != nil, let now = try? self.file() else { break }
      problems = vault.keyringProblems(now)
    }
    if vault.missingSlots > 0 { problems.append(.slotsMissing(vault.missingSlots)) }
    if !problems.isEmpty { notices.append(.keyringDamaged(problems)) }
    closeToOthers()
    openedBySecret = bySecret ? AccessTime(clock) : nil
    rights = nil
    opened = vault
  }

  /// Makes a vault private that others could read; reports when this is not possible.
  private func closeToOthers() {
    let path = VaultFolder(location.vault).file
    guard let status = try? FileStatus(path), status.isOurs, !status.isPrivate else {
      return noteFolder()
    }
    do throws(PlatformError) {
      for suffix in ["", "-wal", "-shm"]
      where (try? FileStatus(path + suffix))?.kind == .regular {
        try FileSystem.makePrivate(path + suffix)
      }
      notices.append(.wasReadable(path: path))
    } catch {
      notices.append(.isReadable(path: path))
    }
    noteFolder()
  }

  /// Reports when others may write the folder, because they can put another file in the vault's place.
  private func noteFolder() {
    for folder in [location.vault, FileSystem.parent(of: location.vault)] {
      if let status = try? FileStatus(folder, following: true), status.isWritableByOthers {
        notices.append(.isReplaceable(folder: folder))
      }
    }
  }
}
