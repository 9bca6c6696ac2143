internal import Access
internal import Authentication
internal import Bytes
internal import Client
internal import CommandLine
internal import DiaryVault
internal import Entries
internal import Foundation
internal import JSONText
internal import Keeper
internal import KeeperProcess
internal import Requests

/// What `status` knows.
@MainActor
struct Status {
  var state = AppState.onboarding
  var vault: String
  var id: String?
  var device = "new"
  var session: SessionFacts?
  var face = FaceStanding.absent
  var enrolled = 0
  var needs: [String] = []
  var reason: String?
  /// Seconds until a passphrase may be tried.
  var retryAfter: Int64?
  var freshness: SecretNeed?
  private var isSilent = false

  init(_ invocation: Invocation) async {
    vault = invocation.location.vault
    let diary = Keeper(at: invocation.location)
    let file: LockedVault
    do {
      file = try diary.file()
    } catch let error as VaultError where error.code == .noVault {
      reason = "no-vault"
      return
    } catch {
      let failure = Failure(error)
      state = .authentication
      reason = failure.code.rawValue
      return
    }
    id = Base32.encode(file.keyring.vaultID)
    do {
      device = try diary.store(file.keyring.vaultID).keys() == nil ? "new" : "known"
    } catch {
      device = "damaged"
    }
    let model = AuthenticationModel(service: KeeperService(diary))
    await model.checkInitialState()
    state = model.state
    face = model.face
    if let trouble = model.trouble as? AuthenticationError, trouble.code == .storeGone {
      device = "damaged"
    }
    enrolled = (try? diary.loadFaceData())?.count ?? 0
    do {
      if let client = try KeeperConnection(session: invocation.location) {
        session = try client.session()
        state = .authenticated
        return
      }
    } catch SessionError.silent {
      // It may still hold the diary open: "closed" would be a lie.
      isSilent = true
      reason = Failure.Code.busy.rawValue
      return
    } catch {
      // Another version, or just gone: none that could be used.
    }
    if case .enrolled = face {
      freshness = Self.faceNeeds(diary, invocation)
      if freshness == nil { needs.append("face") }
    }
    if let wait = try? diary.passphraseWait(), wait > 0 { retryAfter = wait }
    let kinds = file.keyring.slots.map(\.kind)
    if freshness == .facePassphrase { needs.append("face+passphrase") }
    if kinds.contains(.passphrase) { needs.append("passphrase") }
    if kinds.contains(.recovery) { needs.append("recovery") }
    switch face {
    case .lockedOut: reason = "locked-out"
    case .unreadable: reason = device == "damaged" ? "damaged" : "needs-passphrase"
    case .absent: reason = "no-face"
    default: reason = freshness?.rawValue
    }
  }

  /// Why this device's face is not enough now, nil when it is.
  private static func faceNeeds(_ diary: Keeper, _ invocation: Invocation) -> SecretNeed? {
    if (try? diary.faceNeedsPassphrase()) == true { return .facePassphrase }
    do {
      if let need = try diary.freshness() { return SecretNeed(need) }
      let isWarm = try diary.policy().isWarm
      if isWarm, try KeeperConnection(session: invocation.location, waitingForFace: true) == nil {
        return .warm
      }
      return nil
    } catch {
      return .never
    }
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
    json.member("device", device)
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
  }

  private func at(_ now: ZonedTime, _ seconds: Int) -> String {
    (try? ZonedTime(seconds: now.seconds + Int64(seconds), offset: now.offset))?.iso ?? now.iso
  }

  /// For people.
  func show(on page: Page) throws {
    try page.line(OpeningMessage.vault(vault))
    guard id != nil else {
      return try page.line(
        reason == "no-vault"
          ? OpeningMessage.noDiaryYet : OpeningMessage.vaultUnreadable(reason ?? ""))
    }
    if let session {
      try page.line(
        OpeningMessage.open(
          by: OpeningMessage.way(session.method), idle: (session.idle + 59) / 60,
          life: (session.life + 59) / 60))
    } else if isSilent {
      try page.line(Failure(SessionError.silent).message)
    } else {
      try page.line(OpeningMessage.closedOpensBy(needs.map(OpeningMessage.way)))
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
    case .unreadable: try page.line(OpeningMessage.faceDataUnreadable)
    case .unknown: break
    }
  }
}
