internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

extension ImportFormat {
  /// A decrypted backup of Standard Notes: `{"items": [{"content_type": "Note", "content": …}, …]}`.
  ///
  /// Form: https://standardnotes.com/help, "decrypted backup", and https://github.com/standardnotes/app; notes of its
  /// editor Super are Lexical's JSON.
  static let standardNotes = ImportFormat(
    name: "standard-notes", shapes: [.file, .folder],
    recognises: { input in
      input.isFolder
        ? StandardNotesEntries.file(of: input.contents.files) != nil
          // An encrypted item may be so long that the beginning of the file holds nothing else.
        : input.isJSONObject && input.has("\"items\"")
          && ["\"content_type\"", "\"keyParams\"", "\"004:", "\"003:"].contains(where: input.has)
    },
    open: { ForeignSource(try StandardNotesEntries($0), in: nil) })
}

/// Notes of Standard Notes. Their tags may come behind them, so all are read first.
struct StandardNotesEntries: ForeignEntries {
  private let dates: DateParser
  private var notes: [(note: JSONValue, place: String)] = []
  /// By the note's id.
  private var tags: [String: [String]] = [:]
  private(set) var lost = LostParts()
  private let name: String

  /// Of a backup's folder, which holds each note as a text, too.
  static func file(of names: [String]) -> String? {
    names.first {
      !$0.contains("/") && $0.hasPrefix("Standard Notes Backup") && $0.hasSuffix(".txt")
    }
  }

  @MainActor
  init(_ input: ImportInput) throws {
    dates = DateParser(zone: input.zone)
    let source: () throws -> [UInt8]
    if input.isFolder, let inside = Self.file(of: input.contents.files) {
      let file = try InputFile(inside, in: try input.folder())
      name = inside
      source = { try file.piece() }
    } else {
      name = input.name
      source = input.pieces()
    }
    var objects = try JSONEntryObjects(name: name, list: "items", source: source)
    while let item = try objects.next() {
      // An encrypted item is a single text.
      if let content = item["content"]?.text, !content.isEmpty {
        throw Failure(
          .invalid, ExchangeMessage.encrypted(name), hint: ExchangeMessage.exportDecrypted)
      }
      guard let kind = item["content_type"]?.text, item["deleted"]?.flag != true else { continue }
      switch kind {
      case "Note": notes.append((item, objects.place))
      case "Tag":
        guard let title = item["content"]?["title"]?.text else { continue }
        for reference in item["content"]?["references"]?.list ?? [] {
          if let note = reference["uuid"]?.text { tags[note, default: []].append(title) }
        }
      case "SN|File": lost.add(.attachment, item["content"]?["name"]?.text ?? kind)
      // Settings, keys and editors do not belong in a diary.
      default: break
      }
    }
    notes.reverse()
  }

  mutating func next() throws -> ForeignEntry? {
    while let (note, place) = notes.popLast() {
      if note["content"]?["trashed"]?.flag == true {
        lost.add(.trashed, place)
        continue
      }
      do { return try entry(note, place) } catch { throw BadEntry(failure: error, place: place) }
    }
    return nil
  }

  private mutating func entry(_ note: JSONValue, _ place: String) throws -> ForeignEntry {
    let content = note["content"]
    func instant(_ text: String?) -> ZonedTime? {
      guard let text, case .instant(let time)? = try? dates.parse(text) else {
        return nil
      }
      return time
    }
    guard let created = instant(note["created_at"]?.text),
      let (date, zone) = try? dates.zone.time(milliseconds: Double(created.seconds) * 1000)
    else { throw ForeignEntry.wrongDate(place, "created_at") }
    var entry = ForeignEntry(place, at: date)
    entry.draft.zone = zone
    let uuid = note["uuid"]?.text
    entry.id = uuid.map { EntryID(of: "standard-notes", $0) }
    let data = content?["appData"]?["org.standardnotes.sn"]
    entry.modified = instant(data?["client_updated_at"]?.text ?? note["updated_at"]?.text)?.seconds
    entry.draft.title = content?["title"]?.text
    entry.draft.starred = content?["starred"]?.flag ?? data?["starred"]?.flag ?? false
    entry.draft.tags = uuid.flatMap { tags[$0] } ?? []
    let text = content?["text"]?.text ?? ""
    switch content?["noteType"]?.text {
    case "super":
      let converted = MarkdownFromLexical(text)
      entry.draft.body = converted?.text ?? text
      for kind in (converted?.unknown ?? []).sorted() { lost.add(.field, "super: \(kind)") }
    case "rich-text" where text.hasPrefix("<"): entry.takeHTML(text)
    default: entry.draft.body = text
    }
    return entry
  }
}
