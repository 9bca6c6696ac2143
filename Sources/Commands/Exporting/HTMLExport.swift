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
    h2 { margin: 3rem 0 1rem; border-bottom: 1px solid var(--line); font-size: 1rem; color: var(--faint); }
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
    @media print {
      :root { --ink: #000; --paper: #fff; --faint: #444; --line: #999; }
      body { max-width: none; padding: 0; font-size: 11pt; }
      h1 { margin: 0 0 1rem; }
      h2 { margin-top: 1.5rem; }
      h2, h3, h4, h5, h6, article > .facts { break-after: avoid; }
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
      <h1>\(escaped(title))</h1>

      """)
    var day: Int?
    var count = 0
    func put(_ entry: Entry, photos: Bool) throws {
      if entry.date.day != day {
        day = entry.date.day
        try write("<h2>\(escaped(exporter.invocation.page.dayHeading(entry.date.day)))</h2>\n")
      }
      try write(entry, photos: photos)
      count += 1
    }
    // A connection answers one question at a time: what has no photos comes in long stretches, what has them one by one.
    var stretches: [(plain: Int, photos: EntryID?)] = []
    var plain = 0
    _ = try exporter.connection.run(ListEntries(exporter.filter, order: .oldestFirst)) { entry in
      plain += 1
      guard entry.attachments.contains(where: Self.isShown) else { return }
      stretches.append((plain - 1, entry.id))
      plain = 0
    }
    stretches.append((plain, nil))
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

  private func write(_ entry: Entry, photos: Bool) throws {
    let entry = exporter.whole(entry)
    var facts = [entry.hours] + exporter.invocation.page.facts(entry, emoji)
    var html = "<article>\n"
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
    try exporter.connection.read(photo.name, of: .id(entry.id)) { bytes += $0 }
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
