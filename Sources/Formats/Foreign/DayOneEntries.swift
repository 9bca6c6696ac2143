internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// Its file's name is the journal, and its photos are beside it; or the folder that Day One's archive holds.
  static let dayOne = ImportFormat(
    name: "dayone", shapes: [.file, .folder],
    recognises: { input in
      input.isFolder
        ? try !DayOneFolder.journals(in: input.folder()).isEmpty
          && input.someJSON(has: "\"creationDate\"")
        : input.isJSONObject && input.has("\"creationDate\"")
    },
    open: { input in
      if input.isFolder { return try DayOneFolder(try input.folder(), files: input.contents.files) }
      return try DayOneEntries(
        name: input.name, journal: input.stem, folder: try input.folder(), source: input.pieces())
    })
}

/// The journals of a folder, one file after another.
struct DayOneFolder: EntrySource {
  private let folder: InputFolder
  private var names: [String]
  private var open: DayOneEntries?
  private var before = LostParts()

  init(_ folder: InputFolder, files: [String]) throws {
    self.folder = folder
    // Photos and the like are named by their entries.
    for path in files
    where !path.hasPrefix("photos/") && !path.hasPrefix("videos/")
      && !path.hasPrefix("audios/") && !path.hasPrefix("pdfs/")
      && (path.contains("/") || !path.lowercased().hasSuffix(".json"))
    {
      before.add(.unread, path)
    }
    names = try Self.journals(in: folder).reversed()
    guard !names.isEmpty else { throw Failure(.invalid, ExchangeMessage.noDayOne(folder.path)) }
  }

  static func journals(in folder: InputFolder) throws -> [String] {
    try folder.names().filter {
      $0.lowercased().hasSuffix(".json") && $0 != MarkdownFolder.namesFile
    }
  }

  var lost: LostParts {
    var all = before
    if let open { all.add(open.lost) }
    return all
  }

  mutating func next() throws -> ImportItem? {
    while true {
      if let item = try open?.next() { return item }
      before = lost
      open = nil
      guard let name = names.popLast() else { return nil }
      let file = try InputFile(name, in: folder)
      open = try DayOneEntries(
        name: file.descriptor.name, journal: String(name.dropLast(5)), folder: folder
      ) { try file.piece() }
    }
  }
}

/// Entries of Day One's JSON export, its photos beside it.
struct DayOneEntries: EntrySource {
  private var objects: JSONEntryObjects
  private let journal: String?
  private let folder: InputFolder
  private var pending: PendingEntry?
  private(set) var lost = LostParts()

  init(
    name: String, journal: String?, folder: InputFolder, source: @escaping () throws -> [UInt8]
  ) throws {
    objects = try JSONEntryObjects(name: name, source: source)
    self.journal = journal
    self.folder = folder
  }

  mutating func next() throws -> ImportItem? {
    while true {
      if let item = try pending?.next() { return item }
      pending = nil
      guard let object = try objects.next() else { return nil }
      do { pending = try entry(object) } catch { throw objects.bad(error) }
    }
  }

  /// Members that an entry has a place for, and those of Day One's own bookkeeping.
  private static let known: Set<String> = [
    "creationDate", "timeZone", "modifiedDate", "text", "photos", "videos", "audios",
    "pdfAttachments", "tags", "starred", "uuid", "richText", "editingTime", "duration", "isPinned",
    "isAllDay", "creationDevice", "creationDeviceModel", "creationDeviceType", "creationOSName",
    "creationOSVersion", "sourceString", "location", "weather",
  ]

  private static func location(_ value: JSONValue?) -> String? {
    guard let value else { return nil }
    return ForeignSource.location(
      ["placeName", "localityName", "administrativeArea", "country"].map { value[$0]?.text },
      latitude: value["latitude"]?.number, longitude: value["longitude"]?.number)
  }

  private static func weather(_ value: JSONValue?) -> String? {
    guard let value else { return nil }
    let words = ["conditionsDescription", "weatherCode", "code"].lazy
    return ForeignSource.weather(
      words.compactMap { value[$0]?.text }.first, celsius: value["temperatureCelsius"]?.number)
  }

  private mutating func entry(_ object: JSONValue) throws -> PendingEntry {
    guard let created = object["creationDate"]?.text, let instant = Self.seconds(created) else {
      throw objects.invalid("creationDate", ImportExpectation.aDateInUTC)
    }
    let zone = object["timeZone"]?.text.flatMap { NamedZone($0) }
    // Without a known zone the local time cannot be told: UTC is used, and the owner is told.
    if zone == nil, object["timeZone"]?.text != nil { lost.add(.field, "timeZone") }
    let offset = zone?.offset(at: instant) ?? 0
    let modified = object["modifiedDate"]?.text.flatMap(Self.seconds)
    var text = Self.unescaped(object["text"]?.text ?? "")
    if text.isEmpty, let rich = object["richText"]?.text { text = Self.plain(rich) ?? "" }
    var files: [PendingEntry.File] = []
    var names: [String: String] = [:]
    for (list, place) in [
      ("photos", "photos"), ("videos", "videos"), ("audios", "audios"), ("pdfAttachments", "pdfs"),
    ] {
      for item in object[list]?.list ?? [] {
        guard let digest = item["md5"]?.text else { continue }
        let usual = ["photos": "jpeg", "videos": "mov", "audios": "m4a", "pdfAttachments": "pdf"]
        let format = item["type"]?.text ?? item["format"]?.text ?? usual[list] ?? "jpeg"
        // What Day One records is AAC in a file of this ending.
        let type = format == "aac" ? "m4a" : format
        let name = AttachmentName.inFolder("\(digest).\(type)")
        let path = "\(place)/\(name)"
        if folder.hasFile(path) {
          files.append(.path(path, name: name))
        } else {
          lost.add(.attachment, path)
        }
        if let identifier = item["identifier"]?.text { names[identifier] = name }
      }
    }
    text = Self.naming(names, in: text)
    for key in object.keys where !Self.known.contains(key) { lost.add(.field, key) }
    var draft = EntryDraft(
      date: try ZonedTime(seconds: instant, offset: Int32(offset)), zone: zone?.name,
      journal: journal, body: "", tags: (object["tags"]?.list ?? []).compactMap(\.text),
      starred: object["starred"]?.flag ?? false)
    draft.content.location = Self.location(object["location"])
    draft.content.weather = Self.weather(object["weather"])
    var lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    if let first = lines.first, first.hasPrefix("# "), !first.dropFirst(2).trimmed.isEmpty {
      draft.title = first.dropFirst(2).trimmed
      lines.removeFirst()
    }
    draft.body = lines.joined(separator: "\n").trimmedLines
    draft.shortenTitle()
    if draft.title == nil, draft.body.allSatisfy(\.isWhitespace), files.isEmpty {
      // Day One keeps empty entries, and entries whose photo was not exported.
      draft.body = "—"
    }
    try objects.validate(draft, hasAttachments: !files.isEmpty)
    return PendingEntry(
      ImportedEntry(
        id: object["uuid"]?.text.map { EntryID(of: "dayone", $0) }, draft: draft,
        created: instant,
        modified: modified),
      files: files, in: folder)
  }

  /// The words of what Day One keeps beside a text, `{"contents": [{"text": …}, …]}`.
  private static func plain(_ rich: String) -> String? {
    JSONValue(object: rich)?["contents"]?.list?.compactMap { $0["text"]?.text }.joined()
  }

  /// The text with the names of its files where it shows them: `dayone-moment://ID`, `dayone-moment:/photo/ID`, …
  private static func naming(_ names: [String: String], in text: String) -> String {
    let mark = "dayone-moment:/"
    guard !names.isEmpty, text.contains(mark) else { return text }
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: mark) {
      result += rest[..<found.lowerBound]
      let place = rest[found.upperBound...].prefix {
        $0.isLetter || $0.isNumber || "/-_".contains($0)
      }
      let identifier = place.split(separator: "/").last.map(String.init) ?? ""
      if let name = names[identifier] {
        result += name
      } else {
        result += rest[found.lowerBound..<place.endIndex]
      }
      rest = rest[place.endIndex...]
    }
    return result + rest
  }

  private static func seconds(_ text: String) -> Int64? {
    guard case .instant(let time)? = try? DateParser().parse(text) else { return nil }
    return time.seconds
  }

  /// Day One puts a backslash before punctuation that Markdown could take for its own.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = ""
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "\\", let next = rest.first, next.isASCII, next.isPunctuation || next.isSymbol
      {
        result.append(next)
        rest = rest.dropFirst()
      } else {
        result.append(character)
      }
    }
    return result
  }
}
