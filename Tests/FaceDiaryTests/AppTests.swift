import Glibc
import Scratch
import Synchronization
import Testing

@testable import DiaryVault
@testable import FaceDiary
@testable import Sealing

/// What an app does with the library beyond what its models do for it.
@MainActor @Suite struct AppTests {
  private let scratch = Scratch()

  /// Accepts everybody, after the diary was closed.
  private struct Slow: BiometricVerifier {
    let meanwhile: @Sendable () async -> Void
    func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
      await meanwhile()
      return try await CosineVerifier().verify(probe, against: templates)
    }
  }

  private final class Held: @unchecked Sendable { var diary: Diary? }

  private func make(_ verifier: any BiometricVerifier) -> Diary {
    Diary(
      at: DiaryLocation(
        vault: scratch.path + "/diary", devices: scratch.path + "/state",
        runtime: scratch.path + "/run"),
      verifier: verifier, settings: VaultSettings(leastMemory: 8192, busyTimeout: 500))
  }

  private func embedding() throws -> Embedding {
    try Embedding(SampleFaces.shot(person: 1, shot: 1))
  }

  @Test func `a recovery code is shown, and what was shown opens the diary`() async throws {
    let diary = make(CosineVerifier())
    let created = try await diary.create(
      passphrase: nil, limits: Argon2Cost(operations: 1, memory: 8192), faces: nil)
    let shown = unsafe created.recoveryCode.withUnsafeBytes {
      unsafe String(decoding: $0, as: UTF8.self)
    }
    #expect(shown.contains("-"))
    let model = AuthenticationModel(service: diary)
    await model.checkInitialState()
    var typed = Array(shown.lowercased().utf8)
    try await model.authenticate(.recovery, try SecretBytes(wiping: &typed))
    #expect(model.state == .authenticated)
  }

  @Test func `a diary that was closed while the verifier was thinking stays closed`() async throws {
    let held = Held()
    let diary = make(Slow { await held.diary?.close() })
    var passphrase = Array("open".utf8)
    _ = try await diary.create(
      passphrase: try SecretBytes(wiping: &passphrase),
      limits: Argon2Cost(operations: 1, memory: 8192),
      faces: FaceRegistration(embeddings: [try embedding()], model: "sface"))
    let probe = try Probe([try embedding()])
    guard case .accepted = try await diary.verifyFace(probe, passphrase: nil) else {
      Issue.record("refused")
      return
    }
    await diary.close()
    held.diary = diary
    await #expect(throws: AuthenticationError(.locked, "")) {
      try await diary.verifyFace(probe, passphrase: nil)
    }
    #expect(await !diary.isOpen)
    #expect(try await diary.loadFaceData()?.attemptsLeft == 5)
  }

  /// A window that is hidden while the app exports closes the diary at once.
  @Test func `what reads or imports many entries gives way to closing`() async throws {
    let diary = make(CosineVerifier())
    var passphrase = Array("open".utf8)
    _ = try await diary.create(
      passphrase: try SecretBytes(wiping: &passphrase),
      limits: Argon2Cost(operations: 1, memory: 8192), faces: nil)
    func open() async throws {
      var passphrase = Array("open".utf8)
      try await diary.open(.passphrase, try SecretBytes(wiping: &passphrase), OpeningOptions())
    }
    @Sendable func draft(_ text: String) throws -> EntryDraft {
      EntryDraft(date: try ZonedTime(seconds: 1_700_000_000, offset: 0), body: text)
    }
    @Sendable func closeMeanwhile() {
      // Other tests wait for a thread, too, and some of them take long.
      Task.detached(priority: .high) { await diary.close() }
      for _ in 0..<100_000 where (try? diary.giveWay()) != nil { usleep(1_000) }
    }
    try await open()
    for number in 0..<9 { try await diary.write(try draft("entry \(number)")) }
    let seen = Mutex(0)
    await #expect(throws: AuthenticationError.self) {
      try await diary.forEachEntry { _ in
        seen.withLock { $0 += 1 }
        closeMeanwhile()
      }
    }
    #expect(seen.withLock { $0 } == 1)
    await diary.close()
    #expect(await !diary.isOpen)
    try await open()
    await #expect(throws: AuthenticationError.self) {
      try await diary.importEntries {
        seen.withLock { $0 += 1 }
        closeMeanwhile()
        return .entry(ImportedEntry(draft: try draft("imported")))
      }
    }
    await diary.close()
    try await open()
    // Nothing of a cut import is there.
    #expect(try await diary.entries().count == 9)
  }

  @Test func `a face is given a name that it could be renamed to`() async throws {
    let diary = make(CosineVerifier())
    for label in ["", " ", String(repeating: "x", count: 257)] {
      await #expect(throws: VaultError(.invalid, "")) {
        try await diary.create(
          passphrase: nil, limits: Argon2Cost(operations: 1, memory: 8192),
          faces: FaceRegistration(embeddings: [try embedding()], label: label, model: "sface"))
      }
    }
    #expect(try await diary.loadFaceData() == nil)
  }

  @Test func `numbers and vectors that do not fit are answered, not a trap`() throws {
    for today in [Int.min, -1_000_000, 0, Int.max] {
      _ = SearchQuery(typed: "date:yesterday rain", today: today)
      _ = SearchQuery(typed: "last month", today: today)
    }
    for count in [-1, Int.min, Int.max] {
      #expect(throws: SealingError.noLockedMemory) {
        _ = unsafe try SecretBytes(count: count) { _ in }
      }
    }
    let probe = try Probe([try embedding()])
    let other = FaceTemplate(
      id: "a", label: "", embedding: try Embedding((0..<33).map { Float($0 + 1) }), created: 0)
    #expect(probe.score(against: [other]) == -1)
    var set = TemplateSet(model: "m", dimension: 33, threshold: 0.5, templates: [other])
    #expect(set.score(probe) == -1)
    set.calibrated = CalibratedScoring(
      scoring: .average, enroll: -1, frames: -1, threshold: 0.5)
    #expect(set.decision.frames == nil)
  }
}
