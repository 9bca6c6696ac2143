internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Words

/// `match`: two face vectors against one another, without a diary.
@MainActor
enum MatchCommand {
  static let declaration = Command<Invocation>(
    "match", Form(Operand("A", completion: .file), Operand("B", completion: .file)),
    summary: CommandHelp.match, options: Options.faceModel, details: CommandHelp.matchDetails
  ) { invocation in
    var probes: [Probe] = []
    for spec in invocation.operands {
      probes.append(try Probe(try invocation.vectors(spec).embeddings(), source: spec))
    }
    let named = invocation.arguments[Options.model].map(FaceModel.canonicalName)
    let own = probes.compactMap { $0.frames.lazy.compactMap(\.model).first }
    if own.count == 2, own[0] != own[1] {
      throw VectorError(
        .modelMismatch(found: own[1], expected: own[0]), in: invocation.operands[1])
    }
    let model = named ?? own.first
    if let model {
      for (probe, spec) in zip(probes, invocation.operands) {
        for frame in probe.frames { _ = try frame.assigned(to: model, source: spec) }
      }
    }
    guard probes[0].frames[0].dimension == probes[1].frames[0].dimension else {
      throw VectorError(
        .dimensionMismatch(
          found: probes[1].frames[0].dimension, expected: probes[0].frames[0].dimension),
        in: invocation.operands[1])
    }
    let templates = probes[0].frames.map {
      FaceTemplate(id: "", label: "", embedding: $0, created: 0)
    }
    let similarity = probes[1].score(against: templates)
    let saved = try model.flatMap { try invocation.configuration().models[$0]?.threshold }
    let threshold =
      invocation.arguments[Options.threshold] ?? saved ?? model.flatMap(FaceModel.named)?.threshold
    let accepted = threshold.map { similarity >= $0 }
    let source =
      invocation.arguments.has(Options.threshold)
      ? FaceMessage.given
      : saved != nil ? .calibratedFor(model ?? "") : .publishedFor(model ?? "")
    return .object(
      exitCode: accepted == false ? 3 : 0, failure: failure(accepted, model, invocation)
    ) {
      json in
      json.member("similarity", similarity)
      json.member("threshold", threshold)
      json.member("accepted", accepted)
      json.member("model", model)
    } text: { page in
      try page.line(FaceMessage.similarity(rounded(similarity)))
      guard let threshold, let accepted else { return }
      try page.line(
        accepted
          ? FaceMessage.matchAccepted(
            above: rounded(similarity - threshold), threshold: rounded(threshold),
            source: page.text(source))
          : FaceMessage.matchRefused(
            below: rounded(threshold - similarity), threshold: rounded(threshold),
            source: page.text(source)))
    }
  }

  private static func failure(
    _ accepted: Bool?, _ model: String?, _ invocation: Invocation
  ) -> Failure? {
    switch accepted {
    case nil:
      model.map {
        Failure(.usage, FaceMessage.noThresholdOf($0), hint: FaceMessage.giveThreshold)
      } ?? Failure(.usage, FaceMessage.noThresholdKnown, hint: FaceMessage.nameModelOrThreshold)
    // People have read it in the answer.
    case false where invocation.isJSON: Failure(.faceRefused, FaceMessage.belowThreshold)
    default: nil
    }
  }
}
