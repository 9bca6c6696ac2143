internal import CommandLine
internal import Dates
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `device`: where the device key is kept.
@MainActor
enum DeviceCommand {
  static let declaration = Command<Invocation>(
    "device", Form("show", isDefault: true), Form("move"), Form("reset"),
    summary: CommandHelp.device,
    options: [Options.helper, Options.backToFile],
    details: CommandHelp.deviceDetails
  ) { invocation in
    let helper = invocation.arguments[Options.helper]
    switch invocation.verb {
    case "move":
      guard (helper != nil) != invocation.arguments[Options.backToFile] else {
        throw Failure(
          .usage, UsageMessage.usage("device move --helper 'CMD …' | --file"),
          hint: UsageMessage.seeHelpOf("device"))
      }
      let words = try helper.map { try ChildProcess.resolved(try ChildProcess.split($0)) }
      _ = try invocation.owner { $0.startsHelper = true }.run(MoveDeviceKey(to: words))
      return try outcome(
        invocation, words == nil ? KeepingMessage.deviceKeyInFile : .deviceKeyByHelper)
    case "reset":
      _ = try invocation.owner {
        $0.resetsDevice = true
        $0.startsHelper = true
      }
      return try outcome(invocation, KeepingMessage.deviceBegunAnew)
    default:
      try invocation.requireVault()
      return try outcome(invocation)
    }
  }

  /// Where the key is kept; people hear only what was done, when something was.
  private static func outcome(
    _ invocation: Invocation, _ done: KeepingMessage? = nil
  ) throws -> Outcome {
    // A helper is not asked again for what it was just given.
    let standing = done == nil ? try invocation.look(AskStanding()) : nil
    let facts = try standing?.vault ?? invocation.vaultFacts()
    let (path, command) = (facts.directory, try facts.helper())
    let known = standing.map { $0.device == .known } ?? true
    return .object { json in
      json.member("path", path)
      json.member("key", command == nil ? "file" : "helper")
      json.key("command")
      if let command { json.value(command) } else { json.null() }
      json.member("known", known)
    } text: { page in
      if let done { return page.note(done) }
      try page.line(KeepingMessage.deviceStore(path))
      try page.line(
        command.map { KeepingMessage.keptBy($0.joined(separator: " ")) } ?? .keptInFile)
      if !known { page.note(KeepingMessage.deviceKeyMissing) }
    }
  }
}
