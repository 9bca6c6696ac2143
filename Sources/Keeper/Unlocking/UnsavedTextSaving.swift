package import DiaryVault
package import Entries
package import Requests

extension UnsavedText {
  /// Saves it. What was edited may have changed or gone meanwhile: then the text becomes an entry of its
  /// own, because typed text is never thrown away.
  package func save(to vault: Vault) throws(VaultError) -> Saved {
    let (present, missing) = withoutMissing(in: vault)
    switch present.operation {
    case .add(let draft):
      return .entry(try add(draft, to: vault), missing: missing)
    case .edit(let reference, let change, let expected, let fallback):
      do throws(VaultError) {
        let possible = try Self.possible(change, fallback, in: vault)
        return .entry(
          Written(try vault.edit(reference, possible, expected: expected)), missing: missing)
      } catch {
        guard [.conflict, .notFound, .invalid].contains(error.code) else { throw error }
        return try present.saveAnew(to: vault, missing)
      }
    case .template(let name, let body, let old, let date):
      return try save(template: name, body, replacing: old, at: date, to: vault)
    }
  }

  private func save(
    template name: String, _ body: String, replacing old: String?, at date: ZonedTime,
    to vault: Vault
  ) throws(VaultError) -> Saved {
    do throws(VaultError) {
      return .template(try Self.save(template: name, body, old, to: vault))
    } catch {
      guard error.code == .invalid else { throw error }
      return .entry(try add(EntryDraft(date: date, body: body), to: vault), missing: [])
    }
  }

  /// Saves it without changing anything that is there: what was edited becomes an entry of its own, and a template gets a free name.
  ///
  /// In a diary that was rescued, revisions are not those that the text knew. And what is sealed to the key of an earlier vault key
  /// can be from anybody who had that key.
  package func saveAnew(to vault: Vault) throws(VaultError) -> Saved {
    switch operation {
    case .add: return try save(to: vault)
    case .edit:
      let (present, missing) = withoutMissing(in: vault)
      return try present.saveAnew(to: vault, missing)
    case .template(let name, let body, _, let date):
      return try save(template: name, body, replacing: nil, at: date, to: vault)
    }
  }

  /// The same without the files that are no longer there, and their names.
  private func withoutMissing(in vault: Vault) -> (UnsavedText, missing: [String]) {
    let files = files.filter { vault.isStaged($0) }
    return (with(files: files), self.files.filter { !files.contains($0) }.map(\.attachment.name))
  }

  private func saveAnew(to vault: Vault, _ missing: [String]) throws(VaultError) -> Saved {
    guard case .edit(let reference, let change, let expected, let fallback) = operation else {
      return try save(to: vault)
    }
    // Saved before, and put back by somebody.
    let possible = try Self.possible(change, fallback, in: vault)
    if let saved = try vault.revision(of: reference, after: expected, by: possible) {
      return .entry(Written(saved), missing: missing)
    }
    var draft = fallback
    if let body = change.body { draft.body = body }
    draft.attachments = change.attach
    guard case .id(let other) = reference else {
      return .entry(try add(draft, to: vault), missing: missing)
    }
    return .entry(try add(draft, to: vault), missing: missing, insteadOf: other)
  }

  private func add(_ draft: EntryDraft, to vault: Vault) throws(VaultError) -> Written {
    let possible = try Self.possible(draft, in: vault)
    do throws(VaultError) {
      return Written(try vault.add(possible, as: id))
    } catch {
      guard error.code == .invalid else { throw error }
      return Written(try vault.add(Self.plain(possible), as: id))
    }
  }

  /// What no entry can have, such as an end before its date, stands as text above the text.
  private static func plain(_ draft: EntryDraft) -> EntryDraft {
    var plain = EntryDraft(date: draft.date, body: pictured(draft.body))
    plain.attachments = draft.attachments
    var lines: [String] = []
    for field in EntryField.all {
      var content = plain.content
      let value: String?
      switch field.place {
      case .time, .body: value = nil
      case .optionalTime(let lens):
        content[lens] = draft.content[lens]
        value = draft.content[lens].map { "@\($0.seconds)" }
      case .text(let lens):
        content[lens] = draft.content[lens]
        value = draft.content[lens]
      case .texts(let lens):
        content[lens] = draft.content[lens]
        value = draft.content[lens].joined(separator: ", ")
      case .flag(let lens):
        content[lens] = draft.content[lens]
        value = nil
      }
      var tried = EntryDraft(content)
      tried.attachments = draft.attachments
      if (try? tried.validate(hasAttachments: true)) != nil {
        plain = tried
      } else if let value {
        lines.append("\(field.name): \(value)")
      }
    }
    let head = lines.isEmpty ? "" : pictured(lines.joined(separator: "\n")) + "\n\n"
    if head.utf8.count + plain.body.utf8.count <= EntryDraft.bodyLimit {
      plain.body = head + plain.body
    } else {
      plain.body = String(decoding: draft.body.utf8.filter { $0 != 0 }, as: UTF8.self)
    }
    return plain
  }

  /// Replaces U+0000, which no text may contain, by its symbol U+2400.
  private static func pictured(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte == 0 { bytes += "\u{2400}".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
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

  /// Lines for a journal and a kind that there are not: a name that was mistyped, or one that was removed meanwhile.
  private static func unknown(
    _ journal: String?, _ kind: String?, in vault: Vault
  ) throws(VaultError) -> (journal: String, kind: String) {
    let register = try Snapshot(vault).register()
    var (first, second) = ("", "")
    if let journal, register.journal(named: journal) == nil { first = "journal: \(journal)\n" }
    if let kind, register.kind(named: kind) == nil { second = "kind: \(kind)\n" }
    return (first, second)
  }

  /// With the names of a journal and a kind that there are not above the text, like other lines that cannot be understood.
  private static func possible(_ draft: EntryDraft, in vault: Vault) throws(VaultError)
    -> EntryDraft
  {
    let lines = try unknown(draft.journal, draft.kind, in: vault)
    var draft = draft
    if !lines.journal.isEmpty { draft.journal = nil }
    if !lines.kind.isEmpty { draft.kind = nil }
    draft.body = above(lines, draft.body)
    return draft
  }

  private static func possible(
    _ change: EntryChange, _ fallback: EntryDraft, in vault: Vault
  ) throws(VaultError) -> EntryChange {
    let lines = try unknown(
      change.journal.applied(to: nil), change.kind.applied(to: nil), in: vault)
    var change = change
    if !lines.journal.isEmpty { change.journal = .keep }
    if !lines.kind.isEmpty { change.kind = .keep }
    if lines != ("", "") { change.body = above(lines, change.body ?? fallback.body) }
    return change
  }

  private static func above(_ lines: (journal: String, kind: String), _ body: String) -> String {
    let head = lines.journal + lines.kind
    return head.isEmpty ? body : body.isEmpty ? String(head.dropLast()) : head + "\n" + body
  }
}
