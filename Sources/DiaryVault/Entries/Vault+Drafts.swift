package import Entries
internal import Sealing

extension Vault {
  /// The public key to which text is sealed that could not be saved. It opens nothing.
  package var draftKey: [UInt8] { keys.drafts.publicKey }

  /// Opens what was sealed to ``draftKey``.
  ///
  /// - Throws: ``VaultError`` `damaged`: it is of another diary, or not whole.
  package func openDraft(_ sealed: [UInt8]) throws(VaultError) -> [UInt8] {
    if let text = try? keys.drafts.open(sealed) { return text }
    // Kept before the vault's key was replaced: by an earlier one's.
    for seed in try Snapshot(self).catalogue.state.earlierDrafts.reversed() {
      var seed = seed
      if let text = try? SealedBox(seed: SecretBytes(wiping: &seed)).open(sealed) { return text }
    }
    throw VaultError(.damaged, .keptText, .notOfThisDiary)
  }
}

extension Vault {
  /// Saves a text that waited, as the entry it was to be: one that is there already was saved before.
  package func add(
    _ draft: EntryDraft, as id: EntryID
  ) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    try draft.validate()
    if let known = try Snapshot(self).catalogue.entry(id) { return (id, known.revision) }
    return try change { edit throws(VaultError) in
      if let known = try edit.catalogue.entry(id) { return (id, known.revision) }
      try edit.add(draft, id: id)
      return (id, 1)
    }
  }

  /// The revision of an entry that has this text; nil when none does, or there is no such entry.
  package func revision(
    of reference: EntryReference, with text: String
  ) throws(VaultError) -> (id: EntryID, revision: UInt64)? {
    let catalogue = try Snapshot(self).catalogue
    guard case .id(let id) = reference, let header = try catalogue.entry(id) else { return nil }
    for revision in try catalogue.revisions(of: header)
    where try catalogue.body(revision) == text { return (id, revision.header.revision) }
    return nil
  }
}
