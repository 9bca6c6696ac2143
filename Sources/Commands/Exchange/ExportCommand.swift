internal import CommandLine
internal import DiaryVault
internal import FaceDiary
internal import JSONText
internal import Platform

/// `export`: plain text leaves the vault.
@MainActor
enum ExportCommand {
  static let declaration = Command<Invocation>(
    "export", summary: CommandHelp.export,
    options: Options.filters + [Options.exportFormat, Options.exportOutput, Options.attachmentsTo],
    details: CommandHelp.exportDetails
  ) { invocation in
    let format = invocation.arguments[Options.exportFormat] ?? "json"
    let path = invocation.arguments[Options.exportOutput]
    if format == "markdown", path == nil || path == "-" {
      throw Failure(.usage, ExchangeMessage.markdownIsFolder)
    }
    let files = invocation.arguments[Options.attachmentsTo]
    if files != nil, format != "json" {
      throw Failure(.usage, ExchangeMessage.attachmentsAreForJSON)
    }
    let filter = try ReadCommands.filter(invocation)
    let connection = try await invocation.connection()
    if Terminal.isTerminal(2) { invocation.note(ExchangeMessage.exportedUnsealed) }
    if format == "markdown", let path {
      let count = try MarkdownExport(path, connection, invocation).run(filter)
      invocation.note(ExchangeMessage.wroteEntries(count: count, path: path))
      return 0
    }
    let file = try path.flatMap { $0 == "-" ? nil : try AtomicFile($0) }
    @MainActor func put(_ bytes: [UInt8]) throws {
      if let file { try file.write(bytes) } else { try invocation.output.write(bytes) }
    }
    switch format {
    case "jrnl": try jrnl(filter, connection, put)
    case "html": try HTMLExport(connection, invocation, put).run(filter)
    default:
      let folder = try files.map { try NewFolder($0) }
      try json(filter, connection, invocation, folder, put)
    }
    try file?.commit()
    return 0
  }

  private static func json(
    _ filter: EntryFilter, _ connection: KeeperConnection, _ invocation: Invocation,
    _ folder: NewFolder?, _ put: @MainActor ([UInt8]) throws -> Void
  ) throws {
    var json = JSONWriter()
    json.beginObject()
    json.member("format", 1)
    try writeNames(connection, to: &json)
    json.key("entries")
    json.beginArray()
    try put(json.bytes)
    var isFirst = true
    var withFiles: [Entry] = []
    var filesLeft = 0
    _ = try connection.run(
      ListEntries(filter, order: .oldestFirst, bodies: true)
    ) { entry in
      var json = JSONWriter()
      json.entry(entry, body: true)
      try put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
      isFirst = false
      if folder == nil { filesLeft += entry.attachments.count }
      if folder != nil, !entry.attachments.isEmpty {
        withFiles.append(entry.light)
      }
    }
    try put(Array("]}\n".utf8))
    if filesLeft > 0 {
      invocation.note(
        ExchangeMessage.filesLeft(filesLeft))
    }
    for entry in withFiles { try folder?.save(entry, connection, invocation) }
  }

  /// The members `journals` and `kinds`.
  static func writeNames(_ connection: KeeperConnection, to json: inout JSONWriter) throws {
    let names = try NameCommands.names(connection)
    json.key("journals")
    json.array(names.journals) { json, journal in
      json.member("name", journal.name)
      json.member("from", journal.from.map { CivilDate(number: $0).text })
      json.member("to", journal.to.map { CivilDate(number: $0).text })
      json.member("emoji", journal.emoji)
    }
    json.key("kinds")
    json.array(names.kinds.filter { !Kind.builtIn.contains($0) }) { json, kind in
      json.member("name", kind.name)
      json.member("emoji", kind.emoji)
    }
  }

  /// jrnl 4's `--format json`.
  private static func jrnl(
    _ filter: EntryFilter, _ connection: KeeperConnection,
    _ put: @MainActor ([UInt8]) throws -> Void
  ) throws {
    var counts: [String: Int] = [:]
    try put(Array("{\"entries\":[".utf8))
    var isFirst = true
    _ = try connection.run(
      ListEntries(filter, order: .oldestFirst, bodies: true)
    ) { entry in
      var title = entry.title
      var body = entry.body ?? ""
      if title == nil {
        let parts = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        title = parts.first.map(String.init)
        body = parts.count > 1 ? String(parts[1]) : ""
      }
      let tags = entry.tags.map { "@" + $0 }
      for tag in tags { counts[tag, default: 0] += 1 }
      var json = JSONWriter()
      json.beginObject()
      json.member("title", title)
      json.member("body", body)
      json.member("date", CivilDate(number: entry.date.day).text)
      json.member("time", entry.date.clock)
      json.member("tags", tags)
      json.member("starred", entry.starred)
      json.endObject()
      try put((isFirst ? [0x0a] : [0x2c, 0x0a]) + json.bytes)
      isFirst = false
    }
    var json = JSONWriter()
    json.beginObject()
    for tag in counts.keys.sorted() { json.member(tag, counts[tag] ?? 0) }
    json.endObject()
    try put(Array("],\n\"tags\":".utf8) + json.bytes + Array("}\n".utf8))
  }
}

/// A folder that was not there, for you alone, into which nothing is written through a link.
@MainActor
struct NewFolder {
  let path: String

  /// - Throws: ``Failure`` `conflict` when there is anything by that name.
  init(_ path: String) throws {
    self.path = path
    guard try FileSystem.makeDirectory(path) else {
      throw Failure(
        .conflict, FailureMessage.thereAlready(path), hint: ExchangeMessage.nameNewFolder)
    }
  }

  /// The attachments of an entry in a folder with its id.
  func save(_ entry: Entry, _ connection: KeeperConnection, _ invocation: Invocation) throws {
    let folder = path + "/" + entry.id.description
    try FileSystem.makeDirectory(folder)
    for attachment in entry.attachments {
      try AttachCommands.save(
        attachment, of: .id(entry.id),
        to: folder + "/" + AttachmentName.inFolder(attachment.name), replacing: false, connection,
        invocation)
    }
  }
}

/// A folder of Markdown files.
@MainActor
struct MarkdownExport {
  /// Journals and kinds, in the JSON of `export`.
  nonisolated static let namesFile = "facediary.json"
  nonisolated static let filesFolder = "attachments"

  private let folder: NewFolder
  private let connection: KeeperConnection
  private let invocation: Invocation

  init(_ path: String, _ connection: KeeperConnection, _ invocation: Invocation) throws {
    folder = try NewFolder(path)
    self.connection = connection
    self.invocation = invocation
  }

  /// - Returns: how many entries there were.
  func run(_ filter: EntryFilter) throws -> Int {
    var json = JSONWriter()
    json.beginObject()
    json.member("format", 1)
    try ExportCommand.writeNames(connection, to: &json)
    json.key("entries")
    json.beginArray()
    json.endArray()
    json.endObject()
    try write(Self.namesFile, json.bytes + [0x0a])
    var count = 0
    var lastTime: ZonedTime?
    var sameTime = 1
    var withFiles: [Entry] = []
    _ = try connection.run(
      ListEntries(filter, order: .oldestFirst, bodies: true)
    ) { entry in
      count += 1
      // Names sort as the entries do, also those of one second.
      sameTime = entry.date == lastTime ? sameTime + 1 : 1
      lastTime = entry.date
      let clock = entry.date.clock.replacing(":", with: "") + padded(entry.date.secondOfDay % 60, 2)
      let turn = sameTime > 1 ? "~" + padded(sameTime, 4) : ""
      try write(
        "\(CivilDate(number: entry.date.day).text)-\(clock)\(turn)-\(entry.id.short).md",
        Array((Self.matter(entry) + (entry.body ?? "") + "\n").utf8))
      if !entry.attachments.isEmpty {
        withFiles.append(entry.light)
      }
    }
    if !withFiles.isEmpty {
      let files = try NewFolder(folder.path + "/" + Self.filesFolder)
      for entry in withFiles { try files.save(entry, connection, invocation) }
    }
    return count
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try AtomicFile(folder.path + "/" + name, existing: .refused)
    try file.write(bytes)
    try file.commit()
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
