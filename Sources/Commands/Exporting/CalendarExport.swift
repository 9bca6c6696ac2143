internal import Dates
internal import Entries
internal import Words

/// Journal entries of a calendar file (RFC 5545, `VJOURNAL`).
@MainActor
enum CalendarExport {
  /// - Returns: how many entries there were.
  static func write(_ exporter: Exporter) throws -> Int {
    let lines = { (lines: [String]) throws in
      try exporter.put(lines.map { folded($0) + "\r\n" }.joined())
    }
    try lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//FaceDiary//FaceDiary//EN"])
    var files = 0
    let count = try exporter.each { entry in
      files += entry.attachments.count
      var properties = [
        "BEGIN:VJOURNAL", "UID:facediary-\(entry.id)", "DTSTAMP:\(universal(entry.modified))",
        "CREATED:\(universal(entry.created))", "LAST-MODIFIED:\(universal(entry.modified))",
        start(entry), "STATUS:FINAL",
      ]
      if let title = entry.title { properties.append("SUMMARY:" + escaped(title)) }
      if let body = entry.body, !body.isEmpty { properties.append("DESCRIPTION:" + escaped(body)) }
      if !entry.tags.isEmpty {
        properties.append("CATEGORIES:" + entry.tags.map(escaped).joined(separator: ","))
      }
      if let location = entry.location { properties.append("LOCATION:" + escaped(location)) }
      try lines(properties + ["END:VJOURNAL"])
    }
    try lines(["END:VCALENDAR"])
    if files > 0 { exporter.invocation.note(ExchangeMessage.filesNotTaken(files)) }
    return count
  }

  /// On the clock of a named zone, else in UTC.
  private static func start(_ entry: Entry) -> String {
    guard let zone = entry.zone, NamedZone(zone) != nil else {
      return "DTSTART:" + universal(entry.date.seconds)
    }
    // A name with one of these, as GMT+02:00, stands in quotes.
    let name = zone.contains { ":;,".contains($0) } ? "\"\(zone)\"" : zone
    return "DTSTART;TZID=\(name):" + digits(String(entry.date.iso.prefix(19)))
  }

  private static func universal(_ seconds: Int64) -> String {
    digits(String(utc(seconds).prefix(19))) + "Z"
  }

  /// `20260301T093000`
  private static func digits(_ time: String) -> String { time.filter { $0 != "-" && $0 != ":" } }

  /// By scalars: with a combining mark behind it, a comma is another character.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += ["\\", scalar]
      case "\n" where last == "\r": break
      case "\n", "\r": result += ["\\", "n"]
      default: result.append(scalar)
      }
      last = scalar
    }
    return String(result)
  }

  /// No line is longer than 75 bytes; a longer one goes on in the next, behind a space.
  private static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line }
    var result = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if width + size > 75 {
        result += "\r\n "
        width = 1
      }
      result.unicodeScalars.append(scalar)
      width += size
    }
    return result
  }
}
