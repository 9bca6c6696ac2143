internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Text
internal import Words

extension ImportFormat {
  /// Journals of Emacs: org-journal's and org-roam's files of a day, a file with a tree of dates, or headings with time stamps.
  ///
  /// Form: https://orgmode.org/worg/org-syntax.html and https://github.com/bastibe/org-journal.
  static let org = ImportFormat(
    name: "org", shapes: [.file, .folder],
    recognises: { input in
      input.isFolder
        ? !OrgEntries.files(among: input.contents.files).isEmpty
        : input.path.lowercased().hasSuffix(".org")
    },
    open: { try ForeignSource($0) { OrgEntries($0, $1) } })
}

/// The headings of Org files that have a day.
struct OrgEntries: ForeignEntries {
  private let dates: DateParser
  private var texts: ForeignTexts
  private var found: [ForeignEntry] = []
  private(set) var lost = LostParts()

  /// `.org` files, and those that org-journal names after a day alone, `20260301`.
  static func files(among paths: [String]) -> [String] {
    let org = paths.filter { $0.lowercased().hasSuffix(".org") }
    guard org.isEmpty else { return org }
    let days = paths.filter { path in
      let last = path.split(separator: "/").last ?? ""
      return last.count == 8 && last.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return days.count == paths.count ? days : []
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    dates = DateParser(zone: input.zone)
    texts = ForeignTexts(
      input.isFolder ? Self.files(among: input.contents.files) : [input.fileName], in: folder)
  }

  func isOwn(_ path: String) -> Bool { !Self.files(among: [path]).isEmpty }

  mutating func next() throws -> ForeignEntry? {
    while found.isEmpty {
      guard let (text, name) = try texts.next() else { return nil }
      let outline = OrgOutline(text, name, dates)
      for place in outline.undated { lost.add(.file, place) }
      for field in outline.fields.sorted() { lost.add(.field, field) }
      found = outline.entries.reversed()
    }
    return found.popLast()
  }
}

/// One Org file, as entries: its headings, each with the day of its own time stamp, or of the headings above it, or of the file.
private struct OrgOutline {
  private(set) var entries: [ForeignEntry] = []
  /// Headings without any day.
  private(set) var undated: [String] = []
  /// What an entry has no place for.
  private(set) var fields: Set<String> = []

  private let dates: DateParser
  private let name: String
  private var fileTags: [String] = []
  private var fileDay: Int?
  /// The headings above the line, each with the day and the tags that it has from those above it.
  private var above: [(level: Int, day: Int?, tags: [String])] = []
  private var open = OpenEntry(level: 0, line: 1)

  /// What an entry is made of, whose lines are being read.
  private struct OpenEntry {
    let level: Int
    let line: Int
    /// Nil where the heading only names a day, or there is none.
    var title: String?
    var day: Int?
    /// Of the day.
    var second: Int?
    var until: Int?
    var tags: [String] = []
    var text: MarkdownFromOrg
    var properties: [String: String] = [:]
    var isInProperties = false
    /// Whether nothing but properties stood under the heading so far.
    var isAtStart = true

    init(level: Int, line: Int) {
      (self.level, self.line) = (level, line)
      text = MarkdownFromOrg(below: level)
    }
  }

  init(_ text: String, _ name: String, _ dates: DateParser) {
    (self.name, self.dates) = (name, dates)
    fileDay = OrgStamp(name.split(separator: "/").last ?? "")?.day
    for (number, line) in zip(1..., TextLines(text)) { take(line, number) }
    end()
  }

  private mutating func take(_ line: String, _ number: Int) {
    let trimmed = line.trimmed
    let heading = OrgHeading(line)
    if let heading, isDay(above: heading) { open.title = nil }
    if let heading, !isPart(heading) {
      end(before: heading.level)
      while let last = above.last, last.level >= heading.level { above.removeLast() }
      begin(heading, number)
    } else if open.isInProperties {
      takeProperty(trimmed)
    } else if open.isAtStart, takeHead(trimmed) {
      // The head of a file or a heading is no text.
    } else {
      if !trimmed.isEmpty { open.isAtStart = false }
      open.text.take(line)
    }
  }

  private static let clock = Pattern(/(\d{1,2}):(\d\d)(?:\s+|$)/)
  private static let period = Pattern(/\d{4}(-\d\d( \p{L}+)?)?/)

  /// Whether a heading belongs to the text of the entry above it.
  private func isPart(_ heading: OrgHeading) -> Bool {
    open.title != nil && open.level < heading.level && (open.day ?? fileDay) != nil
  }

  /// Whether the heading that is open only names the day of its file, as org-journal has it: `* Sunday, 03/01/26`, `** 08:00 Tea`.
  private func isDay(above heading: OrgHeading) -> Bool {
    fileDay != nil && open.isAtStart && open.level == 1 && heading.level == 2
      && heading.title.prefixMatch(of: Self.clock.regex) != nil
      && open.title?.contains(where: \.isNumber) ?? false
  }

  private mutating func begin(_ heading: OrgHeading, _ line: Int) {
    var entry = OpenEntry(level: heading.level, line: line)
    let stamp = OrgStamp(heading.title)
    let rest = stamp?.rest ?? heading.title
    entry.day = stamp?.day ?? above.last?.day
    (entry.second, entry.until) = (stamp?.second, stamp?.until)
    entry.tags = ((above.last?.tags ?? []) + heading.tags).distinctTags
    above.append((heading.level, entry.day, entry.tags))
    // `14:30 Title`
    let clock = entry.second == nil ? rest.prefixMatch(of: Self.clock.regex) : nil
    if let clock, let hour = Int(clock.1), let minute = Int(clock.2), hour < 24, minute < 60 {
      entry.second = hour * 3600 + minute * 60
      entry.title = rest[clock.range.upperBound...].trimmed
    } else if stamp == nil || !rest.isEmpty || entry.second != nil {
      // A year or a month of a tree of dates is no title, either.
      entry.title = rest.wholeMatch(of: Self.period.regex) == nil ? rest : nil
    }
    open = entry
  }

  /// What stands between a heading, or the beginning of the file, and its text. False for text.
  private mutating func takeHead(_ line: String) -> Bool {
    let lower = line.lowercased()
    if lower == ":properties:" {
      open.isInProperties = true
    } else if ["scheduled:", "deadline:", "closed:"].contains(where: { lower.hasPrefix($0) }) {
      fields.formUnion(
        line.split(separator: " ").filter { $0.hasSuffix(":") }.map { String($0.dropLast()) })
    } else if line.hasPrefix("[") || line.hasPrefix("<"), let stamp = OrgStamp(line),
      stamp.rest.isEmpty
    {
      // As captures write it under a heading.
      (open.day, open.second, open.until) = (stamp.day, stamp.second, stamp.until)
    } else if above.isEmpty, lower.hasPrefix("#+title:") || lower.hasPrefix("#+date:") {
      fileDay = fileDay ?? OrgStamp(line)?.day
    } else if above.isEmpty, lower.hasPrefix("#+filetags:") {
      fileTags = line.dropFirst(11).split { $0 == ":" || $0 == " " }.map(String.init).distinctTags
    } else {
      return false
    }
    return true
  }

  private mutating func takeProperty(_ line: String) {
    guard line.lowercased() != ":end:" else {
      open.isInProperties = false
      // org-journal's day, whose heading has it in the words of some language.
      if let created = open.properties["CREATED"].flatMap({ OrgStamp($0) }) {
        open.day = open.day ?? created.day
        open.second = open.second ?? created.second
        if created.second == nil, !above.isEmpty {
          above[above.count - 1].day = created.day
          open.title = nil
        }
      }
      return
    }
    guard let colon = line.dropFirst().firstIndex(of: ":") else { return }
    open.properties[line[..<colon].dropFirst().uppercased()] =
      line[line.index(after: colon)...].trimmed
  }

  /// - Parameter level: of the next heading; nil at the end of the file.
  private mutating func end(before level: Int? = nil) {
    let body = open.text.text
    let title = open.title.map { MarkdownFromOrg.inline($0) } ?? ""
    guard !title.isEmpty || !body.isEmpty else { return }
    let place = "\(name):\(open.line)"
    guard let day = open.day ?? fileDay,
      let time = try? dates.zone.instant(day: day, secondOfDay: open.second ?? 43_200)
    else {
      // A heading above others only orders them.
      if !body.isEmpty || level ?? 0 <= open.level { undated.append(place) }
      return
    }
    var found = ForeignEntry(place, at: time)
    found.draft.zone = dates.zone.name
    if let until = open.until, until > open.second ?? until {
      found.draft.content.until = try? dates.zone.instant(day: day, secondOfDay: until)
    }
    found.draft.title = title.isEmpty ? nil : title
    found.draft.body = body
    found.draft.tags = fileTags + open.tags
    found.id = open.properties["ID"].map { EntryID(of: "org", $0) }
    let folder = name.contains("/") ? FileSystem.parent(of: name) + "/" : ""
    found.files = PictureTargets.all(in: body).map { .path(folder + $0) }
    entries.append(found)
  }
}

/// A day in a text, with a time or without: `<2026-03-01 Sun 14:30>`, `[2026-03-01]`, `2026-03-01 Sunday`, `20260301`.
private struct OrgStamp {
  let day: Int
  /// Of the day.
  var second: Int?
  /// When it ended.
  var until: Int?
  /// The text without it.
  let rest: String

  private static let bracketed = Pattern(
    /[<\[](\d{4})-(\d\d)-(\d\d)(?: [^\d>\]]{1,20})?(?: (\d{1,2}):(\d\d)(-\d{1,2}:\d\d)?[^>\]]{0,30})?[>\]]/
  )
  private static let bare = Pattern(
    /(?:^|\s)(\d{4})[-_]?(\d\d)[-_]?(\d\d)(?!\d)(?: (?i:(?:mon|tue|wed|thu|fri|sat|sun)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?![a-z])| [月火水木金土日](?:曜日)?)?(?: (\d{1,2}):(\d\d)(-\d{1,2}:\d\d)?)?/
  )
  /// Of a range of days.
  private static let end = Pattern(/--[<\[]\d{4}-\d\d-\d\d[^>\]]{0,40}[>\]]/)

  init?(_ text: some StringProtocol) {
    // Most lines are none, and have no year in them.
    guard text.utf8.lazy.filter({ (0x30...0x39).contains($0) }).prefix(4).count == 4 else {
      return nil
    }
    let text = String(text)
    let head = text.prefix(400)
    guard
      let match = head.firstMatch(of: Self.bracketed.regex)
        ?? head.firstMatch(of: Self.bare.regex)
    else { return nil }
    let (_, year, month, date, hour, minute, end) = match.output
    guard let year = Int(year), let month = Int(month), let date = Int(date),
      let found = CivilDate(year: year, month: month, day: date)
    else { return nil }
    day = found.number
    // Of a range of days, the first one counts.
    rest =
      (head[..<match.range.lowerBound] + text[match.range.upperBound...])
      .replacing(Self.end.regex, with: "").trimmed
    guard let hour = hour.flatMap({ Int($0) }), let minute = minute.flatMap({ Int($0) }),
      hour < 24, minute < 60
    else { return }
    second = hour * 3600 + minute * 60
    let clock = end.map { $0.dropFirst().split(separator: ":").compactMap { Int($0) } } ?? []
    if clock.count == 2, clock[0] < 24, clock[1] < 60 { until = clock[0] * 3600 + clock[1] * 60 }
  }
}
