internal import CommandLine
internal import FaceDiary
internal import JSONText

/// `accept-rollback`.
@MainActor
enum AcceptRollbackCommand {
  static let declaration = Command<Invocation>(
    "accept-rollback", summary: CommandHelp.acceptRollback,
    details: CommandHelp.acceptRollbackDetails
  ) { invocation in
    _ = try invocation.owner()
    invocation.endKeepers()
    return .object {
      $0.member("state", await invocation.state().rawValue)
    } text: {
      $0.note(KeepingMessage.acceptedRollback)
    }
  }
}
