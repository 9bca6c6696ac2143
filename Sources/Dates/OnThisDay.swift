package import Entries

extension EntryFilter {
  /// The same day of each year before in which something was written: the latest first.
  ///
  /// - Parameter newest: answers the day of the newest entry that passes.
  package static func before(
    _ date: CivilDate, newest: (EntryFilter) throws -> Int?
  ) rethrows -> [EntryFilter] {
    var (found, year) = ([EntryFilter](), date.year)
    while let first = CivilDate(year: year, month: 1, day: 1) {
      var earlier = EntryFilter()
      earlier.toDay = first.number - 1
      guard let day = try newest(earlier) else { break }
      // They go by instants: what was written two days on in the far east may be older.
      let near = CivilDate(number: day + 2).year
      year = near < year ? near : CivilDate(number: day).year
      if let filter = EntryFilter(like: date, in: year) { found.append(filter) }
    }
    return found
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
