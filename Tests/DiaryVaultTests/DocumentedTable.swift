import Foundation

/// A table of `ThreatModel`.
struct DocumentedTable {
  /// What the columns are, without the first.
  let columns: [String]
  /// What stands in the first column.
  let rows: [String]
  private let cells: [String: [String: String]]

  init(section: String) throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/FaceDiary/FaceDiary.docc/ThreatModel.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = text[text.range(of: section)!.upperBound...].split(separator: "\n")
      .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    columns = Array(lines[0].dropFirst())
    var cells: [String: [String: String]] = [:]
    for row in lines.dropFirst(2) {
      cells[row[0]] = Dictionary(uniqueKeysWithValues: zip(columns, row.dropFirst()))
    }
    rows = lines.dropFirst(2).map { $0[0] }
    self.cells = cells
  }

  subscript(row: String, column: String) -> String? { cells[row]?[column] }
}
