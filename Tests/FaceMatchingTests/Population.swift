@testable import FaceMatching

/// Synthetic persons for measuring.
enum Population {
  /// Persons as directions, shots as those with noise, and a constant in every component.
  static func faces(
    persons: Int, shots: Int, noise: Float, offset: Float = 0, seed: UInt64 = 1
  ) throws -> LabelledFaces {
    var random = Seeded(state: seed)
    func deviate() -> Float {
      (0..<6).reduce(0) { sum, _ in sum + Float.random(in: -1...1, using: &random) } / 1.41
    }
    return LabelledFaces(
      try (0..<persons).flatMap { person in
        let face = (0..<64).map { _ in deviate() }
        return try (0..<shots).map { _ in
          ("p\(person)", try Embedding(face.map { $0 + noise * deviate() + offset }))
        }
      })
  }
}
