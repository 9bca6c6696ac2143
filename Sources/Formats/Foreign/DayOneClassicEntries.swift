internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// The package of Day One Classic, `Journal.dayone`: a property list for each entry in `entries`, its photo in `photos`.
  ///
  /// Form: Apple's property lists in XML, with the keys that Day One 1 wrote, as https://github.com/nathangrigg/dayone_export reads them.
  static let dayOneClassic = ImportFormat(
    name: "dayone-classic", shapes: [.folder],
    recognises: { !DayOneClassicEntries.files(among: $0.contents.files).isEmpty },
    open: { try ForeignSource($0) { DayOneClassicEntries($0, $1) } })
}

/// Entries of Day One Classic, a property list each.
struct DayOneClassicEntries: ForeignEntries {
  private let folder: InputFolder
  private let zone: LocalZone
  private var texts: ForeignTexts
  private(set) var lost = LostParts()

  private static let known: Set<String> = [
    "Activity", "Creation Date", "Creator", "Entry Text", "Location", "Starred", "Tags",
    "Time Zone", "UUID", "Weather", "Version",
  ]

  static func files(among paths: [String]) -> [String] {
    paths.filter { $0.lowercased().hasSuffix(".doentry") }
  }

  @MainActor
  init(_ input: ImportInput, _ folder: InputFolder) {
    self.folder = folder
    zone = input.zone
    texts = ForeignTexts(Self.files(among: input.contents.files), in: folder)
  }

  func isOwn(_ path: String) -> Bool { path.lowercased().hasSuffix(".doentry") }

  mutating func next() throws -> ForeignEntry? {
    guard let (text, name) = try texts.next() else { return nil }
    do { return try entry(PropertyList.value(text), name) } catch {
      throw BadEntry(failure: error, place: name)
    }
  }

  private mutating func entry(_ object: JSONValue?, _ name: String) throws -> ForeignEntry {
    guard let object, let created = object["Creation Date"]?.text,
      case .instant(let instant)? = try? DateParser(zone: zone).parse(created),
      let (date, zone) = try? zone.time(
        milliseconds: Double(instant.seconds) * 1000, zone: object["Time Zone"]?.text)
    else { throw ForeignEntry.wrongDate(name, "Creation Date") }
    var entry = ForeignEntry(name, at: date)
    entry.draft.zone = zone
    entry.draft.body = object["Entry Text"]?.text ?? ""
    entry.draft.starred = object["Starred"]?.flag ?? false
    entry.draft.tags = (object["Tags"]?.list ?? []).compactMap(\.text)
    let place = object["Location"]
    entry.draft.content.location = ForeignSource.location(
      ["Place Name", "Locality", "Administrative Area", "Country"].map { place?[$0]?.text },
      latitude: place?["Latitude"]?.number, longitude: place?["Longitude"]?.number)
    let weather = object["Weather"]
    let celsius = weather?["Celsius"]
    entry.draft.content.weather = ForeignSource.weather(
      weather?["Description"]?.text,
      celsius: celsius?.number ?? celsius?.text.flatMap { Double($0) })
    let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
    let id = object["UUID"]?.text ?? stem
    // The same as of Day One's later export, which kept it.
    entry.id = id.isEmpty ? nil : EntryID(of: "dayone", id)
    let parent = FileSystem.parent(of: FileSystem.parent(of: "/" + name)).dropFirst()
    let photos = (parent.isEmpty ? "" : parent + "/") + "photos/"
    for ending in ["jpg", "jpeg", "png"] where folder.hasFile("\(photos)\(id).\(ending)") {
      entry.files.append(.path("\(photos)\(id).\(ending)"))
    }
    for key in object.keys where !Self.known.contains(key) { lost.add(.field, key) }
    return entry
  }
}

/// Apple's property lists in XML.
enum PropertyList {
  /// How deep lists and dictionaries may stand in one another.
  private static let depthLimit = 32

  /// The value of a property list; dates are texts. Nil for none.
  static func value(_ text: String) -> JSONValue? {
    var reader = MarkupReader(text)
    while let token = reader.next() {
      if case .open("plist", _) = token { return value(&reader, depth: 0) }
    }
    return nil
  }

  private static func value(_ reader: inout MarkupReader, depth: Int) -> JSONValue? {
    while let token = reader.next() {
      switch token {
      case .open(let name, _): return value(name, &reader, depth: depth)
      case .close: return nil
      case .text: continue
      }
    }
    return nil
  }

  private static func value(_ name: String, _ reader: inout MarkupReader, depth: Int) -> JSONValue?
  {
    guard depth < depthLimit else { return nil }
    switch name {
    case "dict":
      var members: [String: JSONValue] = [:]
      while case .string(let key)? = value(&reader, depth: depth + 1) {
        guard let member = value(&reader, depth: depth + 1) else { break }
        members[key] = member
      }
      return .object(members)
    case "array":
      var list: [JSONValue] = []
      while let each = value(&reader, depth: depth + 1) { list.append(each) }
      return .array(list)
    case "true", "false":
      _ = content(of: name, &reader)
      return .bool(name == "true")
    case "integer", "real": return .number(content(of: name, &reader).trimmed)
    default: return .string(content(of: name, &reader))
    }
  }

  private static func content(of name: String, _ reader: inout MarkupReader) -> String {
    var text = ""
    while let token = reader.next() {
      switch token {
      case .text(let more): text += more
      case .close(name): return text
      case .open, .close: continue
      }
    }
    return text
  }
}
