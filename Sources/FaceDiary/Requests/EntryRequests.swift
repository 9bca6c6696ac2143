package import DiaryVault

/// Most entries that one request may name.
package let referenceLimit = 10_000

private func checked(_ references: [EntryReference]) throws(VaultError) -> [EntryReference] {
  guard references.count <= referenceLimit else {
    throw VaultError(.entries, expected: .atMostAtOnce(referenceLimit))
  }
  return references
}

package struct AddEntry: Request {
  package static let kind = RequestKind.addEntry
  package let draft: EntryDraft
  package init(_ draft: EntryDraft) { self.draft = draft }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Written> {
    Work(Written(try vault.add(draft)))
  }
}

package struct EditEntry: Request {
  package static let kind = RequestKind.editEntry
  package let entry: EntryReference
  package let change: EntryChange
  /// The revision the edit began from; `conflict` when it is not the newest.
  package let expected: UInt64?
  package init(_ entry: EntryReference, _ change: EntryChange, expected: UInt64? = nil) {
    self.entry = entry
    self.change = change
    self.expected = expected
  }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Written> {
    Work(Written(try vault.edit(entry, change, expected: expected)))
  }
}

/// To the trash; answers how many.
package struct DeleteEntries: Request {
  package static let kind = RequestKind.deleteEntries
  package let entries: [EntryReference]
  package init(_ entries: [EntryReference]) { self.entries = entries }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.deleting(try checked(entries)))
  }
}

/// Out of the trash; answers how many.
package struct RestoreEntries: Request {
  package static let kind = RequestKind.restoreEntries
  package let entries: [EntryReference]
  package init(_ entries: [EntryReference]) { self.entries = entries }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.restoring(try checked(entries)))
  }
}

/// For good; answers how many. Nil empties the trash.
package struct PurgeEntries: Request {
  package static let kind = RequestKind.purgeEntries
  package let entries: [EntryReference]?
  package init(_ entries: [EntryReference]?) { self.entries = entries }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.purging(try entries.map(checked)))
  }
}

/// Entries one by one, in the order of their dates.
package struct ListEntries: Request {
  package enum Order: String, Codable, Sendable { case newestFirst, oldestFirst }

  package static let kind = RequestKind.listEntries
  package var filter: EntryFilter
  package var order: Order
  package var limit: Int?
  package var bodies: Bool
  package var query: SearchQuery?
  /// Begin behind this one: for who scrolls.
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

  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    Work(
      try EntryCursor(
        try Snapshot(vault), filter: filter, newestFirst: order == .newestFirst, limit: limit,
        bodies: bodies, query: query, after: after), answer: Done())
  }
}

/// Whole entries, in the order asked for: all of them, or none.
package struct ShowEntries: Request {
  package static let kind = RequestKind.showEntries
  package let entries: [EntryReference]
  package let revision: UInt64?
  package let isInTrash: Bool

  package init(_ entries: [EntryReference], revision: UInt64? = nil, isInTrash: Bool = false) {
    self.entries = entries
    self.revision = revision
    self.isInTrash = isInTrash
  }

  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    let snapshot = try Snapshot(vault)
    var unknown = try checked(entries)[...]
    var found: [FoundEntry] = []
    var next = 0
    return Work { [revision, isInTrash] slice throws(VaultError) in
      // All must be there before the first is shown.
      while let reference = unknown.popFirst() {
        found.append(try snapshot.find(reference, trash: isInTrash))
        if slice.isOver { return .paused }
      }
      guard next < found.count else { return .answer(Done()) }
      defer { next += 1 }
      return .entries([try snapshot.entry(found[next], revision: revision)])
    }
  }
}

/// Every revision of an entry, newest first, without texts.
package struct EntryHistory: Request {
  package static let kind = RequestKind.entryHistory
  package let entry: EntryReference
  package init(_ entry: EntryReference) { self.entry = entry }

  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    var revisions: [Entry]? = try Snapshot(vault).history(entry)
    return Work { _ throws(VaultError) in
      guard let all = revisions else { return .answer(Done()) }
      revisions = nil
      return .entries(all)
    }
  }
}

/// The public key for text that cannot be saved.
package struct DraftKey: Request {
  package static let kind = RequestKind.draftKey
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> { Work(vault.draftKey) }
}

/// Saves what was sealed to it.
package struct RecoverDraft: Request {
  package static let kind = RequestKind.recoverDraft
  package let sealed: [UInt8]
  package init(_ sealed: [UInt8]) { self.sealed = sealed }
  package func begin(on vault: Vault) throws(VaultError) -> Work<UnsavedText.Saved> {
    Work(try UnsavedText(opened: try vault.openDraft(sealed)).save(to: vault))
  }
}

/// Somebody is at work, although nothing is asked for: an open editor.
package struct KeepAwake: Request {
  package static let kind = RequestKind.keepAwake
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> { Work(Done()) }
}
