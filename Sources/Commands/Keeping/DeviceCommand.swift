internal import Access
internal import CommandLine
internal import Dates
internal import Entries
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
    options: [Options.helper, Options.chip, Options.pin, Options.newPINFile, Options.backToFile],
    details: CommandHelp.deviceDetails
  ) { invocation in
    switch invocation.verb {
    case "move":
      let place = try place(invocation.arguments)
      let hasPIN =
        invocation.arguments[Options.pin] || invocation.arguments.has(Options.newPINFile)
      guard place == .chip || !hasPIN else { throw usage }
      let owner = try invocation.owner {
        if case .program = place { $0.startsHelper = true }
        $0.usesChip = place == .chip
      }
      do { _ = try owner.run(MoveDeviceKey(to: place, hasPIN: hasPIN)) } catch let error
        as AuthenticationError
        where error.reason == .chip(.noChip) && place == .chip
      {
        // The key is where it was.
        throw Failure(
          .system, Failure(error).message, hint: FailureMessage.keepKeyElsewhere)
      }
      let done: KeepingMessage =
        switch place {
        case .file: .deviceKeyInFile
        case .program: .deviceKeyByHelper
        case .chip: hasPIN ? .deviceKeyInChipWithPIN : .deviceKeyInChip
        }
      return try outcome(invocation, done)
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

  private static var usage: Failure {
    Failure(
      .usage, UsageMessage.usage("device move --tpm [--pin] | --helper 'CMD …' | --file"),
      hint: UsageMessage.seeHelpOf("device"))
  }

  /// The one place that the options name.
  private static func place(_ arguments: Arguments) throws -> DeviceKeyPlace {
    switch (arguments[Options.helper], arguments[Options.chip], arguments[Options.backToFile]) {
    case (let helper?, false, false):
      .program(try ChildProcess.resolved(try ShellWords.split(helper)))
    case (nil, true, false): .chip
    case (nil, false, true): .file
    default: throw usage
    }
  }

  /// Where the key is kept; people are told only what was done, if anything was.
  private static func outcome(
    _ invocation: Invocation, _ done: KeepingMessage? = nil
  ) throws -> Outcome {
    // A helper is not asked again for what it was just given.
    let standing = done == nil ? try invocation.look(AskStanding()) : nil
    let facts = try standing?.vault ?? invocation.vaultFacts()
    let (path, place) = (facts.directory, try facts.deviceKeyPlace())
    let (key, command, kept): (String, [String]?, KeepingMessage) =
      switch place {
      case .file: ("file", nil, .keptInFile)
      case .program(let words): ("helper", words, .keptBy(words.joined(separator: " ")))
      case .chip: ("tpm", nil, .keptInChip)
      }
    let known = standing.map { $0.device == .known } ?? true
    return .object { json in
      json.member("path", path)
      json.member("key", key)
      json.key("command")
      if let command { json.value(command) } else { json.null() }
      json.member("known", known)
    } text: { page in
      if let done { return page.note(done) }
      try page.line(KeepingMessage.deviceStore(visible(path)))
      try page.line(kept)
      if !known { page.note(KeepingMessage.deviceKeyMissing) }
    }
  }
}
