internal import CommandLine
internal import Entries

/// Periods as people write them.
extension DateParser {
  /// Reads a date, a month (`2026-03`, `March 2026`, `2026年3月`), a year (`2026`, `2026年`), or `last week` and the like.
  package func span(_ text: String) throws -> Span {
    try Self.checkLength(text)
    if let days = relativeSpan(text.trimmed.lowercased()) { return .days(days) }
    var month = text.trimmed.halfWidth.lowercased().replacing("/", with: "-")
    let words = month.split { $0 == " " || $0 == "," }
    if words.count == 2, let number = SearchDates.month(words[0]) {
      month = "\(words[1])-\(number)"
    }
    if month.hasSuffix("年") || month.hasSuffix("月") { month.removeLast() }
    let parts = month.replacing("年", with: "-").split(
      separator: "-", omittingEmptySubsequences: false)
    if (1...2).contains(parts.count), parts[0].count == 4, let year = digits(parts[0]),
      let days = Self.days(year, parts.count == 2 ? digits(parts[1]) ?? 0 : nil)
    {
      return .days(days)
    }
    switch try parse(text) {
    case .day(let day): return .days(day...day)
    case .instant(let time): return .instant(time)
    }
  }

  /// The days of a month, or of a year.
  static func days(_ year: Int, _ month: Int?) -> ClosedRange<Int>? {
    guard let first = CivilDate(year: year, month: month ?? 1, day: 1) else { return nil }
    let isYearEnd = month == nil || month == 12
    let next = CivilDate(
      year: isYearEnd ? year + 1 : year, month: isYearEnd ? 1 : first.month + 1, day: 1)
    return next.map { first.number...($0.number - 1) }
  }

  /// `this week`, from Monday on, `last month`, `先月`, `今年`.
  private func relativeSpan(_ text: String) -> ClosedRange<Int>? {
    let today = CivilDate(number: now.day)
    switch text {
    case "this week", "今週", "last week", "先週":
      let back = text == "last week" || text == "先週" ? 7 : 0
      let monday = now.day - (CivilDate.weekday(now.day) + 6) % 7 - back
      return monday...(monday + 6)
    case "this month", "今月": return Self.days(today.year, today.month)
    case "last month", "先月":
      return today.month == 1
        ? Self.days(today.year - 1, 12) : Self.days(today.year, today.month - 1)
    case "this year", "今年": return Self.days(today.year, nil)
    case "last year", "去年", "昨年": return Self.days(today.year - 1, nil)
    default: return nil
    }
  }
}
