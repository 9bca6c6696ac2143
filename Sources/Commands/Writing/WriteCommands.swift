internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `write` and `edit`.
@MainActor
enum WriteCommands {
  private static let fields = [
    Option("--title", value: "T", "a title"),
    Option("--date", value: "DATE", "when it was: 2026-03-01, 2026-03-01T09:30, yesterday, …"),
    Option("--until", value: "D", "when it ended: +90m, 18:30 or a date"),
    Option("--journal", value: "J", "the journal it belongs to"),
    Option("--kind", value: "K", "what kind it is, by name or emoji"),
    Option("--tag", value: "T", repeats: true, "a tag; several are several"),
    Option("--star", "star it"),
    Option("--editor-on-disk", "let the editor's file be on a disk"),
  ]

  static let write = Declaration(
    "write", "[TEXT…]", "write an entry", options: fields,
    details: """
      The words given are the entry; without any, standard input is when it is not a terminal, else
      your editor opens ($VISUAL, $EDITOR). Words on the command line reach your shell's history and,
      while the command runs, every process list: what should not be there is better typed in the
      editor or piped in.
      """
  ) { invocation in
    let dates = invocation.dates
    let arguments = invocation.arguments
    let date = try arguments.value("--date").map(dates.instant) ?? dates.now
    var draft = EntryDraft(
      date: date, until: try arguments.value("--until").map { try dates.end($0, from: date) },
      zone: dates.zone.name, journal: arguments.value("--journal"),
      kind: arguments.value("--kind"), title: arguments.value("--title"), body: "",
      tags: arguments.all("--tag"), starred: arguments.has("--star"))
    // Open first: nobody should write a page and then be told that the diary stays shut.
    let usesEditor = invocation.operands.isEmpty && Terminal.isTerminal(0)
    if invocation.operands.isEmpty || invocation.operands == ["-"] {
      if !usesEditor { draft.body = stored(try standardInput(invocation)) }
    } else {
      draft.body = stored(invocation.operands.joined(separator: " "))
    }
    if draft.body.allSatisfy(\.isWhitespace), draft.title == nil, !usesEditor {
      throw Failure(.invalid, "an entry needs a text or a title")
    }
    let connection = try await invocation.connection()
    guard usesEditor else { return try answer(invocation, try connection.run(.add(draft))) }
    let editor = try Editor(invocation, onDisk: arguments.has("--editor-on-disk"))
    let text = try editor.edit("")
    guard draft.title != nil || !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, "nothing was written, so nothing was kept")
    }
    draft.body = stored(text)
    return try answer(
      invocation, try await save(.add(draft), typed: text, editor, invocation))
  }

  static let edit = Declaration(
    "edit", "ID [TEXT…]", "change an entry; the older text stays in its history",
    options: fields + [
      Option("--untag", value: "T", repeats: true, "take a tag away"),
      Option("--no-star", "unstar it"),
      Option("--no-title", "take the title away"),
      Option("--no-journal", "take it out of its journal"),
      Option("--no-kind", "take its kind away"),
      Option("--no-until", "take its end away"),
      Option("--revision", value: "N", "refuse when N is not the newest revision"),
    ],
    details: """
      With options only, the text stays as it is. TEXT is the new text; - reads it from standard
      input. With neither, your editor opens.
      """
  ) { invocation in
    guard let id = invocation.operands.first else {
      throw Failure(.usage, "usage: facediary edit ID [TEXT…]", hint: "facediary edit --help")
    }
    let reference = EntryReference(id)
    var expected: UInt64?
    if let text = invocation.arguments.value("--revision") {
      guard let number = UInt64(text), number > 0 else {
        throw Failure(.usage, "--revision wants a number from 1, not \(text)")
      }
      expected = number
    }
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
    let needsEntry = change.isEmpty || invocation.arguments.has("--until")
    if needsEntry {
      _ = try connection.run(.show([reference], revision: nil, trash: false)) { entry = $0 }
    }
    if let until = invocation.arguments.value("--until"), let entry {
      change.until = .set(try invocation.dates.end(until, from: change.date ?? entry.date))
    }
    guard change.isEmpty, let entry else {
      return try answer(
        invocation, try connection.run(.edit(reference, change, expected: expected)))
    }
    guard Terminal.isTerminal(0) else {
      throw Failure(
        .usage, "nothing to change: give a text, an option, or - for standard input")
    }
    let old = entry.body ?? ""
    let editor = try Editor(invocation, onDisk: invocation.arguments.has("--editor-on-disk"))
    let text = try editor.edit(old + "\n")
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.declined, "nothing was left, so nothing was changed")
    }
    guard stored(text) != old else {
      invocation.note("the text is as it was; nothing was changed")
      return try answer(
        invocation, .written(id: entry.id.description, revision: entry.revision))
    }
    change.body = stored(text)
    let operation = Operation.edit(
      .prefix(entry.id.description), change, expected: expected ?? entry.revision)
    return try answer(
      invocation, try await save(operation, typed: text, editor, invocation))
  }

  /// Saves what was typed; when that cannot be, keeps it where it was and says where.
  private static func save(
    _ operation: Operation, typed text: String, _ editor: Editor, _ invocation: Invocation
  ) async throws -> Reply {
    do {
      return try await save(operation, invocation)
    } catch {
      let path = try editor.keep(text)
      Output.say(
        invocation.text(
          "your text was not saved; it is kept at \(path) (in memory: gone when the machine restarts)"
        ))
      throw error
    }
  }

  /// When the session has ended meanwhile, the owner authenticates again.
  private static func save(_ operation: Operation, _ invocation: Invocation) async throws -> Reply {
    for _ in 0..<3 {
      do {
        return try await invocation.connection().run(operation)
      } catch let error as VaultError where error.code == .wrongSecret {
        Output.say(invocation.text(Failure(error).message))
      } catch SessionError.gone {
        continue
      }
    }
    return try await invocation.connection().run(operation)
  }

  private static func change(_ invocation: Invocation) throws -> EntryChange {
    let arguments = invocation.arguments
    var change = EntryChange()
    change.date = try arguments.value("--date").map(invocation.dates.instant)
    func field(_ name: String) throws -> Change<String> {
      if arguments.has("--no-\(name)") {
        if arguments.has("--\(name)") {
          throw Failure(.usage, "--\(name) and --no-\(name) contradict one another")
        }
        return .clear
      }
      return arguments.value("--\(name)").map { .set($0) } ?? .keep
    }
    change.title = try field("title")
    change.journal = try field("journal")
    change.kind = try field("kind")
    if arguments.has("--no-until") { change.until = .clear }
    change.addTags = arguments.all("--tag")
    change.removeTags = arguments.all("--untag")
    if arguments.has("--star"), arguments.has("--no-star") {
      throw Failure(.usage, "--star and --no-star contradict one another")
    }
    if arguments.has("--star") { change.starred = true }
    if arguments.has("--no-star") { change.starred = false }
    return change
  }

  /// Byte for byte, less one trailing newline.
  static func stored(_ text: String) -> String {
    text.utf8.last == 0x0a ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
  }

  private static func standardInput(_ invocation: Invocation) throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try invocation.read("-", as: "the entry's text", limit: EntryDraft.bodyLimit + 1)
    } catch let error as InputTooLarge {
      throw Failure(
        .invalid, "the text is longer than \(error.limit - 1) bytes", hint: "attach it as a file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, "standard input is not UTF-8 text")
    }
    return text
  }

  private static func answer(_ invocation: Invocation, _ reply: Reply) throws -> Int32 {
    guard case .written(let id, let revision) = reply else {
      throw Failure(.system, "unexpected answer")
    }
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("id", id)
        json.member("revision", Int(revision))
        json.endObject()
      }
    } else {
      try invocation.output.line(Terminal.isTerminal(1) ? String(id.prefix(8)) : id)
    }
    return 0
  }
}
