internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// `help`: a command, a topic, or all of them.
@MainActor
enum HelpCommand {
  static let declaration = Command<Invocation>(
    "help",
    Form(
      Operand(
        "TOPIC", optional: true,
        completion: .words(HelpTopic.allCases.map(\.rawValue))),
      Operand("SUBCOMMAND", optional: true)),
    summary: CommandHelp.help, details: CommandHelp.helpDetails
  ) { invocation in
    let text = try text(
      about: invocation.operands, in: invocation.list, invocation.language)
    try show(text, invocation)
    return .written()
  }

  /// Writes a help text as wide as the terminal; what programs read stays as it is.
  static func show(_ text: String, _ invocation: Invocation) throws {
    let fitted = Terminal.isTerminal(1) ? wrapped(text, to: Terminal.width) : text
    invocation.startPaging()
    try invocation.output.write(fitted)
  }

  private static func text(
    about words: [String], in list: CommandList, _ language: Language
  ) throws -> String {
    guard let word = words.first else { return list.help.overview(language) }
    // A subcommand is described with its command.
    if words.count > 1 {
      guard let command = list[word], !command.verbs.isEmpty else {
        throw Failure(.usage, UsageMessage.noHelpFor(words.joined(separator: " ")))
      }
      _ = try command.form(of: words[1])
      return list.help.command(command, language)
    }
    if let topic = HelpTopic(rawValue: word) { return topic.text(in: language) + "\n" }
    if let command = list[word] {
      return list.help.command(command, language)
    }
    let topics = HelpTopic.allCases.map(\.rawValue)
    throw Failure(
      .usage, UsageMessage.noHelpFor(word),
      hint: Arguments.nearest(word, topics + list.commands.map(\.name)).map {
        UsageMessage.didYouMean($0)
      } ?? UsageMessage.oneOf(topics.joined(separator: ", ")))
  }
}
