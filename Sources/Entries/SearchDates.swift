internal import Text

/// The days that words of a search mean: `2026-03`, `2026-03-14`, `March 2026`, `14 March`, `2026年3月`, `三月`,
/// `November`.
public enum SearchDates: Sendable, Equatable, Codable {
  /// Civil days since 1970-01-01.
  case days(ClosedRange<Int>)
  /// A month of every year, or one day of it.
  case yearly(month: Int, day: Int?)

  /// The most words that one date takes.
  static let wordLimit = 3

  package static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// The number of a month from 1, by its name in lower case or the beginning of it.
  package static func month(_ text: some StringProtocol) -> Int? {
    let name = text.hasSuffix(".") ? String(text.dropLast()) : String(text)
    guard name.count >= 3 else { return nil }
    return monthNames.firstIndex { $0.hasPrefix(name) || name == "sept" && $0 == "september" }
      .map { $0 + 1 }
  }

  /// Returns nil for words that mean no days, or that mean more than days: a year's number; march and may alone, and a month's
  /// name cut short.
  ///
  /// - Parameter today: nil where words such as *yesterday* are no date.
  init?(words text: String, today: Int? = nil) {
    if let today, let days = RelativeDays.days(text.lowercased(), today: today) {
      self = .days(days)
      return
    }
    let text = String(decoding: SearchText.fold(text), as: UTF8.self)
    guard let dates = Self.numeric(text) ?? Self.japanese(text) ?? Self.english(text) else {
      return nil
    }
    self = dates
  }

  func contain(_ day: Int) -> Bool {
    switch self {
    case .days(let days): return days.contains(day)
    case .yearly(let month, let wanted):
      let date = CivilDate(number: day)
      return date.month == month && (wanted == nil || wanted == date.day)
    }
  }

  /// The days of a year, of a month, or one day.
  private static func days(_ year: Int, _ month: Int?, _ day: Int?) -> SearchDates? {
    guard let month, let day else { return CivilDate.days(year, month).map { .days($0) } }
    return CivilDate(year: year, month: month, day: day).map { .days($0.number...$0.number) }
  }

  private static func of(_ year: Int?, _ month: Int, _ day: Int?) -> SearchDates? {
    if let year { return days(year, month, day) }
    // Of a leap year, so that there is a 29 February.
    guard CivilDate(year: 2024, month: month, day: day ?? 1) != nil else { return nil }
    return .yearly(month: month, day: day)
  }

  /// `2026-03`, `2026/3/14`
  private static func numeric(_ text: String) -> SearchDates? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    let numbers = parts.compactMap { number($0, digits: $0.count) }
    guard (2...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
      parts.dropFirst().allSatisfy({ $0.count <= 2 })
    else { return nil }
    return days(numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : nil)
  }

  /// `2026年`, `2026年3月`, `三月`, `3月14日`
  private static func japanese(_ text: String) -> SearchDates? {
    var rest = Substring(western(text))
    /// The number before a sign, where there is one.
    func take(_ sign: Character) -> (isThere: Bool, number: Int?) {
      guard let end = rest.firstIndex(of: sign) else { return (false, nil) }
      let before = rest[..<end]
      rest = rest[rest.index(after: end)...]
      return (true, number(before, digits: before.count) ?? kanji(before))
    }
    let (year, month, day) = (take("年"), take("月"), take("日"))
    guard year.isThere || month.isThere, rest.isEmpty else { return nil }
    for part in [year, month, day] where part.isThere && part.number == nil { return nil }
    guard let month = month.number else {
      return day.isThere ? nil : year.number.flatMap { days($0, nil, nil) }
    }
    return of(year.number, month, day.number)
  }

  /// `March 2026`, `14 March`, `March 14, 2026`, `November`
  private static func english(_ text: String) -> SearchDates? {
    var (year, month, day): (Int?, Int?, Int?)
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
      if let number = Self.number(word, digits: 4), year == nil {
        year = number
      } else if let number = Self.day(word), day == nil {
        day = number
      } else if let number = Self.month(word), month == nil {
        month = number
      } else {
        return nil
      }
    }
    let isName = monthNames.contains(text) && !["march", "may"].contains(text)
    guard let month, year != nil || day != nil || isName else { return nil }
    return of(year, month, day)
  }

  /// `14`, `14th`
  private static func day(_ word: Substring) -> Int? {
    var word = word
    for ending in ["st", "nd", "rd", "th"] where word.hasSuffix(ending) { word.removeLast(2) }
    return word.count <= 2 ? number(word, digits: word.count) : nil
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard text.count == digits, digits > 0, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(text)
  }

  private static let eras = [
    ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("r", 2018), ("h", 1988), ("s", 1925),
  ]

  /// A year of an era as its number: `令和8年3月` is `2026年3月`, and `r8.3.1` is `2026.3.1`.
  ///
  /// - Parameter text: in lower case, with digits of one width.
  package static func western(_ text: String) -> String {
    for (era, before) in eras where text.hasPrefix(era) {
      let rest = text.dropFirst(era.count)
      let isFirst = rest.hasPrefix("元年")
      let digits = rest.prefix { !"年./-".contains($0) }
      let sign = rest.dropFirst(digits.count).first
      guard
        let number = isFirst
          ? 1 : number(digits, digits: digits.count) ?? (sign == "年" ? kanji(digits) : nil),
        number < 100, isFirst || sign == "年" || era.count == 1 && sign != nil
      else { break }
      return "\(before + number)" + rest.dropFirst(isFirst ? 1 : digits.count)
    }
    return text
  }

  /// `三`, `十二`, `三十一`
  package static func kanji(_ text: Substring) -> Int? {
    let digits = Array("一二三四五六七八九")
    func digit(_ text: Substring) -> Int? {
      text.count == 1 ? digits.firstIndex(of: text.first!).map { $0 + 1 } : nil
    }
    guard let ten = text.firstIndex(of: "十") else { return digit(text) }
    let (before, after) = (text[..<ten], text[text.index(after: ten)...])
    guard let tens = before.isEmpty ? 1 : digit(before),
      let ones = after.isEmpty ? 0 : digit(after)
    else { return nil }
    return tens * 10 + ones
  }
}
