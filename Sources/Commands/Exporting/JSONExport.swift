internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// Everything but history and trash; imports back equal.
@MainActor
enum JSONExport {
  /// - Returns: how many entries there were.
  static func write(_ exporter: Exporter) throws -> Int {
    var head = JSONWriter()
    head.beginObject()
    head.member("format", 1)
    head.names(try exporter.connection.run(ListNames()))
    head.key("entries")
    head.beginArray()
    try exporter.put(head.bytes)
    var isFirst = true
    var withFiles: [Entry] = []
    var filesLeft = 0
    let count = try exporter.each { entry in
      var json = JSONWriter()
      json.entry(entry, body: true)
      try exporter.put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
      isFirst = false
      if exporter.attachments == nil {
        filesLeft += entry.attachments.count
      } else if !entry.attachments.isEmpty {
        withFiles.append(entry.light)
      }
    }
    try exporter.put("]}\n")
    if filesLeft > 0 { exporter.invocation.note(ExchangeMessage.filesLeft(filesLeft)) }
    for entry in withFiles {
      try exporter.attachments?.save(entry, exporter.connection, exporter.invocation)
    }
    return count
  }
}

extension JSONWriter {
  /// The members `journals` and `kinds`.
  mutating func names(_ names: Names) {
    member("journals", array: names.journals) { json, journal in
      json.member("name", journal.name)
      json.member("from", journal.from.map { CivilDate(number: $0).text })
      json.member("to", journal.to.map { CivilDate(number: $0).text })
      json.member("emoji", journal.emoji)
    }
    member("kinds", array: names.kinds.filter { !Kind.builtIn.contains($0) }) { json, kind in
      json.member("name", kind.name)
      json.member("emoji", kind.emoji)
    }
  }
}
