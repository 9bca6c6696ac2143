package import Entries

/// The vault as it is at one moment, however long it is read, and even if others write meanwhile.
package final class Snapshot {
  let catalogue: Catalogue
  private var names: NameRegister?
  /// Of the entries there are, once somebody asked: a list of beginnings is looked up in one go.
  private var keys: Set<Int64>?

  package init(_ vault: Vault) throws(VaultError) {
    let store = try vault.reader()
    let reading = Catalogue.Reading(vault, store)
    try store.begin(writing: false)
    var (ref, state) = try vault.readState(store)
    if try !vault.agrees(state, at: ref, isSure: false) {
      // What this device remembers is kept behind what it wrote: under its lock, both are read as they are.
      let lock = try vault.anchors.lock()
      try withExtendedLifetime(lock) { () throws(VaultError) in
        store.rollback()
        try store.begin(writing: false)
        (ref, state) = try vault.readState(store)
        _ = try vault.agrees(state, at: ref, isSure: true)
      }
    }
    catalogue = Catalogue(vault: vault, store: store, state: state, reading: reading)
  }

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
  ///
  /// - Parameter isForChange: whether it will be changed: then all entries are looked through that the beginning of an id could mean.
  package func find(
    _ reference: EntryReference, trash: Bool, isForChange: Bool = false
  ) throws(VaultError) -> FoundEntry {
    if isForChange, case .prefix(let prefix) = reference {
      if keys == nil { keys = try catalogue.entryKeys() }
      try catalogue.requireRows(withPrefix: prefix, among: keys ?? [])
    }
    return FoundEntry(header: try header(reference, trash: trash))
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
    let wanted = try self.revision(revision, of: header)
    return try entry(wanted.header, body: try catalogue.body(wanted))
  }

  private func revision(
    _ number: UInt64, of header: Header
  ) throws(VaultError) -> (header: Header, bodyAt: UInt64?) {
    let revisions = try catalogue.revisions(of: header)
    guard let wanted = revisions.first(where: { $0.header.revision == number }) else {
      throw VaultError(.notFound, .revision, "\(number) (\(header.id.short))")
    }
    return wanted
  }

  func header(_ reference: EntryReference, revision: UInt64?) throws(VaultError) -> Header {
    let newest = try header(reference)
    guard let revision, revision != newest.revision else { return newest }
    return try self.revision(revision, of: newest).header
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
      bodySize: header.bodySize, others: header.others)
  }
}

/// An entry of a snapshot, found and not opened yet.
package struct FoundEntry {
  let header: Header
}
