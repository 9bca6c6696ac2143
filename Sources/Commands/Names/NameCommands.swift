internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `journals`, `kinds`, `tags`: what entries are sorted by.
@MainActor
enum NameCommands {
  static let journals = Command<Invocation>(
    "journals",
    Form(
      "list", isDefault: true, Operand("WORDS", optional: true, repeats: true, completion: .journal)
    ),
    Form("add", Operand("NAME")), Form("edit", Operand("NAME", completion: .journal)),
    Form("rename", Operand("A", completion: .journal), Operand("B")),
    Form("move", Operand("J", completion: .journal)),
    Form("remove", Operand("J", completion: .journal)),
    summary: CommandHelp.journals,
    options: [
      Options.tripFrom, Options.tripTo, Options.journalEmoji, Options.before,
      Options.entriesToTrash, Options.yes,
    ],
    details: CommandHelp.journalsDetails
  ) { invocation in
    let words = invocation.operands
    let arguments = invocation.arguments
    switch invocation.verb {
    case "list": return try await listJournals(invocation, matching: words)
    case "add":
      let journal = Journal(
        name: words[0].trimmed,
        from: try arguments[Options.tripFrom].map { try day($0, invocation) },
        to: try arguments[Options.tripTo].map { try day($0, invocation) },
        emoji: arguments[Options.journalEmoji])
      return try await change(
        invocation, .addJournal(journal), NamesMessage.madeJournal(journal.name), name: journal.name
      )
    case "edit":
      @MainActor func field(_ option: Option<String>) throws -> Change<Int> {
        guard let text = arguments[option] else { return .keep }
        return text.isEmpty ? .clear : .set(try day(text, invocation))
      }
      let emoji: Change<String> =
        arguments[Options.journalEmoji].map { $0.isEmpty ? .clear : .set($0) } ?? .keep
      return try await change(
        invocation,
        .editJournal(
          words[0], from: try field(Options.tripFrom), to: try field(Options.tripTo), emoji: emoji),
        NamesMessage.changedJournal(words[0]))
    case "rename":
      return try await change(
        invocation, .renameJournal(words[0], to: words[1].trimmed),
        NamesMessage.renamed(old: words[0], new: words[1])
      )
    case "move":
      return try await change(
        invocation, .moveJournal(words[0], before: arguments[Options.before]),
        NamesMessage.moved(words[0]))
    case "remove":
      return try await removeJournal(words[0], invocation)
    default: return 0
    }
  }

  private static func listJournals(_ invocation: Invocation, matching words: [String]) async throws
    -> Int32
  {
    let connection = try await invocation.connection()
    let names = try names(connection)
    let counts = try tally(.journals, connection)
    let query = SearchQuery(words)
    let listed = names.journals.filter { query.isEmpty || query.matches($0.name) }
    if invocation.isJSON {
      try invocation.json { json in
        json.array(listed) { json, journal in
          json.member("name", journal.name)
          json.member("count", counts[journal.name] ?? 0)
          json.member("from", journal.from.map { CivilDate(number: $0).text })
          json.member("to", journal.to.map { CivilDate(number: $0).text })
          json.member("emoji", journal.emoji)
        }
      }
      return 0
    }
    for journal in listed {
      var line = columns(counts[journal.name] ?? 0) + "  "
      if let emoji = journal.emoji { line += visible(emoji) + " " }
      line += visible(journal.name)
      let from = journal.from.map { CivilDate(number: $0).text }
      let to = journal.to.map { CivilDate(number: $0).text }
      if from != nil || to != nil { line += "  \(from ?? "") – \(to ?? "")".trimmedEnd }
      try invocation.output.line(line)
    }
    if listed.isEmpty, !names.journals.isEmpty {
      invocation.note(WritingMessage.nothingFound)
    } else if listed.isEmpty {
      invocation.note(NamesMessage.noJournals)
    }
    return 0
  }

  private static func removeJournal(_ name: String, _ invocation: Invocation) async throws -> Int32
  {
    let arguments = invocation.arguments
    let heir = arguments[Options.tripTo]
    guard (heir == nil) == arguments[Options.entriesToTrash] else {
      throw Failure(
        .usage, NamesMessage.sayWhereEntriesGo,
        hint: UsageMessage.seeHelpOf("journals"))
    }
    try TrashCommands.requireYes(invocation, "\(invocation.command) remove")
    let connection = try await invocation.connection()
    let known = try names(connection)
    var count = 0
    if let journal = known.journals.first(where: { SearchQuery.areEqual($0.name, name) }) {
      count = try tally(.journals, connection)[journal.name] ?? 0
    }
    try TrashCommands.confirm(
      invocation,
      heir.map { NamesMessage.askToRemoveJournalInto(name: name, entries: count, heir: $0) }
        ?? NamesMessage.askToRemoveJournal(name: name, entries: count))
    return try await change(
      invocation, .removeJournal(name, entriesTo: heir), NamesMessage.removedJournal(name),
      through: connection)
  }

  static let kinds = Command<Invocation>(
    "kinds", Form("list", isDefault: true), Form("add", Operand("NAME")),
    Form("rename", Operand("A", completion: .kind), Operand("B")),
    Form("remove", Operand("K", completion: .kind)),
    summary: CommandHelp.kinds,
    options: [Options.kindEmoji, Options.yes],
    details: CommandHelp.kindsDetails
  ) { invocation in
    let words = invocation.operands
    switch invocation.verb {
    case "list":
      let connection = try await invocation.connection()
      let kinds = try names(connection).kinds
      let counts = try tally(.kinds, connection)
      if invocation.isJSON {
        try invocation.json { json in
          json.array(kinds) { json, kind in
            json.member("name", kind.name)
            json.member("count", counts[kind.name] ?? 0)
            json.member("emoji", kind.emoji)
            json.member("otherNames", kind.otherNames)
          }
        }
        return 0
      }
      for kind in kinds {
        let others = kind.otherNames.map(visible).joined(separator: ", ")
        try invocation.output.line(
          columns(counts[kind.name] ?? 0) + "  "
            + (kind.emoji.isEmpty ? "" : visible(kind.emoji) + " ") + visible(kind.name)
            + (others.isEmpty ? "" : " (\(others))"))
      }
      return 0
    case "add":
      guard let emoji = invocation.arguments[Options.kindEmoji] else {
        throw Failure(.usage, UsageMessage.usage("kinds add NAME --emoji E"))
      }
      let kind = Kind(name: words[0].trimmed, emoji: emoji)
      return try await change(invocation, .addKind(kind), NamesMessage.madeKind(kind.name))
    case "rename":
      return try await change(
        invocation, .renameKind(words[0], to: words[1].trimmed),
        NamesMessage.renamed(old: words[0], new: words[1]))
    case "remove":
      try TrashCommands.requireYes(invocation, "\(invocation.command) remove")
      let connection = try await invocation.connection()
      try TrashCommands.confirm(
        invocation, NamesMessage.askToRemoveKind(words[0]))
      return try await change(
        invocation, .removeKind(words[0]), NamesMessage.removedKind(words[0]), through: connection)
    default: return 0
    }
  }

  static let tags = Command<Invocation>(
    "tags", summary: CommandHelp.tags
  ) {
    invocation in
    let connection = try await invocation.connection()
    let counts = try connection.run(Tally(.tags))
    if invocation.isJSON {
      try invocation.json { json in
        json.array(counts) { json, tag in
          json.member("name", tag.name)
          json.member("count", tag.count)
        }
      }
    } else {
      for tag in counts {
        try invocation.output.line(columns(tag.count) + "  #" + visible(tag.name))
      }
      if counts.isEmpty { invocation.note(WritingMessage.nothingFound) }
    }
    return 0
  }

  // MARK: Common

  static func names(
    _ connection: KeeperConnection
  ) throws -> (journals: [Journal], kinds: [Kind]) {
    let names = try connection.run(ListNames())
    return (names.journals, names.kinds)
  }

  private static func tally(
    _ subject: TallySubject, _ connection: KeeperConnection
  ) throws -> [String: Int] {
    let counts = try connection.run(Tally(subject))
    return Dictionary(counts.map { ($0.name, $0.count) }) { $1 }
  }

  private static func change(
    _ invocation: Invocation, _ change: NamesChange, _ done: any Message, name: String? = nil,
    through open: (KeeperConnection)? = nil
  ) async throws -> Int32 {
    var connection = open
    if connection == nil { connection = try await invocation.connection() }
    let count = try connection?.run(ChangeNames(change)) ?? 0
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("name", name ?? invocation.operands.last?.trimmed)
        json.member("count", count)
        json.endObject()
      }
    } else {
      invocation.note(done)
    }
    return 0
  }

  private static func day(_ text: String, _ invocation: Invocation) throws -> Int {
    switch try invocation.dates.parse(text) {
    case .day(let day): day
    case .instant(let time): time.day
    }
  }

  /// A count, right-aligned.
  private static func columns(_ count: Int) -> String {
    let digits = String(count)
    return String(repeating: " ", count: max(0, 6 - digits.count)) + digits
  }
}
