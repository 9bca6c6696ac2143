package import Entries

extension Vault {
  /// Changes journals or kinds; its answer is how many entries of the diary this changed.
  ///
  /// - Throws: ``VaultError``: `notFound` with the nearest names, `conflict`, `invalid`.
  package func changing(names change: NamesChange) throws(VaultError) -> BulkChange {
    switch change {
    case .removeJournal(let name, let target):
      var heir: UInt32?
      let now = settings.now
      return try BulkChange(self) { edit throws(VaultError) in
        var names = try edit.names()
        let gone = try names.requireJournal(name)
        heir = try target.map { name throws(VaultError) in try names.requireJournal(name).id }
        guard heir != gone.id else {
          throw VaultError(.conflict, .journal, gone.name, .inheritsItself)
        }
        names.journals.removeAll { $0.id == gone.id }
        edit.setNames(names)
        return .everywhere { $0.journal == gone.id }
      } effect: {
        .mark { [heir] header in
          header.journal = heir
          if heir == nil, header.trashed == nil { header.trashed = now() }
        }
      }
    case .removeKind(let name):
      return try BulkChange(self) { edit throws(VaultError) in
        var names = try edit.names()
        let gone = try names.requireOwnKind(name)
        names.ownKinds.removeAll { $0.id == gone.id }
        edit.setNames(names)
        return .everywhere { $0.kind == gone.id }
      } effect: {
        .mark { $0.kind = nil }
      }
    default:
      return try BulkChange(self) { edit throws(VaultError) in
        var names = try edit.names()
        switch change {
        case .addJournal(let journal): _ = try names.addJournal(journal)
        case .editJournal(let name, let from, let to, let emoji):
          try names.editJournal(name, from: from, to: to, emoji: emoji)
        case .renameJournal(let name, let new): try names.renameJournal(name, to: new)
        case .moveJournal(let name, let next): try names.moveJournal(name, before: next)
        case .addKind(let kind): _ = try names.addKind(kind)
        case .renameKind(let name, let new): try names.renameKind(name, to: new)
        case .removeJournal, .removeKind: break
        }
        edit.setNames(names)
        return .named([], inTrash: false)
      } effect: {
        .remove
      }
    }
  }

  package func change(names change: NamesChange) throws(VaultError) -> Int {
    try changing(names: change).finish()
  }
}
