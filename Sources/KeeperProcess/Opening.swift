internal import Access
internal import Authentication
internal import Bytes
internal import CommandLine
internal import Commands
internal import Dates
internal import DiaryVault
internal import FaceMatching
internal import Keeper
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

extension Invocation {

  /// Authenticates by what was given, or by asking. Only a keeper does.
  func open() async throws -> OpenedDiary {
    var result = try await look()
    // Asked only where a face is shown: the device's copy of the policy may be out of reach, and a secret needs none.
    if arguments.has(Options.face),
      let probe = try probe(camera: try result.keeper.policy().camera)
    {
      if let given = try givenSecret() {
        try await showBoth(probe, given, &result)
      } else {
        try await show(probe, &result)
      }
    } else if let given = try givenSecret() {
      try await give(given, &result)
    } else if Terminal.canAsk {
      try await ask(&result)
    } else {
      throw Failure(
        .locked, OpeningMessage.locked,
        hint: command == "unlock"
          ? OpeningMessage.showFaceOrGivePassphrase
          : OpeningMessage.openWithUnlock)
    }
    result.model.limitSession(limits(under: try result.keeper.policy()))
    return result
  }

  /// Opens by passphrase or recovery code, asked for now whatever session runs: for what would make
  /// access permanent.
  func openByOwner(_ options: OpeningOptions) async throws -> OpenedDiary {
    var result = try await look()
    try await give(try secretNow(), &result, options)
    result.model.limitSession(try result.keeper.policy().session)
    return result
  }

  private func look() async throws -> OpenedDiary {
    let keeper = Keeper(at: location)
    let model = AuthenticationModel(service: KeeperService(keeper), limits: limits())
    await model.checkInitialState()
    try requireVault()
    return OpenedDiary(keeper: keeper, model: model, method: "")
  }

  /// The passphrase or recovery code that was given, or is asked for.
  func secretNow() throws -> GivenSecret {
    if let named = try givenSecret() { return named }
    // A device that comes in has just made its diary with it.
    if command == "sync", let path = arguments[Options.newPassphraseFile] {
      return GivenSecret(
        factor: .passphrase, secret: try SecretInput.normalized(try secret(path, .passphrase)))
    }
    guard Terminal.canAsk else {
      throw Failure(
        .needsPassphrase, OpeningMessage.needsSecretNow(command),
        hint: OpeningMessage.giveSecretFile)
    }
    return try askForSecret()
  }

  private func show(_ probe: Probe, _ result: inout OpenedDiary) async throws {
    if let trouble = result.model.trouble { throw trouble }
    try judge(try await result.model.authenticate(probe), probe, &result)
  }

  /// Both factors must pass. Where a slot wants both at once, the face is judged first and one answer covers both;
  /// else the passphrase opens and the face is judged then.
  private func showBoth(
    _ probe: Probe, _ given: GivenSecret, _ result: inout OpenedDiary
  ) async throws {
    if given.factor == .passphrase, try result.keeper.faceNeedsPassphrase() {
      if let trouble = result.model.trouble { throw trouble }
      let outcome = try await result.model.authenticate(
        probe, passphrase: try given.secret.copy())
      if case .refused(let left) = outcome, left > 0 {
        throw Failure(.faceRefused, OpeningMessage.faceOrPassphraseWrong(left))
      }
      try judge(outcome, probe, &result)
    } else {
      try await give(given, &result)
      await result.model.logout()
      if try result.keeper.faceNeedsPassphrase() {
        throw Failure(
          .needsPassphrase, OpeningMessage.opensTogether,
          hint: OpeningMessage.givePassphraseBesideFace)
      }
      try await show(probe, &result)
    }
    result.method = given.factor.rawValue
  }

  private func judge(
    _ outcome: FaceOutcome, _ probe: Probe, _ result: inout OpenedDiary
  ) throws {
    switch outcome {
    case .accepted(let similarity, let threshold):
      result.method = "face"
      result.similarity = similarity
      result.threshold = threshold
      result.frames = probe.frames.count
    case .refused(let left):
      if left > 0 {
        throw Failure(
          .faceRefused, OpeningMessage.notTheFace(left),
          hint: probe.frames.count < 3
            ? OpeningMessage.severalFramesOrPassphrase
            : OpeningMessage.orUsePassphrase)
      }
      throw AuthenticationError(.lockedOut, "face")
    }
  }

  private func give(
    _ given: GivenSecret, _ result: inout OpenedDiary, _ options: OpeningOptions = []
  ) async throws {
    result.method = given.factor.rawValue
    result.given = given
    try await result.model.authenticate(given.factor, try given.secret.copy(), options)
  }

  /// The configured probe, else the passphrase: whatever goes wrong with the face, a person can still type.
  private func ask(_ result: inout OpenedDiary) async throws {
    if case .enrolled = result.model.face {
      do {
        if try await lookAtFace(&result) { return }
      } catch {
        note(Failure(error).message)
      }
    }
    try await give(try askForSecret(), &result)
  }

  /// - Returns: false when no program is configured that looks at a face.
  private func lookAtFace(_ result: inout OpenedDiary) async throws -> Bool {
    let policy = try result.keeper.policy()
    // Nobody has to look into a camera that could not open the diary now.
    if try policy.camera != nil || configuration().probe != nil {
      if policy.isWarm { throw AuthenticationError(.needsSecret, "face", need: .warm) }
      if let need = try result.keeper.freshness() {
        throw AuthenticationError(.needsSecret, "face", need: SecretNeed(need))
      }
    }
    guard let probe = try configuredProbe(camera: policy.camera) else { return false }
    try await show(probe, &result)
    return true
  }

  private func askForSecret() throws -> GivenSecret {
    let slots = (try? LockedVault(location.vault, settings: VaultSettings()))?.keyring.slots ?? []
    if slots.contains(where: { $0.kind == .passphrase }) || slots.isEmpty {
      return GivenSecret(
        factor: .passphrase,
        secret: try SecretInput.normalized(
          try Terminal.askSecret(text(OpeningMessage.passphrasePrompt))))
    }
    return GivenSecret(
      factor: .recovery,
      secret: try parseCode(try Terminal.askSecret(text(OpeningMessage.recoveryCodePrompt))))
  }

  /// The passphrase or recovery code named on the command line.
  func givenSecret() throws -> GivenSecret? {
    if let path = arguments[Options.passphraseFile] {
      if arguments.has(Options.recoveryFile) {
        throw Failure(.usage, OpeningMessage.oneSecretOnly)
      }
      return GivenSecret(
        factor: .passphrase, secret: try SecretInput.normalized(try secret(path, .passphrase)))
    }
    if let path = arguments[Options.recoveryFile] {
      return GivenSecret(
        factor: .recovery, secret: try parseCode(try secret(path, .recoveryCode)))
    }
    return nil
  }

  private func parseCode(_ typed: consuming SecretBytes) throws -> SecretBytes {
    do {
      return try RecoveryCode.parse(typed)
    } catch SealingError.malformed {
      throw Failure(
        .wrongSecret, OpeningMessage.notARecoveryCode,
        hint: OpeningMessage.recoveryCodeForm)
    }
  }

  /// A secret from a file a person named; `-` on a terminal asks for it without echo.
  func secret(_ path: String, _ what: InputPurpose) throws -> SecretBytes {
    if path == "-", Terminal.isTerminal(0), Terminal.canAsk {
      try claimStandardInput(for: what)
      return try Terminal.askSecret(text(OpeningMessage.prompt(for: what)))
    }
    let file = try input(path, as: what)
    return try SecretInput.contents(of: file.descriptor)
  }

}
