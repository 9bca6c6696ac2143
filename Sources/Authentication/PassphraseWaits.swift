internal import Access
internal import Bytes
internal import Entries

/// How long a person has to wait after wrong passphrases.
package enum PassphraseWaits {
  /// Seconds to wait before the next passphrase after so many wrong ones: none after the first three, then
  /// 1, 2, 4, … up to an hour.
  package static func seconds(after wrong: UInt32) -> Int64 {
    guard wrong > 3 else { return 0 }
    return min(3600, 1 << Int64(min(wrong - 4, 12)))
  }
}

/// Wrong passphrases as the vault file remembers them: for tries through another device store, or none.
///
/// Not sealed, because no key is at hand. Anybody who can write the file can undo it, and can guess elsewhere anyway.
package struct VaultWaits {
  private let read: () throws -> [UInt8]?
  private let change: (([UInt8]?) -> [UInt8]?) throws -> Void
  private let clock: any AccessClock

  /// - Parameters:
  ///   - change: replaces the row by what its argument makes of it, in one transaction; nil leaves it.
  ///   - vaultID: binds the boot id to the vault, so that its file does not show which machine tried, and two vaults do not show
  ///     that it was the same machine.
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
      // A system without a boot id (zeros) stays without one.
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
    let now = AccessTime(clock)
    guard last.isSameRun(now), last.uptime > now.uptime else { return (wrong, last) }
    // A process in a time namespace wrote it, or reads it: what the machine runs says nothing then, the time of day does. One that
    // lies ahead by that, too, was written by nobody who can set no clock, and must not make the owner wait.
    guard last.wall <= now.wall else { return nil }
    let none = [UInt8](repeating: 0, count: boot.count)
    return AccessTime(boot: none, uptime: 0, wall: last.wall).map { (wrong, $0) }
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
      0, PassphraseWaits.seconds(after: wrong) - last.certainlyPassed(AccessTime(clock)))
  }

  /// A try under way, and what the row was before it.
  package struct Begun {
    fileprivate let before: [UInt8]?
    fileprivate let now: [UInt8]
  }

  /// Begins a try. It counts as wrong before anything is checked, so a kill does not undo it.
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

  /// Records the result of a try. Best effort: if it cannot be written, the try still counts as wrong.
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
      // Undo the try, unless another one came in between.
      case (.unknown, let begun?) where begun.now == bytes: begun.before ?? row(0)
      case (.unknown, _): row(wrong - (wrong > 0 ? 1 : 0))
      case (.right, _): row(0)
      }
    }
  }
}
