import Bytes
import Testing

@testable import Sealing

@Suite struct PassphraseHashTests {
  @Test(arguments: [
    Argon2Cost(operations: 0, memory: 64 << 20),
    Argon2Cost(operations: 11, memory: 64 << 20),
    Argon2Cost(operations: 3, memory: (64 << 20) - 1),
    Argon2Cost(operations: 3, memory: (1 << 30) + 1),
    Argon2Cost(operations: .max, memory: .max),
  ]) func `limits outside the accepted ones are refused before any work`(limits: Argon2Cost)
    throws
  {
    let salt = [UInt8](repeating: 0, count: 16)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(throws: SealingError.limitsRefused) {
        _ = try PassphraseHash.key(from: try secret([1]), salt: salt, limits: limits)
      }
    }
    #expect(time < .seconds(5))
  }

  @Test func `the levels offered are accepted`() {
    for limits in [Argon2Cost.interactive, .moderate, .sensitive] {
      #expect(limits.isAcceptable())
    }
  }

  @Test func `salt and passphrase both count`() throws {
    let limits = Argon2Cost(operations: 1, memory: 8192)
    func key(_ text: String, _ salt: UInt8) throws -> [UInt8] {
      bytes(
        of: try PassphraseHash.key(
          from: try secret(Array(text.utf8)), salt: [UInt8](repeating: salt, count: 16),
          limits: limits, leastMemory: 8192))
    }
    #expect(try key("a", 1) == key("a", 1))
    #expect(try key("a", 1) != key("a", 2))
    #expect(try key("a", 1) != key("b", 1))
  }
}
