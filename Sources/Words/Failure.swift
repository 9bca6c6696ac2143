package import CommandLine
internal import Requests

/// An error as a person or a script meets it: a code, a cause, at most one hint.
package struct Failure: Error, Sendable {
  package enum Code: String, Sendable, CaseIterable {
    case noVault = "no-vault"
    case vaultExists = "vault-exists"
    case locked
    case faceRefused = "face-refused"
    case wrongSecret = "wrong-secret"
    case lockedOut = "locked-out"
    case needsPassphrase = "needs-passphrase"
    case damaged, tampered
    case rolledBack = "rolled-back"
    case olderFormat = "older-format"
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
      case .invalid, .olderFormat, .newerFormat: 8
      case .declined: 9
      }
    }
  }

  package let code: Code
  package let message: any Message
  package let hint: (any Message)?
  /// Seconds until trying again makes sense.
  package let retryAfter: Int64?

  package init(
    _ code: Code, _ message: any Message, hint: (any Message)? = nil, retryAfter: Int64? = nil
  ) {
    self.retryAfter = retryAfter
    self.code = code
    self.message = message
    self.hint = hint
  }
}

/// A message as it crossed from a keeper: in every language.
private struct CarriedMessage: Message, Codable {
  private let texts: [String: String]

  init(_ message: any Message) {
    texts = Dictionary(
      uniqueKeysWithValues: Language.allCases.map { ($0.rawValue, message.text(in: $0)) })
  }

  func text(in language: Language) -> String {
    texts[language.rawValue] ?? texts[Language.english.rawValue] ?? ""
  }
}

/// As it crosses from a keeper to its client.
private struct CarriedFailure: Codable {
  let code: String
  let message: CarriedMessage
  let hint: CarriedMessage?
  let retryAfter: Int64?
}

/// In words where it is thrown: the keeper's other side knows no command lines.
extension UsageError: CommandError {
  package var encoded: [UInt8] { Failure(self as any Error).encoded }
}

extension Failure: CommandError {
  package var encoded: [UInt8] {
    let carried = CarriedFailure(
      code: code.rawValue, message: CarriedMessage(message), hint: hint.map(CarriedMessage.init),
      retryAfter: retryAfter)
    return (try? Wire.encode(carried)) ?? []
  }

  /// nil when the bytes are no failure.
  init?(decoding bytes: [UInt8]) {
    guard let carried = try? Wire.decode(CarriedFailure.self, from: bytes),
      let code = Code(rawValue: carried.code)
    else { return nil }
    self.init(code, carried.message, hint: carried.hint, retryAfter: carried.retryAfter)
  }
}

extension Output {
  /// One line on standard error, with our name.
  package static func say(_ text: String) { say("facediary: " + text, by: "facediary") }
}
