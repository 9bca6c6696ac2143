/// How long a diary stays open.
public struct SessionLimits: Sendable, Equatable, Codable {
  /// The longest time without use.
  public var idle: Duration
  /// The longest time from its beginning.
  public var life: Duration

  /// The longest life that can be asked for.
  public static let longestLife = Duration.seconds(12 * 3600)

  /// As long as any policy can allow.
  public static let longest = SessionLimits(idle: longestLife, life: longestLife)

  public init(idle: Duration, life: Duration) {
    self.life = min(max(life, .seconds(1)), Self.longestLife)
    self.idle = min(max(idle, .seconds(1)), self.life)
  }

  /// Returns these limits, each at most that of `longest`: a request can only shorten a session.
  public func within(_ longest: SessionLimits) -> SessionLimits {
    SessionLimits(idle: min(idle, longest.idle), life: min(life, longest.life))
  }

  private enum CodingKeys: String, CodingKey { case idle, life }

  /// Applies the same bounds to decoded values, which come from outside.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      idle: try values.decode(Duration.self, forKey: .idle),
      life: try values.decode(Duration.self, forKey: .life))
  }
}
