internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// Diaro's backup: tables in `DiaroBackup.xml`, photos in `media/photo`.
  ///
  /// Form: as https://github.com/marph91/jimmy (`formats/diaro.py`) and others read it; its makers state none.
  static let diaro = ImportFormat(
    name: "diaro", shapes: [.file, .folder],
    recognises: { input in
      try input.isFolder
        ? input.folder().hasFile(DiaroEntries.file)
        : input.text.first == UInt8(ascii: "<") && input.has("\"diaro_")
    },
    open: { input in
      let folder = try input.folder()
      return ForeignSource(try DiaroEntries(input, folder), in: folder, files: input.contents.files)
    })
}

/// Entries of Diaro, whose tables are read whole.
struct DiaroEntries: ForeignEntries {
  static let file = "DiaroBackup.xml"
  private static let limit = 512 << 20
  private typealias Row = [String: String]

  private let name: String
  private let zone: LocalZone
  /// By table, by `uid`.
  private var tables: [String: [String: Row]] = [:]
  private var files: [String: [ForeignEntry.File]] = [:]
  private var rows: [Row] = []
  private(set) var lost = LostParts()

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) throws {
    name = input.isFolder ? Self.file : input.name
    zone = input.zone
    guard input.isFolder else {
      try read(try input.whole(limit: Self.limit))
      return
    }
    let bytes = try InputFile(Self.file, in: folder).contents(limit: Self.limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.notText(name)
    }
    try read(text)
  }

  private mutating func read(_ text: String) throws {
    var reader = MarkupReader(text)
    var table: String?
    var row: Row?
    var column: String?
    while let token = reader.next() {
      switch token {
      case .open("table", let attributes): table = attributes["name"] ?? attributes["title"] ?? ""
      case .open("r", _): row = [:]
      case .open(let name, _) where row != nil:
        column = name
        row?[name] = ""
      case .text(let part):
        if let column { row?[column]? += part }
      case .close("r"):
        if let table, let row { take(row, of: table) }
        row = nil
        column = nil
      case .close("table"): table = nil
      case .close: column = nil
      case .open: break
      }
    }
    // A table without an end was cut off together with all that followed.
    guard table == nil, row == nil, !rows.isEmpty else {
      throw Failure(
        .invalid,
        ExchangeMessage.fileField(
          file: name, field: "diaro_entries", expected: ImportExpectation.entries))
    }
    rows.reverse()
  }

  private mutating func take(_ row: Row, of table: String) {
    switch table {
    case "diaro_entries": rows.append(row)
    case "diaro_attachments":
      guard let entry = row["entry_uid"], let file = row["filename"], !file.isEmpty else { return }
      let kind = AttachmentName.inFolder(row["type"] ?? "photo")
      files[entry, default: []].append(.path("media/\(kind)/\(AttachmentName.inFolder(file))"))
    case "diaro_templates": lost.add(.field, "template")
    default: tables[table, default: [:]][row["uid"] ?? ""] = row
    }
  }

  private static let known: Set<String> = [
    "uid", "date", "tz_offset", "title", "text", "folder_uid", "location_uid", "tags", "tag_count",
    "primary_photo_uid", "photo_count", "weather_temperature", "weather_icon",
    "weather_description", "mood_uid", "archived", "synced", "sync_id", "lines_count",
  ]

  func isOwn(_ path: String) -> Bool { path == Self.file }

  mutating func next() throws -> ForeignEntry? {
    while let row = rows.popLast() {
      let place = "\(name): \(row["uid"] ?? "")"
      if row["archived"] == "1" {
        lost.add(.trashed, place)
        continue
      }
      do { return try entry(row, place) } catch { throw BadEntry(failure: error, place: place) }
    }
    // Photos of entries that are not there.
    for case .path(let path) in files.values.joined() { lost.add(.attachment, path) }
    files = [:]
    return nil
  }

  private mutating func entry(_ row: Row, _ place: String) throws -> ForeignEntry {
    guard let milliseconds = row["date"].flatMap(Double.init),
      let (date, zone) = try? zone.time(
        milliseconds: milliseconds, offset: row["tz_offset"].flatMap(Self.offset))
    else { throw ForeignEntry.wrongDate(place, "date") }
    var entry = ForeignEntry(place, at: date)
    entry.draft.zone = zone
    entry.id = row["uid"].flatMap { $0.isEmpty ? nil : EntryID(of: "diaro", $0) }
    entry.draft.title = row["title"]
    entry.draft.body = row["text"] ?? ""
    entry.draft.journal = named("diaro_folders", row["folder_uid"])
    entry.draft.tags = (row["tags"] ?? "").split(separator: ",").compactMap {
      named("diaro_tags", String($0).trimmed)
    }
    // A mood may have a name of the user's own.
    if let mood = named("diaro_moods", row["mood_uid"]) { entry.draft.content.tags.append(mood) }
    if let location = tables["diaro_locations"]?[row["location_uid"] ?? ""] {
      entry.draft.content.location = ForeignSource.location(
        [location["title"], location["address"]], latitude: location["lat"].flatMap(Double.init),
        longitude: location["lng"].flatMap(Double.init))
    }
    entry.draft.content.weather = ForeignSource.weather(
      row["weather_description"], celsius: row["weather_temperature"].flatMap(Double.init))
    entry.files = files.removeValue(forKey: row["uid"] ?? "") ?? []
    for (key, table) in [
      ("folder_uid", "diaro_folders"), ("location_uid", "diaro_locations"),
      ("mood_uid", "diaro_moods"),
    ] {
      if let uid = row[key], !uid.isEmpty, uid != "0", tables[table]?[uid] == nil {
        lost.add(.field, key)
      }
    }
    for (key, value) in row where !Self.known.contains(key) && !value.isEmpty && value != "0" {
      lost.add(.field, key)
    }
    return entry
  }

  private func named(_ table: String, _ uid: String?) -> String? {
    guard let title = tables[table]?[uid ?? ""]?["title"]?.oneLine.trimmed, !title.isEmpty else {
      return nil
    }
    return title
  }

  /// `+02:00`, in seconds.
  private static func offset(_ text: String) -> Int32? {
    let parts = text.drop { $0 == "+" || $0 == "-" }.split(separator: ":").compactMap { Int32($0) }
    guard parts.count == 2, (0...18).contains(parts[0]), (0..<60).contains(parts[1]) else {
      return nil
    }
    return (parts[0] * 3600 + parts[1] * 60) * (text.hasPrefix("-") ? -1 : 1)
  }
}
