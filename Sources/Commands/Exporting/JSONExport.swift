internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Requests
internal import Words

/// Everything but the trash, and history only where it is asked for; imports back equal but for the history.
@MainActor
enum JSONExport {
  /// - Returns: how many entries there were.
  static func write(_ exporter: Exporter) throws -> Int {
    var head = JSONWriter()
    head.beginObject()
    head.member("format", 1)
    try head.names(exporter)
    head.key("entries")
    head.beginArray()
    try exporter.put(head.bytes)
    var isFirst = true
    var withFiles: [Entry] = []
    var filesLeft = 0
    var changed: [EntryID] = []
    let count = try exporter.each { entry in
      if exporter.withHistory, entry.revision > 1 { changed.append(entry.id) }
      try put(entry, isFirst: &isFirst, exporter)
      if exporter.attachments == nil {
        filesLeft += entry.attachments.count
      } else if !entry.attachments.isEmpty {
        withFiles.append(entry.light)
      }
    }
    try exporter.put("]")
    if exporter.withHistory { try writeHistory(of: changed, exporter) }
    try exporter.put("}\n")
    if filesLeft > 0 { exporter.invocation.note(ExchangeMessage.filesLeft(filesLeft)) }
    try exporter.attachments?.save(withFiles, exporter.connection, exporter.invocation)
    return count
  }

  /// The next item of a list.
  private static func put(_ entry: Entry, isFirst: inout Bool, _ exporter: Exporter) throws {
    var json = JSONWriter()
    json.entry(entry, body: true)
    try exporter.put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
    isFirst = false
  }

  /// The member `history`: what changed entries were before, the oldest first, with the texts they had.
  private static func writeHistory(of entries: [EntryID], _ exporter: Exporter) throws {
    try exporter.put(",\n\"history\":[")
    var isFirst = true
    for id in entries {
      var revisions: [Entry] = []
      _ = try exporter.connection.run(EntryHistory(.id(id))) { revisions.append($0) }
      for revision in revisions.map(\.revision).sorted().dropLast() {
        _ = try exporter.connection.run(ShowEntries([.id(id)], revision: revision)) { entry in
          try put(entry, isFirst: &isFirst, exporter)
        }
      }
    }
    try exporter.put("]")
  }
}

extension JSONWriter {
  /// The members `journals` and `kinds`; of a whole diary `templates`, too.
  @MainActor
  mutating func names(_ exporter: Exporter) throws {
    let names = try exporter.connection.run(ListNames())
    member("journals", array: names.journals) { json, journal in
      json.member("name", journal.name)
      json.member("from", journal.from.map { CivilDate(number: $0).text })
      json.member("to", journal.to.map { CivilDate(number: $0).text })
      json.member("emoji", journal.emoji)
    }
    member("kinds", array: names.kinds.filter { !Kind.builtIn.contains($0) }) { json, kind in
      json.member("name", kind.name)
      json.member("emoji", kind.emoji)
      if !kind.otherNames.isEmpty { json.member("otherNames", kind.otherNames) }
    }
    guard exporter.filter == EntryFilter() else { return }
    member("templates", array: try exporter.connection.run(ListTemplates())) { json, template in
      json.member("name", template.name)
      json.member("body", template.body)
    }
  }
}
