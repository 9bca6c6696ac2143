internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// `stats` and `on-this-day`.
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
    if invocation.isJSON {
      try invocation.json { json in
        json.beginObject()
        json.member("entries", found.entries)
        json.member("words", found.words)
        json.member("currentStreak", figures.currentStreak)
        json.member("longestStreak", figures.longestStreak)
        json.member("firstDate", figures.firstDay.map { CivilDate(number: $0).text })
        json.member("lastDate", figures.lastDay.map { CivilDate(number: $0).text })
        json.key("perMonth")
        json.array(figures.perMonth) { json, month in
          json.member("month", month.month)
          json.member("entries", month.entries)
        }
        json.endObject()
      }
      return 0
    }
    let output = invocation.output
    try output.line(
      invocation.text(
        ReadingMessage.figures(entries: found.entries, words: found.words, days: found.days.count))
    )
    if let first = figures.firstDay, let last = figures.lastDay {
      try output.line(
        invocation.text(
          ReadingMessage.span(from: CivilDate(number: first).text, to: CivilDate(number: last).text)
        ))
      try output.line(
        invocation.text(
          ReadingMessage.streaks(current: figures.currentStreak, longest: figures.longestStreak)))
    }
    try output.line("")
    for line in Calendar(year: year, days: found.days, color: invocation.usesColor).lines(
      invocation)
    { try output.line(line) }
    return 0
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

  /// A year in weeks: a column a week, a row a weekday, Monday first.
  struct Calendar {
    let year: Int
    let days: [Int: Int]
    let color: Bool

    @MainActor
    func lines(_ invocation: Invocation) -> [String] {
      let first = CivilDate(year: year, month: 1, day: 1)!.number
      let last = CivilDate(year: year, month: 12, day: 31)!.number
      // Monday is 0.
      func weekday(_ day: Int) -> Int { (CivilDate.weekday(day) + 6) % 7 }
      let start = first - weekday(first)
      let weeks = (last - start) / 7 + 1
      let most = max(1, (first...last).map { days[$0] ?? 0 }.max() ?? 1)
      var months = [Character](repeating: " ", count: weeks + 4)
      for month in 1...12 {
        let column = (CivilDate(year: year, month: month, day: 1)!.number - start) / 7
        for (index, character) in String(month).enumerated() { months[column + index] = character }
      }
      var lines = ["\(year)  " + String(months).trimmedEnd]
      for row in 0..<7 {
        var line = row % 2 == 0 ? invocation.text(Weekday.short((row + 1) % 7)) : ""
        line = padRight(line, 6)
        for week in 0..<weeks {
          let day = start + week * 7 + row
          line += (first...last).contains(day) ? block(days[day] ?? 0, most) : " "
        }
        lines.append(line.trimmedEnd)
      }
      return lines
    }

    private func block(_ count: Int, _ most: Int) -> String {
      let level = count == 0 ? 0 : min(4, 1 + (count * 4 - 1) / most)
      guard color else { return ["·", "░", "▒", "▓", "█"][level] }
      return level == 0
        ? "\u{1b}[38;5;240m·\u{1b}[0m"
        : "\u{1b}[38;5;\([22, 28, 34, 46][level - 1])m■\u{1b}[0m"
    }
  }

  static let onThisDay = Command<Invocation>(
    "on-this-day", summary: CommandHelp.onThisDay,
    options: [Options.onDate]
  ) { invocation in
    let today = (invocation.arguments[Options.onDate] ?? invocation.dates.now).day
    let date = CivilDate(number: today)
    let connection = try await invocation.connection()
    var oldest = date.year
    _ = try connection.run(
      ListEntries(order: .oldestFirst, limit: 1)
    ) { oldest = min(oldest, CivilDate(number: $0.date.day).year) }
    let list = try EntryList(invocation, through: connection)
    try list.begin()
    for year in (oldest..<max(oldest, date.year)).reversed() {
      // On 29 February there is no such day in most years; on the 28th of a common one the 29th counts, too.
      guard let then = CivilDate(year: year, month: date.month, day: date.day) else { continue }
      var filter = EntryFilter()
      filter.fromDay = then.number
      filter.toDay = then.number
      if date.month == 2, date.day == 28, CivilDate.days(in: 2, of: date.year) == 28,
        CivilDate.days(in: 2, of: year) == 29
      {
        filter.toDay = then.number + 1
      }
      _ = try connection.run(
        ListEntries(filter)
      ) { try list.add($0) }
    }
    try list.end()
    return 0
  }
}

extension String {
  var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
