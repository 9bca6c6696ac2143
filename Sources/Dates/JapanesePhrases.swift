internal import Entries
internal import Text

/// What people say in Japanese.
extension DatePhrases {
  private static let said = [
    "今朝": "今日 8:00", "けさ": "今日 8:00", "昨夜": "昨日 21:00", "昨晩": "昨日 21:00", "ゆうべ": "昨日 21:00",
    "夕べ": "昨日 21:00", "今晩": "今日 21:00", "今夜": "今日 21:00", "元日": "1月1日", "元旦": "1月1日",
    "正月": "1月1日", "大晦日": "12月31日", "大みそか": "12月31日", "半年前": "6か月前",
    "朝": "今日 8:00", "昼": "今日 12:00", "夕方": "今日 17:00", "夜": "今日 21:00", "晩": "今日 21:00",
  ]
  /// A day and a part of it in one word, before a time: `昨夜9時半`.
  private static let nights = [
    "昨夜": "昨日の夜", "昨晩": "昨日の夜", "ゆうべ": "昨日の夜", "夕べ": "昨日の夜", "今晩": "今日の夜",
    "今夜": "今日の夜", "けさ": "今日の朝",
  ]

  private static let weekdayInBrackets = Pattern(/[（(][日月火水木金土](?:曜日?)?[)）]/)
  private static let kanjiNumber = Pattern(/[一二三四五六七八九十]+(?=[年月日時分週か])/)
  private static let dayAndTime = Pattern(
    /(.*?(?:今日|きょう|昨日|きのう|一昨日|おととい|明日|あした|曜日?|[0-9]日前|月前|年前|週間前|[0-9]日|[0-9]{4}[-\/.][0-9]{1,2}[-\/.][0-9]{1,2}))の?\s*((?:午前|午後|朝|昼|夕方|夜中|夜|晩|深夜|早朝)?の?[0-9].*|朝|昼|夕方|夜|晩|正午|午前|午後)/
  )
  private static let partAndClock = Pattern(
    /(朝|早朝|昼|夕方|夜中|深夜|夜|晩)の?([0-9]{1,2})(?:時(?:([0-9]{1,2})分)?|:([0-9]{2}))/)
  private static let inYear = Pattern(/(今年|去年|昨年|一昨年|おととし)の?([0-9]{1,2}月.*)/)
  private static let inMonth = Pattern(/(今月|先月|先々月)の?([0-9]{1,2}日(?!前).*)/)
  private static let length = Pattern(/[^:時]*分|.*時間(?:半|[^:時]*分)?/)
  private static let smallHours = Pattern(/0?[0-3](?:時(?:[0-9]{1,2}分)?|:[0-9]{2})/)
  private static let weeksAgo = Pattern(/([0-9]{1,3})週間前の(.曜日?)/)

  static func japanese(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value > 0x7f }) else {
      return SearchDates.western(text)
    }
    if let known = said[text] { return known }
    var text = text.replacing(weekdayInBrackets.regex, with: "")
      .replacing("時半", with: "時30分").replacing("今朝", with: "今日").replacing("零時", with: "0時")
      .replacing(kanjiNumber.regex) { match in
        SearchDates.kanji(match.output).map(String.init) ?? String(match.output)
      }
    for (word, meant) in nights where text.hasPrefix(word) {
      let rest = String(text.dropFirst(word.count).drop { $0 == "の" || $0 == " " })
      // After midnight: of the day after that night.
      if meant.hasSuffix("夜"), rest.wholeMatch(of: smallHours.regex) != nil {
        return (meant.hasPrefix("昨日") ? "今日 " : "明日 ") + rest
      }
      text = meant + rest
    }
    for word in ["頃", "ごろ", "ころ"] where text.hasSuffix("時" + word) || text.hasSuffix("分" + word) {
      text.removeLast(word.count)
    }
    text = SearchDates.western(text)
    if let clock = clock(inPart: text[...]) { return clock }
    if let match = text.wholeMatch(of: weeksAgo.regex) { return "\(match.1) weeks back \(match.2)" }
    guard
      let match = text.wholeMatch(of: dayAndTime.regex)
    else { return text }
    let time = String(match.2)
    return match.1 + " " + (parts[time] ?? clock(inPart: match.2) ?? time)
  }

  /// `朝9時`, `夜の9時30分`: the clock of 24 hours, as far as that part of a day has such an hour.
  private static func clock(inPart text: Substring) -> String? {
    guard
      let match = text.wholeMatch(of: partAndClock.regex),
      let hour = Int(match.2), hour < 24
    else { return nil }
    let isEarly = hour < 12
    let shift: Int
    switch match.1 {
    case "朝", "早朝", "深夜", "夜中": shift = 0
    case "昼": shift = isEarly && hour < 6 ? 12 : 0
    case "夕方": shift = isEarly ? 12 : 0
    // Midnight belongs to one day for some, and to the next for others.
    default:
      guard hour != 12 else { return nil }
      shift = isEarly && hour > 3 ? 12 : 0
    }
    let minute = match.3 ?? match.4 ?? "00"
    return "\(hour + shift):\(minute.count < 2 ? "0" : "")\(minute)"
  }

  /// With the year and the month that the words before a date mean: `去年の3月1日` is `2025年3月1日`.
  static func anchored(_ text: String, today: Int) -> String {
    guard text.unicodeScalars.contains(where: { $0.value > 0x7f }) else { return text }
    let date = CivilDate(number: today)
    let years: [Substring: Int] = [
      "今年": 0, "去年": 1, "昨年": 1, "一昨年": 2, "おととし": 2,
    ]
    if let match = text.wholeMatch(of: inYear.regex),
      let back = years[match.1]
    {
      return "\(date.year - back)年\(match.2)"
    }
    let months: [Substring: Int] = ["今月": 0, "先月": 1, "先々月": 2]
    if let match = text.wholeMatch(of: inMonth.regex),
      let back = months[match.1]
    {
      let (year, month) = date.monthsBack(back)
      return "\(year)年\(month)月\(match.2)"
    }
    return text
  }

  /// Whether it is a length of time and no time of a day: `90分`, `2時間`, `1時間半`, but not `9時30分`.
  static func isDuration(_ text: String) -> Bool {
    text.wholeMatch(of: length.regex) != nil
  }

  /// `90分`, `1時間半`, as `90m`, `1h30m`.
  static func duration(_ text: String) -> String {
    var text = text.halfWidth.replacing("時間半", with: "h30m")
    for (word, unit) in [("時間", "h"), ("分", "m"), ("秒", "s"), ("日間", "d"), ("日", "d")] {
      text = text.replacing(word, with: unit)
    }
    return text
  }
}
