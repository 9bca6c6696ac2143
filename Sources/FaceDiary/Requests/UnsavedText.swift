package import DiaryVault
internal import Sealing

/// What somebody typed and could not save, because the session had ended: sealed to the diary's draft key,
/// it waits on this device until the diary is opened again.
package struct UnsavedText: Codable, Sendable {
  private enum Operation: Codable {
    case add(EntryDraft)
    /// And the entry as a new one, should it have to be; its text stands in the change, where that gives one.
    case edit(EntryReference, EntryChange, expected: UInt64?, fallback: EntryDraft)
    /// A template, and its text when the edit began; nil for a new one. What cannot be one becomes an entry.
    case template(String, body: String, old: String?, at: ZonedTime)
  }

  /// What was saved.
  package enum Saved: Codable, Sendable {
    case entry(Written)
    case template(String)
  }

  private let operation: Operation
  /// What an entry is called that must be a new one: kept text that somebody puts back becomes no second entry.
  private let id: EntryID

  package init(adding draft: EntryDraft) {
    var draft = draft
    draft.attachments = []
    id = EntryID.random(.system)
    operation = .add(draft)
  }

  /// - Parameter entry: what the edit began from.
  package init(_ change: EntryChange, of entry: Entry, expected: UInt64) {
    id = EntryID.random(.system)
    var fallback = EntryDraft(entry.content.changed(by: change))
    // A text may be as long as a message can be: it is kept once.
    if change.body != nil { fallback.body = "" }
    operation = .edit(.id(entry.id), change, expected: expected, fallback: fallback)
  }

  /// - Parameters:
  ///   - old: the template's text when the editor was opened; nil for a new one.
  ///   - date: of the entry that it becomes, should its name or length keep it from being a template.
  package init(template name: String, body: String, old: String?, at date: ZonedTime) {
    id = EntryID.random(.system)
    operation = .template(name, body: body, old: old, at: date)
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
  func save(to vault: Vault) throws(VaultError) -> Saved {
    switch operation {
    case .add(let draft):
      return .entry(Written(try vault.add(Self.possible(draft, in: vault), as: id)))
    case .edit(let reference, let change, let expected, var fallback):
      do throws(VaultError) {
        return .entry(Written(try vault.edit(reference, change, expected: expected)))
      } catch {
        guard [.conflict, .notFound].contains(error.code) else { throw error }
        if let body = change.body { fallback.body = body }
        // Saved before, and put back by somebody.
        if let saved = try vault.revision(of: reference, with: fallback.body) {
          return .entry(Written(saved))
        }
        return .entry(Written(try vault.add(Self.possible(fallback, in: vault), as: id)))
      }
    case .template(let name, let body, let old, let date):
      do throws(VaultError) {
        return .template(try Self.save(template: name, body, old, to: vault))
      } catch {
        guard error.code == .invalid else { throw error }
        return .entry(Written(try vault.add(EntryDraft(date: date, body: body), as: id)))
      }
    }
  }

  /// A template that was changed by somebody else meanwhile keeps its text; what was typed gets a name of its own.
  ///
  /// - Returns: the name it has.
  private static func save(
    template name: String, _ body: String, _ old: String?, to vault: Vault
  ) throws(VaultError) -> String {
    let all = try Snapshot(vault).templates()
    func text(of name: String) -> String? {
      all.first { SearchQuery.areEqual($0.name, name) }?.body
    }
    var free = name
    var number = 2
    while let now = text(of: free) {
      if now == body { return free }
      if free == name, now == old { break }
      free = name + " \(number)"
      number += 1
    }
    try vault.setTemplate(free, body: body, isNew: text(of: free) == nil)
    return free
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
