/// An entry that comes from elsewhere.
public struct ImportedEntry: Sendable, Equatable {
  /// Its id there, when it has one.
  public var id: EntryID?
  public var draft: EntryDraft
  public var created: Int64?
  public var modified: Int64?

  public init(
    id: EntryID? = nil, draft: EntryDraft, created: Int64? = nil, modified: Int64? = nil
  ) {
    self.id = id
    self.draft = draft
    self.created = created
    self.modified = modified
  }
}

/// A piece of what is imported, in the order it comes.
public enum ImportItem: Sendable {
  case journal(Journal)
  case kind(Kind)
  case template(EntryTemplate)
  case entry(ImportedEntry)
  /// The bytes of a file, piece by piece, then its name and type; the next entry takes it. ``ImportSealer`` seals them.
  case piece([UInt8])
  case attachment(name: String, type: String)
}

public struct ImportCounts: Sendable, Equatable, Codable {
  public var imported = 0
  public var duplicates = 0
  /// Entries that were here with other content and have a new revision now.
  public var updated = 0
  /// Entries that are here with other content, or in the trash, and stay as they are.
  public var skipped = 0

  public init(imported: Int = 0, duplicates: Int = 0, updated: Int = 0, skipped: Int = 0) {
    self.imported = imported
    self.duplicates = duplicates
    self.updated = updated
    self.skipped = skipped
  }
}

/// What becomes of an entry that is here with other content.
public enum ImportConflict: String, Sendable, Codable, CaseIterable {
  /// Nothing is imported.
  case refuse
  /// It stays as it is.
  case skip
  /// It gets a new revision; the old one is in its history.
  case update
}
