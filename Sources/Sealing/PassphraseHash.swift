internal import CSodium
internal import Synchronization

/// How much work Argon2id does for one guess.
public struct PassphraseLimits: Hashable, Sendable, Codable {
  /// Passes over the memory, 1 to 10.
  public let operations: UInt32
  /// Bytes of memory, 64 MiB to 1 GiB.
  public let memory: UInt64

  public init(operations: UInt32, memory: UInt64) {
    self.operations = operations
    self.memory = memory
  }

  /// 2 passes, 64 MiB: the least that is accepted.
  public static var interactive: PassphraseLimits { least.withLock { $0 } }
  /// 3 passes, 256 MiB: the default; about half a second on one core.
  public static let moderate = PassphraseLimits(operations: 3, memory: 256 << 20)
  /// 4 passes, 1 GiB.
  public static let sensitive = PassphraseLimits(operations: 4, memory: 1 << 30)

  private static let least = Mutex(PassphraseLimits(operations: 2, memory: 64 << 20))

  /// Makes `limits` the least that this process accepts: for the program that the tests run, and nothing else calls it.
  package static func accept(_ limits: PassphraseLimits) { least.withLock { $0 = limits } }

  /// What one guess costs: bytes of memory times passes over it.
  public var work: UInt64 {
    let (product, isTooMuch) = UInt64(operations).multipliedReportingOverflow(by: memory)
    return isTooMuch ? .max : product
  }

  /// The most that all guesses of one opening may cost together: as much as the most expensive single slot.
  public static let mostWork: UInt64 = 10 << 30

  /// Limits come from the vault file, which is hostile: a forged slot must neither make guessing
  /// cheap nor make opening take the machine's memory. Refused before any work.
  public func isAcceptable(leastMemory: UInt64 = interactive.memory) -> Bool {
    (1...10).contains(operations) && (leastMemory...(1 << 30)).contains(memory)
  }
}

/// Argon2id version 1.3 by libsodium's `crypto_pwhash`.
package enum PassphraseHash {
  package static let saltBytes = 16
  package static let passphraseBytes = 1...1024

  /// The 32-byte key that `passphrase` (UTF-8, NFC, no trailing newline) makes with `salt`.
  ///
  /// - Parameter leastMemory: the lower bound for `limits`; tests inject a smaller one.
  /// - Throws: `limitsRefused`, `passphraseUnusable`, `outOfMemory`, `noLockedMemory`.
  package static func key(
    from passphrase: borrowing SecretBytes, salt: [UInt8], limits: PassphraseLimits,
    leastMemory: UInt64 = PassphraseLimits.interactive.memory
  ) throws(SealingError) -> SecretBytes {
    guard limits.isAcceptable(leastMemory: leastMemory) else { throw .limitsRefused }
    guard passphraseBytes.contains(passphrase.count) else { throw .passphraseUnusable }
    guard salt.count == saltBytes else { throw .malformed }
    return unsafe try SecretBytes(count: 32) { region throws(SealingError) in
      let status = unsafe passphrase.withUnsafeBytes { passphrase in
        unsafe crypto_pwhash(
          region.bindMemory(to: UInt8.self).baseAddress!, 32,
          passphrase.bindMemory(to: CChar.self).baseAddress!, UInt64(passphrase.count), salt,
          UInt64(limits.operations), Int(limits.memory), crypto_pwhash_ALG_ARGON2ID13)
      }
      guard status == 0 else { throw SealingError.outOfMemory }
    }
  }
}
