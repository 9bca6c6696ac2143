internal import CommandLine
internal import FaceDiary
internal import FaceMatching
internal import Platform

extension Invocation {
  /// Seconds a `cmd:` program has for its vector: long enough for a camera to warm up.
  private static let programSeconds = 30

  /// The vectors in a file, standard input or what a program prints.
  ///
  /// - Throws: ``Failure``, ``VectorError``, ``ChildProcessError``.
  func vectors(_ spec: String, limit: Int = VectorFile.sizeLimit) throws -> VectorFile {
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
  func run(_ words: [String]) throws -> [UInt8] {
    try ChildProcess.output(
      of: words, seconds: Self.programSeconds, limit: VectorFile.sizeLimit,
      extraEnvironment: try configuration().environment)
  }

  /// The face shown with `--face`, nil when none was.
  func probe() throws -> Probe? {
    let specs = arguments[Options.face]
    guard !specs.isEmpty else { return nil }
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

  /// The face in front of the configured program, nil when none is configured.
  func configuredProbe() throws -> Probe? {
    guard let command = try configuration().probe else { return nil }
    let words = try ChildProcess.split(command)
    return try Probe(
      try VectorFile(try run(words), source: words[0]).embeddings(), source: words[0])
  }
}
