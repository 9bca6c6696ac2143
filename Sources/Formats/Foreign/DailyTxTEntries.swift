internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// DailyTxT's decrypted backup: a file for each month, `2024/03.json`, the names of tags in `tags.json`, files in `files`.
  ///
  /// Form: https://github.com/PhiTux/DailyTxT, `backend/handlers/backup.go`.
  static let dailyTxT = ImportFormat(
    name: "dailytxt", shapes: [.folder],
    recognises: { !DailyTxTEntries.months(among: $0.contents.files).isEmpty },
    open: { try ForeignSource($0) { try DailyTxTEntries($0, $1) } })
}

/// Days of DailyTxT, in a file for each month.
struct DailyTxTEntries: ForeignEntries {
  private let dates: DateParser
  private var lists: ForeignLists
  private var tags: [Int: String] = [:]
  private(set) var lost = LostParts()

  private static let known: Set<String> = [
    "day", "text", "date_written", "files", "tags", "isBookmarked", "pins",
  ]

  /// `2024/03.json`
  static func months(among files: [String]) -> [String] {
    files.filter { path in
      let parts = path.split(separator: "/")
      return parts.count == 2 && parts[0].count == 4 && parts[1].count == 7
        && parts[1].hasSuffix(".json")
        && (parts[0] + parts[1].prefix(2)).allSatisfy { $0.isASCII && $0.isNumber }
    }.sorted()
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) throws {
    // An encrypted backup has its user's keys with it.
    guard !input.contents.files.contains("user.json") else {
      throw Failure(
        .invalid, ExchangeMessage.encrypted(input.name), hint: ExchangeMessage.exportDecrypted)
    }
    dates = DateParser(zone: input.zone)
    lists = ForeignLists(Self.months(among: input.contents.files), list: "days", in: folder)
    guard folder.hasFile("tags.json") else { return }
    let all = try JSONValue(file: "tags.json", in: folder)
    for tag in all["tags"]?.list ?? [] {
      if let id = tag["id"]?.number.flatMap({ Int(exactly: $0) }) { tags[id] = tag["name"]?.text }
    }
  }

  func isOwn(_ path: String) -> Bool {
    path == "tags.json" || !Self.months(among: [path]).isEmpty
  }

  mutating func next() throws -> ForeignEntry? {
    guard let (object, place, name) = try lists.next() else { return nil }
    do { return try entry(object, place, name) } catch {
      throw BadEntry(failure: error, place: place)
    }
  }

  private mutating func entry(
    _ object: JSONValue, _ place: String, _ name: String
  ) throws -> ForeignEntry {
    let month = name.dropLast(5).replacing("/", with: "-")
    guard let day = object["day"]?.number.flatMap({ Int(exactly: $0) }), (1...31).contains(day),
      case .day(let number)? = try? dates.parse("\(month)-\(padded(day, 2))")
    else { throw ForeignEntry.wrongDate(place, "day") }
    var entry = ForeignEntry(
      place, at: try dates.zone.instant(day: number, secondOfDay: 43_200))
    entry.draft.zone = dates.zone.name
    entry.id = EntryID(of: "dailytxt", "\(month)-\(padded(day, 2))")
    entry.draft.body = object["text"]?.text ?? ""
    entry.draft.starred = object["isBookmarked"]?.flag ?? false
    entry.modified = object["date_written"]?.text.flatMap { try? dates.instant($0).seconds }
    entry.draft.tags = (object["tags"]?.list ?? []).lazy.compactMap(\.number).distinctTags
      .compactMap { Int(exactly: $0).flatMap { tags[$0] } }
    let pin = object["pins"]?.list?.first
    entry.draft.content.location = ForeignSource.location(
      [pin?["text"]?.text], latitude: pin?["lat"]?.number, longitude: pin?["lon"]?.number)
    if (object["pins"]?.list?.count ?? 0) > 1 { lost.add(.field, "pins") }
    entry.files = (object["files"]?.list ?? []).compactMap { file in
      file["filename"]?.text.map { .path("files/" + $0) }
    }
    for key in object.keys where !Self.known.contains(key) { lost.add(.field, key) }
    return entry
  }
}
