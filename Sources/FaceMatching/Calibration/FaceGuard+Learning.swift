extension FaceGuard {
  /// Of real faces, one probe in so many may be refused.
  private static let refusedShare = 0.001

  /// Learns the mean face of a model and how near to it real faces come.
  ///
  /// The mean is over persons, each by the mean of his pictures, so that who has many counts once.
  ///
  /// - Parameter frames: how many frames a probe has.
  /// - Returns: nil when nobody has two pictures: how much those resemble one another is not known then.
  package static func learned(from faces: LabelledFaces, frames: Int = 1) -> FaceGuard? {
    let shots = faces.shots.map { faces.embeddings[$0].map(\.unit) }
    let mean = Similarity.mean(of: shots.map(Similarity.mean))
    guard let unit = try? Embedding(mean).unit else { return nil }
    var together: [Double] = []
    var pairs: [Double] = []
    var random = SplitMix64(state: 1)
    for own in shots where own.count >= 2 {
      // Of who has very many pictures a part tells enough.
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
      likeness: -high(pairs.map { -$0 }, refusedShare / Double(max(1, frames * (frames - 1) / 2))))
  }

  /// The value above which at most `share` of the values lie, and a little more: what was seen must pass.
  private static func high(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return -1 }
    let index = sorted.count - 1 - Int(share * Double(sorted.count))
    return min(1, max(-1, (sorted.indices.contains(index) ? sorted[index] : last) + 1e-6))
  }
}
