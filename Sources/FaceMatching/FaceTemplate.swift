/// How several similarities become one score.
public enum Scoring: UInt8, Sendable, CaseIterable, Codable {
  /// The mean over all template–frame pairs: never raises the false match rate of a threshold known
  /// for one picture against one.
  case average = 0
  /// Cosine between the mean direction of the templates and that of the frames.
  case meanDirection = 1
  /// The largest of all pairs.
  case bestOf = 2
}

/// One enrolled picture of the owner's face.
public struct FaceTemplate: Sendable, Equatable {
  /// 26 base32 characters.
  public let id: String
  public var label: String
  public let embedding: Embedding
  /// Seconds since 1970.
  public let created: Int64

  public init(id: String, label: String, embedding: Embedding, created: Int64) {
    self.id = id
    self.label = label
    self.embedding = embedding
    self.created = created
  }
}

/// Everything enrolled for one diary: one face, one model, one threshold.
public struct TemplateSet: Sendable, Equatable {
  public let model: String
  public let dimension: Int
  /// Similarity at or above which a face is accepted, in [−1, 1].
  public var threshold: Double
  /// A way of scoring measured on the owner's faces, for when there are shots and frames enough.
  public var calibrated: CalibratedScoring?
  public var templates: [FaceTemplate]

  public init(
    model: String, dimension: Int, threshold: Double, calibrated: CalibratedScoring? = nil,
    templates: [FaceTemplate]
  ) {
    self.model = model
    self.dimension = dimension
    self.threshold = threshold
    self.calibrated = calibrated
    self.templates = templates
  }

  /// How a probe of so many frames is scored, and from where on it is accepted.
  ///
  /// The calibrated way counts only with at least as many templates and frames as it was measured with;
  /// else the average similarity, which keeps what the threshold promises for single shots.
  public func decision(frames: Int) -> (scoring: Scoring, threshold: Double) {
    if let calibrated, templates.count >= calibrated.enroll, frames >= calibrated.frames {
      return (calibrated.scoring, calibrated.threshold)
    }
    return (.average, threshold)
  }
}

/// The face somebody shows: one or more frames of one moment.
public struct Probe: Sendable, Equatable {
  /// Most frames of one probe.
  public static let frameLimit = 64

  public let frames: [Embedding]

  /// - Throws: ``VectorError``: `empty`, `tooManyRows`, or frames that differ in dimension or model.
  public init(_ frames: [Embedding], source: String = "probe") throws(VectorError) {
    guard let first = frames.first else { throw VectorError(.empty, in: source) }
    guard frames.count <= Self.frameLimit else {
      throw VectorError(.tooManyRows(limit: Self.frameLimit), in: source)
    }
    let model = frames.lazy.compactMap(\.model).first
    for frame in frames {
      guard frame.dimension == first.dimension else {
        throw VectorError(
          .dimensionMismatch(found: frame.dimension, expected: first.dimension), in: source)
      }
      if let model, let own = frame.model, own != model {
        throw VectorError(.modelMismatch(found: own, expected: model), in: source)
      }
    }
    self.frames = frames
  }

  /// Whether this probe can be compared with `set` at all; costs no attempt when it can't.
  ///
  /// - Throws: ``VectorError`` `dimensionMismatch`, `modelMismatch`.
  public func checkFits(_ set: TemplateSet, source: String = "probe") throws(VectorError) {
    for frame in frames {
      if let own = frame.model, own != set.model {
        throw VectorError(.modelMismatch(found: own, expected: set.model), in: source)
      }
      guard frame.dimension == set.dimension else {
        throw VectorError(
          .dimensionMismatch(found: frame.dimension, expected: set.dimension), in: source)
      }
    }
  }

  /// The score of this probe against templates.
  public func score(against templates: [FaceTemplate], by scoring: Scoring = .average) -> Double {
    guard !templates.isEmpty else { return -1 }
    return Shots(templates.map(\.embedding.unit)).score(Shots(frames.map(\.unit)), by: scoring)
  }
}
