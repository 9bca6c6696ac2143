internal import Bytes
package import Entries

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

  /// Makes a new revision of an entry; none where nothing would be another than before.
  ///
  /// - Parameter expected: the revision the edit was made from; another newest one is `conflict`.
  /// - Throws: ``VaultError`` `conflict` also for a new title or text where devices gave several, unless the change ends that.
  package func edit(
    _ reference: EntryReference, _ change: EntryChange, expected: UInt64? = nil
  ) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    try self.change { edit throws(VaultError) in
      let id = try edit.header(reference).id
      let (place, old) = try edit.place(of: id.key)
      guard old.trashed == nil else { throw VaultError(.notFound, .entry, id.short) }
      if let expected, expected != old.revision {
        throw VaultError(.conflict, .entry, id.short, .revisionIsNewer(old.revision))
      }
      return (id, try edit.revise(old, at: place, change))
    }
  }
}

extension CatalogueEdit {
  /// An id whose first 40 bits, the eight characters shown, no other entry has.
  func freshID() throws(VaultError) -> EntryID {
    while true {
      let id = EntryID.random(catalogue.vault.settings.randomness)
      let keys = EntryID.keys(withPrefix: id.short)!
      if try catalogue.store.entries(in: keys, limit: 1).isEmpty { return id }
    }
  }

  /// Adds an entry; `draft` has been validated.
  func add(
    _ draft: EntryDraft, id: EntryID, created: Int64? = nil, modified: Int64? = nil
  ) throws(VaultError) {
    let now = catalogue.vault.settings.now()
    // Another program may say a time of no year that can be written: it says none.
    func possible(_ time: Int64?) -> Int64 {
      time.flatMap { ZonedTime.range.contains($0) ? $0 : nil } ?? now
    }
    try add(
      draft.content, try link(draft.attachments, taken: []), id: id, created: possible(created),
      modified: possible(modified))
    update { $0.latest = id }
  }

  /// Adds an entry that was written here or elsewhere.
  ///
  /// - Parameter complete: sets the parts of the header that a person does not write.
  @discardableResult
  func add(
    _ content: EntryContent, _ attachments: [SealedAttachment], id: EntryID, created: Int64,
    modified: Int64, complete: (inout Header) -> Void = { _ in }
  ) throws(VaultError) -> Header {
    let added = catalogue.state.added + 1
    let sealed = seal(content.body, id: id, revision: 1)
    var header = unsafe Header(
      id: id, added: added, date: content.date, created: created, modified: modified,
      body: Ref(sealed: sealed.span.bytes)!)
    try header.take(content, try names())
    header.attachments = attachments
    complete(&header)
    let page = try insert(header)
    try catalogue.store.add(entry: id.key, page: page, body: sealed)
    update { $0.added = added }
    return header
  }

  /// Makes the next revision of `old` and returns its number, or that of `old` where the change changes nothing.
  ///
  /// - Throws: ``VaultError`` `conflict` for a new title or text where devices gave several, unless the change ends that.
  func revise(
    _ old: Header, at place: Catalogue.Place, _ change: EntryChange
  ) throws(VaultError) -> UInt64 {
    if !change.endsConflict, try endsConflict(old, change) {
      throw VaultError(.conflict, .entry, old.id.short, .hasOtherTexts(old.others.count))
    }
    let vault = catalogue.vault
    let names = try names()
    let oldBody = try catalogue.body(old)
    let before = old.content(names, body: oldBody)
    let content = before.changed(by: change)
    var attachments = old.attachments
    for name in change.detach {
      guard let place = attachments.firstIndex(where: { $0.attachment.name == name }) else {
        throw VaultError(
          .notFound, .attachment, name, candidates: attachments.map(\.attachment.name))
      }
      attachments.remove(at: place)
    }
    attachments += try link(change.attach, taken: attachments)
    try EntryDraft(content).validate(hasAttachments: !attachments.isEmpty)
    var header = old
    header.attachments = attachments
    try header.take(content, names)
    // As by a tag that it has; to the byte, where two ways to write a letter are equal otherwise. One that ends a conflict says that this is
    // what stays.
    if header.encoded() == old.encoded(), content.body.utf8.elementsEqual(oldBody.utf8),
      !change.endsConflict || old.others.isEmpty
    {
      return old.revision
    }
    header.modified = vault.settings.now()
    if change.endsConflict { header.others = [] }
    try write(&header, body: content.body, over: old, body: oldBody, at: place)
    return header.revision
  }

  /// Whether a change gives a title or a text of which others are there, too. A title is none of several texts.
  func endsConflict(_ old: Header, _ change: EntryChange) throws(VaultError) -> Bool {
    guard !old.others.isEmpty else { return false }
    if change.body != nil { return true }
    guard change.title != .keep else { return false }
    for other in try catalogue.revisions(of: old)
    where old.others.contains(other.header.revision) {
      if other.header.title != old.title { return true }
    }
    return false
  }

  /// Makes the next revision of an entry from a header that lacks only its place in the history.
  func write(
    _ header: inout Header, body: String, over old: Header, body oldBody: String,
    at place: Catalogue.Place
  ) throws(VaultError) {
    let vault = catalogue.vault
    let store = catalogue.store
    header.revision = old.revision + 1
    guard header.revision <= Header.revisionLimit else {
      throw VaultError(.conflict, .entry, .atMost(Int(Header.revisionLimit)))
    }

    // The old header is sealed into the history; the old body's bytes move there as they are.
    let oldHeader = vault.keys.seal(
      old.past, .history, object: VaultKeys.object(old.id.key), revision: old.revision,
      randomness: vault.settings.randomness)
    header.previous = unsafe (old.revision, Ref(sealed: oldHeader.span.bytes)!)
    try store.put(
      oldHeader, .past(vault.keys.past(.header, of: old.id.key, revision: old.revision)))
    if body != oldBody {
      let sealed = seal(body, id: old.id, revision: header.revision)
      header.body = unsafe Ref(sealed: sealed.span.bytes)!
      header.bodyRevision = header.revision
      guard let replaced = try store.blob(.body(old.id.key), limit: Catalogue.bodyLimit) else {
        throw VaultError(.tampered, .entry, old.id.short, .missing)
      }
      try store.put(
        replaced, .past(vault.keys.past(.text, of: old.id.key, revision: old.revision)))
      try store.put(sealed, .body(old.id.key))
    }
    try replace(place, by: header)
  }

  /// Removes an entry's text and all it replaced; revisions are counted from 1, and each but the last has a row.
  func deleteRows(of header: Header) throws(VaultError) {
    let store = catalogue.store
    try store.remove(entry: header.id.key)
    var last = header.revision
    if last > 1000 { last = min(last, UInt64(try store.count(of: .history)) + 1) }
    for revision in 1..<max(1, last) {
      for part in VaultKeys.PastPart.allCases {
        let row = catalogue.vault.keys.past(part, of: header.id.key, revision: revision)
        try store.remove(row, from: .history)
      }
    }
  }

  private func seal(_ body: String, id: EntryID, revision: UInt64) -> [UInt8] {
    catalogue.vault.keys.seal(
      Padding.pad(Array(body.utf8)), .body, object: VaultKeys.object(id.key), revision: revision,
      randomness: catalogue.vault.settings.randomness)
  }
}
