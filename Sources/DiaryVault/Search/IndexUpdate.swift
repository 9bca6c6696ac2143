internal import Bytes
package import Entries
internal import Text

/// Brings the search index up to date with one moment of the vault, a slice of time after another.
///
/// Pages that no shard knows become a shard, together with those of smaller shards: so there are never many, and each
/// page is taken up a few times in its life.
package final class IndexUpdate {
  /// How many pages may be outside the index: they are searched directly in a few milliseconds.
  package static let tolerated = 2
  /// The most term–block pairs of a shard: sorting them takes 80 MB. About 40,000 entries of 600 bytes.
  private static let sizePerShard = 4 << 20
  /// A shard of so many blocks is full.
  private static let blocksPerShard = 800_000

  private let vault: Vault
  private let snapshot: Snapshot
  private let index: SearchIndex
  /// What is left to take up: refs of pages, newest last.
  private var pages: [PageRef] = []
  private var builder = IndexBuilder()
  /// Shards whose remaining pages will all be in a new shard.
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
    try snapshot.catalogue.store.widenCache()
  }

  deinit { snapshot.catalogue.store.narrowCache() }

  private func plan() throws(VaultError) {
    let live = try snapshot.catalogue.pages()
    let refs = Set(live.map(\.ref))
    // The pages that each shard is the first to cover.
    var alive: [(shard: IndexShard, pages: [Ref])] = []
    var known: Set<Ref> = []
    for shard in index.shards {
      let own = shard.pages.keys.filter { refs.contains($0) && known.insert($0).inserted }
      alive.append((shard, own))
    }
    var wanted = refs.subtracting(known)
    guard !wanted.isEmpty || alive.contains(where: { $0.pages.isEmpty }) else { return }
    for (shard, pages) in alive.sorted(by: { $0.pages.count < $1.pages.count }) {
      let isRotten = pages.count * 2 < shard.pages.count
      guard pages.count <= 3 * wanted.count || isRotten,
        shard.blocks < Self.blocksPerShard || isRotten
      else { continue }
      replaced.append(shard.name)
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
          let body = try catalogue.searchedText(header, body: try catalogue.body(header))
          builder.add(SearchedEntry.texts(header.written, text: body, files: header.fileNames))
          record += 1
          if slice.isOver { return false }
        }
        page = nil
        if builder.size >= Self.sizePerShard { try write(isLast: false) }
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
