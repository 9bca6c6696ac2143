/// How several similarities become one score.
public enum Scoring: UInt8, Sendable, CaseIterable, Codable {
  /// The mean over all template–frame pairs: never raises the false match rate of a threshold known
  /// for one picture against one.
  case average = 0
  /// Cosine between the mean direction of the templates and that of the frames, less what the frames are nearer to the
  /// model's mean face than the templates are, times the guard's ``FaceGuard/weight``.
  ///
  /// What all faces have in common says nothing of whose this is; a vector made to pass has more of it than anybody.
  case meanDirection = 1
  /// The largest of all pairs.
  case bestOf = 2
}

/// Several shots of one face, ready to be scored.
package struct Shots: Sendable {
  let units: [[Float]]
  let mean: [Float]
  let length: Double
  /// The cosine of their mean direction with the mean face, times its weight.
  private(set) var nearness = 0.0

  package init(_ units: [[Float]], _ faceGuard: FaceGuard? = nil) {
    self.units = units
    mean = Similarity.mean(of: units)
    length = Similarity.dot(mean, mean).squareRoot()
    if let faceGuard, faceGuard.weight > 0 {
      nearness = faceGuard.weight * (cosine(to: faceGuard.mean) ?? 0)
    }
  }

  /// The cosine of their mean direction with a unit vector; nil when they cancel out.
  func cosine(to unit: [Float]) -> Double? {
    length > 0 ? Similarity.dot(mean, unit) / length : nil
  }

  /// The score of a probe's shots against these, which are enrolled, in [−1, 1].
  package func score(_ other: Shots, by scoring: Scoring) -> Double {
    let score: Double
    switch scoring {
    case .average: score = Similarity.dot(mean, other.mean)
    case .meanDirection:
      let lengths = length * other.length
      score =
        lengths > 0 ? Similarity.dot(mean, other.mean) / lengths - (other.nearness - nearness) : -1
    case .bestOf:
      var best = -1.0
      for one in units { for two in other.units { best = max(best, Similarity.dot(one, two)) } }
      score = best
    }
    return min(1, max(-1, score))
  }
}
