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
