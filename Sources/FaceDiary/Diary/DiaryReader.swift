internal import Access
public import Entries
internal import Keeper
internal import Requests
internal import SealedFiles

/// Operations that read an open diary.
///
/// Each of these throws ``AuthenticationError`` `locked` while the diary is closed, and ``VaultError``: `notFound`,
/// `ambiguous`, `damaged`, `tampered`, `rolledBack`, `busy`.
public protocol DiaryReader: Sendable {
  /// An entry with its text.
  func entry(_ reference: EntryReference) async throws -> Entry
  /// Entries by date, without their texts unless asked for; all of them for a nil limit. The cost grows with what is
  /// returned, not with the diary, except for a search.
  func entries(
    _ filter: EntryFilter, matching query: SearchQuery?, limit: Int?, bodies: Bool
  ) async throws -> [Entry]
  /// Every revision of an entry, newest first, without texts.
  func history(of entry: EntryReference) async throws -> [Entry]
  /// Journals and kinds, in the owner's order.
  func names() async throws -> (journals: [Journal], kinds: [Kind])
  /// How many entries there are, and in the trash.
  func count() async throws -> (live: Int, trashed: Int)
  /// How many entries have each tag, kind or journal; how often each word occurs.
  func tally(_ subject: TallySubject, _ filter: EntryFilter) async throws -> [TallyCount]
  /// Entries, words and days.
  func statistics(_ filter: EntryFilter) async throws -> DiaryStatistics
  /// Texts to start from.
  func templates() async throws -> [EntryTemplate]
  /// The bytes of an attachment, in memory.
  func attachment(_ name: String, of entry: EntryReference) async throws -> [UInt8]
  /// Opens every record along its path.
  func verify() async throws -> VerifyReport
}

extension Diary: DiaryReader {
  public func entry(_ reference: EntryReference) throws -> Entry {
    guard let entry = try collect(ShowEntries([reference])).first else {
      throw VaultError(.notFound, .entry, "\(reference)")
    }
    return entry
  }

  /// A revision before the newest, counted from 1; with its text.
  public func entry(_ reference: EntryReference, revision: UInt64) throws -> Entry {
    guard let entry = try collect(ShowEntries([reference], revision: revision)).first else {
      throw VaultError(.notFound, .entry, "\(reference)")
    }
    return entry
  }

  public func entries(
    _ filter: EntryFilter = EntryFilter(), matching query: SearchQuery? = nil, limit: Int? = nil,
    bodies: Bool = false
  ) throws -> [Entry] {
    try collect(ListEntries(filter, limit: limit, bodies: bodies, query: query))
  }

  /// Every entry that a filter lets through, with its text, oldest first: for an export of your own. Memory is constant.
  public func forEachEntry(
    _ filter: EntryFilter = EntryFilter(), _ body: @Sendable (Entry) throws -> Void
  ) throws {
    try each(ListEntries(filter, order: .oldestFirst, bodies: true), body)
  }

  public func history(of entry: EntryReference) throws -> [Entry] {
    try collect(EntryHistory(entry))
  }

  public func names() throws -> (journals: [Journal], kinds: [Kind]) {
    let names = try run(ListNames())
    return (names.journals, names.kinds)
  }

  public func count() throws -> (live: Int, trashed: Int) {
    let counts = try run(CountEntries())
    return (counts.live, counts.trashed)
  }

  public func tally(
    _ subject: TallySubject, _ filter: EntryFilter = EntryFilter()
  ) throws -> [TallyCount] { try run(Tally(subject, filter)) }

  public func statistics(_ filter: EntryFilter = EntryFilter()) throws -> DiaryStatistics {
    try run(Statistics(filter))
  }

  public func templates() throws -> [EntryTemplate] { try run(ListTemplates()) }

  public func attachment(_ name: String, of entry: EntryReference) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let reader = try ObjectReader(
      try run(FindAttachment(name, of: entry)), in: VaultFolder(location.vault))
    while let piece = try reader.next() { bytes += piece }
    return bytes
  }

  public func verify() throws -> VerifyReport { try run(VerifyVault(checksDatabase: true)) }
}
