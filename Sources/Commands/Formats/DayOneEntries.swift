internal import CommandLine
internal import DiaryVault
internal import Foundation
internal import JSONText
internal import Platform

extension ImportFormat {
  /// Its file's name is the journal, and its photos are beside it; or the folder that Day One's archive holds.
  static let dayOne = ImportFormat(name: "dayone", shapes: [.file, .folder]) { input in
    if FileSystem.isDirectory(input.path) { return try DayOneFolder(try input.folder()) }
    return try DayOneEntries(
      name: input.name, journal: input.stem, folder: try input.folder(), source: input.pieces())
  }
}

/// The journals of a folder, one file after another.
struct DayOneFolder: EntrySource {
  private let folder: InputFolder
  private var names: [String]
  private var open: DayOneEntries?
  private var before = LostParts()

  init(_ folder: InputFolder) throws {
    self.folder = folder
    names = try Self.journals(in: folder).reversed()
    guard !names.isEmpty else { throw Failure(.invalid, ExchangeMessage.noDayOne(folder.path)) }
  }

  static func journals(in folder: InputFolder) throws -> [String] {
    try folder.names().filter {
      $0.lowercased().hasSuffix(".json") && $0 != MarkdownExport.namesFile
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

  /// Members that an entry takes, and those that are of Day One's own bookkeeping.
  private static let known: Set<String> = [
    "creationDate", "timeZone", "modifiedDate", "text", "photos", "videos", "audios",
    "pdfAttachments", "tags", "starred", "uuid", "richText", "editingTime", "duration", "isPinned",
    "isAllDay", "creationDevice", "creationDeviceModel", "creationDeviceType", "creationOSName",
    "creationOSVersion", "sourceString", "location", "weather",
  ]

  /// `Arashiyama, Kyoto, Japan (35.00940, 135.66680)`.
  private static func location(_ value: JSONValue?) -> String? {
    guard let value else { return nil }
    var names: [String] = []
    for key in ["placeName", "localityName", "administrativeArea", "country"] {
      if let name = value[key]?.text?.trimmed, !name.isEmpty, !names.contains(name) {
        names.append(name)
      }
    }
    let name = names.joined(separator: ", ")
    guard let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number,
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return line(name) }
    let place = PhotoFacts.text(latitude: latitude, longitude: longitude)
    return line(name.isEmpty ? place : "\(name) (\(place))")
  }

  /// `Mostly sunny, 12 °C`.
  private static func weather(_ value: JSONValue?) -> String? {
    guard let value else { return nil }
    let words =
      ["conditionsDescription", "weatherCode", "code"].lazy
      .compactMap { value[$0]?.text?.trimmed }.first ?? ""
    let degrees = value["temperatureCelsius"]?.number.flatMap {
      abs($0) < 200 ? "\(Int($0.rounded())) °C" : nil
    }
    return line([words, degrees ?? ""].filter { !$0.isEmpty }.joined(separator: ", "))
  }

  /// One line, as long as a field may be; nil when it says nothing.
  private static func line(_ text: String) -> String? {
    var line = ""
    for character in text where !character.isNewline && character != "\0" {
      guard line.utf8.count + character.utf8.count <= EntryDraft.titleLimit else { break }
      line.append(character)
    }
    return line.trimmed.isEmpty ? nil : line.trimmed
  }

  private mutating func entry(_ object: JSONValue) throws -> PendingEntry {
    guard let created = object["creationDate"]?.text, let instant = Self.seconds(created) else {
      throw objects.invalid("creationDate", ImportExpectation.aDateInUTC)
    }
    let zone = object["timeZone"]?.text.flatMap { TimeZone(identifier: $0) }
    let offset = zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))) ?? 0
    let modified = object["modifiedDate"]?.text.flatMap(Self.seconds)
    var text = Self.unescaped(object["text"]?.text ?? "")
    var files: [(path: String, name: String)] = []
    var names: [String: String] = [:]
    for (list, place) in [
      ("photos", "photos"), ("videos", "videos"), ("audios", "audios"), ("pdfAttachments", "pdfs"),
    ] {
      for item in object[list]?.list ?? [] {
        guard let digest = item["md5"]?.text else { continue }
        let format = item["type"]?.text ?? item["format"]?.text ?? "jpeg"
        // What Day One records is AAC in a file of this ending.
        let type = format == "aac" ? "m4a" : format
        let name = AttachmentName.inFolder("\(digest).\(type)")
        let path = "\(place)/\(name)"
        if folder.hasFile(path) {
          files.append((path, name))
        } else {
          lost.add(.attachment, path)
        }
        if let identifier = item["identifier"]?.text { names[identifier] = name }
      }
    }
    text = Self.naming(names, in: text)
    for key in object.keys where !Self.known.contains(key) { lost.add(.field, key) }
    var draft = EntryDraft(
      date: try ZonedTime(seconds: instant, offset: Int32(offset)), zone: zone?.identifier,
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
        id: object["uuid"]?.text.flatMap(Self.identifier), draft: draft, created: instant,
        modified: modified),
      files: files, in: folder)
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

  /// Day One's ids are 128 bits in hexadecimal, as ours are in base32: importing twice adds nothing.
  private static func identifier(_ text: String) -> EntryID? {
    let digits = Array(text.utf8.filter { $0 != 0x2d })
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return EntryID(bytes: bytes)
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
