internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

/// A year in weeks: a column a week, a row a weekday, Monday first.
struct YearCalendar {
  /// Columns that it takes at most.
  static let width = 6 + 54
  let year: Int
  let days: [Int: Int]

  @MainActor
  func lines(_ page: Page) -> [String] {
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
      var line = row % 2 == 0 ? page.text(Weekday.short((row + 1) % 7)) : ""
      line = padRight(line, 6)
      for week in 0..<weeks {
        let day = start + week * 7 + row
        line += (first...last).contains(day) ? block(days[day] ?? 0, most, page.usesColor) : " "
      }
      lines.append(line.trimmedEnd)
    }
    return lines
  }

  private func block(_ count: Int, _ most: Int, _ color: Bool) -> String {
    let level = count == 0 ? 0 : min(4, 1 + (count * 4 - 1) / most)
    guard color else { return ["·", "░", "▒", "▓", "█"][level] }
    return level == 0
      ? "\u{1b}[38;5;240m·\u{1b}[0m"
      : "\u{1b}[38;5;\([22, 28, 34, 46][level - 1])m■\u{1b}[0m"
  }
}
