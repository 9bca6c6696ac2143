internal import CommandLine
internal import DiaryVault
internal import FaceDiary

extension ExportFormat {
  static let html = ExportFormat(name: "html", isFolder: false) { try HTMLExport($0).run() }
}

/// One page that needs nothing else: no script, nothing from anywhere, everything escaped.
@MainActor
struct HTMLExport {
  private let exporter: Exporter

  init(_ exporter: Exporter) { self.exporter = exporter }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c1b1a; --paper: #fdfcf9; --faint: #6b665e; --line: #ddd8cc; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e8e4da; --paper: #181715; --faint: #9a9488; --line: #3a3733; }
    }
    body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; color: var(--ink); background: var(--paper);
      font: 1.05rem/1.65 Georgia, "Hiragino Mincho ProN", "Noto Serif CJK JP", "Noto Serif", serif; }
    h1 { font-weight: normal; }
    h2 { margin: 3rem 0 1rem; border-bottom: 1px solid var(--line); font-size: 1rem; color: var(--faint); }
    article { margin: 0 0 2rem; break-inside: avoid-page; }
    h3 { margin: 0; font-size: 1.2rem; }
    .facts { margin: 0; color: var(--faint); font-size: .85rem; }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
    img { display: block; max-width: 100%; max-height: 90vh; margin: .75rem 0; }
    @media print {
      :root { --ink: #000; --paper: #fff; --faint: #444; --line: #999; }
      body { max-width: none; padding: 0; font-size: 11pt; }
      h2 { break-after: avoid; }
    }
    """

  /// What every browser shows, and none runs.
  private static let images: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif",
  ]

  func run() throws -> Int {
    let kinds = try exporter.connection.run(ListNames()).kinds
    let emoji = Dictionary(kinds.map { ($0.name, $0.emoji) }) { $1 }
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
    // Photos come between entries, and a connection answers one question at a time.
    var batch: [Entry] = []
    var last: Entry?
    var count = 0
    repeat {
      batch = []
      _ = try exporter.connection.run(
        ListEntries(
          exporter.filter, order: .oldestFirst, limit: 100, after: last.map { .id($0.id) })
      ) { batch.append($0) }
      for header in batch {
        let entry = try exporter.connection.entry(.id(header.id))
        if entry.date.day != day {
          day = entry.date.day
          try write("<h2>\(escaped(exporter.invocation.page.dayHeading(entry.date.day)))</h2>\n")
        }
        try write(entry, emoji)
      }
      last = batch.last
      count += batch.count
    } while !batch.isEmpty
    try write("</body>\n</html>\n")
    return count
  }

  private func write(_ entry: Entry, _ emoji: [String: String]) throws {
    var facts = [entry.date.clock + (entry.until.map { "–" + $0.clock } ?? "")]
    if let journal = entry.journal { facts.append(journal) }
    if let kind = entry.kind { facts.append(((emoji[kind] ?? "") + " " + kind).trimmed) }
    facts += entry.tags.map { "#" + $0 }
    var html = "<article>\n"
    if let title = entry.title {
      html += "<h3>\(escaped((entry.starred ? "★ " : "") + title))</h3>\n"
    } else if entry.starred {
      facts.insert("★", at: 0)
    }
    html += "<p class=\"facts\">\(escaped(facts.joined(separator: " · ")))</p>\n"
    if let body = entry.body, !body.isEmpty {
      html += "<div class=\"text\">\(escaped(body))</div>\n"
    }
    try write(html)
    for attachment in entry.attachments {
      guard Self.images.contains(attachment.type) else {
        try write(
          "<p class=\"facts\">📎 \(escaped(attachment.name)) (\(byteCount(attachment.size)))</p>\n")
        continue
      }
      try write("<img alt=\"\(escaped(attachment.name))\" src=\"data:\(attachment.type);base64,")
      var encoder = Base64()
      try exporter.connection.read(attachment.name, of: .id(entry.id)) {
        try exporter.put(encoder.take($0))
      }
      try exporter.put(encoder.end())
      try write("\">\n")
    }
    try write("</article>\n")
  }

  private func write(_ text: String) throws { try exporter.put(Array(text.utf8)) }

  private static func isCommanding(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x206f: true
    default: false
    }
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // No character of HTML: XML 1.0 and browsers both refuse them.
      case _ where scalar.value < 0x20 && ![0x09, 0x0a, 0x0d].contains(scalar.value):
        result += "\u{fffd}"
      // What commands a terminal or turns its text, should somebody look at the page in one.
      case _ where Self.isCommanding(scalar):
        result += "&#x" + String(scalar.value, radix: 16) + ";"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// RFC 4648's base64 of what comes in pieces.
struct Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private var rest: [UInt8] = []

  mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    let all = rest + bytes
    let whole = all.count - all.count % 3
    rest = Array(all[whole...])
    var out: [UInt8] = []
    out.reserveCapacity(whole / 3 * 4)
    for index in stride(from: 0, to: whole, by: 3) {
      let group = Int(all[index]) << 16 | Int(all[index + 1]) << 8 | Int(all[index + 2])
      for shift in [18, 12, 6, 0] { out.append(Self.digits[group >> shift & 63]) }
    }
    return out
  }

  mutating func end() -> [UInt8] {
    guard !rest.isEmpty else { return [] }
    let missing = 3 - rest.count
    let out = take([UInt8](repeating: 0, count: missing))
    return Array(out.dropLast(missing)) + [UInt8](repeating: 0x3d, count: missing)
  }
}
