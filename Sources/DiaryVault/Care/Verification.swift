internal import Bytes
package import Entries
internal import Platform
internal import SealedFiles

/// Checks a whole vault, as it is at one moment, in slices of time: every record is opened along
/// its path, and every row must belong to something.
package final class Verification {
  private let vault: Vault
  /// Keeps the vault at one moment; nil when a change under way is verified.
  private let snapshot: Snapshot?
  private let catalogue: Catalogue
  private var folder: VaultFolder { VaultFolder(vault.path) }
  private var report = VerifyReport()
  private(set) var seen = VerifiedRows()
  private var stage: Stage
  private var sections: [SectionRef] = []
  private let checksFiles: Bool
  private var pages: [PageRef] = []
  private var page: (header: HeaderPage, ref: PageRef, next: Int)?
  private var attachments: [(stored: SealedAttachment, entry: EntryID)] = []
  /// Objects that no entry has, still to be checked.
  private var unfinished: [ObjectName] = []
  /// Those that belong to texts that are not saved yet; nil where that cannot be known.
  private var keptFiles = KeptFiles()
  private var checkingUnfinished: (ObjectName, ObjectCheck)?
  /// The ref of the state record when all this was seen.
  private(set) var ref: Ref?
  private var checking: [(check: ObjectCheck, file: AttachedFile)] = []

  private enum Stage { case database, file, entries, rows, unfinished, done }

  /// Rows that were met, and what is wrong with them.
  struct VerifiedRows {
    /// Rows that nothing names.
    var orphans: [(row: Int64, table: VaultRows.Table)] = []
    /// Entries whose row names another page than the one they stand in, and the right one.
    var misplaced: [(entry: Int64, page: Int64)] = []
    var sections: Set<Int64> = []
    var pages: Set<Int64> = []
    var entries: Set<Int64> = []
    /// Of the history.
    var pasts: Set<Int64> = []
    var revisions = 0
    /// Objects that an entry has, with the number of their bytes.
    var objects: [ObjectName: Int] = [:]
    /// Objects that no entry has and whose bytes do not match their names.
    var foreignObjects: Set<ObjectName> = []
    /// A live diary has a list of contents, as backups have.
    var hasForeignList = false
    /// The files of entries; a file that two entries have counts twice.
    var attachments: Set<AttachmentPlace> = []

    /// Removes rows that nothing names, and has each entry's row name its page; returns how many there were.
    func mend(_ store: VaultRows, removing: Bool = true) throws(VaultError) -> Int {
      for (entry, page) in misplaced { try store.setPage(page, of: entry) }
      guard removing else { return misplaced.count }
      for (row, table) in orphans { try store.remove(row, from: table) }
      return misplaced.count + orphans.count
    }
  }

  /// - Parameter checksDatabase: whether SQLite's own check is made, which has no slices; a process without a key can make
  ///   it, too, by ``VerifyReport/databaseProblems(_:settings:)``.
  package init(_ vault: Vault, checksDatabase: Bool = true) throws(VaultError) {
    self.vault = vault
    stage = checksDatabase ? .database : .file
    let snapshot = try Snapshot(vault)
    self.snapshot = snapshot
    ref = vault.latest?.ref
    catalogue = snapshot.catalogue
    checksFiles = true
    try begin()
  }

  /// Verifies rows that were copied and are not committed yet, without the files of entries.
  init(copied catalogue: Catalogue) throws(VaultError) {
    vault = catalogue.vault
    stage = .entries
    snapshot = nil
    self.catalogue = catalogue
    checksFiles = false
    try begin()
  }

  private func begin() throws(VaultError) {
    sections = catalogue.state.sections.reversed()
    // What was read before says nothing about what is there now.
    vault.forgetPages()
    try catalogue.store.widenCache()
  }

  deinit { catalogue.store.narrowCache() }

  package var entriesSeen: Int { seen.entries.count }
  package var entriesInAll: Int { catalogue.state.count }

  func finish() throws(VaultError) -> VerifyReport {
    while true {
      if let report = try step(.unlimited) { return report }
    }
  }

  /// Goes on; nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> VerifyReport? {
    repeat {
      switch stage {
      case .database:
        report.note(try catalogue.store.integrityProblems())
        stage = .file
      case .file:
        try checkFile()
        stage = .entries
      case .entries: if try !checkNextEntry() { stage = .rows }
      case .rows:
        try checkRows()
        stage = checksFiles && !vault.isBackup ? .unfinished : .done
      case .unfinished: if try !checkNextUnfinished() { stage = .done }
      case .done: return report
      }
    } while !slice.isOver
    return nil
  }

  private func note(
    _ severity: VerifyReport.Problem.Severity, _ what: DamagedPart, _ error: VaultError
  ) throws(VaultError) {
    // The machine's troubles are not the vault's.
    switch error.code {
    case .damaged, .tampered, .notAVault: report.note(.init(severity, what, error))
    default: throw error
    }
  }

  private func checkFile() throws(VaultError) {
    for problem in try vault.keyringProblems(catalogue.store, catalogue.state) {
      try note(.minor, .thing(.keySlots), VaultError(.damaged, .keyring, .keyring([problem])))
    }
    if vault.missingSlots > 0 {
      try note(
        .lost, .thing(.keySlots),
        VaultError(.damaged, .keySlots, "", .slotsMissing(vault.missingSlots)))
    }
    do throws(VaultError) { _ = try catalogue.register() } catch {
      try note(.lost, .names, error)
    }
  }

  /// One step down the catalogue: a piece of an attachment, an entry, a page or a section. False at its end.
  private func checkNextEntry() throws(VaultError) -> Bool {
    if checking.count > 1 {
      try stepObjects()
    } else if let (stored, id) = attachments.popLast() {
      let file = AttachedFile(stored, of: id)
      do throws(VaultError) {
        checking.append(
          (ObjectCheck(try ObjectReader(file, in: folder).file, is: stored.object), file))
      } catch {
        // One that another device is to send is no loss.
        if try !catalogue.isAwaited(stored) {
          try note(.lost, .attachment(file.name, ofEntry: id.short), error)
        }
      }
    } else if let (header, ref, next) = page {
      guard next < header.count else {
        page = nil
        return true
      }
      page?.next += 1
      do throws(VaultError) { try check(header, next, in: ref) } catch {
        try note(.lost, .entry(header.id(next).short), error)
      }
    } else if let ref = pages.popLast() {
      seen.pages.insert(ref.id)
      do throws(VaultError) {
        let header = try catalogue.page(ref, keeping: false)
        guard header.trashedCount == Int(ref.trashed), header.count > 0, header.key(0) == ref.first
        else { throw VaultError(.tampered, .headerPage, .countsDoNotFit) }
        page = (header, ref, 0)
      } catch {
        try note(.lost, .entries(Int(ref.count), in: .headerPage), error)
      }
    } else if let known = sections.popLast() {
      seen.sections.insert(known.id)
      do throws(VaultError) {
        let section = try catalogue.section(known)
        guard section.count == Int(known.count), section.trashed == Int(known.trashed),
          section.pages.first?.first == known.first
        else { throw VaultError(.tampered, .directorySection, .countsDoNotFit) }
        pages = section.pages.reversed()
      } catch {
        try note(.lost, .entries(Int(known.count), in: .directorySection), error)
      }
    } else if !checking.isEmpty {
      try stepObjects()
    } else {
      return false
    }
    return true
  }

  /// The next piece of each object that is being looked at.
  private func stepObjects() throws(VaultError) {
    var results = (Step.success(nil), Step.success(nil))
    let (one, two) = (checking[0].check, checking.count > 1 ? checking[1].check : nil)
    Parallel.both {
      results.0 = Step { () throws(VaultError) in try one.step() }
    } and: {
      if let two { results.1 = Step { () throws(VaultError) in try two.step() } }
    }
    var left: [(check: ObjectCheck, file: AttachedFile)] = []
    for (each, step) in zip(checking, [results.0, results.1])
    where try isUnderWay(each.file, step) {
      left.append(each)
    }
    checking = left
  }

  private typealias Step = Result<Bool?, VaultError>

  /// Whether there is more to an object; notes what is wrong with one that ended.
  private func isUnderWay(_ file: AttachedFile, _ step: Step) throws(VaultError) -> Bool {
    do throws(VaultError) {
      guard let isRight = try step.get() else { return true }
      guard isRight else {
        throw VaultError(
          .damaged, .attachment, file.name, .objectIsAnother(file.file.object.text))
      }
    } catch {
      try note(.lost, .attachment(file.name, ofEntry: "\(file.entry)"), error)
    }
    return false
  }

  private func check(_ page: HeaderPage, _ index: Int, in ref: PageRef) throws(VaultError) {
    let id = page.id(index)
    let header = try unsealing(.header) { () throws(SealingError) in try page.header(index) }
    guard seen.entries.insert(id.key).inserted else {
      throw VaultError(.tampered, .entry, id.short, .isThereTwice)
    }
    guard let row = try catalogue.store.page(of: id.key) else {
      throw VaultError(.tampered, .entry, id.short, .rowMissing)
    }
    if row != ref.id {
      seen.misplaced.append((id.key, ref.id))
      try note(
        .suspicious, .entry(id.short),
        VaultError(.tampered, .entry, id.short, .rowNamesOtherPage))
    }
    let body = try catalogue.body(header)
    guard body.utf8.count == header.bodySize else {
      throw VaultError(.tampered, .entry, id.short, .sizeDoesNotFit)
    }
    for revision in try catalogue.revisions(of: header) {
      for stored in revision.header.attachments {
        seen.attachments.insert(
          AttachmentPlace(entry: id, object: stored.object, name: stored.attachment.name))
        guard let known = seen.objects.updateValue(stored.sealedSize, forKey: stored.object) else {
          if checksFiles { attachments.append((stored, id)) }
          continue
        }
        guard known == stored.sealedSize else {
          throw VaultError(.tampered, .entry, id.short, .fileHasTwoSizes)
        }
      }
      guard revision.header.revision != header.revision else { continue }
      seen.revisions += 1
      let number = revision.header.revision
      seen.pasts.insert(vault.keys.past(.header, of: id.key, revision: number))
      if revision.bodyAt == number {
        seen.pasts.insert(vault.keys.past(.text, of: id.key, revision: number))
      }
      _ = try catalogue.body(revision)
    }
  }

  private func checkRows() throws(VaultError) {
    report.entries = seen.entries.count
    report.revisions = seen.revisions + seen.entries.count
    report.attachments = seen.attachments.count
    do throws(VaultError) { _ = try catalogue.templates() } catch {
      try note(.lost, .thing(.templates), error)
    }
    var replicaRows: Set<Int64> = []
    do throws(VaultError) {
      replicaRows = try ReplicaStore(catalogue, orLeft: true)?.check() ?? []
    } catch {
      try note(.lost, .thing(.otherDevices), error)
      replicaRows = Set((try? catalogue.store.rows(of: .replica)) ?? [])
    }
    let rows = catalogue.store
    for (table, known) in [
      (VaultRows.Table.section, seen.sections), (.page, seen.pages), (.body, seen.entries),
      (.register, [1, 2]), (.history, seen.pasts), (.replica, replicaRows), (.state, [1]),
      (.keyring, [1]), (.keyringCopy, [1]),
    ] {
      do throws(VaultError) {
        for row in try rows.rows(of: table) where !known.contains(row) {
          seen.orphans.append((row, table))
        }
      } catch {
        // What is known of other devices is nothing where there are none.
        let isUnused = table == .replica && catalogue.state.space == nil
        try note(isUnused ? .suspicious : .lost, .table(table.rawValue), error)
      }
    }
    if checksFiles, !vault.isBackup {
      unfinished = try folder.objectNames(ofAnyKind: true).filter { seen.objects[$0] == nil }
      if !unfinished.isEmpty { keptFiles = vault.filesOfKeptTexts(vault) }
      if FileSystem.exists(folder.contents) {
        seen.hasForeignList = true
        try note(
          .suspicious, .table("contents"), VaultError(.tampered, "contents", .belongsToNothing))
      }
    }
    for orphan in seen.orphans {
      try note(
        .suspicious, .table(orphan.table.rawValue),
        VaultError(.tampered, .row, "\(orphan.row) of \(orphan.table.rawValue)", .belongsToNothing))
    }
  }
}

extension Verification {
  /// An object that no entry has belongs to a file that was never finished; it takes room. One that does not match its name
  /// is no file of ours, and no backup would copy it. False after the last.
  private func checkNextUnfinished() throws(VaultError) -> Bool {
    if let (name, check) = checkingUnfinished {
      guard let isWhole = try check.step() else { return true }
      checkingUnfinished = nil
      if !isWhole {
        try noteForeign(name)
      } else if keptFiles.objects.contains(name) {
        report.kept += 1
      } else if keptFiles.areAll {
        report.unfinished += 1
      }
      return true
    }
    guard let name = unfinished.popLast() else { return false }
    if let file = try folder.openPlain(name) {
      checkingUnfinished = (name, ObjectCheck(file, is: name))
    } else {
      try noteForeign(name)
    }
    return true
  }

  private func noteForeign(_ name: ObjectName) throws(VaultError) {
    seen.foreignObjects.insert(name)
    try note(
      .suspicious, .thing(.attachment),
      VaultError(.damaged, "objects/" + name.text, .objectIsAnother(name.text)))
  }
}

/// A file of an entry.
struct AttachmentPlace: Hashable {
  let entry: EntryID
  let object: ObjectName
  let name: String
}

extension VerifyReport {
  /// What SQLite says of the database as a file, for ``note(_:)``; this needs no key.
  package static func databaseProblems(
    _ path: String, settings: VaultSettings
  ) throws(VaultError) -> [String] {
    try VaultRows(path, .readOnly, settings: settings).integrityProblems()
  }
}

extension Vault {
  /// Opens every record along its path, and looks for rows that belong to none.
  ///
  /// - Parameter progress: called with entries done and entries there.
  /// - Throws: ``VaultError`` only for what keeps it from looking: `busy`, `permission`, …
  package func verify(
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VaultError) -> VerifyReport {
    let verification = try Verification(self)
    while true {
      if let report = try verification.step(Slice(milliseconds: 50)) { return report }
      progress(verification.entriesSeen, verification.entriesInAll)
    }
  }

  /// What is wrong with the copies of the keyring, judged by the state record.
  func keyringProblems(
    _ store: VaultRows, _ state: StateRecord
  ) throws(VaultError) -> [KeyringProblem] {
    do throws(VaultError) {
      return problems(of: try LockedVault(store, path: path), state)
    } catch {
      guard error.code == .damaged else { throw error }
      guard case .keyring(let problems) = error.reason else { throw error }
      return problems
    }
  }

  /// The same for the file that was opened.
  package func keyringProblems(_ file: LockedVault) -> [KeyringProblem] {
    latestState.map { problems(of: file, $0) } ?? file.keyringProblems
  }

  private func problems(of file: LockedVault, _ state: StateRecord) -> [KeyringProblem] {
    let isForeign = file.copies.contains {
      KnownSlots($0) != state.slots || $0.keyID != keyring.keyID || $0.vaultID != keyring.vaultID
    }
    return file.keyringProblems.isEmpty && isForeign
      ? [.notTheKnownSlots] : file.keyringProblems
  }
}
