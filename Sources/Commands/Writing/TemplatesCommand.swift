internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `templates`: texts to start from, sealed in the vault.
@MainActor
enum TemplatesCommand {
  static let declaration = Command<Invocation>(
    "templates", Form("list", isDefault: true),
    Form("add", Operand("NAME"), Operand("TEXT", optional: true, repeats: true)),
    Form(
      "edit", Operand("NAME", completion: .template), Operand("TEXT", optional: true, repeats: true)
    ),
    Form("remove", Operand("NAME", completion: .template)),
    summary: CommandHelp.templates,
    options: [Options.editorOnDisk, Options.yes],
    details: CommandHelp.templatesDetails
  ) { invocation in
    let words = invocation.operands
    switch invocation.verb {
    case let verb where verb == "add" || verb == "edit":
      let name = words[0]
      let connection = try await invocation.connection()
      let old = try all(connection).first { SearchQuery.areEqual($0.name, name) }
      if verb == "add", old != nil {
        throw Failure(
          .conflict, WritingMessage.templateExists(name),
          hint: WritingMessage.editTemplate(ShellWords.quoted(name)))
      }
      if verb == "edit", old == nil { throw try unknown(name, connection) }
      let rest = Array(words.dropFirst())
      let body: String
      if rest.isEmpty || rest == ["-"] {
        if Terminal.isTerminal(0), rest.isEmpty {
          return try await editInEditor(name, old?.body, invocation, connection)
        } else {
          let kept = Terminal.isTerminal(0) ? try KeptText(invocation, connection) : nil
          body = StoredText.of(
            try StandardInputText.read(invocation, keeping: kept) { text in
              text.allSatisfy(\.isWhitespace)
                ? nil
                : UnsavedText(template: name, body: text, old: old?.body, at: invocation.dates.now)
            })
          if let kept, !body.allSatisfy(\.isWhitespace) {
            return try await save(name, body, old: old?.body, kept, invocation, connection)
          }
        }
      } else {
        body = rest.joined(separator: " ")
      }
      guard !body.allSatisfy(\.isWhitespace) else {
        throw Failure(.invalid, WritingMessage.templateNeedsText)
      }
      _ = try connection.run(SetTemplate(name, body: body, isNew: verb == "add"))
      return .name(name, WritingMessage.keptTemplate(name))
    case "remove":
      try invocation.requireYes("templates remove")
      let connection = try await invocation.connection()
      _ = try body(words[0], connection)
      try invocation.confirm(WritingMessage.askToRemoveTemplate(words[0]))
      _ = try connection.run(SetTemplate(words[0], body: nil))
      return .name(words[0], WritingMessage.removedTemplate(words[0]))
    default:
      let templates = try all(try await invocation.connection())
      return .array(templates) { json, template in
        json.member("name", template.name)
        json.member("body", template.body)
      } text: { page in
        for template in templates {
          let first = template.body.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
          try page.line(visible(template.name) + "  " + visible(first))
        }
        if templates.isEmpty { page.note(WritingMessage.noTemplates) }
      }
    }
  }

  /// Lets the owner write a template in the editor, and saves it even if the session ends meanwhile.
  private static func editInEditor(
    _ name: String, _ old: String?, _ invocation: Invocation, _ connection: KeeperConnection
  ) async throws -> Outcome {
    let editor = try Editor(invocation, onDisk: invocation.arguments[Options.editorOnDisk])
    let kept = try KeptText(invocation, connection)
    let outcome = try kept.telling {
      try editor.edit(
        old.map { $0 + "\n" } ?? "", orphan: kept.orphan, meanwhile: connection.stayAwake
      ) {
        let body = StoredText.of($0)
        let isUnchanged = body.allSatisfy(\.isWhitespace) || body == old
        let draft = UnsavedText(template: name, body: body, old: old, at: invocation.dates.now)
        return kept.keep(isUnchanged ? nil : draft, typed: $0)
      }
    }
    switch outcome {
    case .saved(let text):
      let body = StoredText.of(text)
      guard !body.allSatisfy(\.isWhitespace) else {
        throw Failure(.invalid, WritingMessage.templateNeedsText)
      }
      return try await save(name, body, old: old, kept, invocation, connection)
    case .interrupted(let signal): return kept.interrupted(by: signal)
    }
  }

  /// Saves what was typed; a text that somebody else changed meanwhile stays, and so does what was typed.
  private static func save(
    _ name: String, _ body: String, old: String?, _ kept: KeptText, _ invocation: Invocation,
    _ connection: KeeperConnection
  ) async throws -> Outcome {
    if kept.draft == nil {
      kept.keep(
        UnsavedText(template: name, body: body, old: old, at: invocation.dates.now), typed: body)
    }
    try await kept.save(connection) {
      _ = try $0.run(SetTemplate(name, body: body, isNew: old == nil, expected: old))
    }
    return .name(name, WritingMessage.keptTemplate(name))
  }

  private static func all(_ connection: KeeperConnection) throws -> [EntryTemplate] {
    return try connection.run(ListTemplates())
  }

  private static func unknown(_ name: String, _ connection: KeeperConnection) throws -> Failure {
    Failure(VaultError(.notFound, .template, name, candidates: try all(connection).map(\.name)))
  }

  /// The text of a template somebody named.
  static func body(_ name: String, _ connection: KeeperConnection) throws -> String {
    guard let found = try all(connection).first(where: { SearchQuery.areEqual($0.name, name) })
    else { throw try unknown(name, connection) }
    return found.body
  }
}

extension Outcome {
  /// What was changed, by name.
  fileprivate static func name(_ name: String, _ done: WritingMessage) -> Outcome {
    .object {
      $0.member("name", name)
    } text: {
      $0.note(done)
    }
  }
}
