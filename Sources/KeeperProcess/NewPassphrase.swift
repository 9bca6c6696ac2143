internal import CommandLine
internal import Commands
internal import Dates
internal import Sealing
internal import Words

extension Invocation {
  /// Reads it from `--new-passphrase-file`, or asks for it twice, and again when the two differ.
  ///
  /// - Parameter other: an option that may name the file, too.
  func newPassphrase(orFrom other: Option<String>? = nil) throws -> SecretBytes {
    let path = arguments[Options.newPassphraseFile] ?? other.flatMap { arguments[$0] }
    // On a terminal `-` is typed twice, as every new passphrase: a mistake in it would not be seen.
    if let path, path != "-" || !Terminal.isTerminal(0) || !Terminal.canAsk {
      return try SecretInput.normalized(try secret(path, .passphrase))
    }
    guard Terminal.canAsk else {
      throw Failure(
        .usage, OpeningMessage.needsNewPassphrase(command),
        hint: command == "init"
          ? OpeningMessage.givePassphraseOrNone
          : OpeningMessage.giveNewPassphraseFile)
    }
    for _ in 0..<Self.passphraseTries {
      let first = try SecretInput.normalized(
        try Terminal.askSecret(text(OpeningMessage.newPassphrasePrompt)))
      // Before it is typed again: what is too short need not be.
      if first.count < Self.shortPassphrase {
        page.warn(OpeningMessage.shortPassphrase)
        guard try Terminal.confirm(text(OpeningMessage.askToUseIt)) else { continue }
      }
      let second = try SecretInput.normalized(
        try Terminal.askSecret(text(OpeningMessage.sameAgainPrompt)))
      if first.isEqual(to: second) { return first }
      page.warn(OpeningMessage.passphrasesDiffer)
    }
    throw Failure(.invalid, OpeningMessage.passphrasesDiffer)
  }

  private static let passphraseTries = 3
  /// Characters below which guessing is quick.
  private static let shortPassphrase = 10
}
