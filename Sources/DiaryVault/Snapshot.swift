internal import RowStore
internal import Sealing

/// The vault as it is at one moment, however long it is looked at and whoever writes meanwhile.
package final class Snapshot {
  let catalogue: Catalogue
  private var names: NameRegister?

  package init(_ vault: Vault) throws(VaultError) {
    let store = try vault.reader()
    do throws(VaultError) {
      try storing(vault.path) { () throws(StoreError) in try store.begin(writing: false) }
      let (_, state) = try vault.readState(store)
      catalogue = Catalogue(vault: vault, store: store, state: state)
    } catch {
      vault.giveBack(store)
      throw error
    }
  }

  deinit { catalogue.vault.giveBack(catalogue.store) }

  /// Entries in the diary, the trash not counted.
  package var count: Int { catalogue.state.count - catalogue.state.trashed }
  package var trashed: Int { catalogue.state.trashed }

  package func register() throws(VaultError) -> NameRegister {
    if let names { return names }
    let read = try catalogue.register()
    names = read
    return read
  }

  func header(_ reference: EntryReference, trash: Bool = false) throws(VaultError) -> Header {
    try catalogue.header(reference, trash: trash)
  }

  /// The entry that is meant, to be opened with ``entry(_:revision:)``.
  package func find(
    _ reference: EntryReference, trash: Bool
  ) throws(VaultError) -> FoundEntry {
    FoundEntry(header: try header(reference, trash: trash))
  }

  package func entry(
    _ reference: EntryReference, revision: UInt64? = nil, trash: Bool = false
  ) throws(VaultError) -> Entry {
    try entry(try find(reference, trash: trash), revision: revision)
  }

  /// An entry with its body, of its newest revision or an older one.
  package func entry(
    _ found: FoundEntry, revision: UInt64? = nil
  ) throws(VaultError) -> Entry {
    let header = found.header
    guard let revision, revision != header.revision else {
      return try entry(header, body: try catalogue.body(header))
    }
    let revisions = try catalogue.revisions(of: header)
    guard let wanted = revisions.first(where: { $0.header.revision == revision }) else {
      throw VaultError(.notFound, .revision, "\(revision) of \(header.id.short)")
    }
    return try entry(wanted.header, body: try catalogue.body(wanted))
  }

  /// Every revision of an entry, newest first, without bodies.
  package func history(_ reference: EntryReference) throws(VaultError) -> [Entry] {
    var entries: [Entry] = []
    for revision in try catalogue.revisions(of: try header(reference)) {
      entries.append(try entry(revision.header, body: nil))
    }
    return entries
  }

  /// A header with its numbers turned into names.
  func entry(_ header: Header, body: String?) throws(VaultError) -> Entry {
    Entry(
      id: header.id, revision: header.revision,
      content: header.content(try register(), body: body ?? ""), hasBody: body != nil,
      preview: header.preview, attachments: header.attachments.map(\.attachment),
      created: header.created, modified: header.modified, trashed: header.trashed,
      bodySize: header.bodySize)
  }
}

/// An entry of a snapshot, found and not opened yet.
package struct FoundEntry {
  let header: Header
}

/// Walks the headers that a filter lets through, newest or oldest first, opening only the pages whose
/// dates can match.
final class HeaderCursor {
  private let catalogue: Catalogue
  private let filter: PreparedFilter
  private let newestFirst: Bool
  private let bits: [Int]
  private let after: PageKey?
  private let instants: ClosedRange<Int64>
  private var sections: [Int]
  private var pages: [PageRef] = []
  private var page: HeaderPage?
  private var records: [Int] = []
  private var looks = 0

  /// - Parameters:
  ///   - bits: signature bits a record must have; those without are passed over unread.
  ///   - after: begin behind this one, in the order of the walk.
  init(
    _ catalogue: Catalogue, filter: EntryFilter, register: NameRegister? = nil, newestFirst: Bool,
    bits: [Int] = [], after: PageKey? = nil
  ) {
    self.catalogue = catalogue
    self.filter = PreparedFilter(filter, register: register)
    self.newestFirst = newestFirst
    self.bits = bits
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
      // Not at each: what it costs to ask is what a record costs to pass over.
      looks &+= 1
      if looks & 63 == 0, slice.isOver { return .paused }
      if let index = records.popLast(), let page {
        guard passes(page, index) else { continue }
        let header = try unsealing("header page") { () throws(SealingError) in
          try page.header(index)
        }
        if filter.matches(header) { return .found(header) }
        continue
      }
      if let known = pages.popLast() {
        let opened = try catalogue.page(known)
        page = opened
        records = newestFirst ? Array(0..<opened.count) : (0..<opened.count).reversed()
        continue
      }
      guard let section = sections.popLast() else { return .ended }
      let known = try catalogue.section(catalogue.state.sections[section]).pages
      let wanted = Self.within(
        instants, known.map(\.first.date),
        worthwhile: known.map { filter.trash ? $0.trashed > 0 : $0.trashed < $0.count })
      pages = (newestFirst ? wanted : wanted.reversed()).map { known[$0] }
    }
  }

  /// What the fixed part of a record tells already.
  private func passes(_ page: HeaderPage, _ index: Int) -> Bool {
    let trashed = page.flags(index) & Header.Flags.trashed != 0
    guard trashed == filter.trash, filter.instants.contains(page.key(index).date) else {
      return false
    }
    if let after {
      let key = page.key(index)
      guard newestFirst ? key < after : key > after else { return false }
    }
    guard !bits.isEmpty, page.signatureVersion(index) == SearchText.version else { return true }
    let start = page.signatureStart(index)
    return bits.allSatisfy { page.bytes[start + $0 >> 3] & (1 << UInt8($0 & 7)) != 0 }
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
    let prepared = query.map(PreparedQuery.init)
    headers = HeaderCursor(
      snapshot.catalogue, filter: filter, register: register, newestFirst: newestFirst,
      bits: prepared?.bits ?? [],
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
    let texts = SearchSignature.texts(title: header.title, tags: header.tags, body: body)
    guard query.matches(texts) else { return nil }
    left -= 1
    var entry = try snapshot.entry(header, body: bodies ? body : nil)
    entry.excerpt = query.excerpt(title: header.title, body: body)
    return entry
  }
}

extension NameRegister {
  package func requireJournal(_ name: String) throws(VaultError) -> Journal {
    if let known = journal(named: name) { return known }
    throw VaultError(.notFound, .journal, name, candidates: nearest(name, journals.map(\.name)))
  }

  package func requireKind(_ name: String) throws(VaultError) -> Kind {
    if let known = kind(named: name) { return known }
    throw VaultError(.notFound, .kind, name, candidates: nearest(name, kinds.map(\.name)))
  }

  private func nearest(_ name: String, _ names: [String]) -> [String] {
    let key = SearchText.fold(name)
    return names.filter {
      let other = SearchText.fold($0)
      return other.starts(with: key.prefix(2)) || PreparedQuery.contains(other, key)
        || (key.count < 64 && other.count < 64 && EditDistance.between(key, other) <= 2)
    }
  }
}

extension SearchSignature {
  /// The texts of an entry that are searched, folded.
  static func texts(title: String?, tags: [String], body: String) -> [[UInt8]] {
    ([title].compactMap { $0 } + tags + [body]).map(SearchText.fold)
  }
}

extension PreparedQuery {
  /// The line around the first hit: of the body, else the title.
  func excerpt(title: String?, body: String) -> String? {
    for line in body.split(whereSeparator: \.isNewline) {
      let folded = SearchText.fold(String(line))
      if words.contains(where: { Self.contains(folded, $0) }) { return cut(line) }
    }
    // Only in the title or a tag, or a phrase over two lines: then the beginning is as good as any.
    return title ?? body.split(whereSeparator: \.isNewline).first.map(cut)
  }

  /// A line, around its first hit when it is long: at most 240 characters.
  private func cut(_ line: Substring) -> String {
    guard line.utf8.count > 240 else { return String(line) }
    let characters = Array(line)
    // The first character from which on a word stands: folding keeps order, so halving finds it.
    var low = 0
    var high = characters.count
    while high - low > 1 {
      let middle = (low + high) / 2
      let rest = SearchText.fold(String(characters[middle...]))
      if words.contains(where: { Self.contains(rest, $0) }) { low = middle } else { high = middle }
    }
    let start = max(0, low - 60)
    let scalars = String(characters[start..<min(characters.count, start + 240)]).unicodeScalars
    return (start > 0 ? "…" : "") + String(String.UnicodeScalarView(scalars.prefix(960)))
  }
}

extension Catalogue {
  /// The one entry `reference` names.
  ///
  /// - Parameter trash: look in the trash instead of the diary.
  /// - Throws: ``VaultError``: `notFound`, `ambiguous` with candidates, `invalid`, `tampered`.
  func header(_ reference: EntryReference, trash: Bool = false) throws(VaultError) -> Header {
    switch reference {
    case .id(let id):
      guard let header = try entry(id), (header.trashed != nil) == trash else {
        throw VaultError(.notFound, .entry, id.description)
      }
      return header
    case .prefix(let prefix):
      let found = try entries(withPrefix: prefix).filter { ($0.trashed != nil) == trash }
      guard let only = found.first else { throw VaultError(.notFound, .entry, prefix) }
      guard found.count == 1 else {
        throw VaultError(
          .ambiguous, .entry, prefix, candidates: found.map(\.id.description).sorted())
      }
      return only
    case .last:
      if !trash, let latest = state.latest,
        let header = try entry(latest), header.trashed == nil
      {
        return header
      }
      guard let last = try lastAdded(trash: trash) else {
        throw VaultError(.notFound, .entry, "@last")
      }
      return last
    case .position(let place):
      guard place > 0, let header = try newest(place - 1, trash: trash) else {
        throw VaultError(.notFound, .entry, "@\(place)")
      }
      return header
    }
  }

  /// The entry before which `count` newer ones stand: parts that cannot hold it are passed over by their counts.
  private func newest(_ count: Int, trash: Bool) throws(VaultError) -> Header? {
    var left = count
    func holds(_ all: Int, _ trashed: Int) -> Bool {
      let own = trash ? trashed : all - trashed
      if left < own { return true }
      left -= own
      return false
    }
    guard
      let known = state.sections.last(where: { holds(Int($0.count), Int($0.trashed)) }),
      let pageRef = try section(known).pages.last(where: {
        holds(Int($0.count), Int($0.trashed))
      })
    else { return nil }
    let page = try page(pageRef)
    for index in (0..<page.count).reversed()
    where (page.flags(index) & Header.Flags.trashed != 0) == trash {
      if left == 0 {
        return try unsealing("header page") { () throws(SealingError) in try page.header(index) }
      }
      left -= 1
    }
    throw VaultError(.tampered, "header page", "its counts do not fit")
  }

  /// The one that was added last; only the keys of the others are read.
  private func lastAdded(trash: Bool) throws(VaultError) -> Header? {
    var last: (page: HeaderPage, index: Int)?
    for known in state.sections {
      for pageRef in try section(known).pages
      where trash ? pageRef.trashed > 0 : pageRef.trashed < pageRef.count {
        let page = try page(pageRef)
        for index in 0..<page.count
        where (page.flags(index) & Header.Flags.trashed != 0) == trash
          && page.key(index).added > (last.map { $0.page.key($0.index).added } ?? 0)
        {
          last = (page, index)
        }
      }
    }
    guard let last else { return nil }
    return try unsealing("header page") { () throws(SealingError) in
      try last.page.header(last.index)
    }
  }
}
