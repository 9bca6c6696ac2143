internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// `status`: how things stand; asks nothing.
@MainActor
enum StatusCommand {
  static let declaration = Command<Invocation>("status", summary: CommandHelp.status) {
    let status = Status($0)
    return .object(status.write) { try status.show(on: $0) }
  }
}
