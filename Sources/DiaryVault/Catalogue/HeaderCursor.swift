internal import Bytes
internal import Entries
internal import Text

/// Walks the headers that a filter lets through, newest or oldest first, opening only the pages whose
/// dates can match.
final class HeaderCursor {
  private let catalogue: Catalogue
  private let filter: PreparedFilter
  private let newestFirst: Bool
  private let query: IndexedQuery?
  private let after: PageKey?
  private let instants: ClosedRange<Int64>
  private var sections: [Int]
  /// The next last, each with the first date behind it.
  private var pages: [(page: PageRef, end: Int64)] = []
  private var page: HeaderPage?
  private var records: [Int] = []
  private var candidates: IndexedQuery.Candidates?
  private var looks = 0

  /// - Parameters:
  ///   - query: what an entry must hold; entries that the index rules out are skipped unread.
  ///   - after: begin behind this one, in the order of the walk.
  init(
    _ catalogue: Catalogue, filter: EntryFilter, register: NameRegister? = nil, newestFirst: Bool,
    query: IndexedQuery? = nil, after: PageKey? = nil
  ) {
    self.catalogue = catalogue
    self.filter = PreparedFilter(filter, register: register)
    self.newestFirst = newestFirst
    self.query = query
    self.after = after
    var instants = self.filter.instants
    if let date = after?.date {
      instants =
        newestFirst
        ? min(instants.lowerBound, date)...min(instants.upperBound, date)
        : max(instants.lowerBound, date)...max(instants.upperBound, date)
    }
    self.instants = instants
    let known = catalogue.state.sections
    // Popped from the back: the order is the reverse of the walk.
    let wanted = Self.within(
      instants, known.map(\.first.date),
      worthwhile: known.map { filter.trash ? $0.trashed > 0 : $0.trashed < $0.count })
    sections = newestFirst ? wanted : wanted.reversed()
  }

  /// The indices of parts, each from its first date to the next one's, that may hold one in `range`.
  private static func within(
    _ range: ClosedRange<Int64>, _ first: [Int64], worthwhile: [Bool]
  ) -> [Int] {
    first.indices.filter { index in
      worthwhile[index] && first[index] <= range.upperBound
        && (index + 1 == first.count || first[index + 1] >= range.lowerBound)
    }
  }

  func next() throws(VaultError) -> Header? { try next(within: .unlimited).value }

  func next(within slice: Slice) throws(VaultError) -> Found<Header> {
    while true {
      // Not at each record: reading the clock costs as much as skipping a record.
      looks &+= 1
      if looks & 63 == 0, slice.isOver { return .paused }
      if let index = records.popLast(), let page {
        guard passes(page, index) else { continue }
        let header = try unsealing(.headerPage) { () throws(SealingError) in
          try page.header(index)
        }
        if let candidates, query?.allows(index, header, candidates) == false { continue }
        if filter.matches(header) { return .found(header) }
        continue
      }
      if let (known, end) = pages.popLast() {
        candidates = query?.candidates(in: known, of: Self.days(from: known.first.date, to: end))
        // Where none can be a hit, the page itself need not be opened.
        if candidates?.records.isEmpty ?? false { continue }
        let opened = try catalogue.page(known)
        page = opened
        let wanted = candidates?.records ?? Array(0..<opened.count)
        records = newestFirst ? wanted : wanted.reversed()
        continue
      }
      guard let section = sections.popLast() else { return .ended }
      let known = try catalogue.section(catalogue.state.sections[section]).pages
      let wanted = Self.within(
        instants, known.map(\.first.date),
        worthwhile: known.map { filter.trash ? $0.trashed > 0 : $0.trashed < $0.count })
      let next = catalogue.state.sections.dropFirst(section + 1).first?.first.date ?? .max
      pages = (newestFirst ? wanted : wanted.reversed()).map {
        (known[$0], $0 + 1 < known.count ? known[$0 + 1].first.date : next)
      }
    }
  }

  /// The civil days on which two moments, and what is between them, may have been where somebody wrote: a day is at most 18
  /// hours off UTC's.
  private static func days(from first: Int64, to last: Int64) -> ClosedRange<Int> {
    func day(_ seconds: Int64) -> Int {
      Int(min(max(seconds, -100_000_000_000), 400_000_000_000) / 86_400)
    }
    return min(day(first), day(last)) - 2...max(day(first), day(last)) + 2
  }

  /// What the fixed part of a record tells already.
  private func passes(_ page: HeaderPage, _ index: Int) -> Bool {
    let trashed = page.flags(index) & Header.Flags.trashed != 0
    guard trashed == filter.trash, filter.instants.contains(page.key(index).date) else {
      return false
    }
    guard let after else { return true }
    let key = page.key(index)
    return newestFirst ? key < after : key > after
  }
}

/// A filter with its names looked up once.
private struct PreparedFilter {
  let trash: Bool
  let instants: ClosedRange<Int64>
  private let filter: EntryFilter
  private let tags: [[UInt8]]
  private let journal: UInt32?
  private let kind: UInt32?

  init(_ filter: EntryFilter, register: NameRegister?) {
    self.filter = filter
    trash = filter.trash
    instants = filter.instants
    tags = filter.tags.map(SearchText.fold)
    // An unknown name matches nothing; the caller has said so before.
    journal = filter.journal.map { register?.journal(named: $0)?.id ?? UInt32.max }
    kind = filter.kind.map { register?.kind(named: $0)?.id ?? UInt32.max }
  }

  func matches(_ header: Header) -> Bool {
    if let from = filter.fromDay, header.date.day < from { return false }
    if let to = filter.toDay, header.date.day > to { return false }
    if filter.starred, !header.starred { return false }
    if filter.hasAttachment, header.attachments.isEmpty { return false }
    if let journal, header.journal != journal { return false }
    if let kind, header.kind != kind { return false }
    if !tags.isEmpty {
      let own = header.tags.map(SearchText.fold)
      return tags.allSatisfy(own.contains)
    }
    return true
  }
}
