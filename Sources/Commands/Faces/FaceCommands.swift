internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import FaceMatching
internal import JSONText
internal import Platform

/// `enroll`, `faces`, `models`, `match`.
@MainActor
enum FaceCommands {
  static let modelOptions: [any OptionKey] = [Options.model, Options.threshold]

  static let enroll = Command<Invocation>(
    "enroll", Form(Operand("FILE", repeats: true, completion: .file)),
    summary: CommandHelp.enroll,
    options: modelOptions + [Options.label, Options.force],
    details: CommandHelp.enrollDetails
  ) { invocation in
    try invocation.requireVault()
    let registration = try registration(invocation, files: invocation.operands)
    let owner = try invocation.owner()
    let report = try owner.run(EnrollFaces(registration))
    let warnings = report.warnings.map { invocation.documentText(sentence($0)) }
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.key("enrolled")
        json.beginArray()
        for template in report.enrolled { write(template, to: &json) }
        json.endArray()
        json.member("state", AppState.authentication.rawValue)
        json.member("warnings", warnings)
        json.endObject()
      }
    } else {
      for template in report.enrolled {
        try invocation.output.line("\(template.id.prefix(8))  \(visible(template.label))")
      }
      for warning in warnings { Output.say(warning) }
      if let calibrated = try owner.run(ListFaces())?.calibrated {
        invocation.note(sentence(calibrated))
      } else if report.enrolled.count < 3 {
        invocation.note(FaceMessage.threeShots)
      }
      invocation.note(
        FaceMessage.registered(count: report.enrolled.count, threshold: rounded(report.threshold))
      )
    }
    return 0
  }

  static func registration(_ invocation: Invocation, files: [String]) throws -> FaceRegistration {
    var embeddings: [Embedding] = []
    for file in files {
      embeddings += try invocation.vectors(file).embeddings()
      guard embeddings.count <= Diary.templateLimit else {
        throw VectorError(.tooManyRows(limit: Diary.templateLimit), in: file)
      }
    }
    let models = Set(embeddings.compactMap(\.model))
    if models.count > 1 {
      let names = models.sorted()
      throw VectorError(.modelMismatch(found: names[1], expected: names[0]), in: files[0])
    }
    let named = invocation.arguments[Options.model] ?? models.first
    let saved = try named.flatMap {
      try invocation.configuration().models[FaceModel.canonicalName($0)]
    }
    return FaceRegistration(
      embeddings: embeddings, label: invocation.arguments[Options.label],
      model: invocation.arguments[Options.model],
      threshold: invocation.arguments[Options.threshold],
      saved: saved?.threshold,
      // A threshold given by hand is meant for the plain score.
      calibrated: invocation.arguments.has(Options.threshold) ? nil : saved?.calibrated,
      force: invocation.arguments[Options.force])
  }

  static func sentence(_ warning: EnrollmentReport.Warning) -> any Message {
    switch warning {
    case .duplicate(let index): FaceMessage.enrolledAlready(index + 1)
    case .dissimilar(let index, let other, let similarity, let threshold):
      FaceMessage.shotsUnlike(
        one: other + 1, other: index + 1, similarity: rounded(similarity),
        threshold: rounded(threshold))
    case .offset(let index, let share):
      FaceMessage.constantDirection(shot: index + 1, share: rounded(share))
    case .forced(let index, let similarity, let threshold):
      FaceMessage.registeredUnlike(
        shot: index + 1, similarity: rounded(similarity), threshold: rounded(threshold))
    }
  }

  static func sentence(_ calibrated: CalibratedScoring) -> any Message {
    FaceMessage.calibrated(
      shots: calibrated.enroll, frames: calibrated.frames, scoring: "\(calibrated.scoring)",
      threshold: rounded(calibrated.threshold))
  }

  /// What more shots or frames would buy somebody who was just recognised; nil when he has enough.
  static func advice(
    _ facts: ScoringFacts, frames: Int, similarity: Double, threshold: Double
  ) -> (any Message)? {
    if let calibrated = facts.calibrated {
      if facts.templates < calibrated.enroll {
        return
          FaceMessage.calibrationWantsShots(
            shots: calibrated.enroll, more: calibrated.enroll - facts.templates)
      }
      if frames < calibrated.frames {
        return
          FaceMessage.calibrationWantsFrames(
            frames: calibrated.frames, more: calibrated.frames - frames)
      }
      return nil
    }
    // A fifth of the way from the threshold to a perfect match: the next picture may fall below.
    guard similarity - threshold < (1 - threshold) / 5 else { return nil }
    if facts.templates < 3 {
      return
        OpeningMessage.closeCallMoreShots
    }
    return frames < 3 ? OpeningMessage.closeCallMoreFrames : nil
  }

  static func write(_ template: EnrolledFace, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", template.id)
    json.member("label", template.label)
    json.member("model", template.model)
    json.member("dimension", template.dimension)
    json.endObject()
  }

  static let faces = Command<Invocation>(
    "faces", Form("list", isDefault: true), Form("remove", Operand("ID")),
    Form("rename", Operand("ID"), Operand("LABEL")), Form("recalibrate"),
    summary: CommandHelp.faces, options: [Options.threshold],
    details: CommandHelp.facesDetails
  ) { invocation in
    switch invocation.verb {
    case "list":
      let set = try invocation.owner().run(ListFaces())
      if invocation.isJSON {
        try invocation.json { json in
          json.beginArray()
          for template in set?.faces ?? [] {
            json.beginObject()
            json.member("id", template.id)
            json.member("label", template.label)
            json.member("model", set?.model)
            json.member("dimension", template.dimension)
            json.member("threshold", set?.threshold)
            json.member("created", utc(template.created))
            json.endObject()
          }
          json.endArray()
        }
      } else {
        for template in set?.faces ?? [] {
          try invocation.output.line(
            "\(template.id.prefix(8))  \(utc(template.created).prefix(10))  \(set?.model ?? "")  \(rounded(set?.threshold ?? 0))  \(visible(template.label))"
          )
        }
      }
    case "remove":
      let left = try invocation.owner().run(RemoveFace(invocation.operands[0]))
      invocation.note(FaceMessage.removed(left))
    case "rename":
      _ = try invocation.owner().run(
        RenameFace(invocation.operands[0], to: invocation.operands[1]))
    case "recalibrate":
      let owner = try invocation.owner()
      guard let set = try owner.run(ListFaces()) else { throw AuthenticationError(.noFace, "") }
      let saved = try invocation.configuration().models[set.model]
      guard
        let threshold = invocation.arguments[Options.threshold] ?? saved?.threshold
          ?? FaceModel.named(set.model)?.threshold
      else { throw EnrollmentError.thresholdNeeded(model: set.model) }
      let calibrated = invocation.arguments.has(Options.threshold) ? nil : saved?.calibrated
      _ = try owner.run(RecalibrateFaces(threshold: threshold, calibrated: calibrated))
      invocation.note(FaceMessage.accepted(rounded(threshold)))
      if let calibrated { invocation.note(sentence(calibrated)) }
    default: break
    }
    return 0
  }

  static let models = Command<Invocation>(
    "models", summary: CommandHelp.models
  ) { invocation in
    if invocation.isJSON {
      try invocation.json { json in
        json.beginArray()
        for model in FaceModel.all {
          json.beginObject()
          json.member("name", model.name)
          json.member("dimension", model.dimension)
          json.member("threshold", model.threshold)
          json.member("source", model.source)
          json.member("aliases", model.aliases)
          json.endObject()
        }
        json.endArray()
      }
      return 0
    }
    for model in FaceModel.all {
      let name = model.name + String(repeating: " ", count: max(1, 16 - model.name.count))
      let size = String(model.dimension)
      let dimension = String(repeating: " ", count: max(0, 5 - size.count)) + size
      try invocation.output.line("\(name) \(dimension)  \(rounded(model.threshold))")
    }
    invocation.note(
      FaceMessage.modelThresholds(FaceModel.all[0].source)
    )
    return 0
  }

  static let match = Command<Invocation>(
    "match", Form(Operand("A", completion: .file), Operand("B", completion: .file)),
    summary: CommandHelp.match, options: modelOptions,
    details: CommandHelp.matchDetails
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
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("similarity", similarity)
        json.member("threshold", threshold)
        json.member("accepted", accepted)
        json.member("model", model)
        json.endObject()
      }
    } else {
      try invocation.output.line(
        invocation.text(FaceMessage.similarity(rounded(similarity))))
    }
    guard let threshold, let accepted else {
      throw Failure(
        .usage, FaceMessage.noThresholdKnown,
        hint: FaceMessage.nameModelOrThreshold)
    }
    if !invocation.isJSON {
      let source =
        invocation.arguments.has(Options.threshold)
        ? invocation.text(FaceMessage.given)
        : saved != nil
          ? invocation.text(FaceMessage.calibratedFor(model ?? ""))
          : invocation.text(FaceMessage.publishedFor(model ?? ""))
      try invocation.output.line(
        invocation.text(
          accepted
            ? FaceMessage.matchAccepted(
              above: rounded(similarity - threshold), threshold: rounded(threshold), source: source)
            : FaceMessage.matchRefused(
              below: rounded(threshold - similarity), threshold: rounded(threshold), source: source)
        ))
    }
    if accepted { return 0 }
    if invocation.isJSON {
      throw Failure(.faceRefused, FaceMessage.belowThreshold)
    }
    return 3
  }
}
