internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import Inputs
internal import Platform
internal import Requests
internal import Words

extension Invocation {
  /// Shots that an enrolment through the camera takes where no calibration says how many.
  private static let shotCount = 3
  /// Times a shot is taken again before it is given up.
  private static let shotTries = 5

  /// The vectors in files; a photo goes through the camera's program.
  func vectors(of files: [String]) throws -> [VectorFile] {
    try files.map { file in
      guard file != "-", !file.hasPrefix("cmd:"), let input = try? InputFile(file),
        let first = try? input.piece(),
        ["image/jpeg", "image/png", "image/webp"].contains(MediaType.of(first, name: file))
      else { return try vectors(file) }
      let program = try requiredProgram()
      guard ReadyCamera.all.contains(where: { $0.isRun(by: program.words) }) else {
        throw Failure(
          .invalid, FaceMessage.photoNeedsReadyCamera(file),
          hint: Verbatim("facediary camera setup opencv"))
      }
      return try inputs.look(
        through: ConfiguredProgram(
          program.words + ["--image", Invocation.absolute(file)], in: program.directory))
    }
  }

  /// Milliseconds in which somebody turns to the camera where nobody can press a key.
  private static let pause = 3000

  /// Shots through the camera, each asked for and taken again while there is no face to be seen.
  ///
  /// There are as many as the model's calibration was measured with. Of a shot's frames the one most like the others
  /// is taken. That leaves out a frame with closed eyes, and no vector is computed from several.
  ///
  /// - Parameter meanwhile: called after each look, so that a waiting keeper does not time out.
  func shots(meanwhile: () -> Void) throws -> [Embedding] {
    var program = try requiredProgram()
    if ReadyCamera.all.contains(where: { $0.isRun(by: program.words) }) {
      // Nobody has to prove anything to be enrolled.
      program = ConfiguredProgram(
        program.words.filter { !$0.hasPrefix("--challenge") }, in: program.directory)
    }
    let model =
      arguments[Options.model]
      ?? ReadyCamera.all.first { $0.isRun(by: program.words) }?.model
    let saved = try model.flatMap { try configuration().models[FaceModel.canonicalName($0)] }
    let count = saved?.calibrated?.enroll ?? Self.shotCount
    return try (1...count).map { number in
      for attempt in 1...Self.shotTries {
        defer { meanwhile() }
        if Terminal.canAsk {
          _ = try Terminal.ask(text(FaceMessage.shotPrompt(number, of: count)))
        } else {
          page.note(FaceMessage.shotComes(number, of: count))
          SystemClock.sleep(milliseconds: Self.pause)
        }
        do {
          let frames = try inputs.look(through: program).embeddings()
          let threshold = saved?.threshold ?? model.flatMap(FaceModel.named)?.threshold
          return try middle(of: frames, alikeFrom: threshold)
        } catch let failure as Failure
          where failure.code == .invalid && attempt < Self.shotTries
        {
          page.warn(failure.message)
        }
      }
      throw Failure(.invalid, FaceMessage.cameraRefused(.noFace, ""))
    }
  }

  /// The frame most like the others.
  ///
  /// - Throws: ``Failure`` `invalid` where another differs from it as another person does.
  private func middle(of frames: [Embedding], alikeFrom threshold: Double?) throws -> Embedding {
    let likeness = try frames.map { one in try frames.map { try Similarity.cosine(one, $0) } }
    let middle = frames.indices.max { likeness[$0].reduce(0, +) < likeness[$1].reduce(0, +) } ?? 0
    if let threshold, let least = likeness[middle].min(), least < threshold {
      throw Failure(.invalid, FaceMessage.framesUnlike)
    }
    return frames[middle]
  }
}
