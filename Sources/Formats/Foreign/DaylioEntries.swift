internal import CommandLine
internal import Dates
internal import Entries
internal import Words

extension ImportFormat {
  /// Daylio's CSV: `full_date,date,weekday,time,mood,activities,…,note_title,note`.
  ///
  /// Form: https://github.com/MichaelCurrin/daylio-csv-parser (`sample.csv`); its makers state none.
  static let daylio = ImportFormat(
    name: "daylio", shapes: [.file],
    recognises: { input in
      input.text.starts(with: "full_date,".utf8) || input.text.starts(with: "\"full_date\",".utf8)
    },
    open: { ForeignSource(try DaylioEntries($0), in: nil) })
}

/// Days of Daylio: the mood and what one did become tags, the note the text.
struct DaylioEntries: ForeignEntries {
  /// Daylio has little text for each day: this is enough for a thousand years.
  private static let limit = 64 << 20
  private let name: String
  private let dates: DateParser
  private var rows: CSVRows
  /// The place of each column, and the columns that an entry has no place for.
  private let columns: [String: Int]
  private let unknown: [Int: String]
  private(set) var lost = LostParts()

  @MainActor
  init(_ input: ImportInput) throws {
    name = input.name
    dates = DateParser(zone: input.zone)
    rows = CSVRows(try input.whole(limit: Self.limit))
    let names = try rows.next()?.fields.map { $0.trimmed.lowercased() } ?? []
    columns = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    unknown = Dictionary(
      names.enumerated().filter { !Self.known.contains($1) }.map { ($0, $1) }
    ) { first, _ in first }
    guard columns["full_date"] != nil else {
      throw Failure(
        .invalid,
        ExchangeMessage.field(
          name: name, line: 1, field: "full_date", expected: ImportExpectation.aDate))
    }
  }

  private static let known: Set<String> = [
    "full_date", "date", "weekday", "time", "mood", "activities", "note_title", "note",
  ]

  mutating func next() throws -> ForeignEntry? {
    let row: CSVRows.Row
    do {
      guard let next = try rows.next() else { return nil }
      row = next
    } catch {
      throw BadEntry(
        failure: Failure(.invalid, CalibrationMessage.quoteOpen(file: name, line: error.line)),
        place: "\(name):\(error.line)")
    }
    let place = "\(name):\(row.line)"
    func field(_ column: String) -> String {
      guard let index = columns[column], row.fields.indices.contains(index) else {
        return ""
      }
      return row.fields[index].trimmed
    }
    // Later versions put a narrow space between the hour and AM or PM.
    let time = field("time").map { $0.isWhitespace ? " " : String($0) }.joined()
    guard
      let date = try? dates.instant(
        time.isEmpty ? field("full_date") : "\(field("full_date")) \(time)")
    else {
      throw BadEntry(
        failure: Failure(
          .invalid,
          ExchangeMessage.field(
            name: name, line: row.line, field: "full_date, time",
            expected: ImportExpectation.aDateAndTime)), place: place)
    }
    var entry = ForeignEntry(place, at: date)
    entry.draft.zone = dates.zone.name
    entry.draft.title = field("note_title")
    // A formatted note is HTML whose line breaks are kept.
    let note = field("note")
    if note.contains(
      /<\/?(?:p|br|b|i|u|s|em|strong|strike|del|ul|ol|li|div|span|font|h[1-6]|a|blockquote)(?:\s[^<>]*)?\/?>/
        .ignoresCase())
    {
      entry.takeHTML(note.replacing("\r\n", with: "\n").replacing("\n", with: "<br>"))
    } else {
      entry.draft.body = note
    }
    let mood = field("mood")
    let activities = field("activities").split(separator: "|").map { String($0).trimmed }
    entry.draft.tags = ([mood] + activities).filter { !$0.isEmpty }
    // A day with a mood and no text is an entry.
    if entry.draft.body.isEmpty, entry.draft.title?.isEmpty ?? true { entry.draft.body = mood }
    for (index, value) in row.fields.enumerated() where !value.trimmed.isEmpty {
      if let column = unknown[index] { lost.add(.field, column) }
    }
    return entry
  }
}
