internal import CommandLine

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
    guard let word = invocation.operands.first else {
      invocation.startPaging()
      try invocation.output.write(Program.help.overview(invocation.language))
      return .written()
    }
    if let topic = HelpTopic(rawValue: word) {
      invocation.startPaging()
      try invocation.output.write(invocation.text(topic) + "\n")
    } else if let command = Program.commands.first(where: { $0.name == word }) {
      invocation.startPaging()
      try invocation.output.write(Program.help.command(command, invocation.language))
    } else {
      let known = HelpTopic.allCases.map(\.rawValue) + Program.commands.map(\.name)
      throw Failure(
        .usage, UsageMessage.noHelpFor(word),
        hint: Arguments.nearest(word, known).map { UsageMessage.didYouMean($0) }
          ?? UsageMessage.oneOf(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    return .written()
  }
}
