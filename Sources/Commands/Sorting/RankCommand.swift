internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// `rank`: a top ten with movement against an earlier period.
@MainActor
enum RankCommand {
  static let declaration = Command<Invocation>(
    "rank", Form("tags"), Form("kinds"), Form("journals"), Form("words"),
    summary: CommandHelp.rank,
    options: [Options.period, Options.versus, Options.everyRank],
    details: CommandHelp.rankDetails
  ) { invocation in
    guard let subject = TallySubject(rawValue: invocation.verb) else {
      return .written(exitCode: 2)
    }
    let year = CivilDate(number: invocation.dates.now.day).year
    let period = try Period(invocation.arguments[Options.period] ?? String(year), invocation)
    let versus =
      try invocation.arguments[Options.versus].map { try Period($0, invocation) }
      ?? period.before
    let connection = try await invocation.connection()
    let now = try ranked(subject, period, connection)
    let before = try versus.map { try ranked(subject, $0, connection) }
    let rows = now.map { RankedTally($0, before: before) }
    let shown = invocation.arguments[Options.everyRank] ? rows : Array(rows.prefix(10))
    return .array(shown) { json, row in
      json.member("rank", row.rank)
      json.member("name", row.name)
      json.member("count", row.count)
      json.member("previousRank", row.previousRank)
      json.member("movement", row.movement)
    } text: { page in
      if !shown.isEmpty, Terminal.isTerminal(1) {
        let heads = page.text(ReadingMessage.rankHeads).split(separator: "\t").map(String.init)
        try page.line(
          Style(page.usesColor).dim(
            padLeft(heads[0], 4) + "  " + padRight(heads[1], 6) + padLeft(heads[2], 6) + "  "
              + heads[3]))
      }
      for row in shown {
        try page.line(
          padLeft(String(row.rank), 4) + "  "
            + padRight(before == nil ? "" : sign(row, page), 6)
            + padLeft(String(row.count), 6) + "  "
            + visible(subject == .kinds ? page.language.kindName(row.name) : row.name))
      }
      if rows.isEmpty { page.note(WritingMessage.nothingFound) }
      if rows.count > shown.count {
        page.note(ReadingMessage.moreWithAll(rows.count - shown.count))
      }
    }
  }

  private static func sign(_ row: RankedTally, _ page: Page) -> String {
    guard let movement = row.movement else { return page.text(ReadingMessage.new) }
    return movement > 0 ? "▲ \(movement)" : movement < 0 ? "▼ \(-movement)" : "–"
  }

  private static func ranked(
    _ subject: TallySubject, _ period: Period, _ connection: KeeperConnection
  ) throws -> [TallyRank] {
    var filter = EntryFilter()
    filter.fromDay = period.days?.lowerBound
    filter.toDay = period.days?.upperBound
    let counts = try connection.run(Tally(subject, filter))
    return TallyRank.list(counts)
  }

  /// A year, a month, days, or all.
  struct Period {
    let days: ClosedRange<Int>?
    /// The one before it of the same length by the calendar.
    private let earlier: ClosedRange<Int>?

    var before: Period? { earlier.map { Period(days: $0) } }

    private init(days: ClosedRange<Int>) {
      self.days = days
      earlier = nil
    }

    @MainActor
    init(_ text: String, _ invocation: Invocation) throws {
      if text == "all" {
        days = nil
        earlier = nil
        return
      }
      if let dots = text.firstRange(of: "..") {
        let first = try invocation.dates.instant(String(text[..<dots.lowerBound])).day
        let last = try invocation.dates.instant(String(text[dots.upperBound...])).day
        guard first <= last else {
          throw Failure(.invalid, ReadingMessage.periodBackwards(text))
        }
        days = first...last
        earlier = Self.asMany(before: first...last)
        return
      }
      guard case .days(let found)? = try? invocation.dates.span(text) else {
        throw Failure(
          .invalid, ReadingMessage.notPeriod(text), hint: ReadingMessage.periodForms)
      }
      days = found
      earlier = Self.before(found)
    }

    /// The year before a year, the month before a month, else as many days.
    private static func before(_ days: ClosedRange<Int>) -> ClosedRange<Int>? {
      let first = CivilDate(number: days.lowerBound)
      if days == CivilDate.days(ofYear: first.year) {
        return CivilDate.days(ofYear: first.year - 1)
      }
      guard days == CivilDate.days(first.year, first.month) else { return asMany(before: days) }
      let (year, month) = first.monthsBack(1)
      return CivilDate.days(year, month)
    }

    private static func asMany(before days: ClosedRange<Int>) -> ClosedRange<Int> {
      (days.lowerBound - days.count)...(days.lowerBound - 1)
    }
  }
}
