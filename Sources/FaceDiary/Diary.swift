public import Authentication
package import DiaryVault
public import FaceMatching
public import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

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
  private var opened: Vault?
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
  }

  /// - Parameters:
  ///   - verifier: judges faces; the default compares cosine similarities.
  ///   - deviceKeyStore: makes what keeps the device key, given the device store's directory; the
  ///     default is a file there.
  ///   - randomness: for nonces, salts and ids; keys always come from the system's generator.
  public convenience init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    randomness: Randomness = .system
  ) {
    self.init(
      at: location, verifier: verifier, deviceKeyStore: deviceKeyStore,
      settings: VaultSettings(randomness: randomness))
  }

  package init(
    at location: DiaryLocation, verifier: any BiometricVerifier = CosineVerifier(),
    deviceKeyStore: (@Sendable (_ directory: String) -> any DeviceKeyStore)? = nil,
    settings: VaultSettings
  ) {
    self.location = location
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

  package nonisolated func store(_ vaultID: [UInt8]) -> DeviceStore {
    let plain = DeviceStore(base: location.devices, vaultID: vaultID)
    guard let makeKeyStore else { return plain }
    return DeviceStore(
      base: location.devices, vaultID: vaultID, keyStore: makeKeyStore(plain.directory.path))
  }

  func ledger(_ vaultID: [UInt8], _ keys: DeviceKeys, vault path: String? = nil) -> AttemptLedger {
    let path = path ?? location.vault
    let host = location.host(vaultID: vaultID)
    return AttemptLedger(
      store(vaultID), keys,
      row: AttemptLedger.Row(
        read: { [settings] in try VaultFile.attempts(path, host: host, settings: settings) },
        write: { [settings] in
          try VaultFile.setAttempts(path, host: host, $0, settings: settings)
        }))
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
    if let vaultID { return try? store(vaultID).spareKeyring() }
    let spares = PrivateDirectory(location.devices).names().compactMap { name -> [UInt8]? in
      guard let id = Base32.decode(name), id.count == 16 else { return nil }
      return try? store(id).spareKeyring()
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
    let store = store(vaultID)
    guard let keys = try store.keys() else {
      let host = location.host(vaultID: vaultID)
      let known = try VaultFile.attempts(location.vault, host: host, settings: settings) != nil
      if known { throw AuthenticationError(.storeGone, store.directory.path) }
      return nil
    }
    guard let (set, _) = try store.loadTemplates(keys) else {
      let file = try VaultFile(location.vault, settings: settings)
      if file.keyring.slots.contains(where: { $0.kind == .face && $0.salt == keys.id }) {
        throw AuthenticationError(.storeDamaged, store.directory.path, "the templates are gone")
      }
      return nil
    }
    guard !set.templates.isEmpty else { return nil }
    return FaceData(
      count: set.templates.count, model: set.model,
      attemptsLeft: try ledger(vaultID, keys).left())
  }

  public func verifyFace(_ probe: Probe) async throws -> FaceOutcome {
    let file = try file()
    let store = store(file.keyring.vaultID)
    guard let keys = try store.keys(), let (set, digest) = try store.loadTemplates(keys) else {
      throw AuthenticationError(.noFace, location.vault)
    }
    let ledger = ledger(file.keyring.vaultID, keys)
    let gate = FaceGate(templates: set, ledger: ledger, verifier: verifier)
    switch try await gate.judge(probe) {
    case .refused(let left): return .refused(attemptsLeft: left)
    case .accepted(var similarity):
      let vault = try Vault.open(
        file, kind: .face, secret: keys.key, device: keys.id,
        anchors: DeviceAnchors(store, keys), settings: settings)
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
      try ledger.reset()
      adopt(vault, file)
      return .accepted(
        similarity: similarity, threshold: set.decision(frames: probe.frames.count).threshold)
    }
  }

  public func open(_ factor: SecretFactor, _ secret: consuming SecretBytes) async throws {
    try await open(factor, secret, acceptRollback: false)
  }

  /// Opens by passphrase or recovery code.
  ///
  /// - Parameter acceptRollback: goes on from an older copy that was put back on purpose, or without an
  ///   anchor that can be read.
  public func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, acceptRollback: Bool
  ) async throws {
    let file = try file()
    let vaultID = file.keyring.vaultID
    let store = store(vaultID)
    let prepared = PreparedSecret(factor: factor, secret: secret)
    var keys = try readableKeys(store)
    var isNew = false
    var setup: FileLock?
    if keys == nil {
      // Nothing is made or moved before the secret has proved right, and by one process at a time.
      try await Self.prove(prepared, file, settings)
      let base = PrivateDirectory(location.devices)
      try base.make()
      setup = try base.lock("setup.lock")
      keys = try readableKeys(store)
    }
    if keys == nil {
      // Whatever is in the store was sealed by the key that is gone.
      if store.directory.names().isEmpty {
        let host = location.host(vaultID: vaultID)
        let known = try VaultFile.attempts(location.vault, host: host, settings: settings) != nil
        notices.append(known ? .deviceStoreGone : .newDevice)
      } else {
        notices.append(.deviceStoreReplaced(path: try setAside(store)))
      }
      keys = try store.makeKeys()
      isNew = true
    }
    guard let keys else { throw AuthenticationError(.storeGone, store.directory.path) }
    let vault = try await Self.openVault(
      prepared, file, device: keys.id, store: store, keys: keys, isNew: isNew, settings: settings,
      acceptRollback: acceptRollback)
    _ = consume setup
    let lock = try store.lockTemplates()
    try withExtendedLifetime(lock) {
      try store.recoverTemplates(knownDigest: try vault.templatesDigest())
    }
    do {
      try ledger(vaultID, keys).reset()
    } catch let error as VaultError where [.readOnly, .permission].contains(error.code) {
      // A vault on a read-only disk can be read; its face stays as locked or open as it was.
    }
    try store.keepKeyring(vault.keyring.encoded())
    adopt(vault, file)
  }

  /// The device's keys, nil when there are none that can be read.
  private func readableKeys(_ store: DeviceStore) throws(AuthenticationError) -> DeviceKeys? {
    do throws(AuthenticationError) {
      return try store.keys()
    } catch {
      guard error.code == .storeDamaged else { throw error }
      return nil
    }
  }

  private func adopt(_ vault: Vault, _ file: VaultFile) {
    if !file.keyringProblems.isEmpty { notices.append(.keyringDamaged(file.keyringProblems)) }
    opened = vault
  }

  /// A secret on its way to a slot; may be tried twice.
  private final class PreparedSecret: Sendable {
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
  ) async throws -> sending Vault {
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

  /// Puts a device store that cannot be read out of the way, keeping it for whoever wants to look.
  private func setAside(_ store: DeviceStore) throws -> String {
    for number in 1...1000 {
      let path = store.directory.path + ".damaged-\(number)"
      if PrivateDirectory(path).exists { continue }
      guard unsafe rename(store.directory.path, path) == 0 else { break }
      return path
    }
    throw AuthenticationError(.system, store.directory.path, "cannot be moved aside")
  }

  public func close() async { opened = nil }
}

/// For the moment before a device has an anchor.
private final class NoAnchors: AnchorStore {
  func load() throws(VaultError) -> Anchor? { nil }
  func save(_: Anchor) throws(VaultError) {}
  func lock() throws(VaultError) -> AnyObject { self }
}
