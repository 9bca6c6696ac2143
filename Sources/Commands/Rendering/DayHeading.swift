internal import CommandLine
internal import Dates
internal import Entries
internal import Words

extension Page {
  /// A day as each language writes it: `2026-03-02, Monday`.
  func dayHeading(_ day: Int) -> String {
    let date = CivilDate(number: day)
    return text(
      ReadingMessage.day(
        year: padded(date.year, 4), month: padded(date.month, 2), day: padded(date.day, 2),
        weekday: text(Weekday.name(CivilDate.weekday(day)))))
  }
}
