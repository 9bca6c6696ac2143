package import DiaryVault
package import Entries
package import Requests

extension AddEntry: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Written> {
    guard let id else { return Work(Written(try vault.add(draft))) }
    return Work(Written(try vault.add(draft, as: id)))
  }
}

extension EditEntry: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Written> {
    Work(Written(try vault.edit(entry, change, expected: expected)))
  }
}

extension DeleteEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.deleting(try checked(entries)))
  }
}

extension RestoreEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.restoring(try entries.map(checked)))
  }
}

extension PurgeEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Int> {
    Work(try vault.purging(try entries.map(checked)))
  }
}

extension ListEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    Work(
      try EntryCursor(
        try Snapshot(vault), filter: filter, newestFirst: order == .newestFirst, limit: limit,
        bodies: bodies, query: query, after: after), answer: Done())
  }
}

extension ShowEntries: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    let snapshot = try Snapshot(vault)
    var unknown = try checked(entries)[...]
    var found: [FoundEntry] = []
    var next = 0
    return Work { [revision, isInTrash, isForChange] slice throws(VaultError) in
      // All must be there before the first is shown.
      while let reference = unknown.popFirst() {
        found.append(
          try snapshot.find(reference, trash: isInTrash, isForChange: isForChange))
        if slice.isOver { return .paused }
      }
      guard next < found.count else { return .answer(Done()) }
      defer { next += 1 }
      return .entries([try snapshot.entry(found[next], revision: revision)])
    }
  }
}

extension EntryHistory: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> {
    Work(try Snapshot(vault).history(entry), answer: Done())
  }
}

extension DraftKey: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<[UInt8]> { Work(vault.draftKey) }
}

extension DescribeDraft: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<UnsavedText.Description> {
    Work(try UnsavedText(opened: try vault.openDraft(sealed).text).description)
  }
}

extension RecoverDraft: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<UnsavedText.Saved> {
    let draft = try vault.openDraft(sealed)
    let text = try UnsavedText(opened: draft.text)
    return Work(try draft.isOfEarlierKey ? text.saveAnew(to: vault) : text.save(to: vault))
  }
}

extension KeepAwake: VaultServed {
  package func begin(on vault: Vault) throws(VaultError) -> Work<Done> { Work(Done()) }
}

private func checked(_ references: [EntryReference]) throws(VaultError) -> [EntryReference] {
  guard references.count <= referenceLimit else {
    throw VaultError(.entries, expected: .atMostAtOnce(referenceLimit))
  }
  return references
}
