internal import Authentication
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `unlock`: a child authenticates, answers on our terminal, and stays as the session.
///
/// No key crosses from one process to another: who opened the vault is who keeps it open.
@MainActor
enum UnlockCommand {
  /// How a child knows that it is to become the session: its first word. Not a command of its own.
  static let childWord = "__session"

  static let declaration = Declaration(
    "unlock", "", "open the diary and keep it open for a while",
    options: [
      Option("--for", value: "12h", "how long at most (12h)"),
      Option("--idle", value: "5m", "how long without anything being done (5m)"),
    ],
    details: """
      Shows a face (--face, or the configured program) or asks for the passphrase, and leaves a
      session behind: the other commands then need nothing more until it ends. It ends by
      facediary lock, when idle, at the end of its life, and when the machine has slept.
      """
  ) { invocation in
    try invocation.require(0...0, "unlock [--for 12h] [--idle 5m]")
    _ = try invocation.limits()
    try invocation.requireVault()
    if let status = try await reopen(invocation) { return status }
    let (child, word) = try startChild(invocation)
    // Without a word it died; its exit code says how.
    return try word.read(1).first.map { Int32($0) } ?? ChildProcess.wait(for: child)
  }

  /// Starts it; gives the end of the pipe through which it says its exit code. Ours of the other end is closed.
  private static func startChild(_ invocation: Invocation) throws -> (Int32, Descriptor) {
    let ends = try Descriptor.pipe()
    let child = try ChildProcess.spawn(
      [try ThisProcess.executable(), childWord] + invocation.words,
      files: [0, 1, 2, ends.write.number], ownGroup: false, keepingEnvironment: true)
    return (child, ends.read)
  }

  /// A warm diary opens again where it was closed: the face goes there, and no key comes back.
  ///
  /// - Returns: nil when there is no such session, or no face to show.
  private static func reopen(_ invocation: Invocation) async throws -> Int32? {
    let arguments = invocation.arguments
    guard !arguments.has("--passphrase-file"), !arguments.has("--recovery-file"),
      let session = try AgentClient(invocation.location, waitingForFace: true)
    else { return nil }
    guard let probe = try invocation.probe() ?? invocation.configuredProbe() else { return nil }
    let limits = try invocation.limits(under: try Diary(at: invocation.location).policy())
    let shown = ShownFace(probe, limits: limits)
    do {
      switch try session.run(.showFace(shown)) {
      case .recognised(let similarity, let threshold, let facts):
        try answer(
          invocation, Opened(method: "face", similarity: similarity, threshold: threshold, facts))
        return 0
      case .refused(let left) where left > 0:
        throw Failure(
          .faceRefused, "this is not the face that is enrolled; tries left: \(left)",
          hint: "or use the passphrase")
      case .refused: throw AuthenticationError(.lockedOut, "face")
      case .notNow(let error): throw error
      default: throw Failure(.system, "unexpected answer")
      }
    } catch {
      if invocation.isJSON { try answerRefusal(invocation, error) }
      throw error
    }
  }

  /// What is said of a diary that has just been opened.
  private struct Opened {
    let method: String
    let similarity: Double?
    let threshold: Double?
    let life: Int
    let idle: Int

    init(method: String, similarity: Double?, threshold: Double?, _ facts: SessionFacts) {
      self.method = method
      self.similarity = similarity
      self.threshold = threshold
      life = facts.life
      idle = facts.idle
    }

    @MainActor init(_ opened: OpenedDiary) {
      let left = opened.model.session?.remaining(at: opened.model.clock)
      self.init(
        method: opened.method, similarity: opened.similarity, threshold: opened.threshold,
        SessionFacts(
          method: opened.method, life: Int(left?.life.components.seconds ?? 0),
          idle: Int(left?.idle.components.seconds ?? 0)))
    }
  }

  /// The child: authenticates, answers, then serves until the session's end.
  static func runSession(_ invocation: Invocation) async -> Int32 {
    let status: Int32
    var server: AgentServer?
    do {
      let opened = try await invocation.open()
      if opened.method != "face" { try opened.diary.keepWarm() }
      let agent = try AgentServer(
        diary: opened.diary, model: opened.model, method: opened.method)
      server = agent
      var advice: Text?
      if let similarity = opened.similarity, let threshold = opened.threshold,
        let set = try opened.diary.faces()
      {
        advice = FaceCommands.advice(
          set, frames: opened.frames, similarity: similarity, threshold: threshold)
      }
      try answer(invocation, Opened(opened), advice: advice)
      try invocation.output.flush()
      status = 0
    } catch {
      if invocation.isJSON { try? answerRefusal(invocation, error) }
      status = Program.report(error, invocation)
    }
    let stop = try? Signals.redirectToPipe()
    if server != nil { ThisProcess.detach() }
    do {
      let parent = Descriptor(3, name: "pipe")
      try? parent.write([UInt8(truncatingIfNeeded: status)])
    }
    if status == 0, let stop { await server?.run(until: stop) }
    return status
  }

  /// A refused face still gets its document: where things stand, and no score.
  private static func answerRefusal(_ invocation: Invocation, _ error: any Error) throws {
    let failure = Failure(error)
    guard failure.code == .faceRefused || failure.code == .wrongSecret || failure.code == .lockedOut
    else { return }
    let face = invocation.arguments.has("--face") && failure.code != .wrongSecret
    try invocation.json { json in
      json.beginObject()
      json.member("state", AppState.authentication.rawValue)
      json.member("method", face ? "face" : "passphrase")
      json.key("expires")
      json.null()
      json.endObject()
    }
  }

  private static func answer(
    _ invocation: Invocation, _ opened: Opened, advice: Text? = nil
  ) throws {
    let seconds = Int64(opened.life)
    let now = invocation.dates.zone.now()
    let expires = try ZonedTime(
      seconds: now.seconds + seconds,
      offset: invocation.dates.zone.offset(at: now.seconds + seconds))
    guard invocation.isJSON else {
      let idle = (opened.idle + 59) / 60
      if let similarity = opened.similarity, let threshold = opened.threshold {
        invocation.note(
          "recognised (similarity \(rounded(similarity)), threshold \(rounded(threshold)))")
        if let advice { invocation.note(advice) }
      }
      invocation.note(
        "the diary is open until \(expires.clock), or \(idle) minutes without use; close it with: facediary lock"
      )
      return
    }
    try invocation.json { json in
      json.beginObject()
      json.member("state", AppState.authenticated.rawValue)
      json.member("method", opened.method)
      if let similarity = opened.similarity { json.member("similarity", similarity) }
      if let threshold = opened.threshold { json.member("threshold", threshold) }
      json.member("expires", expires.iso)
      json.endObject()
    }
  }
}
