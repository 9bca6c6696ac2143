import FaceMatching
import Foundation
import Scratch
import Testing

@testable import Access
@testable import Authentication

@Suite struct GateTests {
  private struct Failing: BiometricVerifier {
    struct Broken: Error {}
    func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
      throw Broken()
    }
  }

  private struct NaN: BiometricVerifier {
    func verify(_ probe: Probe, against templates: TemplateSet) async throws -> Verdict {
      var set = templates
      set.threshold = .nan
      return try await CosineVerifier().verify(probe, against: set)
    }
  }

  private final class Row { var bytes: [UInt8]? }
  private let scratch = Scratch()

  private func gate(_ verifier: any BiometricVerifier, threshold: Double = 0.9) throws -> (
    FaceGate, AttemptLedger
  ) {
    let store = DeviceStore(
      base: scratch.path + "/" + UUID().uuidString,
      vaultID: [UInt8](repeating: 4, count: 16))
    let keys = try store.makeKeys()
    let row = Row()
    let ledger = AttemptLedger(
      store, keys, row: .init(read: { row.bytes }, write: { row.bytes = $0 }))
    try ledger.reset()
    let set = TemplateSet(
      model: "m", dimension: 32, threshold: threshold,
      templates: [FaceTemplate(id: "a", label: "", embedding: embedding(), created: 0)])
    return (FaceGate(templates: set, ledger: ledger, verifier: verifier), ledger)
  }

  @Test func `a probe that cannot be compared costs no try, a verifier that fails does`()
    async throws
  {
    let (gate, ledger) = try gate(Failing())
    let wrong = try Probe([try Embedding((0..<33).map { Float($0 + 1) })])
    await #expect(throws: VectorError.self) { try await gate.judge(wrong) }
    #expect(try ledger.left() == 5)
    await #expect(throws: AuthenticationError(.verifier, "")) {
      try await gate.judge(try Probe([embedding()]))
    }
    #expect(try ledger.left() == 4)
  }

  @Test func `an attempt that was called off before the verifier was asked costs nothing`()
    async throws
  {
    let left = try await Task {
      let (gate, ledger) = try gate(CosineVerifier())
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await gate.judge(try Probe([embedding()]))
      }
      return try ledger.left()
    }.value
    #expect(left == 5)
  }

  @Test func `the cosine verifier accepts the owner, refuses others, and NaN refuses`() async throws
  {
    let (mine, _) = try gate(CosineVerifier())
    guard case .accepted(let similarity, _) = try await mine.judge(try Probe([embedding()])) else {
      Issue.record("refused")
      return
    }
    #expect(similarity > 0.999)
    #expect(try await mine.judge(try Probe([embedding(2.5)])) == .refused(attemptsLeft: 3))
    let (nan, _) = try gate(NaN())
    #expect(try await nan.judge(try Probe([embedding()])) == .refused(attemptsLeft: 4))
  }
}
