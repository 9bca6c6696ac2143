internal import CSodium

/// SHA-256 of what comes in pieces, for naming files as other programs do.
package struct SHA256 {
  private var state = crypto_hash_sha256_state()

  package init() { unsafe crypto_hash_sha256_init(&state) }

  package mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer {
      _ = unsafe crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count))
    }
  }

  /// The digest of everything that `next` returns, until it returns an empty array.
  package static func digest<E>(of next: () throws(E) -> [UInt8]) throws(E) -> [UInt8] {
    var hash = SHA256()
    while true {
      let bytes = try next()
      guard !bytes.isEmpty else { return hash.finish() }
      hash.add(bytes)
    }
  }

  /// 32 bytes.
  package mutating func finish() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { out, count in
      _ = unsafe crypto_hash_sha256_final(&state, out.baseAddress!)
      count = 32
    }
  }
}
