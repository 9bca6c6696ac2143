package import Entries

extension EntryFilter {
  /// The same day of each year before, back to one: the latest first.
  package static func before(_ date: CivilDate, backTo oldest: Int) -> [EntryFilter] {
    (oldest..<max(oldest, date.year)).reversed().compactMap { EntryFilter(like: date, in: $0) }
  }

  /// The same day of another year; nil when that has no such day. 29 February goes with the 28th in years without it.
  private init?(like date: CivilDate, in year: Int) {
    guard let then = CivilDate(year: year, month: date.month, day: date.day) else { return nil }
    self.init()
    fromDay = then.number
    toDay = then.number
    if date.month == 2, date.day == 28, CivilDate.days(in: 2, of: date.year) == 28,
      CivilDate.days(in: 2, of: year) == 29
    {
      toDay = then.number + 1
    }
  }
}
