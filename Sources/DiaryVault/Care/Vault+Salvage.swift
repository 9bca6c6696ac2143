internal import Bytes
package import Entries
internal import RowStore
internal import SealedFiles

/// Recovers everything that still opens from a damaged vault, without following the catalogue.
///
/// Every page and every row is tried on its own, so a damaged directory or page loses only what it contained. Where the tree of
/// a table is damaged, the rows are looked for in the whole file. What opens is authentic, because its seal says what it is and
/// where it was. It may be older than the last version, which only the damaged path could have
/// shown.
package final class Salvage {
  private let vault: Vault
  private let store: VaultRows
  private let catalogue: Catalogue
  /// Whether rows are looked for in the whole file: a tree was found damaged, and others may be, too.
  private var searchesFile: Bool

  /// Bytes that are tried at most under revisions that nothing tells of, in all: some ten seconds. Anybody can add rows. Then only
  /// the first revision is tried.
  private static let guessLimit = 16 << 30

  package init(_ vault: Vault) throws(VaultError) {
    self.vault = vault
    store = try vault.reader()
    try store.begin(writing: false)
    searchesFile = store.hasLostTables
    catalogue = Catalogue(
      vault: vault, store: store,
      state: StateRecord(incarnation: [], slots: KnownSlots(vault.keyring)))
  }

  /// Takes out everything that opens. What cannot be taken is named in the report, and the rest goes on.
  ///
  /// - Parameters:
  ///   - take: takes journals and kinds, then for each entry its files and the entry itself.
  ///   - abandon: called where a file stops in the middle: its pieces belong to nothing.
  ///   - trashed: called with the ids of entries that were taken and stood in the trash.
  /// - Throws: what `take` throws and no single thing is to blame for: the new vault cannot be written.
  package func run(
    progress: (Int, Int) -> Void = { _, _ in }, take: (ImportItem) throws -> Void,
    abandon: () -> Void, trashed: (EntryID) -> Void
  ) throws -> Salvaged {
    var (report, register, headers, found) = try survey()
    // A tree that reads may still be another's, or empty: what is missing is looked for in the whole file.
    if !searchesFile, !isWhole(headers, found) {
      searchesFile = true
      (report, register, headers, found) = try survey()
    }
    let missing = (vault.latestState?.count ?? 0) - headers.count
    for item in register.journals.map(ImportItem.journal) + register.kinds.map(ImportItem.kind) {
      if try !isTaken(item, take), !report.lost.contains(.names) { report.lose(.names) }
    }
    // Where the names themselves are gone, only entries tell that there were any.
    let areNamesKnown = headers.values.allSatisfy { header in
      header.journal.map { register.hasNumbered(journal: $0) } ?? true
        && header.kind.map { register.hasNumbered(kind: $0) } ?? true
    }
    if !areNamesKnown, !report.lost.contains(.names) { report.lose(.names) }
    let rows = (found.known + found.others).sorted()
    var done = 0
    var guesses = Self.guessLimit
    for header in headers.values.sorted(by: { $0.key < $1.key }) {
      let isTaken = try rescue(header, register, &report, &guesses, take, abandon) {
        progress(done, rows.count)
      }
      if isTaken, header.trashed != nil { trashed(header.id) }
      done += 1
      progress(done, rows.count)
    }
    for row in rows where headers[row] == nil {
      progress(done, rows.count)
      guard let text = anyBody(row, &guesses) else {
        report.lose(.text(row: row))
        continue
      }
      // Its title, date and tags were lost with its page; it gets a fixed title and today's date.
      let date = try ZonedTime(seconds: vault.settings.now(), offset: 0)
      var draft = EntryDraft(date: date, body: text)
      draft.title = Self.titleOfLost
      guard try isTaken(.entry(ImportedEntry(draft: draft)), take) else {
        report.lose(.text(row: row))
        continue
      }
      report.entries += 1
      report.nameless += 1
    }
    if missing > report.nameless { report.lose(.missing(missing - report.nameless)) }
    return report
  }

  private typealias Rows = (known: [Int64], others: [Int64])

  /// What there is: names, headers by the rows of their entries, and rows of texts.
  private func survey() throws -> (Salvaged, NameRegister, [Int64: Header], Rows) {
    var report = Salvaged()
    let register = names(&report)
    let headers = headers(&report)
    let rows = keys(.body, &report)
    return (report, register, headers, rows)
  }

  /// Whether each entry that the state counts is there, with a row for its text, and no other row.
  private func isWhole(_ headers: [Int64: Header], _ rows: Rows) -> Bool {
    guard let state = vault.latestState, state.count == headers.count else { return false }
    return Set(headers.keys) == Set(rows.known)
  }

  /// The owner's templates; nil when there are some that cannot be read.
  package func templates() -> [EntryTemplate]? {
    let (isThere, templates) = first(.templates) { sealed -> [EntryTemplate]? in
      guard
        let plain = unsafe try? vault.keys.open(
          sealed.span.bytes, .templates, object: VaultKeys.nowhere)
      else { return nil }
      return (try? TemplateList(plain: plain))?.templates
    }
    return isThere ? templates : vault.latestState?.templates == nil ? [] : nil
  }

  /// Of an entry whose own title, text and files are lost.
  private static let titleOfLost = "salvaged text"

  /// False for what no vault takes as it is.
  private func isTaken(_ item: ImportItem, _ take: (ImportItem) throws -> Void) throws -> Bool {
    do { try take(item) } catch let error as VaultError
      where [.invalid, .conflict, .notFound].contains(error.code)
    { return false }
    return true
  }

  private func names(_ report: inout Salvaged) -> NameRegister {
    let (isThere, register) = first(.register) { sealed in
      guard
        let plain = unsafe try? vault.keys.open(
          sealed.span.bytes, .register, object: VaultKeys.nowhere)
      else { return NameRegister?.none }
      return try? NameRegister(plain: plain)
    }
    // Of those that lie in the file, some are another table's; the entries tell whether there were names.
    if isThere, register == nil, !searchesFile { report.lose(.names) }
    return register ?? NameRegister()
  }

  /// Every header that opens, by its entry's row; if an entry is met twice, the newer one.
  private func headers(_ report: inout Salvaged) -> [Int64: Header] {
    var found: [Int64: Header] = [:]
    let (known, others) = keys(.page, &report)
    let isKnown = Set(known)
    for row in known + others {
      let (_, page) = first(.page(row)) { sealed -> HeaderPage? in
        guard
          let plain = unsafe try? vault.keys.open(
            sealed.span.bytes, .page, object: VaultKeys.object(row))
        else { return nil }
        return try? HeaderPage(plain: plain)
      }
      guard let page else {
        // Of those that lie in the file, some are another table's.
        if isKnown.contains(row) { report.lose(.page(row: row)) }
        continue
      }
      for index in 0..<page.count {
        guard let header = try? page.header(index) else { continue }
        let key = header.id.key
        if (found[key]?.revision ?? 0) < header.revision { found[key] = header }
      }
    }
    return found
  }

  /// Whether the entry was taken.
  private func rescue(
    _ header: Header, _ register: NameRegister, _ report: inout Salvaged,
    _ guesses: inout Int, _ take: (ImportItem) throws -> Void, _ abandon: () -> Void,
    working: () -> Void
  ) throws -> Bool {
    var body = first(.body(header.id.key)) { text($0, header.id.key, header.bodyRevision) }.value
    if body == nil {
      body = anyBody(header.id.key, newest: header.revision, &guesses)
      if body != nil { report.older += 1 }
    }
    if body == nil { report.lose(.textOfEntry(header.id.short)) }
    body = withOthers(body, header, &report)
    var files = 0
    for stored in header.attachments {
      if try rescue(stored, of: header.id, take, working: working) {
        files += 1
      } else {
        abandon()
        report.lose(.attachment(stored.attachment.name, ofEntry: header.id.short))
      }
    }
    var draft = EntryDraft(header.content(register, body: body ?? ""))
    if files == 0, draft.title == nil, draft.body.allSatisfy(\.isWhitespace) {
      draft.title = Self.titleOfLost
    }
    let entry = ImportedEntry(
      id: header.id, draft: draft, created: header.created, modified: header.modified)
    guard try isTaken(.entry(entry), take) else {
      report.lose(.entry(header.id.short))
      return false
    }
    report.attachments += files
    report.entries += 1
    return true
  }

  /// A text with those that other devices wrote without knowing of it, as an export has them.
  private func withOthers(
    _ body: String?, _ header: Header, _ report: inout Salvaged
  ) -> String? {
    guard !header.others.isEmpty else { return body }
    let revisions = (try? catalogue.revisions(of: header)) ?? []
    var texts = [body].compactMap(\.self)
    for number in header.others {
      guard let revision = revisions.first(where: { $0.header.revision == number }),
        let text = try? catalogue.body(revision)
      else {
        report.lose(.textOfEntry(header.id.short))
        continue
      }
      let title = revision.header.title.flatMap { $0 == header.title ? nil : $0 + "\n\n" } ?? ""
      guard !title.isEmpty || !texts.contains(text) else { continue }
      // No entry holds more.
      guard
        texts.reduce(title.utf8.count + text.utf8.count, { $0 + $1.utf8.count + 7 })
          <= EntryDraft.bodyLimit
      else {
        report.lose(.textOfEntry(header.id.short))
        continue
      }
      texts.append(title + text)
    }
    return texts.isEmpty ? nil : texts.joined(separator: "\n\n---\n\n")
  }

  /// A file is taken whole or not at all: it is read once before it is passed on.
  ///
  /// - Parameter working: called now and then: a film on a failing disk takes longer than a session may be idle.
  /// - Returns: false when it cannot be read, for whatever reason: a bad sector is no reason to lose all the rest.
  private func rescue(
    _ stored: SealedAttachment, of entry: EntryID, _ take: (ImportItem) throws -> Void,
    working: () -> Void
  ) throws -> Bool {
    let file = AttachedFile(stored, of: entry)
    let folder = VaultFolder(vault.path)
    guard let check = try? ObjectReader(file, in: folder) else { return false }
    var pieces = 0
    func tick() {
      pieces += 1
      if pieces % 16 == 0 { working() }
    }
    do { while try check.next() != nil { tick() } } catch { return false }
    guard let reader = try? ObjectReader(file, in: folder) else { return false }
    while true {
      let piece: [UInt8]?
      do throws(VaultError) { piece = try reader.next() } catch { return false }
      guard let piece else { break }
      tick()
      try take(.piece(piece))
    }
    return try isTaken(
      .attachment(name: stored.attachment.name, type: stored.attachment.type), take)
  }

  /// The newest text of an entry that opens: its row's, else one of its history.
  ///
  /// - Parameters:
  ///   - newest: the revision up to which its history is looked through; 256 where no header tells.
  ///   - guesses: how many bytes may still be tried.
  private func anyBody(_ row: Int64, newest: UInt64 = 256, _ guesses: inout Int) -> String? {
    let (_, newestText) = first(.body(row)) { sealed -> String? in
      // As many as are tried in a moment, whatever its size.
      let size = max(4096, sealed.count)
      let most = min(1 << 16, min(1 << 30, max(0, guesses)) / size)
      let least = min(256, max(0, guesses) / size)
      for revision in 1...UInt64(max(least, most, 1)) {
        guesses -= size
        if let text = text(sealed, row, revision) { return text }
      }
      return nil
    }
    if let newestText { return newestText }
    for newest in (1...min(max(newest, 256), 1 << 16)).reversed() {
      // To ask for a revision costs as much as to try a short text.
      guesses -= 4096
      guard guesses > 0 || newest == 1 else { continue }
      let (_, past) = first(.past(vault.keys.past(.text, of: row, revision: newest))) { sealed in
        // A text is sealed with the revision it came with, at or before the one it was kept for.
        for revision in (1...newest).reversed().prefix(256) {
          guesses -= sealed.count
          if let text = text(sealed, row, revision) { return text }
          if guesses <= 0 { break }
        }
        return String?.none
      }
      if let past { return past }
    }
    return nil
  }

  private func text(_ sealed: [UInt8], _ row: Int64, _ revision: UInt64) -> String? {
    guard
      let padded = unsafe try? vault.keys.open(
        sealed.span.bytes, .body, object: VaultKeys.object(row), revision: revision),
      let bytes = try? Padding.unpad(padded)
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Opens the blob at a place; where the tree that leads there is damaged, each that may be it until one opens.
  private func first<Value>(
    _ place: VaultRows.Place, _ open: ([UInt8]) -> Value?
  ) -> (isThere: Bool, value: Value?) {
    var isThere = false
    do {
      if let found = try store.blob(place, limit: Self.blobLimit) {
        isThere = true
        if let value = open(found) { return (true, value) }
      }
      guard searchesFile else { return (isThere, nil) }
    } catch {}
    let (number, form): (Int64, LooseRows.Form) =
      switch place {
      case .state, .register: (1, .blob)
      case .templates: (2, .blob)
      case .section(let row), .page(let row), .past(let row), .replica(let row): (row, .blob)
      case .body(let row): (row, .numberAndBlob)
      }
    let value = store.looseRows?.first(number, form, limit: Self.blobLimit) { sealed in
      isThere = true
      return open(sealed)
    }
    return (isThere, value ?? nil)
  }

  /// More than the longest text has when it is padded and sealed.
  private static let blobLimit = 24 << 20

  /// The row numbers of a table: from the front until its tree is broken, then from the back; and of a broken one, the others of its
  /// form that lie in the file.
  private func keys(
    _ table: VaultRows.Table, _ report: inout Salvaged
  ) -> (known: [Int64], others: [Int64]) {
    var found: Set<Int64> = []
    if store.isLost(table.rawValue) { report.lose(.table(table.rawValue)) }
    for descending in [false, true] {
      do throws(VaultError) {
        try store.rows(of: table, descending: descending) { found.insert($0) }
        // A tree that was cut down to nothing is whole, too.
        if !searchesFile { return (found.sorted(), []) }
        break
      } catch {
        searchesFile = true
        if descending { report.lose(.table(table.rawValue)) }
      }
    }
    let others = store.looseRows?.numbers(table == .body ? .numberAndBlob : .blob) ?? []
    return (found.sorted(), others.filter { !found.contains($0) })
  }
}
