internal import Dates
internal import Entries
internal import JSONText
internal import Platform
internal import Words

/// Entries in JSON, one by one: an export, an array, or JSON Lines.
struct JSONEntries: EntrySource {
  private enum Place {
    case start, top, export
    case array(JSONEntries.Item)
    case lines
  }
  enum Item { case journal, kind, template, entry }

  private let name: String
  private let dates: DateParser
  private var reader: JSONReader
  private var place = Place.start
  /// Arrays inside an export return to it; a bare array ends the text.
  private var inExport = false

  private let folder: InputFolder?
  private var pending: PendingEntry?
  private(set) var lost = LostParts()

  /// - Parameter folder: holds the attachments of each entry in a folder named by its id.
  init(
    name: String, zone: LocalZone, folder: InputFolder? = nil,
    source: @escaping () throws -> [UInt8]
  ) throws {
    self.name = name
    self.folder = folder
    dates = DateParser(zone: zone)
    reader = try JSONReader(sequence: true, source: source)
  }

  /// - Throws: ``Failure`` `invalid` naming line and field.
  mutating func next() throws -> ImportItem? {
    do {
      if let item = try pending?.next() { return item }
      pending = nil
      return try nextItem()
    } catch let bad as BadEntry {
      throw bad
    } catch {
      throw Failure(error, in: name) ?? error
    }
  }

  /// An entry whose object has begun; the rest of one that cannot be imported is skipped.
  private mutating func wholeEntry(firstKey: String?) throws -> ImportItem? {
    let (depth, line) = (reader.depth, reader.line)
    do { return try start(try entry(firstKey: firstKey)) } catch {
      // Malformed JSON cannot be skipped.
      while reader.depth >= depth { _ = try reader.next() }
      throw BadEntry(failure: Failure(error, in: name) ?? error, place: "\(name):\(line)")
    }
  }

  private mutating func nextItem() throws -> ImportItem? {
    while true {
      switch place {
      case .start:
        switch try reader.next() {
        case .beginArray: place = .array(.entry)
        case .beginObject: place = .top
        case .end: throw reader.expected(.entries)
        default: throw reader.expected(.anArrayOrAnObject)
        }
      case .top:
        // The first name tells an export from an entry.
        let token = try reader.next()
        guard case .key(let key) = token else { throw reader.expected(.anEntryOrAnExport) }
        if ["format", "journals", "kinds", "templates", "entries"].contains(key) {
          inExport = true
          place = .export
          try exportMember(key)
        } else {
          place = .lines
          return try wholeEntry(firstKey: key)
        }
      case .export:
        switch try reader.next() {
        case .key(let key): try exportMember(key)
        default:
          guard try reader.next() == .end else { throw reader.expected(.end) }
          return nil
        }
      case .array(let item):
        switch try reader.next() {
        case .beginObject:
          switch item {
          case .entry: return try wholeEntry(firstKey: nil)
          case .journal: return .journal(try journal())
          case .kind: return .kind(try kind())
          case .template: return .template(try template())
          }
        case .endArray:
          if inExport {
            place = .export
          } else {
            guard try reader.next() == .end else { throw reader.expected(.end) }
            return nil
          }
        default: throw reader.expected(.anObject)
        }
      case .lines:
        switch try reader.next() {
        case .beginObject: return try wholeEntry(firstKey: nil)
        case .end: return nil
        default: throw reader.expected(.anObjectALine)
        }
      }
    }
  }

  /// Its files first, when there are any.
  private mutating func start(_ found: (entry: ImportedEntry, files: [String])) throws
    -> ImportItem?
  {
    var files: [PendingEntry.File] = []
    for name in found.files {
      let safe = AttachmentName.inFolder(name)
      let path = "\(found.entry.id?.description ?? "")/\(safe)"
      if let folder, found.entry.id != nil, folder.hasFile(path) {
        files.append(.path(path, name: safe))
      } else {
        lost.add(.attachment, path)
      }
    }
    let draft = found.entry.draft
    if files.isEmpty, draft.title == nil, draft.body.allSatisfy(\.isWhitespace) {
      throw Failure(
        .invalid,
        ExchangeMessage.onlyFiles(name: name, line: reader.line),
        hint: ExchangeMessage.sayWhereFiles)
    }
    pending = PendingEntry(found.entry, files: files, in: folder)
    return try pending?.next()
  }

  private mutating func exportMember(_ key: String) throws {
    switch key {
    case "format":
      guard case .number("1") = try reader.next() else {
        throw reader.expected(.formatOne)
      }
    case "journals", "kinds", "templates", "entries":
      guard try reader.next() == .beginArray else { throw reader.expected(.anArrayOf(key)) }
      let items: [String: Item] = ["journals": .journal, "kinds": .kind, "templates": .template]
      place = .array(items[key] ?? .entry)
    case "history":
      // What was written before cannot be written again.
      lost.add(.field, key)
      try reader.skipValue()
    default: try reader.skipValue()
    }
  }

  // MARK: Values

  private mutating func text(_ field: String) throws -> String? {
    switch try reader.next() {
    case .string(let text): return text
    case .null: return nil
    default: throw reader.expected(.text(in: field))
    }
  }

  private mutating func texts(_ field: String) throws -> [String] {
    var result: [String] = []
    switch try reader.next() {
    case .null: return []
    case .beginArray: break
    default: throw reader.expected(.texts(in: field))
    }
    while true {
      switch try reader.next() {
      case .string(let text):
        guard result.count < EntryDraft.tagCountLimit else {
          throw reader.expected(.atMost(EntryDraft.tagCountLimit, in: field))
        }
        result.append(text)
      case .endArray: return result
      default: throw reader.expected(.text(in: field))
      }
    }
  }

  private func date(_ text: String, _ field: String, zone: String?) throws -> ZonedTime {
    do {
      switch try dates.parse(text) {
      case .instant(let time) where zone == nil || Self.saysOffset(text): return time
      case .instant(let time): return try Self.move(time, here: dates.zone, to: zone!)
      case .day(let day): return try dates.zone.instant(day: day, secondOfDay: 43_200)
      }
    } catch {
      throw reader.expected(.date(in: field))
    }
  }

  private static func saysOffset(_ text: String) -> Bool {
    text.hasSuffix("Z") || text.hasSuffix("z")
      || text.dropFirst(10).contains { $0 == "+" || $0 == "-" }
  }

  /// The same local time in another zone.
  private static func move(_ time: ZonedTime, here: LocalZone, to name: String) throws -> ZonedTime
  {
    guard let zone = NamedZone(name) else {
      throw Failure(.invalid, ExchangeMessage.zone(name))
    }
    let wall = time.seconds + Int64(time.offset)
    let offset = zone.offset(at: wall - Int64(zone.offset(at: wall)))
    return try ZonedTime(seconds: wall - Int64(offset), offset: offset)
  }

  private mutating func entry(
    firstKey: String?
  ) throws -> (entry: ImportedEntry, files: [String]) {
    let line = reader.line
    var id: EntryID?
    /// Read when the zone is known, which may follow them.
    var times: [String: String] = [:]
    var created: String?
    var modified: String?
    var hasBody = false
    var files: [String] = []
    var draft = EntryDraft(date: try ZonedTime(seconds: 0, offset: 0), body: "")
    var key = firstKey
    while true {
      if key == nil {
        guard case .key(let next) = try reader.next() else { break }
        key = next
      }
      switch key! {
      case "id":
        if let text = try text("id") {
          guard let parsed = EntryID(text.lowercased()) else {
            throw reader.expected(.id(in: "id"))
          }
          id = parsed
        }
      case "attachments": files = try attachmentNames()
      case "created": created = try text("created")
      case "modified": modified = try text("modified")
      case let name:
        switch EntryField.named(name)?.place {
        case .time, .optionalTime: times[name] = try text(name)
        case .text(let path): draft.content[path] = try text(name)
        case .body(let path):
          guard let body = try text(name) else { break }
          draft.content[path] = body
          hasBody = true
        case .texts(let path): draft.content[path] = try texts(name)
        case .flag(let path): draft.content[path] = try flag(name)
        case nil: try skip(name)
        }
      }
      key = nil
    }
    try take(times, into: &draft)
    guard hasBody else { throw reader.expected(.field("body")) }
    do throws(VaultError) {
      // What has files needs no text.
      try draft.validate(hasAttachments: !files.isEmpty)
    } catch {
      throw Failure(
        .invalid,
        ExchangeMessage.field(name: name, line: line, field: error.subject, expected: error.reason))
    }
    let entry = ImportedEntry(
      id: id, draft: draft, created: try created.map { try date($0, "created", zone: nil).seconds },
      modified: try modified.map { try date($0, "modified", zone: nil).seconds })
    return (entry, files)
  }

  private mutating func skip(_ name: String) throws {
    if !Self.ownMembers.contains(name) { lost.add(.field, String(name.prefix(80))) }
    try reader.skipValue()
  }

  /// What is said here of an entry beside what can be imported.
  private static let ownMembers: Set<String> = [
    "revision", "others", "excerpt", "trashed", "history",
  ]

  private func take(_ times: [String: String], into draft: inout EntryDraft) throws {
    for field in EntryField.all {
      switch field.place {
      case .time(let path):
        guard let text = times[field.name] else {
          throw reader.expected(.field(field.name))
        }
        draft.content[path] = try date(text, field.name, zone: draft.zone)
      case .optionalTime(let path):
        draft.content[path] = try times[field.name].map {
          try date($0, field.name, zone: draft.zone)
        }
      case .text, .body, .texts, .flag: break
      }
    }
  }

  private mutating func flag(_ field: String) throws -> Bool {
    switch try reader.next() {
    case .bool(let flag): return flag
    case .null: return false
    default: throw reader.expected(.flag(in: field))
    }
  }

  private mutating func attachmentNames() throws -> [String] {
    var names: [String] = []
    switch try reader.next() {
    case .null: return []
    case .beginArray: break
    default: throw reader.expected(.array(in: "attachments"))
    }
    while true {
      switch try reader.next() {
      case .endArray: return names
      case .beginObject:
        while case .key(let key) = try reader.next() {
          if key == "name", let name = try text("name") {
            guard names.count < 64 else {
              throw reader.expected(.atMost(64, in: "attachments"))
            }
            names.append(name)
          } else if key != "name" {
            try reader.skipValue()
          }
        }
      default: throw reader.expected(.object(in: "attachments"))
      }
    }
  }

  private func day(_ text: String, _ field: String) throws -> Int {
    guard case .day(let day)? = try? dates.parse(text) else {
      throw reader.expected(.day(in: field))
    }
    return day
  }

  private mutating func journal() throws -> Journal {
    var journal = Journal(id: 0, name: "")
    while case .key(let key) = try reader.next() {
      switch key {
      case "name": journal.name = try text("name") ?? ""
      case "from": journal.from = try text("from").map { try day($0, "from") }
      case "to": journal.to = try text("to").map { try day($0, "to") }
      case "emoji": journal.emoji = try text("emoji")
      default: try reader.skipValue()
      }
    }
    return journal
  }

  private mutating func kind() throws -> Kind {
    var kind = Kind(id: 0, name: "", emoji: "")
    while case .key(let key) = try reader.next() {
      switch key {
      case "name": kind.name = try text("name") ?? ""
      case "emoji": kind.emoji = try text("emoji") ?? ""
      case "otherNames": kind.otherNames = try texts("otherNames")
      default: try reader.skipValue()
      }
    }
    return kind
  }

  private mutating func template() throws -> EntryTemplate {
    var (name, body) = ("", "")
    while case .key(let key) = try reader.next() {
      switch key {
      case "name": name = try text("name") ?? ""
      case "body": body = try text("body") ?? ""
      default: try reader.skipValue()
      }
    }
    return EntryTemplate(name: name, body: body)
  }
}

extension ImportFormat {
  static let json = ImportFormat(
    name: "json", shapes: [.file],
    // Begins with its format. JSON without one is tried when nothing else fits.
    recognises: { input in
      input.isJSONObject
        && input.text.dropFirst().drop { " \t\r\n".utf8.contains($0) }
          .starts(with: "\"format\"".utf8)
    },
    keepsOurIDs: true,
    open: { input in
      try JSONEntries(
        name: input.name, zone: input.zone,
        folder: try (input.attachments ?? input.folderBeside).map { try InputFolder($0) },
        source: input.pieces())
    })
}
