internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Markdown
internal import Requests
internal import Words

/// `show`: entries, whole.
@MainActor
enum ShowCommand {
  static let declaration = Command<Invocation>(
    "show", Form(.ids), summary: CommandHelp.show,
    options: [Options.shownRevision, Options.inTrash, Options.raw]
  ) { invocation in
    let arguments = invocation.arguments
    if arguments[Options.raw] { invocation.startPaging() }
    if arguments[Options.raw], invocation.operands.count > 1 {
      throw Failure(
        .usage, UsageMessage.usage("show --raw ID"), hint: UsageMessage.seeHelpOf("show"))
    }
    let connection = try await invocation.connection()
    var entries: [Entry] = []
    _ = try connection.run(
      ShowEntries(
        invocation.operands.map { EntryReference($0) }, revision: arguments[Options.shownRevision],
        isInTrash: arguments[Options.inTrash])
    ) { entries.append($0) }
    if arguments[Options.raw] {
      let body = entries[0].body ?? ""
      // A terminal is protected even from what was asked for raw.
      try invocation.output.write(Terminal.isTerminal(1) ? visible(body) + "\n" : body)
      return .written()
    }
    let picture = TerminalPicture(invocation)
    @MainActor func pictures(_ entry: Entry) -> [Attachment] {
      entry.attachments.filter { picture?.shows($0) ?? false }
    }
    // A pager would take pictures apart.
    if entries.allSatisfy({ pictures($0).isEmpty }) { invocation.startPaging() }
    return Outcome { [entries] json in
      json.beginArray()
      for entry in entries { json.entry(entry, body: true) }
      json.endArray()
    } text: { [entries] page in
      for (index, entry) in entries.enumerated() {
        if index > 0 { try page.line("") }
        try page.whole(entry)
        for photo in pictures(entry) {
          if let drawn = try picture?.drawn(
            photo, of: entry, columns: min(Terminal.width, 60), rows: 16, connection)
          {
            try page.output.write(drawn)
          }
        }
      }
    }
  }
}

extension Page {
  /// Lines longer than this are hard to read.
  private static let widest = 100

  /// One entry for reading: on a terminal its Markdown as it is meant, elsewhere as it was written.
  func whole(_ entry: Entry) throws {
    if Terminal.isTerminal(1) {
      for each in lines(of: entry, columns: Terminal.width, withID: true) { try line(each) }
      return
    }
    try line(visible(entry.title ?? heading(entry)))
    if entry.title != nil { try line(heading(entry)) }
    try line(
      visible(
        ([entry.id.short, text(ReadingMessage.revision(entry.revision))]
          + facts(entry, [:])).joined(separator: " · ")))
    if !entry.others.isEmpty { note(SyncMessage.hasOthers(entry.others.count)) }
    try line("")
    if let body = entry.body, !body.isEmpty { try line(visible(body)) }
    if !entry.attachments.isEmpty { try line("") }
    for attachment in entry.attachments { try line(file(attachment)) }
  }

  /// One entry as lines of a screen.
  func lines(
    of entry: Entry, columns: Int, emoji: [String: String] = [:], withID: Bool = false
  ) -> [String] {
    let columns = min(columns, Self.widest)
    let style = Style(usesColor)
    var lines: [StyledText] = []
    func add(_ text: String, _ look: StyledText.Look = []) {
      lines += StyledText(text.oneLine, look).wrapped(columns)
    }
    add(entry.title ?? heading(entry), .bold)
    if entry.title != nil { add(heading(entry)) }
    let id =
      withID ? [entry.id.short, text(ReadingMessage.revision(entry.revision))] : []
    let facts = id + facts(entry, emoji)
    if !facts.isEmpty { add(facts.joined(separator: " · "), .dim) }
    if !entry.others.isEmpty { add(text(SyncMessage.hasOthers(entry.others.count))) }
    lines.append(StyledText())
    if let body = entry.body, !body.isEmpty {
      lines += MarkdownLines(MarkdownDocument(body), columns: columns).lines
    }
    if !entry.attachments.isEmpty { lines.append(StyledText()) }
    for attachment in entry.attachments { add(file(attachment), .dim) }
    return lines.map { $0.drawn(style) }
  }

  private func heading(_ entry: Entry) -> String {
    let heading = dayHeading(entry.date.day) + " " + entry.hours
    return entry.starred ? heading + " ★" : heading
  }

  /// What stands beside the title, in the order it is read.
  func facts(_ entry: Entry, _ emoji: [String: String]) -> [String] {
    var facts: [String] = []
    if let journal = entry.journal { facts.append(journal) }
    if let kind = entry.kind {
      let emoji = emoji[kind] ?? Kind.builtIn.first { $0.name == kind }?.emoji ?? ""
      facts.append((emoji + " " + language.kindName(kind)).trimmed)
    }
    facts += EntryField.lines.dropFirst().compactMap { entry.content[$0.content] }
    return facts + entry.tags.map { "#" + $0 }
  }

  private func file(_ attachment: Attachment) -> String {
    "📎 \(visible(attachment.name))  \(byteCount(attachment.size))  \(attachment.type)"
  }
}

extension Entry {
  /// `09:30`, or `09:30–11:00`.
  var hours: String { self.date.clock + (self.until.map { "–" + $0.clock } ?? "") }
}
