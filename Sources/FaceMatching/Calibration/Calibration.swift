internal import Synchronization

/// Faces with the name of whose they are, the shots of one person side by side.
package struct LabelledFaces: Sendable {
  package let embeddings: [Embedding]
  /// For each embedding the index of its person in ``persons``: never falling.
  package let person: [Int]
  package let persons: [String]

  package init(_ faces: [(person: String, embedding: Embedding)]) {
    var index: [String: Int] = [:]
    var persons: [String] = []
    var shots: [[Embedding]] = []
    for face in faces {
      if let known = index[face.person] {
        shots[known].append(face.embedding)
      } else {
        index[face.person] = persons.count
        persons.append(face.person)
        shots.append([face.embedding])
      }
    }
    self.persons = persons
    embeddings = shots.flatMap(\.self)
    person = shots.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element.count) }
  }

  /// For each person the indices of their embeddings.
  var shots: [Range<Int>] {
    var shots: [Range<Int>] = []
    for (index, person) in person.enumerated() {
      if person == shots.count { shots.append(index..<index) }
      shots[person] = shots[person].lowerBound..<(index + 1)
    }
    return shots
  }
}

/// What a model's scores are worth on somebody's faces.
///
/// FMR: the share of pairs of different persons that a threshold accepts; FNMR: the share of pairs of one
/// person it refuses. A score is accepted when it is at or above the threshold.
package struct Calibration: Sendable {
  package struct Point: Sendable, Equatable {
    package let threshold: Double
    package let fmr: Double
    package let fnmr: Double
  }

  package struct Threshold: Sendable, Equatable {
    /// The false match rate asked for.
    package let fmr: Double
    /// The least threshold that keeps it, nil when there are too few pairs to say.
    package let threshold: Double?
    /// A 95 % interval over persons: how far the choice of persons moves the threshold.
    package let low: Double?
    package let high: Double?
  }

  package let genuine: Int
  package let impostor: Int
  package let eer: Double
  package let eerThreshold: Double
  /// For a DET curve, by falling threshold.
  package let points: [Point]
  package let thresholds: [Threshold]
  /// Of the persons with more than one shot, at ``suggested``.
  package private(set) var perPerson: [(person: String, fnmr: Double)]
  /// The threshold at which those stand.
  package private(set) var perPersonThreshold = 0.0
  package private(set) var suggested: Double?
  private let genuineByPerson: [(person: String, scores: [Float])]
  /// The smallest false match rate that so many pairs can show: with none in n seen, the rate is under
  /// 3/n with 95 % certainty.
  package var leastRate: Double { impostor > 0 ? 3 / Double(impostor) : 1 }

  package let genuineScores: ScoreHistogram
  package let impostorScores: ScoreHistogram

  /// The rates of a report.
  package static let rates = [1e-2, 1e-3, 1e-4]

  /// Builds the report from scores already counted.
  ///
  /// - Parameters:
  ///   - genuineByPerson: every genuine score of each person.
  init(
    persons: [String], genuineByPerson: [[Float]], impostors: ImpostorScores,
    impostorsByPerson: [Int], targetFMR: Double
  ) {
    var genuineScores = ScoreHistogram()
    for scores in genuineByPerson { for score in scores { genuineScores.add(score) } }
    self.genuineScores = genuineScores
    let tail = ImpostorTail(impostors.highest, persons: persons.count)
    let impostors = impostors.histogram
    impostorScores = impostors
    genuine = genuineScores.total
    impostor = impostors.total

    // Every observed score from the highest down is a threshold.
    let curve = Self.curve(genuineScores, impostors)
    let best = curve.min { abs($0.fmr - $0.fnmr) < abs($1.fmr - $1.fnmr) }
    eer = best.map { ($0.fmr + $0.fnmr) / 2 } ?? 0
    eerThreshold = best?.threshold ?? 0
    points = Self.thinned(curve)

    var thresholds: [Threshold] = []
    let wanted = Array(Set(Self.rates + [targetFMR])).sorted(by: >)
    for rate in wanted {
      guard impostors.total > 0, rate >= 3 / Double(impostors.total) else {
        thresholds.append(Threshold(fmr: rate, threshold: nil, low: nil, high: nil))
        continue
      }
      let all = tail.threshold(pairs: impostors.total, rate: rate)
      // Delete-one-person jackknife: pairs of one person are correlated, so pairs are not a random sample.
      let without = persons.indices.compactMap { person in
        tail.threshold(
          pairs: impostors.total - impostorsByPerson[person], rate: rate, without: person)
      }
      let count = Double(without.count)
      let mean = without.reduce(0, +) / max(1, count)
      let spread =
        without.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * (count - 1) / max(1, count)
      let error = 1.96 * spread.squareRoot()
      thresholds.append(
        Threshold(
          fmr: rate, threshold: all, low: all.map { max(-1, $0 - error) },
          high: all.map { min(1, $0 + error) }))
    }
    self.thresholds = thresholds
    suggested = thresholds.first { $0.fmr == targetFMR }?.threshold
    self.genuineByPerson = zip(persons, genuineByPerson).filter { !$0.1.isEmpty }.map {
      (person: $0.0, scores: $0.1)
    }
    perPerson = []
    countByPerson(at: suggested ?? eerThreshold)
  }

  private mutating func countByPerson(at threshold: Double) {
    perPersonThreshold = threshold
    perPerson = genuineByPerson.map { name, scores in
      let refused = scores.count { Double($0) < threshold - 1e-12 }
      return (name, Double(refused) / Double(scores.count))
    }.sorted { $0.fnmr == $1.fnmr ? $0.person < $1.person : $0.fnmr < $1.fnmr }
  }

  /// Suggests a higher threshold than the false match rate alone asks for.
  package mutating func raise(to threshold: Double) {
    suggested = max(threshold, suggested ?? threshold)
    countByPerson(at: suggested ?? threshold)
  }

  private static func curve(_ genuine: ScoreHistogram, _ impostor: ScoreHistogram) -> [Point] {
    let (genuines, impostors) = (genuine.descending(), impostor.descending())
    var points: [Point] = []
    points.reserveCapacity(genuines.count + impostors.count)
    var (matched, accepted) = (0, 0)
    var (next, other) = (0, 0)
    while next < genuines.count || other < impostors.count {
      let bin = max(
        next < genuines.count ? genuines[next].bin : -1,
        other < impostors.count ? impostors[other].bin : -1)
      if next < genuines.count, genuines[next].bin == bin {
        matched = genuines[next].atOrAbove
        next += 1
      }
      if other < impostors.count, impostors[other].bin == bin {
        accepted = impostors[other].atOrAbove
        other += 1
      }
      points.append(
        Point(
          threshold: ScoreHistogram.threshold(accepting: bin),
          fmr: impostor.total == 0 ? 0 : Double(accepted) / Double(impostor.total),
          fnmr: genuine.total == 0 ? 0 : 1 - Double(matched) / Double(genuine.total)))
    }
    return points
  }

  /// At most about 200 points, those where anything changes much kept.
  private static func thinned(_ curve: [Point]) -> [Point] {
    guard curve.count > 200 else { return curve }
    var kept: [Point] = []
    for point in curve {
      guard let last = kept.last else {
        kept.append(point)
        continue
      }
      func far(_ a: Double, _ b: Double) -> Bool {
        abs(a - b) > 0.01 || (a > 0) != (b > 0) || max(a, b) > 1.15 * min(a, b)
      }
      if far(point.fmr, last.fmr) || abs(point.fnmr - last.fnmr) > 0.01 { kept.append(point) }
    }
    if let end = curve.last, kept.last != end { kept.append(end) }
    return kept
  }
}

extension Calibration {
  /// Scores every pair of single shots, in one pass: scores go into histograms as they come, and the highest
  /// of the impostors, which the intervals need, are kept with their persons. Nothing is as large as the
  /// matrix. Many vectors are divided among `threads`.
  package static func single(
    _ faces: LabelledFaces, targetFMR: Double = 1e-3, threads: Int = 1
  ) throws(VectorError) -> Calibration {
    let counts = count(
      try VectorBank(faces.embeddings), faces, targetFMR: targetFMR, threads: threads)
    return Calibration(
      persons: faces.persons, genuineByPerson: counts.genuine, impostors: counts.impostors,
      impostorsByPerson: faces.shots.map { $0.count * (faces.person.count - $0.count) },
      targetFMR: targetFMR)
  }

  /// What one pass over pairs counts.
  package struct Counts: Sendable {
    package var impostors: ImpostorScores
    var genuine: [[Float]]
  }

  /// The fused pass.
  package static func count(
    _ bank: VectorBank, _ faces: LabelledFaces, targetFMR: Double = 1e-3, threads: Int = 1
  ) -> Counts {
    let person = faces.person
    // One past the last shot of the person whose shot this is: shots before it are of the same one.
    var end = [Int](repeating: person.count, count: person.count)
    for index in person.indices.dropLast().reversed() {
      end[index] = person[index] == person[index + 1] ? end[index + 1] : index + 1
    }
    let ends = end
    let empty = Counts(
      impostors: ImpostorScores(pairs: person.count * (person.count - 1) / 2, targetFMR: targetFMR),
      genuine: [[Float]](repeating: [], count: faces.persons.count))
    let parts = Mutex<[Counts]>([])
    VectorBank.perform(threads) { thread in
      var counts = empty
      // Interleaved, because the triangle's rows grow shorter.
      unsafe bank.eachTile(blocks: stride(from: thread, to: bank.blockCount, by: threads)) {
        rows, columns, tile in
        let persons = person[columns]
        // Shots of one person are side by side, so almost every tile holds impostors alone.
        if ends[rows.upperBound - 1] <= columns.lowerBound, columns.count == VectorBank.width {
          return unsafe counts.impostors.add(
            UnsafeBufferPointer(tile), of: person[rows], with: persons)
        }
        for row in rows {
          let line = unsafe UnsafeBufferPointer(
            rebasing: tile[((row - rows.lowerBound) * VectorBank.width)...].prefix(columns.count))
          let others = min(max(ends[row], columns.lowerBound), columns.upperBound)
          for column in columns.clamped(to: row + 1..<max(others, row + 1)) {
            let score = unsafe line[column - columns.lowerBound]
            counts.genuine[person[row]].append(min(1, max(-1, score)))
          }
          if others < columns.upperBound {
            unsafe counts.impostors.add(
              UnsafeBufferPointer(rebasing: line[(others - columns.lowerBound)...]),
              of: person[row...row], with: persons[others...])
          }
        }
      }
      let done = counts
      parts.withLock { $0.append(done) }
    }
    return parts.withLock { parts in
      guard var whole = parts.first else { return empty }
      for part in parts.dropFirst() {
        whole.impostors.add(part.impostors)
        for index in whole.genuine.indices { whole.genuine[index] += part.genuine[index] }
      }
      return whole
    }
  }
}
