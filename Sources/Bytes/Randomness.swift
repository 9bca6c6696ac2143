internal import CSodium

/// Where nonces, ids and salts come from: injected, so that known-answer vectors can be made.
///
/// Keys never come from here, but from ``SecretBytes/random(_:)``.
public struct Randomness: Sendable {
  /// `count` fresh bytes.
  public let bytes: @Sendable (_ count: Int) -> [UInt8]

  public init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
    self.bytes = bytes
  }

  /// The operating system's generator, by libsodium's `randombytes_buf`.
  public static let system = Randomness { count in
    precondition(Sodium.isReady)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
      unsafe randombytes_buf(out.baseAddress!, count)
      initialized = count
    }
  }

  package func uint64() -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
