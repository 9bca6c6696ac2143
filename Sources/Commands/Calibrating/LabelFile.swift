internal import CommandLine
internal import Dates
internal import Formats
internal import Words

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
    var rows = CSVRows(text)
    func next() throws -> CSVRows.Row? {
      do { return try rows.next() } catch {
        throw Failure(.invalid, CalibrationMessage.quoteOpen(file: name, line: error.line))
      }
    }
    guard let head = try next() else { throw Failure(.invalid, CalibrationMessage.empty(name)) }
    let names = head.fields.map { $0.trimmed.lowercased() }
    guard let person = names.firstIndex(of: "person"), let file = names.firstIndex(of: "file")
    else {
      throw Failure(
        .invalid,
        CalibrationMessage.wantsColumns(
          file: name, line: head.line, found: names.joined(separator: ","))
      )
    }
    let row = names.firstIndex(of: "row")
    var lines: [Line] = []
    while let record = try next() {
      let (number, fields) = (record.line, record.fields)
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
      lines.append(
        Line(person: fields[person].trimmed, file: fields[file].trimmed, row: index, number: number)
      )
    }
    self.lines = lines
  }
}
