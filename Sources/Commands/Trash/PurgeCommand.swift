internal import CommandLine
internal import Dates
internal import Formats
internal import Requests
internal import Words

/// `purge`: out of the trash for good.
@MainActor
enum PurgeCommand {
  static let declaration = Command<Invocation>(
    "purge", Form(Operand("ID", optional: true, repeats: true, completion: .trashed)),
    summary: CommandHelp.purge, options: [Options.yes], details: CommandHelp.purgeDetails
  ) { invocation in
    try invocation.requireYes()
    let connection = try await invocation.connection()
    let chosen =
      invocation.operands.isEmpty
      ? nil : try connection.distinctEntries(invocation.operands, isInTrash: true)
    let count = try chosen?.entries.count ?? connection.run(CountEntries()).trashed
    if count > 0 {
      try invocation.confirm(
        NamesMessage.askToPurge(count), about: try chosen?.names ?? connection.trashed(count))
    }
    return .count(try connection.run(PurgeEntries(chosen?.entries)), NamesMessage.purged)
  }
}
