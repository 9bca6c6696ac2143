/// An error as a person or a script meets it: a code, a cause, at most one hint.
package struct Failure: Error, Sendable, Codable {
  package enum Code: String, Sendable, CaseIterable, Codable {
    case noVault = "no-vault"
    case vaultExists = "vault-exists"
    case locked
    case faceRefused = "face-refused"
    case wrongSecret = "wrong-secret"
    case lockedOut = "locked-out"
    case needsPassphrase = "needs-passphrase"
    case damaged, tampered
    case rolledBack = "rolled-back"
    case newerFormat = "newer-format"
    case notFound = "not-found"
    case ambiguous, conflict, invalid, usage, declined, busy
    case readOnly = "read-only"
    case diskFull = "disk-full"
    case system

    package var exitCode: Int32 {
      switch self {
      case .system, .busy, .readOnly, .diskFull: 1
      case .usage: 2
      case .locked, .faceRefused, .wrongSecret, .needsPassphrase: 3
      case .lockedOut: 4
      case .damaged, .tampered, .rolledBack: 5
      case .noVault, .notFound: 6
      case .vaultExists, .ambiguous, .conflict: 7
      case .invalid, .newerFormat: 8
      case .declined: 9
      }
    }
  }

  package let code: Code
  package let message: Text
  package let hint: Text?
  /// Seconds until trying again makes sense.
  package let retryAfter: Int64?

  package init(_ code: Code, _ message: Text, hint: Text? = nil, retryAfter: Int64? = nil) {
    self.retryAfter = retryAfter
    self.code = code
    self.message = message
    self.hint = hint
  }
}

/// Standard output's reader went away: nothing to say, exit 141.
package struct BrokenPipe: Error {}
