public import FaceMatching

/// Faces to register.
public struct FaceRegistration: Sendable, Equatable {
  /// The most templates that one diary keeps.
  public static let limit = 64

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
  /// Whether a shot is registered even if its similarity to the enrolled ones is below the threshold.
  public var force: Bool
  /// Remove enrolled sample faces first, because anybody has those.
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
  /// The model that the caller or else the vectors name; nil when neither does.
  public var modelName: String? { model ?? embeddings.lazy.compactMap(\.model).first }
}
