internal import Access
internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `status`: shows the diary's state, without opening it.
@MainActor
enum StatusCommand {
  static let declaration = Command<Invocation>("status", summary: CommandHelp.status) {
    invocation in
    let status = Status(invocation)
    return .object(status.write) { _ in try status.show(invocation) }
  }
}

/// What `status` knows.
@MainActor
struct Status {
  var state = AppState.onboarding
  var vault: String
  var id: String?
  var device = Standing.Device.new
  var session: SessionFacts?
  var face = FaceStanding.absent
  var enrolled = 0
  var needs: [String] = []
  var reason: String?
  /// Seconds until a passphrase may be tried.
  var retryAfter: Int64?
  var freshness: SecretNeed?
  /// Typed texts that could not be saved, and wait to be recovered.
  var unsaved = 0
  /// Why a session that is there says nothing of itself.
  private var unheard: SessionError?
  private var isOpenElsewhere = false
  /// Why the device key cannot be had, so that no secret opens the diary with this device store.
  private var keyTrouble: Failure?
  /// Why nothing can be said of the diary.
  private var failure: Failure?

  init(_ invocation: Invocation) {
    vault = invocation.location.vault
    let standing: Standing
    do {
      standing = try invocation.look(AskStanding())
    } catch let error as VaultError where error.code == .noVault {
      reason = "no-vault"
      return
    } catch {
      let failure = Failure(error)
      state = .authentication
      reason = failure.code.rawValue
      self.failure = failure
      return
    }
    id = Base32.encode(standing.vault.id)
    device = standing.device
    state = standing.state
    face = standing.face
    enrolled = standing.enrolled
    unsaved = UnsavedTextFolder.count(invocation, of: standing.vault)
    do {
      if let client = try KeeperConnection(session: invocation.location) {
        session = try client.session()
        state = .authenticated
        return
      }
    } catch let error as SessionError where error == .silent || error == .full {
      // It may still hold the diary open, so the diary must not be reported as closed.
      unheard = error
      reason = Failure.Code.busy.rawValue
      return
    } catch {
      // The session is of another version or has just ended: it cannot be used.
    }
    isOpenElsewhere = SessionSocket.isOpenSomewhere(invocation.location, within: .zero)
    if let trouble = standing.keyTrouble {
      keyTrouble = Failure(trouble.thrown)
      reason = keyTrouble?.code.rawValue
      return
    }
    if case .enrolled = face {
      freshness = standing.faceNeeds
      if freshness == nil, standing.isWarm, !Self.isWarm(invocation) { freshness = .warm }
      if freshness == nil { needs.append("face") }
    }
    if standing.passphraseWait > 0 { retryAfter = standing.passphraseWait }
    let kinds = standing.vault.slots.map(\.kind)
    if freshness == .facePassphrase { needs.append("face+passphrase") }
    if kinds.contains(.passphrase) { needs.append("passphrase") }
    if kinds.contains(.recovery) { needs.append("recovery") }
    switch face {
    case .lockedOut: reason = "locked-out"
    case .unreadable: reason = device == .damaged ? "damaged" : "needs-passphrase"
    case .absent: reason = "no-face"
    default: reason = freshness?.rawValue
    }
  }

  /// Whether a session is kept warm, and waits for a face.
  private static func isWarm(_ invocation: Invocation) -> Bool {
    (try? KeeperConnection(session: invocation.location, waitingForFace: true)) != nil
  }

  private var attemptsLeft: Int {
    if case .enrolled(let left) = face { return left }
    return 0
  }

  /// The members of its object.
  func write(to json: inout JSONWriter) {
    json.member("state", state.rawValue)
    json.member("vault", vault)
    json.member("id", id)
    json.member("device", device.rawValue)
    json.member("session", object: session) { json, session in
      let now = LocalZone().now()
      json.member("method", session.method)
      json.member("expires", at(now, session.life))
      json.member("idleExpires", at(now, session.idle))
      json.member("confined", session.confined)
      json.key("confinement")
      json.beginObject()
      json.member("tried", session.tried)
      json.member("found", session.confined)
      json.endObject()
    }
    json.member("face", object: face) { json, face in
      json.member("enrolled", enrolled)
      json.member("attemptsLeft", attemptsLeft)
      json.member("lockedOut", face == .lockedOut)
    }
    json.member("needs", needs)
    json.member("reason", reason)
    json.key("retryAfter")
    json.value(retryAfter.map { Int($0) })
    json.member("openElsewhere", isOpenElsewhere)
    json.member("unsavedTexts", unsaved)
  }

  private func at(_ now: ZonedTime, _ seconds: Int) -> String {
    (try? ZonedTime(seconds: now.seconds + Int64(seconds), offset: now.offset))?.iso ?? now.iso
  }

  private func show(_ failure: Failure, _ invocation: Invocation) throws {
    let page = invocation.page
    try page.line(visible(page.text(failure.message)))
    guard let hint = failure.hint else { return }
    let advice = visible(page.text(invocation.naming(in: hint)))
    try page.line(page.language.phrasebook.hint + advice)
  }

  /// For people.
  func show(_ invocation: Invocation) throws {
    let page = invocation.page
    try page.line(OpeningMessage.vault(visible(vault)))
    if let failure { return try show(failure, invocation) }
    guard id != nil else { return try page.line(OpeningMessage.noDiaryYet) }
    if let session {
      try page.line(
        OpeningMessage.open(
          by: OpeningMessage.way(session.method), idle: (session.idle + 59) / 60,
          life: (session.life + 59) / 60))
    } else if let unheard {
      try page.line(Failure(unheard).message)
    } else if let keyTrouble {
      try show(keyTrouble, invocation)
    } else {
      let standing: any Message =
        isOpenElsewhere
        ? invocation.naming(in: OpeningMessage.openElsewhere)
        : OpeningMessage.closedOpensBy(needs.map(OpeningMessage.way))
      try page.line(standing)
      if let freshness {
        try page.line(
          Failure(AuthenticationError(.needsSecret, "face", need: freshness)).message)
      }
      if let retryAfter {
        try page.line(
          Failure(AuthenticationError(.waiting, "passphrase", retryAfter: retryAfter)).message)
      }
    }
    switch face {
    case .enrolled(let left):
      try page.line(OpeningMessage.facesEnrolled(count: enrolled, triesLeft: left))
    case .lockedOut: try page.line(OpeningMessage.faceLockedOut)
    case .absent: try page.line(OpeningMessage.noFaceHere)
    case .unreadable where keyTrouble == nil: try page.line(OpeningMessage.faceDataUnreadable)
    case .unreadable, .unknown: break
    }
    guard unsaved > 0 else { return }
    try page.line(invocation.naming(in: OpeningMessage.unsavedTexts(unsaved)))
  }
}
