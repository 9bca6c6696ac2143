internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Platform
internal import Requests
internal import Words

/// `browse`: the diary as a full-screen timeline.
@MainActor
enum BrowseCommand {
  static let declaration = Command<Invocation>(
    "browse", summary: CommandHelp.browse,
    details: CommandHelp.browseDetails
  ) { invocation in
    guard Terminal.isTerminal(0), Terminal.isTerminal(1), !invocation.isJSON,
      invocation.environment["TERM"] != "dumb"
    else {
      throw Failure(.usage, ReadingMessage.browseNeedsTerminal, hint: Verbatim("facediary list"))
    }
    let connection = try await invocation.connection()
    let browser = try Browser(invocation, connection)
    try await browser.run()
    return .written()
  }
}
