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
