package import Bytes
internal import CSodium

/// XChaCha20-Poly1305 (IETF) with random 24-byte nonces.
///
/// A sealed form is `nonce 24 ‖ ciphertext ‖ tag 16`. Random nonces of 192 bits never repeat in
/// practice, so no counter has to survive a crash or a restored backup. The construction does not
/// commit to its key; where an attacker could offer keys (the slots), a commitment is compared first.
package enum AEAD {
  package static let keyBytes = 32
  package static let nonceBytes = 24
  package static let tagBytes = 16
  /// What sealing adds to the length of the plaintext.
  package static let overhead = nonceBytes + tagBytes

  /// Seals `plaintext` under `key`, bound to `associatedData`.
  package static func seal(
    _ plaintext: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes,
    randomness: Randomness = .system
  ) -> [UInt8] {
    let nonce = randomness.bytes(nonceBytes)
    var sealed = [UInt8]()
    sealed.reserveCapacity(plaintext.byteCount + overhead)
    sealed += nonce
    unsafe seal(
      plaintext, nonce: nonce.span.bytes, associatedData: associatedData, key: key, onto: &sealed)
    return sealed
  }

  /// Opens what ``seal(_:associatedData:key:randomness:)`` made.
  ///
  /// - Throws: ``SealingError/notAuthentic`` for anything else, a too short input included.
  package static func open(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes
  ) throws(SealingError) -> [UInt8] {
    precondition(key.count == keyBytes)
    guard sealed.byteCount >= overhead else { throw .notAuthentic }
    var isRight = false
    let plaintext = unsafe [UInt8](unsafeUninitializedCapacity: sealed.byteCount - overhead) {
      out, count in
      isRight = unsafe open(
        sealed, associatedData: associatedData, key: key,
        into: UnsafeMutableRawBufferPointer(out))
      count = isRight ? sealed.byteCount - overhead : 0
    }
    guard isRight else { throw .notAuthentic }
    return plaintext
  }

  /// Opens a sealed secret straight into secret memory.
  package static func openSecret(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes
  ) throws(SealingError) -> SecretBytes {
    precondition(key.count == keyBytes)
    guard sealed.byteCount > overhead else { throw .notAuthentic }
    // A closure cannot take two borrowed spans out, so what it says decides after the fill.
    var isRight = false
    let secret = unsafe try SecretBytes(count: sealed.byteCount - overhead) {
      region throws(SealingError) in
      isRight = unsafe open(sealed, associatedData: associatedData, key: key, into: region)
    }
    guard isRight else { throw .notAuthentic }
    return secret
  }

  private static func open(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes,
    into out: UnsafeMutableRawBufferPointer
  ) -> Bool {
    unsafe open(
      sealed.extracting(nonceBytes..<sealed.byteCount), nonce: sealed.extracting(0..<nonceBytes),
      associatedData: associatedData, key: key, into: out)
  }

  // MARK: With a nonce of the caller's

  /// Seals with a nonce that is not kept beside, for a key under which no nonce is used for two plaintexts; puts
  /// `ciphertext ‖ tag 16` behind what `sealed` has.
  package static func seal(
    _ plaintext: RawSpan, nonce: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes,
    onto sealed: inout [UInt8]
  ) {
    precondition(key.count == keyBytes && nonce.byteCount == nonceBytes)
    let start = sealed.count
    sealed.append(contentsOf: repeatElement(0, count: plaintext.byteCount + tagBytes))
    unsafe sealed.withUnsafeMutableBufferPointer { out in
      unsafe key.withUnsafeBytes { key in
        unsafe plaintext.withUnsafeBytes { plain in
          unsafe associatedData.withUnsafeBytes { data in
            unsafe nonce.withUnsafeBytes { nonce in
              _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                out.baseAddress! + start, nil,
                plain.bindMemory(to: UInt8.self).baseAddress, UInt64(plain.count),
                data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
                nil, nonce.bindMemory(to: UInt8.self).baseAddress!,
                key.bindMemory(to: UInt8.self).baseAddress!)
            }
          }
        }
      }
    }
  }

  /// Opens what ``seal(_:nonce:associatedData:key:onto:)`` made, into memory of the caller's, ``tagBytes`` less.
  ///
  /// - Returns: false for anything else, and then nothing of it is left there.
  package static func open(
    _ sealed: RawSpan, nonce: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes,
    into out: UnsafeMutableRawBufferPointer
  ) -> Bool {
    precondition(key.count == keyBytes && nonce.byteCount == nonceBytes)
    guard sealed.byteCount >= tagBytes, out.count == sealed.byteCount - tagBytes else {
      return false
    }
    return unsafe key.withUnsafeBytes { key in
      unsafe sealed.withUnsafeBytes { sealed in
        unsafe associatedData.withUnsafeBytes { data in
          unsafe nonce.withUnsafeBytes { nonce in
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
              out.bindMemory(to: UInt8.self).baseAddress, nil, nil,
              sealed.bindMemory(to: UInt8.self).baseAddress!, UInt64(sealed.count),
              data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
              nonce.bindMemory(to: UInt8.self).baseAddress!,
              key.bindMemory(to: UInt8.self).baseAddress!) == 0
          }
        }
      }
    }
  }
}
