internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// Journey's export: a JSON file for each entry, its photos beside it.
  ///
  /// Form: as https://github.com/andi0b/journey-markdown-converter and others read it; its makers state none.
  static let journey = ImportFormat(
    name: "journey", shapes: [.file, .folder],
    recognises: { try $0.someJSON(has: "\"date_journal\"") },
    open: { try ForeignSource($0) { JourneyEntries($0, $1) } })
}

/// Entries of Journey (journey.cloud).
struct JourneyEntries: ForeignEntries {
  private var files: ForeignFiles
  private let zone: LocalZone
  var lost: LostParts { files.lost }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    files = ForeignFiles(input, folder)
    zone = input.zone
  }

  /// Those read below, and Journey's own bookkeeping.
  private static let known: Set<String> = [
    "id", "text", "type", "preview_text", "date_journal", "date_modified", "timezone", "address",
    "lat", "lon", "weather", "photos", "tags", "favourite", "favorite", "folder", "version",
    "sentiment",
  ]

  func isOwn(_ path: String) -> Bool { path.lowercased().hasSuffix(".json") }

  mutating func next() throws -> ForeignEntry? {
    guard let (object, name) = try files.next(having: ["date_journal"]) else { return nil }
    do { return try entry(object, name) } catch { throw BadEntry(failure: error, place: name) }
  }

  private mutating func entry(_ object: JSONValue, _ name: String) throws -> ForeignEntry {
    guard let instant = object["date_journal"]?.number,
      let (date, zone) = try? zone.time(milliseconds: instant, zone: object["timezone"]?.text)
    else { throw ForeignEntry.wrongDate(name, "date_journal") }
    var entry = ForeignEntry(name, at: date)
    entry.draft.zone = zone
    entry.id = object["id"]?.text.flatMap { $0.isEmpty ? nil : EntryID(of: "journey", $0) }
    entry.modified = object["date_modified"]?.number.flatMap {
      abs($0) < 1e15 ? Int64($0 / 1000) : nil
    }
    let text = object["text"]?.text ?? ""
    if object["type"]?.text == "html" || text.hasPrefix("<p") {
      entry.takeHTML(text)
    } else {
      entry.draft.body = text
    }
    entry.draft.tags = (object["tags"]?.list ?? []).compactMap(\.text)
    entry.draft.starred = object["favourite"]?.flag ?? object["favorite"]?.flag ?? false
    // Journey writes the largest number when it does not know the place.
    entry.draft.content.location = ForeignSource.location(
      [object["address"]?.text], latitude: object["lat"]?.number,
      longitude: object["lon"]?.number)
    entry.draft.content.weather = object["weather"].flatMap {
      ForeignSource.weather($0["description"]?.text, celsius: $0["degree_c"]?.number)
    }
    let place = name.contains("/") ? FileSystem.parent(of: name) + "/" : ""
    for photo in (object["photos"]?.list ?? []).compactMap(\.text) {
      entry.files.append(.path(place + photo))
    }
    for key in object.keys where !Self.known.contains(key) {
      // Zero is no mood.
      if object[key]?.number == 0 { continue }
      files.lost.add(.field, key)
    }
    return entry
  }
}
