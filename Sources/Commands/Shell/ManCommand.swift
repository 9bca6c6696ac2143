internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// `man`: the manual page, from the same declarations as the help.
@MainActor
enum ManCommand {
  static let declaration = Command<Invocation>(
    "man", summary: CommandHelp.man,
    details: CommandHelp.manDetails
  ) { invocation in
    guard Terminal.isTerminal(1) else {
      try invocation.output.write(page(of: invocation.list, invocation.language))
      return .written()
    }
    invocation.output.startPaging(invocation.environment)
    let list = invocation.list
    var parts = [list.help.overview(invocation.language)]
    parts += list.commands.map {
      list.help.command($0, invocation.language, withGlobal: false)
    }
    parts += HelpTopic.allCases.map { $0.text(in: invocation.language) + "\n" }
    parts.append(
      exitCodes(invocation.language).map { "  \($0.0)  \($0.1)" }.joined(separator: "\n") + "\n")
    try invocation.output.write(parts.joined(separator: "\n"))
    return .written()
  }

  private static func exitCodes(_ language: Language) -> [(Int, String)] {
    let codes: [(Int, any Message)] = [
      (0, ManualText.done), (1, ManualText.systemFailed),
      (2, ManualText.usageWrong),
      (3, ManualText.notAuthenticated), (4, ManualText.lockedOut),
      (5, ManualText.integrity), (6, ManualText.notFound),
      (7, ManualText.conflict), (8, ManualText.invalid),
      (9, ManualText.declined),
    ]
    return codes.map { ($0.0, $0.1.text(in: language)) }
  }

  /// roff, as man(7) describes it.
  private static func page(of list: CommandList, _ language: Language) -> String {
    var lines = [
      ".TH FACEDIARY 1 \"\" \"facediary \(CommandList.version)\"", ".SH NAME",
      escaped(CommandHelp.headline.text(in: language))
        .replacing(": ", with: " \\- ", maxReplacements: 1),
      ".SH SYNOPSIS", ".B facediary", ".I COMMAND", "[options]",
    ]
    for (title, commands) in list.groups {
      lines.append(".SH " + escaped(title.text(in: language)).uppercased())
      for command in commands {
        lines += [".SS facediary \(escaped(command.name + " " + command.usage))"]
        lines.append(escaped(command.summary.text(in: language)))
        if let details = command.details {
          lines += [".PP", ".nf", fitted(details.text(in: language)), ".fi"]
        }
        for option in command.options { lines += entry(option.spec, language) }
      }
    }
    lines.append(".SH OPTIONS")
    for option in Options.global { lines += entry(option.spec, language) }
    for topic in HelpTopic.allCases {
      let text = topic.text(in: language)
      let end = text.firstIndex(of: "\n") ?? text.endIndex
      lines += [
        ".SH " + escaped(String(text[..<end])).uppercased(), ".nf",
        fitted(String(text[end...]).trimmedLines), ".fi",
      ]
    }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in exitCodes(language) { lines += [".TP", ".B \(code)", escaped(meaning)] }
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in environment {
      lines += [".TP", ".B \(name)", escaped(meaning.text(in: language))]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let environment: [(String, any Message)] = [
    ("FACEDIARY_VAULT", OptionHelp.vault),
    ("FACEDIARY_DEVICE", OptionHelp.device),
    ("FACEDIARY_RUNTIME", ManualText.runtimeDirectory),
    ("FACEDIARY_CONFIG", ManualText.configurationFile), ("VISUAL, EDITOR", ManualText.editor),
    ("PAGER", ManualText.pager),
    ("NO_COLOR", ManualText.noColors), ("LC_ALL, LC_MESSAGES, LANG", OptionHelp.language),
  ]

  private static func entry(_ option: OptionSpec, _ language: Language) -> [String] {
    let names = (option.short.map { $0 + ", " } ?? "") + option.name
    return [
      ".TP", ".B " + escaped(names + (option.value.map { " " + $0 } ?? "")),
      escaped(option.help.text(in: language)),
    ]
  }

  /// Columns that `man` leaves of 80.
  private static let columns = 72

  /// A text whose lines stay as they are, since there are tables among them.
  private static func fitted(_ text: String) -> String { escaped(wrapped(text, to: columns)) }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
