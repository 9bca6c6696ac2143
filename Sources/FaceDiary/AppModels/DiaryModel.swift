internal import Access
public import Authentication
public import Entries
public import Observation

/// The observable store of a list-and-detail app: journals, the visible entries, the chosen one.
///
/// One source of truth, everything else derived: ``entries`` is what the diary says under ``filter`` and
/// ``searchText``; ``days``, ``selected`` and ``isEmpty`` follow from it. Every change goes to the vault first,
/// durably, and then what is shown is read anew; a view only draws. Nothing stays here when the diary closes.
///
/// ```swift
/// let store = DiaryModel(diary)
/// Task { await store.follow(authentication) }
/// ```
@MainActor @Observable
public final class DiaryModel {
  /// In the owner's order.
  public private(set) var journals: [Journal] = []
  public private(set) var kinds: [Kind] = []
  /// The visible entries, newest first, without their texts: as many as were asked for with ``loadMore()``.
  public private(set) var entries: [Entry] = []
  /// How many entries the diary has in all.
  public private(set) var count = 0
  /// Whether there are more than ``entries``.
  public private(set) var hasMore = false
  /// Why what is shown could not be read; nil when it could.
  public private(set) var trouble: (any Error)?

  /// Which entries are visible.
  public var filter = EntryFilter() { didSet { if filter != oldValue { startOver() } } }
  /// What every visible entry must hold; all words, in any order.
  public var searchText = "" { didSet { if searchText != oldValue { startOver() } } }
  /// The entry chosen in the list.
  public var selection: EntryID?

  @ObservationIgnored private let diary: Diary
  @ObservationIgnored private var limit = DiaryModel.stretch
  private static let stretch = 200
  /// The reading under way after ``filter`` or ``searchText`` changed, and a number for the newest one asked for.
  @ObservationIgnored private var reading: Task<Void, Never>?
  @ObservationIgnored private var asked = 0
  /// Whose session ends when nothing is done here.
  @ObservationIgnored private weak var authentication: AuthenticationModel?

  public init(_ diary: Diary) { self.diary = diary }

  // MARK: Derived

  /// Entries of one civil day, under one heading.
  public struct Day: Identifiable, Sendable, Equatable {
    /// Days since 1970-01-01, where the entries were written.
    public let id: Int
    public let entries: [Entry]
  }

  /// The visible entries by day, newest first.
  public var days: [Day] {
    var days: [Day] = []
    var start = entries.startIndex
    for index in entries.indices
    where index + 1 == entries.endIndex
      || entries[index + 1].date.day != entries[index].date.day
    {
      days.append(Day(id: entries[index].date.day, entries: Array(entries[start...index])))
      start = index + 1
    }
    return days
  }

  /// The chosen entry as the list has it, nil when it is not visible.
  public var selected: Entry? { selection.flatMap { id in entries.first { $0.id == id } } }

  /// Whether there is nothing to show: an invitation to write, or "nothing found".
  public var isEmpty: Bool { entries.isEmpty }

  /// The chosen entry with its text.
  ///
  /// - Throws: ``VaultError``; ``AuthenticationError`` `locked` while the diary is closed.
  public func detail() async throws -> Entry? {
    guard let selection else { return nil }
    // What it returns changes with the entries.
    _ = entries
    await use()
    return try await diary.entry(.id(selection))
  }

  // MARK: Reading

  /// Shows more of the list, when its end comes into view.
  public func loadMore() async {
    guard hasMore else { return }
    limit += Self.stretch
    await reload()
  }

  private func startOver() {
    limit = Self.stretch
    reading?.cancel()
    reading = Task { await reload() }
  }

  /// Waits until what is shown follows from ``filter`` and ``searchText`` as they are now.
  public func settled() async { await reading?.value }

  /// Reads what is shown anew: after a change made elsewhere. The work is the diary's, away from the main actor.
  public func reload() async {
    await use()
    asked += 1
    let number = asked
    guard await diary.isOpen else { return clear() }
    do {
      let words = SearchQuery(typed: searchText)
      let names = try await diary.names()
      let found = try await diary.entries(
        filter, matching: words.isEmpty ? nil : words, limit: limit + 1)
      let total = try await diary.count().live
      // The search text has changed in the meantime; only the newest one counts.
      guard number == asked else { return }
      count = total
      hasMore = found.count > limit
      if journals != names.journals { journals = names.journals }
      if kinds != names.kinds { kinds = names.kinds }
      let visible = Array(found.prefix(limit))
      if entries != visible { entries = visible }
      trouble = nil
    } catch let error as VaultError where error.code == .notFound && filter.journal != nil {
      // Its journal is gone: all entries, rather than none.
      filter.journal = nil
      await settled()
    } catch {
      guard number == asked else { return }
      clear()
      trouble = error
    }
  }

  private func clear() {
    // What is still being read is of a diary that is closed.
    asked += 1
    journals = []
    kinds = []
    entries = []
    count = 0
    hasMore = false
    selection = nil
    trouble = nil
  }

  /// Empties what is shown, and what was searched for.
  private func forget() {
    clear()
    searchText = ""
    filter = EntryFilter()
  }

  /// Follows the authentication until the task is cancelled: reads when the diary opens, forgets when it
  /// closes or is no longer followed. Closes a diary whose time is over; everything that is read or changed here counts
  /// as use.
  public func follow(_ authentication: AuthenticationModel) async {
    self.authentication = authentication
    let watch = Task { await authentication.watchExpiry() }
    defer {
      watch.cancel()
      forget()
    }
    for await state in Observations({ authentication.state }) {
      if state == .authenticated { await reload() } else { forget() }
    }
  }

  private func use() async {
    await authentication?.checkExpiry()
    authentication?.touch()
  }

  // MARK: Changing

  /// Does a piece of work in the diary, and shows what came of it.
  @discardableResult
  private func changing<Result>(_ work: () async throws -> Result) async throws -> Result {
    await use()
    let result = try await work()
    await reload()
    return result
  }

  /// Adds an entry and chooses it.
  @discardableResult
  public func add(_ draft: EntryDraft) async throws -> EntryID {
    try await changing {
      let id = try await diary.write(draft)
      selection = id
      return id
    }
  }

  /// Changes an entry.
  ///
  /// - Parameter expected: the revision the edit began from; `conflict` when it is not the newest.
  public func edit(
    _ entry: EntryID, _ change: EntryChange, expected: UInt64? = nil
  ) async throws {
    try await changing { try await diary.edit(.id(entry), change, expected: expected) }
  }

  /// Moves entries to the trash.
  public func delete(_ entries: [EntryID]) async throws {
    try await changing {
      try await diary.delete(entries)
      if let chosen = selection, entries.contains(chosen) { selection = nil }
    }
  }

  /// Takes entries back out of the trash.
  public func restore(_ entries: [EntryID]) async throws {
    try await changing { try await diary.restore(entries) }
  }

  /// Adds, renames, moves or removes a journal or kind.
  public func change(_ names: NamesChange) async throws {
    try await changing { try await diary.change(names) }
  }

  /// Moves a journal before another one, or last, as a list's `onMove` asks.
  public func moveJournals(from source: Int, to target: Int) async throws {
    guard journals.indices.contains(source), (0...journals.count).contains(target) else { return }
    let before = target < journals.count ? journals[target].name : nil
    try await change(.moveJournal(journals[source].name, before: before))
  }
}
