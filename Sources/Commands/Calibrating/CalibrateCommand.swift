internal import CommandLine
internal import FaceDiary
internal import FaceMatching
internal import Foundation
internal import JSONText
internal import Platform

/// `calibrate`: what a threshold is worth on somebody's faces.
@MainActor
enum CalibrateCommand {
  static let declaration = Command<Invocation>(
    "calibrate", Form(Operand("LABELS.csv", completion: .file)),
    summary: CommandHelp.calibrate,
    options: [
      Options.calibratedModel, Options.enroll, Options.frames, Options.plot, Options.targetFMR,
      Options.save,
    ],
    details: CommandHelp.calibrateDetails
  ) { invocation in
    let target = invocation.arguments[Options.targetFMR] ?? 1e-3
    let enroll = invocation.arguments[Options.enroll]
    let frames = invocation.arguments[Options.frames]
    let model = invocation.arguments[Options.calibratedModel].map(FaceModel.canonicalName)
    let saves = invocation.arguments[Options.save]
    if saves, model == nil { throw Failure(.usage, CalibrationMessage.saveNeedsModel) }
    let faces = try faces(invocation)
    let report: Calibration
    var best: CalibratedScoring?
    if enroll != nil || frames != nil {
      let trial = EnrolledCalibration(
        faces, enroll: enroll ?? 1, frames: frames ?? 1, targetFMR: target)
      guard let found = trial.best else {
        throw Failure(
          .invalid, CalibrationMessage.tooFewPersons((enroll ?? 1) + (frames ?? 1)),
          hint: CalibrationMessage.moreShots)
      }
      report = found.report
      best = found.scoring
    } else {
      report = try Calibration.single(
        faces, targetFMR: target,
        threads: faces.embeddings.count > 1000 ? ProcessInfo.processInfo.activeProcessorCount : 1)
    }
    let warnings = warnings(report, faces, target: target)
    if let path = invocation.arguments[Options.plot] {
      let file = try AtomicFile(path)
      try file.write(Array(CalibrationPlot(report, model: model).svg.utf8))
      try file.commit()
    }
    if saves, let model {
      guard let suggested = report.suggested else {
        throw Failure(.invalid, CalibrationMessage.tooFewPairs)
      }
      try invocation.configuration().save(model) { saved in
        if let best { saved.calibrated = best } else { saved.threshold = suggested }
      }
    }
    return outcome(report, best, warnings)
  }

  private static func faces(_ invocation: Invocation) throws -> LabelledFaces {
    let path = invocation.operands[0]
    let bytes = try invocation.read(path, as: .labels, limit: 64 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, CalibrationMessage.notText(path))
    }
    let labels = try LabelFile(text, name: path)
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
    var files: [String: [Embedding]] = [:]
    var faces: [(person: String, embedding: Embedding)] = []
    for line in labels.lines {
      if files[line.file] == nil {
        let place =
          line.file.hasPrefix("/") ? line.file : directory.appendingPathComponent(line.file).path
        files[line.file] = try invocation.vectors(place, limit: 4 << 30).embeddings()
      }
      let rows = files[line.file] ?? []
      guard rows.indices.contains(line.row ?? 0), line.row != nil || rows.count == 1 else {
        throw Failure(
          .invalid,
          CalibrationMessage.severalRows(
            path: path, line: line.number, file: line.file, rows: rows.count))
      }
      let embedding = rows[line.row ?? 0]
      if let first = faces.first?.embedding, first.dimension != embedding.dimension {
        throw VectorError(
          .dimensionMismatch(found: embedding.dimension, expected: first.dimension), in: line.file)
      }
      faces.append((line.person, embedding))
    }
    let labelled = LabelledFaces(faces)
    guard labelled.persons.count > 1, labelled.embeddings.count > labelled.persons.count else {
      throw Failure(
        .invalid, CalibrationMessage.twoPersons(path))
    }
    return labelled
  }

  private static func warnings(
    _ report: Calibration, _ faces: LabelledFaces, target: Double
  ) -> [any Message] {
    var warnings: [any Message] = []
    for threshold in report.thresholds where threshold.threshold == nil {
      warnings.append(
        CalibrationMessage.cannotShow(
          pairs: report.impostor, rate: "\(threshold.fmr)", least: rounded(report.leastRate * 100))
      )
    }
    let mean = Similarity.mean(of: faces.embeddings.map(\.unit))
    let share = Similarity.dot(mean, mean).squareRoot()
    if share > 0.7 {
      warnings.append(
        CalibrationMessage.sharedDirection(rounded(share))
      )
    }
    if let worst = report.perPerson.last, worst.fnmr > 0.2 {
      warnings.append(
        CalibrationMessage.worstPerson(person: worst.person, rate: rounded(worst.fnmr * 100))
      )
    }
    return warnings
  }

  private static func outcome(
    _ report: Calibration, _ best: CalibratedScoring?, _ warnings: [any Message]
  ) -> Outcome {
    .object { json in
      json.member("pairs", report.genuine + report.impostor)
      json.member("genuine", report.genuine)
      json.member("impostor", report.impostor)
      json.member("eer", report.eer)
      json.member("eerThreshold", report.eerThreshold)
      json.member("points", array: report.points) { json, point in
        json.member("threshold", point.threshold)
        json.member("fmr", point.fmr)
        json.member("fnmr", point.fnmr)
      }
      json.member("thresholds", array: report.thresholds) { json, threshold in
        json.member("fmr", threshold.fmr)
        json.member("threshold", threshold.threshold)
        json.member("low", threshold.low)
        json.member("high", threshold.high)
      }
      json.member("perPerson", array: report.perPerson) { json, person in
        json.member("person", person.person)
        json.member("fnmr", person.fnmr)
      }
      json.member("suggested", report.suggested)
      if let best {
        json.member("scoring", "\(best.scoring)")
        json.member("enroll", best.enroll)
        json.member("frames", best.frames)
      }
      json.member("warnings", warnings.map { $0.text(in: .english) })
    } text: { page in
      try page.line(CalibrationMessage.pairs(genuine: report.genuine, impostor: report.impostor))
      try page.line(
        CalibrationMessage.equalErrorRate(
          rate: rounded(report.eer * 100), threshold: rounded(report.eerThreshold)))
      for threshold in report.thresholds {
        guard let value = threshold.threshold, let low = threshold.low, let high = threshold.high
        else { continue }
        try page.line(
          CalibrationMessage.atRate(
            rate: "\(threshold.fmr)", threshold: rounded(value), low: rounded(low),
            high: rounded(high), fnmr: rounded(report.fnmr(at: value) * 100)))
      }
      if let first = report.perPerson.first, let last = report.perPerson.last {
        let middle = report.perPerson[report.perPerson.count / 2]
        try page.line(
          CalibrationMessage.byPerson(
            best: first.person, bestRate: rounded(first.fnmr * 100),
            median: rounded(middle.fnmr * 100), worst: last.person,
            worstRate: rounded(last.fnmr * 100)))
      }
      if let best { try page.line(FaceSentence.scoring(best)) }
      if let suggested = report.suggested {
        try page.line(CalibrationMessage.suggested(rounded(suggested)))
      }
      for warning in warnings { page.note(warning) }
    }
  }
}
