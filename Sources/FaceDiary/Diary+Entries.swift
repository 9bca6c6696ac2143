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

  /// Removes trashed entries for good.
  public func purge(_ entries: [EntryID]) throws {
    _ = try vault().purge(entries.map { .prefix($0.description) })
  }

  /// Journals and kinds, in the owner's order.
  public func names() throws -> (journals: [Journal], kinds: [Kind]) {
    let register = try Snapshot(vault()).register()
    return (register.journals, register.kinds)
  }

  /// Changes journals or kinds and returns how many entries that touched.
  @discardableResult
  public func change(_ names: NamesChange) throws -> Int { try vault().change(names: names) }

  /// How many entries have each tag, kind or journal; how often each word stands there.
  public func tally(
    _ subject: TallySubject, _ filter: EntryFilter = EntryFilter()
  ) throws -> [TallyCount] { try Snapshot(vault()).tally(subject, filter) }

  /// Entries, words and days.
  public func statistics(_ filter: EntryFilter = EntryFilter()) throws -> DiaryStatistics {
    try Snapshot(vault()).statistics(filter)
  }

  /// Seals a file in the vault; an entry or an edit then takes it.
  ///
  /// - Parameter pieces: its bytes, a piece a call, nil at the end.
  public func stage(
    name: String, type: String, _ pieces: () throws -> [UInt8]?
  ) throws -> StagedAttachment {
    let stage = try AttachmentStage(vault())
    while let piece = try pieces() { try stage.take(piece) }
    return try stage.finish(name: name, type: type)
  }

  /// Gives the bytes of an attachment piece by piece.
  public func attachment(
    _ name: String, of entry: EntryID, _ body: ([UInt8]) throws -> Void
  ) throws {
    let reader = try AttachmentReader(
      Snapshot(vault()), .prefix(entry.description), name: name)
    while let piece = try reader.next() { try body(piece) }
  }

  /// How many entries there are, the trash not counted.
  public func count() throws -> Int { try Snapshot(vault()).count }
}
