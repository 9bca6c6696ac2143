package import Bytes
internal import Platform

/// What a vault needs from outside itself.
package struct VaultSettings: Sendable {
  package var randomness: Randomness
  /// Seconds since 1970.
  package var now: @Sendable () -> Int64
  /// The least Argon2id memory accepted; tests inject less.
  package var leastMemory: UInt64
  /// Milliseconds to wait for another process's write.
  package var busyTimeout: Int32
  /// Bytes of opened pages to keep.
  package var cacheLimit: Int
  /// The most bytes of one row of what is kept of the other devices; tests inject less.
  package var replicaPart: Int
  /// Whether a table that is lost counts as an empty one where a vault is only read: for ``Salvage``.
  package var toleratesLostTables = false

  package init(
    randomness: Randomness = .system,
    now: @escaping @Sendable () -> Int64 = { SystemClock.wall },
    leastMemory: UInt64 = Argon2Cost.interactive.memory, busyTimeout: Int32 = 15_000,
    cacheLimit: Int = 8 << 20, replicaPart: Int = 16 << 20
  ) {
    self.randomness = randomness
    self.now = now
    self.leastMemory = leastMemory
    self.busyTimeout = busyTimeout
    self.cacheLimit = cacheLimit
    self.replicaPart = replicaPart
  }
}
