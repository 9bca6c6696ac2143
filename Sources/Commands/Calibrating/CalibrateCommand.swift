internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Platform
internal import Words

/// `calibrate`: what a threshold is worth on somebody's faces.
@MainActor
enum CalibrateCommand {
  static let declaration = Command<Invocation>(
    "calibrate", Form(Operand("LABELS.csv", completion: .file)),
    summary: CommandHelp.calibrate,
    options: [
      Options.calibratedModel, Options.enroll, Options.frames, Options.plot, Options.targetFMR,
      Options.targetChosen, Options.noAttack,
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
    let (faces, repeated) = try faces(invocation)
    let goal = GateCalibration.Goal(
      falseMatchRate: target,
      chosenVectorRate: invocation.arguments[Options.noAttack]
        ? nil : invocation.arguments[Options.targetChosen] ?? 0.01)
    let threads = faces.embeddings.count > 100 ? ThisProcess.processorCount : 1
    let progress = invocation.progress("calibrate")
    let found: GateCalibration
    if enroll != nil || frames != nil {
      guard
        let trial = GateCalibration.enrolled(
          faces, enroll: enroll ?? 1, frames: frames ?? 1, goal, threads: threads,
          progress: { progress.reach($0, of: $1) })
      else {
        throw Failure(
          .invalid, CalibrationMessage.tooFewPersons((enroll ?? 1) + (frames ?? 1)),
          hint: CalibrationMessage.moreShots)
      }
      found = trial
    } else {
      found = try GateCalibration.single(
        faces, goal, threads: threads, progress: { progress.reach($0, of: $1) })
    }
    let published = model.flatMap(FaceModel.named).flatMap { known in
      GateCalibration.plain(
        faces, at: known.threshold, enroll: enroll ?? 1, frames: frames ?? 1, goal,
        faceGuard: known.faceGuard ?? found.faceGuard,
        single: found.scoring == nil ? found.report : nil,
        threads: threads)
    }
    progress.end()
    if let path = invocation.arguments[Options.plot] {
      let file = try invocation.outputFile(path)
      try file.write(Array(CalibrationPlot(found, model: model).svg.utf8))
      try file.commit()
    }
    if saves, let model {
      guard let suggested = found.report.suggested else {
        throw Failure(
          .invalid, CalibrationMessage.tooFewPairs, hint: CalibrationMessage.morePairs)
      }
      try invocation.configuration().save(model) { saved in
        if let scoring = found.scoring {
          saved.calibratedGuard = found.faceGuard
          saved.calibrated = scoring
          saved.calibratedRates = found.rates
        } else {
          saved.guard = found.faceGuard
          saved.threshold = suggested
          saved.rates = found.rates
        }
      }
      invocation.note(CalibrationMessage.savedFor(model))
    }
    return CalibrationOutcome(
      found: found, published: published,
      warnings: (repeated > 0 ? [CalibrationMessage.vectorsTwice(repeated)] : [])
        + warnings(found, faces, target: target)
    ).outcome
  }

  /// - Returns: the faces, and how many vectors stand there more than once, as one person's.
  private static func faces(
    _ invocation: Invocation
  ) throws -> (faces: LabelledFaces, repeated: Int) {
    let path = invocation.operands[0]
    let bytes = try invocation.read(path, as: .labels, limit: 64 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, CalibrationMessage.notText(path))
    }
    let labels = try LabelFile(text, name: path)
    let directory = FileSystem.parent(of: path)
    var files: [String: [Embedding]] = [:]
    var faces: [(person: String, embedding: Embedding)] = []
    // By their first components, which hardly any two share.
    var seen: [[Float]: [(line: LabelFile.Line, unit: [Float])]] = [:]
    var repeated = 0
    for line in labels.lines {
      if files[line.file] == nil {
        let place =
          FileSystem.path(line.file, in: directory)
        guard (try? FileStatus(place, following: true))?.kind != .other else {
          throw PlatformError(.notRegular, place)
        }
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
      if let first = faces.first?.embedding {
        try embedding.requireFit(dimension: first.dimension, model: nil, in: line.file)
      }
      let key = Array(embedding.unit.prefix(4))
      if let first = seen[key]?.first(where: { $0.unit == embedding.unit })?.line {
        guard first.person == line.person else {
          throw Failure(
            .invalid,
            CalibrationMessage.sameVector(file: path, line: line.number, other: first.number),
            hint: CalibrationMessage.labelOnce)
        }
        repeated += 1
      }
      seen[key, default: []].append((line, embedding.unit))
      faces.append((line.person, embedding))
    }
    let labelled = LabelledFaces(faces)
    guard labelled.persons.count > 1, labelled.embeddings.count > labelled.persons.count else {
      throw Failure(
        .invalid, CalibrationMessage.twoPersons(path))
    }
    return (labelled, repeated)
  }

  private static func warnings(
    _ found: GateCalibration, _ faces: LabelledFaces, target: Double
  ) -> [any Message] {
    let report = found.report
    var warnings: [any Message] = []
    for threshold in report.thresholds where threshold.threshold == nil {
      warnings.append(
        CalibrationMessage.cannotShow(
          pairs: report.impostor, rate: "\(threshold.fmr)", least: percent(report.leastRate))
      )
    }
    let mean = Similarity.mean(of: faces.embeddings.map(\.unit))
    let share = Similarity.dot(mean, mean).squareRoot()
    if share > 0.7 {
      warnings.append(
        CalibrationMessage.sharedDirection(rounded(share))
      )
    }
    if let chosen = found.chosen?.withGuard, let threshold = report.suggested {
      let share = chosen.share(at: threshold)
      if share.share > found.targetChosen {
        warnings.append(
          CalibrationMessage.chosenTooMany(
            rate: percent(share.share), target: percent(found.targetChosen)))
      } else if share.high > found.targetChosen {
        warnings.append(
          CalibrationMessage.chosenUnshown(
            owners: share.owners, rate: percent(found.targetChosen),
            most: percent(share.high)))
      }
    }
    if report.suggested != nil, let worst = report.perPerson.last, worst.fnmr > 0.2 {
      warnings.append(
        CalibrationMessage.worstPerson(person: worst.person, rate: percent(worst.fnmr))
      )
    }
    return warnings
  }
}
