internal import Authentication
package import DiaryVault
package import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What a backup is, before it takes the diary's place.
package struct BackupFacts: Sendable {
  /// Seconds since 1970.
  package let made: Int64
  package let entries: Int
  /// How many the diary has now; nil when its file is gone.
  package let present: Int?
  /// Whether today's passphrase stays valid.
  package let isSameKey: Bool
}

extension Diary {
  /// Puts a backup in the place of what the open diary holds.
  ///
  /// - Parameters:
  ///   - secret: opens the backup, should it have another key.
  ///   - confirm: told what will happen, after every record of the backup was opened; throwing stops it.
  package func restoreBackup(
    _ file: VaultFile, _ factor: SecretFactor, _ secret: SecretBytesBox,
    progress: (Int, Int) -> Void, confirm: (BackupFacts) throws -> Void
  ) throws {
    let (vault, store, keys) = try openParts()
    guard file.keyring.vaultID == vault.keyring.vaultID else {
      throw VaultError(.conflict, file.path, "is a backup of another diary")
    }
    let isSameKey = file.keyring.keyID == vault.keyring.keyID
    let backup =
      isSameKey
      ? try Vault.open(
        file, vaultKey: try vault.copyOfKey(), device: keys.id, anchors: NoAnchors(),
        settings: settings)
      : try Vault.open(
        file, kind: factor == .passphrase ? .passphrase : .recovery, secret: secret.secret,
        device: keys.id, anchors: NoAnchors(), settings: settings)
    let facts = try check(
      backup, present: try Snapshot(vault).count, isSameKey: isSameKey, progress)
    try confirm(facts)
    try vault.restore(backup, progress: progress)
    if !isSameKey { try store.removeTemplates() }
    try store.keepKeyring(vault.keyring.encoded())
    try access(store, keys).opened(bySecret: true, policy: try vault.policy())
  }

  /// Nothing takes the diary's place that does not open whole.
  private func check(
    _ backup: Vault, present: Int?, isSameKey: Bool, _ progress: (Int, Int) -> Void
  ) throws -> BackupFacts {
    guard backup.isBackup else { throw VaultError(.conflict, backup.path, "is no backup") }
    let report = try backup.verify(progress: progress)
    if let problem = report.problems.first {
      throw VaultError(problem.error.code, problem.error.subject, problem.error.detail)
    }
    return BackupFacts(
      made: backup.backupTime ?? 0, entries: try Snapshot(backup).count, present: present,
      isSameKey: isSameKey)
  }

  /// Makes a backup the diary when the diary's file is gone.
  package func reviveBackup(
    _ file: VaultFile, _ factor: SecretFactor, _ secret: SecretBytesBox,
    progress: (Int, Int) -> Void, confirm: (BackupFacts) throws -> Void
  ) throws {
    let kind: SlotKind = factor == .passphrase ? .passphrase : .recovery
    let parent = location.vault.lastIndex(of: "/").map { String(location.vault[..<$0]) } ?? "."
    try Self.makeParents(parent)
    let temporary = parent + "/.facediary-" + Base32.encode(Randomness.system.bytes(8)) + ".new"
    defer { VaultFile.remove(temporary) }
    let backup = try Vault.open(
      file, kind: kind, secret: secret.secret, device: [UInt8](repeating: 0, count: 16),
      anchors: NoAnchors(), settings: settings)
    let facts = try check(backup, present: nil, isSameKey: true, progress)
    try confirm(facts)
    try VaultFile.copy(file.path, to: temporary, settings: settings, progress: progress)
    let id = file.keyring.vaultID
    let store = try store(id)
    let isNew = try store.keys() == nil
    let keys = try store.makeKeys()
    do {
      let vault = try Vault.open(
        try VaultFile(temporary, settings: settings), kind: kind, secret: secret.secret,
        device: keys.id, anchors: DeviceAnchors(store, keys, isNew: isNew), settings: settings)
      try vault.revive()
      try store.removeTemplates()
      try ledger(store, keys, vault: temporary).reset()
      try store.keepKeyring(vault.keyring.encoded())
      try access(store, keys).opened(bySecret: true, policy: try vault.policy())
    }
    try VaultFile.publish(temporary, as: location.vault)
  }

  /// Rescues what still opens into a new vault.
  ///
  /// - Throws: ``VaultError`` `vaultExists`; what opening the slots throws. Nothing is left behind then.
  package func salvage(
    _ factor: SecretFactor, _ secret: SecretBytesBox, to target: String,
    limits: PassphraseLimits, progress: (Int, Int) -> Void
  ) async throws -> (Salvaged, CreatedDiary) {
    guard !PrivateDirectory(target).exists else { throw VaultError(.vaultExists, target) }
    let file = try file()
    var trial: PassphraseTry?
    if factor == .passphrase, let store = try? store(file.keyring.vaultID),
      let keys = try? store.keys()
    {
      trial = try access(store, keys).beginPassphrase()
    }
    let damaged: Vault
    do throws(VaultError) {
      damaged = try Vault.open(
        file, kind: factor == .passphrase ? .passphrase : .recovery, secret: secret.secret,
        device: [UInt8](repeating: 0, count: 16), anchors: NoAnchors(), settings: settings,
        forSalvage: true)
    } catch {
      try trial?.end(error.code == .wrongSecret ? .wrong : .unknown)
      throw error
    }
    try trial?.end(.right)
    var place = location
    let parent = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
    place.vault = parent + "/.facediary-" + Base32.encode(Randomness.system.bytes(8)) + ".new"
    defer { VaultFile.remove(place.vault) }
    let rescued = Diary(at: place, settings: settings)
    let created = try await rescued.create(
      passphrase: factor == .passphrase ? try secret.secret.copy() : nil, limits: limits)
    do {
      try await rescued.open(.recovery, try RecoveryCode.parse(created.recoveryCode))
      let report = try rescued.fill(from: damaged, progress)
      await rescued.close()
      try VaultFile.publish(place.vault, as: target)
      return (report, created)
    } catch {
      if let id = Base32.decode(created.id) {
        DeviceStore(base: location.devices, vaultID: id).directory.removeAll()
      }
      throw error
    }
  }

  private func fill(
    from damaged: Vault, _ progress: (Int, Int) -> Void
  ) throws -> Salvaged {
    let vault = try vault()
    var trashed: [EntryReference] = []
    let taking = try VaultImport(vault)
    let report = try Salvage(damaged).run(
      progress: progress, take: { try taking.take($0) },
      trashed: { trashed.append(.prefix($0.description)) })
    _ = try taking.finish(dryRun: false)
    if !trashed.isEmpty { _ = try vault.delete(trashed) }
    return report
  }
}
