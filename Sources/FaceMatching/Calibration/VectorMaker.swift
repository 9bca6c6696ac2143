/// Makes unit vectors that many faces are near to, on the guard's side of it where there is one.
struct VectorMaker {
  /// Persons that the ascent looks at: more change where it goes by less than they cost.
  private static let personLimit = 500
  private static let steps = 30

  private let faceGuard: FaceGuard?
  private var random: SplitMix64

  init(_ faceGuard: FaceGuard?, _ random: SplitMix64) {
    self.faceGuard = faceGuard
    self.random = random
  }

  /// The nearest unit vector that the guard admits.
  func guarded(_ vector: [Float]) -> [Float] {
    let unit = normalized(vector)
    guard let faceGuard else { return unit }
    // A little to the right side: rounding must not put it on the wrong one.
    let bound = faceGuard.frameBound - 1e-6
    let cosine = Similarity.dot(unit, faceGuard.mean)
    guard cosine > bound else { return unit }
    let beside = normalized(zip(unit, faceGuard.mean).map { $0 - Float(cosine) * $1 })
    let height = max(0, 1 - bound * bound).squareRoot()
    return normalized(zip(faceGuard.mean, beside).map { Float(bound) * $0 + Float(height) * $1 })
  }

  /// The centres of clusters by spherical k-means.
  mutating func centres(of units: [[Float]], count: Int) -> [[Float]] {
    var centres = Array(units.shuffled(using: &random).prefix(count))
    for _ in 0..<10 {
      var sums = [[Float]](
        repeating: [Float](repeating: 0, count: units[0].count), count: centres.count)
      for unit in units {
        var nearest = 0
        var best = -2.0
        for (index, centre) in centres.enumerated() {
          let score = Similarity.dot(unit, centre)
          if score > best { (nearest, best) = (index, score) }
        }
        add(unit, 1, to: &sums[nearest])
      }
      // An empty cluster keeps its centre.
      for index in centres.indices where sums[index].contains(where: { $0 != 0 }) {
        centres[index] = normalized(sums[index])
      }
    }
    return centres.map(guarded)
  }

  /// Vectors one after another, each for those that the ones before do not open.
  mutating func greedy(
    against persons: [Target], threshold: Double, count: Int, from centres: [[Float]]
  ) -> [[Float]] {
    var closed = Array(persons.shuffled(using: &random).prefix(Self.personLimit))
    var made: [[Float]] = []
    for _ in 0..<count {
      guard !closed.isEmpty else { break }
      let starts =
        centres.prefix(5)
        + closed.shuffled(using: &random).prefix(2).map { guarded($0.rows[0]) }
      var best: (vector: [Float], opened: Int, near: Double)?
      for start in starts {
        let found = climb(from: start, closed, threshold)
        if best == nil || (found.opened, found.near) > (best!.opened, best!.near) { best = found }
      }
      guard let best else { break }
      made.append(best.vector)
      closed.removeAll { Self.score(best.vector, $0).score >= threshold }
    }
    return made
  }

  private func climb(
    from start: [Float], _ persons: [Target], _ threshold: Double
  ) -> (vector: [Float], opened: Int, near: Double) {
    var vector = start
    var best: (vector: [Float], opened: Int, near: Double) = (start, -1, 0)
    var width = 0.0
    for step in 0...Self.steps {
      let scores = persons.map { Self.score(vector, $0) }
      if step == 0 {
        let mean = scores.reduce(0) { $0 + $1.score } / Double(scores.count)
        let spread = scores.reduce(0) { $0 + ($1.score - mean) * ($1.score - mean) }
        // First all that could be opened count, in the end those that nearly are.
        width = 2 * max((spread / Double(scores.count)).squareRoot(), 1e-4)
      }
      var gradient = [Float](repeating: 0, count: vector.count)
      var opened = 0
      var near = 0.0
      for (score, row) in scores {
        if score >= threshold { opened += 1 }
        // A sigmoid without an exponential, whose slope does not vanish far away.
        let away = (score - threshold) / width
        near += away / (1 + abs(away))
        let slope = 1 / (1 + abs(away))
        add(row, Float(slope * slope), to: &gradient)
      }
      if (opened, near) > (best.opened, best.near) { best = (vector, opened, near) }
      guard gradient.contains(where: { $0 != 0 }), step < Self.steps else { break }
      let way = normalized(gradient)
      let length = Float(0.4 * (1 - Double(step) / Double(Self.steps)) + 0.02)
      vector = guarded(zip(vector, way).map { $0 + length * $1 })
      width = max(width * 0.9, 1e-5)
    }
    return best
  }

  private static func score(_ vector: [Float], _ target: Target) -> (score: Double, row: [Float]) {
    var best = (score: -2.0, row: target.rows[0])
    for row in target.rows {
      let score = Similarity.dot(vector, row)
      if score > best.score { best = (score, row) }
    }
    return best
  }
}

private func normalized(_ vector: [Float]) -> [Float] {
  let length = Similarity.dot(vector, vector).squareRoot()
  guard length > 0 else { return vector }
  let scale = Float(1 / length)
  return vector.map { $0 * scale }
}

private func add(_ vector: [Float], _ weight: Float, to sum: inout [Float]) {
  for index in sum.indices { sum[index] += weight * vector[index] }
}
