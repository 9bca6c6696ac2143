internal import Authentication
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
    if invocation.isJSON {
      let model = AuthenticationModel(service: KeeperService(Keeper(at: invocation.location)))
      await model.checkInitialState()
      try invocation.json { json in
        json.beginObject()
        json.member("state", model.state.rawValue)
        json.endObject()
      }
    } else {
      invocation.note(KeepingMessage.acceptedRollback)
    }
    return 0
  }
}
