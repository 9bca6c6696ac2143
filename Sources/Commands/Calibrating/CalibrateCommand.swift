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
    let faces = try faces(invocation)
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
      let file = try AtomicFile(path)
      try file.write(Array(CalibrationPlot(found, model: model).svg.utf8))
      try file.commit()
    }
    if saves, let model {
      guard let suggested = found.report.suggested else {
        throw Failure(.invalid, CalibrationMessage.tooFewPairs)
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
    }
    return outcome(found, published, warnings(found, faces, target: target))
  }

  private static func faces(_ invocation: Invocation) throws -> LabelledFaces {
    let path = invocation.operands[0]
    let bytes = try invocation.read(path, as: .labels, limit: 64 << 20)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, CalibrationMessage.notText(path))
    }
    let labels = try LabelFile(text, name: path)
    let directory = FileSystem.parent(of: path)
    var files: [String: [Embedding]] = [:]
    var faces: [(person: String, embedding: Embedding)] = []
    for line in labels.lines {
      if files[line.file] == nil {
        let place =
          line.file.hasPrefix("/") ? line.file : directory + "/" + line.file
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
    if let worst = report.perPerson.last, worst.fnmr > 0.2 {
      warnings.append(
        CalibrationMessage.worstPerson(person: worst.person, rate: percent(worst.fnmr))
      )
    }
    return warnings
  }

  /// The share that each way of making vectors opens.
  private static func write(
    _ chosen: ChosenVectors.Holding, at threshold: Double, to json: inout JSONWriter
  ) {
    json.key("strategies")
    json.beginObject()
    for strategy in ChosenVectors.Strategy.allCases {
      json.member(strategy.rawValue, chosen.withGuard.share(at: threshold, strategy).share)
    }
    json.endObject()
  }

  private static func outcome(
    _ found: GateCalibration, _ published: GateCalibration.Plain?, _ warnings: [any Message]
  ) -> Outcome {
    let (report, best) = (found.report, found.scoring)
    let threshold = report.suggested ?? report.eerThreshold
    let guarded = found.chosen?.withGuard.share(at: threshold)
    let open = found.chosen?.withoutGuard.share(at: threshold)
    return .object { json in
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
      json.member("chosen", object: found.chosen) { json, chosen in
        json.member("tries", chosen.withGuard.tries)
        json.member("share", open?.share)
        json.member("low", open?.low)
        json.member("high", open?.high)
        json.member("withGuard", guarded?.share)
        json.member("withGuardHigh", guarded?.high)
        json.member("owners", guarded?.owners)
        json.member("strategy", guarded?.strategy.rawValue)
        write(chosen, at: threshold, to: &json)
      }
      json.member("suggested", report.suggested)
      json.member("rates", object: found.rates) { json, rates in
        json.member("fmr", rates.fmr)
        json.member("fnmr", rates.fnmr)
        json.member("chosen", rates.chosen)
      }
      if let best {
        json.member("scoring", "\(best.scoring)")
        json.member("enroll", best.enroll)
        json.member("frames", best.frames)
      }
      json.member("published", object: published) { json, published in
        json.member("threshold", published.threshold)
        json.member("fmr", published.rates.fmr)
        json.member("fnmr", published.rates.fnmr)
        if let chosen = published.chosen {
          json.member("share", chosen.withoutGuard.share(at: published.threshold).share)
          json.member("withGuard", published.rates.chosen)
          write(chosen, at: published.threshold, to: &json)
        }
      }
      json.member("warnings", warnings.map { $0.text(in: .english) })
    } text: { page in
      try page.line(CalibrationMessage.pairs(genuine: report.genuine, impostor: report.impostor))
      try page.line(
        CalibrationMessage.equalErrorRate(
          rate: percent(report.eer), threshold: rounded(report.eerThreshold)))
      for threshold in report.thresholds {
        guard let value = threshold.threshold, let low = threshold.low, let high = threshold.high
        else { continue }
        try page.line(
          CalibrationMessage.atRate(
            rate: "\(threshold.fmr)", threshold: rounded(value), low: rounded(low),
            high: rounded(high), fnmr: percent(report.fnmr(at: value))))
      }
      if let first = report.perPerson.first, let last = report.perPerson.last {
        let middle = report.perPerson[report.perPerson.count / 2]
        try page.line(
          CalibrationMessage.byPerson(
            best: first.person, bestRate: percent(first.fnmr),
            median: percent(middle.fnmr), worst: last.person,
            worstRate: percent(last.fnmr)))
      }
      if let best { try page.line(FaceSentence.scoring(best)) }
      if let guarded, let open {
        try page.line(
          CalibrationMessage.chosen(
            rate: percent(guarded.share), low: percent(guarded.low),
            high: percent(guarded.high), owners: guarded.owners,
            open: percent(open.share), threshold: rounded(threshold)))
      }
      if let published {
        try page.line(
          CalibrationMessage.published(
            threshold: rounded(published.threshold), fmr: percent(published.rates.fmr),
            fnmr: percent(published.rates.fnmr),
            chosen: published.rates.chosen.map { percent($0) } ?? "?",
            open: published.chosen.map {
              percent($0.withoutGuard.share(at: published.threshold).share)
            } ?? "?"))
      }
      if let suggested = report.suggested {
        try page.line(
          CalibrationMessage.suggested(
            threshold: rounded(suggested), fmr: percent(report.fmr(at: suggested)),
            fnmr: percent(report.fnmr(at: suggested))))
      }
      for warning in warnings { page.note(warning) }
    }
  }
}
