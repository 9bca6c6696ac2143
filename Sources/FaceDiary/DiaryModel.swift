public import Authentication
public import DiaryVault
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
  public var filter = EntryFilter() { didSet { if filter != oldValue { reset() } } }
  /// What every visible entry must hold; all words, in any order.
  public var searchText = "" { didSet { if searchText != oldValue { reset() } } }
  /// The entry chosen in the list.
  public var selection: EntryID?

  @ObservationIgnored private let diary: Diary
  @ObservationIgnored private var limit = DiaryModel.stretch
  private static let stretch = 200

  public init(_ diary: Diary) {
    self.diary = diary
    reload()
  }

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
  public func detail() throws -> Entry? {
    guard let selection else { return nil }
    // What it returns changes with the entries.
    _ = entries
    return try diary.entry(.prefix(selection.description))
  }

  // MARK: Reading

  /// Shows more of the list, when its end comes into view.
  public func loadMore() {
    guard hasMore else { return }
    limit += Self.stretch
    reload()
  }

  private func reset() {
    limit = Self.stretch
    reload()
  }

  /// Reads what is shown anew: after a change made elsewhere.
  public func reload() {
    guard diary.isOpen else { return clear() }
    do {
      let names = try diary.names()
      let words = SearchQuery(typed: searchText)
      let found = try diary.entries(
        filter, matching: words.isEmpty ? nil : words, limit: limit + 1)
      count = try diary.count()
      hasMore = found.count > limit
      if journals != names.journals { journals = names.journals }
      if kinds != names.kinds { kinds = names.kinds }
      let visible = Array(found.prefix(limit))
      if entries != visible { entries = visible }
      trouble = nil
    } catch let error as VaultError where error.code == .notFound && filter.journal != nil {
      // Its journal is gone: all entries, rather than none.
      filter.journal = nil
    } catch {
      clear()
      trouble = error
    }
  }

  private func clear() {
    journals = []
    kinds = []
    entries = []
    count = 0
    hasMore = false
    selection = nil
    trouble = nil
  }

  /// Follows the authentication until the task is cancelled: reads when the diary opens, forgets when it
  /// closes.
  public func follow(_ authentication: AuthenticationModel) async {
    for await state in Observations({ authentication.state }) {
      if state == .authenticated { reload() } else { clear() }
    }
  }

  // MARK: Changing

  /// Adds an entry and chooses it.
  @discardableResult
  public func add(_ draft: EntryDraft) throws -> EntryID {
    try changing {
      let id = try diary.add(draft)
      selection = id
      return id
    }
  }

  /// Changes an entry.
  ///
  /// - Parameter expected: the revision the edit began from; `conflict` when it is not the newest.
  public func edit(_ entry: EntryID, _ change: EntryChange, expected: UInt64? = nil) throws {
    try changing { _ = try diary.edit(entry, change, expected: expected) }
  }

  /// Moves entries to the trash.
  public func delete(_ entries: [EntryID]) throws {
    try changing {
      try diary.delete(entries)
      if let chosen = selection, entries.contains(chosen) { selection = nil }
    }
  }

  /// Takes entries back out of the trash.
  public func restore(_ entries: [EntryID]) throws { try changing { try diary.restore(entries) } }

  /// Adds, renames, moves or removes a journal or kind.
  public func change(_ names: NamesChange) throws { try changing { _ = try diary.change(names) } }

  /// Moves a journal before another one, or last, as a list's `onMove` asks.
  public func moveJournals(from source: Int, to target: Int) throws {
    guard journals.indices.contains(source), (0...journals.count).contains(target) else { return }
    let before = target < journals.count ? journals[target].name : nil
    try change(.moveJournal(journals[source].name, before: before))
  }

  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    defer { reload() }
    return try body()
  }
}
