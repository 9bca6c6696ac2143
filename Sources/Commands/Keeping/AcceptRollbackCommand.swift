internal import Authentication
internal import CommandLine
internal import FaceDiary
internal import JSONText

/// `accept-rollback`.
@MainActor
enum AcceptRollbackCommand {
  static let declaration = Command<Invocation>(
    "accept-rollback", summary: "go on from an older copy that you put back on purpose",
    details: "Asks for the passphrase or the recovery code. What the newer copy held stays there."
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
      invocation.note("accepted; the diary goes on from this copy")
    }
    return 0
  }
}
