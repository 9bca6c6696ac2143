public import DiaryVault

// What a program that embeds the diary reads and writes, while it is open.
extension Diary {
  /// Adds an entry; durable when this returns.
  ///
  /// - Throws: ``AuthenticationError`` `locked` while closed; ``VaultError``.
  public func add(_ draft: EntryDraft) throws -> EntryID { try vault().add(draft).id }

  /// Makes a new revision and returns its number.
  public func edit(_ entry: EntryID, _ change: EntryChange, expected: UInt64? = nil) throws
    -> UInt64
  {
    try vault().edit(.prefix(entry.description), change, expected: expected).revision
  }

  /// An entry with its body.
  public func entry(_ reference: EntryReference) throws -> Entry {
    try Snapshot(vault()).entry(reference)
  }

  /// Entries, newest first, without bodies unless asked for.
  public func entries(
    _ filter: EntryFilter = EntryFilter(), matching query: SearchQuery? = nil, limit: Int? = nil,
    bodies: Bool = false
  ) throws -> [Entry] {
    let cursor = try EntryCursor(
      Snapshot(vault()), filter: filter, limit: limit, bodies: bodies, query: query)
    var entries: [Entry] = []
    while let entry = try cursor.next() { entries.append(entry) }
    return entries
  }

  /// Moves entries to the trash.
  public func delete(_ entries: [EntryID]) throws {
    _ = try vault().delete(entries.map { .prefix($0.description) })
  }

  /// Takes entries back out of the trash.
  public func restore(_ entries: [EntryID]) throws {
    _ = try vault().restore(entries.map { .prefix($0.description) })
  }
}
