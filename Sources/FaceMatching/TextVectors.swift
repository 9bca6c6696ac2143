internal import JSONText

/// Vectors as numbers in a text: CSV or white space, and JSON.
enum TextVectors {
  /// Lines of numbers; `#` begins a comment. Lines of one number each are one vector.
  static func rows(_ bytes: [UInt8], source: String) throws(VectorError) -> [[Float]] {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    var rows: [[Float]] = []
    // The one number of each line, while no line has more.
    var single: [Float]? = []
    var rest = bytes[start...]
    var index = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest[line.endIndex...].dropFirst()
      index += 1
      let row = single?.count ?? rows.count
      let numbers = try numbers(in: line, line: index, row: row, source: source)
      guard !numbers.isEmpty else { continue }
      if numbers.count == 1, single != nil {
        single?.append(numbers[0])
        guard row < Embedding.dimensions.upperBound else {
          throw VectorError(.dimension(row + 1), in: source)
        }
      } else {
        rows += (single ?? []).map { [$0] } + [numbers]
        single = nil
      }
    }
    guard let single, !single.isEmpty else { return rows }
    return [single]
  }

  private static func numbers(
    in line: ArraySlice<UInt8>, line number: Int, row: Int, source: String
  ) throws(VectorError) -> [Float] {
    let content = line.prefix { $0 != UInt8(ascii: "#") }
    // One line, one separator: where ';' stands, ',' is somebody's decimal comma and no number here.
    let separators = [UInt8(ascii: ";"), UInt8(ascii: ",")].filter(content.contains)
    // More than a vector can have are not read.
    let most = Embedding.dimensions.upperBound
    let fields: [ArraySlice<UInt8>]
    if let separator = separators.first {
      fields = content.split(
        separator: separator, maxSplits: most, omittingEmptySubsequences: false
      ).map(trim)
    } else {
      fields = content.split(maxSplits: most, whereSeparator: isSpace)
    }
    if fields.allSatisfy(\.isEmpty), separators.isEmpty { return [] }
    var numbers: [Float] = []
    numbers.reserveCapacity(fields.count)
    for (column, field) in fields.enumerated() {
      guard column < most else { throw VectorError(.dimension(most + 1), in: source) }
      let text = String(decoding: field, as: UTF8.self)
      guard let value = parse(text) else {
        throw VectorError(
          .malformed(
            at: "line \(number), column \(column + 1)",
            expected: "a number, not \"\(text.prefix(20))\""), in: source)
      }
      guard value.isFinite else {
        throw VectorError(.notFinite(row: row, component: numbers.count), in: source)
      }
      numbers.append(value)
    }
    return numbers
  }

  /// A decimal number; the spellings of NaN and infinity give those, so that they can be named.
  static func parse(_ text: String) -> Float? {
    let plain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0)
    }
    if plain { return Double(text).map { Float($0) } }
    let word = text.lowercased()
    guard ["nan", "inf", "infinity"].contains(word.drop { $0 == "-" || $0 == "+" }) else {
      return nil
    }
    return .nan
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d
  }

  private static func trim(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var field = field.drop(while: isSpace)
    while let last = field.last, isSpace(last) { field.removeLast() }
    return field
  }
}

/// `[…]`, `[[…], …]`, or `{"embedding": […], "model": "…"}`.
enum JSONVectors {
  static func rows(
    _ bytes: [UInt8], source: String
  ) throws(VectorError) -> (rows: [[Float]], model: String?) {
    do {
      return try read(bytes, source: source)
    } catch let error as VectorError {
      throw error
    } catch let error as JSONError {
      throw VectorError(
        .malformed(at: "line \(error.line), column \(error.column)", expected: error.expected),
        in: source)
    } catch {
      throw VectorError(.unknownFormat, in: source)
    }
  }

  private static func read(_ bytes: [UInt8], source: String) throws -> ([[Float]], String?) {
    var reader = JSONReader(bytes, depthLimit: 8)
    var result: [[Float]]?
    var model: String?
    var isNamed = false
    switch try reader.next() {
    case .beginArray: result = try array(&reader, source: source)
    case .beginObject:
      members: while true {
        switch try reader.next() {
        case .key("embedding"), .key("vector"):
          guard result == nil else { throw reader.error("one of \"embedding\" and \"vector\"") }
          guard try reader.next() == .beginArray else { throw reader.error("an array of numbers") }
          result = try array(&reader, source: source)
        case .key("model"):
          guard !isNamed else { throw reader.error("one \"model\"") }
          isNamed = true
          switch try reader.next() {
          case .string(let name) where FaceModel.isName(name): model = name
          case .null: model = nil
          default: throw reader.error("the model's name")
          }
        case .key: try reader.skipValue()
        default: break members
        }
      }
    default: throw reader.error("an array or an object")
    }
    guard try reader.next() == .end else { throw reader.error("the end of the text") }
    guard let result else { throw reader.error("\"embedding\" or \"vector\"") }
    return (result, model)
  }

  /// The rest of an array: numbers, or arrays of numbers.
  private static func array(_ reader: inout JSONReader, source: String) throws -> [[Float]] {
    var numbers: [Float] = []
    var rows: [[Float]] = []
    while true {
      switch try reader.next() {
      case .number(let text):
        guard rows.isEmpty else { throw reader.error("an array of numbers") }
        guard let value = Double(text).map({ Float($0) }) else { throw reader.error("a number") }
        guard value.isFinite else {
          throw VectorError(.notFinite(row: 0, component: numbers.count), in: source)
        }
        numbers.append(value)
      case .beginArray:
        guard numbers.isEmpty else { throw reader.error("a number") }
        rows.append(try row(&reader, index: rows.count, source: source))
      case .endArray: return rows.isEmpty ? (numbers.isEmpty ? [] : [numbers]) : rows
      default: throw reader.error("a number")
      }
    }
  }

  private static func row(
    _ reader: inout JSONReader, index: Int, source: String
  ) throws -> [Float] {
    var numbers: [Float] = []
    while true {
      switch try reader.next() {
      case .number(let text):
        guard let value = Double(text).map({ Float($0) }) else { throw reader.error("a number") }
        guard value.isFinite else {
          throw VectorError(.notFinite(row: index, component: numbers.count), in: source)
        }
        numbers.append(value)
      case .endArray: return numbers
      default: throw reader.error("a number")
      }
    }
  }
}
