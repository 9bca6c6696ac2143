internal import Access
internal import Bytes
internal import CommandLine
internal import Dates
internal import Formats
internal import Requests
internal import Words

/// `passphrase`: changes the passphrase.
@MainActor
enum PassphraseCommand {
  static let declaration = Command<Invocation>(
    "passphrase", summary: CommandHelp.passphrase,
    options: [Options.newPassphraseFile, Options.kdf], details: CommandHelp.passphraseDetails
  ) { invocation in
    let before = Set(try invocation.vaultFacts().slots.filter { $0.kind == .passphrase }.map(\.id))
    let slots = try invocation.owner().run(
      ChangePassphrase(
        limits: invocation.passphraseLimits, isExact: invocation.arguments.has(Options.kdf)))
    return KeysCommand.outcome(
      slots, .passphraseChanged(replaced: before.subtracting(slots.map(\.id)).count))
  }
}
