internal import Access
internal import Authentication
internal import CommandLine
internal import Dates
internal import Entries
internal import FaceMatching
internal import Inputs
internal import Keeper
internal import Platform
internal import Requests
internal import Sealing
internal import Words

/// A diary opened by this process, which is a keeper.
@MainActor
struct OpenedDiary {
  let keeper: Keeper
  let model: AuthenticationModel
  /// `face`, `passphrase` or `recovery`: the strongest that passed.
  var method: String
  var similarity: Double?
  var threshold: Double?
  /// Of the probe that was accepted.
  var frames = 0
  /// What opened it, when that was a secret.
  var given: GivenSecret?
}

/// Opens the diary as the task says: by what was given, or by asking.
@MainActor
final class Opening {
  private let task: KeeperTask
  private let speech: Speech
  private let inputs: Inputs
  let keeper: Keeper
  private let model: AuthenticationModel
  let desk: SecretPrompts

  init(_ task: KeeperTask, _ clock: any SessionClock = SystemSessionClock()) {
    self.task = task
    speech = Speech(task.speech)
    let speech = speech
    inputs = Inputs(
      ask: { request in MainActor.assumeIsolated { speech.warn(request) } },
      variables: {
        if let trouble = task.faces.trouble { throw trouble.thrown }
        return task.faces.variables
      })
    keeper = Keeper(at: task.location)
    model = AuthenticationModel(
      service: KeeperService(keeper), clock: clock,
      limits: SessionLimits(asking: task.idle, task.life))
    desk = SecretPrompts(task, speech, inputs) { [keeper] in keeper.secretToAskFor }
  }

  /// Authenticates by every factor that was given, or by asking.
  func open() async throws -> OpenedDiary {
    keeper.beginGlance()
    defer { keeper.endGlance() }
    try await look()
    var opened: OpenedDiary
    // Asked only where a face is shown: the device's copy of the policy may be out of reach, and a secret needs none.
    if !task.faces.shown.isEmpty,
      let probe = try inputs.probe(task.faces.shown, camera: try keeper.policy().camera)
    {
      opened = try await show(probe, and: try desk.givenSecret())
    } else if let given = try desk.givenSecret() {
      opened = try await give(given)
    } else if desk.canAsk {
      opened = try await ask()
    } else if task.looks, case .enrolled = model.face, let found = try await lookAtFace() {
      opened = found
    } else {
      // What is no diary, or is damaged, would open by nothing.
      _ = try keeper.file()
      throw Failure(
        .locked, task.purpose == .session ? OpeningMessage.nothingGiven : .locked,
        hint: task.purpose == .session
          ? OpeningMessage.showFaceOrGivePassphrase
          : OpeningMessage.openWithUnlock)
    }
    // Only what makes access permanent needs the secret again: a session must not hold it.
    opened.given = nil
    return opened
  }

  /// Opens by passphrase or recovery code, asked for now whatever session runs: for what would make
  /// access permanent.
  func openByOwner() async throws -> OpenedDiary {
    try await look()
    let opened = try await give(
      try desk.secretNow(), task.resetsDevice ? [.resetsDevice] : [])
    return opened
  }

  /// Where the state machine stands.
  private func look() async throws {
    try unlockChip()
    await model.checkInitialState()
    guard FileSystem.exists(task.location.vault) else {
      throw VaultError(.noVault, task.location.vault)
    }
  }

  /// Gives the chip its PIN, where the device key asks for one: before anything else is read with it.
  ///
  /// - Parameter ifPossible: without anybody to ask, what needs it says so.
  func unlockChip(ifPossible: Bool = false) throws {
    guard !task.resetsDevice else { return }
    guard (try? keeper.needsPIN()) == true else {
      // Of a key that was being replaced when a kill came.
      let isAsked = (try? keeper.needsUnfinishedPIN()) == true && desk.canAsk
      if keeper.hasUnfinishedKey, task.secrets.pin != nil || isAsked && !ifPossible {
        keeper.give(pin: SecretBytesBox(try desk.pin()))
      }
      return
    }
    if ifPossible, task.secrets.pin == nil, !desk.canAsk { return }
    let pin = SecretBytesBox(try desk.pin())
    do { try keeper.unlockChip(with: pin) } catch {
      // After a kill in the middle of getting another PIN, the other key's.
      guard keeper.hasUnfinishedKey else { throw error }
      keeper.give(pin: pin)
    }
  }

  private func show(_ probe: Probe, and given: GivenSecret? = nil) async throws -> OpenedDiary {
    if let trouble = model.trouble, given == nil { throw trouble }
    let outcome: FaceOutcome
    if let given {
      outcome = try await model.authenticate(probe, and: given.factor, try given.secret.copy())
    } else {
      outcome = try await model.authenticate(probe)
    }
    switch outcome {
    case .accepted(let similarity, let threshold):
      return OpenedDiary(
        keeper: keeper, model: model, method: given?.factor.rawValue ?? "face",
        similarity: similarity, threshold: threshold, frames: probe.frames.count)
    case .refused(0): throw AuthenticationError(.lockedOut, "face")
    case .refused(let left):
      // Where both are judged at once, nobody is told which of the two was wrong.
      if given?.factor == .passphrase, try keeper.faceNeedsPassphrase() {
        throw Failure(.faceRefused, OpeningMessage.faceOrPassphraseWrong(left))
      }
      throw Failure(
        .faceRefused, OpeningMessage.notTheFace(left),
        hint: probe.frames.count < 3
          ? OpeningMessage.severalFramesOrPassphrase
          : OpeningMessage.orUsePassphrase)
    }
  }

  private func give(
    _ given: GivenSecret, _ options: OpeningOptions = []
  ) async throws -> OpenedDiary {
    do {
      try await model.authenticate(given.factor, try given.secret.copy(), options)
    } catch let error as AuthenticationError where error.reason == .chip(.needsPIN) {
      // Only the secret has shown which diary it is, and that its key needs one.
      try unlockChip()
      try await model.authenticate(given.factor, try given.secret.copy(), options)
    }
    return OpenedDiary(
      keeper: keeper, model: model, method: given.factor.rawValue, given: given)
  }

  /// Shows the configured probe, else asks for the passphrase: a person can type it whatever goes wrong with the face.
  private func ask() async throws -> OpenedDiary {
    if case .enrolled = model.face {
      do {
        // Who types the passphrase meanwhile must not see it on the screen.
        let terminal = desk.canAsk ? Terminal.silenced()?.device : nil
        defer { terminal?.restore() }
        if let opened = try await lookAtFace() { return opened }
      } catch {
        // Also where nothing else is said: why a passphrase is asked for now.
        speech.warn(Failure(error).message)
      }
    }
    return try await give(try desk.ask())
  }

  /// - Returns: nil when no program is configured that looks at a face.
  private func lookAtFace() async throws -> OpenedDiary? {
    let policy = try keeper.policy()
    if policy.camera == nil {
      if let trouble = task.faces.noProgram { throw trouble.thrown }
      guard task.faces.configured != nil else { return nil }
    }
    // Do not start the camera if a face cannot open the diary now.
    if policy.isWarm { throw AuthenticationError(.needsSecret, "face", need: .warm) }
    if let need = try keeper.freshness() {
      throw AuthenticationError(.needsSecret, "face", need: SecretNeed(need))
    }
    if let camera = policy.camera { return try await show(try inputs.probe(of: camera)) }
    guard let program = task.faces.configured else { return nil }
    return try await show(try inputs.probe(through: program))
  }
}

extension SessionLimits {
  /// What was asked for; where nothing was, the policy alone decides.
  init(asking idle: Duration?, _ life: Duration?) {
    self.init(idle: idle ?? Self.longestLife, life: life ?? Self.longestLife)
  }
}
