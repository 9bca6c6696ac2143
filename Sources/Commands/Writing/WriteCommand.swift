internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
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
      kind: arguments[Options.kind], title: arguments[Options.title], body: "",
      tags: arguments[Options.tag], starred: arguments[Options.star])
    draft.content.location = arguments[Options.location]
    draft.content.weather = arguments[Options.weather]
    let files = try arguments[Options.attach].map { ($0, try invocation.input($0, as: .file)) }
    if arguments[Options.fromPhoto] {
      try PhotoFacts.fill(&draft.content, from: files, invocation)
    }
    if let until = arguments[Options.until] {
      draft.until = try dates.end(until, from: draft.date)
    }
    let isTyped = !invocation.operands.isEmpty && invocation.operands != ["-"]
    if isTyped, arguments.has(Options.template) {
      throw Failure(.usage, WritingMessage.templateInEditor)
    }
    // Whoever gives everything on the command line wants no editor.
    let usesEditor =
      invocation.operands.isEmpty && Terminal.isTerminal(0)
      && (files.isEmpty || arguments.has(Options.template))
    if isTyped {
      draft.body = StoredText.of(invocation.operands.joined(separator: " "))
    } else if !Terminal.isTerminal(0) || invocation.operands == ["-"] {
      draft.body = StoredText.of(try EntryText.standardInput(invocation))
    }
    let isBlank = draft.body.allSatisfy(\.isWhitespace)
    if isBlank, draft.title == nil, files.isEmpty, !usesEditor, !arguments.has(Options.template) {
      throw Failure(.invalid, WritingMessage.entryNeedsSomething)
    }
    // Open the diary first, so that a wrong passphrase or journal is reported before any writing.
    let connection = try await invocation.connection()
    _ = try connection.run(ListNames(requiring: draft.journal, kind: draft.kind))
    let template = try arguments[Options.template].map {
      try TemplatesCommand.body($0, connection)
    }
    @MainActor func add(
      _ draft: EntryDraft, _ connection: KeeperConnection
    ) throws -> AddEntry {
      var whole = draft
      for (path, input) in files {
        try input.rewind()
        whole.attachments.append(
          try AttachCommand.stage(path, input, connection, invocation))
      }
      return AddEntry(whole)
    }
    guard usesEditor else {
      if isBlank, let template { draft.body = template }
      return .written(try connection.run(try add(draft, connection)))
    }
    return try await writeInEditor(
      draft, template: template, invocation, connection, adding: add)
  }

  /// Lets the owner write an entry in the editor, and saves it.
  ///
  /// - Parameter adding: makes the operation, when there is more to it than the draft.
  static func writeInEditor(
    _ draft: EntryDraft, template: String? = nil, _ invocation: Invocation,
    _ connection: KeeperConnection,
    adding: (@MainActor (EntryDraft, KeeperConnection) throws -> AddEntry)? = nil
  ) async throws -> Outcome {
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try UnsavedTextFolder(invocation, connection)
    var draft = draft
    if let template { draft.body = template }
    let given = draft.content
    let hasFiles = !invocation.arguments[Options.attach].isEmpty
    let text: String
    switch try EntryInEditor(given, hasFiles: hasFiles, dates: invocation.dates).edit(
      in: editor, invocation, connection,
      keep: { understood in
        draft.content = understood
        _ = try kept.keep(UnsavedText(adding: draft))
      })
    {
    case .saved(let content, let typed):
      draft.content = content
      text = typed
    case .interrupted(let content, let typed, let signal):
      draft.content = content
      let isUnwritten =
        content.title == given.title
        && (content.body.allSatisfy(\.isWhitespace) || content.body == template)
      return try SavingText.keepInterrupted(
        isUnwritten ? nil : UnsavedText(adding: draft), typed, editor, kept, signal, invocation)
    }
    guard draft.title != nil || !draft.body.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, WritingMessage.nothingWritten)
    }
    if let template, draft.body == template, draft.title == nil {
      throw Failure(.declined, WritingMessage.templateLeft)
    }
    let whole = draft
    let unsaved = UnsavedText(adding: whole)
    return .written(
      try await SavingText.save(typed: text, editor, kept, unsaved, invocation, connection) {
        var request = try adding?(whole, $0) ?? AddEntry(whole)
        request.id = unsaved.id
        return try $0.run(request)
      })
  }
}
