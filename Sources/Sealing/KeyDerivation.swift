package import Bytes
internal import CSodium

/// Keys from keys, by libsodium's `crypto_kdf` and keyed BLAKE2b.
package enum KeyDerivation {
  /// A subkey of `key` for `context` (eight ASCII characters) and `id`: `crypto_kdf_derive_from_key`.
  package static func subkey(
    of key: borrowing SecretBytes, id: UInt64, context: StaticString, count: Int = 32
  ) throws(SealingError) -> SecretBytes {
    precondition(context.utf8CodeUnitCount == 8 && key.count == 32)
    return unsafe try SecretBytes(count: count) { region throws(SealingError) in
      unsafe key.withUnsafeBytes { key in
        _ = unsafe crypto_kdf_derive_from_key(
          region.bindMemory(to: UInt8.self).baseAddress!, count, id,
          UnsafeRawPointer(context.utf8Start).assumingMemoryBound(to: CChar.self),
          key.bindMemory(to: UInt8.self).baseAddress!)
      }
    }
  }

  /// `BLAKE2b-256(key: secret, message)`: binds a secret of 16 to 64 bytes to what it is used for.
  package static func bind(
    _ secret: borrowing SecretBytes, to message: [UInt8]
  ) throws(SealingError) -> SecretBytes {
    unsafe try message.span.bytes.withUnsafeBytes { message throws(SealingError) in
      unsafe try hash(message, key: secret)
    }
  }

  /// `BLAKE2b-256(key: secret, other ‖ message)`: a key that needs both secrets.
  package static func bind(
    _ secret: borrowing SecretBytes, to other: borrowing SecretBytes, and message: [UInt8]
  ) throws(SealingError) -> SecretBytes {
    let joined = try other.followed(by: message)
    return unsafe try joined.withUnsafeBytes { joined throws(SealingError) in
      unsafe try hash(joined, key: secret)
    }
  }

  private static func hash(
    _ message: UnsafeRawBufferPointer, key secret: borrowing SecretBytes
  ) throws(SealingError) -> SecretBytes {
    precondition((16...64).contains(secret.count))
    return unsafe try SecretBytes(count: 32) { region throws(SealingError) in
      unsafe secret.withUnsafeBytes { key in
        _ = unsafe crypto_generichash(
          region.bindMemory(to: UInt8.self).baseAddress!, 32,
          message.bindMemory(to: UInt8.self).baseAddress, UInt64(message.count),
          key.bindMemory(to: UInt8.self).baseAddress, key.count)
      }
    }
  }
}

extension Digest {
  /// The first eight bytes of `BLAKE2b-128(key, message)`, little endian: a number that tells nobody without the key what
  /// it is made of.
  package static func number(_ message: [UInt8], key: borrowing SecretBytes) -> UInt64 {
    var out = [UInt8](repeating: 0, count: 16)
    unsafe key.withUnsafeBytes { key in
      _ = unsafe crypto_generichash(
        &out, out.count, message, UInt64(message.count),
        key.bindMemory(to: UInt8.self).baseAddress, key.count)
    }
    return out.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
