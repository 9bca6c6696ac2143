internal import CommandLine
internal import FaceMatching

/// `LABELS.csv`: who is on which vector.
struct LabelFile {
  struct Line {
    let person: String
    let file: String
    let row: Int?
    let number: Int
  }

  let lines: [Line]

  /// Columns `person,file` and optionally `row`; others are ignored. Fields may be quoted.
  ///
  /// - Throws: ``Failure`` `invalid` naming line and column.
  init(_ text: String, name: String) throws {
    var rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
      .map { (number: $0.offset + 1, fields: Self.fields(String($0.element))) }
      .filter { $0.fields != [""] }
    guard let head = rows.first else { throw Failure(.invalid, CalibrationMessage.empty(name)) }
    rows.removeFirst()
    var names = head.fields.map { $0.trimmed.lowercased() }
    names[0] = names[0].filter { $0 != "\u{feff}" }
    guard let person = names.firstIndex(of: "person"), let file = names.firstIndex(of: "file")
    else {
      throw Failure(
        .invalid,
        CalibrationMessage.wantsColumns(
          file: name, line: head.number, found: names.joined(separator: ","))
      )
    }
    let row = names.firstIndex(of: "row")
    lines = try rows.map { number, fields in
      guard fields.count > max(person, file), !fields[person].trimmed.isEmpty,
        !fields[file].trimmed.isEmpty
      else {
        throw Failure(.invalid, CalibrationMessage.wantsPersonAndFile(file: name, line: number))
      }
      var index: Int?
      if let row, fields.indices.contains(row), !fields[row].trimmed.isEmpty {
        guard let parsed = Int(fields[row].trimmed), parsed >= 0 else {
          throw Failure(.invalid, CalibrationMessage.wantsRow(file: name, line: number))
        }
        index = parsed
      }
      return Line(
        person: fields[person].trimmed, file: fields[file].trimmed, row: index, number: number)
    }
  }

  /// RFC 4180 within a line.
  private static func fields(_ line: String) -> [String] {
    var fields: [String] = [""]
    var quoted = false
    var characters = Array(line)[...]
    while let character = characters.popFirst() {
      if character == "\"" {
        if quoted, characters.first == "\"" {
          fields[fields.count - 1].append("\"")
          characters.removeFirst()
        } else {
          quoted.toggle()
        }
      } else if character == ",", !quoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
