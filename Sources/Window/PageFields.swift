internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Words

/// What the page's form has of an entry.
struct PageFields: Decodable {
  var title: String?
  var body: String
  /// As somebody types it, or a browser's control writes it; nil for now.
  var date: String?
  var until: String?
  var journal: String?
  var kind: String?
  var location: String?
  var weather: String?
  var tags: [String]
  var starred: Bool

  /// The content that it describes.
  ///
  /// - Parameter base: what the form was filled with: a time whose text is still the same keeps its seconds and its zone.
  func content(over base: EntryContent?, _ dates: DateParser) throws -> EntryContent {
    var content = base ?? EntryContent(date: dates.now, body: "")
    content.title = Self.line(title)
    content.body = body
    let typed = Self.line(date)
    if typed == nil, base == nil {
      content.date = dates.now
    } else if let typed, typed != base.map({ Self.text(of: $0.date) }) {
      content.date = try dates.instant(typed)
    }
    if base == nil || content.date != base?.date {
      content.zone = dates.zone.name(for: content.date)
    }
    let end = Self.line(until)
    if end != content.until.map(Self.text) {
      content.until = try end.map { try dates.end($0, from: content.date) }
    }
    content.journal = Self.line(journal)
    content.kind = Self.line(kind)
    content.location = Self.line(location)
    content.weather = Self.line(weather)
    content.starred = starred
    content.tags = tags.compactMap(Self.line)
    return content
  }

  /// The same to be kept while somebody types: a time that is none yet, or an end before the beginning, keeps no text from that.
  func keptContent(over base: EntryContent?, _ dates: DateParser) throws -> EntryContent {
    do { return try content(over: base, dates) } catch {
      var copy = self
      (copy.date, copy.until) = (base.map { Self.text(of: $0.date) }, base?.until.map(Self.text))
      return try copy.content(over: base, dates)
    }
  }

  /// A time as a browser's control has it: `2026-11-25T21:04`.
  static func text(of time: ZonedTime) -> String { String(time.iso.prefix(16)) }

  private static func line(_ text: String?) -> String? {
    guard let text = text?.trimmed, !text.isEmpty else { return nil }
    return text
  }
}
