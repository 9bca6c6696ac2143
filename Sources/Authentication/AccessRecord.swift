package import Access
internal import Bytes
internal import Entries
internal import Platform

/// What the owner has not been told yet: signs that an older copy of the diary may have been put back, or could have been.
package struct UntoldSigns: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let newDevice = UntoldSigns(rawValue: 1)
  package static let storeGone = UntoldSigns(rawValue: 2)
  package static let storeReplaced = UntoldSigns(rawValue: 4)
  package static let acceptedElsewhere = UntoldSigns(rawValue: 8)
  package static let keyReplaced = UntoldSigns(rawValue: 16)
  package static let memoryGone = UntoldSigns(rawValue: 32)
}

/// When the diary was opened and by what, and how many passphrases were wrong. This decides whether a
/// face is enough, and when the next passphrase may be tried.
///
/// One small record in the device store, sealed by the device key. Anybody who can undo it can also
/// read the vault file and guess elsewhere at any speed; it protects against people at this
/// keyboard.
package struct AccessRecord {
  private let store: DeviceStore
  private var directory: DeviceDirectory { store.directory }
  private let file: AlternatingFile
  private let keys: DeviceKeys
  private let clock: any AccessClock

  package init(_ store: DeviceStore, _ keys: DeviceKeys, clock: any AccessClock) {
    self.store = store
    self.keys = keys
    self.clock = clock
    file = AlternatingFile(store.directory, "access", context: store.associatedData("FDv1 access"))
  }

  /// Writes the first record of a new store: nothing was opened yet.
  static func begin(
    _ store: DeviceStore, _ keys: DeviceKeys, _ untold: UntoldSigns, aside: String
  ) throws(AuthenticationError) {
    let record = AccessRecord(store, keys, clock: SystemAccessClock())
    var content = Content()
    (content.untold, content.aside) = (untold, aside)
    try record.file.write(content.bytes, key: keys.access)
  }

  private struct Content: Equatable {
    /// The vault's policy when the vault was last open on this device.
    var policy: [UInt8] = []
    /// When a passphrase or recovery code last opened the vault.
    var secret: AccessTime?
    /// When anything last opened the vault.
    var opened: AccessTime?
    /// Tries that have begun and not ended: they are under way, or were killed.
    var pending: UInt32 = 0
    /// Wrong passphrases in a row, and when the last was taken.
    var wrong: UInt32 = 0
    var lastWrong: AccessTime?
    var untold: UntoldSigns = []
    /// Where the store was put whose place this one took.
    var aside = ""

    init() {}

    init(_ bytes: [UInt8]) throws(SealingError) {
      var reader = ByteReader(bytes)
      guard try reader.uint8() == 2 else { throw .malformed }
      policy = try reader.counted()
      secret = try reader.time()
      opened = try reader.time()
      pending = try reader.uint32()
      wrong = try reader.uint32()
      lastWrong = try reader.time()
      untold = UntoldSigns(rawValue: try reader.uint8())
      aside = try reader.text()
      try reader.expectEnd()
    }

    var bytes: [UInt8] {
      var writer = ByteWriter(reserving: 160)
      writer.put(UInt8(2))
      writer.putCounted(policy)
      writer.put(secret)
      writer.put(opened)
      writer.put(pending)
      writer.put(wrong)
      writer.put(lastWrong)
      writer.put(untold.rawValue)
      writer.putCounted(Array(aside.utf8))
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

  /// Another device store took this one's place, with a key of its own: nothing of this one is written there.
  private struct Replaced: Error {}

  /// - Parameter made: what a record begins as where there is none; nil where none is to be made. One that somebody removed meanwhile
  ///   and that were made anew would say that the vault was never opened here.
  /// - Throws: ``Replaced``, besides what `body` throws.
  private func change(
    making made: Content? = Content(), _ body: (inout Content) throws -> Void
  ) throws {
    try directory.locked(Self.lock) {
      let before = try content()
      guard var after = before ?? made else { return }
      if before == nil, let now = try store.keysIfAny(), now.id != keys.id { throw Replaced() }
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

  private func unlessReplaced(
    making made: Content? = Content(), _ body: (inout Content) throws -> Void
  ) throws {
    do { try change(making: made, body) } catch is Replaced {}
  }

  private static let lock = "access.lock"

  /// Runs `body` while nobody writes the record of a store: it may lose its name there.
  package static func locked<Result>(
    _ directory: DeviceDirectory, _ body: () throws -> Result
  ) throws -> Result { try directory.locked(lock, body) }

  // MARK: Faces

  /// Why a face is not enough now, nil when it is.
  ///
  /// - Parameter policy: the vault's, when it is known; else as it was when the vault was last open here.
  package func need(under policy: [UInt8]? = nil) throws -> FreshnessNeed? {
    guard let content = try content(), let secret = content.secret, let opened = content.opened
    else { return .never }
    // A policy that cannot be read asks for everything.
    guard let policy = try? AccessPolicy(policy ?? content.policy), policy.laterRules == 0 else {
      return .never
    }
    let now = AccessTime(clock)
    if policy.afterRestart, !secret.isSameRun(now) { return .restart }
    guard let age = secret.possiblyPassed(now), age < policy.passphraseAfter else {
      return .expired
    }
    guard let rest = opened.possiblyPassed(now), rest < policy.unusedAfter else { return .unused }
    return nil
  }

  /// Whether the vault was ever fully opened here; nil when the record is gone or does not open. Neither a kill nor
  /// a power cut causes that.
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
    // What replaced this store says itself when the vault was opened.
    try unlessReplaced {
      $0.policy = policy
      $0.opened = now
      if bySecret {
        $0.secret = now
        $0.wrong = 0
        $0.lastWrong = nil
      }
    }
  }

  // MARK: What is to be told

  /// What the owner has not been told, and where a store was put aside.
  package func untold() throws -> (signs: UntoldSigns, aside: String) {
    let content = try content() ?? Content()
    return (content.untold, content.aside)
  }

  /// Keeps it until it was told, whatever becomes of this opening.
  package func keep(untold signs: UntoldSigns, aside: String = "") throws {
    guard !signs.isEmpty else { return }
    // Of a store with something to tell, the vault was opened before.
    var made = Content()
    made.opened = AccessTime(clock)
    try unlessReplaced(making: made) {
      $0.untold.formUnion(signs)
      if signs.contains(.storeReplaced) { $0.aside = aside }
    }
  }

  /// - Parameter signs: those that were told; what was kept since is told the next time.
  package func told(_ signs: UntoldSigns) throws {
    try change(making: nil) {
      $0.untold.subtract(signs)
      if !$0.untold.contains(.storeReplaced) { $0.aside = "" }
    }
  }

  // MARK: Passphrases

  /// Seconds until a passphrase may be tried; 0 for now.
  package func waiting() throws -> Int64 {
    guard let content = try content(), let last = content.lastWrong else { return 0 }
    return max(
      0, PassphraseWaits.seconds(after: content.wrong) - last.certainlyPassed(AccessTime(clock)))
  }

  /// Several programs with the right passphrase may start at once: at most this many guesses run
  /// then.
  private static let parallel: UInt32 = 32

  /// Begins a try at the passphrase. It is recorded durably before anything is checked, so a kill does not undo it.
  ///
  /// - Throws: ``AuthenticationError`` `waiting`, with the seconds left.
  package func beginPassphrase() throws -> PassphraseTry {
    do { return try beginTry() } catch is Replaced {
      throw AuthenticationError(.busy, directory.path)
    }
  }

  private func beginTry() throws -> PassphraseTry {
    var own: FileLock?
    var left: Int64 = 0
    let now = AccessTime(clock)
    try change {
      // Nobody else is trying, so the pending tries were killed. They count as wrong.
      let alone: Bool
      (own, alone) = try directory.lockTogether("passphrase.lock")
      if alone, $0.pending > 0 {
        $0.wrong = min(.max - $0.pending, $0.wrong) + $0.pending
        $0.pending = 0
        $0.lastWrong = now
      }
      if let last = $0.lastWrong {
        left = max(0, PassphraseWaits.seconds(after: $0.wrong) - last.certainlyPassed(now))
      }
      // After three wrong ones, only one try may be under way.
      if left == 0, $0.pending >= ($0.wrong < 3 ? Self.parallel : 1) { left = 1 }
      if left == 0 { $0.pending += 1 }
    }
    guard left == 0, let own else {
      throw AuthenticationError(.waiting, "passphrase", retryAfter: left)
    }
    return PassphraseTry(self, own)
  }

  package enum PassphraseOutcome { case right, wrong, unknown }

  fileprivate func end(_ outcome: PassphraseOutcome, isPending: Bool) throws {
    let now = AccessTime(clock)
    try change(making: nil) {
      if isPending, $0.pending > 0 { $0.pending -= 1 }
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
  private var isPending = true

  fileprivate init(_ record: AccessRecord, _ lock: FileLock) {
    self.record = record
    self.lock = lock
  }

  /// Also once more, of one that was put aside as `unknown` before.
  package func end(_ outcome: AccessRecord.PassphraseOutcome) throws {
    try withExtendedLifetime(lock) { try record.end(outcome, isPending: isPending) }
    isPending = false
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
