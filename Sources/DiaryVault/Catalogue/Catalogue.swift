internal import Bytes
internal import Entries

/// The catalogue as one transaction sees it: state record → sections → pages → bodies, each held
/// against the ref its parent keeps of it.
struct Catalogue {
  let vault: Vault
  let store: VaultRows
  var state: StateRecord
  /// Keeps the transaction open that it reads in; nil where that is another's, who writes.
  var reading: Reading?

  /// A transaction of one reader, which ends with the last catalogue that reads in it.
  final class Reading {
    private let vault: Vault
    private let store: VaultRows

    init(_ vault: Vault, _ store: VaultRows) { (self.vault, self.store) = (vault, store) }

    deinit { vault.giveBack(store) }
  }

  func section(_ known: SectionRef) throws(VaultError) -> Section {
    if let cached = vault.cache[section: known.ref] { return cached }
    let plain = try open(
      .section(known.id), .section, object: VaultKeys.object(known.id), known.ref,
      limit: Section.sizeLimit, .directorySection)
    let section = try unsealing(.directorySection) { () throws(SealingError) in
      try Section(plain: plain)
    }
    vault.cache.keep(section, known.ref)
    return section
  }

  /// Every page there is, the oldest first.
  func pages() throws(VaultError) -> [PageRef] {
    var pages: [PageRef] = []
    for known in state.sections { pages += try section(known).pages }
    return pages
  }

  func page(_ known: PageRef, keeping: Bool = true) throws(VaultError) -> HeaderPage {
    if let cached = vault.cache[page: known.ref] { return cached }
    let plain = try open(
      .page(known.id), .page, object: VaultKeys.object(known.id), known.ref,
      limit: HeaderPage.sizeLimit, .headerPage)
    let page = try unsealing(.headerPage) { () throws(SealingError) in
      try HeaderPage(plain: plain)
    }
    guard page.count == Int(known.count) else {
      throw VaultError(.tampered, .headerPage, .countsDoNotFit)
    }
    if keeping { vault.cache.keep(page, known.ref) }
    return page
  }

  /// Walks the header of every entry, in the timeline and in the trash, keeping no page in memory.
  ///
  /// - Parameter body: false ends the walk.
  func walkHeaders(_ body: (Header) throws(VaultError) -> Bool) throws(VaultError) {
    for known in try pages() {
      let page = try page(known, keeping: false)
      for index in 0..<page.count {
        let header = try unsealing(.headerPage) { () throws(SealingError) in
          try page.header(index)
        }
        guard try body(header) else { return }
      }
    }
  }

  func register() throws(VaultError) -> NameRegister {
    guard let ref = state.register else { return NameRegister() }
    let plain = try open(
      .register, .register, object: VaultKeys.nowhere, ref, limit: NameRegister.sizeLimit,
      .register)
    return try unsealing(.register) { () throws(SealingError) in try NameRegister(plain: plain) }
  }

  func templates() throws(VaultError) -> TemplateList {
    guard let ref = state.templates else { return TemplateList() }
    let plain = try open(
      .templates, .templates, object: VaultKeys.nowhere, ref, limit: TemplateList.sizeLimit,
      .templates)
    return try unsealing(.templates) { () throws(SealingError) in
      try TemplateList(plain: plain)
    }
  }

  /// One row of what is kept of the other devices, padded: ``ReplicaRow`` reads what goes on in others.
  func replica(_ row: Int64, _ ref: Ref) throws(VaultError) -> [UInt8] {
    try open(
      .replica(row), .replica, object: VaultKeys.object(row), ref, limit: 64 << 20,
      .otherDevices, "\(row)")
  }

  /// Reads one blob, checks it against `ref` and opens it.
  private func open(
    _ place: VaultRows.Place, _ kind: ObjectKind, object: [UInt8], revision: UInt64 = 0, _ ref: Ref,
    limit: Int, _ thing: VaultError.Thing, _ name: @autoclosure () -> String = ""
  ) throws(VaultError) -> [UInt8] {
    var result: [UInt8] = []
    let isThere = try store.lend(place, limit: limit) { span throws(VaultError) in
      guard Ref(sealed: span) == ref else {
        throw VaultError(.tampered, thing, name(), .notTheOneItsParentKnows)
      }
      do throws(SealingError) {
        result = try vault.keys.open(span, kind, object: object, revision: revision)
      } catch {
        throw VaultError(error, thing, name())
      }
    }
    guard isThere else { throw VaultError(.tampered, thing, name(), .missing) }
    return result
  }

  /// The body of an entry as its header knows it.
  func body(_ header: Header) throws(VaultError) -> String {
    try text(try paddedBody((header, nil)), .entry, header.id.short)
  }

  /// Padding adds at most an eighth.
  static let bodyLimit = EntryDraft.bodyLimit + EntryDraft.bodyLimit / 8 + 1024

  private func text(
    _ padded: [UInt8], _ thing: VaultError.Thing, _ name: @autoclosure () -> String
  ) throws(VaultError) -> String {
    let bytes = try unsealing(thing, name()) { () throws(SealingError) in try Padding.unpad(padded)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw VaultError(.damaged, thing, name(), .notUTF8)
    }
    return text
  }

  /// Every revision, newest first, each with the revision under which its body is kept in the history
  /// table (nil: in the body table).
  ///
  /// - Parameter oldest: those before it are left out.
  func revisions(
    of header: Header, from oldest: UInt64 = 0
  ) throws(VaultError) -> [(header: Header, bodyAt: UInt64?)] {
    var list: [(Header, UInt64?)] = [(header, nil)]
    var current = header
    var bodyAt: UInt64?
    while let previous = current.previous, previous.revision >= oldest {
      let name = "\(previous.revision) (\(header.id.short))"
      guard previous.revision < current.revision, Int64(exactly: previous.revision) != nil else {
        throw VaultError(.damaged, .revision, name, .revisionsOutOfOrder)
      }
      let plain = try open(
        .past(vault.keys.past(.header, of: header.id.key, revision: previous.revision)), .history,
        object: VaultKeys.object(header.id.key), revision: previous.revision, previous.ref,
        limit: HeaderPage.sizeLimit, .revision, name)
      let older = try unsealing(.revision, name) { () throws(SealingError) in
        try Header(past: plain)
      }
      guard older.id == header.id, older.revision == previous.revision else {
        throw VaultError(.tampered, .revision, name, .ofAnotherEntry)
      }
      if older.body != current.body { bodyAt = previous.revision }
      list.append((older, bodyAt))
      current = older
    }
    return list
  }

  /// What search finds an entry by: its text, and the others that devices gave it without knowing of it.
  func searchedText(_ header: Header, body: String) throws(VaultError) -> String {
    var text = body
    guard let oldest = header.others.min() else { return text }
    do throws(VaultError) {
      for revision in try revisions(of: header, from: oldest)
      where header.others.contains(revision.header.revision) {
        let other = [revision.header.title, try self.body(revision)].compactMap(\.self)
          .joined(separator: "\n")
        // A member may give any number of long ones.
        guard text.utf8.count + other.utf8.count <= 2 * EntryDraft.bodyLimit else { break }
        text += "\n\n" + other
      }
    } catch  where [.damaged, .tampered].contains(error.code) {
      // `verify` says so; the entry is found by what is whole.
    }
    return text
  }

  /// The objects of an entry and of all its revisions.
  func objects(of header: Header) throws(VaultError) -> Set<ObjectName> {
    Set(try revisions(of: header).flatMap { $0.header.attachments.map(\.object) })
  }

  /// The body of one of ``revisions(of:)``.
  func body(_ revision: (header: Header, bodyAt: UInt64?)) throws(VaultError) -> String {
    let header = revision.header
    return try text(
      try paddedBody(revision), .revision, "\(header.revision) (\(header.id.short))")
  }

  /// The same as it was sealed, padding and all.
  func paddedBody(
    _ revision: (header: Header, bodyAt: UInt64?)
  ) throws(VaultError) -> [UInt8] {
    let header = revision.header
    let row = header.id.key
    return try open(
      revision.bodyAt.map { .past(vault.keys.past(.text, of: row, revision: $0)) } ?? .body(row),
      .body,
      object: VaultKeys.object(row), revision: header.bodyRevision, header.body,
      limit: Self.bodyLimit,
      revision.bodyAt == nil ? .entry : .revision,
      revision.bodyAt == nil ? header.id.short : "\(header.revision) (\(header.id.short))")
  }

  // MARK: Finding

  /// Where an entry stands.
  struct Place {
    var section: Int
    var page: Int
    var record: Int
  }

  /// The ref of the page that a place is on.
  func ref(of place: Place) throws(VaultError) -> Ref {
    try section(state.sections[place.section]).pages[place.page].ref
  }

  /// The page with this row number.
  func find(page id: Int64) throws(VaultError) -> (section: Int, page: Int)? {
    for (index, known) in state.sections.enumerated() {
      if let page = try section(known).pages.firstIndex(where: { $0.id == id }) {
        return (index, page)
      }
    }
    return nil
  }

  /// The entry of an id, in the diary or the trash; nil when there is none.
  func entry(_ id: EntryID) throws(VaultError) -> Header? {
    try entries(of: id.key...id.key) { $0 == id }.first
  }

  /// The entries whose id begins with `prefix`, at most nine; trashed ones too.
  func entries(withPrefix prefix: String) throws(VaultError) -> [Header] {
    guard let keys = EntryID.keys(withPrefix: prefix) else {
      throw VaultError(.invalid, prefix, .idOrPosition)
    }
    return try entries(of: keys) { $0.hasPrefix(prefix) }
  }

  /// The row numbers of the entries there are, as the pages have them.
  func entryKeys() throws(VaultError) -> Set<Int64> {
    let pages = try pages()
    var read: [(Ref, [Int64])] = []
    for known in pages where !vault.cache.hasRows(of: known.ref) {
      read.append((known.ref, try page(known, keeping: false).keys))
    }
    return vault.cache.rows(of: pages.map(\.ref), reading: read)
  }

  /// Holds the rows of entries against the pages: one that was taken away must not make the beginning of an id another
  /// entry's.
  ///
  /// - Parameter all: the row numbers of the entries there are.
  /// - Throws: ``VaultError`` `tampered`.
  func requireRows(withPrefix prefix: String, among all: Set<Int64>) throws(VaultError) {
    guard let keys = EntryID.keys(withPrefix: prefix) else { return }
    for entry in all where keys.contains(entry) {
      guard try store.page(of: entry) != nil else {
        throw VaultError(.tampered, .entryRow, .missing)
      }
    }
  }

  private func entries(
    of keys: ClosedRange<Int64>, where isWanted: (EntryID) -> Bool
  ) throws(VaultError) -> [Header] {
    let rows = try store.entries(in: keys, limit: 9)
    var found: [Header] = []
    for row in rows {
      let header = try self.header(entry: row.entry, page: row.page)
      if isWanted(header.id) { found.append(header) }
    }
    // A row that was deleted behind our back must not look like an entry that never was.
    if found.isEmpty, let hidden = try scan(where: isWanted) {
      throw VaultError(.tampered, .entry, hidden.id.short, .rowMissing)
    }
    return found
  }

  private func header(entry: Int64, page id: Int64) throws(VaultError) -> Header {
    guard let place = try find(page: id) else {
      throw VaultError(.tampered, .entryRow, .rowNamesNoPage)
    }
    let known = try section(state.sections[place.section]).pages[place.page]
    let page = try self.page(known)
    guard let index = page.index(of: entry) else {
      throw VaultError(.tampered, .entryRow, .rowNamesOtherPage)
    }
    return try unsealing(.header) { () throws(SealingError) in try page.header(index) }
  }

  private func scan(where isWanted: (EntryID) -> Bool) throws(VaultError) -> Header? {
    for known in state.sections {
      for pageRef in try section(known).pages {
        let page = try page(pageRef, keeping: false)
        for index in 0..<page.count where isWanted(page.id(index)) {
          return try unsealing(.header) { () throws(SealingError) in try page.header(index) }
        }
      }
    }
    return nil
  }
}
