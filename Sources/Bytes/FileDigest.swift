internal import CSodium

/// BLAKE2b-256 of bytes that come piece by piece, without a key: `b2sum -l 256`.
@safe package final class FileDigest {
  private let memory: UnsafeMutableRawPointer
  private var state: OpaquePointer { unsafe OpaquePointer(memory) }

  package init() {
    unsafe memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
    _ = unsafe crypto_generichash_init(state, nil, 0, 32)
  }

  deinit { unsafe memory.deallocate() }

  package func add(_ bytes: [UInt8]) {
    _ = unsafe crypto_generichash_update(state, bytes, UInt64(bytes.count))
  }

  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    let digest = FileDigest()
    digest.add(bytes)
    return digest.finish()
  }

  /// The digest of all that was added; nothing can be added after it.
  package func finish() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { out, count in
      _ = unsafe crypto_generichash_final(state, out.baseAddress!, 32)
      count = 32
    }
  }
}
