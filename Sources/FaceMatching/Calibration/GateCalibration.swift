/// Everything `calibrate` finds: what a threshold is worth against strangers, and against vectors made to pass.
package struct GateCalibration: Sendable {
  /// With ``Calibration/suggested`` raised until it holds both rates.
  package let report: Calibration
  /// The way of scoring that was measured, for K shots and P frames; nil for one picture against one.
  package let scoring: CalibratedScoring?
  package let faceGuard: FaceGuard?
  /// What vectors made to pass open; nil when that was not asked for, or nobody could be an owner.
  package let chosen: ChosenVectors.Holding?
  package let targetChosen: Double

  /// What is asked of a threshold.
  package struct Goal: Sendable {
    package var falseMatchRate: Double
    /// Share of owners that vectors made to pass may open within five tries; nil: no attack is made.
    package var chosenVectorRate: Double?
    /// How often persons are split anew; nil: as often as the size of the set allows.
    package var splits: Int?

    package init(
      falseMatchRate: Double = 1e-3, chosenVectorRate: Double? = 0.01, splits: Int? = nil
    ) {
      self.falseMatchRate = falseMatchRate
      self.chosenVectorRate = chosenVectorRate
      self.splits = splits
    }
  }

  /// Rates measured at the suggested threshold, as they are kept with it.
  package var rates: MeasuredRates? {
    report.suggested.map {
      MeasuredRates(
        fmr: report.fmr(at: $0), fnmr: report.fnmr(at: $0),
        chosen: chosen?.withGuard.share(at: $0).share)
    }
  }

  /// One picture against one.
  package static func single(
    _ faces: LabelledFaces, _ goal: Goal = Goal(), threads: Int = 1,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(VectorError) -> GateCalibration {
    var report = try Calibration.single(
      faces, targetFMR: goal.falseMatchRate, threads: threads)
    let faceGuard = FaceGuard.learned(from: faces)
    let chosen = hold(
      report, ChosenVectors(faces, scoring: .average, enroll: 1, frames: 1, splits: goal.splits),
      goal, faceGuard,
      threads, progress)
    if let chosen, report.suggested != nil { report.raise(to: chosen.threshold) }
    return GateCalibration(
      report: report, scoring: nil, faceGuard: faceGuard, chosen: chosen,
      targetChosen: goal.chosenVectorRate ?? 1)
  }

  /// K shots enrolled and P frames shown, by the way of scoring that refuses the owner least where both rates hold.
  ///
  /// - Returns: nil when too few persons have K + P shots.
  package static func enrolled(
    _ faces: LabelledFaces, enroll: Int, frames: Int, _ goal: Goal = Goal(), threads: Int = 1,
    progress: (Int, Int) -> Void = { _, _ in }
  ) -> GateCalibration? {
    let faceGuard = FaceGuard.learned(from: faces, enroll: enroll, frames: frames)
    let trial = EnrolledCalibration(
      faces, enroll: enroll, frames: frames, faceGuard: faceGuard,
      targetFMR: goal.falseMatchRate)
    let ways = trial.reports.compactMap { scoring, report in
      report.suggested.map { (scoring: scoring, report: report, fnmr: report.fnmr(at: $0)) }
    }.sorted { ($0.fnmr, $0.report.eer) < ($1.fnmr, $1.report.eer) }
    var best: (calibration: GateCalibration, fnmr: Double)?
    for way in ways {
      // A higher threshold only refuses more.
      if let best, way.fnmr >= best.fnmr { break }
      var report = way.report
      var isBeaten = false
      let chosen = hold(
        report,
        ChosenVectors(
          faces, scoring: way.scoring, enroll: enroll, frames: frames, splits: goal.splits), goal,
        faceGuard, threads, progress
      ) { threshold in
        isBeaten = best.map { $0.fnmr <= report.fnmr(at: threshold) } ?? false
        return !isBeaten
      }
      if isBeaten { continue }
      if let chosen { report.raise(to: chosen.threshold) }
      guard let threshold = report.suggested else { continue }
      let fnmr = report.fnmr(at: threshold)
      if let best, best.fnmr <= fnmr { continue }
      best = (
        GateCalibration(
          report: report,
          scoring: CalibratedScoring(
            scoring: way.scoring, enroll: enroll, frames: frames, threshold: threshold),
          faceGuard: faceGuard, chosen: chosen, targetChosen: goal.chosenVectorRate ?? 1), fnmr
      )
    }
    return best?.calibration
  }

  /// What a threshold that was not calibrated is worth, by the average similarity, as the gate scores then.
  package static func plain(
    _ faces: LabelledFaces, at threshold: Double, enroll: Int, frames: Int, _ goal: Goal,
    faceGuard: FaceGuard?, single: Calibration? = nil, threads: Int = 1
  ) -> Plain? {
    let report: Calibration
    var refused = 0.0
    if let single, enroll == 1, frames == 1 {
      // Every pair was scored already; what the guard refuses besides is refused at any threshold.
      report = single
      if let faceGuard {
        let count = faces.embeddings.count { !faceGuard.admits($0.unit) }
        refused = Double(count) / Double(faces.embeddings.count)
      }
    } else {
      let trial = EnrolledCalibration(
        faces, enroll: enroll, frames: frames, faceGuard: faceGuard, together: false,
        targetFMR: goal.falseMatchRate)
      guard let found = trial.reports.first(where: { $0.scoring == .average })?.report,
        found.genuine > 0
      else { return nil }
      report = found
    }
    var chosen: ChosenVectors.Holding?
    if goal.chosenVectorRate != nil {
      let attack = ChosenVectors(faces, scoring: .average, enroll: enroll, frames: frames)
      chosen = ChosenVectors.Holding(
        threshold: threshold,
        withGuard: attack.attack(threshold, faceGuard, threads: threads),
        withoutGuard: attack.attack(threshold, nil, threads: threads))
    }
    return Plain(
      threshold: threshold,
      rates: MeasuredRates(
        fmr: report.fmr(at: threshold), fnmr: min(1, report.fnmr(at: threshold) + refused),
        chosen: chosen?.withGuard.share(at: threshold).share), chosen: chosen)
  }

  /// What a threshold is worth that was not calibrated.
  package struct Plain: Sendable {
    package let threshold: Double
    package let rates: MeasuredRates
    package let chosen: ChosenVectors.Holding?
  }

  private static func hold(
    _ report: Calibration, _ attack: ChosenVectors, _ goal: Goal, _ faceGuard: FaceGuard?,
    _ threads: Int, _ progress: (Int, Int) -> Void,
    isWorthwhile: (Double) -> Bool = { _ in true }
  ) -> ChosenVectors.Holding? {
    guard let target = goal.chosenVectorRate else { return nil }
    let held = attack.hold(
      from: report.suggested ?? report.eerThreshold, target: target, faceGuard: faceGuard,
      threads: threads, isWorthwhile: isWorthwhile, progress: progress)
    return held.flatMap { $0.withGuard.isEmpty ? nil : $0 }
  }
}
