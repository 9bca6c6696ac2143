internal import CSimilarity

/// The synthetic faces in `Keys/faces`: no person's, made from seeds alone.
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
