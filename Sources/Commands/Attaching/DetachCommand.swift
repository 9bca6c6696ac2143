internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `detach`: a photo or file away from an entry.
@MainActor
enum DetachCommand {
  static let declaration = Command<Invocation>(
    "detach", Form(.id, Operand("NAME", completion: .attachment)),
    summary: CommandHelp.detach, details: CommandHelp.detachDetails
  ) { invocation in
    let connection = try await invocation.connection()
    let name = invocation.operands[1]
    var change = EntryChange()
    change.detach = [name]
    let written = try connection.run(
      EditEntry(EntryReference(invocation.operands[0]), change))
    return .written(written, WritingMessage.tookAway(name: name, entry: written.id.short))
  }
}
