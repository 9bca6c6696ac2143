package import DiaryVault

/// Settles the diary with what lies in its mirror: tells what was done here, merges what came.
package struct Settle: Request {
  package static let kind = RequestKind.settle
  /// Whether more than a few entries may go by what others did.
  package let allowsRemovals: Bool
  /// Whether what is merged is put into packs, without what was purged.
  package let compacts: Bool
  package init(allowsRemovals: Bool = false, compacts: Bool = false) {
    self.allowsRemovals = allowsRemovals
    self.compacts = compacts
  }
  package func begin(on vault: Vault) throws(VaultError) -> Work<SyncReport> {
    let reconciliation = Reconciliation(
      vault, allowsRemovals: allowsRemovals, compacts: compacts)
    return Work { slice throws(VaultError) in
      try reconciliation.step(slice).map { .answer($0) } ?? .paused
    }
  }
}

/// Forgets the other devices, and keeps the diary.
package struct LeaveSpace: Request {
  package static let kind = RequestKind.leaveSpace
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    try vault.leaveSpace()
    return Work(Done())
  }
}

/// Where the diary stands among its devices.
package struct AskSyncStatus: Request {
  package struct Answer: Codable, Sendable {
    /// nil when the diary shares nothing.
    package let status: SyncStatus?
  }

  package static let kind = RequestKind.syncStatus
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<Answer> {
    Work(Answer(status: try vault.syncStatus()))
  }
}

/// Entries with more than one text, or the one that is meant.
package struct ListConflicts: Request {
  package static let kind = RequestKind.listConflicts
  package let entry: EntryReference?
  package init(_ entry: EntryReference? = nil) { self.entry = entry }
  package func begin(on vault: Vault) throws(VaultError) -> Work<[ConflictingEntry]> {
    Work(try vault.conflicts(entry))
  }
}
