internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `write` and `edit`.
@MainActor
enum WriteCommands {
  private static let fields: [any OptionKey] = [
    Options.title, Options.date, Options.until, Options.journal, Options.kind, Options.tag,
    Options.star, Options.editorOnDisk,
  ]

  static let write = Command<Invocation>(
    "write", Form(Operand("TEXT", optional: true, repeats: true)), summary: CommandHelp.write,
    options: fields + [Options.attach, Options.template, Options.recover],
    details: CommandHelp.writeDetails
  ) { invocation in
    let dates = invocation.dates
    let arguments = invocation.arguments
    if arguments[Options.recover] { return try await UnsavedTextFolder.recover(invocation) }
    let date = arguments[Options.date] ?? dates.now
    var draft = EntryDraft(
      date: date, until: try arguments[Options.until].map { try dates.end($0, from: date) },
      zone: dates.zone.offset(at: date.seconds) == date.offset ? dates.zone.name : nil,
      journal: arguments[Options.journal],
      kind: arguments[Options.kind], title: arguments[Options.title], body: "",
      tags: arguments[Options.tag], starred: arguments[Options.star])
    let files = try arguments[Options.attach].map { ($0, try invocation.input($0, as: .file)) }
    let isTyped = !invocation.operands.isEmpty && invocation.operands != ["-"]
    if isTyped, arguments.has(Options.template) {
      throw Failure(.usage, WritingMessage.templateInEditor)
    }
    // Whoever gives everything on the command line wants no editor.
    let usesEditor =
      invocation.operands.isEmpty && Terminal.isTerminal(0)
      && (files.isEmpty || arguments.has(Options.template))
    if isTyped {
      draft.body = stored(invocation.operands.joined(separator: " "))
    } else if !Terminal.isTerminal(0) || invocation.operands == ["-"] {
      draft.body = stored(try standardInput(invocation))
    }
    let isBlank = draft.body.allSatisfy(\.isWhitespace)
    if isBlank, draft.title == nil, files.isEmpty, !usesEditor, !arguments.has(Options.template) {
      throw Failure(.invalid, WritingMessage.entryNeedsSomething)
    }
    // Open first: nobody should write a page and then be told that the diary stays shut.
    let connection = try await invocation.connection()
    let template = try arguments[Options.template].map {
      try TemplateCommands.body($0, connection)
    }
    @MainActor func add(
      _ draft: EntryDraft, _ connection: KeeperConnection
    ) throws -> AddEntry {
      var whole = draft
      for (path, input) in files {
        try input.rewind()
        whole.attachments.append(
          try AttachCommands.stage(path, input, connection, invocation))
      }
      return AddEntry(whole)
    }
    guard usesEditor else {
      if isBlank, let template { draft.body = template }
      return try answer(invocation, try connection.run(try add(draft, connection)))
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
  ) async throws -> Int32 {
    var draft = draft
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try UnsavedTextFolder(invocation, connection)
    let text: String
    switch try editor.edit(
      template.map { $0 + "\n" } ?? "", meanwhile: connection.stayAwake)
    {
    case .saved(let saved): text = saved
    case .interrupted(let saved, let signal):
      draft.body = stored(saved)
      let isUnwritten = saved.allSatisfy(\.isWhitespace) || stored(saved) == template
      return try keepInterrupted(
        isUnwritten ? nil : UnsavedText(adding: draft), saved, editor, kept, signal, invocation)
    }
    guard draft.title != nil || !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, WritingMessage.nothingWritten)
    }
    if let template, stored(text) == template, draft.title == nil {
      throw Failure(.declined, WritingMessage.templateLeft)
    }
    draft.body = stored(text)
    let whole = draft
    return try answer(
      invocation,
      try await save(
        typed: text, editor, kept, UnsavedText(adding: whole), invocation, connection
      ) { try $0.run(try adding?(whole, $0) ?? AddEntry(whole)) })
  }

  static let edit = Command<Invocation>(
    "edit", Form(.id, Operand("TEXT", optional: true, repeats: true)),
    summary: CommandHelp.edit,
    options: fields + [
      Options.untag, Options.noStar, Options.noTitle, Options.noJournal, Options.noKind,
      Options.noUntil, Options.expectedRevision,
    ],
    details: CommandHelp.editDetails
  ) { invocation in
    let reference = EntryReference(invocation.operands[0])
    let expected = invocation.arguments[Options.expectedRevision]
    let words = Array(invocation.operands.dropFirst())
    var change = try change(invocation)
    if words == ["-"] {
      change.body = stored(try standardInput(invocation))
    } else if !words.isEmpty {
      change.body = stored(words.joined(separator: " "))
    }
    let connection = try await invocation.connection()
    var entry: Entry?
    // A date that moves takes the end's meaning with it, so both need the entry as it is.
    let needsEntry = change.isEmpty || invocation.arguments.has(Options.until)
    if needsEntry {
      _ = try connection.run(ShowEntries([reference])) { entry = $0 }
    }
    if let until = invocation.arguments[Options.until], let entry {
      change.until = .set(try invocation.dates.end(until, from: change.date ?? entry.date))
    }
    guard change.isEmpty, let entry else {
      return try answer(
        invocation, try connection.run(EditEntry(reference, change, expected: expected)))
    }
    guard Terminal.isTerminal(0) else {
      throw Failure(
        .usage, WritingMessage.nothingToChange)
    }
    return try await editInEditor(entry, change, expected: expected, invocation, connection)
  }

  /// Lets the owner change an entry's text in the editor, and saves it.
  static func editInEditor(
    _ entry: Entry, _ change: EntryChange, expected: UInt64?, _ invocation: Invocation,
    _ connection: KeeperConnection
  ) async throws -> Int32 {
    var change = change
    let old = entry.body ?? ""
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try UnsavedTextFolder(invocation, connection)
    let text: String
    switch try editor.edit(old + "\n", meanwhile: connection.stayAwake) {
    case .saved(let saved): text = saved
    case .interrupted(let saved, let signal):
      change.body = stored(saved)
      let isUnchanged = saved.allSatisfy(\.isWhitespace) || stored(saved) == old
      let draft = UnsavedText(change, of: entry, expected: expected ?? entry.revision)
      return try keepInterrupted(
        isUnchanged ? nil : draft, saved, editor, kept, signal, invocation)
    }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, WritingMessage.nothingLeft)
    }
    guard stored(text) != old else {
      invocation.note(WritingMessage.unchanged)
      return try answer(
        invocation, Written(id: entry.id, revision: entry.revision))
    }
    change.body = stored(text)
    let request = EditEntry(
      .id(entry.id), change, expected: expected ?? entry.revision)
    return try answer(
      invocation,
      try await save(
        typed: text, editor, kept,
        UnsavedText(change, of: entry, expected: expected ?? entry.revision), invocation, connection
      ) { try $0.run(request) })
  }

  /// Saves what was typed, whatever happened to the session meanwhile.
  ///
  /// Before anybody is asked anything the text is kept sealed: a Ctrl-C at the prompt must not be its end. What
  /// cannot even be kept so stays in memory; either way it is said where.
  private static func save(
    typed text: String, _ editor: Editor, _ kept: UnsavedTextFolder, _ draft: UnsavedText,
    _ invocation: Invocation, _ connection: KeeperConnection,
    _ save: @MainActor (KeeperConnection) throws -> Written
  ) async throws -> Written {
    do {
      return try save(connection)
    } catch {
      let file: String
      do {
        file = try kept.keep(draft)
      } catch {
        let path = try editor.keep(text)
        Output.say(
          invocation.text(
            WritingMessage.keptAt(path)
          ))
        throw error
      }
      guard case SessionError.gone = error else {
        Output.say(
          invocation.text(
            WritingMessage.keptSealed))
        throw error
      }
      Output.say(
        invocation.text(
          WritingMessage.sessionEndedMeanwhile))
      do {
        let reply = try await saveAgain(invocation, save)
        kept.remove(file)
        return reply
      } catch {
        Output.say(
          invocation.text(
            WritingMessage.keptSealed))
        throw error
      }
    }
  }

  /// The terminal went away while the editor was open: what was saved in it is kept sealed, and we end as the signal
  /// asked.
  private static func keepInterrupted(
    _ draft: UnsavedText?, _ text: String, _ editor: Editor, _ kept: UnsavedTextFolder,
    _ signal: Int32,
    _ invocation: Invocation
  ) throws -> Int32 {
    if let draft {
      do {
        _ = try kept.keep(draft)
        Output.say(
          invocation.text(
            WritingMessage.keptSealed))
      } catch {
        _ = try editor.keep(text)
        throw error
      }
    }
    return 128 + signal
  }

  /// The owner authenticates again.
  private static func saveAgain(
    _ invocation: Invocation, _ save: @MainActor (KeeperConnection) throws -> Written
  ) async throws -> Written {
    for _ in 0..<3 {
      do {
        let connection = try await invocation.connection()
        return try save(connection)
      } catch let error where Failure(error).code == .wrongSecret {
        Output.say(invocation.text(Failure(error).message))
      } catch SessionError.gone {
        continue
      }
    }
    let connection = try await invocation.connection()
    return try save(connection)
  }

  private static func change(_ invocation: Invocation) throws -> EntryChange {
    let arguments = invocation.arguments
    var change = EntryChange()
    change.date = arguments[Options.date]
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
    change.title = try field(Options.title, Options.noTitle)
    change.journal = try field(Options.journal, Options.noJournal)
    change.kind = try field(Options.kind, Options.noKind)
    if arguments[Options.noUntil] { change.until = .clear }
    change.addTags = arguments[Options.tag]
    change.removeTags = arguments[Options.untag]
    if arguments[Options.star], arguments[Options.noStar] {
      throw Failure(.usage, UsageMessage.starsContradict)
    }
    if arguments[Options.star] { change.starred = true }
    if arguments[Options.noStar] { change.starred = false }
    return change
  }

  /// Byte for byte, less one trailing newline.
  nonisolated static func stored(_ text: String) -> String {
    text.utf8.last == 0x0a ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
  }

  static func standardInput(_ invocation: Invocation) throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try invocation.read("-", as: .entryText, limit: EntryDraft.bodyLimit + 1)
    } catch let error as InputTooLarge {
      throw Failure(
        .invalid, WritingMessage.textTooLong(error.limit - 1), hint: WritingMessage.attachAsFile)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, WritingMessage.inputNotText)
    }
    return text
  }

  /// Answers what was written: its id, or `said` with the id's beginning in it.
  static func answer(
    _ invocation: Invocation, _ written: Written, said: ((String) -> any Message)? = nil
  ) throws -> Int32 {
    // There the timeline shows what came of it.
    if invocation.command == "browse" { return 0 }
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("id", written.id.description)
        json.member("revision", Int(written.revision))
        json.endObject()
      }
    } else if let said {
      invocation.note(said(written.id.short))
    } else {
      try invocation.output.line(Terminal.isTerminal(1) ? written.id.short : written.id.description)
    }
    return 0
  }
}
