internal import Bytes
package import Entries
internal import SealedFiles
internal import Text

/// Imports what comes from elsewhere: all of it, or nothing.
///
/// Journals and kinds that entries name are made. A duplicate (same id and content; without id, same
/// date, title and body) is counted and passed over. Nothing counts before ``finish()``; releasing
/// the import undoes it.
package final class VaultImport {
  private let change: Vault.OpenChange
  private var counts = ImportCounts()
  private let isDryRun: Bool
  private let onConflict: ImportConflict

  /// - Parameter isDryRun: only counts, and undoes all of it at its end.
  package init(
    _ vault: Vault, isDryRun: Bool = false, onConflict: ImportConflict = .refuse
  ) throws(VaultError) {
    self.isDryRun = isDryRun
    self.onConflict = onConflict
    change = try vault.beginChange()
    change.edit.checksObjects = !isDryRun
    try change.edit.catalogue.store.widenCache()
  }

  deinit {
    change.undo()
    change.edit.catalogue.store.narrowCache()
  }

  /// - Throws: ``VaultError`` `conflict` for a known id with other content; `invalid`.
  package func take(_ item: ImportItem) throws(VaultError) {
    switch item {
    case .journal(let journal): try change.edit.make(journal: journal)
    case .kind(let kind): try change.edit.make(kind: kind)
    case .template(let template): count(try change.edit.take(template, onConflict), isEntry: false)
    case .piece, .attachment: throw VaultError(.message, expected: .noItems)
    case .entry(let entry): count(try change.edit.take(entry, onConflict), isEntry: true)
    }
  }

  /// What became of an entry; of a template only what its owner may have to look after.
  private func count(_ taken: CatalogueEdit.Taken, isEntry: Bool) {
    switch taken {
    case .added: counts.imported += isEntry ? 1 : 0
    case .known: counts.duplicates += isEntry ? 1 : 0
    case .updated: counts.updated += 1
    case .skipped: counts.skipped += 1
    }
  }

  /// Makes it all durable; nil when the slice was over first.
  package func finish(within slice: Slice) throws(VaultError) -> ImportCounts? {
    if isDryRun {
      change.undo()
    } else if try !change.commit(within: slice) {
      return nil
    }
    return counts
  }

  /// The same, at once.
  package func finish() throws(VaultError) -> ImportCounts {
    while true {
      if let counts = try finish(within: .unlimited) { return counts }
    }
  }
}

extension CatalogueEdit {
  func make(journal: Journal) throws(VaultError) {
    let key = SearchText.fold(journal.name)
    guard !imported.journals.contains(key) else { return }
    var names = try names()
    if names.journal(named: journal.name) == nil {
      _ = try names.addJournal(journal)
      setNames(names)
    }
    imported.journals.insert(key)
  }

  func make(kind: Kind) throws(VaultError) {
    let key = SearchText.fold(kind.name)
    guard !imported.kinds.contains(key) else { return }
    var names = try names()
    if names.kind(named: kind.name) == nil {
      // Two devices may have given two kinds one emoji; the second comes without.
      let isTaken = !kind.emoji.isEmpty && names.kind(named: kind.emoji) != nil
      _ = try names.addKind(isTaken ? Kind(id: 0, name: kind.name, emoji: "") : kind)
      setNames(names)
    }
    imported.kinds.insert(key)
  }

  enum Taken { case added, known, updated, skipped }

  /// Adds a template, or finds it here already.
  func take(
    _ template: EntryTemplate, _ onConflict: ImportConflict
  ) throws(VaultError) -> Taken {
    var list = try templatesList()
    let key = SearchText.fold(template.name)
    guard let place = imported.templates[key] ?? list.place(of: template.name) else {
      try list.set(template.name, to: template.body)
      setTemplates(list)
      return .added
    }
    imported.templates[key] = place
    guard list.templates[place].body != template.body else { return .known }
    switch onConflict {
    case .refuse: throw VaultError(.conflict, .template, template.name, .hasOtherContent)
    case .skip: return .skipped
    case .update:
      try list.set(template.name, to: template.body)
      setTemplates(list)
      return .updated
    }
  }

  /// Adds an imported entry, or finds it here already.
  func take(_ entry: ImportedEntry, _ onConflict: ImportConflict) throws(VaultError) -> Taken {
    try entry.draft.validate()
    // An id that other devices know as another entry's than this one does names none.
    if let id = entry.id, try !ambiguousIDsOnce().contains(id) {
      guard try holds(id.key) else {
        try makeNames(entry.draft)
        try add(entry.draft, id: id, created: entry.created, modified: entry.modified)
        sameDates[entry.draft.date.seconds]?.note(entry.draft.title, entry.draft.body)
        return .added
      }
      return try take(entry.draft, over: id, onConflict)
    }
    let seconds = entry.draft.date.seconds
    if sameDates[seconds] == nil {
      if sameDates.count >= SameDate.most { _ = sameDates.popFirst() }
      sameDates[seconds] = SameDate(headers: try headers(at: seconds))
    }
    let draft = entry.draft
    // Headers that could be it are opened once, however many drafts are compared with them.
    for header in sameDates[seconds]?.takeUnopened(size: draft.body.utf8.count) ?? [] {
      sameDates[seconds]?.note(header.title, try catalogue.body(header))
    }
    if sameDates[seconds]?.holds(draft.title, draft.body) == true { return .known }
    try makeNames(draft)
    try add(draft, id: try freshID(), created: entry.created, modified: entry.modified)
    sameDates[seconds]?.note(draft.title, draft.body)
    return .added
  }

  private func ambiguousIDsOnce() throws(VaultError) -> Set<EntryID> {
    if let ambiguousIDs { return ambiguousIDs }
    let found = try catalogue.keptSpaceRecord()?.ambiguousIDs ?? []
    ambiguousIDs = found
    return found
  }

  /// What is imported with the id of an entry that is here.
  private func take(
    _ draft: EntryDraft, over id: EntryID, _ onConflict: ImportConflict
  ) throws(VaultError) -> Taken {
    let (place, header) = try place(of: id.key)
    guard header.id == id else {
      throw VaultError(.conflict, .entry, id.description, .hasOtherContent)
    }
    // The entry is here without its files, so the files are what is imported.
    let bringsFiles = header.attachments.isEmpty && header.trashed == nil
    let files = draft.attachments.filter { file in
      !header.attachments.contains { ObjectSealer.isSame($0, file) }
    }
    let isOther = try !isSame(header, draft) || !(files.isEmpty || bringsFiles)
    var change = EntryChange()
    if isOther {
      switch onConflict {
      case .refuse: throw VaultError(.conflict, .entry, id.description, .hasOtherContent)
      case .skip: return .skipped
      // An entry that its owner deleted stays in the trash.
      case .update where header.trashed != nil: return .skipped
      case .update:
        try makeNames(draft)
        let names = try names()
        change = EntryChange(
          from: header.content(names, body: try catalogue.body(header)),
          to: try wanted(draft, names))
        change.detach = header.attachments.map(\.attachment.name).filter { name in
          files.contains { $0.attachment.name == name }
        }
      }
    }
    change.attach = files
    guard !change.isEmpty else { return .known }
    // What is known of either date holds this entry as it was.
    sameDates[header.date.seconds] = nil
    sameDates[draft.date.seconds] = nil
    _ = try revise(header, at: place, change)
    return isOther ? .updated : .added
  }

  /// The journal and the kind that an entry names, when they are not there.
  private func makeNames(_ draft: EntryDraft) throws(VaultError) {
    if let journal = draft.journal { try make(journal: Journal(id: 0, name: journal)) }
    if let kind = draft.kind { try make(kind: Kind(id: 0, name: kind, emoji: "")) }
  }

  /// With journal and kind as they are called here.
  private func wanted(
    _ draft: EntryDraft, _ names: NameRegister
  ) throws(VaultError) -> EntryContent {
    var wanted = draft.content
    wanted.journal = try wanted.journal.map { name throws(VaultError) in
      try names.requireJournal(name).name
    }
    wanted.kind = try wanted.kind.map { name throws(VaultError) in try names.requireKind(name).name
    }
    return wanted
  }

  private func isSame(
    _ header: Header, _ draft: EntryDraft
  ) throws(VaultError) -> Bool {
    // The cheap ones first: most entries of the same id differ in none, or are opened only then.
    guard header.date == draft.date, header.bodySize == draft.body.utf8.count else { return false }
    let names = try names()
    // A journal or kind that is not here is another one.
    guard draft.journal.map({ names.journal(named: $0) != nil }) ?? true,
      draft.kind.map({ names.kind(named: $0) != nil }) ?? true
    else { return false }
    return header.content(names, body: try catalogue.body(header)) == (try wanted(draft, names))
  }
}

extension SpaceRecord {
  /// The ids by which this device and the others do not mean the same entry.
  fileprivate var ambiguousIDs: Set<EntryID> {
    Set(aliases.keys).union(aliases.values.map { EntryID(bytes: $0.bytes) })
  }
}
