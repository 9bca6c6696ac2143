internal import CSimilarity

/// Makes unit vectors that many faces are near to, within the guard's bound where there is one.
struct VectorMaker {
  /// The most persons that the ascent uses: more would cost time and hardly change the result.
  private static let personLimit = 500
  private static let steps = 30

  private let faceGuard: FaceGuard?
  private let bound: Double
  private var random: SplitMix64

  /// - Parameter together: whether a vector stands for the mean direction of several frames, which may come nearer to
  ///   the mean face than each of them.
  init(_ faceGuard: FaceGuard?, together: Bool, _ random: SplitMix64) {
    self.faceGuard = faceGuard
    let bound = faceGuard.map { together ? max($0.frameBound, $0.probeBound) : $0.frameBound }
    // A little to the right side: rounding must not put it on the wrong one.
    self.bound = (bound ?? 1) - 1e-6
    self.random = random
  }

  /// The nearest unit vector that the guard admits.
  func guarded(_ vector: [Float]) -> [Float] {
    let unit = normalized(vector)
    guard let faceGuard else { return unit }
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
      let bank = TargetBank(closed)
      // The three that begin best: the others seldom end better.
      let ranked = starts.map { start in
        let scores = bank.scores(of: start)
        return (start, scores, scores.reduce(0) { $0 + max(0, $1 - threshold + 0.05) })
      }.sorted { $0.2 > $1.2 }
      for (start, scores, _) in ranked.prefix(3) {
        let found = climb(from: start, scores, bank, threshold)
        if best == nil || (found.opened, found.near) > (best!.opened, best!.near) { best = found }
      }
      guard let best else { break }
      made.append(best.vector)
      let scores = bank.scores(of: best.vector)
      closed = zip(closed, scores).filter { $0.1 < threshold }.map(\.0)
    }
    return made
  }

  /// - Parameter scores: of `start`, for each person.
  private func climb(
    from start: [Float], _ scores: [Double], _ persons: TargetBank, _ threshold: Double
  ) -> (vector: [Float], opened: Int, near: Double) {
    var vector = start
    var best: (vector: [Float], opened: Int, near: Double) = (start, -1, 0)
    let mean = scores.reduce(0, +) / Double(scores.count)
    let spread = scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    // First all that could be opened count, in the end those that nearly are.
    var width = 2 * max((spread / Double(scores.count)).squareRoot(), 1e-4)
    var gradient = [Float](repeating: 0, count: vector.count)
    for step in 0...Self.steps {
      for index in gradient.indices { gradient[index] = 0 }
      var opened = 0
      var near = 0.0
      persons.eachBest(of: vector, addingTo: &gradient) { score in
        if score >= threshold { opened += 1 }
        // A sigmoid without an exponential, whose slope does not vanish far away.
        let away = (score - threshold) / width
        let slope = 1 / (1 + abs(away))
        near += away * slope
        return Float(slope * slope)
      }
      if (opened, near) > (best.opened, best.near) { best = (vector, opened, near) }
      guard step < Self.steps else { break }
      let length = Float(0.4 * (1 - Double(step) / Double(Self.steps)) + 0.02)
      let scale = length / Float(max(Similarity.dot(gradient, gradient).squareRoot(), 1e-12))
      add(gradient, scale, to: &vector)
      vector = guarded(vector)
      width = max(width * 0.9, 1e-5)
    }
    return best
  }
}

/// The rows that persons are scored by, side by side in memory.
private struct TargetBank {
  private let dimension: Int
  private let rows: [Float]
  /// The first row of each person, and the end.
  private let first: [Int]
  private let offsets: [Double]

  init(_ targets: [Target]) {
    dimension = targets[0].rows[0].count
    offsets = targets.map(\.offset)
    rows = targets.flatMap { $0.rows.flatMap(\.self) }
    first = targets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.rows.count) }
  }

  /// The best score of each person.
  func scores(of vector: [Float]) -> [Double] {
    var scores: [Double] = []
    scores.reserveCapacity(offsets.count)
    var none: [Float] = []
    eachBest(of: vector, addingTo: &none) {
      scores.append($0)
      return nil
    }
    return scores
  }

  /// Calls `body` with the best score of each person, and adds the row that has it, times what `body` returns, to `sum`
  /// while the row is still near the processor.
  func eachBest(
    of vector: [Float], addingTo sum: inout [Float], _ body: (_ score: Double) -> Float?
  ) {
    precondition(vector.count == dimension)
    unsafe vector.withUnsafeBufferPointer { vector in
      unsafe rows.withUnsafeBufferPointer { rows in
        unsafe sum.withUnsafeMutableBufferPointer { sum in
          for person in offsets.indices {
            var best = (score: -2.0, row: first[person])
            for row in first[person]..<first[person + 1] {
              let score =
                unsafe csimilarity_dot(
                  vector.baseAddress!, rows.baseAddress! + row * dimension, dimension)
                + offsets[person]
              if score > best.score { best = (score, row) }
            }
            guard let weight = body(best.score) else { continue }
            precondition(sum.count == dimension)
            unsafe csimilarity_add(
              rows.baseAddress! + best.row * dimension, weight, sum.baseAddress!, dimension)
          }
        }
      }
    }
  }
}

private func normalized(_ vector: [Float]) -> [Float] {
  let length = Similarity.dot(vector, vector).squareRoot()
  guard length > 0 else { return vector }
  let scale = Float(1 / length)
  return vector.map { $0 * scale }
}

private func add(_ vector: [Float], _ weight: Float, to sum: inout [Float]) {
  precondition(vector.count == sum.count)
  unsafe vector.withUnsafeBufferPointer { vector in
    unsafe sum.withUnsafeMutableBufferPointer { sum in
      guard let from = vector.baseAddress, let to = sum.baseAddress else { return }
      unsafe csimilarity_add(from, weight, to, sum.count)
    }
  }
}
