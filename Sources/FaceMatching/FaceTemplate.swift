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
  /// A way of scoring measured on the owner's faces, used when there are enough shots and frames.
  public var calibrated: CalibratedScoring?
  /// What tells one person's face from an average; nil where the model's mean face is not known. The model's own guard counts beside it.
  public var faceGuard: FaceGuard?
  public var templates: [FaceTemplate]

  public init(
    model: String, dimension: Int, threshold: Double, calibrated: CalibratedScoring? = nil,
    faceGuard: FaceGuard? = nil, templates: [FaceTemplate]
  ) {
    self.model = model
    self.dimension = dimension
    self.threshold = threshold
    self.calibrated = calibrated
    self.faceGuard = faceGuard
    self.templates = templates
  }

  /// How a probe is scored, and from which score on it is accepted.
  public struct Decision: Sendable, Equatable {
    public let scoring: Scoring
    public let threshold: Double
    /// How many of the newest templates count.
    public let shots: Int
    /// How many of the first frames count; nil: all of them.
    public let frames: Int?
  }

  /// The calibrated way with as many templates as it was measured with, and then with exactly its K and P: more of
  /// either would have another false match rate. Else the average similarity, which keeps what the threshold promises
  /// for single shots, with any number of either.
  public var decision: Decision {
    if let calibrated, calibrated.decides(shots: templates.count) {
      return Decision(
        scoring: calibrated.scoring, threshold: calibrated.threshold, shots: calibrated.enroll,
        frames: calibrated.frames)
    }
    return Decision(scoring: .average, threshold: threshold, shots: templates.count, frames: nil)
  }

  /// The frames of a probe that count.
  private func counted(_ probe: Probe) -> [[Float]] {
    probe.frames.prefix(decision.frames ?? probe.frames.count).map(\.unit)
  }

  private var guards: [FaceGuard] {
    FaceModel.guards(faceGuard, ofModel: model, dimension: dimension)
  }

  /// Whether a picture is no nearer to an average than real ones are.
  package func admits(_ unit: [Float]) -> Bool { guards.allSatisfy { $0.admits(unit) } }

  /// Whether a probe is one person's face at one moment: no average of many, and frames that resemble one another. Where
  /// no guard says how much they do, as much as two pictures must to be accepted.
  public func isOneFace(_ probe: Probe) -> Bool {
    let (frames, guards) = (counted(probe), guards)
    if guards.isEmpty { return FaceGuard.likeness(of: frames) >= threshold }
    return guards.allSatisfy { $0.passes(frames, together: decision.frames != nil) }
  }

  /// The score of a probe, by the way that ``decision`` says; −1 for one of another dimension.
  public func score(_ probe: Probe) -> Double {
    guard probe.hasDimension(of: templates) else { return -1 }
    let weighing = decision.frames == nil ? nil : faceGuard
    return Shots(templates.suffix(decision.shots).map(\.embedding.unit), weighing)
      .score(Shots(counted(probe), weighing), by: decision.scoring)
  }
}

/// The face somebody shows: one or more frames of one moment, each different.
public struct Probe: Sendable, Equatable {
  /// Most frames of one probe.
  public static let frameLimit = 16

  public let frames: [Embedding]
  /// The identity of the camera program, when the process that judges ran it itself.
  public let program: [UInt8]?

  /// - Throws: ``VectorError``: `empty`, `tooManyRows`, or frames that differ in dimension or model.
  public init(
    _ frames: [Embedding], source: String = "probe", program: [UInt8]? = nil
  ) throws(VectorError) {
    self.program = program
    guard let first = frames.first else { throw VectorError(.empty, in: source) }
    guard frames.count <= Self.frameLimit else {
      throw VectorError(.tooManyRows(limit: Self.frameLimit), in: source)
    }
    let model = frames.lazy.compactMap(\.model).first
    for frame in frames {
      try frame.requireFit(dimension: first.dimension, model: model, in: source)
    }
    // One picture shown twice is one picture.
    var distinct: [Embedding] = []
    for frame in frames where !distinct.contains(where: { $0.unit == frame.unit }) {
      distinct.append(frame)
    }
    self.frames = distinct
  }

  /// Whether this probe can be compared with `set` at all; costs no attempt when it can't.
  ///
  /// - Throws: ``VectorError`` `dimensionMismatch`, `modelMismatch`, `tooFewFrames`.
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
    // Otherwise an attacker could choose the weaker of two ways of scoring.
    if let wanted = set.decision.frames, frames.count < wanted {
      throw VectorError(.tooFewFrames(found: frames.count, wanted: wanted), in: source)
    }
  }

  /// Whether there are templates, each with as many components as every frame.
  fileprivate func hasDimension(of templates: [FaceTemplate]) -> Bool {
    !templates.isEmpty
      && templates.allSatisfy { $0.embedding.dimension == frames[0].dimension }
  }

  /// The score of this probe against templates; −1 where one of them has another dimension.
  public func score(against templates: [FaceTemplate], by scoring: Scoring = .average) -> Double {
    guard hasDimension(of: templates) else { return -1 }
    return Shots(templates.map(\.embedding.unit)).score(Shots(frames.map(\.unit)), by: scoring)
  }
}

/// A way of scoring with the threshold that belongs to it.
///
/// Counts where there are at least ``enroll`` templates, and then with exactly so many and ``frames`` frames: with
/// others, its false match rate is another one.
public struct CalibratedScoring: Sendable, Equatable, Codable {
  /// What K may be.
  public static let shotCounts = 1...64
  /// What P may be.
  public static let frameCounts = 1...Probe.frameLimit

  public let scoring: Scoring
  public let enroll: Int
  public let frames: Int
  public let threshold: Double

  public init(scoring: Scoring, enroll: Int, frames: Int, threshold: Double) {
    self.scoring = scoring
    self.enroll = enroll
    self.frames = frames
    self.threshold = threshold
  }

  /// Whether it is the way in which so many shots are scored.
  public func decides(shots: Int) -> Bool { isValid && shots >= enroll }

  /// Whether its numbers are ones that a calibration can come to.
  public var isValid: Bool {
    Self.shotCounts.contains(enroll) && Self.frameCounts.contains(frames)
      && (-1...1).contains(threshold)
  }
}
