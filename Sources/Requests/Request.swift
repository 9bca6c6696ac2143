package import Entries

/// A request to a diary, with the type of its answer. Everything in a diary is reached through
/// requests.
///
/// A request says what it is and who may ask it; what it does stands in the keeper. An app's diary runs requests in place,
/// the command's clients send them to the process that holds the keys. None gives the vault key away (only that of a file's
/// own object, to a client that is given the file).
package protocol Request: Codable, Sendable {
  associatedtype Answer: Codable & Sendable
  static var kind: RequestKind { get }
  static var access: RequestAccess { get }
}

/// What a request needs of the diary, and does to it.
package enum RequestAccess: Sendable, Equatable {
  /// Opens nothing before it runs: it looks at a closed diary or copies it, makes one, or opens one by itself; asked of a keeper of this purpose.
  case closed(KeeperTask.Purpose)
  case reads
  /// Changes the diary at once, and waits while another client's work holds it.
  case writes
  /// Is one change over many slices of time, and holds the vault's write lock until its end.
  case holds
  /// Makes access permanent or takes it away: asked only of a keeper that was opened by a secret just now, for this alone.
  case owner

  /// Whether it changes the vault.
  package var changes: Bool { self == .writes || self == .holds }
}

/// The requests there are, and their numbers on the wire.
package enum RequestKind: UInt8, CaseIterable, Codable, Sendable {
  case addEntry = 1
  case editEntry, deleteEntries, restoreEntries, purgeEntries
  case listEntries, showEntries, entryHistory, listConflicts
  case draftKey, describeDraft, recoverDraft, keepAwake
  case objectKey, findAttachment, importEntries
  case listNames, changeNames, countEntries, tally, statistics, listTemplates, setTemplate
  case listKeySlots, verifyVault, updateIndex, repairVault, beginBackup, sealBackup
  case settle, leaveSpace, syncStatus
  case listFaces, enrollFaces, removeFace, renameFace, recalibrateFaces
  case readPolicy, setPolicy
  case addPassphrase, addRecoveryCode, addFacePassphrase, removeSlot, changePassphrase, rotateKeys
  case moveDeviceKey, restoreBackup
  case lookAtVault, askStanding, checkDatabase, makeBackup, findBackups, removeBackups
  case createVault, salvageVault, reviveBackup, acceptOlderCopy
  case beginSpace, inviteDevice, joinSpace, recoverSpace, revokeDevice
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

  package init(_ written: (id: EntryID, revision: UInt64)) {
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

  /// The civil day of the newest entry that passes, days since 1970-01-01; nil where none does.
  package func newestDay(_ filter: EntryFilter) throws -> Int? {
    var day: Int?
    try run(ListEntries(filter, limit: 1)) { day = $0.date.day }
    return day
  }
}
