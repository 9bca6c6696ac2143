public import FaceMatching
public import Sealing

/// What the state machine's shell needs of the world; tests inject a scripted one.
///
/// `loadFaceData` is the ancestor's name. Where the ancestor treated a failed look as "none", a throw here means
/// *unreadable* and never leads to onboarding. Registering faces is not here: it makes access permanent, and needs
/// more than an open diary.
public protocol SecurityService: Sendable {
  /// What is enrolled on this device for this diary; nil when there is no vault, or no face here.
  ///
  /// - Throws: when something is there and cannot be read, or was there and is gone.
  func loadFaceData() async throws -> FaceData?
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

/// What an opening by passphrase or recovery code may do besides; a face never may.
public struct OpeningOptions: OptionSet, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Goes on from an older copy that was put back on purpose, or without an anchor that can be read.
  public static let acceptsOlderCopy = OpeningOptions(rawValue: 1)
  /// When whoever keeps the device key does not give it, goes on with a new device store: faces must be enrolled
  /// again.
  public static let resetsDevice = OpeningOptions(rawValue: 2)
}

/// A factor that is a secret.
public enum SecretFactor: String, Sendable, Codable {
  case passphrase, recovery
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

/// Faces to register.
public struct FaceRegistration: Sendable, Equatable {
  public var embeddings: [Embedding]
  public var label: String?
  public var model: String?
  /// Similarity at or above which a face is accepted; nil takes the model's published one.
  public var threshold: Double?
  /// The caller's default for the model, before the published one; unlike ``threshold`` it gives way to
  /// what is enrolled.
  public var saved: Double?
  /// A way of scoring calibrated for the model, sealed with the templates.
  public var calibrated: CalibratedScoring?
  /// The guard calibrated for the model; nil takes the built-in one.
  public var faceGuard: FaceGuard?
  /// Register shots below the threshold against those enrolled, too.
  public var force: Bool
  /// Take enrolled sample faces out first, which anybody has.
  public var replacesSamples = false

  public init(
    embeddings: [Embedding], label: String? = nil, model: String? = nil, threshold: Double? = nil,
    saved: Double? = nil, calibrated: CalibratedScoring? = nil, faceGuard: FaceGuard? = nil,
    force: Bool = false
  ) {
    self.faceGuard = faceGuard
    self.saved = saved
    self.calibrated = calibrated
    self.embeddings = embeddings
    self.label = label
    self.model = model
    self.threshold = threshold
    self.force = force
  }
}

extension FaceRegistration {
  /// The model that was named, or that the vectors say; nil when neither does.
  public var modelName: String? { model ?? embeddings.lazy.compactMap(\.model).first }
}

/// How a shown face fared.
public enum FaceOutcome: Sendable, Equatable {
  case accepted(similarity: Double, threshold: Double)
  /// No score: it would guide a search.
  case refused(attemptsLeft: Int)
}
