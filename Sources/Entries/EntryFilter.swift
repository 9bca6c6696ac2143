/// Which entries are wanted. All conditions must hold.
public struct EntryFilter: Sendable, Codable, Equatable {
  /// Civil days (since 1970-01-01), as counted where each entry was written; both included.
  public var fromDay: Int?
  public var toDay: Int?
  /// Instants, seconds since 1970; both included.
  public var fromInstant: Int64?
  public var toInstant: Int64?
  /// Every one of them, ignoring case.
  public var tags: [String] = []
  public var journal: String?
  public var kind: String?
  public var starred = false
  public var hasAttachment = false
  /// The trash instead of the diary.
  public var trash = false

  public init() {}

  /// Instants outside of which no entry can match: a day is at most 18 hours off UTC's.
  package var instants: ClosedRange<Int64> {
    var low = Int64.min
    var high = Int64.max
    // Days come from outside; beyond the years 1 to 9999 there is nothing to find anyway.
    func day(_ number: Int) -> Int64 { Int64(min(max(number, -1_000_000), 4_000_000)) }
    if let fromDay { low = max(low, day(fromDay) * 86_400 - 64_800) }
    if let toDay { high = min(high, (day(toDay) + 1) * 86_400 + 64_800) }
    if let fromInstant { low = max(low, fromInstant) }
    if let toInstant { high = min(high, toInstant) }
    return low <= high ? low...high : Int64.max...Int64.max
  }
}
