package import DiaryVault
package import Entries
package import Requests

extension ListNames: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Names> {
    let register = try Snapshot(vault).register()
    if let journal { _ = try register.requireJournal(journal) }
    if let kind { _ = try register.requireKind(kind) }
    return Work(Names(journals: register.journals, kinds: register.kinds))
  }
}

extension ChangeNames: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.changing(names: change))
  }
}

extension CountEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<EntryCounts> {
    let snapshot = try Snapshot(vault)
    return Work(EntryCounts(live: snapshot.count, trashed: snapshot.trashed))
  }
}

extension Tally: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[TallyCount]> {
    Work(try Snapshot(vault).tally(subject, filter))
  }
}

extension Statistics: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<DiaryStatistics> {
    Work(try Snapshot(vault).statistics(filter))
  }
}

extension ListTemplates: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[EntryTemplate]> {
    Work(try Snapshot(vault).templates())
  }
}

extension SetTemplate: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    try vault.setTemplate(name, body: body, isNew: isNew, expected: expected)
    return Work(Done())
  }
}
