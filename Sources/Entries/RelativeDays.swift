/// Days and periods that are named as seen from today: `yesterday`, `last week`, `先月`.
package enum RelativeDays {
  /// Returns nil for words that name none. A week is from Monday on.
  ///
  /// - Parameters:
  ///   - text: in lower case.
  ///   - today: civil days since 1970-01-01.
  package static func days(_ text: String, today: Int) -> ClosedRange<Int>? {
    guard CivilDate.numbers.contains(today) else { return nil }
    let date = CivilDate(number: today)
    func week(_ back: Int) -> ClosedRange<Int> {
      let monday = today - (CivilDate.weekday(today) + 6) % 7 - 7 * back
      return monday...(monday + 6)
    }
    func month(_ back: Int) -> ClosedRange<Int>? {
      let (year, month) = date.monthsBack(back)
      return CivilDate.days(year, month)
    }
    switch text {
    case "today", "今日", "きょう": return today...today
    case "yesterday", "昨日", "きのう": return (today - 1)...(today - 1)
    case "day before yesterday", "the day before yesterday", "一昨日", "おととい":
      return (today - 2)...(today - 2)
    case "this week", "今週": return week(0)
    case "last week", "先週": return week(1)
    case "先々週": return week(2)
    case "this month", "今月": return month(0)
    case "last month", "先月": return month(1)
    case "先々月": return month(2)
    case "this year", "今年": return CivilDate.days(date.year, nil)
    case "last year", "去年", "昨年": return CivilDate.days(date.year - 1, nil)
    case "一昨年", "おととし": return CivilDate.days(date.year - 2, nil)
    default: return nil
    }
  }
}
