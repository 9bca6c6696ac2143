internal import CommandLine
internal import DiaryVault
internal import FaceDiary

/// `revert`: an old revision as the newest one.
@MainActor
enum RevertCommand {
  static let declaration = Command<Invocation>(
    "revert", Form(.id, Operand("N")), summary: CommandHelp.revert,
    details: CommandHelp.revertDetails
  ) { invocation in
    let number = try Options.revisionNumber(invocation.operands[1])
    let connection = try await invocation.connection()
    let now = try connection.entry(EntryReference(invocation.operands[0]))
    let old = try connection.revision(number, of: now.id)
    let change = try change(from: now, to: old, connection)
    guard !change.isEmpty else {
      invocation.note(WritingMessage.unchanged)
      return .written(Written(id: now.id, revision: now.revision))
    }
    return .written(
      try connection.run(EditEntry(.id(now.id), change, expected: now.revision)))
  }

  /// What makes an entry what it was, but for its photos and files. A journal or kind that is gone stays gone.
  private static func change(
    from now: Entry, to old: Entry, _ connection: KeeperConnection
  ) throws -> EntryChange {
    func field<T: Equatable>(_ now: T?, _ old: T?) -> Change<T> {
      now == old ? .keep : old.map { .set($0) } ?? .clear
    }
    var change = EntryChange()
    if now.date != old.date { change.date = old.date }
    change.until = field(now.until, old.until)
    change.zone = field(now.zone, old.zone)
    change.title = field(now.title, old.title)
    if now.body != old.body { change.body = old.body ?? "" }
    let names = try connection.run(ListNames())
    if old.journal == nil || names.journals.contains(where: { $0.name == old.journal }) {
      change.journal = field(now.journal, old.journal)
    }
    if old.kind == nil || names.kinds.contains(where: { $0.name == old.kind }) {
      change.kind = field(now.kind, old.kind)
    }
    change.addTags = old.tags.filter { !now.tags.contains($0) }
    change.removeTags = now.tags.filter { !old.tags.contains($0) }
    if now.starred != old.starred { change.starred = old.starred }
    return change
  }
}
