internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// Writes entries as they come, so that the first shows before the last is read.
@MainActor
protocol EntryList: AnyObject {
  func add(_ entry: Entry) throws
  /// Once, after the last.
  func end() throws
}

extension Invocation {
  /// - Parameters:
  ///   - query: what was searched for: each entry comes with the line that contains it.
  ///   - gaps: days without entries are shown, for people.
  ///   - nothing: what is said when there are none; nil where none were asked for.
  func entryList(
    bodies: Bool = false, query: SearchQuery? = nil, nothing: WritingMessage? = .nothingFound,
    gaps: EntryLines.Gaps? = nil, through connection: KeeperConnection
  ) throws -> any EntryList {
    if isJSON { return EntryArray(output, bodies: bodies, excerpts: query != nil) }
    startPaging()
    let kinds = try connection.run(ListNames()).kinds
    return EntryLines(
      page, bodies: bodies, query: query, gaps: gaps, nothing: nothing,
      emoji: Dictionary(kinds.map { ($0.name, $0.emoji) }) { $1 })
  }
}

/// An array of entries in JSON.
@MainActor
final class EntryArray: EntryList {
  private let output: Output
  private let bodies: Bool
  private let excerpts: Bool
  private var isEmpty = true

  init(_ output: Output, bodies: Bool, excerpts: Bool) {
    self.output = output
    self.bodies = bodies
    self.excerpts = excerpts
  }

  func add(_ entry: Entry) throws {
    var json = JSONWriter()
    json.entry(entry, body: bodies, excerpt: excerpts)
    try output.write(isEmpty ? "[" : ",\n")
    try output.write(json.bytes)
    isEmpty = false
  }

  func end() throws { try output.write(isEmpty ? "[]\n" : "]\n") }
}

/// A line an entry, for people.
@MainActor
final class EntryLines: EntryList {
  /// From where to where days without entries are shown; nil: from the first entry, to the last.
  struct Gaps {
    let first: Int?
    let last: Int?
    let newestFirst: Bool

    init(from: Int?, to: Int?, newestFirst: Bool) {
      (first, last) = newestFirst ? (to, from) : (from, to)
      self.newestFirst = newestFirst
    }
  }

  private let page: Page
  private let style: Style
  private let bodies: Bool
  private let query: SearchQuery?
  private let gaps: Gaps?
  private let nothing: WritingMessage?
  private let emoji: [String: String]
  /// Whether each day has a heading.
  private let isGrouped: Bool
  /// Of the terminal, if there is one.
  private let columns: Int?
  private var isEmpty = true
  private var day: Int?
  private var hasHeading = false

  init(
    _ page: Page, bodies: Bool, query: SearchQuery?, gaps: Gaps?, nothing: WritingMessage?,
    emoji: [String: String]
  ) {
    self.page = page
    style = Style(page.usesColor)
    self.bodies = bodies
    self.query = query
    self.gaps = gaps
    self.nothing = nothing
    self.emoji = emoji
    isGrouped = gaps != nil || Terminal.isTerminal(1)
    columns = Terminal.isTerminal(1) ? Terminal.width : nil
  }

  func add(_ entry: Entry) throws {
    isEmpty = false
    if isGrouped, day != entry.date.day {
      try showGap(before: entry.date.day)
      try heading(entry.date.day)
    }
    let when =
      isGrouped
      ? entry.date.clock : entry.date.dayAndClock
    let end = entry.until.map { "–" + $0.clock } ?? ""
    var line = "\(style.dim(entry.id.short))  \(when)\(end)  "
    if entry.starred { line += "★ " }
    if !entry.others.isEmpty { line += "⇄ " }
    if let emoji = entry.kind.flatMap({ emoji[$0] }), !emoji.isEmpty {
      line += visible(emoji) + " "
    }
    let excerpt = query == nil ? nil : entry.excerpt
    let text = entry.title ?? excerpt ?? entry.preview ?? ""
    var facts = entry.tags.map { "#" + visible($0) }
    if !entry.attachments.isEmpty { facts.append("📎\(entry.attachments.count)") }
    // At a terminal a long title leaves room for what stands around it.
    let around = "\(entry.id.short)  \(when)\(end)  ★ ⇄ 🍜 " + facts.map { " " + $0 }.joined()
    let room = max(20, (columns ?? .max) - width(around))
    line += marked(width(text) > room ? clipped(visible(text), to: room) : text)
    line += facts.map { " " + style.dim($0) }.joined()
    try page.line(line)
    if let title = entry.title, let excerpt, excerpt != title {
      try page.line("          " + marked(excerpt))
    }
    if bodies, let body = entry.body { try page.line(visible(body) + "\n") }
  }

  func end() throws {
    try showGap(before: nil)
    if isEmpty, let nothing { page.note(nothing) }
  }

  private func heading(_ day: Int) throws {
    try page.line((hasHeading ? "\n" : "") + style.bold(page.dayHeading(day)))
    hasHeading = true
    self.day = day
  }

  /// Headings of the days without entries between the last heading and `next`, or up to the end.
  private func showGap(before next: Int?) throws {
    guard let gaps else { return }
    let step = gaps.newestFirst ? -1 : 1
    // Where a range was asked for, it begins and ends there; else with the first and the last entry.
    guard let from = day.map({ $0 + step }) ?? gaps.first,
      let to = next.map({ $0 - step }) ?? gaps.last, (to - from) * step >= 0
    else { return }
    // Of a trip, or of a range, only its own days.
    let bounds = [gaps.first, gaps.last].compactMap { $0 }.sorted()
    func within(_ day: Int) -> Bool {
      bounds.count < 2 || (bounds[0]...bounds[1]).contains(day)
    }
    guard abs(to - from) < 366 else {
      try page.line("")
      return try page.line(ReadingMessage.emptyDays(abs(to - from) + 1))
    }
    for empty in stride(from: from, through: to, by: step) where within(empty) {
      try heading(empty)
    }
  }

  /// The text with what was searched for in reverse colours.
  private func marked(_ text: String) -> String {
    guard let query, page.usesColor else { return visible(text) }
    var result = ""
    var place = text.startIndex
    for range in query.hits(in: text) where range.lowerBound >= place {
      result += visible(String(text[place..<range.lowerBound]))
      result += style.reverse(visible(String(text[range])))
      place = range.upperBound
    }
    return result + visible(String(text[place...]))
  }
}
