internal import CommandLine
internal import Dates
internal import FaceMatching
internal import Formats
internal import Inputs
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// `camera`: ready programs that look through a webcam, set up and tried.
@MainActor
package enum CameraCommand {
  static let declaration = Command<Invocation>(
    "camera", Form("list", isDefault: true),
    Form("setup", Operand("NAME", completion: .words(ReadyCamera.all.map(\.name)))), Form("test"),
    summary: CommandHelp.camera,
    options: [Options.cameraSource, Options.challenge, Options.download],
    details: CommandHelp.cameraDetails
  ) { invocation in
    switch invocation.verb {
    case "setup": return try setup(invocation)
    case "test": return try test(invocation)
    default: return try list(invocation)
    }
  }

  private static func list(_ invocation: Invocation) throws -> Outcome {
    let probe = try invocation.configuration().probe
    let isSetUp = { @Sendable (camera: ReadyCamera) in
      camera.isRun(by: probe.flatMap { try? ShellWords.split($0) } ?? [])
    }
    return .array(ReadyCamera.all) { json, camera in
      json.member("name", camera.name)
      json.member("model", camera.model)
      json.member("packages", camera.packages)
      json.member("pythonPackages", camera.pythonPackages)
      json.member("command", isSetUp(camera) ? probe : nil)
    } text: { page in
      for camera in ReadyCamera.all {
        try page.line(
          padRight(camera.name, 13) + padRight(camera.model, 16)
            + page.text(
              isSetUp(camera) ? FaceMessage.cameraSetUp : .cameraNotSetUp(camera.name)))
      }
    }
  }

  // MARK: Setting up

  private static func setup(_ invocation: Invocation) throws -> Outcome {
    let name = invocation.operands[0]
    guard let camera = ReadyCamera.named(name) else {
      throw Failure(
        .notFound, FaceMessage.noReadyCamera(name),
        hint: UsageMessage.oneOf(ReadyCamera.all.map(\.name).joined(separator: ", ")))
    }
    let folder = try CameraFolder(invocation.environment)
    let version = try version(of: camera, in: folder)
    let files = camera.files(version)
    let program = try folder.write(camera)
    var missing: [ReadyCamera.ModelFile] = []
    for file in files {
      switch try folder.state(of: file) {
      case .right: continue
      case .missing: missing.append(file)
      case .other(let found):
        throw Failure(
          .invalid,
          FaceMessage.weightsOther(folder.place(of: file), found: found, expected: file.sha256),
          hint: Verbatim(folder.fetching([file]) + " && " + again(camera)))
      }
    }
    if !missing.isEmpty { try download(missing, of: camera, to: folder, invocation) }
    // Isolated: neither the folder of the program nor variables say what Python imports.
    var words = [folder.python, "-I", program]
    words += files.flatMap { ["--weights", folder.place(of: $0)] }
    // As many frames as a calibration of its own was measured with.
    if let frames = try invocation.configuration().models[camera.model]?.calibrated?.frames {
      words += ["--frames", String(frames)]
    }
    if let source = invocation.arguments[Options.cameraSource] { words += ["--source", source] }
    if invocation.arguments[Options.challenge] { words.append("--challenge") }
    try invocation.configuration().save(probe: line(of: words))
    return try tried(
      ConfiguredProgram(words, in: invocation.programDirectory), invocation)
  }

  /// Fetches weights if the owner wants that: `--download`, or an answer at the terminal.
  ///
  /// - Throws: ``Failure`` `notFound` naming the files where nobody agreed.
  private static func download(
    _ missing: [ReadyCamera.ModelFile], of camera: ReadyCamera, to folder: CameraFolder,
    _ invocation: Invocation
  ) throws {
    let facts = missing.map {
      invocation.text(
        FaceMessage.weights(
          $0.name, size: byteCount($0.size), licence: $0.licence, sha256: $0.sha256))
    }
    if !invocation.arguments[Options.download], Terminal.canAsk {
      let hosts = Set(missing.compactMap { $0.source.split(separator: "/").dropFirst().first })
      for fact in facts { invocation.page.note(Verbatim(fact)) }
      let question = FaceMessage.askToDownload(
        size: byteCount(missing.reduce(0) { $0 + $1.size }),
        from: hosts.sorted().joined(separator: ", "))
      guard try Terminal.confirm(invocation.text(question)) else {
        throw Failure(
          .declined, FailureMessage.nothingChanged,
          hint: Verbatim(folder.fetching(missing) + " && " + again(camera)))
      }
    } else if !invocation.arguments[Options.download] {
      throw Failure(
        .notFound, FaceMessage.weightsMissing(facts),
        hint: Verbatim(folder.fetching(missing) + " && " + again(camera)))
    }
    try CameraDownload(folder: folder, shows: Terminal.canAsk).fetch(missing)
  }

  /// - Throws: ``Failure`` `notFound` naming the packages.
  private static func version(of camera: ReadyCamera, in folder: CameraFolder) throws -> [Int] {
    let missing = Failure(
      .notFound, FaceMessage.libraryMissing(camera.name),
      hint: Verbatim(folder.installing(camera) + " && " + again(camera)))
    guard
      let bytes = try? ChildProcess.output(
        of: [folder.python, "-I", "-c", camera.versionQuestion], seconds: 30, limit: 1000)
    else { throw missing }
    let version = String(decoding: bytes, as: UTF8.self).trimmed.split(separator: ".")
      .prefix(2).compactMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    guard version.count == 2 else { throw missing }
    return version
  }

  private static func again(_ camera: ReadyCamera) -> String {
    "facediary camera setup " + camera.name
  }

  /// Words as one line that is split into them again.
  private static func line(of words: [String]) -> String {
    words.map(ShellWords.quoted).joined(separator: " ")
  }

  // MARK: Trying

  private static func test(_ invocation: Invocation) throws -> Outcome {
    try tried(try invocation.requiredProgram(), invocation)
  }

  private static func tried(
    _ program: ConfiguredProgram, _ invocation: Invocation
  ) throws -> Outcome {
    let frames = try invocation.inputs.look(through: program).embeddings()
    return .object { json in
      json.member("command", line(of: program.words))
      json.member("model", frames[0].model)
      json.member("frames", frames.count)
    } text: { page in
      page.note(
        FaceMessage.cameraSees(
          frames: frames.count, model: frames[0].model ?? "", components: frames[0].dimension))
    }
  }
}
