internal import Platform

/// The clocks a session is measured with. Both count from boot; neither can be set.
public protocol SessionClock: Sendable {
  /// Time since boot, with the time the machine slept.
  var sinceBoot: Duration { get }
  /// Time since boot, excluding the time the machine slept.
  var awake: Duration { get }
}

/// The system's clocks: `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`.
public struct SystemSessionClock: SessionClock {
  public init() {}
  public var sinceBoot: Duration { .nanoseconds(SystemClock.sinceBoot) }
  public var awake: Duration { .nanoseconds(SystemClock.awake) }
}
