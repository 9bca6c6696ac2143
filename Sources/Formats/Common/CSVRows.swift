internal import Dates
internal import Words

/// The records of a CSV text (RFC 4180): fields may be quoted, and a quoted field may hold line ends.
package struct CSVRows {
  package struct Row {
    /// The line it begins at, from 1.
    package let line: Int
    package let fields: [String]
  }

  /// A quoted field that begins on that line does not end.
  package struct Unclosed: Error {
    package let line: Int
  }

  private static let columnLimit = 1000
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes[3...]) : bytes
  }

  /// The next record; empty lines are skipped.
  package mutating func next() throws(Unclosed) -> Row? {
    while place < bytes.count {
      let row = try record()
      if row.fields != [""] { return row }
    }
    return nil
  }

  private mutating func record() throws(Unclosed) -> Row {
    let first = line
    var fields: [String] = []
    var field: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\"") where field.isEmpty: try takeQuoted(&field)
      case UInt8(ascii: ","):
        // No program that keeps a diary writes more columns; the rest of them is passed over.
        if fields.count < Self.columnLimit { fields.append(String(decoding: field, as: UTF8.self)) }
        field.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        if byte == UInt8(ascii: "\r"), place < bytes.count, bytes[place] == UInt8(ascii: "\n") {
          place += 1
        }
        line += 1
        return Row(line: first, fields: fields + [String(decoding: field, as: UTF8.self)])
      default: field.append(byte)
      }
    }
    return Row(line: first, fields: fields + [String(decoding: field, as: UTF8.self)])
  }

  /// Up to the closing quote; two quotes in a row stand for one.
  private mutating func takeQuoted(_ field: inout [UInt8]) throws(Unclosed) {
    let first = line
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        guard place < bytes.count, bytes[place] == byte else { return }
        place += 1
      } else if byte == UInt8(ascii: "\n") {
        line += 1
      }
      field.append(byte)
    }
    throw Unclosed(line: first)
  }
}
