import Bytes
import Foundation
import Scratch
import Synchronization
import Testing

@testable import Access
@testable import Authentication
@testable import DiaryVault
@testable import Entries
@testable import FaceDiary
@testable import FaceMatching
@testable import Sealing

private final class Clock: AccessClock {
  private let now = Mutex((boot: UInt8(1), uptime: Int64(5000), wall: Int64(1_800_000_000)))
  var boot: [UInt8] { [UInt8](repeating: now.withLock { $0.boot }, count: 16) }
  var uptime: Int64 { now.withLock { $0.uptime } }
  var wall: Int64 { now.withLock { $0.wall } }
  func pass(hours: Int64) {
    now.withLock {
      $0.uptime += hours * 3600
      $0.wall += hours * 3600
    }
  }
  func pass(seconds: Int64) {
    now.withLock {
      $0.uptime += seconds
      $0.wall += seconds
    }
  }
  func restart() {
    now.withLock {
      $0.boot &+= 1
      $0.uptime = 5
    }
  }
}

/// The policy at work, through the façade and the observable model.
@MainActor @Suite struct AccessFlowTests {
  private let scratch = Scratch()
  private var home: String { scratch.path }
  private let clock = Clock()
  private static let limits = Argon2Cost(operations: 1, memory: 8192)

  private func diary() -> Diary {
    Diary(
      at: DiaryLocation(vault: home + "/diary", devices: home + "/state", runtime: home + "/run"),
      clock: clock, settings: VaultSettings(leastMemory: 8192, busyTimeout: 500))
  }

  private func secret(_ text: String = "open") throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try SecretBytes(wiping: &bytes)
  }

  private func probe() throws -> Probe {
    try Probe([try Embedding(SampleFaces.shot(person: 1, shot: 3))])
  }

  private func make() async throws -> (Diary, AuthenticationModel) {
    let diary = diary()
    _ = try await diary.create(
      passphrase: try secret(), limits: Self.limits,
      faces: FaceRegistration(
        embeddings: [try Embedding(SampleFaces.shot(person: 1, shot: 1))], model: "sface"))
    let model = AuthenticationModel(service: diary)
    await model.checkInitialState()
    return (diary, model)
  }

  @Test(arguments: [(60, true), (61, false)] as [(Int64, Bool)])
  func `the owner's rights are claimed within a minute of the secret`(
    _ seconds: Int64, _ isInTime: Bool
  ) async throws {
    let (diary, model) = try await make()
    try await model.authenticate(.passphrase, try secret())
    clock.pass(seconds: seconds)
    let owner = await diary.owner()
    let claimed = owner != nil
    #expect(claimed == isInTime)
  }

  @Test
  func `a restart asks for the passphrase, costs no attempt, and then the face is enough again`()
    async throws
  {
    let (diary, model) = try await make()
    try await model.authenticate(try probe())
    #expect(model.state == .authenticated)
    await model.logout()
    clock.restart()
    #expect(try await diary.freshness() == .restart)
    await #expect(throws: AuthenticationError(.needsSecret, "")) {
      try await model.authenticate(try probe())
    }
    #expect(model.state == .authentication && model.face == .enrolled(attemptsLeft: 5))
    try await model.authenticate(.passphrase, try secret())
    await model.logout()
    try await model.authenticate(try probe())
    #expect(model.state == .authenticated)
  }

  @Test func `a stricter policy holds although the device's copy of the old one is put back`()
    async throws
  {
    let (diary, model) = try await make()
    let store =
      home + "/state/" + (try FileManager.default.contentsOfDirectory(atPath: home + "/state"))[0]
    try await model.authenticate(.passphrase, try secret())
    let kept = try Data(contentsOf: URL(fileURLWithPath: store + "/access"))
    var policy = try await diary.policy()
    policy.passphraseAfter = 3600
    try await diary.owner(.passphrase, try secret()).setPolicy(policy)
    await model.logout()
    clock.pass(hours: 2)
    #expect(try await diary.freshness() == .expired)
    try kept.write(to: URL(fileURLWithPath: store + "/access"))
    #expect(try await diary.freshness() == nil)
    await #expect(throws: AuthenticationError(.needsSecret, "")) {
      try await model.authenticate(try probe())
    }
    #expect(model.state == .authentication)
    #expect(await !diary.isOpen)
  }

  @Test func `a diary goes on being written when its device has got another key`() async throws {
    let (diary, model) = try await make()
    try await model.authenticate(.passphrase, try secret())
    var policy = try await diary.policy()
    policy.isWarm = true
    try await diary.owner(.passphrase, try secret()).setPolicy(policy)
    for text in ["one", "two"] {
      _ = try await diary.write(
        EntryDraft(date: try ZonedTime(seconds: 1_700_000_000, offset: 0), body: text))
    }
    await model.logout()
    try await model.authenticate(.passphrase, try secret())
    _ = try await diary.write(
      EntryDraft(date: try ZonedTime(seconds: 1_700_000_000, offset: 0), body: "three"))
  }

  @Test func `a warm diary opens for a face until it is locked out or a passphrase is due`()
    async throws
  {
    let (diary, model) = try await make()
    try await model.authenticate(.passphrase, try secret())
    var policy = try await diary.policy()
    policy.isWarm = true
    try await diary.owner(.passphrase, try secret()).setPolicy(policy)
    await model.logout()
    await #expect(throws: AuthenticationError(.needsSecret, "")) {
      try await model.authenticate(try probe())
    }
    try await model.authenticate(.passphrase, try secret())
    try await diary.keepWarm()
    await model.logout()
    #expect(await diary.isWarm)
    #expect(await !diary.isOpen)
    try await model.authenticate(try probe())
    #expect(model.state == .authenticated)
    await model.logout()
    clock.pass(hours: 49)
    await diary.checkWarm()
    #expect(await !diary.isWarm)
  }

  @Test func `wrong passphrases wait in the model, too`() async throws {
    let (diary, model) = try await make()
    for _ in 0..<4 {
      await #expect(throws: VaultError(.wrongSecret, "")) {
        try await model.authenticate(.passphrase, try secret("wrong"))
      }
    }
    #expect(try await diary.passphraseWait() == 1)
    await #expect(throws: AuthenticationError(.waiting, "")) {
      try await model.authenticate(.passphrase, try secret())
    }
    clock.pass(hours: 1)
    try await model.authenticate(.passphrase, try secret())
    #expect(try await diary.passphraseWait() == 0)
  }
}
