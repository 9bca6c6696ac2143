import Access
import Entries
import FaceMatching
import Keeper
import Testing

/// Each gate alone, open and closed; that openings ask them, and in which order, is told by the flows.
@Suite struct OpeningGateTests {
  private let probe = try! Probe([try! Embedding((0..<32).map { Float($0) + 1 })])

  private func need(_ body: @autoclosure () throws -> Void) -> SecretNeed? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AuthenticationError)?.need
    }
  }

  @Test func `no face is looked at without an attempt left`() throws {
    try AttemptsGate(left: 1).pass()
    #expect(throws: AuthenticationError.self) { try AttemptsGate(left: 0).pass() }
  }

  @Test func `a policy with a camera takes that program's face alone, as it was sealed`() throws {
    let camera = try CameraProgram(sealing: ["/bin/cat", "/dev/null"], relativeTo: "/")
    let other = try CameraProgram(sealing: ["/bin/ls"], relativeTo: "/")
    let seen = try Probe(probe.frames, program: camera.identity)
    let seenElsewhere = try Probe(probe.frames, program: other.identity)
    #expect(need(try CameraGate(nil).pass(probe)) == nil)
    #expect(need(try CameraGate(camera).pass(seen)) == nil)
    for foreign in [probe, seenElsewhere] {
      #expect(
        need(try CameraGate(camera).pass(foreign)) == .camera)
    }
  }

  @Test func `a face is not enough when a passphrase is due, and says why`() {
    #expect(need(try FreshnessGate(nil).pass()) == nil)
    for reason in [FreshnessNeed.never, .restart, .expired, .unused] {
      #expect(
        need(try FreshnessGate(reason).pass())
          == SecretNeed(reason))
    }
  }

  @Test func `a diary is kept warm only as long as the policy says so`() {
    var policy = AccessPolicy()
    #expect(need(try WarmGate(policy).pass()) == .warm)
    policy.isWarm = true
    #expect(need(try WarmGate(policy).pass()) == nil)
  }

  @Test func `templates count that the vault agreed to, and none where it knows of none`() throws {
    let digest = [UInt8](repeating: 7, count: 32)
    #expect(try TemplatesGate(known: digest).isPassed(by: digest))
    #expect(try !TemplatesGate(known: digest).isPassed(by: [UInt8](repeating: 8, count: 32)))
    #expect(throws: VaultError.self) { try TemplatesGate(known: nil).isPassed(by: digest) }
  }
}
