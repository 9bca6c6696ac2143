internal import Access
internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import Words

extension Invocation {
  /// What files and options say of faces to enrol.
  func registration(of files: [VectorFile]) throws -> FaceRegistration {
    var embeddings: [Embedding] = []
    for file in files {
      let more = try file.embeddings()
      if let first = embeddings.first {
        try more.first?.requireFit(
          dimension: first.dimension, model: embeddings.lazy.compactMap(\.model).first,
          in: file.source)
      }
      embeddings += more
      guard embeddings.count <= FaceRegistration.limit else {
        throw VectorError(.tooManyRows(limit: FaceRegistration.limit), in: file.source)
      }
    }
    return try registration(of: embeddings, source: files[0].source)
  }

  /// What shots and options say of a face to enrol.
  func registration(of embeddings: [Embedding], source: String) throws -> FaceRegistration {
    let named = arguments[Options.model] ?? embeddings.lazy.compactMap(\.model).first
    let saved = try named.flatMap { try configuration().models[FaceModel.canonicalName($0)] }
    let given = arguments[Options.threshold]
    return FaceRegistration(
      embeddings: embeddings, label: arguments[Options.label],
      model: arguments[Options.model], threshold: given, saved: saved?.threshold,
      // A threshold given by hand is meant for the plain score.
      calibrated: given == nil ? saved?.calibrated : nil,
      faceGuard: given == nil && saved?.calibrated != nil ? saved?.calibratedGuard : saved?.guard,
      force: arguments[Options.force])
  }

  /// Says with which threshold faces of a model will be accepted, where it comes from and what it was measured to be
  /// worth, and asks about one that could let others in.
  ///
  /// - Throws: ``Failure`` `declined`; `usage` where nobody can be asked and `--force` is missing.
  func confirmThreshold(of model: String?) throws {
    let model = model.map(FaceModel.canonicalName)
    let origin = try ThresholdOrigin(
      given: arguments[Options.threshold], saved: model.flatMap { try configuration().models[$0] },
      model: model.flatMap(FaceModel.named))
    guard let origin else { return }
    note(
      FaceMessage.thresholdComesFrom(
        threshold: rounded(origin.threshold), origin: text(origin.message(model: model ?? ""))))
    guard origin.isDoubtful, !arguments[Options.force] else { return }
    guard Terminal.canAsk else {
      throw Failure(
        .usage, FaceMessage.doubtfulThreshold(rounded(origin.threshold)),
        hint: FaceMessage.forceIfMeasured)
    }
    guard
      try Terminal.confirm(text(FaceMessage.askDoubtfulThreshold(rounded(origin.threshold))))
    else { throw Failure(.declined, FailureMessage.nothingChanged) }
  }
}

/// Where the threshold of a new face comes from.
private struct ThresholdOrigin {
  private enum Kind { case given, saved, calibrated, published }

  /// The threshold that counts with as many shots as were calibrated, or always.
  let threshold: Double
  private let kind: Kind
  private let rates: MeasuredRates?
  /// Whether others than the owner may well pass: its rates were not measured or are poor, or it is lower than what
  /// the model's publisher says, or what is to tell faces from averages lets the mean face itself pass.
  let isDoubtful: Bool

  /// nil when there is none, which enrolling refuses.
  init?(given: Double?, saved: Configuration.SavedCalibration?, model: FaceModel?) {
    let published = model?.threshold
    guard let plain = given ?? saved?.threshold ?? published else { return nil }
    let calibrated = given == nil ? saved?.calibrated : nil
    let plainRates = given == nil && saved?.threshold != nil ? saved?.rates : nil
    // The plain threshold counts, too, for as long as there are fewer shots than were calibrated.
    // What a file says of itself is not enough to go below what the model's publisher says, nor to let vectors pass that have nothing in
    // common.
    var isDoubtful = [plain, calibrated?.threshold].compactMap(\.self).contains {
      $0 <= 0 || $0 < published ?? -1
    }
    if published == nil { isDoubtful = isDoubtful || !Self.isMeasured(plainRates) }
    if calibrated != nil { isDoubtful = isDoubtful || !Self.isMeasured(saved?.calibratedRates) }
    for faceGuard in [saved?.guard, saved?.calibratedGuard].compactMap({ $0 }) {
      isDoubtful =
        isDoubtful || faceGuard.admits(faceGuard.mean)
        || (model?.faceGuard).map { faceGuard.admits($0.mean) } ?? false
    }
    self.isDoubtful = isDoubtful
    if let calibrated {
      (threshold, kind, rates) = (calibrated.threshold, .calibrated, saved?.calibratedRates)
    } else {
      threshold = plain
      kind = given != nil ? .given : saved?.threshold != nil ? .saved : .published
      rates = plainRates
    }
  }

  /// Whether neither strangers nor vectors made to pass are more than one in a hundred.
  private static func isMeasured(_ rates: MeasuredRates?) -> Bool {
    guard let rates, let chosen = rates.chosen else { return false }
    return rates.fmr <= 0.01 && chosen <= 0.01
  }

  func message(model: String) -> FaceMessage {
    if let rates {
      return .measuredRates(
        fmr: percent(rates.fmr), fnmr: percent(rates.fnmr),
        chosen: rates.chosen.map(percent) ?? "?")
    }
    return kind == .published ? .published(for: model) : .notMeasured
  }
}

extension FaceMessage {
  /// What is known of a model's published threshold.
  static func published(for model: String) -> FaceMessage {
    guard let measured = FaceModel.named(model)?.measured else { return .publishedFor(model) }
    func percent(_ rate: Double?) -> String { rate.map { Words.percent($0) } ?? "?" }
    return .publishedMeasured(
      model: model, fmr: percent(measured.published.fmr), fnmr: percent(measured.published.fnmr),
      chosen: percent(measured.published.chosen),
      fewerRefused: percent(measured.calibrated.fnmr),
      fewerChosen: percent(measured.calibrated.chosen))
  }
}
