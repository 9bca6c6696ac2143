internal import DiaryVault
internal import JSONText

/// Entries as JSON and as text.
extension JSONWriter {
  /// - Parameter bodies: whether the body belongs to this answer.
  mutating func entry(_ entry: Entry, body: Bool, excerpt: Bool = false) {
    beginObject()
    member("id", entry.id.description)
    member("revision", Int(entry.revision))
    member("date", entry.date.iso)
    member("until", entry.until?.iso)
    member("zone", entry.zone)
    member("journal", entry.journal)
    member("kind", entry.kind)
    member("title", entry.title)
    if body { member("body", entry.body) }
    member("tags", entry.tags)
    member("starred", entry.starred)
    key("attachments")
    beginArray()
    endArray()
    member("created", utc(entry.created))
    member("modified", utc(entry.modified))
    if excerpt { member("excerpt", entry.excerpt) }
    endObject()
  }
}

/// Writes an array of entries as they come, JSON or lines for people.
@MainActor
final class EntryList {
  private let invocation: Invocation
  private let bodies: Bool
  private let excerpts: Bool
  private let isTerminal = Terminal.isTerminal(1)
  private var count = 0
  private var day: Int?

  init(_ invocation: Invocation, bodies: Bool = false, excerpts: Bool = false) {
    self.invocation = invocation
    self.bodies = bodies
    self.excerpts = excerpts
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
    } else if count == 0 {
      invocation.note("nothing found")
    }
    try invocation.output.flush()
  }

  private func show(_ entry: Entry) throws {
    let style = Style(invocation.usesColor)
    if isTerminal, day != entry.date.day {
      try invocation.output.line(
        (count == 0 ? "" : "\n")
          + style.bold(dayHeading(entry.date.day, invocation)))
      day = entry.date.day
    }
    let when =
      isTerminal
      ? entry.date.clock : CivilDate(number: entry.date.day).text + " " + entry.date.clock
    var line = "\(style.dim(entry.id.short))  \(when)  "
    if entry.starred { line += "★ " }
    if let kind = entry.kind.flatMap({ name in Kind.builtIn.first { $0.name == name } }) {
      line += kind.emoji + " "
    }
    line += visible(entry.title ?? entry.preview ?? "")
    for tag in entry.tags { line += " " + style.dim("#" + visible(tag)) }
    try invocation.output.line(line)
    if excerpts, let excerpt = entry.excerpt, excerpt != entry.title {
      try invocation.output.line("          " + visible(excerpt))
    }
    if bodies, let body = entry.body {
      try invocation.output.line(visible(body) + "\n")
    }
  }
}

/// Bold and dim where a terminal shows them.
struct Style {
  private let on: Bool
  init(_ on: Bool) { self.on = on }
  func bold(_ text: String) -> String { on ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
  func dim(_ text: String) -> String { on ? "\u{1b}[2m\(text)\u{1b}[0m" : text }
}

/// `2026-03-02, Monday`
@MainActor
func dayHeading(_ day: Int, _ invocation: Invocation) -> String {
  let names: [Text] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  return CivilDate(number: day).text + ", "
    + invocation.text(names[CivilDate.weekday(day)])
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
  var facts = ["\(entry.id.short)", invocation.text("revision \(entry.revision)")]
  if let journal = entry.journal { facts.append(visible(journal)) }
  if let kind = entry.kind { facts.append(visible(kind)) }
  facts += entry.tags.map { "#" + visible($0) }
  try invocation.output.line(style.dim(facts.joined(separator: " · ")))
  try invocation.output.line("")
  if let body = entry.body, !body.isEmpty { try invocation.output.line(visible(body)) }
}
