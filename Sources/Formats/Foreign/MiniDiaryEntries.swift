internal import Dates
internal import Entries
internal import Words

extension ImportFormat {
  /// `{"metadata": …, "entries": {"2024-01-01": {"title", "text", "dateUpdated"}}}`, the texts in Markdown.
  ///
  /// Form: https://github.com/samuelmeuli/mini-diary, its export; read also by Mini Diarium's importer.
  static let miniDiary = ImportFormat(
    name: "mini-diary", shapes: [.file],
    recognises: { input in
      guard input.isJSONObject, let entries = input.beginning(after: "\"entries\"") else {
        return false
      }
      // Its entries are an object, by their days; its fork's are a list.
      return entries.drop { " \t\r\n:".utf8.contains($0) }.first == UInt8(ascii: "{")
        && input.has("\"metadata\"")
    },
    open: { ForeignSource(try MiniDiaryEntries($0), in: nil) })

  /// `{"metadata": {"application": "Mini Diarium"}, "entries": [{"date", "title", "text", …}]}`, the texts in HTML.
  ///
  /// Form: https://github.com/fjrevoredo/mini-diarium, `src-tauri/src/export/json.rs`.
  static let miniDiarium = ImportFormat(
    name: "mini-diarium", shapes: [.file],
    recognises: { $0.isJSONObject && $0.has("\"Mini Diarium\"") },
    open: { ForeignSource(try MiniDiaryEntries($0), in: nil) })
}

/// Entries of Mini Diary and of Mini Diarium, which came after it: a day each, no time.
struct MiniDiaryEntries: ForeignEntries {
  /// The limit of an entry together with its pictures, which are within the text.
  private static let limit = 256 << 20
  private var objects: JSONEntryObjects
  private let dates: DateParser
  private(set) var lost = LostParts()

  @MainActor
  init(_ input: ImportInput) throws {
    objects = try JSONEntryObjects(name: input.name, limit: Self.limit, source: input.pieces())
    dates = DateParser(zone: input.zone)
  }

  private static let known: Set<String> = ["id", "date", "title", "text", "dateUpdated", "tags"]

  mutating func next() throws -> ForeignEntry? {
    guard let object = try objects.next() else { return nil }
    do { return try entry(object) } catch { throw objects.bad(error) }
  }

  private mutating func entry(_ object: JSONValue) throws -> ForeignEntry {
    guard let text = objects.key ?? object["date"]?.text,
      case .day(let day)? = try? dates.parse(text)
    else { throw objects.invalid(objects.key ?? "date", ImportExpectation.aDate) }
    var entry = ForeignEntry(
      objects.place, at: try dates.zone.instant(day: day, secondOfDay: 43_200))
    entry.draft.zone = dates.zone.name
    entry.draft.title = object["title"]?.text
    entry.draft.content.tags = (object["tags"]?.list ?? []).compactMap(\.text)
    entry.modified = object["dateUpdated"]?.text.flatMap(seconds)
    let body = object["text"]?.text ?? ""
    if body.hasPrefix("<") {
      entry.takeHTML(body)
    } else {
      entry.draft.body = body
    }
    for key in object.keys where !Self.known.contains(key) { lost.add(.field, key) }
    return entry
  }

  /// `2024-01-15T10:00:00Z`, or as JavaScript writes a date: `Sun Feb 15 2026 15:15:14 GMT+0100`.
  private func seconds(_ text: String) -> Int64? {
    if case .instant(let time)? = try? dates.parse(text) { return time.seconds }
    return Self.seconds(javaScript: text)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Date.prototype.toString`: a weekday that says nothing more, then `Feb 15 2026 15:15:14 GMT+0100`, and the zone's name in
  /// brackets.
  static func seconds(javaScript text: String) -> Int64? {
    let words = text.utf8.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
    guard words.count >= 6, let month = months.firstIndex(of: words[1]),
      let day = number(words[2]), let year = number(words[3]),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = words[4].split(separator: ":").map { number(String($0)) ?? -1 }
    guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
      (0..<60).contains(clock[2]), words[5].hasPrefix("GMT"), words[5].utf8.count == 8,
      let zone = number(String(words[5].utf8.suffix(4)) ?? ""), zone % 100 < 60
    else { return nil }
    let offset = (zone / 100 * 60 + zone % 100) * 60
    let isWest = words[5].utf8.dropFirst(3).first == UInt8(ascii: "-")
    guard isWest || words[5].utf8.dropFirst(3).first == UInt8(ascii: "+") else { return nil }
    let local = date.number * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    return Int64(isWest ? local + offset : local - offset)
  }

  /// Up to four digits of ASCII.
  private static func number(_ text: String) -> Int? {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      ? Int(text) : nil
  }
}

extension ForeignEntry {
  /// Its text from HTML; pictures that stand in it as `data:` become files of the entry.
  mutating func takeHTML(_ html: String) {
    var converter = MarkdownFromHTML()
    var reader = MarkupReader(html)
    while let token = reader.next() { converter.take(token) }
    take(converter)
  }

  mutating func take(_ converter: consuming MarkdownFromHTML) {
    draft.body = converter.finish()
    for picture in converter.pictures where !picture.isRemote {
      // A broken or missing picture is reported as lost.
      files.append(
        picture.bytes.map { .bytes($0, name: picture.name) }
          ?? .path(picture.isData ? picture.name : PictureTargets.unescaped(picture.source)))
    }
  }
}
