internal import Access
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import FaceMatching
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `unlock`: starts a keeper that stays as the session.
///
/// No key crosses from one process to another: the process that opened the vault keeps it open.
@MainActor
enum UnlockCommand {
  static let declaration = Command<Invocation>(
    "unlock", summary: CommandHelp.unlock,
    options: [Options.life, Options.idle, Options.look, Options.noFace],
    details: CommandHelp.unlockDetails
  ) { invocation in
    try invocation.requireVault()
    MemoryDirectory.sweep(invocation.environment)
    do {
      if let outcome = try reopen(invocation) {
        AutomaticSync.start(invocation)
        return outcome
      }
      let opened = try invocation.openKeeper(.session) {
        if invocation.arguments[Options.noFace] { $0.faces = KeeperTask.FaceSources() }
        $0.looks = invocation.arguments[Options.look]
      }.opened
      AutomaticSync.start(invocation)
      return try outcome(
        invocation, opened.session, similarity: opened.similarity, threshold: opened.threshold,
        advice: opened.scoring.flatMap {
          FaceSentence.advice(
            $0, frames: opened.frames, similarity: opened.similarity ?? 0,
            threshold: opened.threshold ?? 0)
        })
    } catch {
      if let refusal = refusal(invocation, error) { return refusal }
      throw error
    }
  }

  /// A warm diary is opened again by the process that closed it, which gets the face and returns no key.
  ///
  /// - Returns: nil when there is no such session, or no face to show.
  private static func reopen(_ invocation: Invocation) throws -> Outcome? {
    let arguments = invocation.arguments
    guard !arguments.has(Options.passphraseFile), !arguments.has(Options.recoveryFile),
      !arguments[Options.noFace],
      let session = try KeeperConnection(session: invocation.location, waitingForFace: true),
      let probe = try invocation.probe() ?? configured(invocation)
    else { return nil }
    let shown = ShownFace(
      probe, idle: arguments[Options.idle], life: arguments[Options.life])
    switch try session.show(shown) {
    case .recognised(let similarity, let threshold, let facts):
      return try outcome(invocation, facts, similarity: similarity, threshold: threshold)
    case .refused(let left) where left > 0:
      throw Failure(
        .faceRefused, OpeningMessage.notTheFace(left),
        hint: OpeningMessage.orUsePassphrase)
    case .refused: throw AuthenticationError(.lockedOut, "face")
    }
  }

  /// The face before the configured program; nil where it fails and somebody can be asked for the passphrase instead.
  private static func configured(_ invocation: Invocation) throws -> Probe? {
    do {
      // A diary that is kept warm has no rule for the camera: who ran the program is not known there.
      return try invocation.configuredProbe()
    } catch {
      guard Terminal.canAsk else { throw error }
      invocation.note(Failure(error).message)
      return nil
    }
  }

  /// A refused face still gets its document: where things stand, and no score.
  private static func refusal(_ invocation: Invocation, _ error: any Error) -> Outcome? {
    let code = Failure(error).code
    guard [.faceRefused, .wrongSecret, .lockedOut].contains(code) else { return nil }
    let face = invocation.arguments.has(Options.face) && code != .wrongSecret
    return .object(failure: error) { json in
      json.member("state", AppState.authentication.rawValue)
      json.member("method", face ? "face" : "passphrase")
      json.key("expires")
      json.null()
    } text: { _ in
    }
  }

  private static func outcome(
    _ invocation: Invocation, _ session: SessionFacts, similarity: Double?, threshold: Double?,
    advice: FaceMessage? = nil
  ) throws -> Outcome {
    let now = invocation.dates.zone.now()
    let end = now.seconds + Int64(session.life)
    let expires = try ZonedTime(seconds: end, offset: invocation.dates.zone.offset(at: end))
    return .object { json in
      json.member("state", AppState.authenticated.rawValue)
      json.member("method", session.method)
      if let similarity { json.member("similarity", similarity) }
      if let threshold { json.member("threshold", threshold) }
      json.member("expires", expires.iso)
    } text: { page in
      if let similarity, let threshold {
        page.note(
          OpeningMessage.recognised(similarity: rounded(similarity), threshold: rounded(threshold)))
        if let advice { page.note(advice) }
      }
      page.note(
        OpeningMessage.openUntil(
          time: expires.clock, isTomorrow: expires.day > LocalZone().now().day,
          idle: (session.idle + 59) / 60))
      for (asked, given, name) in [
        (invocation.arguments[Options.idle], session.idle, "idle"),
        (invocation.arguments[Options.life], session.life, "life"),
      ] {
        guard let asked, asked > .seconds(given + 60) else { continue }
        page.note(OpeningMessage.policyAllowsLess(name))
      }
    }
  }
}
