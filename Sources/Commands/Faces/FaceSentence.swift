internal import Access
internal import Dates
internal import FaceMatching
internal import Formats
internal import Requests
internal import Words

/// What people are told of enrolled faces and their scores.
enum FaceSentence {
  static func warning(_ warning: EnrollmentReport.Warning) -> FaceMessage {
    switch warning {
    case .duplicate(let index): FaceMessage.enrolledAlready(index + 1)
    case .dissimilar(let index, let other, let similarity, let threshold):
      FaceMessage.shotsUnlike(
        one: other + 1, other: index + 1, similarity: rounded(similarity),
        threshold: rounded(threshold))
    case .samples: FaceMessage.samplesArePublic
    case .offset(let index, let share):
      FaceMessage.constantDirection(shot: index + 1, share: rounded(share))
    case .forced(let index, let similarity, let threshold):
      FaceMessage.registeredUnlike(
        shot: index + 1, similarity: rounded(similarity), threshold: rounded(threshold))
    }
  }

  static func scoring(_ calibrated: CalibratedScoring) -> FaceMessage {
    FaceMessage.calibrated(
      shots: calibrated.enroll, frames: calibrated.frames, scoring: "\(calibrated.scoring)",
      threshold: rounded(calibrated.threshold))
  }

  /// What more shots or frames would gain a person who was just recognised; nil when there are enough.
  static func advice(
    _ facts: ScoringFacts, frames: Int, similarity: Double, threshold: Double
  ) -> FaceMessage? {
    if let calibrated = facts.calibrated {
      if facts.templates < calibrated.enroll {
        return
          FaceMessage.calibrationWantsShots(
            shots: calibrated.enroll, more: calibrated.enroll - facts.templates)
      }
      return nil
    }
    // A fifth of the way from the threshold to a perfect match: the next picture may fall below.
    guard similarity - threshold < (1 - threshold) / 5 else { return nil }
    if facts.templates < 3 {
      return
        FaceMessage.closeCallMoreShots
    }
    return frames < 3 ? FaceMessage.closeCallMoreFrames : nil
  }
}
