internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `search`: entries that hold what is looked for.
@MainActor
enum SearchCommand {
  static let declaration = Command<Invocation>(
    "search", Form(Operand("WORDS", repeats: true)), summary: CommandHelp.search,
    options: Options.filters + [Options.limit, Options.reverse], takesDashedWords: true,
    details: CommandHelp.searchDetails
  ) { invocation in
    let query = SearchQuery(invocation.operands, today: DateParser.today)
    guard !query.isEmpty else {
      throw Failure(
        .usage, UsageMessage.usage("search WORDS…"), hint: UsageMessage.seeHelpOf("search"))
    }
    let filter = try invocation.filter()
    let connection = try await invocation.connection()
    let limit = invocation.arguments[Options.limit]
    let list = try invocation.entryList(
      query: query, nothing: limit == 0 ? nil : .nothingFound, through: connection)
    let order: ListEntries.Order =
      invocation.arguments[Options.reverse] ? .oldestFirst : .newestFirst
    var isEmpty = true
    _ = try connection.run(
      ListEntries(filter, order: order, limit: limit, query: query)
    ) { entry in
      isEmpty = false
      try list.add(entry)
    }
    try list.end()
    // The shell took the quotes of a whole search away.
    let isQuoted = invocation.operands.contains { $0.contains(/\ OR | -\w| [#＃]/) }
    if isEmpty, limit != 0, isQuoted {
      invocation.note(WritingMessage.quotesArePhrase)
    }
    invocation.keepIndex(through: connection)
    return .written()
  }
}
