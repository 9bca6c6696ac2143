internal import CommandLine

/// `status`: how things stand; asks nothing.
@MainActor
enum StatusCommand {
  static let declaration = Command<Invocation>("status", summary: CommandHelp.status) {
    let status = Status($0)
    return .object(status.write) { try status.show(on: $0) }
  }
}
