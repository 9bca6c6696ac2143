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
    do throws(VaultError) {
      file = try LockedVault(location.vault, settings: settings)
    } catch {
      if error.code == .noVault { return nil }
      throw error
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
      let file = try LockedVault(location.vault, settings: settings)
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
  func wasRebound(since start: Int64, _ error: any Error) -> Bool {
    if (error as? VaultError)?.code == .wrongSecret { return false }
    guard let id = (try? file())?.keyring.vaultID else { return false }
    // As long as it takes to come to its end.
    let lock = try? DeviceDirectory(location.devices).lock("setup.lock")
    let changed = DeviceStore(base: location.devices, vaultID: id).directory.changed
    _ = consume lock
    return changed.map { $0 >= start } ?? false
  }

  nonisolated(nonsending) func judgeAndOpen(
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
    try requireCamera(of: try access.policy(), probe)
    let way = try wayIn(file, keys)
    // Before the face is looked at: neither what is answered nor what is counted tells which of the two was right.
    var trial: Trial?
    if case .withPassphrase = way {
      guard passphrase != nil else {
        throw AuthenticationError(.needsSecret, "face", need: .facePassphrase)
      }
      trial = try beginTrial(.passphrase, file, store, keys)
    } else if let need = try access.need() {
      warm = nil
      throw AuthenticationError(.needsSecret, "face", need: SecretNeed(need))
    }
    let gate = FaceGate(templates: set, ledger: ledger, verifier: verifier)
    var outcome: FaceOutcome
    do {
      outcome = try await gate.judge(probe)
    } catch {
      try trial?.end(.unknown)
      throw error
    }
    switch outcome {
    case .refused(let left):
      if left == 0 { warm = nil }
      if let passphrase, let trial {
        // The same work as for a face that was accepted.
        _ = try? openWithBoth(
          passphrase, file, keys, anchors: ReadOnlyAnchors(DeviceAnchors(store, keys)))
        try trial.end(.wrong)
      }
      return outcome
    case .accepted:
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
        // As with a face slot: a backup in the diary's place is opened by a secret, and named.
        guard !vault.isBackup else { throw VaultError(.noSuchSlot, location.vault, slot: .face) }
        // The policy may have changed since the key was kept.
        guard try AccessPolicy(vault.policy()).isWarm else {
          self.warm = nil
          throw AuthenticationError(.needsSecret, "face", need: .warm)
        }
      case .withPassphrase:
        guard let passphrase, let trial else {
          throw AuthenticationError(.needsSecret, "face", need: .facePassphrase)
        }
        do throws(VaultError) {
          vault = try openWithBoth(passphrase, file, keys, anchors: DeviceAnchors(store, keys))
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
          throw VaultError(.tampered, "enrolled faces", .notThoseTheVaultKnows)
        }
        try probe.checkFits(now)
        let verdict = try await verifier.verify(probe, against: now)
        guard verdict.isAccepted else { return .refused(attemptsLeft: try ledger.left()) }
        outcome = .accepted(
          similarity: verdict.similarity,
          threshold: now.decision.threshold)
      } else if known == nil {
        throw VaultError(.tampered, "enrolled faces", "the vault knows of none")
      }
      var bySecret = false
      if case .withPassphrase = way { bySecret = true }
      // The face was right, and what follows costs it no attempt.
      try ledger.reset()
      // The policy that counts is the vault's; the device's copy may have been put back.
      if !bySecret, let need = try access.need(under: try vault.policy()) {
        throw AuthenticationError(.needsSecret, "face", need: SecretNeed(need))
      }
      try requireCamera(of: try AccessPolicy(vault.policy()), probe)
      try access.opened(bySecret: bySecret, policy: try vault.policy())
      adopt(vault, file)
      return outcome
    }
  }

  /// - Throws: ``AuthenticationError`` `needsSecret` for a face from elsewhere than the policy's program.
  private func requireCamera(of policy: AccessPolicy, _ probe: Probe) throws {
    guard let camera = policy.camera, probe.program != camera.identity else { return }
    throw AuthenticationError(.needsSecret, "face", need: .camera)
  }

  /// How this device's face opens the vault.
  enum WayIn {
    case plain
    case withPassphrase
    case warm(WarmKey)
  }

  func wayIn(_ file: LockedVault, _ keys: DeviceKeys) throws -> WayIn {
    // The slots stand in clear: what the owner asked for does not.
    let own = Set(file.slots.filter { $0.slot.device == keys.id }.map(\.slot.kind))
    let policy = try access(try store(file.keyring.vaultID), keys).policy()
    if own.contains(.facePassphrase), policy.isWithPassphrase || !own.contains(.face) {
      return .withPassphrase
    }
    if own.contains(.face), !policy.isWithPassphrase, !policy.isWarm { return .plain }
    if let warm, warm.keyID == file.keyring.keyID { return .warm(warm) }
    throw AuthenticationError(.needsSecret, "face", need: policy.isWithPassphrase ? .noSlot : .warm)
  }

  func openWithBoth(
    _ passphrase: SecretBytesBox, _ file: LockedVault, _ keys: DeviceKeys,
    anchors: any AnchorStore
  ) throws(VaultError) -> Vault {
    let joined: SecretBytes
    do throws(SealingError) { joined = try keys.key.followed(by: passphrase.secret) } catch {
      throw VaultError(.memory, "", .lockedMemory)
    }
    return try Vault.open(
      file, kind: .facePassphrase, secret: joined, device: keys.id, anchors: anchors,
      settings: settings)
  }

  // MARK: Warm

  /// Whether a face can open the closed diary again without a slot on the disk.
  package var isWarm: Bool { warm != nil }

  /// After a passphrase opened the diary under the warm policy: keeps what a face needs to open it again.
  package func keepWarm() throws {
    guard let opened, try policy().isWarm else { return }
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
