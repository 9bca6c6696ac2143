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
    if let saved = try Snapshot(self).catalogue.saved(draft, as: id) { return (id, saved) }
    return try change { edit throws(VaultError) in
      if let saved = try edit.catalogue.saved(draft, as: id) { return (id, saved) }
      let free = try edit.catalogue.entry(id) == nil ? id : try edit.freshID()
      try edit.add(draft, id: free)
      return (free, 1)
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
        change.attach.allSatisfy({ file in
          header.attachments.contains { $0.object == file.object }
        }),
        try catalogue.body(revision) == changed.body
      {
        return (id, header.revision)
      }
    }
    return nil
  }
}

extension Catalogue {
  /// The newest revision of an entry of which some revision has the title and text of a draft; nil when none has, or there is no entry.
  fileprivate func saved(_ draft: EntryDraft, as id: EntryID) throws(VaultError) -> UInt64? {
    guard let known = try entry(id) else { return nil }
    for revision in try revisions(of: known) where revision.header.written.title == draft.title {
      if try body(revision) == draft.body { return known.revision }
    }
    return nil
  }
}
