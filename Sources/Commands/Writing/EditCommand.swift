internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `edit`: a new revision of an entry.
@MainActor
enum EditCommand {
  static let declaration = Command<Invocation>(
    "edit", Form(.id, Operand("TEXT", optional: true, repeats: true)), summary: CommandHelp.edit,
    options: Options.entryFields + [
      Options.untag, Options.noStar, Options.noJournal, Options.noKind, Options.noUntil,
    ] + Options.lines.map(\.clear) + [Options.endsConflict, Options.expectedRevision],
    details: CommandHelp.editDetails
  ) { invocation in
    let reference = EntryReference(invocation.operands[0])
    let expected = invocation.arguments[Options.expectedRevision]
    let words = Array(invocation.operands.dropFirst())
    var change = try change(invocation)
    // Check the passphrase and the entry before a person types a text.
    if words == ["-"], Terminal.isTerminal(0) {
      return try await editTyped(reference, change, expected: expected, invocation)
    }
    if words == ["-"] {
      change.body = StoredText.of(try StandardInputText.read(invocation))
    } else if !words.isEmpty {
      change.body = StoredText.of(words.joined(separator: " "))
    }
    change = try invocation.tagged(change)
    let connection = try await invocation.connection()
    var entry: Entry?
    // A date that moves takes the end's meaning with it, so both need the entry as it is.
    let needsEntry = change.isEmpty || invocation.arguments.has(Options.until)
    if needsEntry {
      _ = try connection.run(ShowEntries([reference], isForChange: true)) { entry = $0 }
    }
    if let until = invocation.arguments[Options.until], let entry {
      change.until = .set(try invocation.dates.end(until, from: change.date ?? entry.date))
    }
    guard change.isEmpty, let entry else {
      return .written(
        try connection.run(EditEntry(reference, change, expected: expected)))
    }
    guard Terminal.isTerminal(0) else {
      throw Failure(
        .usage, WritingMessage.nothingToChange)
    }
    return try await editInEditor(entry, expected: expected, invocation, connection)
  }

  /// Gives an entry the text that is typed at the terminal.
  private static func editTyped(
    _ reference: EntryReference, _ change: EntryChange, expected: UInt64?, _ invocation: Invocation
  ) async throws -> Outcome {
    let connection = try await invocation.connection()
    let entry = try connection.entry(reference, isForChange: true)
    // Nobody types a text that will not be taken.
    if !entry.others.isEmpty, !change.endsConflict {
      throw VaultError(.conflict, .entry, entry.id.short, .hasOtherTexts(entry.others.count))
    }
    var whole = change
    if let until = invocation.arguments[Options.until] {
      whole.until = .set(try invocation.dates.end(until, from: change.date ?? entry.date))
    }
    _ = try connection.run(
      ListNames(
        requiring: invocation.arguments[Options.journal], kind: invocation.arguments[Options.kind]))
    let kept = try KeptText(invocation, connection)
    let given = whole
    whole.body = StoredText.of(
      try StandardInputText.read(invocation, keeping: kept) { body in
        var whole = given
        whole.body = body
        return UnsavedText(whole, of: entry, expected: expected ?? entry.revision)
      })
    whole = try invocation.tagged(whole)
    let request = EditEntry(.id(entry.id), whole, expected: expected)
    return .written(try await kept.save(connection) { try $0.run(request) })
  }

  /// Lets the owner change an entry in the editor, and saves it.
  static func editInEditor(
    _ entry: Entry, expected: UInt64?, _ invocation: Invocation, _ connection: KeeperConnection
  ) async throws -> Outcome {
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try KeptText(invocation, connection)
    let old = entry.content
    var shown = old
    // Show all its texts, so that the person who saves has seen them.
    let hasOthers = !entry.others.isEmpty
    if !entry.others.isEmpty, let all = try connection.conflicts(.id(entry.id)).first {
      shown.body = all.text(invocation)
    }
    let expected = expected ?? entry.revision
    let edited = try kept.telling {
      try EntryInEditor(
        shown, hasFiles: !entry.attachments.isEmpty, dates: invocation.dates
      ).edit(in: editor, kept, invocation, connection) { content, typed in
        let isUnchanged = typed.allSatisfy(\.isWhitespace) || content == shown
        var change = EntryChange(from: old, to: content)
        change.endsConflict = hasOthers
        return isUnchanged ? nil : UnsavedText(change, of: entry, expected: expected)
      }
    }
    let new: EntryContent
    let text: String
    switch edited {
    case .saved(let content, let typed): (new, text) = (content, typed)
    case .interrupted(let signal): return kept.interrupted(by: signal)
    }
    // An emptied file means no, as everywhere.
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, WritingMessage.nothingLeft)
    }
    guard new != shown else {
      if hasOthers { invocation.note(WritingMessage.textsStay(entry.others.count)) }
      return .written(Written(id: entry.id, revision: entry.revision), .unchanged)
    }
    var change = EntryChange(from: old, to: try invocation.tagged(new))
    invocation.noteAhead(change.date)
    // Also the text that already stood first: leaving it there unchanged is a choice.
    if hasOthers { change.body = new.body }
    change.endsConflict = hasOthers
    let request = EditEntry(.id(entry.id), change, expected: expected)
    return .written(
      try await kept.save(connection) { try $0.run(request) })
  }

  private static func change(_ invocation: Invocation) throws -> EntryChange {
    let arguments = invocation.arguments
    var change = EntryChange()
    change.date = arguments[Options.date]
    invocation.noteAhead(change.date)
    if let date = change.date, invocation.dates.zone.offset(at: date.seconds) != date.offset {
      change.zone = .clear
    }
    func field(_ option: Option<String>, _ no: Flag) throws -> Change<String> {
      guard arguments[no] else { return arguments[option].map { .set($0) } ?? .keep }
      if arguments.has(option) {
        throw Failure(
          .usage, UsageMessage.contradict(one: option.spec.name, other: no.spec.name))
      }
      return .clear
    }
    for option in Options.lines {
      change[option.line.change] = try field(option.set, option.clear)
    }
    change.journal = try field(Options.journal, Options.noJournal)
    change.kind = try field(Options.kind, Options.noKind)
    if arguments[Options.noUntil] { change.until = .clear }
    change.addTags = TagWords.split(arguments[Options.tag])
    change.removeTags = TagWords.split(arguments[Options.untag])
    if arguments[Options.star], arguments[Options.noStar] {
      throw Failure(.usage, UsageMessage.starsContradict)
    }
    change.endsConflict = arguments[Options.endsConflict]
    if arguments[Options.star] { change.starred = true }
    if arguments[Options.noStar] { change.starred = false }
    return change
  }
}
