internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// `write`: a new entry.
@MainActor
enum WriteCommand {
  static let declaration = Command<Invocation>(
    "write", Form(Operand("TEXT", optional: true, repeats: true)), summary: CommandHelp.write,
    options: Options.entryFields + [
      Options.attach, Options.fromPhoto, Options.template, Options.recover,
    ],
    details: CommandHelp.writeDetails
  ) { invocation in
    let dates = invocation.dates
    let arguments = invocation.arguments
    if arguments[Options.recover] { return try await UnsavedTextFolder.recover(invocation) }
    let date = arguments[Options.date] ?? dates.now
    var draft = EntryDraft(
      date: date,
      zone: dates.zone.name(for: date),
      journal: arguments[Options.journal],
      kind: arguments[Options.kind], body: "",
      tags: TagWords.split(arguments[Options.tag]), starred: arguments[Options.star])
    for option in Options.lines { draft.content[option.line.content] = arguments[option.set] }
    // A shell puts each name that a pattern matches behind the option, which takes one.
    if arguments.has(Options.attach), let file = invocation.operands.first,
      file.dropFirst().contains("."), (try? FileStatus(file))?.kind == .regular
    {
      throw Failure(
        .usage, WritingMessage.attachTakesOne(file),
        hint: Verbatim("facediary write --attach FILE --attach FILE …"))
    }
    let files = try arguments[Options.attach].map { ($0, try invocation.input($0, as: .file)) }
    if arguments[Options.fromPhoto] {
      guard !files.isEmpty else { throw Failure(.usage, WritingMessage.fromWhichPhoto) }
      try PhotoFacts.fill(&draft.content, from: files, invocation)
    }
    if let until = arguments[Options.until] {
      draft.until = try dates.end(until, from: draft.date)
    }
    let isTyped = !invocation.operands.isEmpty && invocation.operands != ["-"]
    if isTyped, arguments.has(Options.template) {
      throw Failure(.usage, WritingMessage.templateInEditor)
    }
    // An entry that is complete on the command line needs no editor.
    let usesEditor =
      invocation.operands.isEmpty && Terminal.isTerminal(0)
      && (files.isEmpty || arguments.has(Options.template))
    @MainActor func open() async throws -> KeeperConnection {
      let connection = try await invocation.connection()
      _ = try connection.run(ListNames(requiring: draft.journal, kind: draft.kind))
      return connection
    }
    // Check the passphrase and the journal before a person types an entry.
    let isTypedNow = invocation.operands == ["-"] && Terminal.isTerminal(0)
    var opened = isTypedNow ? try await open() : nil
    let kept = try opened.map { try KeptText(invocation, $0) }
    if isTyped {
      draft.body = StoredText.of(invocation.operands.joined(separator: " "))
    } else if !Terminal.isTerminal(0) || invocation.operands == ["-"] {
      let given = draft
      draft.body = StoredText.of(
        try StandardInputText.read(invocation, keeping: kept) { body in
          var draft = given
          draft.body = body
          return UnsavedText(adding: draft)
        })
    }
    let isBlank = draft.body.allSatisfy(\.isWhitespace)
    if isBlank { kept?.discard() }
    if isBlank, draft.title == nil, files.isEmpty, !usesEditor, !arguments.has(Options.template) {
      throw Failure(.invalid, WritingMessage.entryNeedsSomething)
    }
    // Open the diary first, so that a wrong passphrase or journal is reported before any writing.
    if opened == nil { opened = try await open() }
    let connection = opened!
    let template = try arguments[Options.template].map {
      try TemplatesCommand.body($0, connection)
    }
    if !usesEditor { invocation.noteAhead(draft.date) }
    @MainActor func add(
      _ draft: EntryDraft, _ connection: KeeperConnection
    ) throws -> AddEntry {
      var whole = try invocation.tagged(draft)
      for (path, input) in files {
        try input.rewind()
        whole.attachments.append(
          try AttachCommand.stage(path, input, connection, invocation))
      }
      return AddEntry(whole)
    }
    guard usesEditor else {
      if isBlank, let template { draft.body = template }
      guard let kept, !isBlank else {
        return .written(try connection.run(try add(draft, connection)))
      }
      let whole = draft
      return .written(
        try await kept.save(connection) {
          var request = try add(whole, $0)
          if let id = kept.draft?.id { request.id = id }
          return try $0.run(request)
        })
    }
    return try await writeInEditor(
      draft, template: template, invocation, connection, adding: add)
  }

  /// Lets the owner write an entry in the editor, and saves it.
  ///
  /// - Parameters:
  ///   - adding: makes the operation, when there is more to it than the draft.
  ///   - saved: is told which entry it became.
  static func writeInEditor(
    _ draft: EntryDraft, template: String? = nil, _ invocation: Invocation,
    _ connection: KeeperConnection,
    adding: (@MainActor (EntryDraft, KeeperConnection) throws -> AddEntry)? = nil,
    saved: (EntryID) -> Void = { _ in }
  ) async throws -> Outcome {
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try KeptText(invocation, connection)
    var draft = draft
    if let template { draft.body = template }
    let given = draft.content
    let hasFiles = !invocation.arguments[Options.attach].isEmpty
    let edited = try kept.telling {
      try EntryInEditor(given, hasFiles: hasFiles, dates: invocation.dates).edit(
        in: editor, kept, invocation, connection
      ) { content, _ in
        let isUnwritten =
          content.title == given.title
          && (content.body.allSatisfy(\.isWhitespace) || content.body == template)
        draft.content = content
        return isUnwritten ? nil : UnsavedText(adding: draft)
      }
    }
    switch edited {
    case .saved(let content, _):
      draft.content = content
      invocation.noteAhead(content.date)
    case .interrupted(let signal): return kept.interrupted(by: signal)
    }
    if draft.title == nil, draft.body.allSatisfy(\.isWhitespace) || draft.body == template {
      kept.discard()
      let isTemplate = draft.body == template
      throw Failure(
        .declined, isTemplate ? WritingMessage.templateLeft : WritingMessage.nothingWritten)
    }
    let whole = draft
    let id = kept.draft?.id
    let written = try await kept.save(connection) {
      var request = try adding?(whole, $0) ?? AddEntry(invocation.tagged(whole))
      if let id { request.id = id }
      return try $0.run(request)
    }
    saved(written.id)
    return .written(written)
  }
}

extension Invocation {
  /// Says that an entry lies ahead, which a time that was meant for the day before may have done.
  func noteAhead(_ date: ZonedTime?) {
    guard let date, date.seconds > dates.now.seconds + 60 else { return }
    page.note(WritingMessage.liesAhead(date.dayAndClock))
  }
}
