public import Entries

/// Why the device's side of authentication did not do what was asked. Equality is on the code.
public struct AuthenticationError: Error, Sendable, Equatable, Codable {
  public enum Code: String, Sendable, Codable {
    /// No face is enrolled on this device.
    case noFace
    /// Refused too often; another factor lifts it.
    case lockedOut
    /// The device key, the templates or the attempt records cannot be read or do not fit together.
    case storeDamaged
    /// The vault has opened here before and its device store is gone.
    case storeGone
    /// A file or directory that others may read or write, or that is a link.
    case loose
    case diskFull, busy, permission, system
    /// No locked memory.
    case memory
    /// The verifier itself failed.
    case verifier
    /// The operation needs an open vault.
    case locked
    /// The diary is already open, or its state has not been checked yet.
    case notNow
    /// The operation needs the passphrase or recovery code, given now.
    case notOwner
    /// A face is not enough now: ``need`` says why.
    case needsSecret
    /// Too many wrong passphrases: the next may be tried after ``retryAfter`` seconds.
    case waiting
    /// The program that keeps the device key failed.
    case helper
  }

  public let code: Code
  /// A path, or what it is about.
  public let subject: String
  public let reason: VaultError.Reason
  /// Seconds, for `waiting`.
  public let retryAfter: Int64?
  /// For `needsSecret`.
  public let need: SecretNeed?

  public init(
    _ code: Code, _ subject: String, _ reason: VaultError.Reason = .none, retryAfter: Int64? = nil,
    need: SecretNeed? = nil
  ) {
    self.need = need
    self.retryAfter = retryAfter
    self.code = code
    self.subject = subject
    self.reason = reason
  }

  /// Whether it is about something that stands in the place of a file of the device store.
  package var isOfOneFile: Bool {
    switch reason {
    case .said, .notUTF8, .program(.noCommand): code == .storeDamaged
    default: false
    }
  }

  public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

/// Why a passphrase or recovery code is needed, where a face was shown.
public enum SecretNeed: String, Sendable, Equatable, Codable {
  /// As ``FreshnessNeed``.
  case restart, expired, unused, never, place
  /// The diary is warm, and no session is left that a face could open again.
  case warm
  /// The face opens the diary together with a passphrase alone, and that slot was removed.
  case noSlot = "no slot"
  /// The face opens the diary together with a passphrase that is not the one given.
  case anotherPassphrase = "another passphrase"
  /// Faces come from the sealed camera program alone, and this one did not.
  case camera
  /// The face opens the diary together with a passphrase.
  case facePassphrase = "face+passphrase"
  /// Tries with a face are counted in the diary, and nothing writes a backup.
  case backup

  public init(_ need: FreshnessNeed) {
    self =
      switch need {
      case .restart: .restart
      case .expired: .expired
      case .unused: .unused
      case .never: .never
      case .place: .place
      }
  }
}
