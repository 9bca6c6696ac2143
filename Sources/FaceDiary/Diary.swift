public import Authentication
package import DiaryVault
public import FaceMatching
internal import Platform
public import Sealing

/// A diary: one vault file, this device's store of it, and the verifier that guards it.
///
/// The façade a program imports, and the ``SecurityService`` behind an ``AuthenticationModel``:
///
/// ```swift
/// let diary = Diary(at: location, verifier: MyVerifier())
/// let model = AuthenticationModel(service: diary)
/// await model.checkInitialState()
/// try await model.authenticate(probe)
/// if model.state == .authenticated { try diary.add(draft) }
/// ```
@MainActor
public final class Diary: SecurityService {
  public nonisolated let location: DiaryLocation
  private let verifier: any BiometricVerifier
  private let makeKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)?
  package nonisolated let settings: VaultSettings
  package nonisolated let clock: any AccessClock
  private var opened: Vault?
  /// What lets a face open the diary again, in warm mode.
  private var warm: WarmKey?
  private var lastWarmCheck: Int64 = 0
  /// Things the owner should be told, gathered while opening.
  public private(set) var notices: [Notice] = []

  public enum Notice: Sendable, Equatable {
    /// The device key could not be read; a new one was made, and the old store put aside at this path.
    /// Faces must be enrolled again, and an older copy of the vault could not have been noticed.
    case deviceStoreReplaced(path: String)
    /// This device opened the vault for the first time.
    case newDevice
    /// It had opened it before, and its store is gone: faces must be enrolled again.
    case deviceStoreGone
    /// One of the vault's two copies of its key slots is broken.
    case keyringDamaged([String])
    /// This is a backup, made at this time (seconds since 1970): it can only be read.
    case backup(Int64)
    /// What was asked for is done; the device store could not follow yet, and why.
    case deviceStoreBehind(String)
  }

  /// - Parameters:
  ///   - verifier: judges faces; the default compares cosine similarities.
  ///   - deviceKeyStore: makes what keeps the device key, given the device store's directory; the
  ///     default is a file there, or the program it was moved to.
  ///   - clock: what freshness and waits are measured with.
  ///   - randomness: for nonces, salts and ids; keys always come from the system's generator.
  public convenience init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), randomness: Randomness = .system
  ) {
    self.init(
      at: location, verifier: verifier, deviceKeyStore: deviceKeyStore, clock: clock,
      settings: VaultSettings(randomness: randomness))
  }

  package init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    clock: any AccessClock = SystemAccessClock(), settings: VaultSettings
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

  public var isOpen: Bool { opened != nil }

  /// The notices since the last time.
  package func takeNotices() -> [Notice] {
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

  package nonisolated func store(
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

  // MARK: SecurityService

  public func loadFaceData() async throws -> FaceData? {
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

  public func verifyFace(_ probe: Probe) async throws -> FaceOutcome {
    try await besideRebinding { try await verifyFace(probe, passphrase: nil) }
  }

  /// Shows a face, and a passphrase with it: what a face+passphrase slot wants.
  ///
  /// The face is judged first; whichever of the two is wrong, the answer is the same.
  public func verifyFace(
    _ probe: Probe, passphrase: consuming SecretBytes
  ) async throws -> FaceOutcome {
    let box = SecretBytesBox(passphrase)
    return try await besideRebinding { try await verifyFace(probe, passphrase: box) }
  }

  /// Runs `body`, and once more when another process gave this device another key in the middle of it: what was read
  /// before and what was read after do not fit together then, and nothing is wrong.
  private func besideRebinding<Result>(_ body: () async throws -> Result) async throws -> Result {
    let start = clock.wall
    do {
      return try await body()
    } catch {
      if (error as? VaultError)?.code == .wrongSecret { throw error }
      guard let id = (try? file())?.keyring.vaultID else { throw error }
      // As long as it takes to come to its end.
      let lock = try? DeviceDirectory(location.devices).lock("setup.lock")
      let changed = DeviceStore(base: location.devices, vaultID: id).directory.changed
      _ = consume lock
      guard let changed, changed >= start else { throw error }
      return try await body()
    }
  }

  private func verifyFace(
    _ probe: Probe, passphrase: SecretBytesBox?
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
        _ = try? await Self.openWithBoth(
          passphrase, file, store: store, keys: keys, settings: settings)
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
          vault = try await Self.openWithBoth(
            passphrase, file, store: store, keys: keys, settings: settings)
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

  @concurrent
  private nonisolated static func openWithBoth(
    _ passphrase: SecretBytesBox, _ file: VaultFile, store: DeviceStore, keys: DeviceKeys,
    settings: VaultSettings
  ) async throws(VaultError) -> sending Vault {
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
  public func freshness() throws -> FreshnessNeed? {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return .never }
    return try access(store, keys).need()
  }

  /// Seconds until a passphrase may be tried; 0 for now.
  public func passphraseWait() throws -> Int64 {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys() else { return 0 }
    return try access(store, keys).waiting()
  }

  /// The policy: of the open vault, else as this device last saw it.
  public func policy() throws -> AccessPolicy {
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

  public func open(_ factor: SecretFactor, _ secret: consuming SecretBytes) async throws {
    try await open(factor, secret, acceptRollback: false)
  }

  /// Opens by passphrase or recovery code.
  ///
  /// - Parameter resetDevice: when whoever keeps the device key does not give it, goes on with a new device
  ///   store: faces must be enrolled again.
  /// - Parameter acceptRollback: goes on from an older copy that was put back on purpose, or without an
  ///   anchor that can be read.
  public func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, acceptRollback: Bool,
    resetDevice: Bool = false
  ) async throws {
    let prepared = PreparedSecret(factor: factor, secret: secret)
    try await besideRebinding {
      try await open(prepared, acceptRollback: acceptRollback, resetDevice: resetDevice)
    }
  }

  private func open(
    _ prepared: PreparedSecret, acceptRollback: Bool, resetDevice: Bool
  ) async throws {
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
    if try await finishRebinding(prepared, file, trial, store, keys) {
      store = try self.store(vaultID)
      keys = try readableKeys(store, forgiving: resetDevice)
    }
    var isNew = false
    var setup: FileLock?
    if keys == nil {
      // Nothing is made or moved before the secret has proved right, and by one process at a time.
      do {
        try await Self.prove(prepared, file, settings)
      } catch let error as VaultError {
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
      vault = try await Self.openVault(
        prepared, file, device: keys.id, store: store, keys: keys, isNew: isNew,
        settings: settings, acceptRollback: acceptRollback)
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
    opened = vault
  }

  /// A secret on its way to a slot; may be tried twice.
  final class PreparedSecret: Sendable {
    let factor: SecretFactor
    let secret: SecretBytes

    init(factor: SecretFactor, secret: consuming SecretBytes) {
      self.factor = factor
      self.secret = secret
    }

    var kind: SlotKind { factor == .passphrase ? .passphrase : .recovery }
  }

  /// Argon2id takes half a second; a view must go on drawing meanwhile.
  @concurrent
  private nonisolated static func openVault(
    _ secret: PreparedSecret, _ file: VaultFile, device: [UInt8], store: DeviceStore,
    keys: DeviceKeys, isNew: Bool, settings: VaultSettings, acceptRollback: Bool
  ) async throws(VaultError) -> sending Vault {
    try Vault.open(
      file, kind: secret.kind, secret: secret.secret, device: device,
      anchors: DeviceAnchors(store, keys, isNew: isNew), settings: settings,
      acceptRollback: acceptRollback)
  }

  /// Opens and lets go again: is this secret right?
  @concurrent
  private nonisolated static func prove(
    _ secret: PreparedSecret, _ file: VaultFile, _ settings: VaultSettings
  ) async throws {
    _ = try Vault.open(
      file, kind: secret.kind, secret: secret.secret, device: [UInt8](repeating: 0, count: 16),
      anchors: NoAnchors(), settings: settings)
  }

  /// Whether a vault that is no backup, and no older copy by these anchors, knows one device and not the other.
  @concurrent
  nonisolated static func belongs(
    _ secret: PreparedSecret, _ file: VaultFile, _ settings: VaultSettings, to keys: DeviceKeys,
    of store: DeviceStore, not other: DeviceKeys?
  ) async throws -> Bool {
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

  public func close() async { opened = nil }
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
