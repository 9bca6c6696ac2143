package import Access
internal import CommandLine
internal import Dates
package import FaceMatching
internal import Formats
internal import Platform
internal import Words

extension Invocation {
  /// Seconds a `cmd:` program has for its vector: long enough for a camera to warm up.
  private static let programSeconds = 30

  /// The vectors in a file, standard input or what a program prints.
  ///
  /// - Throws: ``Failure``, ``VectorError``, ``ChildProcessError``.
  package func vectors(_ spec: String, limit: Int = VectorFile.sizeLimit) throws -> VectorFile {
    if spec.hasPrefix("cmd:") {
      let words = try ChildProcess.split(String(spec.dropFirst(4)))
      return try VectorFile(try run(words), source: words[0])
    }
    do {
      let bytes = try read(spec, as: .faceVector, limit: limit)
      return try VectorFile(bytes, source: spec == "-" ? "standard input" : spec)
    } catch let error as InputTooLarge {
      throw VectorError(.tooLarge(limit: error.limit), in: error.path)
    }
  }

  /// What a probe program prints.
  ///
  /// - Parameter directory: where it begins; nil: where we stand.
  func run(_ words: [String], in directory: String? = nil) throws -> [UInt8] {
    try ChildProcess.output(
      of: words, seconds: Self.programSeconds, limit: VectorFile.sizeLimit,
      extraEnvironment: try configuration().environment, directory: directory)
  }

  /// What the policy's program prints, whatever environment and configuration say.
  private func run(_ camera: CameraProgram) throws -> [UInt8] {
    try ChildProcess.output(
      of: camera.words, seconds: Self.programSeconds, limit: VectorFile.sizeLimit,
      directory: ThisProcess.homeDirectory, isolated: true)
  }

  /// Where relative words of a configured program name files: never in whatever directory one stands.
  var programDirectory: String { environment["HOME"] ?? "/" }

  /// The face shown with `--face`, nil when none was.
  ///
  /// - Parameter camera: the only program it may come from, where the policy names one.
  package func probe(camera: CameraProgram? = nil) throws -> Probe? {
    let specs = arguments[Options.face]
    guard !specs.isEmpty else { return nil }
    if let camera {
      guard specs.count == 1, specs[0].hasPrefix("cmd:"),
        try ChildProcess.split(String(specs[0].dropFirst(4))) == camera.words
      else { throw AuthenticationError(.needsSecret, "face", need: .camera) }
      return try probe(of: camera)
    }
    var frames: [Embedding] = []
    for spec in specs {
      let file = try vectors(spec)
      frames += try file.embeddings()
      guard frames.count <= Probe.frameLimit else {
        throw VectorError(.tooManyRows(limit: Probe.frameLimit), in: file.source)
      }
    }
    return try Probe(frames, source: specs[0])
  }

  /// The face in front of the policy's program, or of the configured one; nil when there is none.
  package func configuredProbe(camera: CameraProgram? = nil) throws -> Probe? {
    if let camera { return try probe(of: camera) }
    guard let command = try configuration().probe else { return nil }
    let seen = try look(through: try ChildProcess.split(command))
    return try Probe(try seen.embeddings(), source: seen.source)
  }

  /// What a configured program prints; what a ready one sees instead of a face is said in words, and is no attempt.
  func look(through words: [String]) throws -> VectorFile {
    do {
      return try VectorFile(try run(words, in: programDirectory), source: words[0])
    } catch let error as ChildProcessError {
      throw CameraCommand.refusal(error) ?? error
    }
  }

  /// The words of the configured program.
  func requiredProbe() throws -> [String] {
    guard let command = try configuration().probe else {
      throw Failure(
        .notFound, FaceMessage.noProbeProgram, hint: Verbatim("facediary camera setup opencv"))
    }
    return try ChildProcess.split(command)
  }

  /// - Throws: ``Failure`` `needsPassphrase` naming a file that is not as it was sealed.
  private func probe(of camera: CameraProgram) throws -> Probe {
    if let file = camera.changedFile {
      throw Failure(
        .needsPassphrase, OpeningMessage.cameraChanged(file), hint: OpeningMessage.confirmCamera)
    }
    return try Probe(
      try VectorFile(try run(camera), source: camera.words[0])
        .embeddings(), source: camera.words[0], program: camera.identity)
  }
}
