package import Bytes
internal import CSodium
internal import Synchronization

/// Argon2id version 1.3 by libsodium's `crypto_pwhash`.
package enum PassphraseHash {
  package static let saltBytes = 16
  package static let passphraseBytes = 1...1024

  /// The 32-byte key that `passphrase` (UTF-8, NFC, no trailing newline) makes with `salt`.
  ///
  /// - Parameter leastMemory: the lower bound for `limits`; tests inject a smaller one.
  /// - Throws: `limitsRefused`, `passphraseUnusable`, `outOfMemory`, `noLockedMemory`.
  package static func key(
    from passphrase: borrowing SecretBytes, salt: [UInt8], limits: Argon2Cost,
    leastMemory: UInt64 = Argon2Cost.interactive.memory
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
