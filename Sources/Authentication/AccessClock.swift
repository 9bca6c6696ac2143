internal import Platform

/// The clocks that waits and freshness are measured with: which start of the machine this is, the time since
/// it, and the time of day, which anybody may set.
public protocol AccessClock: Sendable {
  /// An id that is different after every start of the machine: 16 bytes.
  var boot: [UInt8] { get }
  /// Seconds since then, sleep included.
  var uptime: Int64 { get }
  /// Seconds since 1970.
  var wall: Int64 { get }
}

/// The system's: the kernel's boot id, `CLOCK_BOOTTIME`, the time of day.
public struct SystemAccessClock: AccessClock {
  public init() {}

  public var boot: [UInt8] { SystemClock.bootID }
  public var uptime: Int64 { SystemClock.sinceBoot / 1_000_000_000 }
  public var wall: Int64 { SystemClock.wall }
}

/// A moment, as all three clocks show it.
package struct AccessTime: Sendable, Equatable {
  package let boot: [UInt8]
  package let uptime: Int64
  package let wall: Int64

  package init(_ clock: any AccessClock) {
    boot = clock.boot
    uptime = min(max(0, clock.uptime), 1 << 40)
    wall = min(max(0, clock.wall), 1 << 40)
  }

  /// A moment from a file, which is not trusted. Returns nil for a value that no clock can have:
  /// `2⁴⁰` s are 34,000 years.
  init?(boot: [UInt8], uptime: Int64, wall: Int64) {
    let times: ClosedRange<Int64> = 0...(1 << 40)
    guard times.contains(uptime), times.contains(wall) else { return nil }
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
  }

  /// Whether the machine was not started in between. False on a system without a boot id (zeros).
  func isSameRun(_ now: AccessTime) -> Bool { boot == now.boot && boot.contains { $0 != 0 } }

  /// The time that has certainly passed since then, in seconds: the least that any usable clock shows.
  ///
  /// Only root sets the time of day. Nobody can set the clock since boot, but anybody can start a process that sees
  /// another beginning of it (a time namespace) or another boot id (a mount namespace), so it counts only as far as
  /// the time of day agrees. If the time of day was set back, only the clock since boot is left.
  func certainlyPassed(_ now: AccessTime) -> Int64 {
    let byWall = now.wall - wall
    let byMachine = isSameRun(now) ? max(0, now.uptime - uptime) : now.uptime
    if byWall < 0 { return byMachine }
    // A clock since boot that went backwards was seen in a time namespace, then or now.
    guard isSameRun(now), now.uptime >= uptime else { return byWall }
    return min(byMachine, byWall)
  }

  /// The most time that may have passed since, in seconds; nil when nobody knows, because the clock went backwards.
  package func possiblyPassed(_ now: AccessTime) -> Int64? {
    let byWall = now.wall - wall
    if isSameRun(now) {
      guard now.uptime >= uptime else { return nil }
      return max(now.uptime - uptime, byWall)
    }
    guard byWall >= 0 else { return nil }
    return max(now.uptime, byWall)
  }
}
