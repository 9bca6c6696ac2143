package import DiaryVault

/// An operation on its way: takes items, gives entries in batches, then its reply.
///
/// The same whether it runs in place or in the agent, which serves many of these in turn.
package final class RunningOperation {
  package enum Step {
    /// More items are wanted.
    case needsItems
    case entries([Entry])
    case reply(Reply)
  }

  /// Enough to be worth a message, small enough to hold.
  private static let batch = 128

  private enum Work {
    case reply(Reply)
    case cursor(EntryCursor)
    case shown([Entry])
    case showing(Snapshot, [EntryReference], revision: UInt64?, trash: Bool)
    case importing(VaultImport, dryRun: Bool)
    case imported(VaultImport, dryRun: Bool)
  }

  private var work: Work

  /// Begins; what needs no streaming is done here.
  package init(_ operation: Operation, on vault: Vault) throws(VaultError) {
    switch operation {
    case .session, .lock: work = .reply(.done)
    case .add(let draft):
      let (id, revision) = try vault.add(draft)
      work = .reply(.written(id: id.description, revision: revision))
    case .edit(let reference, let change, let expected):
      let (id, revision) = try vault.edit(reference, change, expected: expected)
      work = .reply(.written(id: id.description, revision: revision))
    case .delete(let references): work = .reply(.count(try vault.delete(references)))
    case .restore(let references): work = .reply(.count(try vault.restore(references)))
    case .purge(let references): work = .reply(.count(try vault.purge(references)))
    case .list(let filter, let order, let limit, let bodies, let query):
      work = .cursor(
        try EntryCursor(
          try Snapshot(vault), filter: filter, newestFirst: order == .newestFirst, limit: limit,
          bodies: bodies, query: query))
    case .show(let references, let revision, let trash):
      let snapshot = try Snapshot(vault)
      // All must be there before the first is shown.
      for reference in references { try snapshot.require(reference, trash: trash) }
      work = .showing(snapshot, references, revision: revision, trash: trash)
    case .history(let reference): work = .shown(try Snapshot(vault).history(reference))
    case .names:
      let names = try Snapshot(vault).register()
      work = .reply(.names(journals: names.journals, kinds: names.kinds))
    case .count:
      let snapshot = try Snapshot(vault)
      work = .reply(.counts(live: snapshot.count, trashed: snapshot.trashed))
    case .verify: work = .reply(.report(try vault.verify()))
    case .importEntries(let dryRun): work = .importing(try VaultImport(vault), dryRun: dryRun)
    }
  }

  package func take(_ items: [ImportItem]) throws(VaultError) {
    guard case .importing(let importing, _) = work else {
      throw VaultError(.invalid, "message", "no items are wanted")
    }
    for item in items { try importing.take(item) }
  }

  package func endItems() {
    if case .importing(let importing, let dryRun) = work {
      work = .imported(importing, dryRun: dryRun)
    }
  }

  package func next() throws(VaultError) -> Step {
    switch work {
    case .reply(let reply): return .reply(reply)
    case .importing: return .needsItems
    case .imported(let importing, let dryRun):
      return .reply(.imported(try importing.finish(dryRun: dryRun)))
    case .shown(let entries):
      work = .reply(.count(entries.count))
      return .entries(entries)
    case .showing(let snapshot, let references, let revision, let trash):
      guard let first = references.first else { return .reply(.done) }
      work = .showing(
        snapshot, Array(references.dropFirst()), revision: revision, trash: trash)
      return .entries([try snapshot.entry(first, revision: revision, trash: trash)])
    case .cursor(let cursor):
      var entries: [Entry] = []
      var size = 0
      while entries.count < Self.batch, size < 256 << 10, let entry = try cursor.next() {
        size += entry.body?.utf8.count ?? 0
        entries.append(entry)
      }
      if entries.isEmpty { return .reply(.done) }
      return .entries(entries)
    }
  }
}

/// Runs operations in the process that opened the diary.
package final class LocalConnection: DiaryConnection {
  private let vault: Vault

  package init(_ vault: Vault) { self.vault = vault }

  package func run(
    _ operation: Operation, items: () throws -> ImportItem?, entry: (Entry) throws -> Void
  ) throws -> Reply {
    let running = try RunningOperation(operation, on: vault)
    while true {
      switch try running.next() {
      case .needsItems:
        if let item = try items() { try running.take([item]) } else { running.endItems() }
      case .entries(let entries): for each in entries { try entry(each) }
      case .reply(let reply): return reply
      }
    }
  }
}
