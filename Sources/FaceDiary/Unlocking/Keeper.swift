internal import Authentication
package import DiaryVault
package import FaceMatching
internal import Platform
package import Sealing

/// What was done by whoever gave the passphrase or recovery code just now, and by nobody else.
///
/// Only ``Keeper`` makes one. Whatever makes access permanent takes it as an argument, so that it cannot be called for
/// a diary that a face opened.
package final class OwnerRights: Sendable { fileprivate init() {} }

/// The one object that holds keys: an open vault, what a warm face needs to open it again, and what this device
/// remembers of it.
///
/// It parses nothing but the vault and the device store. In the command it lives in a process of its own; an app's
/// ``Diary`` holds one. It is not `Sendable`: whoever made it is its only user.
package final class Keeper {
  package let location: DiaryLocation
  private let verifier: any BiometricVerifier
  private let makeKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)?
  package let settings: VaultSettings
  package let clock: any AccessClock
  private var opened: Vault?
  private var rights: OwnerRights?
  /// What lets a face open the diary again, in warm mode.
  private var warm: WarmKey?
  private var lastWarmCheck: Int64 = 0
  /// What the owner should be told, gathered while opening.
  private(set) var notices: [Diary.Notice] = []

  package init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), settings: VaultSettings = VaultSettings()
  ) {
    self.location = location
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
    opened = nil
    rights = nil
  }

  /// Runs a request on the open vault.
  package func run<R: Request>(
    _ request: R, items: () throws -> ImportItem? = { nil },
    entry: (Entry) throws -> Void = { _ in },
    piece: ([UInt8]) throws -> Void = { _ in }
  ) throws -> R.Answer {
    try request.begin(on: try vault()).finish(items: items, entry: entry, piece: piece)
  }

  // MARK: Owner's rights

  /// The rights of a diary that a passphrase or recovery code opened; once, and nil when a face did.
  package func claimOwner() -> OwnerRights? {
    guard isOpen, rights == nil, isOpenedBySecret else { return nil }
    isOpenedBySecret = false
    rights = OwnerRights()
    return rights
  }

  private var isOpenedBySecret = false

  /// The same for an open diary, after the secret was tried again.
  package func proveOwner(
    _ factor: SecretFactor, _ secret: consuming SecretBytes
  ) throws -> OwnerRights {
    let vault = try vault()
    let file = try file()
    let prepared = GivenSecret(factor: factor, secret: secret)
    let store = try store(vault.keyring.vaultID)
    let trial = try beginTrial(factor, file, store, try store.keys())
    do throws(VaultError) {
      try prove(prepared, file)
    } catch {
      try trial.end(after: error)
      throw error
    }
    try trial.end(.right)
    let proved = OwnerRights()
    rights = proved
    return proved
  }

  /// - Throws: ``AuthenticationError`` `notOwner` when the diary was closed since.
  func require(_ rights: OwnerRights) throws(AuthenticationError) {
    guard isOpen, self.rights === rights else {
      throw AuthenticationError(.notOwner, location.vault)
    }
  }

  // MARK: Notices

  /// The notices since the last time.
  package func takeNotices() -> [Diary.Notice] {
    defer { notices = [] }
    return notices
  }

  /// Runs what follows a commit: that is done, whatever happens here.
  func afterwards(_ body: () throws -> Void) {
    do {
      try body()
    } catch let error as AuthenticationError {
      notices.append(.deviceStoreBehind("\(error.subject): \(error.detail)"))
    } catch let error as VaultError {
      notices.append(.deviceStoreBehind("\(error.subject): \(error.detail)"))
    } catch {
      notices.append(.deviceStoreBehind("\(error)"))
    }
  }

  package func store(
    _ vaultID: [UInt8], suffix: String = ""
  ) throws(AuthenticationError) -> DeviceStore {
    let plain = DeviceStore(base: location.devices, vaultID: vaultID, suffix: suffix)
    func with(_ keyStore: any DeviceKeyStore) -> DeviceStore {
      DeviceStore(base: location.devices, vaultID: vaultID, suffix: suffix, keyStore: keyStore)
    }
    if let makeKeyStore { return with(makeKeyStore(plain.directory.path)) }
    if let helper = try HelperDeviceKeyStore(in: plain.directory, vaultID: vaultID) {
      return with(helper)
    }
    return plain
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
  func waits(_ file: VaultFile) -> VaultWaits {
    let row = AttemptRow(
      file.path, host: [UInt8](repeating: 0, count: 16), settings: settings)
    return VaultWaits(
      AttemptLedger.Row(read: { try row.read() }, write: { try row.write($0) }), clock: clock)
  }

  /// A try at the passphrase, counted before anything is hashed.
  struct Trial {
    let device: PassphraseTry?
    let vault: VaultWaits?

    func end(_ outcome: AccessRecord.PassphraseOutcome) throws {
      vault?.end(outcome)
      try device?.end(outcome)
    }

    /// A slot that was damaged on purpose must not make guessing free.
    func end(after error: VaultError) throws {
      let isGuess =
        error.code == .wrongSecret || (error.code == .damaged && error.subject == "key slot")
      try end(isGuess ? .wrong : .unknown)
    }
  }

  /// - Throws: ``AuthenticationError`` `waiting`.
  func beginTrial(
    _ factor: SecretFactor, _ file: VaultFile, _ store: DeviceStore?, _ keys: DeviceKeys?
  ) throws -> Trial {
    guard factor == .passphrase else { return Trial(device: nil, vault: nil) }
    let waits = waits(file)
    let left = waits.waiting()
    guard left == 0 else {
      throw AuthenticationError(.waiting, "passphrase", retryAfter: left)
    }
    guard let store, let keys else { return Trial(device: nil, vault: waits) }
    return Trial(device: try access(store, keys).beginPassphrase(), vault: waits)
  }

  private func attemptRow(_ vaultID: [UInt8], vault path: String? = nil) -> AttemptRow {
    AttemptRow(
      path ?? location.vault, host: location.host(vaultID: vaultID), settings: settings)
  }

  /// The vault file with its slots, or the device's spare of them.
  package func file() throws -> VaultFile {
    do throws(VaultError) {
      let file = try VaultFile(location.vault, settings: settings)
      guard !file.keyring.isWhole, let spare = anySpareKeyring(of: file.keyring.vaultID) else {
        return file
      }
      return try VaultFile(location.vault, settings: settings, spare: spare)
    } catch {
      guard error.code == .damaged, let spare = anySpareKeyring() else { throw error }
      return try VaultFile(location.vault, settings: settings, spare: spare)
    }
  }

  /// With both keyrings of the vault gone its id is unknown; a device with a single store still helps.
  private func anySpareKeyring(of vaultID: [UInt8]? = nil) -> [UInt8]? {
    if let vaultID {
      return try? DeviceStore(base: location.devices, vaultID: vaultID).spareKeyring()
    }
    let spares = DeviceDirectory(location.devices).names().compactMap { name -> [UInt8]? in
      guard let id = Base32.decode(name), id.count == 16 else { return nil }
      return try? DeviceStore(base: location.devices, vaultID: id).spareKeyring()
    }
    return spares.count == 1 ? spares[0] : nil
  }

  // MARK: Faces

  package func loadFaceData() throws -> FaceData? {
    let file: VaultFile
    do throws(VaultError) {
      file = try VaultFile(location.vault, settings: settings)
    } catch {
      if error.code == .noVault { return nil }
      throw error
    }
    return try faceData(file.keyring.vaultID)
  }

  private func faceData(_ vaultID: [UInt8]) throws -> FaceData? {
    let store = try store(vaultID)
    guard let keys = try store.keys() else {
      if try attemptRow(vaultID).read() != nil {
        throw AuthenticationError(.storeGone, store.directory.path)
      }
      return nil
    }
    guard let (set, _) = try store.loadTemplates(keys) else {
      let file = try VaultFile(location.vault, settings: settings)
      if file.keyring.slots.contains(where: { $0.device == keys.id }) {
        throw AuthenticationError(.storeDamaged, store.directory.path, "the templates are gone")
      }
      return nil
    }
    guard !set.templates.isEmpty else { return nil }
    return FaceData(
      count: set.templates.count, model: set.model,
      attemptsLeft: try ledger(store, keys).left())
  }

  /// Shows a face, and a passphrase with it where a face+passphrase slot wants one.
  ///
  /// The face is judged first; whichever of the two is wrong, the answer is the same. It is judged once more when
  /// another process gave this device another key in the middle of it: what was read before and what was read after
  /// do not fit together then, and nothing is wrong.
  package nonisolated(nonsending) func verifyFace(
    _ probe: Probe, passphrase: consuming SecretBytes? = nil
  ) async throws -> FaceOutcome {
    let box: SecretBytesBox?
    switch consume passphrase {
    case .some(let passphrase): box = SecretBytesBox(passphrase)
    case .none: box = nil
    }
    let start = clock.wall
    do {
      return try await judgeAndOpen(probe, box)
    } catch {
      guard wasRebound(since: start, error) else { throw error }
      return try await judgeAndOpen(probe, box)
    }
  }

  /// Whether this device got another key since `start`.
  private func wasRebound(since start: Int64, _ error: any Error) -> Bool {
    if (error as? VaultError)?.code == .wrongSecret { return false }
    guard let id = (try? file())?.keyring.vaultID else { return false }
    // As long as it takes to come to its end.
    let lock = try? DeviceDirectory(location.devices).lock("setup.lock")
    let changed = DeviceStore(base: location.devices, vaultID: id).directory.changed
    _ = consume lock
    return changed.map { $0 >= start } ?? false
  }

  private nonisolated(nonsending) func judgeAndOpen(
    _ probe: Probe, _ passphrase: SecretBytesBox?
  ) async throws -> FaceOutcome {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys(), let (set, digest) = try store.loadTemplates(keys) else {
      throw AuthenticationError(.noFace, location.vault)
    }
    let ledger = ledger(store, keys)
    let access = access(store, keys)
    guard try ledger.left() > 0 else {
      warm = nil
      throw AuthenticationError(.lockedOut, "face")
    }
    let way = try wayIn(file, keys)
    if case .withPassphrase = way {
      guard passphrase != nil else {
        throw AuthenticationError(.needsSecret, "face", "face+passphrase")
      }
      // Before the face is looked at: what follows must not tell which of the two was right.
      let left = max(try access.waiting(), waits(file).waiting())
      guard left == 0 else {
        throw AuthenticationError(.waiting, "passphrase", retryAfter: left)
      }
    } else if let need = try access.need() {
      warm = nil
      throw AuthenticationError(.needsSecret, "face", need.rawValue)
    }
    let gate = FaceGate(templates: set, ledger: ledger, verifier: verifier)
    switch try await gate.judge(probe) {
    case .refused(let left):
      if left == 0 { warm = nil }
      if case .withPassphrase = way, let passphrase {
        // The same work as for a face that was accepted.
        _ = try? openWithBoth(passphrase, file, store: store, keys: keys)
      }
      return .refused(attemptsLeft: left)
    case .accepted(var similarity):
      let vault: Vault
      switch way {
      case .plain:
        vault = try Vault.open(
          file, kind: .face, secret: keys.key, device: keys.id,
          anchors: DeviceAnchors(store, keys), settings: settings)
      case .warm(let warm):
        vault = try Vault.open(
          file, vaultKey: try warm.open(with: keys.key, keyID: file.keyring.keyID),
          device: keys.id, anchors: DeviceAnchors(store, keys), settings: settings)
      case .withPassphrase:
        guard let passphrase else { throw AuthenticationError(.needsSecret, "face") }
        let trial = try beginTrial(.passphrase, file, store, keys)
        do throws(VaultError) {
          vault = try openWithBoth(passphrase, file, store: store, keys: keys)
        } catch {
          try trial.end(after: error)
          guard error.code == .wrongSecret else { throw error }
          return .refused(attemptsLeft: try ledger.left())
        }
        try trial.end(.right)
      }
      let known = try vault.templatesDigest()
      if let known, !Digest.areEqual(known, digest) {
        // A kill in the middle of an enrolment: the staged ones are those the vault agreed to.
        let lock = try store.lockTemplates()
        try withExtendedLifetime(lock) { try store.recoverTemplates(knownDigest: known) }
        guard let (now, digest) = try store.loadTemplates(keys), Digest.areEqual(known, digest)
        else {
          // A restored old template file, or a removed face: not what the vault last agreed to.
          throw VaultError(.tampered, "enrolled faces", "not those the vault knows")
        }
        let verdict = try await verifier.verify(probe, against: now)
        guard verdict.isAccepted else { return .refused(attemptsLeft: try ledger.left()) }
        similarity = verdict.similarity
      } else if known == nil {
        throw VaultError(.tampered, "enrolled faces", "the vault knows of none")
      }
      var bySecret = false
      if case .withPassphrase = way { bySecret = true }
      // The face was right, and what follows costs it no attempt.
      try ledger.reset()
      // The policy that counts is the vault's; the device's copy may have been put back.
      if !bySecret, let need = try access.need(under: try vault.policy()) {
        throw AuthenticationError(.needsSecret, "face", need.rawValue)
      }
      try access.opened(bySecret: bySecret, policy: try vault.policy())
      adopt(vault, file)
      return .accepted(
        similarity: similarity, threshold: set.decision(frames: probe.frames.count).threshold)
    }
  }

  /// How this device's face opens the vault.
  private enum WayIn {
    case plain
    case withPassphrase
    case warm(WarmKey)
  }

  private func wayIn(_ file: VaultFile, _ keys: DeviceKeys) throws -> WayIn {
    let own = file.keyring.slots.filter { $0.device == keys.id }.map(\.kind)
    if own.contains(.face) { return .plain }
    if own.contains(.facePassphrase) { return .withPassphrase }
    if let warm, warm.keyID == file.keyring.keyID { return .warm(warm) }
    let isAlone = try !access(try store(file.keyring.vaultID), keys).policy().isWithPassphrase
    throw AuthenticationError(.needsSecret, "face", isAlone ? "warm" : "no slot")
  }

  private func openWithBoth(
    _ passphrase: SecretBytesBox, _ file: VaultFile, store: DeviceStore, keys: DeviceKeys
  ) throws(VaultError) -> Vault {
    let joined: SecretBytes
    do throws(SealingError) { joined = try keys.key.followed(by: passphrase.secret) } catch {
      throw VaultError(.memory, "locked memory")
    }
    return try Vault.open(
      file, kind: .facePassphrase, secret: joined, device: keys.id,
      anchors: DeviceAnchors(store, keys), settings: settings)
  }

  // MARK: Warm

  /// Whether a face can open the closed diary again without a slot on the disk.
  package var isWarm: Bool { warm != nil }

  /// After a passphrase opened the diary under the warm policy: keeps what a face needs to open it again.
  package func keepWarm() throws {
    guard let opened, try policy().isWarm else { return }
    let store = try store(opened.keyring.vaultID)
    guard let keys = try store.keys() else { return }
    warm = try WarmKey(
      try opened.copyOfKey(), deviceKey: keys.key, vaultID: opened.keyring.vaultID,
      keyID: opened.keyring.keyID)
  }

  /// Wipes it.
  package func forgetWarm() { warm = nil }

  /// Wipes it when a passphrase is due anyway.
  package func checkWarm() {
    // Asking costs reading the device key, which a helper may have to be run for.
    let now = clock.uptime
    guard warm != nil, now - lastWarmCheck >= 60 || now < lastWarmCheck else { return }
    lastWarmCheck = now
    if (try? freshness()) != .some(nil) { warm = nil }
  }

  // MARK: What is needed

  /// Whether this device's face opens the diary only together with a passphrase.
  package func faceNeedsPassphrase() throws -> Bool {
    let file = try file()
    guard let keys = try store(file.keyring.vaultID).keys() else { return false }
    let kinds = file.keyring.slots.filter { $0.device == keys.id }.map(\.kind)
    return kinds.contains(.facePassphrase) && !kinds.contains(.face)
  }

  /// Why a face is not enough now; nil when it is, or when none is enrolled.
  package func freshness() throws -> FreshnessNeed? {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return .never }
    return try access(store, keys).need()
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
        throw VaultError(.damaged, "policy", "not one")
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
    let prepared = GivenSecret(factor: factor, secret: secret)
    let start = clock.wall
    do {
      try open(prepared, options)
    } catch {
      guard wasRebound(since: start, error) else { throw error }
      try open(prepared, options)
    }
    isOpenedBySecret = true
  }

  private func open(_ prepared: GivenSecret, _ options: OpeningOptions) throws {
    let resetDevice = options.contains(.resetsDevice)
    let factor = prepared.factor
    let file = try file()
    let vaultID = file.keyring.vaultID
    var store = try store(vaultID)
    var keys = try readableKeys(store, forgiving: resetDevice)
    if resetDevice, keys != nil {
      throw VaultError(.conflict, "device key", "is at hand; there is nothing to reset")
    }
    // Asked before the try below leaves its own record.
    var isUnfinished = false
    if let known = keys {
      isUnfinished = try !access(store, known).wasOpened() && !store.hasAnchor()
    }
    let trial = try beginTrial(factor, file, store, keys)
    if try finishRebinding(prepared, file, trial, store, keys) {
      store = try self.store(vaultID)
      keys = try readableKeys(store, forgiving: resetDevice)
    }
    var isNew = false
    var setup: FileLock?
    if keys == nil {
      // Nothing is made or moved before the secret has proved right, and by one process at a time.
      do throws(VaultError) {
        try prove(prepared, file)
      } catch {
        try trial.end(after: error)
        throw error
      }
      let base = DeviceDirectory(location.devices)
      try base.make()
      setup = try base.lock("setup.lock")
      keys = try readableKeys(store, forgiving: resetDevice)
    }
    if keys == nil {
      // Whatever is in the store was sealed by the key that is gone.
      if store.directory.names().isEmpty {
        let known = try attemptRow(vaultID).read() != nil
        notices.append(known ? .deviceStoreGone : .newDevice)
      } else {
        notices.append(.deviceStoreReplaced(path: try setAside(store)))
        store = try self.store(vaultID)
      }
      keys = try store.makeKeys()
      isNew = true
    }
    guard let keys else { throw AuthenticationError(.storeGone, store.directory.path) }
    let access = access(store, keys)
    // Killed before its first anchor was kept, it is as new as it was.
    if !isNew, isUnfinished {
      isNew = true
      notices.append(.deviceStoreGone)
    }
    let vault: Vault
    do throws(VaultError) {
      vault = try Vault.open(
        file, kind: prepared.kind, secret: prepared.secret, device: keys.id,
        anchors: DeviceAnchors(store, keys, isNew: isNew), settings: settings,
        acceptRollback: options.contains(.acceptsOlderCopy))
    } catch {
      try trial.end(after: error)
      throw error
    }
    try trial.end(.right)
    _ = consume setup
    if vault.isBackup {
      // It is only read: neither its attempts nor this device's anchor are touched.
      notices.append(.backup(vault.backupTime ?? 0))
      return adopt(vault, file)
    }
    let lock = try store.lockTemplates()
    try withExtendedLifetime(lock) {
      try store.recoverTemplates(knownDigest: try vault.templatesDigest())
    }
    do {
      try ledger(store, keys).reset()
    } catch let error as VaultError where [.readOnly, .permission].contains(error.code) {
      // A vault on a read-only disk can be read; its face stays as locked or open as it was.
    }
    try store.keepKeyring(vault.keyring.encoded())
    try access.opened(bySecret: true, policy: try vault.policy())
    adopt(vault, file)
  }

  /// The device's keys, nil when there are none that can be read.
  private func readableKeys(
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

  private func adopt(_ vault: Vault, _ file: VaultFile) {
    if !file.keyringProblems.isEmpty { notices.append(.keyringDamaged(file.keyringProblems)) }
    isOpenedBySecret = false
    rights = nil
    opened = vault
  }

  /// Opens and lets go again: is this secret right?
  private func prove(_ secret: GivenSecret, _ file: VaultFile) throws(VaultError) {
    _ = try Vault.open(
      file, kind: secret.kind, secret: secret.secret, device: [UInt8](repeating: 0, count: 16),
      anchors: NoAnchors(), settings: settings)
  }

  /// Whether a vault that is no backup, and no older copy by these anchors, knows one device and not the other.
  func belongs(
    _ secret: GivenSecret, _ file: VaultFile, to keys: DeviceKeys, of store: DeviceStore,
    not other: DeviceKeys?
  ) throws -> Bool {
    let vault: Vault
    do throws(VaultError) {
      vault = try Vault.open(
        file, kind: secret.kind, secret: secret.secret, device: keys.id,
        anchors: ReadOnlyAnchors(DeviceAnchors(store, keys)), settings: settings)
    } catch {
      guard [.rolledBack, .forked, .damaged].contains(error.code) else { throw error }
      return false
    }
    if let other, try vault.knows(device: other.id) { return false }
    return try !vault.isBackup && vault.knows(device: keys.id)
  }

  /// Puts a device store that cannot be read out of the way, keeping it for whoever wants to look.
  private func setAside(_ store: DeviceStore) throws -> String {
    for number in 1...1000 {
      let path = store.directory.path + ".damaged-\(number)"
      if DeviceDirectory(path).exists { continue }
      try store.directory.rename(to: path)
      return path
    }
    throw AuthenticationError(.system, store.directory.path, "cannot be moved aside")
  }

}

/// Asks an anchor and never moves it.
final class ReadOnlyAnchors: AnchorStore {
  private let anchors: any AnchorStore
  init(_ anchors: any AnchorStore) { self.anchors = anchors }
  func load() throws(VaultError) -> Anchor? { try anchors.load() }
  func save(_: Anchor) throws(VaultError) {}
  func lock() throws(VaultError) -> AnyObject { try anchors.lock() }
}

/// For the moment before a device has an anchor.
final class NoAnchors: AnchorStore {
  func load() throws(VaultError) -> Anchor? { nil }
  func save(_: Anchor) throws(VaultError) {}
  func lock() throws(VaultError) -> AnyObject { self }
}
