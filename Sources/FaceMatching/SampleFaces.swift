internal import CSimilarity

/// The synthetic faces in `Keys/faces`. They are made from seeds alone and belong to no person.
///
/// A person is a direction: 128 normal deviates from SplitMix64 (by Box and Muller), seeded with the
/// person's number. A shot adds normal deviates half as large, seeded with person and shot, and is
/// scaled to a length of 10 to 14 as raw embeddings are.
package enum SampleFaces {
  package static let dimension = 128

  package static func shot(person: UInt64, shot: UInt64) -> [Float] {
    let face = deviates(seed: person)
    let noise = deviates(seed: person * 1000 + shot)
    let raw = zip(face, noise).map { $0 + 0.5 * $1 }
    let norm = raw.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let length = 10 + Double(shot % 5)
    return raw.map { Float($0 / norm * length) }
  }

  /// The shots that stand in `Keys/faces`, and so in everybody's hands.
  private static let published: [(person: UInt64, shot: UInt64)] = [
    (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1),
  ]

  private static let publishedUnits: [[Float]] = published.map {
    let shot = shot(person: $0.person, shot: $0.shot)
    let norm = Similarity.dot(shot, shot).squareRoot()
    return shot.map { Float(Double($0) / norm) }
  }

  /// Cosine from which two vectors are one: what another scale, and another width of the numbers, leave of 1.
  private static let same = 0.9999

  /// Whether a vector is one of the samples, in whatever form and length.
  package static func contains(_ embedding: Embedding) -> Bool {
    embedding.dimension == dimension
      && publishedUnits.contains { Similarity.dot($0, embedding.unit) >= same }
  }

  private static func deviates(seed: UInt64) -> [Double] {
    var state = seed
    func uniform() -> Double {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      z ^= z >> 31
      return (Double(z >> 11) + 0.5) * 0x1p-53
    }
    return (0..<dimension).map { _ in
      csimilarity_normal(uniform(), uniform())
    }
  }
}
