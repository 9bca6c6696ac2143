import FaceMatching
import Foundation
import Observation
import Sealing
import Synchronization
import Testing

@testable import Access
@testable import Authentication

/// A service that does as its script says.
final class ScriptedService: SecurityService {
  struct Script: Sendable {
    var faceData: Result<FaceData?, AuthenticationError> = .success(nil)
    var outcomes: [FaceOutcome] = []
    var secretOpens = true
    var needsPassphrase = false
    var policy: Result<AccessPolicy, AuthenticationError> = .success(AccessPolicy())
    var isOpen = false
    var closings = 0
    var failure: AuthenticationError?
    var whileVerifying: (@Sendable () async -> Void)?
    var whileLoading: (@Sendable () async -> Void)?
    var whileOpening: (@Sendable () async -> Void)?
    var whileReadingPolicy: (@Sendable () async -> Void)?
  }
  let script: Mutex<Script>

  init(
    _ faceData: Result<FaceData?, AuthenticationError> = .success(nil),
    _ outcomes: [FaceOutcome] = []
  ) {
    script = Mutex(Script(faceData: faceData, outcomes: outcomes))
  }

  func loadFaceData() async throws -> FaceData? {
    await script.withLock { $0.whileLoading }?()
    return try script.withLock { try $0.faceData.get() }
  }

  /// What an owner's enrolment leaves behind.
  func enroll(_ data: FaceData) { script.withLock { $0.faceData = .success(data) } }

  func policy() async throws -> AccessPolicy {
    let whileReading = script.withLock { script in
      defer { script.whileReadingPolicy = nil }
      return script.whileReadingPolicy
    }
    await whileReading?()
    return try script.withLock { try $0.policy.get() }
  }

  func faceNeedsPassphrase() async throws -> Bool { script.withLock { $0.needsPassphrase } }

  func verifyFace(
    _ probe: Probe, passphrase: consuming SecretBytes?
  ) async throws -> FaceOutcome {
    await script.withLock { $0.whileVerifying }?()
    return try script.withLock {
      if let failure = $0.failure { throw failure }
      let outcome = $0.outcomes.removeFirst()
      if case .accepted = outcome { $0.isOpen = true }
      return outcome
    }
  }

  func open(
    _ factor: SecretFactor, _ secret: consuming SecretBytes, _ options: OpeningOptions
  ) async throws {
    let whileOpening = script.withLock { script in
      defer { script.whileOpening = nil }
      return script.whileOpening
    }
    await whileOpening?()
    try script.withLock {
      guard $0.secretOpens else { throw AuthenticationError(.storeDamaged, "wrong") }
      $0.isOpen = true
    }
  }

  func close() async {
    script.withLock {
      $0.isOpen = false
      $0.closings += 1
    }
  }
}

final class ScriptedClock: SessionClock {
  private let now = Mutex<(boot: Duration, awake: Duration)>((.seconds(1000), .seconds(900)))
  var sinceBoot: Duration { now.withLock { $0.boot } }
  var awake: Duration { now.withLock { $0.awake } }
  func pass(_ time: Duration) {
    now.withLock {
      $0.boot += time
      $0.awake += time
    }
  }
  func sleep(_ time: Duration) { now.withLock { $0.boot += time } }
  func jumpBack(_ time: Duration) {
    now.withLock {
      $0.boot -= time
      $0.awake -= time
    }
  }
}

func embedding(_ seed: Float = 1) -> Embedding {
  try! Embedding((0..<32).map { sin(Float($0) * seed + seed) })
}

func passphrase() throws -> SecretBytes {
  var bytes = Array("pass".utf8)
  return try SecretBytes(wiping: &bytes)
}

@MainActor
@Suite struct ModelTests {
  private let probe = try! Probe([embedding()])
  private let enrolled = FaceData(count: 2, model: "m", attemptsLeft: 5)

  /// An open session that ends after five minutes without use.
  private func open() async throws -> (ScriptedService, ScriptedClock, AuthenticationModel) {
    let service = ScriptedService(.success(enrolled))
    let clock = ScriptedClock()
    let model = AuthenticationModel(
      service: service, clock: clock,
      limits: SessionLimits(idle: .seconds(300), life: .seconds(1000)))
    await model.checkInitialState()
    try await model.authenticate(.passphrase, try passphrase())
    return (service, clock, model)
  }

  @Test func `first start: loading, onboarding, registration, authentication, authenticated`()
    async throws
  {
    let service = ScriptedService(.success(nil), [.accepted(similarity: 0.9, threshold: 0.5)])
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    #expect(model.state == .loading)
    await model.checkInitialState()
    #expect(model.state == .onboarding)
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.state == .authenticated)
    service.enroll(enrolled)
    await model.onFaceChanged()
    #expect(model.state == .authenticated)
    #expect(model.face == .enrolled(attemptsLeft: 5))
    await model.logout()
    #expect(model.state == .authentication)
    #expect(model.session == nil)
    try await model.authenticate(probe)
    #expect(model.state == .authenticated)
  }

  @Test func `registration at first start leads to authentication, not in`() async {
    let model = AuthenticationModel(service: ScriptedService(), clock: ScriptedClock())
    await model.checkInitialState()
    await model.onFaceRegistrationCompleted(enrolled)
    #expect(model.state == .authentication)
  }

  @Test func `both factors given must both pass, whichever slot opens`() async throws {
    for needsPassphrase in [false, true] {
      for (secretOpens, outcome) in [
        (true, FaceOutcome.accepted(similarity: 0.9, threshold: 0.5)),
        (true, .refused(attemptsLeft: 4)), (false, .accepted(similarity: 0.9, threshold: 0.5)),
      ] {
        let service = ScriptedService(.success(enrolled), [outcome])
        service.script.withLock {
          $0.needsPassphrase = needsPassphrase
          $0.secretOpens = secretOpens
        }
        let model = AuthenticationModel(service: service, clock: ScriptedClock())
        await model.checkInitialState()
        let answer = try? await model.authenticate(probe, and: .passphrase, try passphrase())
        // Where a slot wants both, the service is given both at once, and its answer is the answer.
        let isRight = outcome == .accepted(similarity: 0.9, threshold: 0.5)
        let opens = isRight && (secretOpens || needsPassphrase)
        #expect((model.state == .authenticated) == opens)
        let isOpen = service.script.withLock { $0.isOpen }
        #expect(isOpen == opens)
        #expect((answer == outcome) == (secretOpens || needsPassphrase))
      }
    }
  }

  @Test func `a recovery code beside a face does not stand for the passphrase its slot wants`()
    async throws
  {
    let service = ScriptedService(
      .success(enrolled), [.accepted(similarity: 0.9, threshold: 0.5)])
    service.script.withLock { $0.needsPassphrase = true }
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    await #expect(throws: AuthenticationError.self) {
      try await model.authenticate(probe, and: .recovery, try passphrase())
    }
    #expect(model.state == .authentication)
    let isOpen = service.script.withLock { $0.isOpen }
    #expect(!isOpen)
  }

  @Test func `refusals count down to a lockout that only a secret lifts`() async throws {
    let outcomes =
      (0..<5).map { FaceOutcome.refused(attemptsLeft: 4 - $0) } + [
        .accepted(similarity: 1, threshold: 0)
      ]
    let service = ScriptedService(.success(enrolled), outcomes)
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    for left in [4, 3, 2, 1] {
      try await model.authenticate(probe)
      #expect(model.face == .enrolled(attemptsLeft: left))
    }
    try await model.authenticate(probe)
    #expect(model.face == .lockedOut)
    // A verifier that would accept now is not even asked.
    await #expect(throws: AuthenticationError(.lockedOut, "")) {
      try await model.authenticate(probe)
    }
    #expect(model.state == .authentication)
    #expect(service.script.withLock { !$0.isOpen })
    try await model.authenticate(.recovery, try passphrase())
    #expect(model.state == .authenticated)
  }

  @Test func `face data that cannot be read leads to authentication, never onboarding`() async {
    for code in [AuthenticationError.Code.storeDamaged, .storeGone, .loose, .system] {
      let model = AuthenticationModel(
        service: ScriptedService(.failure(AuthenticationError(code, "x"))), clock: ScriptedClock())
      await model.checkInitialState()
      #expect(model.state == .authentication)
      #expect(model.face == .unreadable)
      #expect(model.trouble is AuthenticationError)
    }
  }

  @Test func `a verdict that arrives after a lock or logout does not open`() async throws {
    let service = ScriptedService(.success(enrolled), [.accepted(similarity: 1, threshold: 0.5)])
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    service.script.withLock { $0.whileVerifying = { await model.lock() } }
    try await model.authenticate(probe)
    #expect(model.state == .authentication)
    #expect(service.script.withLock { !$0.isOpen })
  }

  @Test func `a secret that is accepted after a lock does not open`() async throws {
    let service = ScriptedService(.success(enrolled))
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    service.script.withLock { $0.whileLoading = { await model.lock() } }
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.state == .authentication)
    #expect(service.script.withLock { !$0.isOpen })
  }

  /// Two taps on the same button.
  @Test func `of two secrets at once one opens, and what it opened stays open`() async throws {
    let service = ScriptedService(.success(enrolled))
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    let other = try SecretBytesBox(passphrase())
    // The second one has opened the diary, and the first one ends while that is being told.
    service.script.withLock {
      $0.whileOpening = {
        try? await model.authenticate(.passphrase, try other.secret.copy())
      }
    }
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.state == .authenticated)
    #expect(service.script.withLock { $0.isOpen })
    await model.logout()
    #expect(service.script.withLock { !$0.isOpen })
  }

  @Test func `of two faces at once one opens, and what it opened stays open`() async throws {
    let accepted = FaceOutcome.accepted(similarity: 1, threshold: 0.5)
    for outcomes in [[accepted, accepted], [accepted, .refused(attemptsLeft: 4)]] {
      let service = ScriptedService(.success(enrolled), outcomes)
      let model = AuthenticationModel(service: service, clock: ScriptedClock())
      await model.checkInitialState()
      let probe = probe
      // The second one has opened the diary, and is about to be accepted when the first one comes back.
      let isBack = Mutex(false)
      let second = Mutex<Task<Void, any Error>?>(nil)
      service.script.withLock { script in
        script.whileReadingPolicy = {
          while !isBack.withLock({ $0 }) { await Task.yield() }
        }
        script.whileVerifying = {
          service.script.withLock { $0.whileVerifying = nil }
          await MainActor.run {
            second.withLock { $0 = Task { try await model.authenticate(probe) } }
          }
          while service.script.withLock({ $0.outcomes.count > 1 }) { await Task.yield() }
        }
      }
      _ = try await model.authenticate(probe)
      isBack.withLock { $0 = true }
      try await second.withLock { $0 }?.value
      #expect(model.state == .authenticated)
      #expect(service.script.withLock { $0.isOpen })
      await model.logout()
      #expect(service.script.withLock { !$0.isOpen })
    }
  }

  @Test func `a verifier that fails is counted in what is shown, too`() async throws {
    let service = ScriptedService(.success(enrolled))
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    for (left, face) in [(4, FaceStanding.enrolled(attemptsLeft: 4)), (0, .lockedOut)] {
      service.script.withLock {
        $0.failure = AuthenticationError(.verifier, "verifier")
        $0.faceData = .success(FaceData(count: 2, model: "m", attemptsLeft: left))
      }
      await #expect(throws: AuthenticationError(.verifier, "")) {
        try await model.authenticate(probe)
      }
      #expect(model.face == face)
    }
  }

  @Test func `a session that is over is not brought back, and a watch ends it`() async throws {
    let (service, clock, model) = try await open()
    clock.pass(.seconds(301))
    model.touch()
    let watch = Task { await model.watchExpiry() }
    // What is shown changes first.
    while model.state == .authenticated || service.script.withLock({ $0.isOpen }) {
      await Task.yield()
    }
    watch.cancel()
    await watch.value
  }

  @Test func `a face that cannot be read stays so after the passphrase and never invites`()
    async throws
  {
    let service = ScriptedService(.failure(AuthenticationError(.storeDamaged, "x")))
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.state == .authenticated)
    await model.logout()
    #expect(model.state == .authentication)
  }

  @Test func `a wrong secret changes nothing`() async throws {
    let service = ScriptedService(.success(enrolled))
    service.script.withLock { $0.secretOpens = false }
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    await #expect(throws: AuthenticationError.self) {
      try await model.authenticate(.passphrase, try passphrase())
    }
    #expect(model.state == .authentication)
    #expect(model.face == .enrolled(attemptsLeft: 5))
  }

  @Test(arguments: ["idle", "life", "sleep", "backwards"])
  func `a session ends when its time is over`(way: String) async throws {
    let (service, clock, model) = try await open()
    clock.pass(.seconds(299))
    await model.checkExpiry()
    #expect(model.state == .authenticated)
    model.touch()
    switch way {
    case "idle": clock.pass(.seconds(300))
    case "life":
      for _ in 0..<3 {
        clock.pass(.seconds(250))
        model.touch()
      }
    case "sleep": clock.sleep(.seconds(2))
    default: clock.jumpBack(.seconds(10))
    }
    await model.checkExpiry()
    #expect(model.state == .authentication)
    #expect(service.script.withLock { $0.closings } == 1)
    #expect(service.script.withLock { !$0.isOpen })
  }

  @Test func `the diary's policy bounds every session`() async throws {
    let service = ScriptedService(.success(enrolled))
    var policy = AccessPolicy()
    policy.idle = 60
    policy.life = 120
    service.script.withLock { $0.policy = .success(policy) }
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.session?.limits == SessionLimits(idle: .seconds(60), life: .seconds(120)))
    await model.logout()
    // Less can be asked for, and more cannot.
    model.limits = SessionLimits(idle: .seconds(20), life: .seconds(500))
    try await model.authenticate(.passphrase, try passphrase())
    #expect(model.session?.limits == SessionLimits(idle: .seconds(20), life: .seconds(120)))
  }

  @Test func `a diary whose policy cannot be read is closed again`() async throws {
    let service = ScriptedService(
      .success(enrolled), [.accepted(similarity: 1, threshold: 0.5)])
    service.script.withLock { $0.policy = .failure(AuthenticationError(.storeDamaged, "policy")) }
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    await model.checkInitialState()
    await #expect(throws: AuthenticationError.self) {
      try await model.authenticate(.passphrase, try passphrase())
    }
    await #expect(throws: AuthenticationError.self) {
      try await model.authenticate(probe)
    }
    #expect(model.state == .authentication)
    #expect(service.script.withLock { !$0.isOpen && $0.closings == 2 })
  }

  @Test func `a session never outlives twelve hours, nor idles longer than it lives`() {
    let limits = SessionLimits(idle: .seconds(90_000), life: .seconds(90_000))
    #expect(limits.life == .seconds(43_200))
    #expect(limits.idle == .seconds(43_200))
    #expect(SessionLimits(idle: .seconds(500), life: .seconds(60)).idle == .seconds(60))
  }

  @Test func `a view that watches the state sees every change`() async throws {
    let service = ScriptedService(
      .success(enrolled), [.refused(attemptsLeft: 4), .accepted(similarity: 1, threshold: 0.5)])
    let model = AuthenticationModel(service: service, clock: ScriptedClock())
    var seen: [AppState] = []
    let watching = Task {
      for await state in Observations({ model.state }) {
        // The face's standing is part of the same value, so a state may come twice.
        if seen.last != state { seen.append(state) }
        if seen.count == 4 { return }
      }
    }
    func settle() async { for _ in 0..<20 { await Task.yield() } }
    await settle()
    await model.checkInitialState()
    await settle()
    try await model.authenticate(probe)
    await settle()
    try await model.authenticate(probe)
    await settle()
    await model.logout()
    await watching.value
    #expect(seen == [.loading, .authentication, .authenticated, .authentication])
  }
}
