internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// All the commands there are, as the program runs them and as help, completion and the manual page show them.
@MainActor
struct CommandList {
  nonisolated static let version = "0.1.0"

  /// A command's name, and what it is: made when it is asked for, so that one command does not make all others.
  struct Listed {
    let name: String
    let declaration: @MainActor () -> Command<Invocation>

    init(
      _ name: String, _ declaration: @autoclosure @escaping @MainActor () -> Command<Invocation>
    ) {
      self.name = name
      self.declaration = declaration
    }
  }

  let listed: [(title: any Message, commands: [Listed])]

  init(_ listed: [(title: any Message, commands: [Listed])]) { self.listed = listed }

  var groups: [(title: any Message, commands: [Command<Invocation>])] {
    listed.map { ($0.title, $0.commands.map { $0.declaration() }) }
  }

  var names: [String] { listed.flatMap { $0.commands.map(\.name) } }
  var commands: [Command<Invocation>] { groups.flatMap(\.commands) }

  var help: Help<Invocation> {
    Help(
      "facediary", headline: CommandHelp.headline, groups: groups, global: Options.global,
      alone: [Options.version], say: { $1.phrasebook.text($0) })
  }

  subscript(name: String) -> Command<Invocation>? {
    for group in listed {
      if let found = group.commands.first(where: { $0.name == name }) { return found.declaration() }
    }
    return nil
  }
}
