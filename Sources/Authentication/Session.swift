public import Access

/// The time for which the diary is open, from one opening to its end.
public struct Session: Sendable, Equatable {
  public let limits: SessionLimits
  private let started: Duration
  private var lastActivity: Duration
  private let asleepAtStart: Duration

  public init(_ limits: SessionLimits, clock: any SessionClock) {
    self.limits = limits
    started = clock.sinceBoot
    lastActivity = started
    asleepAtStart = started - clock.awake
  }

  public enum End: Sendable, Equatable { case idle, life, slept }

  /// Why the session is over, nil while it is not. A clock that went backwards ends it.
  public func end(at clock: any SessionClock) -> End? {
    let now = clock.sinceBoot
    if now - started >= limits.life || now < lastActivity { return .life }
    if now - lastActivity >= limits.idle { return .idle }
    // A machine that slept may have been moved. The two clocks may differ by half a second anyway.
    if (now - clock.awake) - asleepAtStart > .milliseconds(500) { return .slept }
    return nil
  }

  /// Something was done.
  public mutating func touch(_ clock: any SessionClock) { lastActivity = clock.sinceBoot }

  /// Time left in all, and until idleness ends it.
  public func remaining(at clock: any SessionClock) -> (life: Duration, idle: Duration) {
    let now = clock.sinceBoot
    let life = max(.zero, limits.life - (now - started))
    return (life, min(life, max(.zero, limits.idle - (now - lastActivity))))
  }
}
