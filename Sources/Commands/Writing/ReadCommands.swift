internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `list`, `search`, `show`, `history`.
@MainActor
enum ReadCommands {
  static let list = Command<Invocation>(
    "list", summary: CommandHelp.list,
    options: Options.filters + [Options.limit, Options.reverse, Options.bodies, Options.emptyDays]
  ) { invocation in
    let bodies = invocation.arguments[Options.bodies]
    let request = ListEntries(
      try filter(invocation),
      order: invocation.arguments[Options.reverse] ? .oldestFirst : .newestFirst,
      limit: invocation.arguments[Options.limit], bodies: bodies)
    let connection = try await invocation.connection()
    let list = try EntryList(invocation, bodies: bodies, through: connection)
    if invocation.arguments[Options.emptyDays] {
      let filter = request.filter
      // Of a trip, all its days.
      let trip = try filter.journal.flatMap { name in
        try NameCommands.names(connection).journals.first { SearchQuery.areEqual($0.name, name) }
      }
      list.showEmptyDays(
        from: filter.fromDay ?? trip?.from, to: filter.toDay ?? trip?.to,
        newestFirst: request.order == .newestFirst)
    }
    if !invocation.isJSON { invocation.output.startPaging(invocation.environment) }
    try list.begin()
    _ = try connection.run(request) { try list.add($0) }
    try list.end()
    return 0
  }

  static let search = Command<Invocation>(
    "search", Form(Operand("WORDS", repeats: true)), summary: CommandHelp.search,
    options: Options.filters,
    details: CommandHelp.searchDetails
  ) { invocation in
    let query = SearchQuery(invocation.operands)
    guard !query.isEmpty else {
      throw Failure(
        .usage, UsageMessage.usage("search WORDS…"), hint: UsageMessage.seeHelpOf("search"))
    }
    let connection = try await invocation.connection()
    let list = try EntryList(invocation, excerpts: true, query: query, through: connection)
    if !invocation.isJSON { invocation.output.startPaging(invocation.environment) }
    try list.begin()
    _ = try connection.run(
      ListEntries(try filter(invocation), query: query)
    ) { try list.add($0) }
    try list.end()
    return 0
  }

  static let show = Command<Invocation>(
    "show", Form(.ids), summary: CommandHelp.show,
    options: [Options.shownRevision, Options.inTrash, Options.raw]
  ) { invocation in
    if !invocation.isJSON { invocation.output.startPaging(invocation.environment) }
    let isRaw = invocation.arguments[Options.raw]
    if isRaw, invocation.operands.count > 1 {
      throw Failure(
        .usage, UsageMessage.usage("show --raw ID"), hint: UsageMessage.seeHelpOf("show"))
    }
    let revision = invocation.arguments[Options.shownRevision]
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(
      ShowEntries(
        invocation.operands.map { EntryReference($0) }, revision: revision,
        isInTrash: invocation.arguments[Options.inTrash])
    ) { entries.append($0) }
    if isRaw {
      let body = entries[0].body ?? ""
      // A terminal is protected even from what was asked for raw.
      try invocation.output.write(Terminal.isTerminal(1) ? visible(body) + "\n" : body)
    } else if invocation.isJSON {
      try invocation.json { json in
        json.beginArray()
        for entry in entries { json.entry(entry, body: true) }
        json.endArray()
      }
    } else {
      for (index, entry) in entries.enumerated() {
        if index > 0 { try invocation.output.line("") }
        try showWhole(entry, invocation)
      }
    }
    return 0
  }

  static let history = Command<Invocation>(
    "history", Form(.id), summary: CommandHelp.history
  ) {
    invocation in
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(EntryHistory(EntryReference(invocation.operands[0]))) {
      entries.append($0)
    }
    if invocation.isJSON {
      try invocation.json { json in
        json.beginArray()
        for entry in entries {
          json.beginObject()
          json.member("revision", Int(entry.revision))
          json.member("modified", utc(entry.modified))
          json.member("title", entry.title)
          json.endObject()
        }
        json.endArray()
      }
    } else {
      for entry in entries {
        try invocation.output.line(
          "\(entry.revision)  \(utc(entry.modified))  \(visible(entry.title ?? entry.preview ?? ""))"
        )
      }
    }
    return 0
  }

  static func filter(_ invocation: Invocation) throws -> EntryFilter {
    let arguments = invocation.arguments
    var filter = EntryFilter()
    switch arguments[Options.from] {
    case .day(let day)?: filter.fromDay = day
    case .instant(let time)?: filter.fromInstant = time.seconds
    case nil: break
    }
    switch arguments[Options.to] {
    case .day(let day)?: filter.toDay = day
    case .instant(let time)?: filter.toInstant = time.seconds
    case nil: break
    }
    let day: Int? =
      switch arguments[Options.on] {
      case .day(let day)?: day
      case .instant(let time)?: time.day
      case nil: nil
      }
    if let day {
      filter.fromDay = max(day, filter.fromDay ?? day)
      filter.toDay = min(day, filter.toDay ?? day)
    } else if let from = filter.fromDay, let to = filter.toDay, from > to {
      throw Failure(.invalid, WritingMessage.toBeforeFrom)
    }
    filter.tags = arguments[Options.filterTag]
    filter.journal = arguments[Options.filterJournal]
    filter.kind = arguments[Options.filterKind]
    filter.starred = arguments[Options.starred]
    filter.hasAttachment = arguments[Options.hasAttachment]
    return filter
  }
}
