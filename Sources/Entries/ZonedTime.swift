/// An instant with the offset from UTC that applied there. The date of an entry is one.
public struct ZonedTime: Sendable, Hashable, Codable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// Seconds east of UTC, within ±18 hours.
  public let offset: Int32

  /// What is accepted: the years 1 to 9999.
  public static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Eighteen hours either way.
  public static let offsets: ClosedRange<Int32> = -64_800...64_800

  /// - Throws: ``VaultError`` `invalid` outside the years 1 to 9999 or ±18 hours.
  public init(seconds: Int64, offset: Int32) throws(VaultError) {
    guard Self.range.contains(seconds), Self.offsets.contains(offset),
      Self.range.contains(seconds + Int64(offset))
    else { throw VaultError(.date, expected: .yearsAndOffset) }
    self.seconds = seconds
    self.offset = offset
  }

  /// 1970-01-01T00:00Z, before the date of an entry is read.
  package static let epoch = try! ZonedTime(seconds: 0, offset: 0)

  private enum CodingKeys: String, CodingKey { case seconds, offset }

  /// Through the same checks: a message is from outside.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      seconds: try values.decode(Int64.self, forKey: .seconds),
      offset: try values.decode(Int32.self, forKey: .offset))
  }

  /// The civil day there: days since 1970-01-01.
  public var day: Int {
    let local = seconds + Int64(offset)
    return Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
  }

  /// Seconds since midnight there.
  public var secondOfDay: Int { Int(seconds + Int64(offset) - Int64(day) * 86_400) }

  public static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }
}
