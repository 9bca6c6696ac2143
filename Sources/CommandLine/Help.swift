/// What the help says of itself.
package enum HelpPhrase: Sendable {
  /// - Parameter command: a command with its words, or what stands for one.
  case usage(program: String, command: String)
  case usageOfProgram(String)
  /// What stands for any of the options.
  case anyOption
  case options, optionsOfEveryCommand, optionsOfEveryCommandTitle
  case moreAboutEach(program: String)
}

/// The help of a program, from the same declarations as its parser.
package struct Help<Context>: Sendable {
  package let headline: any Message
  package let program: String
  package let groups: [(title: any Message, commands: [Command<Context>])]
  package let global: [any OptionKey]
  /// Options that are given without a command.
  private let alone: [any OptionKey]
  private let say: @Sendable (HelpPhrase, Language) -> String

  package init(
    _ program: String, headline: any Message,
    groups: [(title: any Message, commands: [Command<Context>])], global: [any OptionKey],
    alone: [any OptionKey],
    say: @escaping @Sendable (HelpPhrase, Language) -> String
  ) {
    self.say = say
    self.alone = alone
    self.program = program
    self.headline = headline
    self.groups = groups
    self.global = global
  }

  /// All commands, a line each.
  package func overview(_ language: Language) -> String {
    var lines = [
      headline.text(in: language), "",
      say(.usageOfProgram(program), language), "",
    ]
    for (title, commands) in groups {
      lines.append(title.text(in: language))
      for command in commands {
        lines.append(
          row(command.name + " " + command.usage, command.summary.text(in: language), at: 38))
      }
      lines.append("")
    }
    lines.append(say(.optionsOfEveryCommandTitle, language))
    lines += (global + alone).map { option($0.spec, language) }
    lines += [
      "",
      say(.moreAboutEach(program: program), language),
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// One command.
  package func command(
    _ command: Command<Context>, _ language: Language, withGlobal: Bool = true
  ) -> String {
    var lines = [
      "\(program) \(command.name): " + command.summary.text(in: language), "",
    ]
    lines += usage(command, language)
    if let details = command.details { lines += ["", details.text(in: language)] }
    if !command.options.isEmpty {
      lines += ["", say(.options, language)]
      lines += command.options.map { option($0.spec, language) }
    }
    guard withGlobal else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", say(.optionsOfEveryCommand, language)]
    lines += global.map { option($0.spec, language) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The forms of a command below one another.
  private func usage(_ command: Command<Context>, _ language: Language) -> [String] {
    let forms = command.forms.map { form in
      let words = [
        command.name, form.usage, command.options.isEmpty ? "" : say(.anyOption, language),
      ]
      return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
    let first = say(.usage(program: program, command: forms[0]), language)
    let margin = String(
      repeating: " ", count: max(0, width(first) - width(program + " " + forms[0])))
    return [first] + forms.dropFirst().map { margin + program + " " + $0 }
  }

  private func option(_ option: OptionSpec, _ language: Language) -> String {
    let names = (option.short.map { $0 + ", " } ?? "") + option.name
    return row(
      names + (option.value.map { " " + $0 } ?? "") + (option.repeats ? " …" : ""),
      option.help.text(in: language), at: 30)
  }

  private func row(_ left: String, _ right: String, at column: Int) -> String {
    let left = "  " + (left.last == " " ? String(left.dropLast()) : left)
    return width(left) + 1 < column
      ? padRight(left, column) + right
      : left + "\n" + String(repeating: " ", count: column) + right
  }
}
