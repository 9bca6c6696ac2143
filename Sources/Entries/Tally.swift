/// What can be counted over entries.
public enum TallySubject: String, Sendable, Codable { case tags, kinds, journals, words }

/// A name and how many entries have it; for a word, how often it occurs.
public struct TallyCount: Sendable, Codable, Equatable {
  public let name: String
  public let count: Int

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

/// What a diary amounts to.
public struct DiaryStatistics: Sendable, Codable, Equatable {
  public var entries = 0
  public var words = 0
  /// Entries by civil day, days since 1970-01-01.
  public var days: [Int: Int] = [:]
  /// Words by month: year × 12 + month − 1, for those that have entries.
  public var months: [Int: Int] = [:]

  package init() {}
}
