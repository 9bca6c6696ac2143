internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText

/// Entries as JSON and as text.
extension JSONWriter {
  /// - Parameter bodies: whether the body belongs to this answer.
  mutating func entry(_ entry: Entry, body: Bool, excerpt: Bool = false) {
    beginObject()
    member("id", entry.id.description)
    member("revision", Int(entry.revision))
    for field in EntryField.all {
      switch field.place {
      case .time(let path): member(field.name, entry.content[path].iso)
      case .optionalTime(let path): member(field.name, entry.content[path]?.iso)
      case .text(let path): member(field.name, entry.content[path])
      case .body: if body { member(field.name, entry.body) }
      case .texts(let path): member(field.name, entry.content[path])
      case .flag(let path): member(field.name, entry.content[path])
      }
    }
    key("attachments")
    array(entry.attachments) { json, attachment in json.write(attachment) }
    member("created", utc(entry.created))
    member("modified", utc(entry.modified))
    if excerpt { member("excerpt", entry.excerpt) }
    endObject()
  }
}

extension JSONWriter {
  /// The members of an attachment.
  mutating func write(_ attachment: Attachment) {
    member("name", attachment.name)
    member("size", attachment.size)
    member("type", attachment.type)
  }
}

/// Writes an array of entries as they come, JSON or lines for people.
@MainActor
final class EntryList {
  private let invocation: Invocation
  private let bodies: Bool
  private let excerpts: Bool
  private let query: SearchQuery?
  private let isTerminal = Terminal.isTerminal(1)
  private var emoji: [String: String] = [:]
  private var count = 0
  private var day: Int?
  private var hasHeading = false
  /// Whether days without entries are shown, and from where to where.
  private var gaps: (first: Int?, last: Int?, newestFirst: Bool)?

  /// - Parameter query: what was searched for, to mark.
  init(
    _ invocation: Invocation, bodies: Bool = false, excerpts: Bool = false,
    query: SearchQuery? = nil, through connection: KeeperConnection
  ) throws {
    self.invocation = invocation
    self.bodies = bodies
    self.excerpts = excerpts
    self.query = query
    guard !invocation.isJSON else { return }
    let kinds = try NameCommands.names(connection).kinds
    emoji = Dictionary(kinds.map { ($0.name, $0.emoji) }) { $1 }
  }

  /// Shows days without entries, too.
  func showEmptyDays(from: Int?, to: Int?, newestFirst: Bool) {
    gaps = newestFirst ? (to, from, true) : (from, to, false)
  }

  func begin() throws { if invocation.isJSON { try invocation.output.write("[") } }

  func add(_ entry: Entry) throws {
    if invocation.isJSON {
      var json = JSONWriter()
      json.entry(entry, body: bodies, excerpt: excerpts)
      try invocation.output.write(count == 0 ? "" : ",\n")
      try invocation.output.write(json.bytes)
    } else {
      try show(entry)
    }
    count += 1
  }

  func end() throws {
    if invocation.isJSON {
      try invocation.output.write("]\n")
      return try invocation.output.flush()
    }
    try showGap(before: nil)
    if count == 0 {
      invocation.note(WritingMessage.nothingFound)
    }
    try invocation.output.flush()
  }

  private func show(_ entry: Entry) throws {
    let style = Style(invocation.usesColor)
    if grouped, day != entry.date.day {
      try showGap(before: entry.date.day)
      try heading(entry.date.day, style)
    }
    let when =
      grouped
      ? entry.date.clock : CivilDate(number: entry.date.day).text + " " + entry.date.clock
    let end = entry.until.map { "–" + $0.clock } ?? ""
    var line = "\(style.dim(entry.id.short))  \(when)\(end)  "
    if entry.starred { line += "★ " }
    if let emoji = entry.kind.flatMap({ emoji[$0] }), !emoji.isEmpty {
      line += visible(emoji) + " "
    }
    line += marked(
      entry.title ?? (excerpts ? entry.excerpt : nil) ?? entry.preview ?? "", style)
    for tag in entry.tags { line += " " + style.dim("#" + visible(tag)) }
    if !entry.attachments.isEmpty { line += " " + style.dim("📎\(entry.attachments.count)") }
    try invocation.output.line(line)
    if excerpts, let title = entry.title, let excerpt = entry.excerpt, excerpt != title {
      try invocation.output.line("          " + marked(excerpt, style))
    }
    if bodies, let body = entry.body {
      try invocation.output.line(visible(body) + "\n")
    }
  }

  private var grouped: Bool { isTerminal || gaps != nil }

  private func heading(_ day: Int, _ style: Style) throws {
    try invocation.output.line(
      (hasHeading ? "\n" : "") + style.bold(dayHeading(day, invocation)))
    hasHeading = true
    self.day = day
  }

  /// Headings of the days without entries between the last heading and `next`, or up to the end.
  private func showGap(before next: Int?) throws {
    guard let gaps else { return }
    let style = Style(invocation.usesColor)
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
      try invocation.output.line("")
      return try invocation.output.line(
        invocation.text(ReadingMessage.emptyDays(abs(to - from) + 1)))
    }
    for empty in stride(from: from, through: to, by: step) where within(empty) {
      try heading(empty, style)
    }
  }

  /// The text with what was searched for in reverse colours.
  private func marked(_ text: String, _ style: Style) -> String {
    guard let query, invocation.usesColor else { return visible(text) }
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

/// Bold and dim where a terminal shows them.
struct Style {
  private let on: Bool
  init(_ on: Bool) { self.on = on }
  func bold(_ text: String) -> String { on ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  /// What is chosen; without colours it has its mark.
  func chosen(_ text: String) -> String { "\u{1b}[7m\(text)\u{1b}[0m" }
  func reverse(_ text: String) -> String { on ? "\u{1b}[7m\(text)\u{1b}[0m" : text }
  func dim(_ text: String) -> String { on ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}

/// `2026-03-02, Monday`
@MainActor
func dayHeading(_ day: Int, _ invocation: Invocation) -> String {
  let date = CivilDate(number: day)
  let weekday = invocation.text(Weekday.name(CivilDate.weekday(day)))
  return invocation.text(
    ReadingMessage.day(
      year: padded(date.year, 4), month: padded(date.month, 2), day: padded(date.day, 2),
      weekday: weekday))
}

/// One entry, whole, for reading.
@MainActor
func showWhole(_ entry: Entry, _ invocation: Invocation) throws {
  let style = Style(invocation.usesColor)
  var heading = dayHeading(entry.date.day, invocation) + " " + entry.date.clock
  if let until = entry.until { heading += "–" + until.clock }
  if entry.starred { heading += " ★" }
  try invocation.output.line(style.bold(visible(entry.title ?? heading)))
  if entry.title != nil { try invocation.output.line(heading) }
  var facts = ["\(entry.id.short)", invocation.text(ReadingMessage.revision(Int(entry.revision)))]
  if let journal = entry.journal { facts.append(visible(journal)) }
  if let kind = entry.kind {
    let emoji = Kind.builtIn.first { $0.name == kind }?.emoji
    facts.append(((emoji ?? "") + " " + visible(invocation.kindName(kind))).trimmed)
  }
  facts += entry.tags.map { "#" + visible($0) }
  try invocation.output.line(style.dim(facts.joined(separator: " · ")))
  try invocation.output.line("")
  if let body = entry.body, !body.isEmpty { try invocation.output.line(visible(body)) }
  if !entry.attachments.isEmpty { try invocation.output.line("") }
  for attachment in entry.attachments {
    try invocation.output.line(
      style.dim("📎 \(visible(attachment.name))  \(byteCount(attachment.size))  \(attachment.type)"))
  }
}
