/// Opened pages and sections, each good for exactly the ref it was opened under.
struct PageCache {
  let limit: Int
  private var size = 0
  private var pages: [Ref: HeaderPage] = [:]
  private var sections: [Ref: Section] = [:]
  private var totals: [Ref: EntryTotals] = [:]
  /// The row numbers of entries, by their pages and all of them: eight bytes each, kept from one change to the next.
  private var rows: [Ref: [Int64]] = [:]
  private var allRows: Set<Int64> = []

  init(limit: Int) { self.limit = limit }

  subscript(page ref: Ref) -> HeaderPage? { pages[ref] }
  subscript(section ref: Ref) -> Section? { sections[ref] }

  subscript(totals ref: Ref) -> EntryTotals? { totals[ref] }

  /// What counting needs of a page stays when the page itself does not: the next count opens only the pages
  /// that changed. Those of pages since rewritten are dropped when they outnumber the others.
  mutating func keep(_ totals: EntryTotals, _ ref: Ref, pages: Int) {
    if self.totals.count > 2 * pages + 64 { self.totals = [:] }
    self.totals[ref] = totals
  }

  func hasRows(of ref: Ref) -> Bool { rows[ref] != nil }

  /// The row numbers of the entries of all pages there are.
  ///
  /// - Parameter read: those of the pages that are new.
  mutating func rows(of refs: [Ref], reading read: [(Ref, [Int64])]) -> Set<Int64> {
    let now = Set(refs)
    for (ref, gone) in rows where !now.contains(ref) {
      rows[ref] = nil
      allRows.subtract(gone)
    }
    for (ref, new) in read {
      rows[ref] = new
      allRows.formUnion(new)
    }
    return allRows
  }

  mutating func keep(_ page: HeaderPage, _ ref: Ref) {
    // Refs of pages since rewritten stay until the cache is full; then it starts over.
    if size + page.bytes.count > limit {
      pages = [:]
      sections = [:]
      size = 0
    }
    if pages.updateValue(page, forKey: ref) == nil { size += page.bytes.count }
  }

  mutating func keep(_ section: Section, _ ref: Ref) {
    if sections.updateValue(section, forKey: ref) == nil { size += section.pages.count * 88 }
  }
}
