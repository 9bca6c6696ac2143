public import Bytes
internal import CSodium

/// A secret: a key, a passphrase, a code.
///
/// It lives in locked, guarded memory, cannot be copied, is lent only inside closures and wiped
/// when its owner lets go. It has no description, no equality and no coding on purpose.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
  // @unchecked: the region is written in init only, and has a single owner.
  private let region: UnsafeMutableRawBufferPointer

  public var count: Int { unsafe region.count }

  /// Takes `count` bytes of secret memory, zeroed, and lets `fill` write them.
  ///
  /// - Throws: ``SealingError/noLockedMemory`` when none can be had; what `fill` throws.
  public init(
    count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(SealingError) -> Void
  ) throws(SealingError) {
    try Sodium.require()
    guard let arena = SecretArena.shared else { throw .noLockedMemory }
    let region = unsafe try arena.allocate(count)
    do throws(SealingError) {
      unsafe try fill(region)
    } catch {
      unsafe arena.release(region)
      throw error
    }
    unsafe self.region = unsafe region
  }

  /// `count` bytes from the operating system's generator.
  package static func random(_ count: Int = 32) throws(SealingError) -> SecretBytes {
    unsafe try SecretBytes(count: count) { region throws(SealingError) in
      unsafe randombytes_buf(region.baseAddress!, region.count)
    }
  }

  /// Moves bytes that were not secret memory until now into it, and wipes where they were.
  public init(wiping bytes: inout [UInt8]) throws(SealingError) {
    let count = bytes.count
    unsafe try self.init(count: count) { region throws(SealingError) in
      unsafe bytes.withUnsafeBytes { unsafe region.copyMemory(from: $0) }
    }
    bytes.wipe()
  }

  deinit {
    unsafe SecretArena.shared?.release(region)
  }

  package borrowing func copy() throws(SealingError) -> SecretBytes {
    let source = unsafe region
    return unsafe try SecretBytes(count: count) { target throws(SealingError) in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(source))
    }
  }

  /// The first `count` bytes as a secret of their own.
  package borrowing func prefix(_ count: Int) throws(SealingError) -> SecretBytes {
    let source = unsafe region
    return unsafe try SecretBytes(count: min(count, self.count)) { target throws(SealingError) in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<target.count]))
    }
  }

  /// The bytes from `start` on as a secret of their own.
  package borrowing func suffix(from start: Int) throws(SealingError) -> SecretBytes {
    let source = unsafe region
    return unsafe try SecretBytes(count: max(0, count - start)) { target throws(SealingError) in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start...]))
    }
  }

  /// This secret, then `bytes`.
  package borrowing func followed(by bytes: [UInt8]) throws(SealingError) -> SecretBytes {
    let source = unsafe region
    return unsafe try SecretBytes(count: count + bytes.count) { target throws(SealingError) in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(source))
      unsafe bytes.withUnsafeBytes { more in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[source.count...]).copyMemory(
          from: more)
      }
    }
  }

  /// This secret, then another.
  package borrowing func followed(
    by other: borrowing SecretBytes
  ) throws(SealingError) -> SecretBytes {
    let source = unsafe region
    let more = unsafe other.region
    return unsafe try SecretBytes(count: count + other.count) { target throws(SealingError) in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(source))
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[source.count...]).copyMemory(
        from: UnsafeRawBufferPointer(more))
    }
  }

  /// Lends the bytes for the time of `body`. To show a recovery code or to store a device key elsewhere, make a copy of
  /// them, and wipe that after use: a copy is in ordinary memory.
  public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(UnsafeRawBufferPointer(region))
  }

  /// Whether both hold the same bytes, in time that depends on their length only.
  package borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    let mine = unsafe region
    return unsafe other.withUnsafeBytes { theirs in
      unsafe sodium_memcmp(mine.baseAddress!, theirs.baseAddress!, mine.count) == 0
    }
  }
}

/// A secret several places hold.
package final class SecretBytesBox: Sendable {
  package let secret: SecretBytes

  package init(_ secret: consuming SecretBytes) { self.secret = secret }
}

extension [UInt8] {
  /// Overwrites the bytes in a way the compiler does not leave out.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { region in
      if let start = region.baseAddress { unsafe sodium_memzero(start, region.count) }
    }
    self = []
  }
}
