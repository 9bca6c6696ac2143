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
    precondition(key.count == keyBytes)
    let nonce = randomness.bytes(nonceBytes)
    return unsafe [UInt8](unsafeUninitializedCapacity: plaintext.byteCount + overhead) {
      out, count in
      let start = out.baseAddress!
      for index in 0..<nonceBytes { unsafe start[index] = nonce[index] }
      unsafe key.withUnsafeBytes { key in
        unsafe plaintext.withUnsafeBytes { plain in
          unsafe associatedData.withUnsafeBytes { data in
            _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
              start + nonceBytes, nil,
              plain.bindMemory(to: UInt8.self).baseAddress, UInt64(plain.count),
              data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
              nil, start, key.bindMemory(to: UInt8.self).baseAddress!)
          }
        }
      }
      count = plaintext.byteCount + overhead
    }
  }

  /// Opens what ``seal(_:associatedData:key:randomness:)`` made.
  ///
  /// - Throws: ``SealingError/notAuthentic`` for anything else, a too short input included.
  package static func open(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes
  ) throws(SealingError) -> [UInt8] {
    precondition(key.count == keyBytes)
    guard sealed.byteCount >= overhead else { throw .notAuthentic }
    var status: CInt = -1
    let plaintext = unsafe [UInt8](unsafeUninitializedCapacity: sealed.byteCount - overhead) {
      out, count in
      status = unsafe open(sealed, associatedData: associatedData, key: key, into: out)
      count = status == 0 ? sealed.byteCount - overhead : 0
    }
    guard status == 0 else { throw .notAuthentic }
    return plaintext
  }

  /// Opens a sealed secret straight into secret memory.
  package static func openSecret(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes
  ) throws(SealingError) -> SecretBytes {
    precondition(key.count == keyBytes)
    guard sealed.byteCount > overhead else { throw .notAuthentic }
    // A closure cannot take two borrowed spans out, so the status decides after the fill.
    var status: CInt = -1
    let secret = unsafe try SecretBytes(count: sealed.byteCount - overhead) {
      region throws(SealingError) in
      status = unsafe open(
        sealed, associatedData: associatedData, key: key,
        into: region.bindMemory(to: UInt8.self))
    }
    guard status == 0 else { throw .notAuthentic }
    return secret
  }

  private static func open(
    _ sealed: RawSpan, associatedData: RawSpan, key: borrowing SecretBytes,
    into out: UnsafeMutableBufferPointer<UInt8>
  ) -> CInt {
    unsafe key.withUnsafeBytes { key in
      unsafe sealed.withUnsafeBytes { sealed in
        unsafe associatedData.withUnsafeBytes { data in
          let bytes = unsafe sealed.bindMemory(to: UInt8.self)
          return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            out.baseAddress, nil, nil,
            bytes.baseAddress! + nonceBytes, UInt64(sealed.count - nonceBytes),
            data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
            bytes.baseAddress!, key.bindMemory(to: UInt8.self).baseAddress!)
        }
      }
    }
  }

  // MARK: With a nonce of the caller's

  /// Seals with a nonce that is not kept beside, for a key under which no nonce is used for two plaintexts; puts
  /// `ciphertext ‖ tag 16` behind what `sealed` has.
  package static func seal(
    _ plaintext: RawSpan, nonce: [UInt8], associatedData: RawSpan, key: borrowing SecretBytes,
    onto sealed: inout [UInt8]
  ) {
    precondition(key.count == keyBytes && nonce.count == nonceBytes)
    let start = sealed.count
    sealed.append(contentsOf: repeatElement(0, count: plaintext.byteCount + tagBytes))
    unsafe sealed.withUnsafeMutableBufferPointer { out in
      unsafe key.withUnsafeBytes { key in
        unsafe plaintext.withUnsafeBytes { plain in
          unsafe associatedData.withUnsafeBytes { data in
            _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
              out.baseAddress! + start, nil,
              plain.bindMemory(to: UInt8.self).baseAddress, UInt64(plain.count),
              data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
              nil, nonce, key.bindMemory(to: UInt8.self).baseAddress!)
          }
        }
      }
    }
  }

  /// Opens what ``seal(_:nonce:associatedData:key:onto:)`` made, into memory of the caller's, ``tagBytes`` less.
  ///
  /// - Returns: false for anything else, and then nothing of it is left there.
  package static func open(
    _ sealed: RawSpan, nonce: [UInt8], associatedData: RawSpan, key: borrowing SecretBytes,
    into out: UnsafeMutableRawBufferPointer
  ) -> Bool {
    precondition(key.count == keyBytes && nonce.count == nonceBytes)
    guard sealed.byteCount >= tagBytes, out.count == sealed.byteCount - tagBytes else {
      return false
    }
    return unsafe key.withUnsafeBytes { key in
      unsafe sealed.withUnsafeBytes { sealed in
        unsafe associatedData.withUnsafeBytes { data in
          let bytes = unsafe sealed.bindMemory(to: UInt8.self)
          return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            out.bindMemory(to: UInt8.self).baseAddress, nil, nil, bytes.baseAddress!,
            UInt64(sealed.count), data.bindMemory(to: UInt8.self).baseAddress, UInt64(data.count),
            nonce, key.bindMemory(to: UInt8.self).baseAddress!) == 0
        }
      }
    }
  }
}
