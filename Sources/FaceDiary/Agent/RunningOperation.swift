package import DiaryVault

/// An operation on its way: takes items, gives entries in batches, then its reply.
///
/// The same whether it runs in place or in the agent, which serves many of these in turn.
package final class RunningOperation {
  package enum Step {
    /// More items are wanted.
    case needsItems
    case entries([Entry])
    case piece([UInt8])
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
    case staging(AttachmentStage, name: String, type: String)
    case staged(AttachmentStage, name: String, type: String)
    case reading(AttachmentReader)
  }

  private var work: Work

  /// Whether it writes piece by piece, and so has to wait while an import holds the vault.
  var writesLater: Bool {
    switch work {
    case .staging, .staged: true
    default: false
    }
  }

  /// Begins; what needs no streaming is done here.
  package init(_ operation: Operation, on vault: Vault) throws(VaultError) {
    switch operation {
    case .session, .lock, .showFace: work = .reply(.done)
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
    case .stretch(let filter, let order, let after, let limit, let query):
      work = .cursor(
        try EntryCursor(
          try Snapshot(vault), filter: filter, newestFirst: order == .newestFirst, limit: limit,
          query: query, after: after))
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
    case .repair: work = .reply(.count(try vault.repair()))
    case .sealBackup(let state): work = .reply(.sealed(try vault.sealBackup(state: state)))
    case .change(let change): work = .reply(.count(try vault.change(names: change)))
    case .tally(let subject, let filter):
      work = .reply(.tally(try Self.snapshot(vault, filter).tally(subject, filter)))
    case .statistics(let filter):
      work = .reply(.statistics(try Self.snapshot(vault, filter).statistics(filter)))
    case .templates: work = .reply(.templates(try Snapshot(vault).templates()))
    case .setTemplate(let name, let body, let isNew):
      try vault.setTemplate(name, body: body, isNew: isNew)
      work = .reply(.done)
    case .stage(let name, let type):
      work = .staging(try AttachmentStage(vault), name: name, type: type)
    case .attachment(let reference, let name):
      work = .reading(try AttachmentReader(try Snapshot(vault), reference, name: name))
    case .draftKey: work = .reply(.key(vault.draftKey))
    case .recover(let sealed):
      let typed = try KeptDraft(opened: try vault.openDraft(sealed))
      let (id, revision) = try typed.save(to: vault)
      work = .reply(.written(id: id.description, revision: revision))
    case .importEntries(let dryRun): work = .importing(try VaultImport(vault), dryRun: dryRun)
    }
  }

  package func take(_ items: [ImportItem]) throws(VaultError) {
    switch work {
    case .importing(let importing, _): for item in items { try importing.take(item) }
    case .staging(let stage, _, _):
      for item in items {
        guard case .piece(let bytes) = item else {
          throw VaultError(.invalid, "message", "pieces of a file are wanted")
        }
        try stage.take(bytes)
      }
    default: throw VaultError(.invalid, "message", "no items are wanted")
    }
  }

  /// A snapshot in which the names of a filter are known.
  private static func snapshot(_ vault: Vault, _ filter: EntryFilter) throws(VaultError) -> Snapshot
  {
    let snapshot = try Snapshot(vault)
    let register = try snapshot.register()
    if let name = filter.journal { _ = try register.requireJournal(name) }
    if let name = filter.kind { _ = try register.requireKind(name) }
    return snapshot
  }

  package func endItems() {
    switch work {
    case .importing(let importing, let dryRun): work = .imported(importing, dryRun: dryRun)
    case .staging(let stage, let name, let type): work = .staged(stage, name: name, type: type)
    default: break
    }
  }

  package func next() throws(VaultError) -> Step {
    switch work {
    case .reply(let reply): return .reply(reply)
    case .importing, .staging: return .needsItems
    case .staged(let stage, let name, let type):
      return .reply(.staged(try stage.finish(name: name, type: type)))
    case .reading(let reader):
      if let piece = try reader.next() { return .piece(piece) }
      return .reply(.attachment(reader.attachment))
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
    _ operation: Operation, items: () throws -> ImportItem?, entry: (Entry) throws -> Void,
    piece: ([UInt8]) throws -> Void
  ) throws -> Reply {
    let running = try RunningOperation(operation, on: vault)
    while true {
      switch try running.next() {
      case .needsItems:
        if let item = try items() { try running.take([item]) } else { running.endItems() }
      case .entries(let entries): for each in entries { try entry(each) }
      case .piece(let bytes): try piece(bytes)
      case .reply(let reply): return reply
      }
    }
  }
}
