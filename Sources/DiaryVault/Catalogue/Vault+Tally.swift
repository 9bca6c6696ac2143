internal import Bytes
package import Entries
internal import Text

/// Counting over the entries a filter lets through, a slice of time after another.
package final class Counting<Answer> {
  private let cursor: TotalsCursor
  private var totals = EntryTotals()
  private let answer: (EntryTotals) -> Answer

  fileprivate init(_ cursor: TotalsCursor, answer: @escaping (EntryTotals) -> Answer) {
    self.cursor = cursor
    self.answer = answer
  }

  /// Goes on; nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> Answer? {
    try cursor.add(to: &totals, within: slice) ? answer(totals) : nil
  }
}

extension Snapshot {
  /// Counts over the entries a filter lets through, the most frequent first.
  ///
  /// Journals and kinds without entries are there with zero, in the owner's order; tags and words that differ only
  /// in case have the name that is used most. Words open every body.
  package func tally(
    _ subject: TallySubject, _ filter: EntryFilter
  ) throws(VaultError) -> Counting<[TallyCount]> {
    let register = try register()
    return Counting(
      try TotalsCursor(self, filter, subject == .words ? .texts : .names)
    ) { totals in
      switch subject {
      case .journals:
        register.journals.map { TallyCount(name: $0.name, count: totals.journals[$0.id] ?? 0) }
      case .kinds:
        register.kinds.map { TallyCount(name: $0.name, count: totals.kinds[$0.id] ?? 0) }
      // A list of everything that was used once helps nobody.
      case .tags: Array(Self.ranking(totals.tags).prefix(10_000))
      case .words: Array(Self.ranking(totals.texts).prefix(10_000))
      }
    }
  }

  /// What differs only in case, counted together.
  private static func ranking(_ counts: [String: Int]) -> [TallyCount] {
    var folded: [[UInt8]: (most: TallyCount, sum: Int)] = [:]
    for (name, count) in counts {
      let one = TallyCount(name: name, count: count)
      let key = SearchText.fold(name)
      guard let known = folded[key] else {
        folded[key] = (one, count)
        continue
      }
      let most = (count, known.most.name) > (known.most.count, name) ? one : known.most
      folded[key] = (most, known.sum + count)
    }
    return folded.values.map { TallyCount(name: $0.most.name, count: $0.sum) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  package func statistics(_ filter: EntryFilter) throws(VaultError) -> Counting<DiaryStatistics> {
    Counting(try TotalsCursor(self, filter, .days)) { totals in
      var result = DiaryStatistics()
      result.entries = totals.entries
      result.words = totals.words
      result.days = totals.days
      result.months = totals.months
      return result
    }
  }
}

/// Adds up what a filter lets through: by page when that is everything, else entry by entry.
private final class TotalsCursor {
  private let catalogue: Catalogue
  /// Walks single entries; nil when whole pages are added up.
  private let headers: HeaderCursor?
  private let part: EntryTotals.Part
  private var sections: [SectionRef]
  private var pages: [PageRef] = []

  init(
    _ snapshot: Snapshot, _ filter: EntryFilter, _ part: EntryTotals.Part
  ) throws(VaultError) {
    self.part = part
    catalogue = snapshot.catalogue
    sections = snapshot.catalogue.state.sections
    let register = try snapshot.register()
    if let name = filter.journal { _ = try register.requireJournal(name) }
    if let name = filter.kind { _ = try register.requireKind(name) }
    headers =
      filter == EntryFilter() && part != .texts
      ? nil
      : HeaderCursor(snapshot.catalogue, filter: filter, register: register, newestFirst: true)
    if headers == nil { catalogue.vault.searchIndex.refresh() }
  }

  /// Goes on; true when everything was added.
  func add(to totals: inout EntryTotals, within slice: Slice) throws(VaultError) -> Bool {
    guard let headers else { return try addPages(to: &totals, within: slice) }
    while true {
      switch try headers.next(within: slice) {
      case .paused: return false
      case .ended: return true
      case .found(let header) where part == .texts:
        if let title = header.title { totals.add(words: title) }
        totals.add(words: try catalogue.body(header))
      case .found(let header): totals.add(header)
      }
    }
  }

  private func addPages(
    to totals: inout EntryTotals, within slice: Slice
  ) throws(VaultError) -> Bool {
    while true {
      if slice.isOver { return false }
      guard let page = pages.popLast() else {
        guard let section = sections.popLast() else { return true }
        pages = try catalogue.section(section).pages
        continue
      }
      if catalogue.vault.searchIndex.add(page, part, to: &totals) { continue }
      totals.add(try ofPage(page))
    }
  }

  private func ofPage(_ known: PageRef) throws(VaultError) -> EntryTotals {
    let vault = catalogue.vault
    if let kept = vault.cache[totals: known.ref] { return kept }
    let page = try catalogue.page(known, keeping: false)
    let totals = try unsealing(.headerPage) { () throws(SealingError) in
      try EntryTotals(page)
    }
    vault.cache.keep(
      totals, known.ref, pages: catalogue.state.sections.count * Section.capacity)
    return totals
  }
}
