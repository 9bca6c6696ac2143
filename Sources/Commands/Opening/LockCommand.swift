internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Formats
internal import JSONText
internal import Words

/// `lock`: closes the diary, whichever process has it open.
@MainActor
enum LockCommand {
  static let declaration = Command<Invocation>(
    "lock", summary: CommandHelp.lock, options: [Options.allSessions]
  ) { invocation in
    // First of all it is closed: what lies in memory may take long to remove.
    defer { MemoryDirectory.sweep(invocation.environment) }
    if invocation.arguments[Options.allSessions] {
      try Locking.lockAll(
        invocation.location,
        isApart: !invocation.environment["FACEDIARY_RUNTIME", default: ""].isEmpty)
    } else {
      try Locking.lock(invocation.location)
    }
    return .object {
      $0.member("state", invocation.state().rawValue)
    } text: {
      $0.note(OpeningMessage.closed)
    }
  }
}
