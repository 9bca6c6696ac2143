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

  /// `last of march`, `end of february 2024`, `3月末`, `先月末`: the last day of a month.
  func endOfMonth(_ text: String) -> Int? {
    var month: String?
    if let ending = ["末日", "末"].first(where: { text.hasSuffix($0) }) {
      month = String(text.dropLast(ending.count))
    } else {
      var words = text.split(separator: " ").filter { !["the", "day", "of"].contains($0) }
      guard words.count > 1, ["last", "end"].contains(words.removeFirst()),
        text.contains(" of ")
      else { return nil }
      month = words.joined(separator: " ")
    }
    guard let month, !month.isEmpty, case .days(let days)? = try? span(month),
      (28...31).contains(days.count)
    else { return nil }
    return days.upperBound
  }

  /// `1 week ago tuesday`: that weekday, a week before the last one; of `1週間前の火曜日`, which is `1 weeks back`, the one of that week.
  func weekdayAgo(_ words: [String]) -> Int? {
    guard words.count == 4, ["week", "weeks"].contains(words[1]),
      ["ago", "back"].contains(words[2]), let count = Int(words[0]), (0...100_000).contains(count),
      let weekday = Self.weekday(words[3])
    else { return nil }
    let today = CivilDate.weekday(now.day)
    if words[2] == "back" { return now.day - (today + 6) % 7 - 7 * count + (weekday + 6) % 7 }
    return now.day - ((today - weekday + 6) % 7 + 1) - 7 * count
  }

  /// `3 days ahead`, which is `in 3 days`; `3日後`, `1週間後`.
  func ahead(_ words: [String], _ text: String) -> Int? {
    func days(_ count: Int?, _ each: Int) -> Int? {
      count.flatMap { (0...100_000).contains($0) ? now.day + $0 * each : nil }
    }
    if words.count == 3, words[2] == "ahead" {
      let each = ["day": 1, "days": 1, "week": 7, "weeks": 7][words[1]]
      return each.flatMap { days(Int(words[0]), $0) }
    }
    for (ending, each) in [("日後", 1), ("週間後", 7)] where text.hasSuffix(ending) {
      return days(Int(text.dropLast(ending.count).asciiDigits), each)
    }
    return nil
  }

  /// `March`, `3月`: of this year, or of the last one where that month is still to come.
  private func lastMonth(_ text: String) -> ClosedRange<Int>? {
    guard
      let month = SearchDates.month(text)
        ?? (text.hasSuffix("月")
          ? digits(text.dropLast()) ?? SearchDates.kanji(text.dropLast()) : nil)
    else { return nil }
    let today = CivilDate(number: now.day)
    return CivilDate.days(month > today.month ? today.year - 1 : today.year, month)
  }
}
