public import Access
public import FaceMatching
public import Sealing

/// What the state machine's shell needs from outside; tests inject a scripted service.
///
/// `loadFaceData` is the ancestor's name. Where the ancestor treated a failed look as "none", a throw here means
/// *unreadable* and never leads to onboarding. Registering faces is not here: it makes access permanent, and needs
/// more than an open diary.
public protocol SecurityService: Sendable {
  /// What is enrolled on this device for this diary; nil when there is no vault, or no face here.
  ///
  /// - Throws: when something is there and cannot be read, or was there and is gone.
  func loadFaceData() async throws -> FaceData?
  /// The diary's policy: of the open vault, else as this device last saw it.
  func policy() async throws -> AccessPolicy
  /// Whether the face enrolled here opens the diary only together with a passphrase.
  func faceNeedsPassphrase() async throws -> Bool
  /// Counts an attempt durably, judges, and opens the vault when accepted.
  ///
  /// - Parameter passphrase: what a face+passphrase slot wants beside the face.
  func verifyFace(_ probe: Probe, passphrase: consuming SecretBytes?) async throws -> FaceOutcome
  /// Opens the vault by passphrase or recovery code, which also lifts a lockout of the face.
  func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions
  ) async throws
  /// Closes the vault and wipes its keys.
  func close() async
}

/// What is enrolled, without the templates.
public struct FaceData: Sendable, Equatable {
  public let count: Int
  public let model: String
  public let attemptsLeft: Int

  public init(count: Int, model: String, attemptsLeft: Int) {
    self.count = count
    self.model = model
    self.attemptsLeft = attemptsLeft
  }

  public var standing: FaceStanding {
    attemptsLeft > 0 ? .enrolled(attemptsLeft: attemptsLeft) : .lockedOut
  }
}

/// The result of showing a face.
public enum FaceOutcome: Sendable, Equatable {
  case accepted(similarity: Double, threshold: Double)
  /// No score: it would guide a search.
  case refused(attemptsLeft: Int)
}
