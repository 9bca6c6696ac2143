internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `restore`: back out of the trash.
@MainActor
enum RestoreCommand {
  static let declaration = Command<Invocation>(
    "restore", Form(Operand("ID", repeats: true, completion: .trashed)),
    summary: CommandHelp.restore
  ) { invocation in
    let connection = try await invocation.connection()
    let count = try connection.run(RestoreEntries(invocation.operands.map { EntryReference($0) }))
    return .count(count, NamesMessage.restored)
  }
}
