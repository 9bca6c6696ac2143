internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `trash`: what is in it.
@MainActor
enum TrashCommand {
  static let declaration = Command<Invocation>("trash", summary: CommandHelp.trash) { invocation in
    var filter = EntryFilter()
    filter.trash = true
    let connection = try await invocation.connection()
    let list = try invocation.entryList(nothing: .trashEmpty, through: connection)
    _ = try connection.run(ListEntries(filter)) { try list.add($0) }
    try list.end()
    return .written()
  }
}
