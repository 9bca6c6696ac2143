package import Bytes
internal import CSodium

/// An Ed25519 key pair, as libsodium's `crypto_sign` makes it.
package final class SigningKey: Sendable {
  package static let publicBytes = 32
  package static let signatureBytes = 64

  package let publicKey: [UInt8]
  private let secretKey: SecretBytes

  /// - Parameter seed: 32 bytes the pair is made of.
  package init(seed: borrowing SecretBytes) throws(SealingError) {
    guard seed.count == 32 else { throw .malformed }
    var publicKey = [UInt8](repeating: 0, count: Self.publicBytes)
    let secret = unsafe try SecretBytes(count: 64) { region throws(SealingError) in
      unsafe seed.withUnsafeBytes { seed in
        _ = unsafe crypto_sign_seed_keypair(
          &publicKey, region.bindMemory(to: UInt8.self).baseAddress!,
          seed.bindMemory(to: UInt8.self).baseAddress!)
      }
    }
    self.publicKey = publicKey
    secretKey = secret
  }

  /// 64 bytes.
  package func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Self.signatureBytes)
    unsafe secretKey.withUnsafeBytes { key in
      _ = unsafe crypto_sign_detached(
        &signature, nil, message, UInt64(message.count),
        key.bindMemory(to: UInt8.self).baseAddress!)
    }
    return signature
  }

  package static func verify(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    guard signature.count == signatureBytes, publicKey.count == publicBytes else { return false }
    return unsafe crypto_sign_verify_detached(
      signature, message, UInt64(message.count), publicKey) == 0
  }
}
