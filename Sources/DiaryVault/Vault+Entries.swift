internal import RowStore
internal import Sealing

extension Vault {
  /// Adds an entry and returns its id; durable when this returns.
  ///
  /// - Throws: ``VaultError``: `invalid`, `notFound` for an unknown journal or kind, and those of any
  ///   write: `busy`, `readOnly`, `diskFull`, `rolledBack`, `tampered`, `damaged`.
  package func add(_ draft: EntryDraft) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    try draft.validate()
    return try change { edit throws(VaultError) in
      let id = try edit.freshID()
      try edit.add(draft, id: id)
      return (id, 1)
    }
  }

  /// Makes a new revision of an entry.
  ///
  /// - Parameter expected: the revision the edit was made from; another newest one is `conflict`.
  package func edit(
    _ reference: EntryReference, _ change: EntryChange, expected: UInt64? = nil
  ) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    try self.change { edit throws(VaultError) in
      let id = try edit.catalogue.header(reference).id
      let (place, old) = try edit.place(of: id.key)
      guard old.trashed == nil else { throw VaultError(.notFound, .entry, id.short) }
      if let expected, expected != old.revision {
        throw VaultError(.conflict, .entry, id.short, .revisionIsNewer(old.revision))
      }
      return (id, try edit.revise(old, at: place, change))
    }
  }

  /// Moves entries to the trash: all of them, or none.
  package func delete(_ references: [EntryReference]) throws(VaultError) -> Int {
    try mark(references, trash: false) { [settings] in $0.trashed = settings.now() }
  }

  /// Takes entries back out of the trash.
  package func restore(_ references: [EntryReference]) throws(VaultError) -> Int {
    try mark(references, trash: true) { $0.trashed = nil }
  }

  /// Removes trashed entries and all their revisions for good; all of the trash when none are named.
  package func purge(_ references: [EntryReference]?) throws(VaultError) -> Int {
    let (count, attachments) = try change { edit throws(VaultError) in
      var attachments: Set<Int64> = []
      let ids = try edit.ids(references, trash: true)
      for id in ids {
        let (place, header) = try edit.place(of: id.key)
        guard header.trashed != nil else { throw VaultError(.conflict, .entry, id.short) }
        attachments.formUnion(try edit.attachments(of: header))
        try edit.remove(place)
        try edit.deleteRows(of: id)
      }
      if references == nil { attachments.formUnion(try edit.unfinished()) }
      return (ids.count, attachments)
    }
    try deleteAttachments(attachments)
    return count
  }

  private func mark(
    _ references: [EntryReference], trash: Bool, _ body: (inout Header) -> Void
  ) throws(VaultError) -> Int {
    try change { edit throws(VaultError) in
      let ids = try edit.ids(references, trash: trash)
      for id in ids {
        var (place, header) = try edit.place(of: id.key)
        guard (header.trashed != nil) == trash else {
          throw VaultError(.conflict, .entry, id.short)
        }
        body(&header)
        try edit.replace(place, by: header)
      }
      return ids.count
    }
  }
}

extension CatalogueEdit {
  /// The entries named, each once, in order; every one in the trash for nil.
  ///
  /// Asked of the transaction itself: what another process purged a moment ago is not found, not missing.
  fileprivate func ids(
    _ references: [EntryReference]?, trash: Bool
  ) throws(VaultError) -> [EntryID] {
    var ids: [EntryID] = []
    if let references {
      for reference in references {
        let id = try catalogue.header(reference, trash: trash).id
        if !ids.contains(id) { ids.append(id) }
      }
    } else {
      var filter = EntryFilter()
      filter.trash = trash
      let cursor = HeaderCursor(catalogue, filter: filter, newestFirst: true)
      while let header = try cursor.next() { ids.append(header.id) }
    }
    return ids
  }

  /// An id whose first 40 bits, the eight characters shown, no other entry has.
  func freshID() throws(VaultError) -> EntryID {
    while true {
      let id = EntryID.random(catalogue.vault.settings.randomness)
      if try !exists(EntryID.keys(withPrefix: id.short)!) { return id }
    }
  }

  func exists(_ keys: ClosedRange<Int64>) throws(VaultError) -> Bool {
    var found = false
    try storing(catalogue.vault.path) { () throws(StoreError) in
      try catalogue.store.run(
        "SELECT 1 FROM body WHERE entry BETWEEN ? AND ? LIMIT 1",
        [.integer(keys.lowerBound), .integer(keys.upperBound)]
      ) { _ throws(StoreError) in
        found = true
        return false
      }
    }
    return found
  }

  /// Adds an entry; `draft` has been validated.
  func add(
    _ draft: EntryDraft, id: EntryID, created: Int64? = nil, modified: Int64? = nil
  ) throws(VaultError) {
    let vault = catalogue.vault
    let names = try names()
    let now = vault.settings.now()
    let added = catalogue.state.added + 1
    let sealed = seal(draft.body, id: id, revision: 1)
    var header = unsafe Header(
      id: id, added: added, date: draft.content.date, created: created ?? now,
      modified: modified ?? now, body: Ref(sealed: sealed.span.bytes)!,
      signature: SearchSignature(texts: []))
    try header.take(draft.content, names)
    header.attachments = try link(draft.attachments, taken: [])
    let page = try insert(header)
    try storing(vault.path) { () throws(StoreError) in
      try catalogue.store.run(
        "INSERT INTO body(entry, page, sealed) VALUES(?, ?, ?)",
        [.integer(id.key), .integer(page), .blob(sealed)])
    }
    update {
      $0.added = added
      $0.latest = id
    }
  }

  /// Makes the next revision of `old` and returns its number.
  func revise(
    _ old: Header, at place: Catalogue.Place, _ change: EntryChange
  ) throws(VaultError) -> UInt64 {
    let vault = catalogue.vault
    let store = catalogue.store
    let names = try names()
    let oldBody = try catalogue.body(old)
    let before = old.content(names, body: oldBody)
    let content = before.changed(by: change)
    let body = content.body
    var header = old
    header.revision = old.revision + 1
    header.modified = vault.settings.now()
    for name in change.detach {
      guard let place = header.attachments.firstIndex(where: { $0.attachment.name == name }) else {
        throw VaultError(
          .notFound, .attachment, name, candidates: header.attachments.map(\.attachment.name))
      }
      header.attachments.remove(at: place)
    }
    header.attachments += try link(change.attach, taken: header.attachments)
    try EntryDraft(content).validate(hasAttachments: !header.attachments.isEmpty)
    try header.take(content, names)

    // The old header is sealed into the history; the old body's bytes move there as they are.
    let oldHeader = vault.keys.seal(
      old.encoded(), .history, object: VaultKeys.object(old.id.key), revision: old.revision,
      randomness: vault.settings.randomness)
    header.previous = unsafe (old.revision, Ref(sealed: oldHeader.span.bytes)!)
    var replaced: [UInt8] = []
    if body != oldBody {
      let sealed = seal(body, id: old.id, revision: header.revision)
      header.body = unsafe Ref(sealed: sealed.span.bytes)!
      header.bodyRevision = header.revision
      try storing(vault.path) { () throws(StoreError) in
        try store.run("SELECT sealed FROM body WHERE entry=?", [.integer(old.id.key)]) {
          row throws(StoreError) in
          replaced = try row.blob(0, limit: Catalogue.bodyLimit)
          return false
        }
        try store.run(
          "UPDATE body SET sealed=? WHERE entry=?", [.blob(sealed), .integer(old.id.key)])
      }
    }
    try storing(vault.path) { () throws(StoreError) in
      try store.run(
        "INSERT INTO history(entry, revision, header, body) VALUES(?, ?, ?, ?)",
        [
          .integer(old.id.key), .integer(Int64(clamping: old.revision)), .blob(oldHeader),
          .blob(replaced),
        ])
    }
    try replace(place, by: header)
    return header.revision
  }

  /// The attachments of an entry and of all its revisions.
  fileprivate func attachments(of header: Header) throws(VaultError) -> Set<Int64> {
    Set(try catalogue.revisions(of: header).flatMap { $0.header.attachments.map(\.row) })
  }

  /// Attachments that no entry has in any revision: their process died before the end.
  fileprivate func unfinished() throws(VaultError) -> Set<Int64> {
    var rows: Set<Int64> = []
    try storing(catalogue.vault.path) { () throws(StoreError) in
      try catalogue.store.run("SELECT id FROM attachment") { row throws(StoreError) in
        rows.insert(try row.integer(0))
        return true
      }
      // Chunks whose attachment is gone belong to nobody either.
      try catalogue.store.run("SELECT DISTINCT id >> 32 FROM chunk") { row throws(StoreError) in
        rows.insert(try row.integer(0))
        return true
      }
    }
    rows.subtract(catalogue.vault.staged)
    guard !rows.isEmpty else { return [] }
    var filter = EntryFilter()
    for trash in [false, true] {
      filter.trash = trash
      let cursor = HeaderCursor(catalogue, filter: filter, newestFirst: true)
      while let header = try cursor.next() { rows.subtract(try attachments(of: header)) }
    }
    return rows
  }

  func deleteRows(of id: EntryID) throws(VaultError) {
    try storing(catalogue.vault.path) { () throws(StoreError) in
      try catalogue.store.run("DELETE FROM body WHERE entry=?", [.integer(id.key)])
      try catalogue.store.run("DELETE FROM history WHERE entry=?", [.integer(id.key)])
    }
  }

  private func seal(_ body: String, id: EntryID, revision: UInt64) -> [UInt8] {
    catalogue.vault.keys.seal(
      Padding.pad(Array(body.utf8)), .body, object: VaultKeys.object(id.key), revision: revision,
      randomness: catalogue.vault.settings.randomness)
  }

  static func unique(_ tags: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return tags.filter { seen.insert(SearchText.fold($0)).inserted }
  }
}

extension Header {
  /// Takes over what a list shows of a body without opening it.
  mutating func describe(_ body: String) {
    bodySize = body.utf8.count
    words = Self.words(in: body)
    preview = nil
    guard title == nil else { return }
    // The line the first text stands in, without taking the rest apart.
    if let start = body.firstIndex(where: { !$0.isWhitespace }) {
      preview = Self.beginning(of: body[start...].prefix(60).prefix { !$0.isNewline })
    }
  }

  /// At most 60 characters and 180 bytes: one character can be any number of combining marks.
  private static func beginning(of line: Substring) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in line.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > 180 { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// Runs of anything but white space; characters of scripts that put no spaces count one each.
  private static func words(in text: String) -> Int {
    var text = text
    if let ascii = text.withUTF8({ unsafe asciiWords($0) }) { return ascii }
    return unicodeWords(in: text)
  }

  /// nil when there is anything but ASCII.
  private static func asciiWords(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var count = 0
    var inWord = false
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte >= 0x80 { return nil }
      let isWord = byte != 0x20 && !(0x09...0x0d).contains(byte)
      if isWord, !inWord { count += 1 }
      inWord = isWord
    }
    return count
  }

  private static func unicodeWords(in text: String) -> Int {
    var count = 0
    var inWord = false
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value == 0x20 || (0x09...0x0d).contains(value)
        || (value >= 0x80 && scalar.properties.isWhitespace)
      {
        inWord = false
      } else if (0x3040...0x30ff).contains(value) || (0x3400...0x9fff).contains(value) {
        count += 1
        inWord = false
      } else if !inWord {
        count += 1
        inWord = true
      }
    }
    return count
  }
}
