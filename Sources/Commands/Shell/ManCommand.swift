internal import CommandLine

/// `man`: the manual page, from the same declarations as the help.
@MainActor
enum ManCommand {
  static let declaration = Command<Invocation>(
    "man", summary: "the manual; redirected, as a manual page",
    details: "facediary man > ~/.local/share/man/man1/facediary.1"
  ) { invocation in
    guard Terminal.isTerminal(1) else {
      try invocation.output.write(page(invocation.language))
      return 0
    }
    invocation.output.startPaging(invocation.environment)
    var parts = [Program.help.overview(invocation.language)]
    parts += Program.commands.map {
      Program.help.command($0, invocation.language, withGlobal: false)
    }
    parts.append(
      exitCodes(invocation.language).map { "  \($0.0)  \($0.1)" }.joined(separator: "\n") + "\n")
    try invocation.output.write(parts.joined(separator: "\n"))
    return 0
  }

  private static func exitCodes(_ language: Language) -> [(Int, String)] {
    let codes: [(Int, Text)] = [
      (0, "done"), (1, "the system failed (disk full, permission, unreadable)"),
      (2, "the command line is wrong, or a needed --yes is missing"),
      (3, "not authenticated"), (4, "locked out or waiting after too many attempts"),
      (5, "integrity: damaged, tampered with, or rolled back"), (6, "not found"),
      (7, "conflict: exists already, changed meanwhile, ambiguous"), (8, "invalid data"),
      (9, "declined, or the editor failed or left nothing"),
    ]
    return codes.map { ($0.0, $0.1.string(in: language)) }
  }

  /// roff, as man(7) describes it.
  private static func page(_ language: Language) -> String {
    var lines = [
      ".TH FACEDIARY 1 \"\" \"facediary \(Program.version)\"", ".SH NAME",
      escaped(Text("facediary: a diary that only opens for its owner's face").string(in: language))
        .replacing(": ", with: " \\- ", maxReplacements: 1),
      ".SH SYNOPSIS", ".B facediary", ".I COMMAND", "[options]",
    ]
    for (title, commands) in Program.groups {
      lines.append(".SH " + escaped(title.string(in: language)).uppercased())
      for command in commands {
        lines += [".SS facediary \(escaped(command.name + " " + command.usage))"]
        lines.append(escaped(command.summary.string(in: language)))
        if let details = command.details {
          lines += [".PP", ".nf", escaped(details.string(in: language)), ".fi"]
        }
        for option in command.options { lines += entry(option.spec, language) }
      }
    }
    lines.append(".SH OPTIONS")
    for option in Options.global { lines += entry(option.spec, language) }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in exitCodes(language) { lines += [".TP", ".B \(code)", escaped(meaning)] }
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in environment {
      lines += [".TP", ".B \(name)", escaped(meaning.string(in: language))]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let environment: [(String, Text)] = [
    ("FACEDIARY_VAULT", "the vault file"),
    ("FACEDIARY_DEVICE", "the directory of this device's stores"),
    ("FACEDIARY_RUNTIME", "the directory of the session's socket"),
    ("FACEDIARY_CONFIG", "the configuration file"), ("VISUAL, EDITOR", "your editor"),
    ("PAGER", "shows long output on a terminal; empty or cat for none"),
    ("NO_COLOR", "no colours"), ("LC_ALL, LC_MESSAGES, LANG", "the language of texts for people"),
  ]

  private static func entry(_ option: OptionSpec, _ language: Language) -> [String] {
    let names = (option.short.map { $0 + ", " } ?? "") + option.name
    return [
      ".TP", ".B " + escaped(names + (option.value.map { " " + $0 } ?? "")),
      escaped(option.help.string(in: language)),
    ]
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}
