internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `list`: entries by their date.
@MainActor
enum ListCommand {
  static let declaration = Command<Invocation>(
    "list", summary: CommandHelp.list,
    options: Options.filters + [Options.limit, Options.reverse, Options.bodies, Options.emptyDays]
  ) { invocation in
    let arguments = invocation.arguments
    let request = ListEntries(
      try invocation.filter(), order: arguments[Options.reverse] ? .oldestFirst : .newestFirst,
      limit: arguments[Options.limit], bodies: arguments[Options.bodies])
    let connection = try await invocation.connection()
    let list = try invocation.entryList(
      bodies: request.bodies,
      // Of a diary without entries, how the first is written.
      nothing: request.limit == 0
        ? nil : request.filter == EntryFilter() ? .noEntriesYet : .nothingFound,
      gaps: arguments[Options.emptyDays] ? try emptyDays(request, connection) : nil,
      through: connection)
    _ = try connection.run(request) { try list.add($0) }
    try list.end()
    return .written()
  }

  private static func emptyDays(
    _ request: ListEntries, _ connection: KeeperConnection
  ) throws -> EntryLines.Gaps {
    let filter = request.filter
    // Of a trip, all its days.
    let trip = try filter.journal.flatMap { name in
      try connection.run(ListNames()).journals.first { SearchQuery.areEqual($0.name, name) }
    }
    return EntryLines.Gaps(
      from: filter.fromDay ?? trip?.from, to: filter.toDay ?? trip?.to,
      newestFirst: request.order == .newestFirst)
  }
}
