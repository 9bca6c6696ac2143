internal import Entries

/// When clocks are set from some year on, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
  private let standard: Int32
  private let summer: (offset: Int32, begins: Day, ends: Day)?

  /// A day of each year, and the second of that day by the clock in use before the change.
  private struct Day: Sendable {
    enum Which: Sendable {
      /// 1 to 365; February 29 is not counted.
      case julian(Int)
      /// 0 to 365.
      case zeroBased(Int)
      /// The first to fourth, or last (5), of a day of the week in a month; Sunday is 0.
      case weekday(month: Int, week: Int, day: Int)
    }

    let which: Which
    let second: Int64
  }

  /// Nil for an empty or malformed rule.
  init?(_ text: String) {
    var reader = Reader(text)
    guard reader.skipName(), let standard = reader.offset() else { return nil }
    self.standard = standard
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard reader.skipName() else { return nil }
    let offset = reader.isNext(",") ? standard + 3600 : reader.offset()
    guard let offset, reader.skip(","), let begins = reader.day(), reader.skip(","),
      let ends = reader.day(), reader.isAtEnd
    else { return nil }
    summer = (offset, begins, ends)
  }

  func offset(at seconds: Int64) -> Int32 {
    guard let summer else { return standard }
    // By the year of the standard clock: no rule sets clocks at the turn of the year.
    let local = seconds + Int64(standard)
    let year = CivilDate(number: Int(local / 86_400) - (local % 86_400 < 0 ? 1 : 0)).year
    guard let first = Self.instant(summer.begins, year),
      let last = Self.instant(summer.ends, year)
    else { return standard }
    let begins = first - Int64(standard)
    let ends = last - Int64(summer.offset)
    let isSummer =
      begins < ends
      ? (begins..<ends).contains(seconds) : !(ends..<begins).contains(seconds)
    return isSummer ? summer.offset : standard
  }

  /// What the clock shows then, in seconds since 1970 began on it; nil outside the calendar.
  private static func instant(_ day: Day, _ year: Int) -> Int64? {
    guard let newYear = CivilDate(year: year, month: 1, day: 1)?.number else { return nil }
    let number: Int
    switch day.which {
    case .zeroBased(let count): number = newYear + count
    case .julian(let count):
      let isLeap = CivilDate.days(in: 2, of: year) == 29
      number = newYear + count - 1 + (isLeap && count > 59 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      guard let first = CivilDate(year: year, month: month, day: 1)?.number else { return nil }
      let days = CivilDate.days(in: month, of: year)
      var offset = (weekday - CivilDate.weekday(first) + 7) % 7 + (week - 1) * 7
      if offset >= days { offset -= 7 }
      number = first + offset
    }
    return Int64(number) * 86_400 + day.second
  }

  private struct Reader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }
    func isNext(_ sign: Character) -> Bool { rest.first == sign }

    mutating func skip(_ sign: Character) -> Bool {
      guard rest.first == sign else { return false }
      rest.removeFirst()
      return true
    }

    /// `CET`, `<+0330>`.
    mutating func skipName() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: ">") else { return false }
        rest = rest[rest.index(after: end)...]
        return true
      }
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      return name.count >= 3
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return digits.count <= 3 ? Int(digits).flatMap { range.contains($0) ? $0 : nil } : nil
    }

    /// `-3:30`, in seconds.
    private mutating func clock(hours range: ClosedRange<Int>) -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard let hours = number(range) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where isNext(":") {
        _ = skip(":")
        guard let more = number(0...59) else { return nil }
        seconds += more * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Written west of Greenwich.
    mutating func offset() -> Int32? { clock(hours: 0...24).map { Int32(-$0) } }

    /// `M3.5.0/2`, `J60`, `59`.
    mutating func day() -> Day? {
      let which: Day.Which
      if skip("M") {
        guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
          let day = number(0...6)
        else { return nil }
        which = .weekday(month: month, week: week, day: day)
      } else if skip("J") {
        guard let count = number(1...365) else { return nil }
        which = .julian(count)
      } else {
        guard let count = number(0...365) else { return nil }
        which = .zeroBased(count)
      }
      guard skip("/") else { return Day(which: which, second: 7200) }
      guard let second = clock(hours: 0...167) else { return nil }
      return Day(which: which, second: Int64(second))
    }
  }
}
