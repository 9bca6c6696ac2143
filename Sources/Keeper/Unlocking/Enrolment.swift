internal import Access
internal import DiaryVault
internal import Entries
internal import FaceMatching

/// Shots that become templates, one after another: each is compared with those before it.
struct Enrolment {
  private(set) var templates: [FaceTemplate]
  private(set) var report: EnrollmentReport
  private let registration: FaceRegistration
  private let set: TemplateSet?
  private let model: String
  private let threshold: Double
  private let faceGuard: FaceGuard?
  private var fresh: [(index: Int, embedding: Embedding)] = []

  /// - Parameter set: what is enrolled already.
  /// - Throws: ``VaultError`` for the label.
  init(
    _ registration: FaceRegistration, into set: TemplateSet?, model: String, threshold: Double,
    faceGuard: FaceGuard?
  ) throws(VaultError) {
    if let label = registration.label { try Self.check(label) }
    self.registration = registration
    self.set = set
    self.model = model
    self.threshold = threshold
    self.faceGuard = faceGuard
    templates = set?.templates ?? []
    report = EnrollmentReport(threshold: threshold)
    if registration.embeddings.first.map(SampleFaces.contains) == true {
      report.warnings.append(.samples)
    }
  }

  /// - Throws: ``VaultError`` `invalid` for a label that a template cannot have.
  static func check(_ label: String) throws(VaultError) {
    guard !label.allSatisfy(\.isWhitespace), label.utf8.count <= 256 else {
      throw VaultError(.label, expected: .bytes(1...256))
    }
  }

  /// - Throws: ``EnrollmentError``; ``VectorError``.
  mutating func take(shot index: Int, _ settings: VaultSettings) throws {
    let embedding = try fitting(index)
    let guards = FaceModel.guards(faceGuard, ofModel: model, dimension: embedding.dimension)
    guard guards.allSatisfy({ $0.admits(embedding.unit) }) else {
      throw EnrollmentError.notOneFace(index: index)
    }
    if templates.contains(where: { $0.embedding.unit == embedding.unit }) {
      report.warnings.append(.duplicate(index: index))
      return
    }
    try compareWithEnrolled(embedding, index)
    // The cosine with (1, 1, …, 1): how much of the direction is one constant in every component.
    let share =
      abs(embedding.unit.reduce(0) { $0 + Double($1) }) / Double(embedding.dimension).squareRoot()
    if share > 0.5 { report.warnings.append(.offset(index: index, share: share)) }
    for other in fresh {
      let similarity = try Similarity.cosine(embedding, other.embedding)
      if similarity < threshold {
        report.warnings.append(
          .dissimilar(
            index: index, other: other.index, similarity: similarity, threshold: threshold))
      }
    }
    fresh.append((index, embedding))
    let label = registration.label ?? "shot \(templates.count + 1)"
    let template = FaceTemplate(
      id: EntryID.random(settings.randomness).description, label: label, embedding: embedding,
      created: settings.now())
    templates.append(template)
    report.enrolled.append(EnrolledFace(template))
  }

  /// A shot of the model and dimension that all of them have.
  private func fitting(_ index: Int) throws -> Embedding {
    let source = "shot \(index + 1)"
    let embedding = try registration.embeddings[index].assigned(to: model, source: source)
    for expected in [set?.dimension, registration.embeddings.first?.dimension].compactMap(\.self)
    where embedding.dimension != expected {
      throw VectorError(
        .dimensionMismatch(found: embedding.dimension, expected: expected), in: source)
    }
    return embedding
  }

  /// Another face than the one enrolled is taken only where that was asked for.
  private mutating func compareWithEnrolled(_ embedding: Embedding, _ index: Int) throws {
    guard let set else { return }
    let similarity = try Probe([embedding]).score(against: set.templates)
    guard similarity < threshold else { return }
    guard registration.force else {
      throw EnrollmentError.unlike(index: index, similarity: similarity, threshold: threshold)
    }
    report.warnings.append(.forced(index: index, similarity: similarity, threshold: threshold))
  }
}
