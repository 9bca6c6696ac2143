package import Bytes
internal import CSodium

/// A key pair: anybody can seal to its public key, and only the pair can open the result. It is
/// libsodium's `crypto_box_seal` (X25519, XSalsa20-Poly1305, an ephemeral sender).
///
/// It is for text that must be kept while no process that could open it is running.
package final class SealedBox: Sendable {
  package let publicKey: [UInt8]
  private let secretKey: SecretBytes

  /// - Parameter seed: 32 bytes the pair is made of.
  package init(seed: borrowing SecretBytes) throws(SealingError) {
    guard seed.count == 32 else { throw .malformed }
    var publicKey = [UInt8](repeating: 0, count: 32)
    let secret = unsafe try SecretBytes(count: 32) { region throws(SealingError) in
      unsafe seed.withUnsafeBytes { seed in
        _ = unsafe crypto_box_seed_keypair(
          &publicKey, region.bindMemory(to: UInt8.self).baseAddress!,
          seed.bindMemory(to: UInt8.self).baseAddress!)
      }
    }
    self.publicKey = publicKey
    secretKey = secret
  }

  /// - Throws: ``SealingError/malformed`` for an invalid key.
  package static func seal(_ plain: [UInt8], to publicKey: [UInt8]) throws(SealingError) -> [UInt8]
  {
    try Sodium.require()
    guard publicKey.count == 32 else { throw .malformed }
    var sealed = [UInt8](repeating: 0, count: plain.count + 48)
    guard unsafe crypto_box_seal(&sealed, plain, UInt64(plain.count), publicKey) == 0 else {
      throw .malformed
    }
    return sealed
  }

  /// The same form, from a sender whose key pair is made of `seed`: the same arguments give the same bytes, so that anybody who has
  /// them can compute what was sealed, and compare.
  ///
  /// - Parameter seed: 32 secret bytes, different for each message and each receiver.
  /// - Throws: ``SealingError/malformed`` for a public key to which nothing can be sealed.
  package static func seal(
    _ plain: [UInt8], to publicKey: [UInt8], sender seed: borrowing SecretBytes
  ) throws(SealingError) -> [UInt8] {
    guard publicKey.count == 32 else { throw .malformed }
    let sender = try SealedBox(seed: seed)
    // As `crypto_box_seal` makes it of both public keys.
    var nonce = [UInt8](repeating: 0, count: 24)
    let keys = sender.publicKey + publicKey
    _ = unsafe crypto_generichash(&nonce, nonce.count, keys, UInt64(keys.count), nil, 0)
    var sealed = [UInt8](repeating: 0, count: plain.count + 16)
    let status = unsafe sender.secretKey.withUnsafeBytes { key in
      unsafe crypto_box_easy(
        &sealed, plain, UInt64(plain.count), nonce, publicKey,
        key.bindMemory(to: UInt8.self).baseAddress!)
    }
    guard status == 0 else { throw .malformed }
    return sender.publicKey + sealed
  }

  /// - Throws: ``SealingError/notAuthentic``.
  package func open(_ sealed: [UInt8]) throws(SealingError) -> [UInt8] {
    guard sealed.count >= 48 else { throw .notAuthentic }
    var plain = [UInt8](repeating: 0, count: sealed.count - 48)
    let status = unsafe secretKey.withUnsafeBytes { key in
      unsafe crypto_box_seal_open(
        &plain, sealed, UInt64(sealed.count), publicKey,
        key.bindMemory(to: UInt8.self).baseAddress!)
    }
    guard status == 0 else { throw .notAuthentic }
    return plain
  }
}
