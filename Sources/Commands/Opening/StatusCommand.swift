internal import CommandLine
internal import Dates
internal import Formats
internal import Words

/// `status`: shows the diary's state, without opening it.
@MainActor
enum StatusCommand {
  static let declaration = Command<Invocation>("status", summary: CommandHelp.status) {
    let status = Status($0)
    return .object(status.write) { try status.show(on: $0) }
  }
}
