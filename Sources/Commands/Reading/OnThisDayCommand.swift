internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `on-this-day`: the same day in earlier years.
@MainActor
enum OnThisDayCommand {
  static let declaration = Command<Invocation>(
    "on-this-day", summary: CommandHelp.onThisDay, options: [Options.onDate]
  ) { invocation in
    let date = CivilDate(
      number: (invocation.arguments[Options.onDate] ?? invocation.dates.now).day)
    let connection = try await invocation.connection()
    let list = try invocation.entryList(nothing: .noMemories, through: connection)
    for filter in try EntryFilter.before(date, newest: connection.newestDay) {
      _ = try connection.run(ListEntries(filter)) { try list.add($0) }
    }
    try list.end()
    return .written()
  }
}
