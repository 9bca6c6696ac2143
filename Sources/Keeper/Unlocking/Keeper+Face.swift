internal import Access
package import Authentication
internal import Bytes
internal import DiaryVault
internal import Entries
package import FaceMatching
package import Sealing

extension Keeper {
  package func loadFaceData() throws -> FaceData? {
    let file: LockedVault
    do { file = try self.file() } catch let error as VaultError where error.code == .noVault {
      return nil
    }
    return try faceData(file.keyring.vaultID)
  }

  func faceData(_ vaultID: [UInt8]) throws -> FaceData? {
    let store = try store(vaultID)
    guard let keys = try store.keys() else {
      if try attemptRow(vaultID).read() != nil {
        throw AuthenticationError(.storeGone, store.directory.path)
      }
      return nil
    }
    guard let (set, _) = try store.loadTemplates(keys) else {
      if try file().keyring.slots.contains(where: { $0.device == keys.id }) {
        throw AuthenticationError(.storeDamaged, store.directory.path, .templatesGone)
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
    let store = storeIdentity()
    do {
      return try await judgeAndOpen(probe, box)
    } catch {
      guard wasRebound(since: store, error) else { throw error }
      return try await judgeAndOpen(probe, box)
    }
  }

  /// What tells this device's store of the diary from another one that takes its name; nil where there is none.
  func storeIdentity() -> [UInt64]? {
    (try? file()).flatMap { directory(of: $0.keyring.vaultID).identity }
  }

  /// Whether this device got another key, and with it another store, since it had one.
  func wasRebound(since store: [UInt64]?, _ error: any Error) -> Bool {
    // Another key changes neither, and who has said no is not asked again.
    if [.wrongSecret, .declined].contains((error as? VaultError)?.code) { return false }
    guard let store else { return false }
    // Wait until a change of the key that is under way has finished.
    let lock = try? DeviceDirectory(location.devices).lock("setup.lock")
    defer { withExtendedLifetime(lock) {} }
    return storeIdentity().map { $0 != store } ?? false
  }

  /// What an opening by face reads, once, before it begins.
  struct FaceDevice {
    let file: LockedVault
    let store: DeviceStore
    let keys: DeviceKeys
    let templates: TemplateSet
    let digest: [UInt8]
    let ledger: AttemptLedger
    let access: AccessRecord
  }

  private func faceDevice() throws -> FaceDevice {
    let file = try file()
    let store = try store(file.keyring.vaultID)
    guard let keys = try store.keys(), let (set, digest) = try store.loadTemplates(keys) else {
      throw AuthenticationError(.noFace, location.vault)
    }
    // Nothing can be counted in a backup.
    guard !file.isBackup else {
      throw AuthenticationError(.needsSecret, "face", need: .backup)
    }
    return FaceDevice(
      file: file, store: store, keys: keys, templates: set, digest: digest,
      ledger: ledger(store, keys), access: access(store, keys))
  }

  /// One opening by face: the gates before the face is judged, the face, the vault, the gates behind it.
  nonisolated(nonsending) private func judgeAndOpen(
    _ probe: Probe, _ passphrase: SecretBytesBox?
  ) async throws -> FaceOutcome {
    let device = try faceDevice()
    let attempts = AttemptsGate(left: try device.ledger.left())
    try cooling { try attempts.pass() }
    let policy = try device.access.policy()
    try CameraGate(policy.camera).pass(probe)
    let way = try wayIn(device, policy)
    // Before the face is looked at: neither what is answered nor what is counted tells which of the two was right.
    var trial: Trial?
    if case .withPassphrase = way {
      guard passphrase != nil else {
        throw AuthenticationError(.needsSecret, "face", need: .facePassphrase)
      }
      // As for a passphrase alone, what says that the diary was opened here has to be there.
      guard try device.access.wasOpened() != nil else { throw Self.noAccessRecord(device.store) }
      trial = try beginTrial(.passphrase, on: device.file, device.store, device.keys)
    } else {
      let freshness = FreshnessGate(try faceNeed(device.store.vaultID, device.access))
      try cooling { try freshness.pass() }
    }
    let gate = FaceGate(templates: device.templates, ledger: device.ledger, verifier: verifier)
    let outcome: FaceOutcome
    let closings = closings
    do {
      outcome = try await gate.judge(probe)
    } catch {
      try trial?.end(.unknown)
      throw error
    }
    guard case .accepted = outcome else {
      return try refuse(outcome, device, passphrase, trial)
    }
    guard let vault = try open(way, device, passphrase, trial) else {
      return .refused(attemptsLeft: try device.ledger.left())
    }
    guard let confirmed = try await confirm(outcome, probe, device, vault) else {
      return .refused(attemptsLeft: try device.ledger.left())
    }
    // The face was right, and what follows costs it no attempt.
    try device.ledger.reset()
    // Closed while the verifier was thinking, it stays closed.
    guard closings == self.closings else { throw AuthenticationError(.locked, location.vault) }
    // The policy that counts is the vault's; the device's copy may have been put back.
    let sealed = try vault.policy()
    if trial == nil { try FreshnessGate(try device.access.need(under: sealed)).pass() }
    try CameraGate(try AccessPolicy(sealed).camera).pass(probe)
    try device.access.opened(bySecret: trial != nil, policy: sealed)
    if trial != nil { notePlace(device.store.vaultID) }
    try adopt(vault, device.file, device.access)
    return confirmed
  }

  /// If a gate refuses, the diary is not kept warm, either.
  private func cooling(_ gate: () throws -> Void) throws {
    do { try gate() } catch {
      warm = nil
      throw error
    }
  }

  private func refuse(
    _ outcome: FaceOutcome, _ device: FaceDevice, _ passphrase: SecretBytesBox?, _ trial: Trial?
  ) throws -> FaceOutcome {
    if case .refused(0) = outcome { warm = nil }
    if let passphrase, let trial {
      // The same work as for a face that was accepted, and the same end with a wrong passphrase: nothing else tells which of the two
      // was wrong. The vault is not opened: how long that takes would tell that the passphrase is right.
      do throws(VaultError) {
        try Vault.tryOnly(
          device.file, kind: .facePassphrase, secret: try joined(device.keys, passphrase),
          device: device.keys.id, settings: settings)
      } catch {
        try trial.end(error.code == .memory ? .unknown : .wrong)
        guard error.code == .wrongSecret else { throw error }
      }
    }
    return outcome
  }

  /// Opens the vault after the face was accepted; nil when the passphrase beside it is wrong.
  private func open(
    _ way: WayIn, _ device: FaceDevice, _ passphrase: SecretBytesBox?, _ trial: Trial?
  ) throws -> Vault? {
    let (file, keys) = (device.file, device.keys)
    let anchors = DeviceAnchors(device.store, keys)
    switch way {
    case .plain:
      return try Vault.open(
        file, kind: .face, secret: keys.key, device: keys.id, anchors: anchors,
        settings: settings)
    case .warm(let warm):
      let vault = try Vault.open(
        file, vaultKey: try warm.open(with: keys.key, keyID: file.keyring.keyID),
        device: keys.id, anchors: anchors, settings: settings)
      // The policy may have changed since the key was kept.
      let gate = WarmGate(try AccessPolicy(vault.policy()))
      try cooling { try gate.pass() }
      return vault
    case .withPassphrase:
      guard let passphrase, let trial else {
        throw AuthenticationError(.needsSecret, "face", need: .facePassphrase)
      }
      let vault: Vault
      do throws(VaultError) {
        vault = try openWithBoth(passphrase, file, keys, anchors: anchors)
      } catch {
        try trial.end(after: error)
        guard error.code == .wrongSecret else { throw error }
        return nil
      }
      try trial.end(.right)
      return vault
    }
  }

  /// The templates have to be those the vault last agreed to; after a kill in the middle of an enrolment they are staged beside, and
  /// the face is judged by them.
  ///
  /// - Returns: nil when it is refused then.
  nonisolated(nonsending) private func confirm(
    _ outcome: FaceOutcome, _ probe: Probe, _ device: FaceDevice, _ vault: Vault
  ) async throws -> FaceOutcome? {
    let gate = TemplatesGate(known: try vault.templatesDigest())
    if try gate.isPassed(by: device.digest) { return outcome }
    let lock = try device.store.lockTemplates()
    try withExtendedLifetime(lock) { try device.store.recoverTemplates(knownDigest: gate.known) }
    guard let (now, digest) = try device.store.loadTemplates(device.keys),
      try gate.isPassed(by: digest)
    else {
      // A restored old template file, or a removed face.
      throw VaultError(.tampered, .enrolledFaces, .notThoseTheVaultKnows)
    }
    try probe.checkFits(now)
    let verdict = try await verifier.verify(probe, against: now)
    guard verdict.isAccepted else { return nil }
    return .accepted(similarity: verdict.similarity, threshold: now.decision.threshold)
  }

  /// How this device's face opens the vault.
  enum WayIn {
    case plain
    case withPassphrase
    case warm(WarmKey)
  }

  private func wayIn(_ device: FaceDevice, _ policy: AccessPolicy) throws -> WayIn {
    // The slots are not sealed, but what the owner asked for is.
    let own = Set(device.file.slots.filter { $0.slot.device == device.keys.id }.map(\.slot.kind))
    if own.contains(.facePassphrase), policy.isWithPassphrase || !own.contains(.face) {
      return .withPassphrase
    }
    if own.contains(.face), !policy.isWithPassphrase, !policy.isWarm { return .plain }
    if let warm, warm.keyID == device.file.keyring.keyID { return .warm(warm) }
    throw AuthenticationError(.needsSecret, "face", need: policy.isWithPassphrase ? .noSlot : .warm)
  }

  func openWithBoth(
    _ passphrase: SecretBytesBox, _ file: LockedVault, _ keys: DeviceKeys,
    anchors: any AnchorStore
  ) throws(VaultError) -> Vault {
    try Vault.open(
      file, kind: .facePassphrase, secret: try joined(keys, passphrase), device: keys.id,
      anchors: anchors, settings: settings)
  }

  /// What opens a slot for both factors.
  private func joined(
    _ keys: DeviceKeys, _ passphrase: SecretBytesBox
  ) throws(VaultError) -> SecretBytes {
    do throws(SealingError) { return try keys.key.followed(by: passphrase.secret) } catch {
      throw VaultError(.memory, "", .lockedMemory)
    }
  }

  // MARK: Warm

  /// Whether a face can open the closed diary again without a slot on the disk.
  package var isWarm: Bool { warm != nil }

  /// After a passphrase opened the diary under the warm policy: keeps what a face needs to open it again.
  package func keepWarm() throws {
    guard let opened, try policy().isWarm, try !hasPIN() else { return }
    let store = try store(opened.keyring.vaultID)
    guard let keys = try store.keys() else { return }
    held.forget()
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
}
