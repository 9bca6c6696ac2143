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
    if let asked = invocation.arguments[Options.year],
      let first = CivilDate(year: asked, month: 1, day: 1),
      let last = CivilDate(year: asked, month: 12, day: 31)
    {
      year = asked
      filter.fromDay = first.number
      filter.toDay = last.number
    }
    let connection = try await invocation.connection()
    let found = try connection.run(Statistics(filter))
    let figures = Figures(found, today: today)
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
      for line in YearCalendar(year: year, days: found.days).lines(page) { try page.line(line) }
    }
  }

  /// What follows from the days.
  struct Figures {
    private(set) var currentStreak = 0
    private(set) var longestStreak = 0
    let firstDay: Int?
    let lastDay: Int?
    private(set) var perMonth: [(month: String, entries: Int)] = []

    init(_ statistics: DiaryStatistics, today: Int) {
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
        let month = String(CivilDate(number: day).text.prefix(7))
        if perMonth.last?.month != month { perMonth.append((month, 0)) }
        perMonth[perMonth.count - 1].entries += statistics.days[day] ?? 0
      }
    }
  }
}
