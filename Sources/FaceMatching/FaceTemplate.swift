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
  public var templates: [FaceTemplate]

  public init(model: String, dimension: Int, threshold: Double, templates: [FaceTemplate]) {
    self.model = model
    self.dimension = dimension
    self.threshold = threshold
    self.templates = templates
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
    let enrolled = templates.map(\.embedding.unit)
    let shown = frames.map(\.unit)
    let score: Double
    switch scoring {
    case .average:
      score = Similarity.dot(Similarity.mean(of: enrolled), Similarity.mean(of: shown))
    case .meanDirection:
      let one = Similarity.mean(of: enrolled)
      let other = Similarity.mean(of: shown)
      let lengths = (Similarity.dot(one, one) * Similarity.dot(other, other)).squareRoot()
      score = lengths > 0 ? Similarity.dot(one, other) / lengths : 0
    case .bestOf:
      score = enrolled.flatMap { one in shown.map { Similarity.dot(one, $0) } }.max() ?? -1
    }
    return min(1, max(-1, score))
  }
}
