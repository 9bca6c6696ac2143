internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `revert`: an old revision as the newest one.
@MainActor
enum RevertCommand {
  static let declaration = Command<Invocation>(
    "revert", Form(.id, Operand("N")), summary: CommandHelp.revert,
    options: [Options.endsConflict], details: CommandHelp.revertDetails
  ) { invocation in
    let number = try Options.revisionNumber(invocation.operands[1])
    let connection = try await invocation.connection()
    let now = try connection.entry(EntryReference(invocation.operands[0]), isForChange: true)
    let old = try connection.revision(number, of: now.id)
    var change = EntryChange(bringing: now, backTo: old, try connection.run(ListNames()))
    change.endsConflict = invocation.arguments[Options.endsConflict]
    guard !change.isEmpty else {
      invocation.note(WritingMessage.unchanged)
      return .written(Written(id: now.id, revision: now.revision))
    }
    return .written(
      try connection.run(EditEntry(.id(now.id), change, expected: now.revision)))
  }
}
