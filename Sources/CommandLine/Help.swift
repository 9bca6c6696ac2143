/// The help of a program, from the same declarations as its parser.
package struct Help<Context>: Sendable {
  package let headline: Text
  package let program: String
  package let groups: [(title: Text, commands: [Command<Context>])]
  package let global: [any OptionKey]

  package init(
    _ program: String, headline: Text, groups: [(title: Text, commands: [Command<Context>])],
    global: [any OptionKey]
  ) {
    self.program = program
    self.headline = headline
    self.groups = groups
    self.global = global
  }

  /// All commands, a line each.
  package func overview(_ language: Language) -> String {
    var lines = [
      headline.string(in: language), "",
      Text("usage: \(program) COMMAND [options]").string(in: language), "",
    ]
    for (title, commands) in groups {
      lines.append(title.string(in: language))
      for command in commands {
        lines.append(
          row(command.name + " " + command.usage, command.summary.string(in: language), at: 38))
      }
      lines.append("")
    }
    lines.append(Text("Options of every command:").string(in: language))
    lines += global.map { option($0.spec, language) }
    lines += [
      row("--version", Text("show the version").string(in: language), at: 30), "",
      Text("\(program) COMMAND --help says more about each.").string(in: language),
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// One command.
  package func command(
    _ command: Command<Context>, _ language: Language, withGlobal: Bool = true
  ) -> String {
    let usage = command.usage.isEmpty ? command.name : command.name + " " + command.usage
    var lines = [
      "\(program) \(command.name): " + command.summary.string(in: language), "",
      Text("usage: \(program) \(usage)").string(in: language),
    ]
    if let details = command.details { lines += ["", details.string(in: language)] }
    if !command.options.isEmpty {
      lines += ["", Text("options:").string(in: language)]
      lines += command.options.map { option($0.spec, language) }
    }
    guard withGlobal else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", Text("options of every command:").string(in: language)]
    lines += global.map { option($0.spec, language) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func option(_ option: OptionSpec, _ language: Language) -> String {
    let names = (option.short.map { $0 + ", " } ?? "") + option.name
    return row(
      names + (option.value.map { " " + $0 } ?? "") + (option.repeats ? " …" : ""),
      option.help.string(in: language), at: 30)
  }

  private func row(_ left: String, _ right: String, at column: Int) -> String {
    let left = "  " + (left.last == " " ? String(left.dropLast()) : left)
    return width(left) + 1 < column
      ? padRight(left, column) + right
      : left + "\n" + String(repeating: " ", count: column) + right
  }
}
