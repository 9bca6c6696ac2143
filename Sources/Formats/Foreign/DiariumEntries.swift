internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// Diarium's JSON export: a list of entries, their photos and the like in `media`, a folder for each moment.
  ///
  /// Form: as https://github.com/samholstein/diarium-to-dayone and https://github.com/hansvandemeent/Diarium2HTML read it; its makers
  /// state none.
  static let diarium = ImportFormat(
    name: "diarium", shapes: [.file, .folder],
    recognises: { input in
      guard input.isFolder else { return DiariumEntries.isOne(input.text, input.beginning) }
      let folder = try input.folder()
      return try DiariumEntries.files(in: input).contains { name in
        let beginning = try InputFile(name, in: folder).beginning(64 << 10)
        return DiariumEntries.isOne(
          beginning.drop { [0xef, 0xbb, 0xbf, 0x20, 0x0a].contains($0) }, beginning)
      }
    },
    open: { try ForeignSource($0) { try DiariumEntries($0, $1) } })
}

/// Entries of Diarium, in files that are a list each.
struct DiariumEntries: ForeignEntries {
  private let dates: DateParser
  private var lists: ForeignLists
  /// The files beside the entries, by the moment that their folder is named after: `2025-06-09_190339`.
  private var media: [String: [String]] = [:]
  private(set) var lost = LostParts()

  private static let known: Set<String> = [
    "date", "heading", "html", "tags", "people", "location", "weather",
  ]

  /// Whether a text begins a list of Diarium's entries.
  static func isOne(_ text: ArraySlice<UInt8>, _ beginning: [UInt8]) -> Bool {
    text.first == UInt8(ascii: "[")
      && ["\"heading\"", "\"html\"", "\"date\""].allSatisfy {
        ByteSearch.first(Array($0.utf8), in: beginning) != nil
      }
  }

  @MainActor
  static func files(in input: ImportInput) -> [String] {
    input.jsonFiles.filter { !$0.hasPrefix("media/") }
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) throws {
    dates = DateParser(zone: input.zone)
    var paths = input.contents.files
    if input.isFolder {
      lists = ForeignLists(Self.files(in: input), list: nil, in: folder)
    } else {
      lists = ForeignLists(
        [], list: nil, in: folder,
        first: try JSONEntryObjects(name: input.name, list: nil, source: input.pieces()))
      let place = folder.path + "/media"
      if FileSystem.isDirectory(place) {
        paths = try InputFolder(place).contents().files.map { "media/" + $0 }
      }
    }
    for path in paths.sorted() where path.hasPrefix("media/") {
      let parts = path.split(separator: "/")
      guard parts.count > 2 else { continue }
      media[String(parts[1].prefix(17)), default: []].append(path)
    }
  }

  func isOwn(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".json") && !path.hasPrefix("media/")
  }

  mutating func next() throws -> ForeignEntry? {
    guard let (object, place, _) = try lists.next() else { return nil }
    do { return try entry(object, place) } catch {
      throw BadEntry(failure: error, place: place)
    }
  }

  private mutating func entry(_ object: JSONValue, _ place: String) throws -> ForeignEntry {
    // `2010-10-26T15:47:53.48828`, on the clock of the place.
    let text = object["date"]?.text ?? ""
    let moment = String(text.prefix { $0 != "." })
    guard let time = try? dates.instant(moment) else {
      throw ForeignEntry.wrongDate(place, "date")
    }
    var entry = ForeignEntry(place, at: time)
    entry.draft.zone = dates.zone.name(for: time)
    entry.draft.title = object["heading"]?.text
    entry.takeHTML(object["html"]?.text ?? "")
    entry.draft.tags = ["tags", "people"].flatMap { object[$0]?.list ?? [] }.compactMap(\.text)
    let coordinates = (object["location"]?.list ?? []).map(\.number)
    entry.draft.content.location = ForeignSource.location(
      [object["location"]?.text], latitude: coordinates.first ?? nil,
      longitude: coordinates.dropFirst().first ?? nil)
    entry.draft.content.weather = object["weather"]?.text
    // The program tells entries apart by their moments.
    entry.id = EntryID(of: "diarium", text)
    let key = moment.replacing("T", with: "_").filter { $0 != ":" }
    // The program has one entry of a moment; of several the first has its files.
    entry.files += (media.removeValue(forKey: key) ?? []).map { .path($0) }
    for key in object.keys where !Self.known.contains(key) && object[key]?.number != 0 {
      lost.add(.field, key)
    }
    return entry
  }
}
