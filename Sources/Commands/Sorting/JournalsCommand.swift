internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `journals`: what entries are sorted into, and the trips among them.
@MainActor
enum JournalsCommand {
  static let declaration = Command<Invocation>(
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
    case "add":
      let journal = Journal(
        name: words[0].trimmed,
        from: try arguments[Options.tripFrom].map { try day($0, invocation) },
        to: try arguments[Options.tripTo].map { try day($0, invocation) },
        emoji: arguments[Options.journalEmoji])
      return try await invocation.change(
        .addJournal(journal), name: journal.name, NamesMessage.madeJournal(journal.name))
    case "edit":
      @MainActor func field(_ option: Option<String>) throws -> Change<Int> {
        guard let text = arguments[option] else { return .keep }
        return text.isEmpty ? .clear : .set(try day(text, invocation))
      }
      let emoji: Change<String> =
        arguments[Options.journalEmoji].map { $0.isEmpty ? .clear : .set($0) } ?? .keep
      return try await invocation.change(
        .editJournal(
          words[0], from: try field(Options.tripFrom), to: try field(Options.tripTo), emoji: emoji),
        name: words[0], NamesMessage.changedJournal(words[0]))
    case "rename":
      return try await invocation.change(
        .renameJournal(words[0], to: words[1].trimmed), name: words[1],
        NamesMessage.renamed(old: words[0], new: words[1]))
    case "move":
      return try await invocation.change(
        .moveJournal(words[0], before: arguments[Options.before]), name: words[0],
        NamesMessage.moved(words[0]))
    case "remove": return try await remove(words[0], invocation)
    default: return try await list(invocation, matching: words)
    }
  }

  private static func list(
    _ invocation: Invocation, matching words: [String]
  ) async throws -> Outcome {
    let connection = try await invocation.connection()
    let journals = try connection.run(ListNames()).journals
    let counts = try connection.counts(.journals)
    let query = SearchQuery(words)
    let listed = journals.filter { query.isEmpty || query.matches($0.name) }
    return .array(listed) { json, journal in
      json.member("name", journal.name)
      json.member("count", counts[journal.name] ?? 0)
      json.member("from", journal.from.map { CivilDate(number: $0).text })
      json.member("to", journal.to.map { CivilDate(number: $0).text })
      json.member("emoji", journal.emoji)
    } text: { page in
      for journal in listed {
        var line = padLeft(String(counts[journal.name] ?? 0), 6) + "  "
        if let emoji = journal.emoji { line += visible(emoji) + " " }
        line += visible(journal.name)
        let from = journal.from.map { CivilDate(number: $0).text }
        let to = journal.to.map { CivilDate(number: $0).text }
        if from != nil || to != nil { line += "  \(from ?? "") – \(to ?? "")".trimmedEnd }
        try page.line(line)
      }
      guard listed.isEmpty else { return }
      if journals.isEmpty {
        page.note(NamesMessage.noJournals)
      } else {
        page.note(WritingMessage.nothingFound)
      }
    }
  }

  private static func remove(_ name: String, _ invocation: Invocation) async throws -> Outcome {
    let arguments = invocation.arguments
    let heir = arguments[Options.tripTo]
    guard (heir == nil) == arguments[Options.entriesToTrash] else {
      throw Failure(
        .usage, NamesMessage.sayWhereEntriesGo, hint: UsageMessage.seeHelpOf("journals"))
    }
    try invocation.requireYes("journals remove")
    let connection = try await invocation.connection()
    let known = try connection.run(ListNames()).journals
    var count = 0
    if let journal = known.first(where: { SearchQuery.areEqual($0.name, name) }) {
      count = try connection.counts(.journals)[journal.name] ?? 0
    }
    try invocation.confirm(
      heir.map { NamesMessage.askToRemoveJournalInto(name: name, entries: count, heir: $0) }
        ?? NamesMessage.askToRemoveJournal(name: name, entries: count))
    return try await invocation.change(
      .removeJournal(name, entriesTo: heir), name: name, NamesMessage.removedJournal(name),
      through: connection)
  }

  private static func day(_ text: String, _ invocation: Invocation) throws -> Int {
    switch try invocation.dates.parse(text) {
    case .day(let day): day
    case .instant(let time): time.day
    }
  }
}
