/// A change to the journals and kinds.
public enum NamesChange: Sendable, Codable, Equatable {
  case addJournal(Journal)
  /// Its days, counted from 1970-01-01, and its emoji.
  case editJournal(String, from: Change<Int>, to: Change<Int>, emoji: Change<String>)
  case renameJournal(String, to: String)
  /// Before another one; nil puts it last.
  case moveJournal(String, before: String?)
  /// Its entries go to another journal, or to the trash for nil.
  case removeJournal(String, entriesTo: String?)
  case addKind(Kind)
  case renameKind(String, to: String)
  /// Its entries have no kind then.
  case removeKind(String)
}

extension Journal {
  /// A journal to be made.
  public init(name: String, from: Int? = nil, to: Int? = nil, emoji: String? = nil) {
    self.init(id: 0, name: name, from: from, to: to, emoji: emoji)
  }
}

extension Kind {
  /// A kind to be made.
  public init(name: String, emoji: String, otherNames: [String] = []) {
    self.init(id: 0, name: name, emoji: emoji, otherNames: otherNames)
  }
}

extension Vault {
  /// Changes journals or kinds and returns how many entries that touched.
  ///
  /// - Throws: ``VaultError``: `notFound` with the nearest names, `conflict`, `invalid`.
  package func change(names change: NamesChange) throws(VaultError) -> Int {
    try self.change { edit throws(VaultError) in
      var names = try edit.names()
      var touched = 0
      switch change {
      case .addJournal(let journal): _ = try names.addJournal(journal)
      case .editJournal(let name, let from, let to, let emoji):
        try names.editJournal(name, from: from, to: to, emoji: emoji)
      case .renameJournal(let name, let new): try names.renameJournal(name, to: new)
      case .moveJournal(let name, let next): try names.moveJournal(name, before: next)
      case .addKind(let kind): _ = try names.addKind(kind)
      case .renameKind(let name, let new): try names.renameKind(name, to: new)
      case .removeJournal(let name, let target):
        let gone = try names.requireJournal(name)
        let heir = try target.map { name throws(VaultError) in try names.requireJournal(name) }
        guard heir?.id != gone.id else {
          throw VaultError(.conflict, .journal, gone.name, .inheritsItself)
        }
        let now = settings.now()
        touched = try edit.each(
          where: { $0.journal == gone.id },
          { header in
            header.journal = heir?.id
            if heir == nil, header.trashed == nil { header.trashed = now }
          })
        names.journals.removeAll { $0.id == gone.id }
      case .removeKind(let name):
        let gone = try names.requireOwnKind(name)
        touched = try edit.each(where: { $0.kind == gone.id }, { $0.kind = nil })
        names.ownKinds.removeAll { $0.id == gone.id }
      }
      edit.setNames(names)
      return touched
    }
  }
}

extension CatalogueEdit {
  /// Changes every header that fits, trashed ones too; says how many of the diary's own.
  fileprivate func each(
    where fits: (Header) -> Bool, _ body: (inout Header) -> Void
  ) throws(VaultError) -> Int {
    var keys: [(Int64, isLive: Bool)] = []
    for trash in [false, true] {
      var filter = EntryFilter()
      filter.trash = trash
      let cursor = HeaderCursor(catalogue, filter: filter, newestFirst: true)
      while let header = try cursor.next() {
        if fits(header) { keys.append((header.id.key, !trash)) }
      }
    }
    for (key, _) in keys {
      var (place, header) = try place(of: key)
      body(&header)
      try replace(place, by: header)
    }
    return keys.count { $0.isLive }
  }
}
