/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// The first day of year 1 to the last one of year 9999, by their numbers.
  package static let numbers = -719_162...2_932_896

  /// nil when there is no such day in the years 1 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The days of a year, by their numbers; nil for one that there is not.
  package static func days(ofYear year: Int) -> ClosedRange<Int>? {
    guard let first = CivilDate(year: year, month: 1, day: 1),
      let last = CivilDate(year: year, month: 12, day: 31)
    else { return nil }
    return first.number...last.number
  }

  /// The days of a month, or of a year where the month is nil; nil for one that there is not.
  package static func days(_ year: Int, _ month: Int?) -> ClosedRange<Int>? {
    guard let month else { return days(ofYear: year) }
    guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
    return first.number...(first.number + days(in: month, of: year) - 1)
  }

  /// Numbers the months without a gap: twelve for each year and those before it in its year.
  package var monthNumber: Int { year * 12 + month - 1 }

  /// The month that many months before this day's.
  package func monthsBack(_ count: Int) -> (year: Int, month: Int) {
    let index = monthNumber - count
    return (index / 12, index % 12 + 1)
  }

  package static func days(in month: Int, of year: Int) -> Int {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days since 1970-01-01. (Hinnant, *chrono-Compatible Low-Level Date Algorithms*.)
  package var number: Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package init(number: Int) {
    let z = number + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let mp = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * mp + 2) / 5 + 1
    month = mp + (mp < 10 ? 3 : -9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// 0 is Sunday.
  package static func weekday(_ number: Int) -> Int { ((number + 4) % 7 + 7) % 7 }

  /// `2026-03-02`
  package var text: String {
    padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }
}

package func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
