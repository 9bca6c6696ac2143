package import Access
internal import Bytes
internal import Entries
internal import Platform

/// What this device remembers of who opened the diary when, and of wrong passphrases: what decides whether a
/// face is enough, and when the next passphrase may be tried.
///
/// One small record in the device store, sealed by the device key. Anybody who can undo it can also
/// read the vault file and guess elsewhere at any speed; it protects against people at this
/// keyboard.
package struct AccessRecord {
  private let directory: DeviceDirectory
  private let file: AlternatingFile
  private let keys: DeviceKeys
  private let clock: any AccessClock

  package init(_ store: DeviceStore, _ keys: DeviceKeys, clock: any AccessClock) {
    directory = store.directory
    self.keys = keys
    self.clock = clock
    file = AlternatingFile(store.directory, "access", context: store.associatedData("FDv1 access"))
  }

  /// Writes the first record of a new store: nothing was opened yet.
  static func begin(_ store: DeviceStore, _ keys: DeviceKeys) throws(AuthenticationError) {
    let record = AccessRecord(store, keys, clock: SystemAccessClock())
    try record.file.write(Content().bytes, key: keys.access)
  }

  private struct Content: Equatable {
    /// As the vault had it when it was last open here.
    var policy: [UInt8] = []
    /// When a passphrase or recovery code last opened the vault.
    var secret: AccessTime?
    /// When anything did.
    var opened: AccessTime?
    /// Tries begun and not ended: under way, or killed.
    var pending: UInt32 = 0
    /// Wrong passphrases in a row, and when the last was taken.
    var wrong: UInt32 = 0
    var lastWrong: AccessTime?

    init() {}

    init(_ bytes: [UInt8]) throws(SealingError) {
      var reader = ByteReader(bytes)
      guard try reader.uint8() == 1 else { throw .malformed }
      policy = try reader.counted()
      secret = try reader.time()
      opened = try reader.time()
      pending = try reader.uint32()
      wrong = try reader.uint32()
      lastWrong = try reader.time()
      try reader.expectEnd()
    }

    var bytes: [UInt8] {
      var writer = ByteWriter(reserving: 160)
      writer.put(UInt8(1))
      writer.putCounted(policy)
      writer.put(secret)
      writer.put(opened)
      writer.put(pending)
      writer.put(wrong)
      writer.put(lastWrong)
      return writer.bytes
    }
  }

  private func content() throws(AuthenticationError) -> Content? {
    do throws(AuthenticationError) {
      guard let bytes = try file.read(key: keys.access) else { return nil }
      do throws(SealingError) { return try Content(bytes) } catch { return nil }
    } catch {
      // Unreadable counts as absent: then a face is not enough.
      guard error.code == .storeDamaged else { throw error }
      return nil
    }
  }

  private func change(_ body: (inout Content) throws -> Void) throws {
    try directory.locked("access.lock") {
      let before = try content()
      var after = before ?? Content()
      try body(&after)
      guard after != before else { return }
      // The record that says "never opened" must not come back.
      if before?.opened == nil, after.opened != nil {
        try file.writeBoth(after.bytes, key: keys.access)
      } else {
        try file.write(after.bytes, key: keys.access)
      }
    }
  }

  // MARK: Faces

  /// Why a face is not enough now, nil when it is.
  ///
  /// - Parameter policy: the vault's, when it is known; else as it was when the vault was last open here.
  package func need(under policy: [UInt8]? = nil) throws -> FreshnessNeed? {
    guard let content = try content(), let secret = content.secret, let opened = content.opened
    else { return .never }
    // A policy that cannot be read asks for everything.
    guard let policy = try? AccessPolicy(policy ?? content.policy) else { return .never }
    let now = AccessTime(clock)
    if policy.afterRestart, !secret.isSameRun(now) { return .restart }
    guard let age = secret.possiblyPassed(now), age < policy.passphraseAfter else {
      return .expired
    }
    guard let rest = opened.possiblyPassed(now), rest < policy.unusedAfter else { return .unused }
    return nil
  }

  /// Whether an opening of the vault ever came to its end here; nil when the record is gone or does not open, which no
  /// kill and no power cut leaves.
  package func wasOpened() throws -> Bool? { try content().map { $0.opened != nil } }

  /// The policy as this device knows it; what counts is the vault's.
  package func policy() throws -> AccessPolicy {
    (try content()).flatMap { try? AccessPolicy($0.policy) } ?? AccessPolicy()
  }

  /// The vault was opened.
  ///
  /// - Parameters:
  ///   - bySecret: by passphrase or recovery code.
  ///   - policy: the vault's.
  package func opened(bySecret: Bool, policy: [UInt8]) throws {
    let now = AccessTime(clock)
    try change {
      $0.policy = policy
      $0.opened = now
      if bySecret {
        $0.secret = now
        $0.wrong = 0
        $0.lastWrong = nil
      }
    }
  }

  // MARK: Passphrases

  /// Seconds to wait before the next passphrase after so many wrong ones: none after the first three, then
  /// 1, 2, 4, … up to an hour.
  package static func wait(after wrong: UInt32) -> Int64 {
    guard wrong > 3 else { return 0 }
    return min(3600, 1 << Int64(min(wrong - 4, 12)))
  }

  /// Seconds until a passphrase may be tried; 0 for now.
  package func waiting() throws -> Int64 {
    guard let content = try content(), let last = content.lastWrong else { return 0 }
    return max(0, Self.wait(after: content.wrong) - last.certainlyPassed(AccessTime(clock)))
  }

  /// Several programs with the right passphrase may start at once: at most this many guesses run
  /// then.
  private static let parallel: UInt32 = 32

  /// Begins a try at the passphrase, durably and before any of it is checked: killing us wins nothing back.
  ///
  /// - Throws: ``AuthenticationError`` `waiting`, with the seconds left.
  package func beginPassphrase() throws -> PassphraseTry {
    var own: FileLock?
    var left: Int64 = 0
    let now = AccessTime(clock)
    try change {
      // Nobody else is trying: what is pending was killed in the middle, and counts as wrong.
      let alone: Bool
      (own, alone) = try directory.lockTogether("passphrase.lock")
      if alone, $0.pending > 0 {
        $0.wrong = min(.max - $0.pending, $0.wrong) + $0.pending
        $0.pending = 0
        $0.lastWrong = now
      }
      if let last = $0.lastWrong {
        left = max(0, Self.wait(after: $0.wrong) - last.certainlyPassed(now))
      }
      // After a wrong one they come one by one.
      if left == 0, $0.pending >= ($0.wrong < 3 ? Self.parallel : 1) { left = 1 }
      if left == 0 { $0.pending += 1 }
    }
    guard left == 0, let own else {
      throw AuthenticationError(.waiting, "passphrase", retryAfter: left)
    }
    return PassphraseTry(self, own)
  }

  package enum PassphraseOutcome { case right, wrong, unknown }

  fileprivate func end(_ outcome: PassphraseOutcome) throws {
    let now = AccessTime(clock)
    try change {
      if $0.pending > 0 { $0.pending -= 1 }
      switch outcome {
      case .unknown: break
      case .wrong:
        $0.wrong += $0.wrong < .max ? 1 : 0
        $0.lastWrong = now
      case .right:
        $0.wrong = 0
        $0.lastWrong = nil
      }
    }
  }
}

/// A try at the passphrase under way. One that is never ended counts as wrong.
package final class PassphraseTry {
  private let record: AccessRecord
  private let lock: FileLock

  fileprivate init(_ record: AccessRecord, _ lock: FileLock) {
    self.record = record
    self.lock = lock
  }

  package func end(_ outcome: AccessRecord.PassphraseOutcome) throws {
    try withExtendedLifetime(lock) { try record.end(outcome) }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ time: AccessTime?) {
    put(UInt8(time == nil ? 0 : 1))
    guard let time else { return }
    put(time.boot)
    put(time.uptime)
    put(time.wall)
  }
}

extension ByteReader {
  fileprivate mutating func time() throws(SealingError) -> AccessTime? {
    guard try uint8() == 1 else { return nil }
    guard let time = AccessTime(boot: try bytes(16), uptime: try int64(), wall: try int64()) else {
      throw .malformed
    }
    return time
  }
}

/// Wrong passphrases as the vault file remembers them: for tries through another device store, or none.
///
/// In clear, because no key is at hand; whoever can write the file can undo it, and can guess elsewhere anyway.
package struct VaultWaits {
  private let read: () throws -> [UInt8]?
  private let change: (([UInt8]?) -> [UInt8]?) throws -> Void
  private let clock: any AccessClock

  /// - Parameters:
  ///   - change: replaces the row by what its argument makes of it, in one transaction; nil leaves it.
  ///   - vaultID: binds the boot id to the vault, so that its file tells nobody which machine tried, and two vaults not that it
  ///     was the same.
  package init(
    read: @escaping () throws -> [UInt8]?,
    change: @escaping (([UInt8]?) -> [UInt8]?) throws -> Void, vaultID: [UInt8],
    clock: any AccessClock
  ) {
    self.read = read
    self.change = change
    self.clock = BoundClock(clock: clock, vaultID: vaultID)
  }

  private struct BoundClock: AccessClock {
    let clock: any AccessClock
    let vaultID: [UInt8]

    var boot: [UInt8] {
      let id = clock.boot
      // One that tells none (zeros) goes on telling none.
      guard id.contains(where: { $0 != 0 }) else { return id }
      return Digest.blake2b(id + vaultID, count: 16, domain: "FDv2 boot")
    }
    var uptime: Int64 { clock.uptime }
    var wall: Int64 { clock.wall }
  }

  /// `wrong u32 ‖ boot id 16 (bound) ‖ uptime i64 ‖ time of day i64`.
  private func content(_ row: [UInt8]?) -> (wrong: UInt32, last: AccessTime)? {
    guard let row else { return nil }
    var reader = ByteReader(row)
    guard let wrong = try? reader.uint32(), let boot = try? reader.bytes(16),
      let uptime = try? reader.int64(), let wall = try? reader.int64(), reader.isAtEnd,
      let last = AccessTime(boot: boot, uptime: uptime, wall: wall)
    else { return nil }
    // A moment that has not come was not written by us. Whoever did can undo the row as well; it must not make the
    // owner wait.
    let now = AccessTime(clock)
    guard !last.isSameRun(now) || last.uptime <= now.uptime else { return nil }
    return (wrong, last)
  }

  private func row(_ wrong: UInt32) -> [UInt8] {
    let time = AccessTime(clock)
    var writer = ByteWriter(reserving: 36)
    writer.put(wrong)
    writer.put(time.boot)
    writer.put(time.uptime)
    writer.put(time.wall)
    return writer.bytes
  }

  private func waiting(_ row: [UInt8]?) -> Int64 {
    guard let (wrong, last) = content(row) else { return 0 }
    return max(
      0, AccessRecord.wait(after: wrong) - last.certainlyPassed(AccessTime(clock)))
  }

  /// A try under way, and what the row was before it.
  package struct Begun {
    fileprivate let before: [UInt8]?
    fileprivate let now: [UInt8]
  }

  /// Begins a try, counted as wrong before any of it is checked: killing us wins nothing back.
  ///
  /// - Returns: nil when the vault cannot be written, so that nothing was counted.
  /// - Throws: ``AuthenticationError`` `waiting`, with the seconds left; what keeps a vault that can be written from it.
  package func begin() throws -> Begun? {
    var left: Int64 = 0
    var begun: Begun?
    do {
      try change { bytes in
        left = waiting(bytes)
        guard left == 0 else { return nil }
        let now = row(raised(content(bytes)?.wrong ?? 0))
        begun = Begun(before: bytes, now: now)
        return now
      }
    } catch let error as VaultError where [.readOnly, .permission].contains(error.code) {
      left = waiting((try? read()) ?? nil)
    }
    guard left == 0 else { throw AuthenticationError(.waiting, "passphrase", retryAfter: left) }
    return begun
  }

  private func raised(_ wrong: UInt32) -> UInt32 { wrong + (wrong < .max ? 1 : 0) }

  /// What a try came to. Best effort: one that cannot be kept counts as it was begun.
  ///
  /// - Parameter begun: nil for one that only the device counted when it began.
  package func end(_ outcome: AccessRecord.PassphraseOutcome, _ begun: Begun?) {
    switch (outcome, begun) {
    case (.unknown, nil): return
    case (.right, nil) where content((try? read()) ?? nil)?.wrong ?? 0 == 0: return
    default: break
    }
    try? change { bytes in
      let wrong = content(bytes)?.wrong ?? 0
      return switch (outcome, begun) {
      case (.wrong, nil): row(raised(wrong))
      case (.wrong, _): row(wrong)
      // As if it had not been, where no other try came in between.
      case (.unknown, let begun?) where begun.now == bytes: begun.before ?? row(0)
      case (.unknown, _): row(wrong - (wrong > 0 ? 1 : 0))
      case (.right, _): row(0)
      }
    }
  }
}
