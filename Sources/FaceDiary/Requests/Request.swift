package import DiaryVault

/// A question to an open diary, with the type of its answer.
///
/// The one way to anything in it: an app's ``Diary`` runs requests in place, the command's clients send them to the
/// process that holds the keys. None of these gives the vault key (only that of a file's own object, to who is given the
/// file), and none makes access permanent: those are ``OwnerRequest``s.
package protocol Request: Codable, Sendable {
  associatedtype Answer: Codable & Sendable
  static var kind: RequestKind { get }
  /// Begins it; what needs no streaming is done at once.
  func begin(on vault: Vault) throws(VaultError) -> Work<Answer>
}

/// The requests there are, and their numbers on the wire.
package enum RequestKind: UInt8, CaseIterable, Codable, Sendable {
  case addEntry = 1
  case editEntry, deleteEntries, restoreEntries, purgeEntries, listEntries, showEntries,
    entryHistory
  case listNames, changeNames, countEntries, tally, statistics
  case listTemplates, setTemplate
  case objectSalt, findAttachment
  case importEntries, verifyVault, repairVault, sealBackup
  case draftKey, recoverDraft, keepAwake
  case updateIndex
  case listKeySlots
  case settle, syncStatus, listConflicts, leaveSpace

  package var type: any Request.Type {
    switch self {
    case .addEntry: AddEntry.self
    case .editEntry: EditEntry.self
    case .deleteEntries: DeleteEntries.self
    case .restoreEntries: RestoreEntries.self
    case .purgeEntries: PurgeEntries.self
    case .listEntries: ListEntries.self
    case .showEntries: ShowEntries.self
    case .entryHistory: EntryHistory.self
    case .listNames: ListNames.self
    case .changeNames: ChangeNames.self
    case .countEntries: CountEntries.self
    case .tally: Tally.self
    case .statistics: Statistics.self
    case .listTemplates: ListTemplates.self
    case .setTemplate: SetTemplate.self
    case .objectSalt: ObjectSalt.self
    case .findAttachment: FindAttachment.self
    case .importEntries: ImportEntries.self
    case .verifyVault: VerifyVault.self
    case .repairVault: RepairVault.self
    case .sealBackup: SealBackup.self
    case .draftKey: DraftKey.self
    case .recoverDraft: RecoverDraft.self
    case .keepAwake: KeepAwake.self
    case .updateIndex: UpdateIndex.self
    case .listKeySlots: ListKeySlots.self
    case .settle: Settle.self
    case .syncStatus: AskSyncStatus.self
    case .listConflicts: ListConflicts.self
    case .leaveSpace: LeaveSpace.self
    }
  }

  /// Whether it is one change over many slices, which holds the vault's write lock until its end.
  var holdsVault: Bool {
    switch self {
    case .importEntries, .deleteEntries, .restoreEntries, .purgeEntries, .changeNames: true
    default: false
    }
  }

  /// Whether it changes the vault, and so waits while another client's work holds it.
  var writes: Bool {
    switch self {
    case .addEntry, .editEntry, .deleteEntries, .restoreEntries, .purgeEntries, .changeNames,
      .setTemplate, .importEntries, .repairVault, .recoverDraft, .settle, .leaveSpace:
      true
    default: false
    }
  }
}

/// An answer without anything in it.
package struct Done: Codable, Sendable, Equatable { package init() {} }

/// An entry as it was written.
package struct Written: Codable, Sendable, Equatable {
  package let id: EntryID
  package let revision: UInt64

  package init(id: EntryID, revision: UInt64) {
    self.id = id
    self.revision = revision
  }

  init(_ written: (id: EntryID, revision: UInt64)) {
    self.init(id: written.id, revision: written.revision)
  }
}

/// Somebody who runs requests: the session, or a keeper of one's own.
package protocol DiaryConnection: AnyObject {
  /// Runs `request`.
  ///
  /// - Parameters:
  ///   - items: what to import, one by one, nil at the end.
  ///   - entry: takes the entries, one by one.
  /// - Throws: ``VaultError``; ``SessionError``; what the closures throw.
  func run<R: Request>(
    _ request: R, items: () throws -> ImportItem?, entry: (Entry) throws -> Void
  ) throws -> R.Answer
}

extension DiaryConnection {
  @discardableResult
  package func run<R: Request>(
    _ request: R, entry: (Entry) throws -> Void = { _ in }
  ) throws -> R.Answer {
    try run(request, items: { nil }, entry: entry)
  }

  package func run<R: Request>(
    _ request: R, items: () throws -> ImportItem?
  ) throws -> R.Answer {
    try run(request, items: items, entry: { _ in })
  }
}
