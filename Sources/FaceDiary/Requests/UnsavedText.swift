package import DiaryVault
internal import Sealing

/// What somebody typed and could not save, because the session had ended: sealed to the diary's draft key,
/// it waits on this device until the diary is opened again.
package struct UnsavedText: Codable, Sendable {
  private enum Operation: Codable {
    case add(EntryDraft)
    case edit(EntryReference, EntryChange, expected: UInt64?)
  }

  private let operation: Operation
  /// The entry as a new one, should it have to be.
  private let fallback: EntryDraft
  /// What it then is called: kept text that somebody puts back becomes no second entry.
  private let id: EntryID

  package init(adding draft: EntryDraft) {
    var draft = draft
    draft.attachments = []
    id = EntryID.random(.system)
    operation = .add(draft)
    fallback = draft
  }

  /// - Parameter entry: what the edit began from.
  package init(_ change: EntryChange, of entry: Entry, expected: UInt64) {
    id = EntryID.random(.system)
    operation = .edit(.id(entry.id), change, expected: expected)
    fallback = EntryDraft(entry.content.changed(by: change))
  }

  package func sealed(to key: [UInt8]) throws -> [UInt8] {
    try SealedBox.seal(try Wire.encode(self), to: key)
  }

  init(opened bytes: [UInt8]) throws(VaultError) {
    guard let kept = try? Wire.decode(Self.self, from: bytes, limit: Wire.requestLimit) else {
      throw VaultError(.damaged, "kept text", "not a text that was kept")
    }
    self = kept
  }

  /// Saves it. What was edited may have changed or gone meanwhile: then the text becomes an entry of its
  /// own, because typed text is never thrown away.
  func save(to vault: Vault) throws(VaultError) -> (id: EntryID, revision: UInt64) {
    switch operation {
    case .add(let draft): return try vault.add(Self.possible(draft, in: vault), as: id)
    case .edit(let reference, let change, let expected):
      do throws(VaultError) {
        return try vault.edit(reference, change, expected: expected)
      } catch {
        guard [.conflict, .notFound].contains(error.code) else { throw error }
        // Saved before, and put back by somebody.
        if let saved = try vault.revision(of: reference, with: fallback.body) { return saved }
        return try vault.add(Self.possible(fallback, in: vault), as: id)
      }
    }
  }

  /// Without a journal or kind that was removed meanwhile.
  private static func possible(_ draft: EntryDraft, in vault: Vault) throws(VaultError)
    -> EntryDraft
  {
    let register = try Snapshot(vault).register()
    var draft = draft
    if let name = draft.journal, register.journal(named: name) == nil { draft.journal = nil }
    if let name = draft.kind, register.kind(named: name) == nil { draft.kind = nil }
    return draft
  }
}
