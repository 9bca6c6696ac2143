package import Access
package import CommandLine
package import FaceMatching
package import Platform
package import Requests
package import Words

/// What a person named for a command to read: files, standard input, programs that print vectors.
///
/// A client has one, and the keeper process that it starts has one, which reads the faces and secrets.
package final class Inputs {
  /// Seconds a program has for its vector: long enough for a camera to warm up.
  private static let programSeconds = 30

  /// Names of variables that programs get besides the usual ones.
  private let variables: () throws -> [String]
  /// Tells the person before the camera what its program asks for.
  private let ask: (CameraRequest) -> Void
  private var standardInputUse: InputPurpose?

  /// - Parameters:
  ///   - ask: tells the person before a camera what its program asks for.
  ///   - variables: asked when a program is started; throws when the configuration cannot be read.
  package init(
    ask: @escaping (CameraRequest) -> Void, variables: @escaping () throws -> [String]
  ) {
    (self.ask, self.variables) = (ask, variables)
  }

  /// Standard input serves one purpose.
  package func claimStandardInput(for purpose: InputPurpose) throws {
    if let other = standardInputUse {
      throw Failure(
        .usage, UsageMessage.twoReadStandardInput(one: other, other: purpose),
        hint: UsageMessage.nameFileForOne)
    }
    standardInputUse = purpose
  }

  /// Opens what a person named; `purpose` claims standard input when that is it.
  package func open(_ path: String, as purpose: InputPurpose) throws -> InputFile {
    if path == "-" { try claimStandardInput(for: purpose) }
    return try InputFile(path)
  }

  /// The vectors in a file, standard input or what a program prints.
  ///
  /// - Throws: ``Failure``, ``VectorError``, ``ChildProcessError``.
  package func vectors(
    _ source: VectorSource, limit: Int = VectorFile.sizeLimit
  ) throws -> VectorFile {
    switch source {
    case .program(let words):
      return try VectorFile(try run(words), source: source.name)
    case .file(let path):
      do {
        let bytes = try open(path, as: .faceVector).contents(limit: limit)
        return try VectorFile(bytes, source: source.name)
      } catch let error as InputTooLarge {
        throw VectorError(.tooLarge(limit: error.limit), in: error.path)
      }
    }
  }

  /// What a program prints.
  ///
  /// - Parameter directory: its working directory; nil for the current one.
  package func run(_ words: [String], in directory: String? = nil) throws -> [UInt8] {
    try ChildProcess.output(
      of: words, seconds: Self.programSeconds, limit: VectorFile.sizeLimit,
      extraEnvironment: try variables(), directory: directory,
      heard: { [ask] line in CameraRequest(line: line).map(ask) })
  }

  // MARK: Probes

  /// The face that was shown, nil when none was.
  ///
  /// - Parameter camera: the only program it may come from, where the policy names one.
  package func probe(_ shown: [VectorSource], camera: CameraProgram? = nil) throws -> Probe? {
    guard let first = shown.first else { return nil }
    if let camera {
      guard shown.count == 1, case .program(camera.words) = first else {
        throw AuthenticationError(.needsSecret, "face", need: .camera)
      }
      return try probe(of: camera)
    }
    var frames: [Embedding] = []
    for source in shown {
      let file = try vectors(source)
      frames += try file.embeddings()
      guard frames.count <= Probe.frameLimit else {
        throw VectorError(.tooManyRows(limit: Probe.frameLimit), in: file.source)
      }
    }
    return try Probe(frames, source: first.name)
  }

  /// The face in front of a configured program.
  package func probe(through program: ConfiguredProgram) throws -> Probe {
    let seen = try look(through: program)
    return try Probe(try seen.embeddings(), source: seen.source)
  }

  /// What a configured program prints. If a ready camera sees no face, an error says so, and it costs no attempt.
  package func look(through program: ConfiguredProgram) throws -> VectorFile {
    do {
      return try VectorFile(
        try run(program.words, in: program.directory), source: program.words[0])
    } catch let error as ChildProcessError {
      throw Self.refusal(error) ?? error
    }
  }

  /// The face in front of the policy's program, whatever environment and configuration say.
  ///
  /// - Throws: ``Failure`` `needsPassphrase` naming a file that is not as it was sealed.
  package func probe(of camera: CameraProgram) throws -> Probe {
    if let file = camera.changedFile {
      throw Failure(
        .needsPassphrase, OpeningMessage.cameraChanged(file), hint: OpeningMessage.confirmCamera)
    }
    let printed = try ChildProcess.output(
      of: camera.words, seconds: Self.programSeconds, limit: VectorFile.sizeLimit,
      directory: ThisProcess.homeDirectory, isolated: true,
      heard: { [ask] line in CameraRequest(line: line).map(ask) })
    let source = camera.words[0]
    return try Probe(
      try VectorFile(printed, source: source).embeddings(), source: source,
      program: camera.identity)
  }

  /// What a ready camera reported by its exit code, in words; nil for another program's failure.
  private static func refusal(_ error: ChildProcessError) -> Failure? {
    guard case .failed(let code, let says) = error.problem,
      let refusal = CameraRefusal(rawValue: code)
    else { return nil }
    return Failure(
      refusal == .noCamera || refusal == .noModel ? .system : .invalid,
      FaceMessage.cameraRefused(refusal, says.oneLine.trimmed))
  }
}

extension VectorSource {
  /// As a person names it: `cmd:PROGRAM ARG…`, a file, or `-`.
  package init(_ named: String) throws(ChildProcessError) {
    self =
      named.hasPrefix("cmd:")
      ? .program(try ShellWords.split(String(named.dropFirst(4)))) : .file(named)
  }
}
