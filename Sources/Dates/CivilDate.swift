internal import Entries
internal import Words

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

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

extension ZonedTime {
  /// `2026-03-02T13:30:00+09:00`; `1880-03-02T13:30:00+09:18:59` where the offset has seconds, as local times of before 1900 do.
  ///
  /// Written in place: a list of 100,000 entries needs 300,000 of these, and joining parts took half of its time.
  package var iso: String {
    let date = CivilDate(number: day)
    let (minutes, seconds) = abs(Int(offset)).quotientAndRemainder(dividingBy: 60)
    let second = secondOfDay
    var numbers = [
      (date.year, 4, UInt8(ascii: "-")), (date.month, 2, UInt8(ascii: "-")),
      (date.day, 2, UInt8(ascii: "T")), (second / 3600, 2, UInt8(ascii: ":")),
      (second / 60 % 60, 2, UInt8(ascii: ":")),
      (second % 60, 2, UInt8(ascii: offset < 0 ? "-" : "+")),
      (minutes / 60, 2, UInt8(ascii: ":")), (minutes % 60, 2, 0),
    ]
    if seconds != 0 {
      numbers[numbers.count - 1].2 = UInt8(ascii: ":")
      numbers.append((seconds, 2, 0))
    }
    return unsafe String(unsafeUninitializedCapacity: 28) { out in
      var place = 0
      for (number, width, mark) in numbers {
        var rest = number
        for digit in stride(from: width - 1, through: 0, by: -1) {
          unsafe out[place + digit] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        place += width
        if mark != 0 {
          unsafe out[place] = mark
          place += 1
        }
      }
      return place
    }
  }

  /// `13:30`
  package var clock: String {
    padded(secondOfDay / 3600, 2) + ":" + padded(secondOfDay / 60 % 60, 2)
  }
}

/// An instant in UTC: `2026-03-02T04:30:00+00:00`.
package func utc(_ seconds: Int64) -> String {
  (try? ZonedTime(seconds: seconds, offset: 0))?.iso ?? "1970-01-01T00:00:00+00:00"
}
