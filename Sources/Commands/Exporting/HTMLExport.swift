internal import Bytes
internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Markdown
internal import Requests
internal import Words

/// One page that needs nothing else: no script, nothing from anywhere, everything escaped; Markdown as it is meant, photos
/// where the text shows them or after it.
@MainActor
struct HTMLExport {
  private let exporter: Exporter
  private let emoji: [String: String]

  init(_ exporter: Exporter) throws {
    self.exporter = exporter
    let kinds = try exporter.connection.run(ListNames()).kinds
    emoji = Dictionary(kinds.map { ($0.name, $0.emoji) }) { $1 }
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c1b1a; --paper: #fdfcf9; --faint: #6b665e; --line: #ddd8cc; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e8e4da; --paper: #181715; --faint: #9a9488; --line: #3a3733; }
    }
    body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; color: var(--ink); background: var(--paper);
      font: 1.05rem/1.65 Georgia, "Hiragino Mincho ProN", "Noto Serif CJK JP", "Noto Serif", serif; }
    h1 { font-weight: normal; }
    .cover { padding: 4rem 0; text-align: center; }
    .cover h1 { font-size: 2.4rem; margin: 0 0 1rem; }
    .cover p { color: var(--faint); }
    nav { margin: 0 0 4rem; }
    nav ol, nav ul { list-style: none; padding: 0; }
    nav li { display: flex; gap: 1rem; justify-content: space-between; border-bottom: 1px dotted var(--line); }
    nav li span { color: var(--faint); font-variant-numeric: tabular-nums; }
    nav a { text-decoration: none; }
    h2 { margin: 3rem 0 1rem; border-bottom: 1px solid var(--line); font-size: 1.2rem; font-weight: normal; }
    h2.year { font-size: 2rem; border: 0; text-align: center; }
    .day { margin: 2.5rem 0 .5rem; color: var(--faint); font-size: .9rem; letter-spacing: .04em; }
    article { margin: 0 0 2rem; }
    h3 { margin: 0; font-size: 1.2rem; }
    h4, h5, h6 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
    h4 { font-size: 1.1rem; }
    .facts { margin: 0; color: var(--faint); font-size: .85rem; }
    .text { overflow-wrap: anywhere; margin: .5rem 0; }
    p { margin: .5rem 0; }
    a { color: inherit; }
    ul, ol { margin: .5rem 0; padding-left: 1.5rem; }
    .task { list-style: none; margin-left: -1.25rem; }
    blockquote { margin: .75rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--faint); }
    code { font: .9em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
    pre { margin: .75rem 0; padding: .75rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
    hr { margin: 1.5rem auto; width: 30%; border: 0; border-top: 1px solid var(--line); }
    table { margin: .75rem 0; border-collapse: collapse; }
    th, td { padding: .2rem .75rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
    .center { text-align: center; }
    .right { text-align: right; }
    img { display: block; max-width: 100%; max-height: 90vh; margin: .75rem 0; }
    @page { margin: 22mm 20mm; @bottom-center { content: counter(page); font: 9pt Georgia, serif; } }
    @page :first { @bottom-center { content: none; } }
    @media print {
      :root { --ink: #000; --paper: #fff; --faint: #444; --line: #999; }
      body { max-width: none; padding: 0; font-size: 11pt; }
      .cover { height: 85vh; padding: 30vh 0 0; box-sizing: border-box; break-after: page; }
      nav { break-after: page; }
      h2.year { break-before: page; padding-top: 20vh; break-after: avoid; }
      nav + h2.year { break-before: auto; }
      h2 { margin-top: 1.5rem; }
      h2, h3, h4, h5, h6, .day, article > .facts { break-after: avoid; }
      img, table, pre, li, blockquote { break-inside: avoid; }
      img { max-height: 60vh; }
      pre { white-space: pre-wrap; }
    }
    """

  /// Larger photos are only named.
  private static let largestImage = 64 << 20

  private static func isShown(_ attachment: Attachment) -> Bool {
    MediaType.pictures.contains(attachment.type) && attachment.size <= largestImage
  }

  func run() throws -> Int {
    let title = exporter.filter.journal ?? exporter.invocation.text(ExchangeMessage.diary)
    try write(
      """
      <!DOCTYPE html>
      <html lang="\(exporter.invocation.language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <meta name="referrer" content="no-referrer">
      <title>\(escaped(title))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>

      """)
    var day: Int?
    var count = 0
    func put(_ entry: Entry, photos: Bool) throws {
      if entry.date.day != day {
        try begin(day: entry.date.day, after: day)
        day = entry.date.day
      }
      try write(entry, photos: photos)
      count += 1
    }
    // A connection answers one question at a time: what has no photos comes in long stretches, what has them one by one.
    var stretches: [(plain: Int, photos: EntryID?)] = []
    var plain = 0
    var contents = Contents()
    _ = try exporter.connection.run(ListEntries(exporter.filter, order: .oldestFirst)) { entry in
      contents.add(entry)
      plain += 1
      guard entry.attachments.contains(where: Self.isShown) else { return }
      stretches.append((plain - 1, entry.id))
      plain = 0
    }
    stretches.append((plain, nil))
    try write(contents, title: title)
    var last: EntryID?
    for stretch in stretches {
      if stretch.plain > 0 {
        _ = try exporter.connection.run(
          ListEntries(
            exporter.filter, order: .oldestFirst, limit: stretch.plain, bodies: true,
            after: last.map { .id($0) })
        ) { try put($0, photos: false) }
      }
      guard let id = stretch.photos else { break }
      try put(try exporter.connection.entry(.id(id)), photos: true)
      last = id
    }
    try write("</body>\n</html>\n")
    return count
  }

  // MARK: Title page, contents, headings

  /// The months that there are, and the journals with the days of their entries.
  private struct Contents {
    var months: [(month: CivilMonth, entries: Int)] = []
    var journals: [(name: String, days: ClosedRange<Int>)] = []
    var entries = 0

    mutating func add(_ entry: Entry) {
      let day = entry.date.day
      let month = CivilMonth(of: day)
      if months.last?.month != month { months.append((month, 0)) }
      months[months.count - 1].entries += 1
      entries += 1
      guard let name = entry.journal else { return }
      guard let place = journals.firstIndex(where: { $0.name == name }) else {
        return journals.append((name, day...day))
      }
      let days = journals[place].days
      journals[place].days = min(days.lowerBound, day)...max(days.upperBound, day)
    }
  }

  /// A year and a month of it.
  private struct CivilMonth: Equatable {
    let year: Int
    let month: Int

    init(of day: Int) {
      let date = CivilDate(number: day)
      (year, month) = (date.year, date.month)
    }

    /// Where the page goes to it.
    var anchor: String { "m\(padded(year, 4))-\(padded(month, 2))" }
  }

  private func text(_ message: some Message) -> String { exporter.invocation.text(message) }

  private func words(of day: Int) -> String {
    let date = CivilDate(number: day)
    return text(
      ReadingMessage.longDay(
        year: date.year, month: date.month, day: date.day,
        weekday: text(Weekday.name(CivilDate.weekday(day)))))
  }

  private func name(of month: CivilMonth) -> String {
    text(ReadingMessage.month(year: month.year, month: month.month))
  }

  private func write(_ contents: Contents, title: String) throws {
    var html = "<header class=\"cover\">\n<h1>\(escaped(title))</h1>\n"
    if let first = contents.months.first?.month, let last = contents.months.last?.month {
      html +=
        "<p>\(escaped(first == last ? name(of: first) : "\(name(of: first)) – \(name(of: last))"))</p>\n"
    }
    html += "<p>\(escaped(text(ReadingMessage.entryCount(contents.entries))))</p>\n</header>\n"
    // A page or two need no table.
    if contents.months.count > 1 {
      html += "<nav aria-label=\"\(escaped(text(ExchangeMessage.contents)))\">\n<ol>\n"
      for (month, entries) in contents.months {
        html +=
          "<li><a href=\"#\(month.anchor)\">\(escaped(name(of: month)))</a><span>\(entries)</span></li>\n"
      }
      html += "</ol>\n"
      if exporter.filter.journal == nil, !contents.journals.isEmpty {
        html += "<ul>\n"
        for (name, days) in contents.journals {
          let dates = [days.lowerBound, days.upperBound].map { CivilDate(number: $0).text }
          html +=
            "<li><a href=\"#\(CivilMonth(of: days.lowerBound).anchor)\">\(escaped(name))</a><span>\(dates[0] == dates[1] ? dates[0] : dates[0] + " – " + dates[1])</span></li>\n"
        }
        html += "</ul>\n"
      }
      html += "</nav>\n"
    }
    try write(html)
  }

  /// The headings of a new day: of its year and month, too, where they begin with it.
  private func begin(day: Int, after last: Int?) throws {
    let month = CivilMonth(of: day)
    let before = last.map { CivilMonth(of: $0) }
    var html = ""
    if month.year != before?.year {
      html += "<h2 class=\"year\">\(padded(month.year, 4))</h2>\n"
    }
    if month != before {
      html += "<h2 id=\"\(month.anchor)\">\(escaped(name(of: month)))</h2>\n"
    }
    html += "<p class=\"day\">\(escaped(words(of: day)))</p>\n"
    try write(html)
  }

  /// The language of a text, where its letters tell it and it is not the page's.
  private func mark(of entry: Entry) -> String {
    let page = exporter.invocation.language.rawValue
    var kana = 0
    var hangul = 0
    for scalar in ((entry.title ?? "") + (entry.body ?? "")).unicodeScalars.prefix(4000) {
      switch scalar.value {
      case 0x3041...0x30ff: kana += 1
      case 0xac00...0xd7a3: hangul += 1
      default: break
      }
    }
    let language = max(kana, hangul) < 4 ? nil : kana > hangul ? "ja" : "ko"
    return language.map { $0 == page ? "" : " lang=\"\($0)\"" } ?? ""
  }

  // MARK: Entries

  private func write(_ entry: Entry, photos: Bool) throws {
    let entry = exporter.whole(entry)
    var facts = [entry.hours] + exporter.invocation.page.facts(entry, emoji)
    var html = "<article\(mark(of: entry))>\n"
    if let title = entry.title {
      html += "<h3>\(escaped((entry.starred ? "★ " : "") + title))</h3>\n"
    } else if entry.starred {
      facts.insert("★", at: 0)
    }
    html += "<p class=\"facts\">\(escaped(facts.joined(separator: " · ")))</p>\n"
    try write(html)
    var left = entry.attachments
    if let body = entry.body, !body.isEmpty {
      try write("<div class=\"text\">\n")
      var text = MarkdownHTML(write: exporter.put) { _, target in
        // A file of the entry stands where the text shows it.
        guard photos, let name = PictureTargets.fileName(of: target),
          let place = left.firstIndex(where: { $0.name == name && Self.isShown($0) })
        else { return false }
        try write(left.remove(at: place), of: entry)
        return true
      }
      try text.add(MarkdownDocument(body))
      try text.end()
      try write("</div>\n")
    }
    for attachment in left {
      if photos, Self.isShown(attachment) {
        try write(attachment, of: entry)
      } else {
        try name(attachment)
      }
    }
    try write("</article>\n")
  }

  private func name(_ attachment: Attachment) throws {
    try write(
      "<p class=\"facts\">📎 \(escaped(attachment.name)) (\(byteCount(attachment.size)))</p>\n")
  }

  private func write(_ photo: Attachment, of entry: Entry) throws {
    var bytes: [UInt8] = []
    do {
      try exporter.connection.read(photo.name, of: .id(entry.id)) { bytes += $0 }
    } catch let error as VaultError where error.reason == .hasNotArrived {
      exporter.invocation.page.warn(SyncMessage.filesNotExported(1))
      return try name(photo)
    }
    // The location of the photo is not exported unless it is asked for.
    if !exporter.keepsMetadata, photo.type != "image/gif" {
      guard let bare = PhotoMetadata.without(bytes, type: photo.type) else {
        return try name(photo)
      }
      bytes = bare
    }
    try write("<img alt=\"\(escaped(photo.name))\" src=\"data:\(photo.type);base64,")
    try exporter.put(Base64.encode(bytes))
    try write("\">\n")
  }

  private func write(_ text: String) throws { try exporter.put(Array(text.utf8)) }

  private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
