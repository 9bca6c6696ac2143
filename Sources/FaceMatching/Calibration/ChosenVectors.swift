internal import Synchronization

/// What vectors made from public faces open: persons are split at random again and again, vectors are made from one half
/// and tried on owners from the other.
package struct ChosenVectors: Sendable {
  /// How an attacker who has many faces, but not the owner's, makes their tries.
  package enum Strategy: String, CaseIterable, Sendable {
    /// The centres of as many clusters of their faces as there are tries.
    case centres
    /// The mean of all of them, then centres.
    case mean
    /// Vectors that open as many of the attacker's persons as possible, one after another, by gradient ascent.
    case greedy
    /// Frames of different persons near a centre.
    case crowd
  }

  /// The best score of each owner's tries, a strategy at a time.
  package struct Scores: Sendable {
    fileprivate var best: [Strategy: [(person: Int, score: Double)]] = [:]
    package let tries: Int
    /// Nobody could be an owner.
    var isEmpty: Bool { best.isEmpty }

    /// The share of owners that a threshold opens, by the strongest strategy.
    package func share(at threshold: Double) -> Share {
      Strategy.allCases.map { share(at: threshold, $0) }.max { $0.share < $1.share }
        ?? Share(share: 0, low: 0, high: 1, owners: 0, strategy: .centres)
    }

    package func share(at threshold: Double, _ strategy: Strategy) -> Share {
      let rates = byPerson(strategy).map { scores in
        Double(scores.count { $0 >= threshold }) / Double(scores.count)
      }
      return Share(rates, strategy)
    }

    /// The least threshold at which no strategy opens more than `target`.
    func threshold(for target: Double) -> Double {
      Strategy.allCases.map { strategy in
        let owners = byPerson(strategy)
        var weighed: [(score: Double, weight: Double)] = []
        for scores in owners {
          let weight = 1 / Double(scores.count * owners.count)
          weighed += scores.map { (score: $0, weight: weight) }
        }
        weighed.sort { $0.score > $1.score }
        var opened = 0.0
        for (score, weight) in weighed {
          opened += weight
          if opened > target + 1e-12 { return min(1, score + ScoreHistogram.resolution) }
        }
        return -1
      }.max() ?? -1
    }

    private func byPerson(_ strategy: Strategy) -> [[Double]] {
      var scores: [Int: [Double]] = [:]
      for (person, score) in best[strategy] ?? [] { scores[person, default: []].append(score) }
      return Array(scores.values)
    }
  }

  /// A share of owners, with a 95 % interval over persons.
  package struct Share: Sendable, Equatable {
    package let share: Double
    package let low: Double
    package let high: Double
    /// How many different owners there were.
    package let owners: Int
    package let strategy: Strategy

    fileprivate init(share: Double, low: Double, high: Double, owners: Int, strategy: Strategy) {
      self.share = share
      self.low = low
      self.high = high
      self.owners = owners
      self.strategy = strategy
    }

    fileprivate init(_ rates: [Double], _ strategy: Strategy) {
      let count = Double(rates.count)
      let mean = rates.isEmpty ? 0 : rates.reduce(0, +) / count
      let spread = rates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
      let error = 1.96 * (spread / max(1, count)).squareRoot()
      // Nothing seen in n is under 3/n with 95 % certainty.
      self.init(
        share: mean, low: max(0, mean - error),
        high: min(1, max(mean + error, 3 / max(1, count))), owners: rates.count,
        strategy: strategy)
    }
  }

  private let faces: LabelledFaces
  private let shots: [Range<Int>]
  private let scoring: Scoring
  private let enroll: Int
  private let frames: Int
  private let tries: Int
  private let splits: Int
  private let seed: UInt64

  /// - Parameters:
  ///   - enroll: shots as enrolled; owners are persons with at least so many.
  ///   - frames: frames of a try.
  ///   - seed: the same seed draws the same.
  package init(
    _ faces: LabelledFaces, scoring: Scoring, enroll: Int, frames: Int,
    tries: Int = FaceLockout.tries,
    splits: Int? = nil, seed: UInt64 = 1
  ) {
    self.faces = faces
    shots = faces.shots
    self.scoring = scoring
    self.enroll = enroll
    self.frames = frames
    self.tries = tries
    self.splits = splits ?? (faces.embeddings.count > 1000 ? 8 : 80)
    self.seed = seed
  }

  /// A threshold that holds, and what is opened there.
  package struct Holding: Sendable {
    package let threshold: Double
    package let withGuard: Scores
    package let withoutGuard: Scores
  }

  /// Raises `threshold` until no strategy, made for the threshold it meets, opens more than `target` of owners.
  ///
  /// - Parameter isWorthwhile: whether a threshold so high is still wanted; nil is returned when it is not.
  package func hold(
    from threshold: Double, target: Double, faceGuard: FaceGuard?, threads: Int = 1,
    isWorthwhile: (Double) -> Bool = { _ in true }, progress: (Int, Int) -> Void = { _, _ in }
  ) -> Holding? {
    let rounds = 6
    var threshold = threshold
    var tooLow: Double?
    var scores = attack(threshold, faceGuard, threads: threads)
    for round in 1...rounds {
      progress(round, 2 * rounds)
      guard scores.share(at: threshold).share > target else { break }
      tooLow = threshold
      threshold = min(
        1, max(threshold + ScoreHistogram.resolution, scores.threshold(for: target)))
      guard isWorthwhile(threshold) else { return nil }
      scores = attack(threshold, faceGuard, threads: threads)
    }
    // The last step may have gone too far: vectors made for a higher threshold open less at a lower one.
    for round in 1...rounds {
      progress(rounds + round, 2 * rounds)
      guard let low = tooLow, threshold - low > 4 * ScoreHistogram.resolution else { break }
      let middle = (low + threshold) / 2
      let tried = attack(middle, faceGuard, threads: threads)
      if tried.share(at: middle).share > target {
        tooLow = middle
      } else {
        (threshold, scores) = (middle, tried)
      }
    }
    let open = faceGuard == nil ? scores : attack(threshold, nil, threads: threads)
    progress(2 * rounds, 2 * rounds)
    return Holding(threshold: threshold, withGuard: scores, withoutGuard: open)
  }

  /// What vectors made for `threshold` score.
  package func attack(_ threshold: Double, _ faceGuard: FaceGuard?, threads: Int = 1) -> Scores {
    let parts = Mutex<[Int: [Strategy: [(person: Int, score: Double)]]]>([:])
    VectorBank.perform(threads) { thread in
      for split in stride(from: thread, to: splits, by: threads) {
        let part = self.split(split, threshold, faceGuard)
        parts.withLock { $0[split] = part }
      }
    }
    var scores = Scores(tries: tries)
    parts.withLock { parts in
      for split in 0..<splits {
        for (strategy, list) in parts[split] ?? [:] {
          scores.best[strategy, default: []] += list
        }
      }
    }
    return scores
  }

  private func split(
    _ number: Int, _ threshold: Double, _ faceGuard: FaceGuard?
  ) -> [Strategy: [(person: Int, score: Double)]] {
    var random = SplitMix64(state: seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
    let persons = faces.persons.indices.shuffled(using: &random)
    let known = persons[..<(persons.count / 2)]
    let owners = persons[(persons.count / 2)...].filter { shots[$0].count >= enroll }
    guard !known.isEmpty, !owners.isEmpty else { return [:] }
    let units = known.flatMap { shots[$0] }.map { faces.embeddings[$0].unit }
    var maker = VectorMaker(
      faceGuard, together: scoring == .meanDirection && frames > 1, random)
    // As many frames as count may each be another vector, where the best of them is what counts.
    let count = scoring == .bestOf ? tries * frames : tries
    let centres = maker.centres(of: units, count: count)
    let made: [Strategy: [Shots]] = [
      .centres: centres.map { Shots([$0], faceGuard) },
      .mean: ([maker.guarded(Similarity.mean(of: units))] + centres.prefix(count - 1)).map {
        Shots([$0], faceGuard)
      },
      .greedy: maker.greedy(
        against: known.map { person in
          Target(
            Shots(
              shots[person].shuffled(using: &random).prefix(enroll).map {
                faces.embeddings[$0].unit
              }, faceGuard),
            scoring, faceGuard)
        }, threshold: threshold, count: count, from: centres
      ).map { Shots([$0], faceGuard) },
      .crowd: crowds(
        known.map { shots[$0].map { faces.embeddings[$0].unit } }, near: centres.prefix(tries),
        faceGuard),
    ]
    var best: [Strategy: [(person: Int, score: Double)]] = [:]
    for person in owners {
      let own = Shots(
        shots[person].shuffled(using: &random).prefix(enroll).map { faces.embeddings[$0].unit },
        faceGuard)
      for (strategy, probes) in made {
        let score = probes.lazy.map { own.score($0, by: scoring) }.max() ?? -1
        best[strategy, default: []].append((person, score))
      }
    }
    return best
  }

  /// Frames of different persons, the nearest to each centre first, that pass for frames of one moment.
  private func crowds(
    _ persons: [[[Float]]], near centres: some Sequence<[Float]>, _ faceGuard: FaceGuard?
  ) -> [Shots] {
    centres.compactMap { centre in
      var crowd: [[Float]] = []
      let nearest = persons.compactMap { units in
        units.map { (unit: $0, score: Similarity.dot($0, centre)) }.max { $0.score < $1.score }
      }.sorted { $0.score > $1.score }
      for (unit, _) in nearest {
        if let faceGuard {
          guard faceGuard.admits(unit),
            crowd.allSatisfy({ Similarity.dot($0, unit) >= faceGuard.likeness })
          else { continue }
        }
        crowd.append(unit)
        if crowd.count == frames { break }
      }
      guard crowd.count == frames, faceGuard?.admits(frames: crowd) ?? true else { return nil }
      return Shots(crowd, faceGuard)
    }
  }
}

/// What a vector is scored against: rows of which the best counts.
struct Target: Sendable {
  let rows: [[Float]]
  /// What is added to the product with a row.
  let offset: Double

  init(_ shots: Shots, _ scoring: Scoring, _ faceGuard: FaceGuard?) {
    offset = scoring == .meanDirection ? shots.nearness : 0
    switch scoring {
    case .average: rows = [shots.mean]
    case .meanDirection:
      let direction = shots.mean.map { Float(Double($0) / max(shots.length, 1e-9)) }
      guard let faceGuard, faceGuard.weight > 0 else {
        rows = [direction]
        return
      }
      rows = [zip(direction, faceGuard.mean).map { $0 - Float(faceGuard.weight) * $1 }]
    case .bestOf: rows = shots.units
    }
  }
}
