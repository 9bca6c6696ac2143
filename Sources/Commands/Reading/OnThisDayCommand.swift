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
    var oldest = date.year
    _ = try connection.run(ListEntries(order: .oldestFirst, limit: 1)) {
      oldest = min(oldest, CivilDate(number: $0.date.day).year)
    }
    let list = try invocation.entryList(nothing: .noMemories, through: connection)
    for filter in EntryFilter.before(date, backTo: oldest) {
      _ = try connection.run(ListEntries(filter)) { try list.add($0) }
    }
    try list.end()
    return .written()
  }
}
