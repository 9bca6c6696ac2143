internal import CommandLine
internal import Sealing

extension Invocation {
  /// The work for one guess of a new passphrase.
  var passphraseLimits: PassphraseLimits { arguments[Options.kdf] ?? .moderate }

  /// Reads it from `--new-passphrase-file`, or asks for it twice.
  ///
  /// - Parameter other: an option that may name the file, too.
  func newPassphrase(orFrom other: Option<String>? = nil) throws -> SecretBytes {
    if let path = arguments[Options.newPassphraseFile] ?? other.flatMap({ arguments[$0] }) {
      return try SecretInput.normalized(try secret(path, .passphrase))
    }
    guard Terminal.canAsk else {
      throw Failure(
        .usage, OpeningMessage.needsNewPassphrase(command),
        hint: command == "init"
          ? OpeningMessage.givePassphraseOrNone
          : OpeningMessage.giveNewPassphraseFile)
    }
    let first = try SecretInput.normalized(
      try Terminal.askSecret(text(OpeningMessage.newPassphrasePrompt)))
    let second = try SecretInput.normalized(
      try Terminal.askSecret(text(OpeningMessage.sameAgainPrompt)))
    guard first.isEqual(to: second) else {
      throw Failure(.invalid, OpeningMessage.passphrasesDiffer)
    }
    if first.count < 10 {
      note(
        OpeningMessage.shortPassphrase)
    }
    return first
  }
}
