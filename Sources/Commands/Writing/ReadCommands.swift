internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `list`, `search`, `show`, `history`.
@MainActor
enum ReadCommands {
  static let list = Declaration(
    "list", "", "list entries, newest first",
    options: Option.filters + [
      Option("--limit", value: "N", "at most so many"),
      Option("--reverse", "oldest first"),
      Option("--bodies", "with their texts"),
      Option("--empty-days", "show days without entries, too"),
    ]
  ) { invocation in
    try invocation.require(0...0, "list [filters]")
    let bodies = invocation.arguments.has("--bodies")
    let request = ListEntries(
      try filter(invocation),
      order: invocation.arguments.has("--reverse") ? .oldestFirst : .newestFirst,
      limit: try limit(invocation), bodies: bodies)
    let connection = try await invocation.connection()
    let list = try EntryList(invocation, bodies: bodies, through: connection)
    if invocation.arguments.has("--empty-days") {
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

  static let search = Declaration(
    "search", "WORDS…", "find entries that hold every word", options: Option.filters,
    details: """
      Looks in titles, texts and tags, inside words too; "quoted words" are a phrase. Case, width,
      accents and hiragana or katakana make no difference.
      """
  ) { invocation in
    let query = SearchQuery(invocation.operands)
    guard !query.isEmpty else {
      throw Failure(.usage, "usage: facediary \("search WORDS…")", hint: "facediary search --help")
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

  static let show = Declaration(
    "show", "ID…", "show entries",
    options: [
      Option("--revision", value: "N", "an older revision"),
      Option("--trash", "an entry in the trash"),
      Option("--raw", "the bytes of one entry's text, nothing else"),
    ]
  ) { invocation in
    guard !invocation.operands.isEmpty else {
      throw Failure(.usage, "usage: facediary \("show ID…")", hint: "facediary show --help")
    }
    if !invocation.isJSON { invocation.output.startPaging(invocation.environment) }
    let isRaw = invocation.arguments.has("--raw")
    if isRaw { try invocation.require(1...1, "show --raw ID") }
    var revision: UInt64?
    if let text = invocation.arguments.value("--revision") {
      guard let number = UInt64(text), number > 0 else {
        throw Failure(.usage, "--revision wants a number from 1, not \(text)")
      }
      revision = number
    }
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(
      ShowEntries(
        invocation.operands.map { EntryReference($0) }, revision: revision,
        isInTrash: invocation.arguments.has("--trash"))
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

  static let history = Declaration("history", "ID", "every revision of an entry, newest first") {
    invocation in
    try invocation.require(1...1, "history ID")
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

  static func limit(_ invocation: Invocation) throws -> Int? {
    guard let text = invocation.arguments.value("--limit") else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw Failure(.usage, "--limit wants a number, not \(text)")
    }
    return number
  }

  static func filter(_ invocation: Invocation) throws -> EntryFilter {
    let arguments = invocation.arguments
    let dates = invocation.dates
    var filter = EntryFilter()
    if let text = arguments.value("--from") {
      switch try dates.parse(text) {
      case .day(let day): filter.fromDay = day
      case .instant(let time): filter.fromInstant = time.seconds
      }
    }
    if let text = arguments.value("--to") {
      switch try dates.parse(text) {
      case .day(let day): filter.toDay = day
      case .instant(let time): filter.toInstant = time.seconds
      }
    }
    if let text = arguments.value("--on") {
      let day: Int
      switch try dates.parse(text) {
      case .day(let parsed): day = parsed
      case .instant(let time): day = time.day
      }
      filter.fromDay = max(day, filter.fromDay ?? day)
      filter.toDay = min(day, filter.toDay ?? day)
    }
    if let from = filter.fromDay, let to = filter.toDay, from > to, !arguments.has("--on") {
      throw Failure(.invalid, "--to is before --from")
    }
    filter.tags = arguments.all("--tag")
    filter.journal = arguments.value("--journal")
    filter.kind = arguments.value("--kind")
    filter.starred = arguments.has("--starred")
    filter.hasAttachment = arguments.has("--has-attachment")
    return filter
  }
}
