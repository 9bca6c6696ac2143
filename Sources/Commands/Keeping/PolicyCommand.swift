internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `policy`: when a face is not enough, and how long the diary stays open.
@MainActor
enum PolicyCommand {
  private enum Key: String, CaseIterable {
    case passphraseAfter = "passphrase-after"
    case unusedAfter = "unused-after"
    case afterRestart = "after-restart"
    case warm
    case facePassphrase = "face-passphrase"
    case idle, life
  }

  static let declaration = Command<Invocation>(
    "policy", Form("show", isDefault: true),
    Form("set", Operand("KEY", completion: .words(Key.allCases.map(\.rawValue))), Operand("VALUE")),
    summary: "when a face is not enough, and how long the diary stays open",
    details: """
      passphrase-after 156h   a face opens nothing when the passphrase was last given longer ago
      unused-after 48h        … or when the diary was not opened on this device for longer
      after-restart on        … or when the machine was started since
      warm off                on: no face slot on the disk; a face only re-opens what a passphrase opened in
                              a session that still runs
      face-passphrase off     on, by keys add face-passphrase: a face opens the diary only together with a passphrase;
                              off lets enroll give it a way in of its own again
      idle 5m                 a session ends after so long without use
      life 12h                the longest a session may last

      Setting one asks for the passphrase or the recovery code now. The policy is sealed in the vault.
      """
  ) { invocation in
    switch invocation.verb {
    case "show":
      try invocation.requireVault()
      try show(invocation, try Keeper(at: invocation.location).policy())
    case "set":
      guard let key = Key(rawValue: invocation.operands[0]) else {
        let near = Arguments.nearest(invocation.operands[0], Key.allCases.map(\.rawValue))
        throw Failure(
          .usage, "no such rule: \(invocation.operands[0])",
          hint: near.map { "did you mean \($0)?" } ?? "facediary policy --help")
      }
      // What is wrong with the value is said before a passphrase is asked for.
      var trial = AccessPolicy()
      trial.isWithPassphrase = true
      try change(&trial, key, invocation.operands[1])
      let owner = try invocation.owner()
      var policy = try owner.run(ReadPolicy())
      let before = policy
      try change(&policy, key, invocation.operands[1])
      // A running session goes by the rules it was begun with, and in warm mode by another device key.
      if before != policy { try KeeperConnection.end(invocation.location) }
      invocation.tell(try owner.run(SetPolicy(policy)))
      try show(invocation, policy)
    default: break
    }
    return 0
  }

  private static func change(_ policy: inout AccessPolicy, _ key: Key, _ value: String) throws {
    func seconds(_ range: ClosedRange<Int64>, _ expected: String) throws -> Int64 {
      guard let seconds = DateParser.duration(value), range.contains(seconds) else {
        throw Failure(.invalid, "\(key.rawValue) \(value): expected \(term: expected)")
      }
      return seconds
    }
    func flag() throws -> Bool {
      switch value {
      case "on", "yes", "true": return true
      case "off", "no", "false": return false
      default: throw Failure(.invalid, "\(key.rawValue) \(value): expected \(term: "on or off")")
      }
    }
    switch key {
    case .passphraseAfter:
      policy.passphraseAfter = try seconds(3600...366 * 86_400, "a duration of 1h to 366d")
    case .unusedAfter:
      policy.unusedAfter = try seconds(3600...366 * 86_400, "a duration of 1h to 366d")
    case .afterRestart: policy.afterRestart = try flag()
    case .warm: policy.isWarm = try flag()
    case .facePassphrase:
      guard try !flag() || policy.isWithPassphrase else {
        throw Failure(
          .invalid, "\(key.rawValue) \(value): expected \(term: "off")",
          hint: "turn it on with: facediary keys add face-passphrase")
      }
      policy.isWithPassphrase = try flag()
    case .idle: policy.idle = try seconds(10...43_200, "a duration of 10s to 12h")
    case .life: policy.life = try seconds(60...43_200, "a duration of 1m to 12h")
    }
  }

  private static func show(_ invocation: Invocation, _ policy: AccessPolicy) throws {
    if invocation.isJSON {
      return try invocation.json { json in
        json.beginObject()
        json.member("passphraseAfter", Int(policy.passphraseAfter))
        json.member("unusedAfter", Int(policy.unusedAfter))
        json.member("afterRestart", policy.afterRestart)
        json.member("warm", policy.isWarm)
        json.member("facePassphrase", policy.isWithPassphrase)
        json.member("idle", Int(policy.idle))
        json.member("life", Int(policy.life))
        json.endObject()
      }
    }
    func duration(_ seconds: Int64) -> String {
      seconds % 3600 == 0
        ? "\(seconds / 3600)h" : seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
    for (key, value) in [
      (Key.passphraseAfter, duration(policy.passphraseAfter)),
      (.unusedAfter, duration(policy.unusedAfter)),
      (.afterRestart, policy.afterRestart ? "on" : "off"), (.warm, policy.isWarm ? "on" : "off"),
      (.facePassphrase, policy.isWithPassphrase ? "on" : "off"),
      (.idle, duration(policy.idle)), (.life, duration(policy.life)),
    ] {
      let pad = String(repeating: " ", count: 18 - key.rawValue.count)
      try invocation.output.line(key.rawValue + pad + value)
    }
  }
}
