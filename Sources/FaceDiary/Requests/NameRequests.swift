package import DiaryVault

/// Journals and kinds, in the owner's order.
package struct Names: Codable, Sendable {
  package let journals: [Journal]
  package let kinds: [Kind]
}

package struct ListNames: Request {
  package static let kind = RequestKind.listNames
  private let journal: String?
  private let kind: String?

  /// - Parameters: names that there must be, `notFound` else.
  package init(requiring journal: String? = nil, kind: String? = nil) {
    self.journal = journal
    self.kind = kind
  }

  package func begin(on vault: Vault) throws(VaultError) -> Work<Names> {
    let register = try Snapshot(vault).register()
    if let journal { _ = try register.requireJournal(journal) }
    if let kind { _ = try register.requireKind(kind) }
    return Work(Names(journals: register.journals, kinds: register.kinds))
  }
}

/// Answers how many entries that touched.
package struct ChangeNames: Request {
  package static let kind = RequestKind.changeNames
  package let change: NamesChange
  package init(_ change: NamesChange) { self.change = change }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.changing(names: change))
  }
}

package struct EntryCounts: Codable, Sendable, Equatable {
  package let live: Int
  package let trashed: Int
}

package struct CountEntries: Request {
  package static let kind = RequestKind.countEntries
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<EntryCounts> {
    let snapshot = try Snapshot(vault)
    return Work(EntryCounts(live: snapshot.count, trashed: snapshot.trashed))
  }
}

/// How many entries have each tag, kind or journal; how often each word stands there.
package struct Tally: Request {
  package static let kind = RequestKind.tally
  package let subject: TallySubject
  package let filter: EntryFilter
  package init(_ subject: TallySubject, _ filter: EntryFilter = EntryFilter()) {
    self.subject = subject
    self.filter = filter
  }
  package func begin(on vault: Vault) throws(VaultError) -> Work<[TallyCount]> {
    Work(try Snapshot(vault).tally(subject, filter))
  }
}

package struct Statistics: Request {
  package static let kind = RequestKind.statistics
  package let filter: EntryFilter
  package init(_ filter: EntryFilter = EntryFilter()) { self.filter = filter }
  package func begin(on vault: Vault) throws(VaultError) -> Work<DiaryStatistics> {
    Work(try Snapshot(vault).statistics(filter))
  }
}

package struct ListTemplates: Request {
  package static let kind = RequestKind.listTemplates
  package init() {}
  package func begin(on vault: Vault) throws(VaultError) -> Work<[EntryTemplate]> {
    Work(try Snapshot(vault).templates())
  }
}

/// A nil body removes it.
package struct SetTemplate: Request {
  package static let kind = RequestKind.setTemplate
  package let name: String
  package let body: String?
  /// Whether one of that name is a conflict.
  package let isNew: Bool
  package init(_ name: String, body: String?, isNew: Bool = false) {
    self.name = name
    self.body = body
    self.isNew = isNew
  }
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    try vault.setTemplate(name, body: body, isNew: isNew)
    return Work(Done())
  }
}
