internal import Bytes
internal import CommandLine
internal import Dates
internal import Entries
internal import Platform
internal import Words

/// Journal entries of a calendar file (RFC 5545, `VJOURNAL`), as jtx Board and KOrganizer keep them.
struct CalendarJournals: ForeignEntries {
  /// Says nothing that an entry would have.
  private static let ignored: Set<String> = [
    "DTSTAMP", "SEQUENCE", "CLASS", "STATUS", "UID", "CREATED", "LAST-MODIFIED", "DTSTART",
    "SUMMARY", "DESCRIPTION", "CATEGORIES", "LOCATION", "GEO", "ATTACH", "RECURRENCE-ID",
  ]
  /// Bytes of one entry's lines: of a photo in it, too.
  private static let entryLimit = 64 << 20

  private let name: String
  private let dates: DateParser
  private var lines: LineReader
  /// The line that ended the one before it: a folded line goes on behind its end.
  private var ahead: String?
  private var isBegun = false
  var lost = LostParts()

  init(name: String, zone: LocalZone, source: @escaping () throws -> [UInt8]) {
    self.name = name
    dates = DateParser(zone: zone)
    lines = LineReader(name: name, source: source)
  }

  /// `NAME;PARAMETER=VALUE:value`
  private struct Property {
    let name: String
    let parameters: [String: String]
    let value: String

    init?(_ line: String) {
      var parts = [""]
      var isQuoted = false
      var rest = line[...]
      while let character = rest.popFirst() {
        if character == ":", !isQuoted { break }
        if character == "\"" {
          isQuoted.toggle()
        } else if character == ";", !isQuoted {
          parts.append("")
        } else {
          parts[parts.count - 1].append(character)
        }
        if rest.isEmpty { return nil }
      }
      name = parts[0].uppercased()
      value = String(rest)
      var parameters: [String: String] = [:]
      for part in parts.dropFirst() {
        guard let equals = part.firstIndex(of: "=") else { continue }
        parameters[part[..<equals].uppercased()] = String(part[part.index(after: equals)...])
      }
      self.parameters = parameters
    }

    /// The tags in the value, apart at commas.
    var tags: [String] {
      var rest = value[...]
      let texts = sequence(state: ()) { _ in rest.isEmpty ? nil : Self.text(&rest, until: ",") }
      return texts.distinctTags
    }

    var text: String {
      var rest = value[...]
      return Self.text(&rest, until: nil)
    }

    private static func text(_ rest: inout Substring, until end: Character?) -> String {
      var text = ""
      while let character = rest.popFirst(), character != end {
        guard character == "\\" else {
          text.append(character)
          continue
        }
        let next = rest.popFirst() ?? "\\"
        text.append(next == "n" || next == "N" ? "\n" : next)
      }
      return text
    }
  }

  mutating func next() throws -> ForeignEntry? {
    while let line = try unfolded(limit: Self.entryLimit) {
      let word = line.uppercased()
      if word == "BEGIN:VJOURNAL" {
        if let entry = try journal(at: lines.number) { return entry }
      } else if word.hasPrefix("BEGIN:"), isBegun, word != "BEGIN:VCALENDAR" {
        let component = String(word.dropFirst(6).prefix(40))
        if ["VEVENT", "VTODO"].contains(component) { lost.add(.field, component) }
        _ = try properties(until: component)
      } else {
        isBegun = true
      }
    }
    return nil
  }

  /// The next line with what was folded behind it.
  private mutating func unfolded(limit: Int) throws -> String? {
    guard var line = try ahead ?? lines.next() else { return nil }
    ahead = nil
    while let next = try lines.next() {
      guard next.first == " " || next.first == "\t" else {
        ahead = next
        break
      }
      line += next.dropFirst()
      guard line.utf8.count <= limit else {
        throw Failure(.invalid, ExchangeMessage.lineTooLong(name: name, line: lines.number))
      }
    }
    return line
  }

  /// What stands in a component, without the components in it.
  private mutating func properties(until component: String) throws -> [Property] {
    var found: [Property] = []
    var inner: [String] = []
    var left = Self.entryLimit
    while let line = try unfolded(limit: Self.entryLimit) {
      left -= line.utf8.count
      guard left > 0 else {
        throw Failure(.invalid, ExchangeMessage.lineTooLong(name: name, line: lines.number))
      }
      let word = line.uppercased()
      if word.hasPrefix("BEGIN:") {
        inner.append(String(word.dropFirst(6)))
      } else if word.hasPrefix("END:") {
        if inner.isEmpty { return found }
        inner.removeLast()
      } else if inner.isEmpty, let property = Property(line) {
        found.append(property)
      }
    }
    // A component that does not end was cut off.
    throw BadEntry(
      failure: Failure(.invalid, ExchangeMessage.calendarCut(name: name, component: component)),
      place: "\(name):\(lines.number)")
  }

  private mutating func journal(at line: Int) throws -> ForeignEntry? {
    let place = "\(name):\(line)"
    let properties = try properties(until: "VJOURNAL")
    func first(_ name: String) -> Property? { properties.first { $0.name == name } }
    guard first("STATUS")?.value.uppercased() != "CANCELLED" else {
      lost.add(.trashed, place)
      return nil
    }
    // One without a day of its own is of the day when it was made.
    guard let start = first("DTSTART") ?? first("CREATED") ?? first("DTSTAMP"),
      let (time, zone) = try? time(start)
    else {
      throw BadEntry(failure: ForeignEntry.wrongDate(place, "DTSTART"), place: place)
    }
    var entry = ForeignEntry(place, at: time)
    entry.draft.content.zone = zone
    entry.draft.title = first("SUMMARY")?.text
    entry.draft.body = properties.filter { $0.name == "DESCRIPTION" }.map(\.text)
      .joined(separator: "\n\n")
    entry.draft.tags = properties.filter { $0.name == "CATEGORIES" }.flatMap(\.tags).distinctTags
    let coordinates = first("GEO")?.value.split(separator: ";").map { Double($0) } ?? []
    entry.draft.content.location = ForeignSource.location(
      [first("LOCATION")?.text], latitude: coordinates.first ?? nil,
      longitude: coordinates.dropFirst().first ?? nil)
    entry.created = first("CREATED").flatMap { try? self.time($0).time.seconds }
    entry.modified = first("LAST-MODIFIED").flatMap { try? self.time($0).time.seconds }
    // A change of one day of a series has the id of the series.
    entry.id = first("UID").map { uid in
      // One that was exported from a diary is the same entry.
      if uid.value.hasPrefix("facediary-"), let id = EntryID(String(uid.value.dropFirst(10))) {
        return id
      }
      return EntryID(of: "vjournal", uid.value + (first("RECURRENCE-ID")?.value ?? ""))
    }
    for (number, attached) in properties.filter({ $0.name == "ATTACH" }).enumerated() {
      let given = attached.parameters["FILENAME"] ?? attached.parameters["X-LABEL"]
      let name = given ?? "attachment-\(number + 1)"
      if attached.parameters["ENCODING"]?.uppercased() == "BASE64",
        let bytes = Base64.decode(attached.value)
      {
        entry.files.append(.bytes(bytes, name: name))
      } else {
        lost.add(.attachment, String((given ?? attached.value).prefix(255)))
      }
    }
    for property in properties
    where !Self.ignored.contains(property.name) && !property.name.hasPrefix("X-") {
      lost.add(.field, String(property.name.prefix(40)))
    }
    return entry
  }

  /// `20260301`, `20260301T093000` in a zone or here, `20260301T003000Z`.
  private func time(_ property: Property) throws -> (time: ZonedTime, zone: String?) {
    let digits = Array(property.value.filter(\.isNumber).utf8)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.count == 8 || digits.count == 14 || digits.count == 12
    else { throw ForeignEntry.wrongDate(name, property.name) }
    let text = String(decoding: digits, as: UTF8.self)
    func part(_ start: Int, _ count: Int) -> Substring { text.dropFirst(start).prefix(count) }
    let day = "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))"
    guard digits.count > 8 else { return (try dates.instant(day), dates.zone.name) }
    let seconds = digits.count == 14 ? ":\(part(12, 2))" : ""
    let clock = day + "T\(part(8, 2)):\(part(10, 2))" + seconds
    if property.value.hasSuffix("Z") {
      let time = try dates.instant(clock + "Z")
      return try dates.zone.time(milliseconds: Double(time.seconds) * 1000)
    }
    guard let zone = property.parameters["TZID"].flatMap({ NamedZone($0) }) else {
      let time = try dates.instant(clock)
      return (time, dates.zone.name(for: time))
    }
    let wall = try dates.instant(clock + "Z").seconds
    let moment = wall - Int64(zone.offset(at: wall - Int64(zone.offset(at: wall))))
    return (try ZonedTime(seconds: moment, offset: zone.offset(at: moment)), zone.name)
  }
}

extension ImportFormat {
  /// A calendar file with journal entries.
  static let vjournal = ImportFormat(
    name: "vjournal", shapes: [.file],
    recognises: { input in
      !input.isFolder && input.text.starts(with: Array("BEGIN:VCALENDAR".utf8))
    },
    keepsOurIDs: true,
    open: { input in
      ForeignSource(
        CalendarJournals(name: input.name, zone: input.zone, source: input.pieces()), in: nil)
    })
}
