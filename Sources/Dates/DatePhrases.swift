internal import Entries
internal import Platform

/// What people say for a date, in the words that ``DateParser`` reads: `last night` is `yesterday 21:00`, `昨日の20時` is `昨日 20時`.
enum DatePhrases {
  /// - Parameter text: in lower case, with digits of one width.
  static func plain(_ text: String) -> String { japanese(english(text)) }

  /// The clock of a part of a day.
  static let parts = [
    "morning": "8:00", "afternoon": "15:00", "evening": "19:00", "night": "21:00",
    "朝": "8:00", "昼": "12:00", "夕方": "17:00", "晩": "21:00", "夜": "21:00",
    "午前": "10:00", "午後": "15:00", "早朝": "6:00",
  ]

  // MARK: English

  private static let numbers = [
    "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// The number of a word from one to twelve.
  private static func number(_ word: String) -> Int? {
    ["an": 1, "one": 1][word] ?? numbers.firstIndex(of: word).map { $0 + 1 }
  }

  private static let units = [
    "min": "minutes", "mins": "minutes", "hr": "hours", "hrs": "hours", "h": "hours",
  ]

  private static func english(_ text: String) -> String {
    var words = text.split(separator: " ").map(String.init)
    if words.count > 1 {
      words = words.enumerated().filter { place, word in
        !["at", "on"].contains(word)
          && !(word == "in" && words.dropFirst(place + 1).first == "the")
          && !(word == "the" && place > 0 && words[place - 1] == "in")
      }.map(\.element)
    }
    words = clock(ago(words))
    if words == ["tonight"] { words = ["today", "night"] }
    if words.count == 2, parts[words[1]] != nil {
      if words[0] == "this" { words[0] = "today" }
      if words == ["last", "night"] { words[0] = "yesterday" }
    }
    if words.count > 1, let part = words.last.flatMap({ parts[$0] }) {
      words[words.count - 1] = part
    }
    // The time first: noon yesterday, 8:30 am yesterday.
    let isTime = words.first.map { DateParser.timeOfDay($0) != nil } ?? false
    let length = words.count > 2 && ["am", "pm"].contains(words[1]) ? 2 : 1
    if words.count > length,
      isTime || length == 2 && DateParser.timeOfDay(words[0] + words[1]) != nil,
      words.last.map({ DateParser.timeOfDay($0) == nil && !["am", "pm"].contains($0) }) ?? false
    {
      words = words[length...] + [words[..<length].joined()]
    }
    return words.joined(separator: " ")
  }

  /// `two days ago`, `an hour ago`, `10 min ago`.
  private static func ago(_ words: [String]) -> [String] {
    guard words.last == "ago" else { return words }
    if words.dropLast() == ["half", "an", "hour"] { return ["30", "minutes", "ago"] }
    guard words.count == 3 else { return words }
    return [
      number(words[0]).map(String.init) ?? words[0], units[words[1]] ?? words[1], "ago",
    ]
  }

  /// `half past nine`, `quarter to ten`.
  private static func clock(_ words: [String]) -> [String] {
    let shifts = ["past": 0, "to": -1]
    guard let place = words.firstIndex(where: { shifts[$0] != nil }), place > 0,
      place + 1 < words.count, let shift = shifts[words[place]],
      let hour = number(words[place + 1]) ?? Int(words[place + 1]), (1...23).contains(hour),
      let minutes = ["half": 30, "quarter": 15][words[place - 1]] ?? Int(words[place - 1]),
      (0...30).contains(minutes)
    else { return words }
    let minute = hour * 60 + (shift == 0 ? minutes : -minutes)
    let rest = minute % 60
    return words[..<(place - 1)] + ["\(minute / 60):\(rest < 10 ? "0" : "")\(rest)"]
      + words[(place + 2)...]
  }
}

/// Which of two numbers with a stroke between them is the month.
package enum DayOrder: Sendable {
  case monthFirst, dayFirst
  /// Nobody can tell.
  case unclear

  private static let variables = ["LC_ALL", "LC_TIME", "LANG"]

  /// As the locale of this process has it.
  package static var here: DayOrder {
    DayOrder(
      variables.reduce(into: [:]) { $0[$1] = ThisProcess.variable($1) })
  }

  /// As a person's locale has it: `LC_ALL`, `LC_TIME`, `LANG`.
  package init(_ environment: [String: String]) {
    let named = Self.variables.lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let locale = (named ?? "").split(separator: ".").first.map(String.init) ?? ""
    self =
      locale.hasPrefix("en_US") || locale.hasPrefix("ja")
      ? .monthFirst : locale.count >= 5 && locale.contains("_") ? .dayFirst : .unclear
  }
}
