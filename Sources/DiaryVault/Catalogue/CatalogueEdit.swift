internal import Bytes
internal import Entries
internal import SealedFiles

/// A change under way, inside one write transaction.
///
/// Pages and sections that change are kept open and sealed when the change is finished, each once; a long
/// import seals those it has left behind on its way.
final class CatalogueEdit {
  private(set) var catalogue: Catalogue
  private(set) var isChanged = false
  private var pages: [Int64: HeaderPage] = [:]
  private var sections: [Int64: Section] = [:]
  private var register: NameRegister?
  private var registerChanged = false
  /// The entries of dates that an import has come to. Thousands may share one, and each is compared.
  var sameDates: [Int64: SameDate] = [:]
  /// The names that an import has come to, folded, and where each template stands: hundreds of thousands may name one.
  var imported: (journals: Set<[UInt8]>, kinds: Set<[UInt8]>, templates: [[UInt8]: Int]) = (
    [], [], [:]
  )
  /// Ids by which this device and the others do not mean the same entry; nil before they were looked up.
  var ambiguousIDs: Set<EntryID>?
  /// The seconds in which an entry was put beside another.
  private(set) var sharedDates: Set<Int64> = []
  /// Whether the objects of what entries take must be there: not in a dry run, which seals none.
  var checksObjects = true
  /// Held from the first object an entry takes until this is committed or undone.
  var objectLock: ObjectLock?
  private var templates: TemplateList?
  /// The row numbers of the entries there are: ``entryKeys()``.
  private var keys: Set<Int64>?
  /// Called when all is sealed, before the state record is: writes what else it keeps.
  var finishing: ((inout StateRecord) throws(VaultError) -> Void)?

  /// How many changed pages are kept open: those of an import in no order are met again and again, and
  /// sealing each at most once halves its time. 36 MiB at most.
  private static let openPages = 2048

  init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  private var vault: Vault { catalogue.vault }
  private var store: VaultRows { catalogue.store }

  /// Changes the state record itself.
  func update(_ body: (inout StateRecord) -> Void) {
    body(&catalogue.state)
    isChanged = true
  }

  // MARK: Names

  func names() throws(VaultError) -> NameRegister {
    if let register { return register }
    let read = try catalogue.register()
    register = read
    return read
  }

  func setNames(_ names: NameRegister) {
    register = names
    registerChanged = true
    isChanged = true
  }

  // MARK: Templates

  func templatesList() throws(VaultError) -> TemplateList {
    if let templates { return templates }
    return try catalogue.templates()
  }

  func setTemplates(_ list: TemplateList) {
    templates = list
    isChanged = true
  }

  // MARK: Places

  private func section(_ index: Int) throws(VaultError) -> Section {
    let known = catalogue.state.sections[index]
    if let open = sections[known.id] { return open }
    return try catalogue.section(known)
  }

  private func page(_ known: PageRef, keeping: Bool = true) throws(VaultError) -> HeaderPage {
    if let open = pages[known.id] { return open }
    return try catalogue.page(known, keeping: keeping)
  }

  /// Where the entry with this row number stands.
  func place(of entry: Int64) throws(VaultError) -> (place: Catalogue.Place, header: Header) {
    guard let pageID = try store.page(of: entry) else {
      throw VaultError(.tampered, .entryRow, .missing)
    }
    for index in catalogue.state.sections.indices {
      let section = try section(index)
      guard let pageIndex = section.pages.firstIndex(where: { $0.id == pageID }) else { continue }
      let page = try page(section.pages[pageIndex])
      guard let record = page.index(of: entry) else { break }
      let header = try unsealing(.header) { () throws(SealingError) in try page.header(record) }
      return (Catalogue.Place(section: index, page: pageIndex, record: record), header)
    }
    throw VaultError(.tampered, .entryRow, .rowNamesOtherPage)
  }

  /// The row numbers of the entries there are, as the pages have them.
  ///
  /// The rows are not sealed. That one is there is seen on its page; that one is *not* there, the pages alone can say.
  func entryKeys() throws(VaultError) -> Set<Int64> {
    if let keys { return keys }
    if pages.isEmpty, sections.isEmpty {
      let found = try catalogue.entryKeys()
      keys = found
      return found
    }
    var found: Set<Int64> = []
    for index in catalogue.state.sections.indices {
      for known in try section(index).pages {
        found.formUnion(try page(known, keeping: false).keys)
      }
    }
    keys = found
    return found
  }

  /// Whether there is an entry with this row number.
  ///
  /// - Throws: ``VaultError`` `tampered` when there is, and its row was taken away.
  func holds(_ entry: Int64) throws(VaultError) -> Bool {
    if try store.page(of: entry) != nil { return true }
    guard try entryKeys().contains(entry) else { return false }
    throw VaultError(.tampered, .entryRow, .missing)
  }

  /// The entry that is to be changed. A row that was taken away must not make a beginning of an id another entry's.
  func header(_ reference: EntryReference, trash: Bool = false) throws(VaultError) -> Header {
    if case .prefix(let prefix) = reference {
      try catalogue.requireRows(withPrefix: prefix, among: try entryKeys())
    }
    return try catalogue.header(reference, trash: trash)
  }

  /// The page where a key belongs: the last one that does not begin after it.
  private func home(of key: PageKey) throws(VaultError) -> (section: Int, page: Int)? {
    guard !catalogue.state.sections.isEmpty else { return nil }
    let section = max(0, (catalogue.state.sections.lastIndex { $0.first <= key }) ?? 0)
    let pages = try self.section(section).pages
    return (section, max(0, (pages.lastIndex { $0.first <= key }) ?? 0))
  }

  /// Every header with exactly this date, in order.
  ///
  /// - Parameter limit: no more than so many.
  func headers(
    at date: Int64, trashed: Bool = false, limit: Int = .max
  ) throws(VaultError) -> [Header] {
    guard var (sectionIndex, pageIndex) = try home(of: PageKey(date: date, added: 0)) else {
      return []
    }
    var found: [Header] = []
    while sectionIndex < catalogue.state.sections.count {
      let known = try section(sectionIndex).pages
      while pageIndex < known.count {
        let page = try page(known[pageIndex])
        for index in 0..<page.count {
          let own = page.key(index).date
          if own > date { return found }
          guard own == date, trashed || page.flags(index) & Header.Flags.trashed == 0 else {
            continue
          }
          found.append(
            try unsealing(.header) { () throws(SealingError) in try page.header(index) })
          if found.count >= limit { return found }
        }
        pageIndex += 1
      }
      sectionIndex += 1
      pageIndex = 0
    }
    return found
  }

  // MARK: Headers

  /// Puts a header where it belongs and returns its page's row number.
  func insert(_ header: Header) throws(VaultError) -> Int64 {
    isChanged = true
    keys?.insert(header.id.key)
    let record = header.encoded()
    guard let (sectionIndex, pageIndex) = try home(of: header.key) else {
      var page = HeaderPage()
      _ = page.insert(record, key: header.key)
      let known = newPage(page)
      let section = Section(pages: [known])
      let id = newRow()
      sections[id] = section
      catalogue.state.sections = [
        SectionRef(id: id, ref: .placeholder, first: known.first, count: 1, trashed: 0)
      ]
      refresh(0, section)
      return known.id
    }
    let known = try section(sectionIndex).pages[pageIndex]
    var page = try page(known)
    let index = page.insert(record, key: header.key)
    try noteNeighbours(of: index, on: page, section: sectionIndex, page: pageIndex)
    let isLast =
      sectionIndex == catalogue.state.sections.count - 1 && index == page.count - 1
    let home = try spread(page, section: sectionIndex, page: pageIndex, appended: isLast, header.id)
    try sealColdPages()
    return home
  }

  /// Keeps a changed page, in as many pieces as its size asks for.
  ///
  /// - Parameter appended: its last record came at the very end. Writing on from the newest day leaves
  ///   full pages behind; elsewhere both halves get room.
  /// - Returns: the row number of the piece that now holds `id`.
  private func spread(
    _ page: HeaderPage, section sectionIndex: Int, page pageIndex: Int, appended: Bool,
    _ id: EntryID
  ) throws(VaultError) -> Int64 {
    var section = try section(sectionIndex)
    let known = section.pages[pageIndex]
    let pieces = Self.pieces(of: page, appended: appended)
    var home = known.id
    pages[known.id] = pieces[0]
    section.pages[pageIndex].note(pieces[0])
    for (number, piece) in pieces.enumerated().dropFirst() {
      let made = newPage(piece)
      section.pages.insert(made, at: pageIndex + number)
      for moved in 0..<piece.count {
        let entry = piece.id(moved)
        if entry == id { home = made.id }
        try store.setPage(made.id, of: entry.key)
      }
    }
    try keep(section, at: sectionIndex)
    return home
  }

  private static func pieces(of page: HeaderPage, appended: Bool) -> [HeaderPage] {
    guard page.size > HeaderPage.capacity, page.count > 1 else { return [page] }
    var head = page
    let tail = head.split(at: appended ? page.count - 1 : page.middle)
    return pieces(of: head, appended: false) + pieces(of: tail, appended: false)
  }

  /// Replaces the header at `place` by one with the same id, wherever its date now puts it.
  func replace(_ place: Catalogue.Place, by header: Header) throws(VaultError) {
    isChanged = true
    let known = try section(place.section).pages[place.page]
    var page = try page(known)
    let old = page.key(place.record)
    if old == header.key {
      page.remove(place.record)
      let index = page.insert(header.encoded(), key: header.key)
      try noteNeighbours(of: index, on: page, section: place.section, page: place.page)
      _ = try spread(
        page, section: place.section, page: place.page, appended: false, header.id)
      return
    }
    try remove(place)
    try store.setPage(try insert(header), of: header.id.key)
  }

  /// Gives entries other keys.
  func move(_ headers: [Header]) throws(VaultError) {
    for header in headers { try remove(try place(of: header.id.key).place) }
    for header in headers { try store.setPage(try insert(header), of: header.id.key) }
  }

  /// Notes that an entry is to be put in order with others of its second.
  func note(sharedDate date: Int64) { sharedDates.insert(date) }

  private func noteNeighbours(
    of index: Int, on page: HeaderPage, section sectionIndex: Int, page pageIndex: Int
  ) throws(VaultError) {
    let date = page.key(index).date
    guard !sharedDates.contains(date) else { return }
    // What stands before the first of a page is not read for this: it may be of the same second.
    let isBeside =
      index > 0 ? page.key(index - 1).date == date : sectionIndex > 0 || pageIndex > 0
    var next: PageKey?
    if index + 1 < page.count {
      next = page.key(index + 1)
    } else {
      let pages = try section(sectionIndex).pages
      let sections = catalogue.state.sections
      if pageIndex + 1 < pages.count {
        next = pages[pageIndex + 1].first
      } else if sectionIndex + 1 < sections.count {
        next = sections[sectionIndex + 1].first
      }
    }
    if isBeside || next?.date == date { sharedDates.insert(date) }
  }

  /// Takes a header out; a page or section left empty goes with it.
  func remove(_ place: Catalogue.Place) throws(VaultError) {
    isChanged = true
    var section = try section(place.section)
    let known = section.pages[place.page]
    var page = try page(known)
    keys?.remove(page.id(place.record).key)
    page.remove(place.record)
    if page.count > 0 {
      pages[known.id] = page
      section.pages[place.page].note(page)
      return try keep(section, at: place.section)
    }
    pages[known.id] = nil
    section.pages.remove(at: place.page)
    try store.remove(page: known.id)
    if !section.pages.isEmpty { return try keep(section, at: place.section) }
    let gone = catalogue.state.sections.remove(at: place.section)
    sections[gone.id] = nil
    try store.remove(section: gone.id)
  }

  private func newRow() -> Int64 { Int64(vault.settings.randomness.uint64() >> 1) }

  private func newPage(_ page: HeaderPage) -> PageRef {
    let id = newRow()
    pages[id] = page
    var known = PageRef(
      id: id, ref: .placeholder, first: page.key(0), count: 0, trashed: 0)
    known.note(page)
    return known
  }

  /// Keeps a changed section, in two when it has grown too long.
  private func keep(_ section: Section, at index: Int) throws(VaultError) {
    var section = section
    if section.pages.count > Section.capacity {
      let isLast = index == catalogue.state.sections.count - 1
      let at = isLast ? section.pages.count - 1 : section.pages.count / 2
      let tail = Section(pages: Array(section.pages[at...]))
      section.pages.removeSubrange(at...)
      let id = newRow()
      sections[id] = tail
      catalogue.state.sections.insert(
        SectionRef(id: id, ref: .placeholder, first: tail.pages[0].first, count: 0, trashed: 0),
        at: index + 1)
      refresh(index + 1, tail)
    }
    sections[catalogue.state.sections[index].id] = section
    refresh(index, section)
  }

  private func refresh(_ index: Int, _ section: Section) {
    catalogue.state.sections[index].first = section.pages[0].first
    catalogue.state.sections[index].count = UInt64(section.count)
    catalogue.state.sections[index].trashed = UInt64(section.trashed)
  }

  // MARK: Sealing

  private func sealColdPages() throws(VaultError) {
    guard pages.count > Self.openPages else { return }
    _ = try sealPages(within: .unlimited)
  }

  /// Seals the pages that changed; false when the slice was over before the last.
  func sealPages(within slice: Slice) throws(VaultError) -> Bool {
    guard !pages.isEmpty else { return true }
    for index in catalogue.state.sections.indices {
      let id = catalogue.state.sections[index].id
      guard var section = sections[id] else { continue }
      for (pageIndex, known) in section.pages.enumerated() {
        guard let page = pages[known.id] else { continue }
        let sealed = vault.keys.seal(
          page.plain(), .page, object: VaultKeys.object(known.id),
          randomness: vault.settings.randomness)
        try put(sealed, .page(known.id), limit: HeaderPage.sizeLimit)
        section.pages[pageIndex].ref = unsafe Ref(sealed: sealed.span.bytes)!
        pages[known.id] = nil
        if slice.isOver {
          sections[id] = section
          return pages.isEmpty
        }
      }
      sections[id] = section
    }
    return true
  }

  /// Nothing is written that the reader's limit would refuse.
  private func put(
    _ sealed: [UInt8], _ place: VaultRows.Place, limit: Int
  ) throws(VaultError) {
    guard sealed.count <= limit else {
      throw VaultError(.record, expected: .atMostBytes(limit))
    }
    try store.put(sealed, place)
  }

  /// Seals everything that changed and returns the state record that knows it.
  func finish() throws(VaultError) -> StateRecord {
    _ = try sealPages(within: .unlimited)
    for index in catalogue.state.sections.indices {
      let id = catalogue.state.sections[index].id
      guard let section = sections[id] else { continue }
      let sealed = vault.keys.seal(
        section.plain(), .section, object: VaultKeys.object(id),
        randomness: vault.settings.randomness)
      try put(sealed, .section(id), limit: Section.sizeLimit)
      catalogue.state.sections[index].ref = unsafe Ref(sealed: sealed.span.bytes)!
    }
    if registerChanged, let register {
      let sealed = vault.keys.seal(
        register.plain(), .register, object: VaultKeys.nowhere,
        randomness: vault.settings.randomness)
      try put(sealed, .register, limit: NameRegister.sizeLimit)
      catalogue.state.register = unsafe Ref(sealed: sealed.span.bytes)!
    }
    if let templates {
      let sealed = vault.keys.seal(
        templates.plain(), .templates, object: VaultKeys.nowhere,
        randomness: vault.settings.randomness)
      try put(sealed, .templates, limit: TemplateList.sizeLimit)
      catalogue.state.templates = unsafe Ref(sealed: sealed.span.bytes)!
    }
    var state = catalogue.state
    // Release it at once, because what it captures holds keys.
    let last = finishing
    finishing = nil
    try last?(&state)
    catalogue.state = state
    return state
  }
}

extension PageRef {
  /// Takes over what the page now begins with and counts.
  fileprivate mutating func note(_ page: HeaderPage) {
    first = page.key(0)
    count = UInt32(page.count)
    trashed = UInt32(page.trashedCount)
  }
}
