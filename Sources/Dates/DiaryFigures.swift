package import Entries

/// What follows from the days that have entries.
package struct DiaryFigures: Sendable {
  package private(set) var currentStreak = 0
  package private(set) var longestStreak = 0
  package let firstDay: Int?
  package let lastDay: Int?
  package private(set) var perMonth: [(month: String, entries: Int, words: Int)] = []

  package init(_ statistics: DiaryStatistics, today: Int) {
    let days = statistics.days.keys.sorted()
    firstDay = days.first
    lastDay = days.last
    var run = 0
    var before: Int?
    for day in days {
      run = before == day - 1 ? run + 1 : 1
      longestStreak = max(longestStreak, run)
      // A streak lives until a whole day has passed without an entry.
      if day == today || day == today - 1 { currentStreak = run }
      before = day
    }
    for day in days {
      let date = CivilDate(number: day)
      let month = String(date.text.prefix(7))
      if perMonth.last?.month != month {
        perMonth.append((month, 0, statistics.months[date.monthNumber] ?? 0))
      }
      perMonth[perMonth.count - 1].entries += statistics.days[day] ?? 0
    }
  }
}
