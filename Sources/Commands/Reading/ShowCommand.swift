internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `show`: entries, whole.
@MainActor
enum ShowCommand {
  static let declaration = Command<Invocation>(
    "show", Form(.ids), summary: CommandHelp.show,
    options: [Options.shownRevision, Options.inTrash, Options.raw]
  ) { invocation in
    let arguments = invocation.arguments
    invocation.startPaging()
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
    return Outcome { [entries] json in
      json.beginArray()
      for entry in entries { json.entry(entry, body: true) }
      json.endArray()
    } text: { [entries] page in
      for (index, entry) in entries.enumerated() {
        if index > 0 { try page.line("") }
        try page.whole(entry)
      }
    }
  }
}

extension Page {
  /// One entry for reading.
  func whole(_ entry: Entry) throws {
    let style = Style(usesColor)
    var heading = dayHeading(entry.date.day) + " " + entry.date.clock
    if let until = entry.until { heading += "–" + until.clock }
    if entry.starred { heading += " ★" }
    try line(style.bold(visible(entry.title ?? heading)))
    if entry.title != nil { try line(heading) }
    var facts = ["\(entry.id.short)", text(ReadingMessage.revision(Int(entry.revision)))]
    if let journal = entry.journal { facts.append(visible(journal)) }
    if let kind = entry.kind {
      let emoji = Kind.builtIn.first { $0.name == kind }?.emoji
      facts.append(((emoji ?? "") + " " + visible(language.kindName(kind))).trimmed)
    }
    facts += entry.tags.map { "#" + visible($0) }
    try line(style.dim(facts.joined(separator: " · ")))
    try line("")
    if let body = entry.body, !body.isEmpty { try line(visible(body)) }
    if !entry.attachments.isEmpty { try line("") }
    for attachment in entry.attachments {
      try line(
        style.dim(
          "📎 \(visible(attachment.name))  \(byteCount(attachment.size))  \(attachment.type)"))
    }
  }

  /// `2026-03-02, Monday`
  func dayHeading(_ day: Int) -> String {
    let date = CivilDate(number: day)
    return text(
      ReadingMessage.day(
        year: padded(date.year, 4), month: padded(date.month, 2), day: padded(date.day, 2),
        weekday: text(Weekday.name(CivilDate.weekday(day)))))
  }
}

extension Language {
  /// A kind as it is called here: the built-in ones have a name in other languages.
  func kindName(_ name: String) -> String {
    guard self == .japanese, let kind = Kind.builtIn.first(where: { $0.name == name }) else {
      return name
    }
    return kind.otherNames[0]
  }
}
