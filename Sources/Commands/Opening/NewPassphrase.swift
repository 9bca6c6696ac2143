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
      return try SecretInput.normalized(try secret(path, "the passphrase"))
    }
    guard Terminal.canAsk else {
      throw Failure(
        .usage, "\(command) needs a new passphrase and nobody can be asked",
        hint: command == "init"
          ? "give it with --passphrase-file, or choose --no-passphrase"
          : "give it with --new-passphrase-file")
    }
    let first = try SecretInput.normalized(try Terminal.askSecret(text("New passphrase: ")))
    let second = try SecretInput.normalized(try Terminal.askSecret(text("The same again: ")))
    guard first.isEqual(to: second) else {
      throw Failure(.invalid, "the two passphrases differ; nothing was changed")
    }
    if first.count < 10 {
      note(
        "a short passphrase is soon guessed by whoever copies the file; several words are better")
    }
    return first
  }
}
