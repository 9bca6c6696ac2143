internal import Bytes
package import Entries
internal import SealedFiles

/// What somebody typed and could not save, because the session had ended: sealed to the diary's draft key,
/// it waits on this device until the diary is opened again.
package struct UnsavedText: Codable, Sendable {
  package enum Operation: Codable {
    case add(EntryDraft)
    /// With the entry as a new one, in case the edit cannot be saved; its text is in the change, if that has one.
    case edit(EntryReference, EntryChange, expected: UInt64, fallback: EntryDraft)
    /// A template, and its text when the edit began; nil for a new one. What cannot be one becomes an entry.
    case template(String, body: String, old: String?, at: ZonedTime)
  }

  /// What was saved.
  package enum Saved: Codable, Sendable {
    /// With the names of files that are no longer there, and the entry that it was to change where it could not be changed.
    case entry(Written, missing: [String], insteadOf: EntryID? = nil)
    case template(String)
  }

  /// What it is, and how its text begins.
  package struct Description: Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case new, edit, template }
    package let kind: Kind
    /// The entry's title, or the template's name.
    package let title: String?
    /// ``FirstLine``; empty for white space.
    package let text: String
  }

  package private(set) var operation: Operation
  /// What an entry is called that must be a new one: kept text that somebody puts back becomes no second entry.
  package private(set) var id: EntryID

  /// The same, as a later state of `earlier`: one of them that somebody puts back is the other, too.
  package func continuing(_ earlier: UnsavedText?) -> UnsavedText {
    var copy = self
    if let earlier { copy.id = earlier.id }
    return copy
  }

  /// Its files, which lie sealed in the diary's folder and belong to no entry yet.
  package var files: [SealedAttachment] {
    switch operation {
    case .add(let draft): draft.attachments
    case .edit(_, let change, _, _): change.attach
    case .template: []
    }
  }

  /// The same with these files alone.
  package func with(files: [SealedAttachment]) -> UnsavedText {
    var copy = self
    switch operation {
    case .add(var draft):
      draft.attachments = files
      copy.operation = .add(draft)
    case .edit(let entry, var change, let expected, let fallback):
      change.attach = files
      copy.operation = .edit(entry, change, expected: expected, fallback: fallback)
    case .template: break
    }
    return copy
  }

  package var description: Description {
    switch operation {
    case .add(let draft): Description(.new, draft.title, draft.body)
    case .edit(_, let change, _, let fallback):
      Description(.edit, fallback.title, change.body ?? fallback.body)
    case .template(let name, let body, _, _): Description(.template, name, body)
    }
  }

  /// The bytes of the text in it.
  package var textSize: Int {
    switch operation {
    case .add(let draft): draft.body.utf8.count
    case .edit(_, let change, _, let fallback):
      max(change.body?.utf8.count ?? 0, fallback.body.utf8.count)
    case .template(_, let body, _, _): body.utf8.count
    }
  }

  /// - Parameters:
  ///   - draft: without its files, which stay where they are until the entry is saved.
  ///   - files: those that are sealed already.
  ///   - id: of the entry that it becomes, where that was chosen before.
  package init(
    adding draft: EntryDraft, files: [SealedAttachment] = [],
    id: EntryID = EntryID.random(.system)
  ) {
    var draft = draft
    draft.attachments = files
    self.id = id
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
    try SealedDraft.seal(try Wire.encode(self), to: key)
  }

  package init(opened bytes: [UInt8]) throws(VaultError) {
    guard let kept = try? Wire.decode(Self.self, from: bytes, limit: Wire.requestLimit) else {
      throw VaultError(.damaged, .keptText, .malformed)
    }
    self = kept
  }
}

extension UnsavedText.Description {
  init(_ kind: Kind, _ title: String?, _ body: String) {
    (self.kind, self.title, text) = (kind, title, FirstLine.of(body) ?? "")
  }
}
