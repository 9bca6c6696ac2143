import Foundation
import Testing

@testable import FaceMatching

@Suite struct CalibrationTests {
  private func faces(
    persons: Int, shots: Int, noise: Float, offset: Float = 0
  ) throws -> LabelledFaces {
    try Population.faces(persons: persons, shots: shots, noise: noise, offset: offset)
  }

  /// Everything computed the plain way.
  private func plain(_ faces: LabelledFaces) throws -> (genuine: [Float], impostor: [Float]) {
    var genuine: [Float] = []
    var impostor: [Float] = []
    for i in faces.person.indices {
      for j in faces.person.indices where j > i {
        let score = Float(try Similarity.cosine(faces.embeddings[i], faces.embeddings[j]))
        if faces.person[i] == faces.person[j] {
          genuine.append(score)
        } else {
          impostor.append(score)
        }
      }
    }
    return (genuine, impostor)
  }

  @Test func `rates, EER and thresholds are those of the plain computation`() throws {
    let faces = try faces(persons: 30, shots: 5, noise: 1.2)
    let (genuine, impostor) = try plain(faces)
    let report = try Calibration.single(faces)
    #expect(report.genuine == genuine.count && report.impostor == impostor.count)
    var best = (gap: 2.0, eer: 0.0)
    for threshold in genuine + impostor {
      let fmr = Double(impostor.count { $0 >= threshold }) / Double(impostor.count)
      let fnmr = Double(genuine.count { $0 < threshold }) / Double(genuine.count)
      if abs(fmr - fnmr) < best.gap { best = (abs(fmr - fnmr), (fmr + fnmr) / 2) }
    }
    #expect(abs(report.eer - best.eer) < 1e-3)
    for threshold in report.thresholds {
      guard let value = threshold.threshold else {
        #expect(threshold.fmr < 3 / Double(impostor.count))
        continue
      }
      #expect(
        Double(impostor.count { Double($0) >= value }) / Double(impostor.count) <= threshold.fmr)
      #expect(threshold.low! <= value && value <= threshold.high!)
    }
    #expect(report.points.first!.threshold > report.points.last!.threshold)
    // What is said of a threshold is so at that threshold.
    func share(_ scores: [Float], atOrAbove threshold: Double) -> Double {
      Double(scores.count { Double($0) >= threshold }) / Double(scores.count)
    }
    // A score that the plain way computes a little differently may lie on the other side of one.
    let others = report.points.count { point in
      abs(point.fmr - share(impostor, atOrAbove: point.threshold)) > 1e-12
        || abs(point.fnmr - (1 - share(genuine, atOrAbove: point.threshold))) > 1e-12
    }
    #expect(others <= report.points.count / 20)
    let atEER = (
      fmr: share(impostor, atOrAbove: report.eerThreshold),
      fnmr: 1 - share(genuine, atOrAbove: report.eerThreshold)
    )
    #expect(abs(report.eer - (atEER.fmr + atEER.fnmr) / 2) < 1e-12)
    #expect(report.perPerson.map(\.fnmr) == report.perPerson.map(\.fnmr).sorted())
  }

  @Test(arguments: [0, 18] as [Float])
  func `an interval is what leaving out one person after another shows`(offset: Float) throws {
    let faces = try faces(persons: 20, shots: 5, noise: 1.2, offset: offset)
    var pairs: [(score: Double, persons: Set<Int>)] = []
    for i in faces.person.indices {
      for j in faces.person.indices where j > i && faces.person[i] != faces.person[j] {
        let score = try Similarity.cosine(faces.embeddings[i], faces.embeddings[j])
        pairs.append((score, [faces.person[i], faces.person[j]]))
      }
    }
    pairs.sort { $0.score > $1.score }
    for found in try Calibration.single(faces).thresholds {
      guard let low = found.low, let high = found.high else { continue }
      let without = faces.persons.indices.map { person in
        let others = pairs.filter { !$0.persons.contains(person) }
        return others[Int(found.fmr * Double(others.count))].score
      }
      let mean = without.reduce(0, +) / Double(without.count)
      let squares = without.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let error = 1.96 * (squares * Double(without.count - 1) / Double(without.count)).squareRoot()
      #expect(error > 0)
      // Thresholds are told in steps of the histogram.
      #expect(abs((high - low) / 2 - error) < 0.02 * error + 1e-4)
    }
  }

  @Test func `a set whose strangers score 0_995 is calibrated, not guessed`() throws {
    let faces = try faces(persons: 30, shots: 4, noise: 0.3, offset: 18)
    let impostor = try plain(faces).impostor
    #expect(impostor.reduce(0, +) / Float(impostor.count) > 0.99)
    let report = try Calibration.single(faces)
    let threshold = try #require(report.suggested)
    #expect(threshold > 0.99)
    #expect(report.fmr(at: threshold) <= 1e-3)
    #expect(report.fnmr(at: threshold) < 0.05)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3)])
  func `average similarity never raises the false match rate of a single-shot threshold`(
    enroll: Int, frames: Int
  ) throws {
    let faces = try faces(persons: 40, shots: 8, noise: 1.3)
    let single = try Calibration.single(faces)
    let trial = EnrolledCalibration(faces, enroll: enroll, frames: frames, draws: 20)
    let average = try #require(trial.reports.first { $0.scoring == .average }?.report)
    for rate in [1e-2, 1e-3] {
      let threshold = try #require(single.thresholds.first { $0.fmr == rate }?.threshold)
      // Another draw of pairs: the single-shot rate within its own error.
      #expect(average.fmr(at: threshold) <= rate * 1.5)
    }
    if enroll > 1 {
      let mean = try #require(trial.reports.first { $0.scoring == .meanDirection }?.report)
      let threshold = try #require(single.thresholds.first { $0.fmr == 1e-3 }?.threshold)
      #expect(mean.fmr(at: threshold) > average.fmr(at: threshold))
    }
  }

  @Test func `the same seed draws the same, and the best way carries its K and P`() throws {
    let faces = try faces(persons: 30, shots: 8, noise: 1.3)
    let goal = GateCalibration.Goal(splits: 3)
    let one = try #require(GateCalibration.enrolled(faces, enroll: 3, frames: 3, goal))
    let two = try #require(GateCalibration.enrolled(faces, enroll: 3, frames: 3, goal))
    let scoring = try #require(one.scoring)
    #expect(scoring == two.scoring)
    #expect(scoring.enroll == 3 && scoring.frames == 3)
    let single = try Calibration.single(faces)
    #expect(one.report.fnmr(at: scoring.threshold) < single.fnmr(at: single.suggested!))
    #expect(GateCalibration.enrolled(faces, enroll: 9, frames: 9, goal) == nil)
  }

  @Test func `a calibrated way counts only with shots and frames enough`() throws {
    let shots = try faces(persons: 1, shots: 3, noise: 0.5).embeddings
    let templates = shots.map { FaceTemplate(id: "", label: "", embedding: $0, created: 0) }
    let set = TemplateSet(
      model: "m", dimension: 64, threshold: 0.5,
      calibrated: CalibratedScoring(scoring: .meanDirection, enroll: 3, frames: 2, threshold: 0.9),
      templates: templates)
    #expect(set.decision.scoring == .meanDirection && set.decision.threshold == 0.9)
    #expect(set.decision.shots == 3 && set.decision.frames == 2)
    // Who shows fewer frames does not get the other way of scoring.
    #expect(throws: VectorError(.tooFewFrames(found: 1, wanted: 2), in: "probe")) {
      try Probe([shots[0]]).checkFits(set)
    }
    try Probe(shots).checkFits(set)
    var fewer = set
    fewer.templates.removeLast()
    #expect(fewer.decision.scoring == .average && fewer.decision.threshold == 0.5)
    #expect(fewer.decision.frames == nil)
  }
}
