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
    "restore", Form(Operand("ID", optional: true, repeats: true, completion: .trashed)),
    summary: CommandHelp.restore, options: [Options.wholeTrash]
  ) { invocation in
    let takesAll = invocation.arguments[Options.wholeTrash]
    guard takesAll == invocation.operands.isEmpty else {
      throw UsageError.misused(command: "restore", usage: "restore ID … | --all")
    }
    let connection = try await invocation.connection()
    let count = try connection.run(
      RestoreEntries(takesAll ? nil : invocation.operands.map { EntryReference($0) }))
    return .count(count, NamesMessage.restored)
  }
}
