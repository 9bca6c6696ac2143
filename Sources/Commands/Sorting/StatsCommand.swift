internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `stats`: how much, how often, and a year as a calendar.
@MainActor
enum StatsCommand {
  static let declaration = Command<Invocation>(
    "stats", summary: CommandHelp.stats,
    options: [Options.year]
  ) { invocation in
    let today = invocation.dates.now.day
    var filter = EntryFilter()
    var year = CivilDate(number: today).year
    if let asked = invocation.arguments[Options.year], let days = CivilDate.days(ofYear: asked) {
      year = asked
      (filter.fromDay, filter.toDay) = (days.lowerBound, days.upperBound)
    }
    let connection = try await invocation.connection()
    let found = try connection.run(Statistics(filter))
    let figures = DiaryFigures(found, today: today)
    return .object { json in
      json.member("entries", found.entries)
      json.member("words", found.words)
      json.member("currentStreak", figures.currentStreak)
      json.member("longestStreak", figures.longestStreak)
      json.member("firstDate", figures.firstDay.map { CivilDate(number: $0).text })
      json.member("lastDate", figures.lastDay.map { CivilDate(number: $0).text })
      json.member("perMonth", array: figures.perMonth) { json, month in
        json.member("month", month.month)
        json.member("entries", month.entries)
        json.member("words", month.words)
      }
    } text: { [year] page in
      try page.line(
        ReadingMessage.figures(entries: found.entries, words: found.words, days: found.days.count))
      if let first = figures.firstDay, let last = figures.lastDay {
        try page.line(
          ReadingMessage.span(from: CivilDate(number: first).text, to: CivilDate(number: last).text)
        )
        try page.line(
          ReadingMessage.streaks(current: figures.currentStreak, longest: figures.longestStreak))
      }
      try page.line("")
      for month in figures.perMonth where Int(month.month.prefix(4)) == year {
        try page.line(
          month.month + padLeft(page.text(ReadingMessage.entryCount(month.entries)), 14)
            + padLeft(page.text(ReadingMessage.wordCount(month.words)), 16))
      }
      // The months say the same; on a narrow terminal the calendar would only be cut.
      let calendar = YearCalendar(year: year, days: found.days).lines(page)
      guard !Terminal.isTerminal(1) || Terminal.width >= YearCalendar.width else { return }
      try page.line("")
      for line in calendar { try page.line(line) }
    }
  }
}
