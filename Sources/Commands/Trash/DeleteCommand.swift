internal import CommandLine
internal import Dates
internal import Formats
internal import Requests
internal import Words

/// `delete`: into the trash.
@MainActor
enum DeleteCommand {
  static let declaration = Command<Invocation>(
    "delete", Form(.ids), summary: CommandHelp.delete, options: [Options.yes]
  ) { invocation in
    try invocation.requireYes()
    let connection = try await invocation.connection()
    let (ids, names) = try connection.distinctEntries(invocation.operands)
    try invocation.confirm(NamesMessage.askToTrash(ids.count), about: names)
    return .count(try connection.run(DeleteEntries(ids)), NamesMessage.trashed)
  }
}
