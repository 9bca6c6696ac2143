internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// All the commands there are, as the program runs them and as help, completion and the manual page show them.
@MainActor
struct CommandList {
  nonisolated static let version = "0.1.0"

  let groups: [(title: any Message, commands: [Command<Invocation>])]

  var commands: [Command<Invocation>] { groups.flatMap(\.commands) }

  var help: Help<Invocation> {
    Help(
      "facediary", headline: CommandHelp.headline, groups: groups, global: Options.global,
      alone: [Options.version], say: { $1.phrasebook.text($0) })
  }

  subscript(name: String) -> Command<Invocation>? { commands.first { $0.name == name } }
}
