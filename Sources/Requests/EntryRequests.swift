package import Entries

/// Most entries that one request may name.
package let referenceLimit = 10_000

package struct AddEntry: Request {
  package typealias Answer = Written
  package static let kind = RequestKind.addEntry
  package static let access = RequestAccess.writes
  package let draft: EntryDraft
  /// The entry's id, if the same text is also kept until it is saved; nil for a new id.
  package var id: EntryID?
  package init(_ draft: EntryDraft) { self.draft = draft }
}

package struct EditEntry: Request {
  package typealias Answer = Written
  package static let kind = RequestKind.editEntry
  package static let access = RequestAccess.writes
  package let entry: EntryReference
  package let change: EntryChange
  /// The revision the edit began from; `conflict` when it is not the newest.
  package let expected: UInt64?
  package init(_ entry: EntryReference, _ change: EntryChange, expected: UInt64? = nil) {
    self.entry = entry
    self.change = change
    self.expected = expected
  }
}

/// Moves entries to the trash; answers how many.
package struct DeleteEntries: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.deleteEntries
  package static let access = RequestAccess.holds
  package let entries: [EntryReference]
  package init(_ entries: [EntryReference]) { self.entries = entries }
}

/// Takes entries out of the trash; answers how many. nil takes all of them.
package struct RestoreEntries: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.restoreEntries
  package static let access = RequestAccess.holds
  package let entries: [EntryReference]?
  package init(_ entries: [EntryReference]?) { self.entries = entries }
}

/// Removes entries for good; answers how many. nil empties the trash.
package struct PurgeEntries: Request {
  package typealias Answer = Int
  package static let kind = RequestKind.purgeEntries
  package static let access = RequestAccess.holds
  package let entries: [EntryReference]?
  package init(_ entries: [EntryReference]?) { self.entries = entries }
}

/// Entries one by one, in the order of their dates.
package struct ListEntries: Request {
  package enum Order: String, Codable, Sendable { case newestFirst, oldestFirst }

  package typealias Answer = Done
  package static let kind = RequestKind.listEntries
  package static let access = RequestAccess.reads
  package var filter: EntryFilter
  package var order: Order
  package var limit: Int?
  package var bodies: Bool
  package var query: SearchQuery?
  /// Begins after this entry, for scrolling.
  package var after: EntryReference?

  package init(
    _ filter: EntryFilter = EntryFilter(), order: Order = .newestFirst, limit: Int? = nil,
    bodies: Bool = false, query: SearchQuery? = nil, after: EntryReference? = nil
  ) {
    self.filter = filter
    self.order = order
    self.limit = limit
    self.bodies = bodies
    self.query = query
    self.after = after
  }
}

/// Whole entries, in the order asked for: all of them, or none.
package struct ShowEntries: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.showEntries
  package static let access = RequestAccess.reads
  package let entries: [EntryReference]
  package let revision: UInt64?
  package let isInTrash: Bool
  /// Whether what is shown will be changed.
  package let isForChange: Bool

  package init(
    _ entries: [EntryReference], revision: UInt64? = nil, isInTrash: Bool = false,
    isForChange: Bool = false
  ) {
    self.entries = entries
    self.revision = revision
    self.isInTrash = isInTrash
    self.isForChange = isForChange
  }
}

/// Every revision of an entry, newest first, without texts.
package struct EntryHistory: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.entryHistory
  package static let access = RequestAccess.reads
  package let entry: EntryReference
  package init(_ entry: EntryReference) { self.entry = entry }
}

/// The public key for text that cannot be saved.
package struct DraftKey: Request {
  package typealias Answer = [UInt8]
  package static let kind = RequestKind.draftKey
  package static let access = RequestAccess.reads
  package init() {}
}

/// What was sealed to it, in a line: what somebody looks at who decides about it.
package struct DescribeDraft: Request {
  package typealias Answer = UnsavedText.Description
  package static let kind = RequestKind.describeDraft
  package static let access = RequestAccess.reads
  package let sealed: [UInt8]
  package init(_ sealed: [UInt8]) { self.sealed = sealed }
}

/// Saves what was sealed to it.
package struct RecoverDraft: Request {
  package typealias Answer = UnsavedText.Saved
  package static let kind = RequestKind.recoverDraft
  package static let access = RequestAccess.writes
  package let sealed: [UInt8]
  package init(_ sealed: [UInt8]) { self.sealed = sealed }
}

/// Tells the session that somebody is at work without asking for anything, as in an open editor.
package struct KeepAwake: Request {
  package typealias Answer = Done
  package static let kind = RequestKind.keepAwake
  package static let access = RequestAccess.reads
  package init() {}
}
