internal import Entries
internal import JSONText
internal import Platform

extension ImportFormat {
  /// A file, or the folder of one text a day that jrnl keeps when its journal is a folder.
  static let jrnl = ImportFormat(
    name: "jrnl", shapes: [.file, .folder],
    recognises: { input in
      if input.isFolder { return !JrnlFolder.days(among: input.contents.files).isEmpty }
      // Ours says its format; jrnl's entries have a time beside their date.
      if input.isJSONObject {
        return !input.has("\"format\"") && input.has("\"time\"") && input.has("\"entries\"")
      }
      // A date in brackets or, until jrnl 2, without; or what jrnl encrypts.
      let start = input.text.prefix(2).map { Character(Unicode.Scalar($0)) }
      let isHead = start.first == "[" ? start.last?.isNumber ?? false : start.first?.isNumber
      return isHead ?? false && input.markdownFiles.isEmpty
        || input.text.starts(with: JrnlEntries.encrypted)
    },
    open: { input in
      if input.isFolder { return JrnlFolder(input, try input.folder()) }
      return try JrnlEntries(name: input.name, zone: input.zone, source: input.pieces())
    })
}

extension ExportFormat {
  /// jrnl 4's `--format json`.
  static let jrnl = ExportFormat(name: "jrnl", isFolder: false) { exporter in
    var tagCounts: [String: Int] = [:]
    var isFirst = true
    try exporter.put("{\"entries\":[")
    let count = try exporter.each { entry in
      var title = entry.title
      var body = entry.body ?? ""
      if title == nil {
        let parts = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
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
    return count
  }
}
