package import Entries
internal import Text

/// Entries one after the other, from one snapshot.
package final class EntryCursor {
  private let snapshot: Snapshot
  private let headers: HeaderCursor
  private let bodies: Bool
  private let query: PreparedQuery?
  private var left: Int

  /// - Parameters:
  ///   - bodies: whether entries come with their bodies.
  ///   - query: words every entry must hold; then each comes with an excerpt.
  ///   - reference: begin behind this entry.
  /// - Throws: ``VaultError`` `notFound` for an unknown journal or kind, with the nearest names.
  package init(
    _ snapshot: Snapshot, filter: EntryFilter = EntryFilter(), newestFirst: Bool = true,
    limit: Int? = nil, bodies: Bool = false, query: SearchQuery? = nil,
    after reference: EntryReference? = nil
  ) throws(VaultError) {
    self.snapshot = snapshot
    let register = try snapshot.register()
    if let name = filter.journal { _ = try register.requireJournal(name) }
    if let name = filter.kind { _ = try register.requireKind(name) }
    // Each is folded and looked up before the first entry: what nobody types must not hold others up.
    guard query?.count ?? 0 <= SearchQuery.limit else {
      throw VaultError(.search, expected: .atMostWords(SearchQuery.limit))
    }
    let prepared = query.map { PreparedQuery($0, register) }
    headers = HeaderCursor(
      snapshot.catalogue, filter: filter, register: register, newestFirst: newestFirst,
      query: prepared.map { IndexedQuery(snapshot.catalogue.vault.searchIndex, $0) },
      after: try reference.map { each throws(VaultError) in
        try snapshot.header(each, trash: filter.trash).key
      })
    self.query = prepared
    self.bodies = bodies
    left = limit ?? Int.max
  }

  package func next() throws(VaultError) -> Entry? { try next(within: .unlimited).value }

  /// The next entry, unless looking for it takes longer than the slice.
  package func next(within slice: Slice) throws(VaultError) -> Found<Entry> {
    guard left > 0 else { return .ended }
    while true {
      switch try headers.next(within: slice) {
      case .paused: return .paused
      case .ended: return .ended
      case .found(let header): if let entry = try match(header) { return .found(entry) }
      }
    }
  }

  private func match(_ header: Header) throws(VaultError) -> Entry? {
    guard let query else {
      left -= 1
      return try snapshot.entry(header, body: bodies ? try snapshot.catalogue.body(header) : nil)
    }
    let body = try snapshot.catalogue.body(header)
    let searched = try snapshot.catalogue.searchedText(header, body: body)
    let looked = SearchedEntry(
      header.written, text: searched, files: header.fileNames, journal: header.journal,
      kind: header.kind)
    guard query.matches(looked) else { return nil }
    left -= 1
    var entry = try snapshot.entry(header, body: bodies ? body : nil)
    entry.excerpt = query.excerpt(title: header.title, body: searched)
    return entry
  }
}
