internal import CSodium

/// BLAKE2b, for checksums and for digests that are themselves kept sealed.
package enum Digest {
  /// BLAKE2b of `message` with `count` bytes (16 to 64) of output; `personal` separates uses.
  package static func blake2b(_ message: [UInt8], count: Int = 32, domain: StaticString) -> [UInt8]
  {
    precondition((16...64).contains(count) && domain.utf8CodeUnitCount <= 64)
    let key = unsafe UnsafeBufferPointer(start: domain.utf8Start, count: domain.utf8CodeUnitCount)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
      unsafe message.withUnsafeBytes { message in
        _ = unsafe crypto_generichash(
          out.baseAddress!, count,
          message.bindMemory(to: UInt8.self).baseAddress, UInt64(message.count),
          key.baseAddress, key.count)
      }
      initialized = count
    }
  }

  /// Whether two digests are equal, in time that depends on their length only.
  package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count, !one.isEmpty else { return false }
    return unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { other in
        unsafe sodium_memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0
      }
    }
  }
}
