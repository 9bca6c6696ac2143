internal import CommandLine
package import Entries
internal import Words

/// Dates as people write them.
package struct DateParser: Sendable {
  package enum Parsed: Equatable, Sendable {
    /// Days since 1970-01-01, when no time was given.
    case day(Int)
    case instant(ZonedTime)
  }

  /// A period rather than an instant.
  package enum Span: Equatable, Sendable {
    /// A day, a month or a year.
    case days(ClosedRange<Int>)
    case instant(ZonedTime)
  }

  package let zone: LocalZone
  package let now: ZonedTime
  private let order: DayOrder?

  /// - Parameter order: what `3/1` is; nil where such numbers are no date, because anybody may have written them.
  package init(zone: LocalZone = LocalZone(), now: ZonedTime? = nil, order: DayOrder? = nil) {
    self.zone = zone
    self.order = order
    self.now = now ?? zone.now()
  }

  /// The day that it is here.
  package static var today: Int { typed.now.day }

  /// What somebody types here and now: numbers are in the order of their locale.
  package static var typed: DateParser { DateParser(order: .here) }

  /// Reads a date, with or without a time.
  ///
  /// - Throws: ``Failure`` `invalid` saying what is accepted.
  package func parse(_ text: String) throws -> Parsed {
    // An export has one of these for each entry, and nothing else: they are read fifty times as fast.
    if let time = ZonedTime(iso: text) { return .instant(time) }
    try Self.checkLength(text)
    let given = text
    let typed = text.filter { !$0.isNewline }.trimmed.lowercased().halfWidth
    // What a list of another program has needs no phrases looked for, which takes longer.
    if typed.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false, let parsed = try iso(typed) {
      return parsed
    }
    if let day = endOfMonth(typed) { return .day(day) }
    let text = DatePhrases.anchored(DatePhrases.plain(typed), today: now.day)
    if let day = relativeDay(text) { return .day(day) }
    if text == "now" || text == "今" { return .instant(now) }
    if let seconds = Self.ago(text) ?? Self.ahead(text).map(-) {
      let instant = now.seconds - seconds
      return .instant(try ZonedTime(seconds: instant, offset: zone.offset(at: instant)))
    }
    if let parsed = try iso(text) { return parsed }
    if let day = try looseDay(text) { return .day(day) }
    if let day = try namedDay(text) ?? numberedDay(text) { return .day(day) }
    // A day, then a time: yesterday 18:00. A time alone is today's.
    var words = text.split(separator: " ").map(String.init)
    if let last = words.last, ["am", "pm"].contains(last), words.count > 1 {
      words.removeLast()
      words[words.count - 1] += last
    }
    if let second = words.last.flatMap(Self.timeOfDay) {
      let day = words.dropLast().joined(separator: " ")
      guard !day.isEmpty else {
        return .instant(try zone.instant(day: now.day, secondOfDay: second))
      }
      if case .day(let number)? = try? parse(day) {
        return .instant(try zone.instant(day: number, secondOfDay: second))
      }
    }
    throw Failure(
      .invalid, WritingMessage.notDate(given),
      hint: WritingMessage.dateForms)
  }

  /// No date is longer, and a chain of times would be parsed one by one.
  static func checkLength(_ text: String) throws {
    guard text.utf8.count <= 200 else {
      throw Failure(
        .invalid, WritingMessage.notDateCut(String(text.prefix(40))),
        hint: WritingMessage.dateForms)
    }
  }

  /// The instant for an entry of this date: the present time if it is today, else noon.
  package func instant(_ text: String) throws -> ZonedTime {
    switch try parse(text) {
    case .instant(let time): return time
    case .day(let day):
      return try zone.instant(day: day, secondOfDay: day == now.day ? now.secondOfDay : 43_200)
    }
  }

  /// The end of an entry that began at `start`: `+90m`, `18:30`, or a date.
  package func end(_ text: String, from start: ZonedTime) throws -> ZonedTime {
    try Self.checkLength(text)
    let text = text.trimmed
    if text.hasPrefix("+") || DatePhrases.isDuration(text) {
      guard let seconds = Self.duration(String(text.drop { $0 == "+" })) else {
        throw Failure(
          .invalid, WritingMessage.notDuration(text), hint: WritingMessage.durationForms)
      }
      let instant = start.seconds + seconds
      return try ZonedTime(
        seconds: instant,
        offset: zone.offset(at: instant) == zone.offset(at: start.seconds)
          ? start.offset : zone.offset(at: instant))
    }
    let time: ZonedTime
    if let second = Self.timeOfDay(text) {
      // On the day, and by the clock, of the start; earlier than that it is past midnight.
      let isNextDay =
        second < start.secondOfDay && second + 86_400 - start.secondOfDay <= Self.longestNight
      let day = isNextDay ? start.day + 1 : start.day
      time = try ZonedTime(
        seconds: Int64(day) * 86_400 + Int64(second) - Int64(start.offset), offset: start.offset)
    } else if let given = try? instant(text) {
      time = given
    } else {
      throw Failure(.invalid, WritingMessage.notEnd(text), hint: WritingMessage.endForms)
    }
    guard time >= start else {
      throw Failure(
        .invalid,
        WritingMessage.endBeforeStart(end: time.dayAndClock, start: start.dayAndClock))
    }
    return time
  }

  /// An end later than this past midnight is taken for a mistake.
  private static let longestNight = 12 * 3600

  /// `90m`, `2h`, `1h30m`, `45s`, `3d`: seconds.
  package static func duration(_ text: String) -> Int64? {
    var total: Int64 = 0
    var digits = ""
    for character in DatePhrases.duration(text.lowercased()) {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard let unit = ["s": 1, "m": 60, "h": 3600, "d": 86_400][character],
        digits.count <= 9, let number = Int64(digits)
      else { return nil }
      total += number * Int64(unit)
      // Nobody means more than a thousand years.
      guard total < 40_000_000_000 else { return nil }
      digits = ""
    }
    return digits.isEmpty && !text.isEmpty ? total : nil
  }

  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  private static let japaneseWeekdays = Array("日月火水木金土")

  /// `2 hours ago`, `90 minutes ago`, `3時間前`, `10分前`: seconds.
  private static func ago(_ text: String) -> Int64? {
    seconds(
      text,
      [
        (" hours ago", 3600), (" hour ago", 3600), (" minutes ago", 60), (" minute ago", 60),
        ("時間前", 3600), ("分前", 60),
      ])
  }

  /// The same for what is to come: `in 2 hours` as ``DatePhrases`` has it, `2時間後`.
  private static func ahead(_ text: String) -> Int64? {
    seconds(
      text,
      [
        (" hours ahead", 3600), (" hour ahead", 3600), (" minutes ahead", 60),
        (" minute ahead", 60), ("時間後", 3600), ("分後", 60),
      ])
  }

  private static func seconds(_ text: String, _ units: [(String, Int64)]) -> Int64? {
    for (ending, seconds) in units where text.hasSuffix(ending) {
      guard let count = Int64(text.dropLast(ending.count).trimmed.asciiDigits),
        (0...1_000_000).contains(count)
      else { return nil }
      return count * seconds
    }
    return nil
  }

  /// `March 1 2026`, `Sunday, 3 November 2024`, `1st of May`, `3月1日`; without a year the last one, today included.
  private func namedDay(_ text: String) throws -> Int? {
    var (year, month, day): (Int?, Int?, Int?)
    let parts = text.split(separator: "月")
    if parts.count == 2, parts[1].hasSuffix("日") {
      month = digits(parts[0])
      day = digits(parts[1].dropLast())
    } else {
      var words = text.split { $0 == " " || $0 == "," }.map(String.init)
      words.removeAll { $0 == "of" || $0 == "the" }
      if words.count == 1, let date = monthDay(words[0]) { return date }
      if let first = words.first, words.count > 2, Self.weekday(first) != nil {
        words.removeFirst()
      }
      guard (2...3).contains(words.count) else { return nil }
      for word in words {
        let bare = ["st", "nd", "rd", "th"].first { word.hasSuffix($0) }.map {
          word.dropLast($0.count)
        }
        if month == nil, let number = SearchDates.month(word) {
          month = number
        } else if day == nil, let number = digits(bare ?? word[...]), number <= 31 {
          day = number
        } else if year == nil, word.count == 4, let number = digits(word) {
          year = number
        } else {
          return nil
        }
      }
    }
    guard let month, let day else { return nil }
    return try self.day(year, month, day, text)
  }

  /// `the 3rd`, `3日`: of this month, or of the last one that had it.
  private func monthDay(_ word: String) -> Int? {
    guard let ending = ["st", "nd", "rd", "th", "日"].first(where: { word.hasSuffix($0) }),
      let day = digits(word.dropLast(ending.count)), (1...31).contains(day)
    else { return nil }
    let today = CivilDate(number: now.day)
    for back in 0...2 {
      let (year, month) = today.monthsBack(back)
      if let date = CivilDate(year: year, month: month, day: day), date.number <= now.day {
        return date.number
      }
    }
    return nil
  }

  /// `1.3.2026`, whose day is first; `3/1` and `3/1/2026`, as the locale has it.
  private func numberedDay(_ text: String) throws -> Int? {
    guard let order else { return nil }
    for mark in [".", "/"] as [Character] {
      var parts = text.split(separator: mark, omittingEmptySubsequences: false)
      if mark == ".", parts.count == 3, parts[2].isEmpty { parts.removeLast() }
      guard (2...3).contains(parts.count), parts.allSatisfy({ digits($0) != nil }),
        parts[0].count <= 2, parts[1].count <= 2, parts.count == 2 || parts[2].count == 4,
        let first = digits(parts[0]), let second = digits(parts[1])
      else { continue }
      // 9.30 is a time to some.
      if mark == ".", parts.count == 2, !text.hasSuffix(".") { return nil }
      let year = parts.count == 3 ? digits(parts[2]) : nil
      let isDayFirst: Bool
      switch order {
      case _ where mark == "." || first > 12: isDayFirst = true
      case _ where second > 12 || first == second: isDayFirst = false
      case .dayFirst: isDayFirst = true
      case .monthFirst: isDayFirst = false
      case .unclear:
        let readings = [(first, second), (second, first)].compactMap { month, date in
          (try? day(year, month, date, text)).map { CivilDate(number: $0).text }
        }
        throw Failure(
          .invalid, WritingMessage.dateUnclear(text),
          hint: readings.count == 2
            ? WritingMessage.dateEither(readings[0], readings[1]) : .dateForms)
      }
      return isDayFirst ? try day(year, second, first, text) : try day(year, first, second, text)
    }
    return nil
  }

  /// A day of a year, or without one the last such day.
  private func day(_ year: Int?, _ month: Int, _ day: Int, _ text: String) throws -> Int {
    if let year {
      guard let date = CivilDate(year: year, month: month, day: day) else {
        throw Failure(.invalid, WritingMessage.noSuchDay(text))
      }
      return date.number
    }
    // A 29 February may be four years away, or eight at the turn of a century.
    let today = CivilDate(number: now.day)
    for year in stride(from: today.year, to: today.year - 9, by: -1) {
      if let date = CivilDate(year: year, month: month, day: day), date.number <= now.day {
        return date.number
      }
    }
    throw Failure(.invalid, WritingMessage.noSuchDay(text))
  }

  /// The same day that many months ago, or that month's last day.
  private func back(months count: Int) -> Int? {
    guard (0...100_000).contains(count) else { return nil }
    let today = CivilDate(number: now.day)
    let (year, month) = today.monthsBack(count)
    guard let days = CivilDate.days(year, month) else { return nil }
    return min(days.lowerBound + today.day - 1, days.upperBound)
  }

  /// The number of a weekday from Sunday, by its name or the beginning of it.
  ///
  /// - Parameter text: in lower case.
  package static func weekday(_ text: String) -> Int? {
    if let first = text.first, let number = japaneseWeekdays.firstIndex(of: first),
      ["曜", "曜日"].contains(text.dropFirst())
    {
      return number
    }
    guard text.count >= 3 else { return nil }
    return weekdays.firstIndex { $0.hasPrefix(text) }
  }

  private func relativeDay(_ text: String) -> Int? {
    let today = now.day
    if ["tomorrow", "明日", "あした"].contains(text) { return today + 1 }
    if ["day after tomorrow", "明後日", "あさって"].contains(text) { return today + 2 }
    if let days = RelativeDays.days(text, today: today), days.count == 1 { return days.lowerBound }
    if text.hasSuffix("日前"), let count = Int(text.dropLast(2).asciiDigits) { return back(count) }
    let words = text.split(separator: " ").map(String.init)
    if let day = weekdayAgo(words) ?? ahead(words, text) { return day }
    if words.count == 3, words[2] == "ago", let count = Int(words[0]) {
      switch words[1] {
      case "day", "days": return back(count)
      case "week", "weeks": return back(weeks: count)
      case "month", "months": return back(months: count)
      case "year", "years":
        return (0...10_000).contains(count) ? back(months: count * 12) : nil
      default: return nil
      }
    }
    if text.hasSuffix("週間前"), let count = Int(text.dropLast(3).asciiDigits) {
      return back(weeks: count)
    }
    for ending in ["か月前", "ヶ月前", "カ月前", "ヵ月前"] where text.hasSuffix(ending) {
      return Int(text.dropLast(3).asciiDigits).flatMap { back(months: $0) }
    }
    if text.hasSuffix("年前"), let count = Int(text.dropLast(2).asciiDigits) {
      return (0...10_000).contains(count) ? back(months: count * 12) : nil
    }
    for (week, back) in [("先々週", 14), ("先週", 7), ("今週", 0)] where text.hasPrefix(week) {
      let day = text.dropFirst(week.count)
      guard let weekday = Self.weekday(String(day.hasPrefix("の") ? day.dropFirst() : day)) else {
        break
      }
      return today - (CivilDate.weekday(today) + 6) % 7 - back + (weekday + 6) % 7
    }
    let name = words.count == 2 && words[0] == "last" ? words[1] : text
    if let weekday = Self.weekday(name) {
      // The last such day before today: a week ago when today is one.
      return today - ((CivilDate.weekday(today) - weekday + 6) % 7 + 1)
    }
    if text.count == 8, let number = digits(text),
      let date = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    {
      return date.number
    }
    return nil
  }

  /// `2026-3-1`, `2026/03/01`, `2026年3月1日`.
  private func looseDay(_ text: String) throws -> Int? {
    let marks: Set<Character> = ["年", "月", "/", "-", "."]
    let parts = text.split(omittingEmptySubsequences: false) { marks.contains($0) }
    guard parts.count == 3, parts[0].count == 4, let year = digits(parts[0]),
      let month = digits(parts[1]), parts[1].count <= 2,
      let day = digits(parts[2].hasSuffix("日") ? parts[2].dropLast() : parts[2])
    else { return nil }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw Failure(.invalid, WritingMessage.noSuchDay(text))
    }
    return date.number
  }

  private func back(weeks count: Int) -> Int? {
    (0...1_000_000).contains(count) ? back(count * 7) : nil
  }

  private func back(_ count: Int) -> Int? {
    (0...3_000_000).contains(count) ? now.day - count : nil
  }

  /// `2026-03-01`, `2026-03-01T09:30`, with seconds, fraction, `Z` or an offset.
  private func iso(_ text: String) throws -> Parsed? {
    let dateText = text.prefix(10)
    let parts = dateText.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = digits(parts[0]), let month = digits(parts[1]), let day = digits(parts[2])
    else { return nil }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw Failure(.invalid, WritingMessage.noSuchDay(String(dateText)))
    }
    var rest = text.dropFirst(10)
    if rest.isEmpty { return .day(date.number) }
    guard rest.first == "t" || rest.first == " " else { return nil }
    rest = rest.dropFirst()
    var offset: Int32?
    if rest.hasSuffix("z") {
      offset = 0
      rest = rest.dropLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = rest[rest.index(after: sign)...].filter { $0 != ":" }
      guard [2, 4, 6].contains(zone.count), let hours = digits(zone.prefix(2)),
        let minutes = zone.count == 2 ? 0 : digits(zone.dropFirst(2).prefix(2)),
        let seconds = zone.count < 6 ? 0 : digits(zone.suffix(2)),
        hours <= 18, minutes < 60, seconds < 60
      else { return nil }
      offset = Int32((hours * 60 + minutes) * 60 + seconds) * (rest[sign] == "-" ? -1 : 1)
      rest = rest[..<sign]
    }
    if let dot = rest.firstIndex(of: ".") {
      guard digits(rest[rest.index(after: dot)...].prefix(9)) != nil else { return nil }
      rest = rest[..<dot]
    }
    guard let second = Self.timeOfDay(String(rest)) else { return nil }
    guard let offset else {
      return .instant(try zone.instant(day: date.number, secondOfDay: second))
    }
    return .instant(
      try ZonedTime(
        seconds: Int64(date.number) * 86_400 + Int64(second) - Int64(offset), offset: offset))
  }

  func digits(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
