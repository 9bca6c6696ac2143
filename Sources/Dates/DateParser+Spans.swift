internal import CommandLine
internal import Entries

/// Periods as people write them.
extension DateParser {
  /// Reads a date, a month (`2026-03`, `March 2026`, `2026年3月`), a year (`2026`, `2026年`), or `last week` and the like.
  package func span(_ text: String) throws -> Span {
    try Self.checkLength(text)
    if let days = RelativeDays.days(text.trimmed.lowercased(), today: now.day) {
      return .days(days)
    }
    let plain = SearchDates.western(text.trimmed.halfWidth.lowercased())
    if let days = lastMonth(plain) { return .days(days) }
    var month = plain.replacing("/", with: "-")
    let words = month.split { $0 == " " || $0 == "," }
    if words.count == 2, let number = SearchDates.month(words[0]) {
      month = "\(words[1])-\(number)"
    }
    if month.hasSuffix("年") || month.hasSuffix("月") { month.removeLast() }
    let parts = month.replacing("年", with: "-").split(
      separator: "-", omittingEmptySubsequences: false)
    if (1...2).contains(parts.count), parts[0].count == 4, let year = digits(parts[0]),
      let days = CivilDate.days(year, parts.count == 2 ? digits(parts[1]) ?? 0 : nil)
    {
      return .days(days)
    }
    switch try parse(text) {
    case .day(let day): return .days(day...day)
    case .instant(let time): return .instant(time)
    }
  }

  /// `March`, `3月`: of this year, or of the last one where that month is still to come.
  private func lastMonth(_ text: String) -> ClosedRange<Int>? {
    guard
      let month = SearchDates.month(text) ?? (text.hasSuffix("月") ? digits(text.dropLast()) : nil)
    else { return nil }
    let today = CivilDate(number: now.day)
    return CivilDate.days(month > today.month ? today.year - 1 : today.year, month)
  }
}
