public import FaceMatching

/// Why faces were not registered.
public enum EnrollmentError: Error, Sendable, Equatable, Codable {
  /// Neither the file nor the caller named the face model.
  case modelNeeded
  /// The model is not in the table and no threshold was given.
  case thresholdNeeded(model: String)
  /// Outside [−1, 1], or not the one already enrolled.
  case thresholdInvalid(given: Double, enrolled: Double?)
  /// A shot does not resemble those enrolled.
  case unlike(index: Int, similarity: Double, threshold: Double)
  /// A shot that is nearer to the model's mean face than one person's is.
  case notOneFace(index: Int)
  /// More templates than a diary keeps.
  case tooMany(limit: Int)
  /// Every shot is enrolled already.
  case nothingNew
  /// A public sample face beside a person's own.
  case sampleAmongOwn(index: Int)
  /// Public sample faces are enrolled and must be removed before a person's own can be enrolled.
  case samplesEnrolled(count: Int)
}

/// A face that is enrolled, without its vector.
public struct EnrolledFace: Sendable, Equatable, Codable {
  /// 26 base32 characters.
  public let id: String
  public let label: String
  public let model: String?
  public let dimension: Int
  /// Seconds since 1970.
  public let created: Int64
  /// Whether it is one of the public sample faces, with which anybody opens the diary.
  public let isSample: Bool

  package init(_ template: FaceTemplate) {
    isSample = SampleFaces.contains(template.embedding)
    id = template.id
    label = template.label
    model = template.embedding.model
    dimension = template.embedding.dimension
    created = template.created
  }
}

/// Everything that is enrolled on a device for a diary, without the vectors: anybody who has a
/// vector can show it.
public struct EnrolledFaces: Sendable, Equatable, Codable {
  public let model: String
  /// Similarity at or above which a face is accepted, in [−1, 1].
  public let threshold: Double
  public let calibrated: CalibratedScoring?
  public let faces: [EnrolledFace]

  /// The threshold that decides now: the calibrated one where there are as many shots as were calibrated.
  public var decidingThreshold: Double {
    calibrated.flatMap { $0.decides(shots: faces.count) ? $0.threshold : nil } ?? threshold
  }

  package init(_ set: TemplateSet) {
    model = set.model
    threshold = set.threshold
    calibrated = set.calibrated
    faces = set.templates.map(EnrolledFace.init)
  }
}

/// What registering did.
public struct EnrollmentReport: Sendable, Equatable, Codable {
  public enum Warning: Sendable, Equatable, Codable {
    /// The same vector is enrolled already, or came twice.
    case duplicate(index: Int)
    /// Two shots of this registration resemble one another less than the threshold.
    case dissimilar(index: Int, other: Int, similarity: Double, threshold: Double)
    /// A shot below the threshold was registered because the caller insisted.
    case forced(index: Int, similarity: Double, threshold: Double)
    /// A shot whose components share a constant: other people's may then score high, too.
    case offset(index: Int, share: Double)
    /// The shots are public sample faces, with which anybody opens the diary.
    case samples
  }

  public var enrolled: [EnrolledFace] = []
  public var warnings: [Warning] = []
  public var threshold: Double

  package init(enrolled: [EnrolledFace] = [], warnings: [Warning] = [], threshold: Double) {
    self.enrolled = enrolled
    self.warnings = warnings
    self.threshold = threshold
  }
}
