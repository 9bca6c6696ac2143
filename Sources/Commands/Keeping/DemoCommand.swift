internal import CommandLine
internal import Dates
internal import Formats
internal import Requests
internal import Words

/// `demo`: the whole story on sample vectors, in a temporary place, with the real parts.
@MainActor
enum DemoCommand {
  static let declaration = Command<Invocation>(
    "demo", summary: CommandHelp.demo,
    options: [Options.faces, Options.demoWindow]
  ) { invocation in
    // It opens a diary in its own process, as an app does: the commands cannot.
    guard let side = invocation.keeperSide else { throw SessionError.foreign }
    return try await side.demo(invocation)
  }
}
