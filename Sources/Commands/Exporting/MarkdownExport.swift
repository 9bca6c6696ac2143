internal import Dates
internal import Entries
internal import Formats
internal import JSONText
internal import Platform
internal import Requests
internal import Words

/// A folder of Markdown files: one an entry, its photos and files beside; imports back equal.
@MainActor
struct MarkdownExport {
  private let folder: NewFolder
  private let exporter: Exporter

  /// - Returns: how many entries there were.
  static func write(_ exporter: Exporter) throws -> Int {
    guard let folder = exporter.folder else { return 0 }
    return try MarkdownExport(folder: folder, exporter: exporter).run()
  }

  private func run() throws -> Int {
    var json = JSONWriter()
    json.beginObject()
    json.member("format", 1)
    try json.names(exporter)
    json.key("entries")
    json.beginArray()
    json.endArray()
    json.endObject()
    try folder.write(MarkdownFolder.namesFile, json.bytes + [0x0a])
    var lastTime: ZonedTime?
    var sameTime = 1
    var withFiles: [Entry] = []
    let count = try exporter.each { entry in
      // Names sort as the entries do, also those of one second.
      sameTime = entry.date == lastTime ? sameTime + 1 : 1
      lastTime = entry.date
      let clock = entry.date.clock.replacing(":", with: "") + padded(entry.date.secondOfDay % 60, 2)
      let turn = sameTime > 1 ? "~" + padded(sameTime, 4) : ""
      try folder.write(
        "\(CivilDate(number: entry.date.day).text)-\(clock)\(turn)-\(entry.id.short).md",
        Array((Self.matter(entry) + (entry.body ?? "") + "\n").utf8))
      if !entry.attachments.isEmpty {
        withFiles.append(entry.light)
      }
    }
    if !withFiles.isEmpty {
      let files = try folder.folder(MarkdownFolder.filesFolder)
      try files.save(withFiles, exporter.connection, exporter.invocation)
      files.finish()
    }
    return count
  }

  /// Values in JSON, which is YAML.
  private static func matter(_ entry: Entry) -> String {
    var lines = ["---"]
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      var json = JSONWriter()
      json.value(value)
      lines.append("\(key): " + String(decoding: json.bytes, as: UTF8.self))
    }
    func add(_ key: String, _ values: [String]) {
      guard !values.isEmpty else { return }
      var json = JSONWriter()
      json.value(values)
      lines.append("\(key): " + String(decoding: json.bytes, as: UTF8.self))
    }
    add("id", entry.id.description)
    for field in EntryField.all {
      switch field.place {
      case .time(let path): lines.append("\(field.name): \(entry.content[path].iso)")
      case .optionalTime(let path):
        if let time = entry.content[path] { lines.append("\(field.name): \(time.iso)") }
      case .text(let path): add(field.name, entry.content[path])
      case .texts(let path): add(field.name, entry.content[path])
      case .flag(let path): if entry.content[path] { lines.append("\(field.name): true") }
      // It stands below.
      case .body: break
      }
    }
    lines.append("created: \(utc(entry.created))")
    lines.append("modified: \(utc(entry.modified))")
    add("attachments", entry.attachments.map(\.name))
    return lines.joined(separator: "\n") + "\n---\n\n"
  }
}
