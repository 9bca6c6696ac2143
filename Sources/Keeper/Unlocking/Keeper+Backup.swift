internal import Access
internal import Authentication
package import Bytes
package import DiaryVault
package import Entries
internal import Platform
package import Requests
internal import SealedFiles
internal import Sealing

extension Keeper {
  /// Replaces what the open diary holds by a backup.
  ///
  /// - Parameters:
  ///   - secret: opens the backup, if it has another key.
  ///   - confirm: told what will happen, after every record of the backup was opened; throwing stops it.
  /// - Returns: how many entries came back or changed where other devices have the diary, too; nil where it was replaced.
  package func restoreBackup(
    _ file: LockedVault, _ given: GivenSecret, _ rights: OwnerRights,
    progress: (Int, Int) -> Void, confirm: (BackupFacts) throws -> Void
  ) throws -> Int? {
    try require(rights)
    let (vault, store, keys) = try openParts()
    guard file.keyring.vaultID == vault.keyring.vaultID else {
      throw VaultError(.conflict, file.path, .isBackupOfAnotherDiary)
    }
    try VaultFolder(file.path).checkContents()
    let backup =
      if let ours = file.copy(of: vault.keyring.keyID) {
        try Vault.open(
          file, vaultKey: try vault.copyOfKey(), keyring: ours, device: keys.id,
          anchors: NoAnchors(), settings: settings, for: .backup(validToday: nil))
      } else {
        try Vault.open(
          file, kind: given.kind, secret: given.secret,
          device: keys.id, anchors: NoAnchors(), settings: settings, for: .backup(validToday: nil))
      }
    var facts = try check(backup, progress)
    let present = try vault.shownContents()
    facts.present = present.count
    facts.isShared = present.isShared
    try confirm(facts)
    // Somebody may have waited long before they said yes.
    try require(rights)
    let restored = try vault.restore(backup, over: present, progress: progress)
    tell(restored.former)
    afterwards {
      try store.keep(vault.spare)
      try access(store, keys).opened(bySecret: true, policy: try vault.policy())
    }
    return restored.broughtBack
  }

  /// A backup replaces the diary only if all of it opens. Files that it lacks are counted: the owner decides.
  private func check(
    _ backup: Vault, _ progress: (Int, Int) -> Void
  ) throws -> BackupFacts {
    let report = try backup.verify(progress: progress)
    if let obstacle = report.obstacle { throw obstacle.error }
    return BackupFacts(
      made: backup.backupTime ?? 0, entries: try Snapshot(backup).count,
      lostFiles: report.lostFiles)
  }

  /// Makes a backup the diary when the diary's file is gone. A try is counted where either secret is a passphrase: one that opens
  /// a backup may be one of today.
  ///
  /// - Parameters:
  ///   - given: a secret that is valid today, as far as this device knows.
  ///   - ofBackup: opens a backup that was made before the key was replaced; nil when `given` does.
  /// - Throws: ``VaultError`` `wrongSecret` with reason `isNoLongerValid` for a secret that was replaced since, with the key or
  ///   without; `damaged` when this device remembers another key, or has lost what it remembered, and has no spare of the slots to
  ///   tell by.
  package func reviveBackup(
    _ file: LockedVault, _ given: GivenSecret, ofBackup: GivenSecret?,
    progress: (Int, Int) -> Void, confirm: (BackupFacts) throws -> Void
  ) throws {
    try VaultFolder(location.vault).requireNoRows()
    try UnfinishedFolder.requireDiarys(VaultFolder(location.vault), named: location.vault)
    let made = try unfinishedFolder()
    defer { made.remove() }
    var store = try store(file.keyring.vaultID)
    let known = try keysOfLostDiary(store)
    let (lost, todays) = try lostDiary(store, known)
    // Of the key that the diary had, today's ways in count; with another, nothing of today opens the backup.
    let remembered = lost.anchor
    let isSameKey = lost.isSure && lost.keyID ?? file.keyring.keyID == file.keyring.keyID
    let spare = isSameKey ? todays : nil
    let file = try LockedVault(file.path, settings: settings, spare: spare)
    try VaultFolder(file.path).checkContents()
    let opening = isSameKey ? given : ofBackup ?? given
    let trial = try beginTrial(given.factor, opening.factor, on: file, store, known)
    let (backup, ways) = try trial.count {
      let backup = try Vault.open(
        file, kind: opening.kind, secret: opening.secret,
        device: [UInt8](repeating: 0, count: 16), anchors: NoAnchors(), settings: settings,
        for: .backup(validToday: remembered))
      return (
        backup, try backup.waysOfToday(lost, given.kind, given.secret, place: store.directory.path)
      )
    }
    var facts = try check(backup, progress)
    facts.isOfLaterKey = ways.isOfLaterKey
    // Somebody with an earlier key could have taken it away, and put back ways in of that time.
    facts.isUnremembered = known != nil && remembered == nil && lost.wasKnown
    try confirm(facts)
    try LockedVault.copy(file.path, to: made.folder.path, settings: settings, progress: progress)
    let keys = try known ?? makeKeys(&store)
    let anchors = DeviceAnchors(
      store, keys, isNew: remembered == nil, acceptsChip: remembered == nil && known != nil)
    let policy = try known.map { try access(store, $0).policy().sealed }
    let revived = try {
      let vault = try Vault.open(
        try LockedVault(made.folder.path, settings: settings, spare: spare), kind: opening.kind,
        secret: opening.secret, device: keys.id, anchors: ReadOnlyAnchors(anchors),
        settings: settings, for: .backup(validToday: remembered))
      let revived = try vault.revive(
        from: backup, lost, ways, working: { progress(0, facts.entries) }
      ) { $0.stricter(policy).stricter(remembered?.policy) }
      tell(revived)
      return (
        anchor: vault.currentAnchor, spare: vault.spare, policy: try vault.policy(),
        hasLeft: revived.former != nil
      )
    }()
    try access(store, keys).keep(untold: facts.signs)
    try made.publish(inPlaceOf: location.vault)
    afterwards {
      if let anchor = revived.anchor { try anchors.save(anchor) }
      try begin(store, keys, spare: revived.spare, policy: revived.policy)
    }
    if revived.hasLeft { SpaceMirror(VaultFolder(location.vault)).clear() }
  }

  /// The device store of a diary that was made of a backup: nobody's face opens it.
  private func begin(
    _ store: DeviceStore, _ keys: DeviceKeys, spare: SpareSlots?, policy: [UInt8]
  ) throws {
    try store.removeTemplates()
    try ledger(store, keys).reset()
    try store.keep(spare)
    let access = access(store, keys)
    try access.opened(bySecret: true, policy: policy)
    places.note(store.vaultID)
    try noteUntold(access)
  }

  private func tell(_ revived: Revived) {
    tell(revived.former)
    if revived.lostWays > 0 { notices.append(.waysInLost(revived.lostWays)) }
  }

  /// What this device remembers of the diary that is gone, with its spare of the slots. It is kept until the new file has its name.
  private func lostDiary(
    _ store: DeviceStore, _ known: DeviceKeys?
  ) throws -> (LostDiary, spare: [UInt8]?) {
    let spare = try store.spareKeyring()
    let lost = LostDiary(
      anchor: try known.flatMap { try memory(store, $0) },
      spare: spare.flatMap { try? SpareSlots($0) }, wasKnown: try hasKnown(store, known, spare))
    return (lost, spare)
  }

  /// The device's keys, although there is no diary whose owner could give them up when they are out of reach.
  private func keysOfLostDiary(_ store: DeviceStore) throws -> DeviceKeys? {
    let path = store.directory.path
    let keys: DeviceKeys?
    do throws(AuthenticationError) { keys = try store.keys() } catch {
      guard error.code == .helper, error.reason != .chip(.needsPIN) else { throw error }
      throw VaultError(.conflict, path, .deviceKeyIsOutOfReach(error.subject))
    }
    // What gives another key than this device's gives none.
    if let keys, try !isOwn(keys, store) {
      throw VaultError(.conflict, path, .deviceKeyIsOutOfReach(path))
    }
    return keys
  }

  /// Whether this device opened the diary before, or cannot tell. Where what it remembered was taken away then, the spare says
  /// which ways in count today, or nothing does.
  private func hasKnown(
    _ store: DeviceStore, _ keys: DeviceKeys?, _ spare: [UInt8]?
  ) throws -> Bool {
    // A spare is there only where the diary was open before, whatever else is gone.
    try spare != nil || keys.map { try access(store, $0).wasOpened() != false } ?? false
  }

  /// What this device remembers of a diary whose rows are gone; nil also where what it remembered is gone, too, or was never
  /// kept: making the diary of a backup was interrupted. There is nothing left then that could be accepted.
  private func memory(
    _ store: DeviceStore, _ keys: DeviceKeys
  ) throws(VaultError) -> Anchor? {
    do throws(VaultError) { return try DeviceAnchors(store, keys).remembered() } catch {
      guard error.part == .anchor else { throw error }
      return nil
    }
  }

  /// A folder for a new vault, beside the name that it will get.
  private func unfinishedFolder() throws -> UnfinishedFolder {
    let parent = FileSystem.parent(of: location.vault)
    try onDisk { () throws(PlatformError) in try FileSystem.makeDirectories(parent) }
    return try UnfinishedFolder(in: parent)
  }

  /// Rescues what still opens into a new vault.
  ///
  /// - Throws: ``VaultError`` `vaultExists`; what opening the slots throws. Nothing is left behind then.
  package func salvage(
    _ given: GivenSecret, to target: String,
    limits: Argon2Cost, progress: (Int, Int) -> Void,
    announce: (Salvaged, CreatedDiary) throws -> Void
  ) throws {
    try VaultFolder.requireFree(target)
    var tolerant = settings
    tolerant.toleratesLostTables = true
    try? settleName(by: given)
    let file = try file(tolerant)
    let store = try? store(file.keyring.vaultID)
    var keys: DeviceKeys?
    do { keys = try store?.keys() } catch  where error.reason == .chip(.needsPIN) {
      // A device that can remember which ways in were removed is asked.
      throw error
    } catch {}
    var remembered: Anchor?
    if let store, let keys { remembered = try? DeviceAnchors(store, keys).load() }
    let trial = try beginTrialOfDamaged(given.factor, on: file, store, keys)
    let damaged: Vault
    do throws(VaultError) {
      damaged = try Vault.open(
        file, kind: given.kind, secret: given.secret,
        device: [UInt8](repeating: 0, count: 16), anchors: NoAnchors(), settings: tolerant,
        for: .salvage(validToday: remembered))
    } catch {
      try trial.end(after: error)
      throw error
    }
    // It may be of an earlier key, and its secret one that was replaced.
    try trial.end(.unknown)
    var place = location
    let made = try UnfinishedFolder(in: FileSystem.parent(of: target))
    defer { made.remove() }
    place.vault = made.folder.path
    let rescued = Keeper(at: place, settings: settings)
    // The same passphrase costs a guess no less than in the damaged diary.
    let before = damaged.keyring.slots.filter { $0.kind == given.kind }.map(\.limits)
    let (created, newStore) = try rescued.create(
      in: made.folder, passphrase: given.factor == .passphrase ? try given.secret.copy() : nil,
      limits: limits.atLeast(before))
    do {
      try rescued.open(.recovery, try RecoveryCode.parse(created.recoveryCode))
      var report = try rescued.fill(from: damaged, progress)
      try rescued.takeKeptTexts(of: damaged, in: location, &report)
      rescued.close()
      // Its recovery code is seen before it has its name.
      try announce(report, created)
      try made.publish(as: target)
    } catch {
      newStore.directory.removeAll()
      throw error
    }
  }

  /// A trial that is counted where there is something left to count it in: what is lost must not keep the rest from being rescued.
  private func beginTrialOfDamaged(
    _ factor: SecretFactor, on file: LockedVault, _ store: DeviceStore?, _ keys: DeviceKeys?
  ) throws -> Trial {
    do { return try beginTrial(factor, on: file, store, keys) } catch let error as VaultError
      where [.damaged, .diskFull].contains(error.code)
    {} catch let error as AuthenticationError where error.code == .storeDamaged {}
    return Trial(device: nil, vault: nil, begun: nil)
  }

  /// What was typed and could not be saved becomes entries, too: with the damaged vault nobody could open it any more.
  private func takeKeptTexts(
    of damaged: Vault, in location: DiaryLocation, _ report: inout Salvaged
  ) throws {
    let vault = try vault()
    let kept = location.keptTexts(of: damaged.keyring.vaultID)
    guard let names = try? kept.keptTexts() else { return report.lose(.thing(.keptText)) }
    for name in names {
      guard let sealed = try? kept.read(name, limit: DiaryLocation.keptTextLimit),
        let text = try? UnsavedText(opened: try damaged.openDraft(sealed).text)
      else {
        report.lose(.thing(.keptText))
        continue
      }
      do throws(VaultError) {
        try VaultFolder(damaged.path).copyWhole(
          text.files.map(\.object), to: VaultFolder(vault.path).objects, working: {})
        if case .entry(_, let missing, _) = try text.saveAnew(to: vault), !missing.isEmpty {
          report.lose(.thing(.keptText))
        }
        report.entries += 1
      } catch {
        guard [.invalid, .conflict, .notFound].contains(error.code) else { throw error }
        report.lose(.thing(.keptText))
      }
    }
  }

  private func fill(
    from damaged: Vault, _ progress: (Int, Int) -> Void
  ) throws -> Salvaged {
    let vault = try vault()
    var trashed: [EntryReference] = []
    let taking = try VaultImport(vault)
    let sealer = ImportSealer(
      ObjectStore(VaultFolder(vault.path), key: { try vault.objectKey(of: $0) }))
    let salvage = try Salvage(damaged)
    var report = try salvage.run(
      progress: progress,
      take: { item in
        var items = [item][...]
        while let next = try sealer.next({ items.popFirst() }) { try taking.take(next) }
      },
      abandon: { sealer.abandon() },
      trashed: { trashed.append(.id($0)) })
    _ = try taking.finish()
    if !trashed.isEmpty { _ = try vault.delete(trashed) }
    let templates = salvage.templates()
    if templates == nil { report.lose(.thing(.templates)) }
    for template in templates ?? [] {
      do throws(VaultError) {
        try vault.setTemplate(template.name, body: template.body, isNew: true)
      } catch {
        guard [.invalid, .conflict].contains(error.code) else { throw error }
        report.lose(.thing(.templates))
      }
    }
    return report
  }
}

extension BackupFacts {
  /// What the owner is to be told once more, whoever was there now.
  fileprivate var signs: UntoldSigns {
    var signs: UntoldSigns = isOfLaterKey ? .keyReplaced : []
    if isUnremembered { signs.insert(.memoryGone) }
    return signs
  }
}
