internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `policy`: when a face is not enough, and how long the diary stays open.
@MainActor
enum PolicyCommand {
  private enum Key: String, CaseIterable {
    case passphraseAfter = "passphrase-after"
    case unusedAfter = "unused-after"
    case afterRestart = "after-restart"
    case warm
    case facePassphrase = "face-passphrase"
    case camera
    case idle, life
  }

  static let declaration = Command<Invocation>(
    "policy", Form("show", isDefault: true),
    Form("set", Operand("KEY", completion: .words(Key.allCases.map(\.rawValue))), Operand("VALUE")),
    summary: CommandHelp.policy,
    details: CommandHelp.policyDetails
  ) { invocation in
    switch invocation.verb {
    case "set":
      guard let key = Key(rawValue: invocation.operands[0]) else {
        let near = Arguments.nearest(invocation.operands[0], Key.allCases.map(\.rawValue))
        throw Failure(
          .usage, UsageMessage.noSuchRule(invocation.operands[0]),
          hint: near.map { UsageMessage.didYouMean($0) } ?? UsageMessage.seeHelpOf("policy"))
      }
      // What is wrong with the value is said before a passphrase is asked for.
      var trial = AccessPolicy()
      trial.isWithPassphrase = true
      let camera = key == .camera ? try camera(invocation) : nil
      try change(&trial, key, invocation.operands[1], camera)
      let owner = try invocation.owner()
      var policy = try owner.run(ReadPolicy())
      let before = policy
      try change(&policy, key, invocation.operands[1], camera)
      // A warm diary gets faces from clients, so it does not know which program took them.
      if policy.isWarm, policy.camera != nil {
        throw Failure(.conflict, KeepingMessage.cameraOrWarm)
      }
      // A running session goes by the rules it was begun with, and in warm mode by another device key.
      let wasOpen = before != policy ? try KeeperConnection.end(invocation.location) : false
      _ = try owner.run(SetPolicy(policy))
      let (old, new) = (value(key, of: before), value(key, of: policy))
      invocation.note(
        old == new
          ? KeepingMessage.ruleIs(key.rawValue, new)
          : .ruleChanged(key.rawValue, from: old, to: new))
      if let camera { say(of: camera, invocation) }
      if wasOpen { invocation.note(KeepingMessage.closedByRule) }
      return outcome(policy)
    default:
      try invocation.requireVault()
      return outcome(try invocation.look(ReadPolicy()))
    }
  }

  private static func change(
    _ policy: inout AccessPolicy, _ key: Key, _ value: String, _ camera: CameraProgram?
  ) throws {
    func seconds(_ range: ClosedRange<Int64>, _ expected: KeepingMessage) throws -> Int64 {
      guard let seconds = DateParser.duration(value), range.contains(seconds) else {
        throw Failure(
          .invalid,
          KeepingMessage.ruleExpected(rule: key.rawValue, value: value, expected: expected))
      }
      return seconds
    }
    func flag() throws -> Bool {
      switch value {
      case "on", "yes", "true": return true
      case "off", "no", "false": return false
      default:
        throw Failure(
          .invalid,
          KeepingMessage.ruleExpected(
            rule: key.rawValue, value: value, expected: KeepingMessage.onOrOff))
      }
    }
    switch key {
    case .passphraseAfter:
      policy.passphraseAfter = try seconds(
        3600...366 * 86_400, .durationBetween(least: "1h", most: "366d"))
    case .unusedAfter:
      policy.unusedAfter = try seconds(
        3600...366 * 86_400, .durationBetween(least: "1h", most: "366d"))
    case .afterRestart: policy.afterRestart = try flag()
    case .warm: policy.isWarm = try flag()
    case .facePassphrase:
      guard try !flag() || policy.isWithPassphrase else {
        throw Failure(
          .invalid, KeepingMessage.notByPolicy(rule: key.rawValue),
          hint: KeepingMessage.turnOnFacePassphrase)
      }
      policy.isWithPassphrase = try flag()
    case .camera: policy.camera = try flag() ? camera : nil
    case .idle: policy.idle = try seconds(10...43_200, .durationBetween(least: "10s", most: "12h"))
    case .life: policy.life = try seconds(60...43_200, .durationBetween(least: "1m", most: "12h"))
    }
  }

  /// The configured program as it is now; nil when it is turned off.
  private static func camera(_ invocation: Invocation) throws -> CameraProgram? {
    guard ["on", "yes", "true"].contains(invocation.operands[1]) else { return nil }
    guard let command = try invocation.configuration().probe else {
      throw Failure(.usage, FaceMessage.noProbeProgram, hint: FaceMessage.nameProbeProgram)
    }
    return try CameraProgram(
      sealing: try ChildProcess.resolved(try ShellWords.split(command)),
      relativeTo: invocation.programDirectory)
  }

  /// What is sealed of it: the rest of what it reads can be changed without its being noticed.
  private static func say(of camera: CameraProgram, _ invocation: Invocation) {
    invocation.note(KeepingMessage.cameraSeals(camera.files.map(\.path)))
    for word in camera.words {
      let path = FileSystem.path(word, in: invocation.programDirectory)
      if FileSystem.isDirectory(path) {
        invocation.page.warn(KeepingMessage.cameraReadsFolder(path))
      }
    }
  }

  private static func outcome(_ policy: AccessPolicy) -> Outcome {
    .object { json in
      json.member("passphraseAfter", Int(policy.passphraseAfter))
      json.member("unusedAfter", Int(policy.unusedAfter))
      json.member("afterRestart", policy.afterRestart)
      json.member("warm", policy.isWarm)
      json.member("facePassphrase", policy.isWithPassphrase)
      json.member("camera", policy.camera != nil)
      json.member("cameraProgram", policy.camera?.words ?? [])
      json.member("idle", Int(policy.idle))
      json.member("life", Int(policy.life))
    } text: { page in
      for key in Key.allCases {
        try page.line(padRight(key.rawValue, 18) + value(key, of: policy))
      }
    }
  }

  /// As it is typed.
  private static func value(_ key: Key, of policy: AccessPolicy) -> String {
    func duration(_ seconds: Int64) -> String {
      seconds % 3600 == 0
        ? "\(seconds / 3600)h" : seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
    func flag(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    return switch key {
    case .passphraseAfter: duration(policy.passphraseAfter)
    case .unusedAfter: duration(policy.unusedAfter)
    case .afterRestart: flag(policy.afterRestart)
    case .warm: flag(policy.isWarm)
    case .facePassphrase: flag(policy.isWithPassphrase)
    case .camera: policy.camera.map { "on   " + visible($0.words.joined(separator: " ")) } ?? "off"
    case .idle: duration(policy.idle)
    case .life: duration(policy.life)
    }
  }
}
