internal import Sealing

/// A passphrase somebody makes up now.
enum NewPassphrase {
  static let kdf = Option(
    "--kdf", value: "LEVEL",
    "work for one guess of the passphrase: interactive (64 MiB), moderate (256 MiB), sensitive (1 GiB)"
  )
  static let file = Option(
    "--new-passphrase-file", value: "FILE", "read the new passphrase from a file")
}

extension Invocation {
  func passphraseLimits() throws -> PassphraseLimits {
    switch arguments.value("--kdf") {
    case nil, "moderate": return .moderate
    case "interactive": return .interactive
    case "sensitive": return .sensitive
    case let other?:
      throw Failure(
        .usage, "no such level: --kdf \(other)", hint: "interactive, moderate or sensitive")
    }
  }

  /// Reads it from `--new-passphrase-file`, or asks for it twice.
  ///
  /// - Parameter other: an option that may name the file, too.
  func newPassphrase(orFrom other: String? = nil) throws -> SecretBytes {
    if let path = arguments.value("--new-passphrase-file") ?? other.flatMap(arguments.value) {
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
