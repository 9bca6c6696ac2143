internal import Platform

/// The clocks that waits and freshness are measured with: which start of the machine this is, the time since
/// it, and the time of day, which anybody may set.
public protocol AccessClock: Sendable {
  /// Another one after every start of the machine: 16 bytes.
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

/// A moment, told by all three.
package struct AccessTime: Sendable, Equatable {
  package let boot: [UInt8]
  package let uptime: Int64
  package let wall: Int64

  package init(_ clock: any AccessClock) {
    boot = clock.boot
    uptime = clock.uptime
    wall = clock.wall
  }

  init(boot: [UInt8], uptime: Int64, wall: Int64) {
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
  }

  /// Whether the machine was not started in between. A system that tells no boot id (zeros) never says so.
  func isSameRun(_ now: AccessTime) -> Bool { boot == now.boot && boot.contains { $0 != 0 } }

  /// The least time that has certainly passed since, in seconds.
  ///
  /// Within one run of the machine its own clock tells, which nobody can set. After a restart the time of day is
  /// all there is: a jump backwards gives no time at all, and what the machine has run since is certain.
  func certainlyPassed(_ now: AccessTime) -> Int64 {
    if isSameRun(now) { return max(0, now.uptime - uptime) }
    return max(now.uptime, now.wall - wall)
  }

  /// The most time that may have passed since, in seconds; nil when a clock went backwards, so that nobody knows.
  func possiblyPassed(_ now: AccessTime) -> Int64? {
    if isSameRun(now) {
      guard now.uptime >= uptime else { return nil }
      return now.uptime - uptime
    }
    guard now.wall >= wall else { return nil }
    return max(now.uptime, now.wall - wall)
  }
}
