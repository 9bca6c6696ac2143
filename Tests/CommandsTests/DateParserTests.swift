import Entries
import Testing

@testable import Dates
@testable import Formats
@testable import Words

/// What people type for a date. The clock is given; only the wall time is compared, so any time zone passes.
@Suite(.threads) struct DateParserTests {
  /// Wednesday 2026-03-11, 20:15 here.
  private let dates: DateParser
  private let day = 20_523

  init() throws {
    let zone = LocalZone()
    dates = DateParser(
      zone: zone, now: try zone.instant(day: 20_523, secondOfDay: (20 * 60 + 15) * 60),
      order: .unclear)
  }

  private func wall(_ time: ZonedTime) -> String { String(time.iso.prefix(16)) }

  @Test(arguments: [
    ("today", 0), ("Yesterday", -1), (" tomorrow ", 1), ("3 days ago", -3), ("1 day ago", -1),
    ("2 weeks ago", -14), ("last monday", -2), ("last tue", -1), ("last wednesday", -7),
    ("last thu", -6), ("今日", 0), ("きのう", -1), ("一昨日", -2), ("３日前", -3), ("3日前", -3),
    ("0 days ago", 0), ("friday", -5), ("Wednesday", -7), ("火曜日", -1), ("金曜", -5),
    ("2週間前", -14), ("20260310", -1),
    ("March 10 2026", -1), ("mar. 10, 2026", -1), ("10 March 2026", -1), ("10th of March", -1),
    ("Tuesday, 10 March 2026", -1), ("March 11", 0), ("12 march", -364), ("3月10日", -1),
    ("3月12日", -364), ("29 February", -741), ("1 month ago", -28), ("12 months ago", -365),
    ("1 year ago", -365), ("1か月前", -28), ("2年前", -730), ("sept 30", -162),
    ("a week ago", -7), ("two days ago", -2), ("the 3rd", -8), ("the 30th", -40),
    ("on friday", -5), ("先週の金曜日", -5), ("先週の水曜", -7), ("今週の月曜日", -2),
    ("3月10日（火）", -1), ("令和8年3月10日", -1), ("平成31年3月11日", -2557), ("2026.3.10", -1),
    ("先々週の水曜日", -14), ("先週火曜日", -8), ("去年の3月11日", -365), ("昨年3月11日", -365),
    ("先月の28日", -11), ("今月10日", -1), ("R8.3.10", -1), ("r8年3月10日", -1), ("H31.3.11", -2557),
    ("令和元年5月1日", -2506), ("元日", -69), ("大晦日", -70), ("半年前", -181),
    ("10.3.2026", -1), ("10.3.", -1), ("3/13/2026", 2), ("13/3/2026", 2),
    ("a week ago tuesday", -8), ("tuesday a week ago", -8), ("two weeks ago friday", -19),
    ("1週間前の火曜日", -8), ("last of february", -11), ("end of february", -11), ("3月末", 20),
    ("last day of february 2024", -741), ("2月末", -11), ("先月末", -11), ("2024年2月末日", -741),
    ("8日", -3), ("30日", -40), ("in 3 days", 3), ("in a week", 7), ("3日後", 3), ("2週間後", 14),
  ])
  func `a day is said from today`(text: String, offset: Int) throws {
    #expect(try dates.parse(text) == .day(day + offset))
  }

  @Test(arguments: [
    "2026-03-11", "2026-3-11", "2026/03/11", "2026/3/11", "2026年3月11日", "２０２６年３月１１日",
  ])
  func `a day is written in several ways`(text: String) throws {
    #expect(try dates.parse(text) == .day(day))
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-01T12:00"), ("today", "2026-03-11T20:15"),
    ("now", "2026-03-11T20:15"), ("yesterday 18:00", "2026-03-10T18:00"),
    ("7:05", "2026-03-11T07:05"), ("2026-03-01 9:30", "2026-03-01T09:30"),
    ("2026-03-01T09:30:59.123", "2026-03-01T09:30"), ("昨日　１８：００", "2026-03-10T18:00"),
    ("2026-03-01T09:30Z", "2026-03-01T09:30"), ("2026-03-01T09:30+09:00", "2026-03-01T09:30"),
    ("2026-03-01T09:30-0330", "2026-03-01T09:30"), ("2024-02-29", "2024-02-29T12:00"),
    ("2016-12-31T23:59:60", "2016-12-31T23:59"), ("noon", "2026-03-11T12:00"),
    ("6pm", "2026-03-11T18:00"), ("12am", "2026-03-11T00:00"),
    ("yesterday 12 PM", "2026-03-10T12:00"),
    ("friday 6:30 pm", "2026-03-06T18:30"), ("2 hours ago", "2026-03-11T18:15"),
    ("90 minutes ago", "2026-03-11T18:45"), ("30時間前", "2026-03-10T14:15"),
    ("last night", "2026-03-10T21:00"), ("this morning", "2026-03-11T08:00"),
    ("noon yesterday", "2026-03-10T12:00"), ("yesterday at noon", "2026-03-10T12:00"),
    ("10 min ago", "2026-03-11T20:05"), ("half an hour ago", "2026-03-11T19:45"),
    ("an hour ago", "2026-03-11T19:15"), ("friday evening", "2026-03-06T19:00"),
    ("yesterday in the afternoon", "2026-03-10T15:00"), ("tonight", "2026-03-11T21:00"),
    ("8:30 am yesterday", "2026-03-10T08:30"), ("half past nine", "2026-03-11T09:30"),
    ("quarter to ten yesterday", "2026-03-10T09:45"), ("march 1 at 6pm", "2026-03-01T18:00"),
    ("今朝", "2026-03-11T08:00"), ("昨夜", "2026-03-10T21:00"), ("昨晩", "2026-03-10T21:00"),
    ("9時半", "2026-03-11T09:30"), ("昨日の20時", "2026-03-10T20:00"),
    ("昨日20:00", "2026-03-10T20:00"), ("3月1日の夜", "2026-03-01T21:00"),
    ("３月１日９時半", "2026-03-01T09:30"), ("先週の金曜日の午後3時", "2026-03-06T15:00"),
    ("昨日 午後6時30分", "2026-03-10T18:30"), ("朝9時", "2026-03-11T09:00"),
    ("昨日の夜9時半", "2026-03-10T21:30"),
    ("夕方5時", "2026-03-11T17:00"), ("昨日の夜中の2時", "2026-03-10T02:00"),
    ("昨日の昼の1時", "2026-03-10T13:00"), ("夜21時", "2026-03-11T21:00"),
    ("昨日の午前", "2026-03-10T10:00"), ("土曜日の午後", "2026-03-07T15:00"),
    ("18時頃", "2026-03-11T18:00"), ("昨日の18時ごろ", "2026-03-10T18:00"), ("零時", "2026-03-11T00:00"),
    ("去年の3月1日の夜", "2025-03-01T21:00"), ("先月5日9時", "2026-02-05T09:00"),
    ("18時", "2026-03-11T18:00"), ("正午", "2026-03-11T12:00"),
    ("昨夜9時半", "2026-03-10T21:30"), ("昨夜9時", "2026-03-10T21:00"), ("昨晩の11時", "2026-03-10T23:00"),
    ("今夜8時", "2026-03-11T20:00"), ("夕方", "2026-03-11T17:00"), ("2時間後", "2026-03-11T22:15"),
    ("last night 11pm", "2026-03-10T23:00"), ("last night at 1 am", "2026-03-11T01:00"),
    ("last night 11:30", "2026-03-10T23:30"), ("last night 12:30", "2026-03-11T00:30"),
    ("this morning 9:30", "2026-03-11T09:30"), ("this morning at 9:30", "2026-03-11T09:30"),
    ("yesterday evening 7:30", "2026-03-10T19:30"), ("friday afternoon 3pm", "2026-03-06T15:00"),
    ("tonight 9pm", "2026-03-11T21:00"), ("in two hours", "2026-03-11T22:15"),
    ("1h ago", "2026-03-11T19:15"), ("90min ago", "2026-03-11T18:45"),
    ("9.30pm", "2026-03-11T21:30"), ("２０２６−０３−０１　９：３０", "2026-03-01T09:30"),
    ("8日の夜", "2026-03-08T21:00"),
    ("last night at midnight", "2026-03-11T00:00"), ("last night 0:30", "2026-03-11T00:30"),
    ("tonight midnight", "2026-03-12T00:00"), ("tonight 0:15", "2026-03-12T00:15"),
    ("昨夜1時", "2026-03-11T01:00"), ("昨夜0時半", "2026-03-11T00:30"), ("今夜1時", "2026-03-12T01:00"),
    ("昨夜の11時30分", "2026-03-10T23:30"),
    ("2026-03-08 昼の2時", "2026-03-08T14:00"), ("2026/3/8の夜9時半", "2026-03-08T21:30"),
    ("2026-03-08 9時半", "2026-03-08T09:30"), ("2026.3.8 夕方", "2026-03-08T17:00"),
  ])
  func `an entry's instant is the time said, else now or noon`(
    text: String, expected: String
  ) throws {
    #expect(wall(try dates.instant(text)) == expected)
  }

  @Test(arguments: [
    ("2026", 20_454, 20_818), ("2026-03", 20_513, 20_543), ("2026年3月", 20_513, 20_543),
    ("2024-2", 19_754, 19_782), ("2026-12", 20_788, 20_818), ("2026-03-11", 20_523, 20_523),
    ("yesterday", 20_522, 20_522), ("2026/3", 20_513, 20_543), ("March 2026", 20_513, 20_543),
    ("this week", 20_521, 20_527), ("last week", 20_514, 20_520), ("先週", 20_514, 20_520),
    ("last month", 20_485, 20_512), ("先月", 20_485, 20_512), ("this month", 20_513, 20_543),
    ("令和8年3月", 20_513, 20_543), ("3月", 20_513, 20_543), ("march", 20_513, 20_543),
    ("4月", 20_179, 20_208), ("先々月", 20_454, 20_484), ("おととし", 19_723, 20_088),
    ("last year", 20_089, 20_453), ("今年", 20_454, 20_818), ("三月", 20_513, 20_543),
  ])
  func `where a span is meant a month or a year is one`(text: String, first: Int, last: Int) throws
  {
    #expect(try dates.span(text) == .days(first...last))
  }

  @Test(arguments: ["2026-13", "2026-00", "99", "2026-", "年", "soon"])
  func `what is no span is an error`(text: String) {
    #expect(throws: Failure.self) { try dates.span(text) }
  }

  @Test func `what is far too long is an error, wherever a date is read`() {
    for text in [
      String(repeating: "am", count: 40_000), String(repeating: "9999999d", count: 20_000),
      "+" + String(repeating: "999999999d", count: 20), String(repeating: "2026年", count: 40_000),
    ] {
      #expect(throws: Failure.self) { try dates.end(text, from: dates.now) }
      #expect(throws: Failure.self) { try dates.span(text) }
      #expect(throws: Failure.self) { try dates.instant(text) }
    }
    #expect(DateParser.duration(String(repeating: "999999999d", count: 200_000)) == nil)
  }

  @Test func `what an export writes is read as everything else is, and comes back`() throws {
    for number in 0..<2000 {
      let time = try ZonedTime(
        seconds: ZonedTime.range.lowerBound + 100_000 + Int64(number) * 157_654_321,
        offset: Int32(number * 37 % 2161 - 1080) * 60)
      #expect(try dates.parse(time.iso) == .instant(time))
      // In small letters it is read by the parser of what people write.
      #expect(try dates.parse(time.iso.lowercased()) == .instant(time))
    }
    // What is nearly of that form is refused or read alike in both.
    let whole = Array("2026-03-02T13:30:15-09:00".utf8)
    let others = Array("0123456789TZtz+-: /x".utf8)
    for place in whole.indices {
      for other in others {
        for ending in [whole.count, 20, 19] {
          var bytes = Array(whole.prefix(ending))
          if place < ending { bytes[place] = other }
          if ending == 20, place != 19 { bytes[19] = UInt8(ascii: "Z") }
          let text = String(decoding: bytes, as: UTF8.self)
          let read = try? dates.parse(text)
          #expect(read == (try? dates.parse(text.lowercased())), "\(text)")
        }
      }
    }
  }

  @Test func `an offset is kept and moves the instant`() throws {
    let tokyo = try dates.instant("2026-03-01T09:30+09:00")
    let utc = try dates.instant("2026-03-01T00:30Z")
    #expect(tokyo.seconds == utc.seconds)
    #expect(tokyo.offset == 32_400 && utc.offset == 0)
  }

  @Test(arguments: [
    "", " ", "soon", "2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "26-03-01",
    "2026-03-01T24:00", "2026-03-01T9", "2026-03-01T09:60", "2026-03-01T09:30+19:00",
    "99999999999999999999 days ago", "-3 days ago", "3000001 days ago", "last", "last m",
    "2026-03-01T09:30+09:00+09:00", "٢٠٢٦-٠٣-٠١", "yesterday 25:00", "2026-01-01T00:00+18:00:60",
    String(repeating: "09:30 ", count: 5000), "13pm", "0pm", "pm", "am pm", "18pm", "25時", "fr",
    "99999999 hours ago", "20261301", "百週間前", "⑩日前", "-9223372036854775808週間前",
    "2635249153387078803 weeks ago", "9223372036854775807 hours ago", "-1 hours ago", "2026",
    "2026-03", String(repeating: "pm", count: 90), "31 February", "February 30 2026", "32 March",
    "March", "ma 1",
    "1 1 2026", "March 1 1", "13月1日", "3月32日", "999999 months ago", "100001 years ago",
    "9999 years ago",
    "-1か月前", "last week", "12/3/2026", "3/1", "31.2.2026", "morning", "the 32nd", "half past 40",
    "noon noon", "令和百年3月1日", "夜12時", "朝25時", "r100.1.1", "s1.2", "a ago", "at", "quarter past",
  ])
  func `what is no date is an error that says what is`(text: String) {
    let error = #expect(throws: Failure.self) { try dates.instant(text) }
    #expect(error?.code == .invalid)
  }

  @Test(arguments: [
    ("en_US.UTF-8", "2026-03-04"), ("ja_JP.UTF-8", "2026-03-04"), ("en_GB.UTF-8", "2025-04-03"),
    ("de_DE", "2025-04-03"),
  ])
  func `a stroke stands between day and month as the locale has it`(
    locale: String, expected: String
  ) throws {
    let here = DateParser(now: dates.now, order: DayOrder(["LANG": locale]))
    #expect(wall(try here.instant("3/4")).hasPrefix(expected))
    #expect(wall(try here.instant("3/4/\(expected.prefix(4))")).hasPrefix(expected))
  }

  @Test(arguments: ["C.UTF-8", "POSIX", "", "C"])
  func `a locale that says nothing of dates decides nothing`(locale: String) {
    let here = DateParser(now: dates.now, order: DayOrder(["LC_ALL": "", "LANG": locale]))
    #expect(throws: Failure.self) { try here.instant("3/4") }
  }

  @Test(arguments: [
    ("+90m", "2026-03-11T21:45"), ("+1h30m", "2026-03-11T21:45"), ("+45s", "2026-03-11T20:15"),
    ("90分", "2026-03-11T21:45"), ("+1時間半", "2026-03-11T21:45"), ("２時間", "2026-03-11T22:15"),
    ("21時30分", "2026-03-11T21:30"),
    ("21:00", "2026-03-11T21:00"), ("2026-03-12", "2026-03-12T12:00"),
    // Past midnight.
    ("01:00", "2026-03-12T01:00"), ("1am", "2026-03-12T01:00"),
  ])
  func `an end is a duration, a time or a date`(text: String, expected: String) throws {
    #expect(wall(try dates.end(text, from: dates.now)) == expected)
  }

  @Test(arguments: ["+", "+m", "+3", "+3w", "+-3m", "+9999999999d", "20:14", "yesterday", "later"])
  func `an end before the start, or none, is an error`(text: String) {
    let error = #expect(throws: Failure.self) { try dates.end(text, from: dates.now) }
    #expect(error?.code == .invalid)
  }

  @Test func `the same day of earlier years is asked for where there are entries, however old`()
    throws
  {
    func day(_ year: Int, _ month: Int, _ day: Int) throws -> Int {
      try #require(CivilDate(year: year, month: month, day: day)).number
    }
    // By instants: 1 January 2021 in the far east was before 31 December 2020 in the far west.
    let days = [
      try day(2026, 1, 1), try day(2020, 12, 31), try day(2021, 1, 1), try day(12, 7, 9),
    ]
    var asked = 0
    let filters = EntryFilter.before(
      try #require(CivilDate(year: 2026, month: 1, day: 1))
    ) { filter in
      asked += 1
      return days.first { $0 <= filter.toDay ?? .max }
    }
    #expect(try filters.map(\.fromDay) == [day(2021, 1, 1), day(2020, 1, 1), day(12, 1, 1)])
    #expect(asked == 4)
  }

  @Test(arguments: [
    "last night noon", "last night 6am", "yesterday evening 0:30", "this morning 3pm",
    "yesterday afternoon 0:15", "friday night midnight", "昨夜12時",
  ])
  func `an hour that a part of a day does not have is no date`(text: String) {
    #expect(throws: Failure.self) { try dates.instant(text) }
  }

  @Test func `of one week ago is the day of that week`() throws {
    let zone = LocalZone()
    // Monday 2026-03-09.
    let monday = DateParser(zone: zone, now: try zone.instant(day: day - 2, secondOfDay: 0))
    #expect(try monday.parse("1週間前の火曜日") == .day(day - 8))
    #expect(try monday.parse("先週の火曜日") == .day(day - 8))
  }
}
