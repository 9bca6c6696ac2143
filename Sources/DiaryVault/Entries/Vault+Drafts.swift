package import Entries
internal import Sealing

extension Vault {
  /// The public key to which unsaved text is sealed. It opens nothing.
  package var draftKey: [UInt8] { keys.drafts.publicKey }

  /// Opens what was sealed to ``draftKey``.
  ///
  /// - Returns: the text, and whether it was sealed under a vault key that was replaced since.
  /// - Throws: ``VaultError`` `damaged`: it is of another diary, or not whole.
  package func openDraft(
    _ sealed: [UInt8]
  ) throws(VaultError) -> (text: [UInt8], isOfEarlierKey: Bool) {
    if let text = try? keys.drafts.open(sealed) { return (text, false) }
    // Kept before the vault's key was replaced: by an earlier one's.
    let state = try? Snapshot(self).catalogue.state
    for seed in (state?.earlierDrafts ?? []).reversed() {
      var seed = seed
      if let text = try? SealedBox(seed: SecretBytes(wiping: &seed)).open(sealed) {
        return (text, true)
      }
    }
    throw VaultError(.damaged, .keptText, .notOfThisDiary)
  }
}

extension Vault {
  /// Saves a kept text as the entry it was meant to be. If the entry is there already with this text in any of its revisions, it was
  /// saved before; with another one, somebody saved an earlier state of what was still being typed, and this becomes an entry of its own.
  package func add(
    _ draft: EntryDraft, as id: EntryID
  ) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    try draft.validate()
    let snapshot = try Snapshot(self)
    if let known = try snapshot.catalogue.entry(id),
      try snapshot.catalogue.has(known, draft, try snapshot.register())
    {
      return (id, known.revision)
    }
    return try change { edit throws(VaultError) in
      guard let known = try edit.catalogue.entry(id) else {
        try edit.add(draft, id: id)
        return (id, 1)
      }
      if try edit.catalogue.has(known, draft, try edit.catalogue.register()) {
        return (id, known.revision)
      }
      let other = try edit.freshID()
      try edit.add(draft, id: other)
      return (other, 1)
    }
  }

  /// The revision that a change of revision `expected` has made; nil when there is none, or no such entry.
  package func revision(
    of reference: EntryReference, after expected: UInt64, by change: EntryChange
  ) throws(VaultError) -> (id: EntryID, revision: UInt64)? {
    let snapshot = try Snapshot(self)
    let catalogue = snapshot.catalogue
    guard case .id(let id) = reference, let header = try catalogue.entry(id) else { return nil }
    let revisions = try catalogue.revisions(of: header)
    guard let base = revisions.first(where: { $0.header.revision == expected }) else { return nil }
    let names = try snapshot.register()
    let changed = base.header.content(names, body: try catalogue.body(base)).changed(by: change)
    var made = base.header
    do throws(VaultError) { try made.take(changed, names) } catch {
      // A journal or kind that is not there: nothing was saved with it.
      guard error.code == .notFound else { throw error }
      return nil
    }
    for revision in revisions where revision.header.revision > expected {
      let header = revision.header
      if header.written == made.written, header.journal == made.journal, header.kind == made.kind,
        try catalogue.body(revision) == changed.body
      {
        return (id, header.revision)
      }
    }
    return nil
  }
}

extension Catalogue {
  /// Whether some revision of an entry has the title and text of a draft.
  fileprivate func has(
    _ header: Header, _ draft: EntryDraft, _ names: NameRegister
  ) throws(VaultError) -> Bool {
    for revision in try revisions(of: header) {
      let title = revision.header.content(names, body: "").title
      if title == draft.title, try body(revision) == draft.body { return true }
    }
    return false
  }
}
