internal import Bytes
internal import CSodium
internal import Synchronization

/// All secret memory of the process: one `sodium_malloc` region, guarded by inaccessible pages,
/// locked out of swap and left out of core dumps, handed out in blocks.
///
/// One region, because a guarded allocation costs four pages and about 14 µs each, and because
/// whether memory is *locked* must be asked: `sodium_malloc` succeeds unlocked when
/// `RLIMIT_MEMLOCK` forbids it. Here that is an error.
@safe final class SecretArena: @unchecked Sendable {
  // @unchecked: the base never changes, the block map is behind a mutex, and each block belongs
  // to exactly one non-copyable SecretBytes.
  static let blockSize = 64
  /// 32 KiB: under the 64 KiB that older systems let an ordinary user lock.
  static let blockCount = 512

  static let shared: SecretArena? = SecretArena()

  private let base: UnsafeMutableRawPointer
  private let used: Mutex<[Bool]>

  /// - Parameter blocks: how many it hands out; a process needs one arena, a test of its end another.
  init?(blocks: Int = blockCount) {
    guard Sodium.isReady else { return nil }
    used = Mutex([Bool](repeating: false, count: blocks))
    let size = Self.blockSize * blocks
    guard let region = unsafe sodium_malloc(size) else { return nil }
    // A second lock of the same pages tells whether the first one worked.
    guard unsafe sodium_mlock(region, size) == 0 else {
      unsafe sodium_free(region)
      return nil
    }
    unsafe sodium_memzero(region, size)
    unsafe base = unsafe region
  }

  deinit { unsafe sodium_free(base) }

  func allocate(_ count: Int) throws(SealingError) -> UnsafeMutableRawBufferPointer {
    guard (0...Self.blockSize * Self.blockCount).contains(count) else { throw .noLockedMemory }
    let blocks = max(1, (count + Self.blockSize - 1) / Self.blockSize)
    let first = used.withLock { map -> Int? in
      var run = 0
      for index in map.indices {
        run = map[index] ? 0 : run + 1
        if run == blocks {
          let start = index - blocks + 1
          for taken in start...index { map[taken] = true }
          return start
        }
      }
      return nil
    }
    guard let first else { throw .noLockedMemory }
    return unsafe UnsafeMutableRawBufferPointer(
      start: base + first * Self.blockSize, count: count)
  }

  func wipe() { unsafe sodium_memzero(base, Self.blockSize * Self.blockCount) }

  func release(_ region: UnsafeMutableRawBufferPointer) {
    guard let start = region.baseAddress else { return }
    let blocks = max(1, (region.count + Self.blockSize - 1) / Self.blockSize)
    unsafe sodium_memzero(start, blocks * Self.blockSize)
    let first = unsafe (start - base) / Self.blockSize
    used.withLock { map in
      for block in first..<(first + blocks) { map[block] = false }
    }
  }
}
