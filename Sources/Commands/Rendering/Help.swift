/// The help, from the same declarations as the parser.
@MainActor
enum Help {
  nonisolated static let version = "0.1.0"

  static func overview(_ language: Language) -> String {
    var lines = [
      Text("facediary: a diary that only opens for its owner's face").string(in: language), "",
      Text("usage: facediary COMMAND [options]").string(in: language), "",
    ]
    for (title, commands) in Program.groups {
      lines.append(title.string(in: language))
      for command in commands {
        lines.append(
          row(command.name + " " + command.operands, command.summary.string(in: language), at: 38))
      }
      lines.append("")
    }
    lines.append(Text("Options of every command:").string(in: language))
    lines += Option.global.map { option($0, language) }
    lines += [
      row("--version", Text("show the version").string(in: language), at: 30), "",
      Text("facediary COMMAND --help says more about each.").string(in: language),
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  static func command(
    _ command: Declaration, _ language: Language, withGlobal: Bool = true
  ) -> String {
    var lines = [
      "facediary \(command.name): " + command.summary.string(in: language), "",
      Text("usage: facediary \((command.name + " " + command.operands).trimmed)").string(
        in: language),
    ]
    if let details = command.details { lines += ["", details.string(in: language)] }
    if !command.options.isEmpty {
      lines += ["", Text("options:").string(in: language)]
      lines += command.options.map { option($0, language) }
    }
    guard withGlobal else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", Text("options of every command:").string(in: language)]
    lines += Option.global.map { option($0, language) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func option(_ option: Option, _ language: Language) -> String {
    let names = (option.short.map { $0 + ", " } ?? "") + option.name
    return row(
      names + (option.value.map { " " + $0 } ?? "") + (option.repeats ? " …" : ""),
      option.help.string(in: language), at: 30)
  }

  private static func row(_ left: String, _ right: String, at column: Int) -> String {
    let left = "  " + left.trimmed
    return width(left) + 1 < column
      ? padRight(left, column) + right
      : left + "\n" + String(repeating: " ", count: column) + right
  }
}
