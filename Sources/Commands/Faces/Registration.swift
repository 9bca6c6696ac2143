internal import CommandLine
internal import FaceDiary
internal import FaceMatching

extension Invocation {
  /// What files and options say of faces to enrol.
  func registration(of files: [String]) throws -> FaceRegistration {
    var embeddings: [Embedding] = []
    for file in files {
      embeddings += try vectors(file).embeddings()
      guard embeddings.count <= Diary.templateLimit else {
        throw VectorError(.tooManyRows(limit: Diary.templateLimit), in: file)
      }
    }
    let models = Set(embeddings.compactMap(\.model))
    if models.count > 1 {
      let names = models.sorted()
      throw VectorError(.modelMismatch(found: names[1], expected: names[0]), in: files[0])
    }
    let named = arguments[Options.model] ?? models.first
    let saved = try named.flatMap {
      try configuration().models[FaceModel.canonicalName($0)]
    }
    return FaceRegistration(
      embeddings: embeddings, label: arguments[Options.label],
      model: arguments[Options.model],
      threshold: arguments[Options.threshold],
      saved: saved?.threshold,
      // A threshold given by hand is meant for the plain score.
      calibrated: arguments.has(Options.threshold) ? nil : saved?.calibrated,
      force: arguments[Options.force])
  }
}
