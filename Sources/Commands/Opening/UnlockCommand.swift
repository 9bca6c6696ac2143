internal import Authentication
internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import FaceMatching
internal import JSONText

/// `unlock`: starts a keeper that stays as the session.
///
/// No key crosses from one process to another: who opened the vault is who keeps it open.
@MainActor
enum UnlockCommand {
  static let declaration = Command<Invocation>(
    "unlock", summary: CommandHelp.unlock,
    options: [Options.life, Options.idle],
    details: CommandHelp.unlockDetails
  ) { invocation in
    try invocation.requireVault()
    do {
      if try reopen(invocation) { return 0 }
      let opened = try invocation.openKeeper(.session).opened
      let advice = opened.scoring.flatMap {
        FaceCommands.advice(
          $0, frames: opened.frames, similarity: opened.similarity ?? 0,
          threshold: opened.threshold ?? 0)
      }
      try answer(
        invocation, opened.session, similarity: opened.similarity, threshold: opened.threshold,
        advice: advice)
      return 0
    } catch {
      if invocation.isJSON { try answerRefusal(invocation, error) }
      throw error
    }
  }

  /// A warm diary opens again where it was closed: the face goes there, and no key comes back.
  ///
  /// - Returns: false when there is no such session, or no face to show.
  private static func reopen(_ invocation: Invocation) throws -> Bool {
    let arguments = invocation.arguments
    guard !arguments.has(Options.passphraseFile), !arguments.has(Options.recoveryFile),
      let session = try KeeperConnection(session: invocation.location, waitingForFace: true),
      let probe = try invocation.probe() ?? invocation.configuredProbe()
    else { return false }
    let limits = invocation.limits(under: try Keeper(at: invocation.location).policy())
    switch try session.show(ShownFace(probe, limits: limits)) {
    case .recognised(let similarity, let threshold, let facts):
      try answer(invocation, facts, similarity: similarity, threshold: threshold)
      return true
    case .refused(let left) where left > 0:
      throw Failure(
        .faceRefused, OpeningMessage.notTheFace(left),
        hint: OpeningMessage.orUsePassphrase)
    case .refused: throw AuthenticationError(.lockedOut, "face")
    }
  }

  /// A refused face still gets its document: where things stand, and no score.
  private static func answerRefusal(_ invocation: Invocation, _ error: any Error) throws {
    let failure = Failure(error)
    guard failure.code == .faceRefused || failure.code == .wrongSecret || failure.code == .lockedOut
    else { return }
    let face = invocation.arguments.has(Options.face) && failure.code != .wrongSecret
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
    _ invocation: Invocation, _ session: SessionFacts, similarity: Double?, threshold: Double?,
    advice: (any Message)? = nil
  ) throws {
    let now = invocation.dates.zone.now()
    let end = now.seconds + Int64(session.life)
    let expires = try ZonedTime(seconds: end, offset: invocation.dates.zone.offset(at: end))
    guard invocation.isJSON else {
      let idle = (session.idle + 59) / 60
      if let similarity, let threshold {
        invocation.note(
          OpeningMessage.recognised(similarity: rounded(similarity), threshold: rounded(threshold)))
        if let advice { invocation.note(advice) }
      }
      invocation.note(
        OpeningMessage.openUntil(time: expires.clock, idle: idle)
      )
      return
    }
    try invocation.json { json in
      json.beginObject()
      json.member("state", AppState.authenticated.rawValue)
      json.member("method", session.method)
      if let similarity { json.member("similarity", similarity) }
      if let threshold { json.member("threshold", threshold) }
      json.member("expires", expires.iso)
      json.endObject()
    }
  }
}
