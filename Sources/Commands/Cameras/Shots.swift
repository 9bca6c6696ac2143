internal import CommandLine
internal import FaceMatching
internal import Platform

extension Invocation {
  /// Shots that an enrolment through the camera takes.
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
      return try look(through: try requiredProbe() + ["--image", Invocation.absolute(file)])
    }
  }

  /// Shots through the camera, each asked for and taken again while there is no face to be seen.
  func shots() throws -> [VectorFile] {
    guard Terminal.canAsk else {
      throw Failure(.usage, UsageMessage.noTerminal)
    }
    return try (1...Self.shotCount).map { number in
      for attempt in 1...Self.shotTries {
        _ = try Terminal.ask(text(FaceMessage.shotPrompt(number, of: Self.shotCount)))
        do { return try look(through: try requiredProbe() + ["--frames", "1"]) } catch let failure
          as Failure
          where failure.code == .invalid && attempt < Self.shotTries
        {
          page.warn(failure.message)
        }
      }
      throw Failure(.invalid, FaceMessage.cameraRefused(.noFace, ""))
    }
  }
}
