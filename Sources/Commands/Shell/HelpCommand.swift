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
        completion: .words(HelpTopic.allCases.map(\.rawValue)))),
    summary: CommandHelp.help, details: CommandHelp.helpDetails
  ) { invocation in
    let text = try text(
      about: invocation.operands.first, in: invocation.list, invocation.language)
    invocation.startPaging()
    try invocation.output.write(text)
    return .written()
  }

  private static func text(
    about word: String?, in list: CommandList, _ language: Language
  ) throws -> String {
    guard let word else { return list.help.overview(language) }
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
