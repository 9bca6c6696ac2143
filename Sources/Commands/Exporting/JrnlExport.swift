internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Words

/// jrnl 4's `--format json`.
@MainActor
enum JrnlExport {
  /// - Returns: how many entries there were.
  static func write(_ exporter: Exporter) throws -> Int {
    var tagCounts: [String: Int] = [:]
    var isFirst = true
    var files = 0
    try exporter.put("{\"entries\":[")
    let count = try exporter.each { entry in
      files += entry.attachments.count
      var title = entry.title
      var body = entry.body ?? ""
      if title == nil {
        let parts = body.split(
          maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        title = parts.first.map(String.init)
        body = parts.count > 1 ? String(parts[1]) : ""
      }
      let tags = entry.tags.map { "@" + $0 }
      for tag in tags { tagCounts[tag, default: 0] += 1 }
      var json = JSONWriter()
      json.beginObject()
      json.member("title", title)
      json.member("body", body)
      json.member("date", CivilDate(number: entry.date.day).text)
      json.member("time", entry.date.clock)
      json.member("tags", tags)
      json.member("starred", entry.starred)
      json.endObject()
      try exporter.put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
      isFirst = false
    }
    var tags = JSONWriter()
    tags.beginObject()
    for tag in tagCounts.keys.sorted() { tags.member(tag, tagCounts[tag] ?? 0) }
    tags.endObject()
    try exporter.put("],\n\"tags\":")
    try exporter.put(tags.bytes + [0x7d, 0x0a])
    if files > 0 { exporter.invocation.note(ExchangeMessage.filesNotTaken(files)) }
    return count
  }
}
