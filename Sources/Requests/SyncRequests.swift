package import Entries

/// Settles the diary with what lies in its mirror: tells what was done here, merges what came.
package struct Settle: Request {
  package typealias Answer = SyncReport
  package static let kind = RequestKind.settle
  package static let access = RequestAccess.writes
  /// How many entries may go by what others did, beside the few that go without asking.
  package let removals: Int
  /// Whether what is merged is put into packs, without what was purged.
  package let compacts: Bool
  /// Whether photos and files that are lost here are wanted again, where the place has them.
  package let repairs: Bool
  /// Whether a person is told what comes of it; else what is to be said once is kept for the next time.
  package let isTold: Bool
  package init(
    allowing removals: Int = 0, compacts: Bool = false, repairs: Bool = false, isTold: Bool = false
  ) {
    self.repairs = repairs
    self.removals = removals
    self.isTold = isTold
    self.compacts = compacts
  }
}

/// Forgets the other devices, and keeps the diary.
package struct LeaveSpace: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.leaveSpace
  package static let access = RequestAccess.writes
  package init() {}
}

/// Where the diary stands among its devices.
package struct AskSyncStatus: Request {
  package struct Answer: Codable, Sendable {
    /// nil when the diary shares nothing.
    package let status: SyncStatus?

    package init(status: SyncStatus?) {
      self.status = status
    }
  }

  package static let kind = RequestKind.syncStatus
  package static let access = RequestAccess.reads
  package init() {}
}

/// Entries with more than one text, or the one that is meant; so many at once as one answer holds.
package struct ListConflicts: Request {
  package typealias Answer = [ConflictingEntry]
  package static let kind = RequestKind.listConflicts
  package static let access = RequestAccess.reads
  package let entry: EntryReference?
  /// The last one of the answer before; nil for the first.
  package let after: EntryID?

  package init(_ entry: EntryReference? = nil, after: EntryID? = nil) {
    self.entry = entry
    self.after = after
  }
}
