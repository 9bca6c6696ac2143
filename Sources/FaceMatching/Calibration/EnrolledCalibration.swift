/// A way of scoring with the threshold that belongs to it.
///
/// Counts where there are at least ``enroll`` templates, and then with exactly so many and ``frames`` frames: with
/// others, its false match rate is another one.
public struct CalibratedScoring: Sendable, Equatable, Codable {
  /// What K may be.
  public static let shotCounts = 1...64
  /// What P may be.
  public static let frameCounts = 1...Probe.frameLimit

  public let scoring: Scoring
  public let enroll: Int
  public let frames: Int
  public let threshold: Double

  public init(scoring: Scoring, enroll: Int, frames: Int, threshold: Double) {
    self.scoring = scoring
    self.enroll = enroll
    self.frames = frames
    self.threshold = threshold
  }

  /// Whether its numbers are ones that a calibration can come to.
  public var isValid: Bool {
    Self.shotCounts.contains(enroll) && Self.frameCounts.contains(frames)
      && (-1...1).contains(threshold)
  }
}

/// How verifying would fare with K enrolled shots and P frames, by repeated random enrolments.
package struct EnrolledCalibration: Sendable {
  package let reports: [(scoring: Scoring, report: Calibration)]
  package let enroll: Int
  package let frames: Int

  /// Draws `draws` enrolments (40, of very large sets fewer) of K shots of each person with at least K + P, probes with
  /// groups of P of the person's other shots and of other persons', and scores as the verifier would.
  ///
  /// - Parameters:
  ///   - faceGuard: what it refuses counts as refused.
  ///   - together: whether it looks at the mean of a probe's frames, too.
  ///   - seed: the same seed draws the same.
  package init(
    _ faces: LabelledFaces, enroll: Int, frames: Int, faceGuard: FaceGuard? = nil,
    together: Bool = true, draws: Int? = nil, targetFMR: Double = 1e-3, seed: UInt64 = 1
  ) {
    self.enroll = enroll
    self.frames = frames
    var random = SplitMix64(state: seed)
    var tallies = Scoring.allCases.map { ($0, Tally(persons: faces.persons.count)) }
    func groups(_ indices: [Int]) -> [[Int]] {
      stride(from: 0, to: indices.count - indices.count % frames, by: frames).map {
        Array(indices[$0..<($0 + frames)])
      }
    }
    let units = faces.embeddings.map(\.unit)
    // Of very many persons a few draws tell as much as forty of a few.
    let size = Double(faces.embeddings.count) * Double(faces.persons.count) / Double(frames)
    let draws = draws ?? min(40, max(3, Int(20_000_000 / max(1, size))))
    for _ in 0..<draws {
      var enrolled: [(person: Int, summary: Shots)] = []
      var probes: [(person: Int, summary: Shots, passes: Bool)] = []
      for (person, own) in faces.shots.enumerated() {
        let mixed = own.shuffled(using: &random)
        let canEnrol = mixed.count >= enroll + frames
        if canEnrol {
          enrolled.append((person, Shots(mixed[..<enroll].map { units[$0] }, faceGuard)))
        }
        // Shots just enrolled are no probes, of anybody.
        for group in groups(canEnrol ? Array(mixed[enroll...]) : mixed) {
          let probe = group.map { units[$0] }
          probes.append(
            (person, Shots(probe, faceGuard), faceGuard?.passes(probe, together: together) ?? true))
        }
      }
      for (person, templates) in enrolled {
        for probe in probes {
          for index in tallies.indices {
            // What the guard refuses, the owner's probes too, is as far from any threshold as can be.
            let score =
              probe.passes ? Float(templates.score(probe.summary, by: tallies[index].0)) : -1
            tallies[index].1.add(score, person, probe.person)
          }
        }
      }
    }
    reports = tallies.map { ($0.0, $0.1.report(faces.persons, targetFMR: targetFMR)) }
  }

  /// What the scores of one way of scoring come to.
  private struct Tally {
    var genuine: [[Float]]
    var impostors = ImpostorScores(keeping: 1_000_000)
    var involving: [Int]

    init(persons: Int) {
      genuine = [[Float]](repeating: [], count: persons)
      involving = [Int](repeating: 0, count: persons)
    }

    mutating func add(_ score: Float, _ one: Int, _ other: Int) {
      if one == other {
        genuine[one].append(score)
      } else {
        impostors.add(score, one, other)
        involving[one] += 1
        involving[other] += 1
      }
    }

    func report(_ persons: [String], targetFMR: Double) -> Calibration {
      Calibration(
        persons: persons, genuineByPerson: genuine, impostors: impostors,
        impostorsByPerson: involving, targetFMR: targetFMR)
    }
  }
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

extension Calibration {
  /// The share of genuine scores below `threshold`.
  package func fnmr(at threshold: Double) -> Double {
    guard genuine > 0 else { return 0 }
    let accepted = genuineScores.atOrAbove(ScoreHistogram.bin(Float(threshold)))
    return 1 - Double(accepted) / Double(genuine)
  }

  /// The share of impostor scores at or above `threshold`.
  package func fmr(at threshold: Double) -> Double {
    guard impostor > 0 else { return 0 }
    return Double(impostorScores.atOrAbove(ScoreHistogram.bin(Float(threshold)))) / Double(impostor)
  }
}

/// Vigna's SplitMix64: a draw that can be repeated.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
