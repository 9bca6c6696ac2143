public import Access
public import FaceMatching
public import Observation
public import Sealing

/// The observable shell around ``AuthenticationReducer``: what a view watches.
///
/// It starts in *loading*; everything it does is one event to the reducer and the effects that come
/// back. It does not judge faces or keep secrets; the service does.
@MainActor @Observable
public final class AuthenticationModel {
  /// What a root view switches over.
  public var state: AppState { whole.app }
  /// How the face stands on this device.
  public var face: FaceStanding { whole.face }
  /// The running session, nil while closed.
  public private(set) var session: Session?
  /// Why face data could not be read; nil when it could.
  public private(set) var trouble: (any Error)?

  private var whole = AuthenticationState()
  @ObservationIgnored private var latestAttempt = 0
  /// How many attempts are under way.
  @ObservationIgnored private var opening = 0
  @ObservationIgnored private let service: any SecurityService
  @ObservationIgnored public let clock: any SessionClock
  /// How long the next session is asked to last. The diary's policy bounds it.
  @ObservationIgnored public var limits: SessionLimits
  /// What the policy of the diary that was opened allows.
  @ObservationIgnored private var longest = AccessPolicy().session

  public init(
    service: any SecurityService, clock: any SessionClock = SystemSessionClock(),
    limits: SessionLimits = .longest
  ) {
    self.service = service
    self.clock = clock
    self.limits = limits
  }

  /// Looks for face data, away from the main thread, and enters the state that follows from it.
  public func checkInitialState() async {
    await send(.checked(await standing()))
  }

  private func standing() async -> FaceStanding {
    do {
      let standing = try await service.loadFaceData()?.standing ?? .absent
      trouble = nil
      return standing
    } catch {
      // Not "none": the person who damaged it must not be asked to enrol.
      trouble = error
      return .unreadable
    }
  }

  /// The first registration is done and the vault closed again.
  public func onFaceRegistrationCompleted(_ data: FaceData) async {
    await send(.registrationCompleted(data.standing))
  }

  /// A face was enrolled or removed while open.
  public func onFaceChanged() async {
    await send(.faceChanged(await standing()))
  }

  /// Shows a face.
  ///
  /// - Parameter passphrase: given beside it, where a face opens the diary only together with one.
  /// - Throws: what the service throws: a probe that cannot be compared, a locked-out face, a store
  ///   that cannot be read; none of these is a refusal. ``AuthenticationError`` `notNow` while the diary is open.
  @discardableResult
  public func authenticate(
    _ probe: Probe, passphrase: consuming SecretBytes? = nil
  ) async throws -> FaceOutcome {
    let attempt = newAttempt()
    guard await send(.faceOffered).contains(.judgeFace) else { throw whyNoFace }
    opening += 1
    defer { opening -= 1 }
    let outcome: FaceOutcome
    do {
      outcome = try await service.verifyFace(probe, passphrase: passphrase)
    } catch {
      await count(error)
      await closeLate()
      throw error
    }
    switch outcome {
    case .accepted:
      try await readPolicy()
      if attempt == latestAttempt { await send(.faceAccepted) }
    case .refused(let left): await send(.faceRefused(attemptsLeft: left))
    }
    // Told to lock, or locked out, while the verifier was thinking: then nothing may stay open.
    await closeLate()
    return outcome
  }

  /// A verifier that fails costs an attempt, and another program may have used up the last one.
  private func count(_ error: any Error) async {
    let face: FaceStanding
    switch (error as? AuthenticationError)?.code {
    case .lockedOut: face = .lockedOut
    case .verifier: face = await standing()
    default: return
    }
    switch face {
    case .enrolled(let left): await send(.faceRefused(attemptsLeft: left))
    case .lockedOut: await send(.faceRefused(attemptsLeft: 0))
    case .absent, .unreadable, .unknown: break
    }
  }

  /// Shows a face and gives a secret, both of which must pass.
  ///
  /// Where the face opens the diary only together with a passphrase, the two are judged at once and one answer covers both.
  /// Else the secret opens the diary, which is closed again, and the face opens it.
  ///
  /// - Throws: as either alone; ``AuthenticationError`` `needsSecret` for a recovery code where a passphrase is wanted.
  @discardableResult
  public func authenticate(
    _ probe: Probe, and factor: SecretFactor, _ secret: consuming SecretBytes
  ) async throws -> FaceOutcome {
    if factor == .passphrase, try await service.faceNeedsPassphrase() {
      if let trouble { throw trouble }
      return try await authenticate(probe, passphrase: secret)
    }
    try await authenticate(factor, secret)
    await logout()
    if try await service.faceNeedsPassphrase() {
      throw AuthenticationError(.needsSecret, "face", need: .facePassphrase)
    }
    if let trouble { throw trouble }
    return try await authenticate(probe)
  }

  private var whyNoFace: any Error {
    switch face {
    case .lockedOut: AuthenticationError(.lockedOut, "face")
    case .unreadable: trouble ?? AuthenticationError(.storeDamaged, "face")
    case .absent: AuthenticationError(.noFace, "face")
    case .enrolled, .unknown: AuthenticationError(.notNow, "face")
    }
  }

  /// Gives a passphrase or recovery code.
  public func authenticate(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions = []
  ) async throws {
    let attempt = newAttempt()
    guard await send(.secretOffered).contains(.trySecret) else {
      throw AuthenticationError(.notNow, factor.rawValue)
    }
    opening += 1
    defer { opening -= 1 }
    do {
      try await service.open(factor, secret, options)
    } catch {
      await send(.secretRefused)
      await closeLate()
      throw error
    }
    try await readPolicy()
    // Nothing may come between the comparison and the acceptance: what comes while this waits counts.
    let face = await standing()
    guard attempt == latestAttempt else { return await closeLate() }
    await send(.secretAccepted(face))
    await closeLate()
  }

  /// Closes what was opened too late to count, unless another attempt is about to open it.
  private func closeLate() async {
    if state != .authenticated, opening <= 1 { await service.close() }
  }

  /// Reads how long the diary that was just opened may stay open; closes it when that cannot be read.
  private func readPolicy() async throws {
    do { longest = try await service.policy().session } catch {
      await closeLate()
      throw error
    }
  }

  /// Numbers attempts and closings: an answer that comes after a logout, a lock or a newer attempt is
  /// too late to open anything.
  private func newAttempt() -> Int {
    latestAttempt += 1
    return latestAttempt
  }

  /// Closes the diary; the enrolled face stays.
  public func logout() async {
    latestAttempt += 1
    await send(.logout)
  }

  /// Closes the diary because another program asked for it.
  public func lock() async {
    latestAttempt += 1
    await send(.toldToLock)
  }

  /// Something was done in the open diary. This does not bring back a session that is over.
  public func touch() { if session?.end(at: clock) == nil { session?.touch(clock) } }

  /// Closes the diary when its time is over, until the task is cancelled. ``touch()`` puts off the end of an idle one.
  ///
  /// An app runs this for as long as it shows a diary. `DiaryModel.follow(_:)` does it, too.
  public func watchExpiry() async {
    while !Task.isCancelled {
      await checkExpiry()
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
    }
  }

  /// Closes the diary when its time is over.
  public func checkExpiry() async {
    guard let end = session?.end(at: clock) else { return }
    switch end {
    case .idle: await send(.idle)
    case .life: await send(.expired)
    case .slept: await send(.toldToLock)
    }
  }

  /// - Returns: what the reducer asked for; sessions are begun and ended here.
  @discardableResult
  private func send(_ event: AuthenticationEvent) async -> [AuthenticationEffect] {
    let (next, effects) = AuthenticationReducer.reduce(whole, event)
    if next != whole { whole = next }
    for effect in effects {
      switch effect {
      case .startSession: session = Session(limits.within(longest), clock: clock)
      case .endSession:
        session = nil
        await service.close()
      case .judgeFace, .trySecret: break
      }
    }
    return effects
  }
}
