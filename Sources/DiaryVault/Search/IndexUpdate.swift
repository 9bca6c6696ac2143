internal import Bytes
package import Entries
internal import Text

/// Brings the search index up to date with one moment of the vault, a slice of time after another.
///
/// Pages that no segment knows become a segment, together with those of smaller segments: so there are never many, and each
/// page is taken up a few times in its life.
package final class IndexUpdate {
  /// How many pages may be outside the index: they are searched directly in a few milliseconds.
  package static let tolerated = 2
  /// The most term–block pairs of a segment: sorting them takes 80 MB. About 40,000 entries of 600 bytes.
  private static let sizePerSegment = 4 << 20
  /// A segment of so many blocks is full.
  private static let blocksPerSegment = 200_000

  private let vault: Vault
  private let snapshot: Snapshot
  private let index: SearchIndex
  /// What is left to take up: refs of pages, newest last.
  private var pages: [PageRef] = []
  private var builder = IndexBuilder()
  /// Segments whose remaining pages will all be in a new segment.
  private var replaced: [String] = []
  private var page: HeaderPage?
  private var record = 0

  /// - Returns: nil when nothing is to be done.
  package init?(_ vault: Vault, tolerating tolerated: Int = IndexUpdate.tolerated)
    throws(VaultError)
  {
    guard !vault.isBackup else { return nil }
    self.vault = vault
    index = vault.searchIndex
    index.refresh()
    snapshot = try Snapshot(vault)
    try plan()
    guard pages.count > tolerated || !replaced.isEmpty || !index.foreign.isEmpty else { return nil }
  }

  private func plan() throws(VaultError) {
    let live = try snapshot.catalogue.pages()
    let refs = Set(live.map(\.ref))
    // The pages that each segment is the first to cover.
    var alive: [(segment: IndexSegment, pages: [Ref])] = []
    var known: Set<Ref> = []
    for segment in index.segments {
      let own = segment.pages.keys.filter { refs.contains($0) && known.insert($0).inserted }
      alive.append((segment, own))
    }
    var wanted = refs.subtracting(known)
    guard !wanted.isEmpty || alive.contains(where: { $0.pages.isEmpty }) else { return }
    for (segment, pages) in alive.sorted(by: { $0.pages.count < $1.pages.count }) {
      let isRotten = pages.count * 2 < segment.pages.count
      guard pages.count <= 3 * wanted.count || isRotten,
        segment.blocks < Self.blocksPerSegment || isRotten
      else { continue }
      replaced.append(segment.name)
      wanted.formUnion(pages)
    }
    pages = live.filter { wanted.contains($0.ref) }
  }

  /// Goes on; true when the index is up to date.
  package func step(_ slice: Slice) throws(VaultError) -> Bool {
    let catalogue = snapshot.catalogue
    while true {
      if let open = page {
        while record < open.count {
          let header = try unsealing(.headerPage) { () throws(SealingError) in
            try open.header(record)
          }
          builder.add(
            SearchText.texts(
              title: header.title, tags: header.tags, body: try catalogue.body(header)))
          record += 1
          if slice.isOver { return false }
        }
        page = nil
        if builder.size >= Self.sizePerSegment { try write(isLast: false) }
        continue
      }
      guard let next = pages.popLast() else { break }
      let open = try catalogue.page(next, keeping: false)
      let totals = try unsealing(.headerPage) { () throws(SealingError) in
        try EntryTotals(open)
      }
      builder.begin(next.ref, entries: open.count, totals)
      page = open
      record = 0
      if slice.isOver { return false }
    }
    try write(isLast: true)
    return true
  }

  private func write(isLast: Bool) throws(VaultError) {
    let made = builder
    builder = IndexBuilder()
    let old = isLast ? replaced + index.foreign : []
    guard made.pageCount > 0 else { return index.remove(old) }
    try index.add(made, replacing: old, randomness: vault.settings.randomness)
  }
}
