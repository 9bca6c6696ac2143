extension FaceGuard {
  /// The share of real probes that may be refused.
  private static let refusedShare = 0.0003

  /// Learns the mean face of a model and how near to it real faces come.
  ///
  /// The mean is over persons, each by the mean of their pictures, so that a person with many counts once.
  ///
  /// - Parameters:
  ///   - enroll: how many shots are enrolled; 0 where a score is an average, which is not weighed.
  ///   - frames: how many frames a probe has.
  /// - Returns: nil when nobody has two pictures: how much those resemble one another is not known then.
  package static func learned(from faces: LabelledFaces, enroll: Int = 0, frames: Int = 1)
    -> FaceGuard?
  {
    let shots = faces.shots.map { faces.embeddings[$0].map(\.unit) }
    let mean = Similarity.mean(of: shots.map(Similarity.mean))
    guard let unit = try? Embedding(mean).unit else { return nil }
    var together: [Double] = []
    var pairs: [Double] = []
    var random = SplitMix64(state: 1)
    for own in shots where own.count >= 2 {
      // Of a person with very many pictures, a part is enough.
      let some = own.shuffled(using: &random).prefix(64)
      for (index, one) in some.enumerated() {
        for other in some[(index + 1)...] { pairs.append(Similarity.dot(one, other)) }
      }
      guard own.count >= frames else { continue }
      for _ in 0..<(frames == 1 ? 0 : 200) {
        let group = Shots(Array(own.shuffled(using: &random).prefix(frames)))
        if let cosine = group.cosine(to: unit) { together.append(cosine) }
      }
    }
    guard !pairs.isEmpty else { return nil }
    let single = faces.embeddings.map { Similarity.dot($0.unit, unit) }
    let frameBound = high(single, refusedShare / Double(frames))
    return try? FaceGuard(
      mean: unit, frameBound: frameBound,
      probeBound: max(frameBound, high(together, refusedShare / 2)),
      likeness: -high(pairs.map { -$0 }, refusedShare / Double(max(1, frames * (frames - 1) / 2))),
      weight: enroll == 0 ? 0 : weight(shots, unit, enroll: enroll, frames: frames))
  }

  /// How much being near to the mean face counts against a probe.
  ///
  /// Directions gather around the mean face, and around each person, as von Mises–Fisher distributions do, whose
  /// concentration is about r/(1 − r²) for a mean cosine r. The logarithm of how much likelier a probe u is of a person T
  /// than of anybody is then, but for constants, u·T − λ u·μ with λ the ratio of the two concentrations.
  private static func weight(
    _ shots: [[[Float]]], _ mean: [Float], enroll: Int, frames: Int
  ) -> Double {
    var random = SplitMix64(state: 2)
    var toMean: [Double] = []
    var toOwner: [Double] = []
    for own in shots where own.count >= enroll + frames {
      var sums = (toMean: 0.0, toOwner: 0.0)
      let draws = 50
      for _ in 0..<draws {
        let mixed = own.shuffled(using: &random)
        let enrolled = Shots(Array(mixed[..<enroll]))
        let probe = Shots(Array(mixed[enroll..<(enroll + frames)]))
        sums.toMean += probe.cosine(to: mean) ?? 0
        sums.toOwner += enrolled.score(probe, by: .meanDirection)
      }
      toMean.append(sums.toMean / Double(draws))
      toOwner.append(sums.toOwner / Double(draws))
    }
    guard !toMean.isEmpty else { return 0 }
    func concentration(_ cosines: [Double]) -> Double {
      let mean = min(1 - 1e-9, max(0, cosines.reduce(0, +) / Double(cosines.count)))
      return mean / (1 - mean * mean)
    }
    let own = concentration(toOwner)
    return own > 0 ? min(1, concentration(toMean) / own) : 0
  }

  /// The value above which at most `share` of the values lie, and a little more: what was seen must pass.
  private static func high(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return -1 }
    let index = sorted.count - 1 - Int(share * Double(sorted.count))
    return min(1, max(-1, (sorted.indices.contains(index) ? sorted[index] : last) + 1e-6))
  }
}
