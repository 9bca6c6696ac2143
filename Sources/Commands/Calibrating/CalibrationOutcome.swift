internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Platform
internal import Words

/// What a calibration came to, in JSON and in words.
@MainActor
struct CalibrationOutcome {
  let found: GateCalibration
  let published: GateCalibration.Plain?
  let warnings: [any Message]

  private var report: Calibration { found.report }
  private var threshold: Double { report.suggested ?? report.eerThreshold }
  private var guarded: ChosenVectors.Share? { found.chosen?.withGuard.share(at: threshold) }
  private var open: ChosenVectors.Share? { found.chosen?.withoutGuard.share(at: threshold) }

  var outcome: Outcome {
    .object {
      writeScores(&$0)
      writeChoice(&$0)
    } text: {
      try showScores($0)
      try showChoice($0)
    }
  }

  /// The share that each way of making vectors opens.
  private func write(
    _ chosen: ChosenVectors.Holding, at threshold: Double, to json: inout JSONWriter
  ) {
    json.key("strategies")
    json.beginObject()
    for strategy in ChosenVectors.Strategy.allCases {
      json.member(strategy.rawValue, chosen.withGuard.share(at: threshold, strategy).share)
    }
    json.endObject()
  }

  private func writeScores(_ json: inout JSONWriter) {
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
  }

  private func writeChoice(_ json: inout JSONWriter) {
    json.member("suggested", report.suggested)
    json.member("rates", object: found.rates) { json, rates in
      json.member("fmr", rates.fmr)
      json.member("fnmr", rates.fnmr)
      json.member("chosen", rates.chosen)
    }
    if let best = found.scoring {
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
  }

  private func showScores(_ page: Page) throws {
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
          threshold: rounded(report.perPersonThreshold), best: first.person,
          bestRate: percent(first.fnmr),
          median: percent(middle.fnmr), worst: last.person,
          worstRate: percent(last.fnmr)))
    }
  }

  private func showChoice(_ page: Page) throws {
    if let best = found.scoring { try page.line(FaceSentence.scoring(best)) }
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
