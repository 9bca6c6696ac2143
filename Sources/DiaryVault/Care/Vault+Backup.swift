internal import Bytes
package import Entries
internal import Platform
package import SealedFiles

/// Copies of a vault, and the way back.
///
/// A backup is a folder with the rows as they were at one moment, even if others write meanwhile, and a state record that says
/// "backup": it can be read like any vault, is never written, and never moves the anchor. So an old backup is not
/// taken for a rollback, and a rollback cannot pass for a backup unnoticed: it cannot be written. The backups in one
/// directory share their objects, which stand beside them.
extension Vault {
  /// Makes a backup of the vault at `path` as `target`, which must not exist.
  ///
  /// It copies sealed bytes and needs no key; only the state record is sealed anew, by the process that has the vault open.
  ///
  /// - Parameters:
  ///   - seal: makes a backup's state record of the one copied: ``sealBackup(state:since:)``.
  ///   - progress: called with pages done and pages there.
  /// - Throws: ``VaultError`` `vaultExists`; `diskFull`; what reading throws. Nothing is left behind.
  package static func makeBackup(
    of path: String, as target: String, settings: VaultSettings,
    progress: (Int, Int) -> Void = { _, _ in }, sealing seal: ([UInt8]) throws -> SealedBackup
  ) throws {
    try VaultFolder.requireFree(target)
    let directory = FileSystem.parent(of: target)
    // Others may be able to write where backups are kept. What they put in the place of a folder is not followed.
    let opened = try onDisk { () throws(PlatformError) in try OpenDirectory(directory) }
    defer { withExtendedLifetime(opened) {} }
    do {
      try makeBackup(
        of: path, as: FileSystem.name(of: target), in: VaultFolder(opened.path),
        settings: settings, progress: progress, sealing: seal)
    } catch let error as VaultError {
      throw error.named(target)
    }
  }

  private static func makeBackup(
    of path: String, as name: String, in shared: VaultFolder, settings: VaultSettings,
    progress: (Int, Int) -> Void, sealing seal: ([UInt8]) throws -> SealedBackup
  ) throws {
    // No object is removed while they are copied, neither here nor there.
    let folder = VaultFolder(path)
    let lock = try shared.joinObjects()
    // Copying a diary without objects does not make a place for them.
    let own = FileSystem.exists(folder.objects) ? try folder.joinObjects() : nil
    defer { withExtendedLifetime((lock, own)) {} }
    let made = try UnfinishedFolder(named: shared.path + "/" + VaultFolder.unfinished(name))
    defer { made.remove() }
    let temporary = made.folder
    let source = try VaultRows(path, .readOnly, settings: settings)
    try source.begin(writing: false)
    defer { source.rollback() }
    let state = try source.blob(.state, limit: StateRecord.sizeLimit) ?? []
    try source.copy(to: temporary, progress: progress)
    let sealed = try seal(state)
    do {
      let copy = try VaultRows(temporary.path, .readWrite, settings: settings)
      try copy.transaction { () throws(VaultError) in
        try copy.put(sealed.bytes, .state)
        // Attempts belong to the live vault.
        try copy.removeAttempts()
      }
      // One file, that leaves none beside it when it is read.
      try copy.keepLog(false)
    }
    // Only a backup has such a list, and objects beside it.
    let listed = sealed.isOfBackup ? BackupContents(of: folder) : nil
    // One that does not say what it needs would become one that says it needs nothing.
    guard !sealed.isOfBackup || listed != nil else {
      throw VaultError(.damaged, path, .isNotWhole)
    }
    let objects = Set(try folder.objectNames()).union(listed?.objects ?? [])
    let checked = CheckedObjects(in: lock.objects, beside: shared, now: settings.now())
    // What was found whole is remembered, also where another is not.
    defer { checked.keep() }
    try folder.copy(objects, to: lock.objects, checked)
    try BackupContents(temporary, objects: objects).write(to: temporary)
    try made.publish(as: shared.path + "/" + name)
  }

  /// The state record as it is now, sealed: what a backup that begins now must not be older than.
  package func beginBackup() throws(VaultError) -> [UInt8] {
    let sealed = seal(try Snapshot(self).catalogue.state)
    begunBackups = begunBackups.suffix(3) + [sealed]
    return sealed
  }

  /// The state record of a vault of this key, sealed as a backup's.
  ///
  /// - Parameter begun: what ``beginBackup()`` gave. The rows may have been exchanged for older ones while they were copied, even if
  ///   they are back now: those would pass for a backup of today.
  package func sealBackup(
    state sealed: [UInt8], since begun: [UInt8]
  ) throws(VaultError) -> SealedBackup {
    var record = try open(state: sealed)
    let now = try open(state: begun)
    let isNow = record == now || record.continuation(of: now) == .ahead
    // Of an earlier state, which anybody may have kept, this vault would say that it is of today.
    guard begunBackups.contains(begun), record.role == now.role, record.role == .backup || isNow
    else {
      throw VaultError(.rolledBack, path, .olderThanSession)
    }
    let isOfBackup = record.role == .backup
    if !isOfBackup { record.made = settings.now() }
    record.role = .backup
    return SealedBackup(
      seal(record), isOfBackup: isOfBackup,
      missing: isOfBackup ? 0 : try Snapshot(self).catalogue.missingFiles())
  }

  /// What the diary holds when its owner is told what a backup would replace. It is no ``Snapshot``: as long as that reads, what was
  /// replaced stays in the log.
  package struct ShownContents {
    /// Entries, the trash not counted.
    package let count: Int
    /// Whether other devices have it, too: it is not replaced then.
    package let isShared: Bool
    fileprivate let state: StateRecord
  }

  package func shownContents() throws(VaultError) -> ShownContents {
    let snapshot = try Snapshot(self)
    return ShownContents(
      count: snapshot.count, isShared: try snapshot.catalogue.spaceRecordIfWhole() != nil,
      state: snapshot.catalogue.state)
  }

  /// What came of a backup.
  package struct Restored {
    /// Which device of its space this diary was, when it had to leave one.
    package var former: FormerDevice?
    /// How many entries came back or changed in a diary that other devices have, too; nil when everything was replaced.
    package var broughtBack: Int?
  }

  /// Replaces everything here by the contents of a backup, in one change; in a diary that other devices have, too, brings back what
  /// the backup has, and leaves what was written since.
  ///
  /// The present key, slots, policy and faces stay: what a backup of another key holds is sealed anew under the present one.
  /// Which space the diary is in is no content: a backup brings no membership back, and takes none away.
  ///
  /// - Throws: ``VaultError`` `conflict` for another diary's backup, or for a vault that is not a backup.
  @discardableResult
  package func restore(
    _ backup: Vault, over shown: ShownContents? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) -> Restored {
    guard backup.keyring.vaultID == keyring.vaultID else {
      throw VaultError(.conflict, backup.path, .isBackupOfAnotherDiary)
    }
    let snapshot = try Snapshot(backup)
    let from = snapshot.catalogue
    guard from.state.role == .backup else {
      throw VaultError(.conflict, backup.path, .isNoBackup)
    }
    // Entries of a later key are not sealed under one that was replaced, which more people may have.
    if let present = latestState,
      backup.known(from.state)
        .compare(known(present), vaultID: keyring.vaultID) == .retired
    {
      throw VaultError(.conflict, path, .isOfEarlierKey)
    }
    let total = from.state.count
    let lock = try takeObjects(of: snapshot) { progress(0, total) }
    defer { withExtendedLifetime(lock) {} }
    if try Snapshot(self).catalogue.spaceRecordIfWhole() != nil {
      do throws(VaultError) {
        return Restored(
          // Nothing is replaced: what came since its owner was told stays, as what a session tells others when it is closed.
          broughtBack: try change { edit throws(VaultError) in
            try Reinstating(edit, from).run { progress($0, total) }
          })
      } catch {
        guard [.damaged, .tampered].contains(error.code) else { throw error }
        // The backup was opened whole before: it is this diary that cannot take anything.
        throw VaultError(error.code, path, error.reason)
      }
    }
    return Restored(former: try replaceContents(backup, from, over: shown, progress: progress))
  }

  /// What is replaced is what its owner was told of.
  private func requireShown(
    _ shown: ShownContents?, _ catalogue: Catalogue
  ) throws(VaultError) {
    guard let shown, shown.state != catalogue.state else { return }
    throw VaultError(.conflict, path, .wasChangedMeanwhile)
  }

  private func replaceContents(
    _ backup: Vault, _ from: Catalogue, over shown: ShownContents?, progress: (Int, Int) -> Void
  ) throws(VaultError) -> FormerDevice? {
    let isSameKey = backup.keyring.keyID == keyring.keyID
    let total = from.state.count
    var former: FormerDevice?
    try replace { catalogue throws(VaultError) in
      try requireShown(shown, catalogue)
      former = try catalogue.formerDevice()
      try catalogue.store.takeContents(of: from.store) { progress($0, total) }
      var state = from.state
      state.space = nil
      let taken = Catalogue(vault: backup, store: catalogue.store, state: state)
      try taken.requireWhole { progress(0, total) }
      if !isSameKey {
        state = try Resealing(taken, with: keys).run { _, _ in progress(0, total) }
        try unsealing(.stateRecord) { () throws(SealingError) in try state.keepContentsAlone() }
      }
      state.goOn(from: catalogue.state)
      var slots = keyring
      // Who has a replaced key could write any number.
      slots.generation =
        max(keyring.generation, isSameKey ? backup.keyring.generation : 0) + 1
      return Replacement(state: state, keys: keys, keyring: slots, device: device)
    }
    mirror.clear()
    return former
  }

  /// Copies the objects that another vault's entries have into this one's folder, as far as they are there: a device that
  /// shares its diary may not have fetched all of them.
  ///
  /// - Returns: what keeps them there until an entry has them.
  func takeObjects(
    of snapshot: Snapshot, working: () -> Void
  ) throws(VaultError) -> ObjectLock? {
    let names = try snapshot.catalogue.objects()
    guard !names.isEmpty else { return nil }
    let folder = VaultFolder(path)
    let lock = try folder.joinObjects()
    let source = VaultFolder(snapshot.catalogue.vault.path)
    // The backup's objects stay while they are copied; one that is here already is checked against its name.
    let shared = source.directory
    let theirs = FileSystem.exists(shared.objects) ? try shared.joinObjects() : nil
    try withExtendedLifetime(theirs) { () throws(VaultError) in
      try source.copyWhole(names, to: folder.objects, working: working)
    }
    return lock
  }
}

extension LockedVault {
  /// Copies a vault file as it is, even if another process writes it meanwhile.
  package static func copy(
    _ path: String, to target: String, settings: VaultSettings,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) {
    let source = try VaultRows(path, .readOnly, settings: settings)
    try source.begin(writing: false)
    defer { source.rollback() }
    let folder = VaultFolder(target)
    try folder.make()
    try source.copy(to: folder, progress: progress)
    try VaultRows(target, .readWrite, settings: settings).keepLog(true)
  }

  /// Whether the file is a backup of this diary. With the key, its state record proves that.
  /// Without the key, the sign is that a backup is written without a log, unlike a live vault or a
  /// plain copy of one.
  package static func isBackup(
    _ path: String, of vaultID: [UInt8], settings: VaultSettings
  ) -> Bool {
    guard let file = try? LockedVault(path, settings: settings), file.keyring.vaultID == vaultID
    else { return false }
    return file.isBackup
  }
}

extension Catalogue {
  /// Checks that the copy is what was verified before: a medium may give other bytes the second time. Rows that belong to
  /// nothing do not come along.
  func requireWhole(_ working: () -> Void) throws(VaultError) {
    let verification = try Verification(copied: self)
    while true {
      if let report = try verification.step(Slice(milliseconds: 500)) {
        if let problem = report.obstacle { throw problem.error }
        _ = try verification.seen.mend(store)
        return
      }
      working()
    }
  }
}

extension Catalogue {
  /// The objects that entries have, in any revision, in the diary and the trash.
  func objects() throws(VaultError) -> Set<ObjectName> {
    var found: Set<ObjectName> = []
    try walkHeaders { header throws(VaultError) in
      found.formUnion(try objects(of: header))
      return true
    }
    return found
  }
}

extension VaultFolder {
  /// - Throws: ``VaultError`` `damaged` for a backup of which only a part was copied.
  package func checkContents() throws(VaultError) {
    try BackupContents(of: self)?.check(self)
  }

  /// What a backup is called while it is made, or removed.
  fileprivate static func unfinished(_ name: String) -> String {
    name + "-" + Base32.encode(Randomness.system.bytes(5)) + UnfinishedFolder.suffix
  }

  private static func isUnfinishedBackup(_ name: String) -> Bool {
    name.wholeMatch(
      of: /facediary-\d{4}-\d\d-\d\dT\d{6}Z(-\d+)?\.facediary-[0-9a-z]+\.new/) != nil
  }

  /// Removes backups, and the objects that no other backup in their directory has.
  ///
  /// If a folder there does not list its contents, nobody knows what it needs, and no objects are
  /// removed.
  ///
  /// - Parameter kept: the name of a backup that stays. A listing without it is incomplete, and then no objects are removed.
  /// - Returns: those of `paths` that are gone.
  package static func removeBackups(
    _ paths: [String], in directory: String, keeping kept: String
  ) -> [String] {
    // Who controls the place could lead from it into the diary, between two steps.
    guard let opened = try? OpenDirectory(directory) else { return [] }
    defer { withExtendedLifetime(opened) {} }
    let place = VaultFolder(opened.path)
    for path in paths where FileSystem.parent(of: path) == directory {
      let name = FileSystem.name(of: path)
      let path = place.path + "/" + name
      UnfinishedFolder.remove(path, as: place.path + "/" + unfinished(name)) {
        BackupContents(of: $0) != nil
      }
    }
    place.removeUnneeded(keeping: kept)
    return paths.filter { !FileSystem.exists($0) }
  }

  /// The objects in a directory of backups that none of them needs, and what was being made when its process died.
  private func removeUnneeded(keeping kept: String) {
    // The objects of a diary are its own.
    guard hasNoRows, let lock = lockObjects() else { return }
    withExtendedLifetime(lock) {
      guard let names = try? FileSystem.names(in: path), names.contains(kept) else { return }
      var needed: Set<ObjectName> = []
      for name in names where name != "objects" {
        let folder = VaultFolder(path + "/" + name)
        guard let status = try? FileStatus(folder.path) else { return }
        if status.kind == .regular { continue }
        // It was being made when its process died: a process that makes one now would hold the lock.
        if status.kind == .directory, Self.isUnfinishedBackup(name) {
          UnfinishedFolder.remove(leftAt: folder.path)
          if !FileSystem.exists(folder.path) { continue }
        }
        guard let contents = BackupContents(of: folder) else { return }
        needed.formUnion(contents.objects)
      }
      Self.removeObjects(lock, but: needed)
    }
  }
}
