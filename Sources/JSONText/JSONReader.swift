/// Where and why a text is not the JSON that was expected.
package struct JSONError: Error, Sendable, Equatable {
  /// From 1.
  package let line: Int
  /// Bytes from the start of the line, counted from 1.
  package let column: Int
  package let expected: String

  package init(line: Int, column: Int, expected: String) {
    self.line = line
    self.column = column
    self.expected = expected
  }
}

/// A pull parser for JSON (RFC 8259) whose input arrives in pieces.
///
/// Decoding a whole value takes 500 MB for a diary of 60 MB. This parser holds one
/// token, knows line and column for its errors, and limits depth, so a bomb of brackets costs nothing.
package struct JSONReader {
  package enum Token: Equatable, Sendable {
    case beginObject, endObject, beginArray, endArray
    case key(String)
    case string(String)
    /// The digits as written: the reader of the value decides what kind of number it wants.
    case number(String)
    case bool(Bool)
    case null
    /// The end of the text: only white space followed the value.
    case end
  }

  private enum Container { case object, array }
  private enum Expecting { case value, firstValueOrEnd, firstKeyOrEnd, colon, commaOrEnd, nothing }

  private var buffer: [UInt8]
  private var position = 0
  private let refill: (() throws -> [UInt8])?
  private var containers: [Container] = []
  private var expecting = Expecting.value
  private let depthLimit: Int
  package private(set) var line = 1
  private var lineStart = 0
  /// Whether several values may follow one another (JSON Lines).
  private let sequence: Bool

  package init(_ bytes: [UInt8], depthLimit: Int = 64, sequence: Bool = false) {
    buffer = bytes
    refill = nil
    self.depthLimit = depthLimit
    self.sequence = sequence
    skipByteOrderMark()
  }

  /// Reads pieces from `source` until it returns an empty one.
  package init(
    depthLimit: Int = 64, sequence: Bool = false, source: @escaping () throws -> [UInt8]
  ) throws {
    buffer = try source()
    refill = source
    self.depthLimit = depthLimit
    self.sequence = sequence
    skipByteOrderMark()
  }

  private mutating func skipByteOrderMark() {
    if buffer.starts(with: [0xef, 0xbb, 0xbf]) {
      position = 3
      lineStart = 3
    }
  }

  /// The column of the next byte, from 1.
  package var column: Int { position - lineStart + 1 }

  /// How many arrays and objects are open.
  package var depth: Int { containers.count }

  package func error(_ expected: String) -> JSONError {
    JSONError(line: line, column: column, expected: expected)
  }

  private mutating func peek() throws -> UInt8? {
    if position < buffer.count { return buffer[position] }
    guard let refill else { return nil }
    let more = try refill()
    if more.isEmpty { return nil }
    lineStart -= position
    buffer = more
    position = 0
    return buffer[0]
  }

  private mutating func skipSpace() throws {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x09, 0x0d: position += 1
      case 0x0a:
        position += 1
        line += 1
        lineStart = position
      default: return
      }
    }
  }

  /// The next token; ``Token/end`` after the value is complete.
  package mutating func next() throws -> Token {
    try skipSpace()
    switch expecting {
    case .nothing:
      guard try peek() != nil else { return .end }
      guard sequence else { throw error("the end of the text") }
      expecting = .value
      return try value()
    case .colon:
      guard try peek() == UInt8(ascii: ":") else { throw error("':'") }
      position += 1
      expecting = .value
      try skipSpace()
      return try value()
    case .value:
      if sequence, containers.isEmpty, try peek() == nil { return .end }
      return try value()
    case .firstValueOrEnd:
      if try peek() == UInt8(ascii: "]") { return close(.endArray) }
      return try value()
    case .firstKeyOrEnd:
      if try peek() == UInt8(ascii: "}") { return close(.endObject) }
      return try key()
    case .commaOrEnd:
      let inObject = containers.last == .object
      switch try peek() {
      case UInt8(ascii: ","):
        position += 1
        try skipSpace()
        return inObject ? try key() : try value()
      case UInt8(ascii: "}") where inObject: return close(.endObject)
      case UInt8(ascii: "]") where !inObject: return close(.endArray)
      default: throw error(inObject ? "',' or '}'" : "',' or ']'")
      }
    }
  }

  /// Skips one value.
  package mutating func skipValue() throws { try skip(after: try next()) }

  /// Skips the rest of the value that began with `token`.
  package mutating func skip(after token: Token) throws {
    var depth = 0
    var token = token
    while true {
      switch token {
      case .beginArray, .beginObject: depth += 1
      case .endArray, .endObject: depth -= 1
      case .end: throw error("a value")
      default: break
      }
      if depth <= 0 { return }
      token = try next()
    }
  }

  private mutating func close(_ token: Token) -> Token {
    position += 1
    containers.removeLast()
    expecting = containers.isEmpty ? .nothing : .commaOrEnd
    return token
  }

  private mutating func open(_ container: Container) throws -> Token {
    guard containers.count < depthLimit else {
      throw error("at most \(depthLimit) nested values")
    }
    position += 1
    containers.append(container)
    expecting = container == .object ? .firstKeyOrEnd : .firstValueOrEnd
    return container == .object ? .beginObject : .beginArray
  }

  private mutating func key() throws -> Token {
    guard try peek() == UInt8(ascii: "\"") else { throw error("a name in quotes") }
    let name = try string()
    expecting = .colon
    return .key(name)
  }

  private mutating func value() throws -> Token {
    let token: Token
    switch try peek() {
    case UInt8(ascii: "{"): return try open(.object)
    case UInt8(ascii: "["): return try open(.array)
    case UInt8(ascii: "\""): token = .string(try string())
    case UInt8(ascii: "t"): token = try word("true", .bool(true))
    case UInt8(ascii: "f"): token = try word("false", .bool(false))
    case UInt8(ascii: "n"): token = try word("null", .null)
    case .some(UInt8(ascii: "-")), .some(0x30...0x39): token = try number()
    default: throw error("a value")
    }
    expecting = containers.isEmpty ? .nothing : .commaOrEnd
    return token
  }

  private mutating func word(_ text: StaticString, _ token: Token) throws -> Token {
    for index in 0..<text.utf8CodeUnitCount {
      let wanted = unsafe text.utf8Start[index]
      guard try peek() == wanted else { throw error("\(text)") }
      position += 1
    }
    return token
  }

  private mutating func number() throws -> Token {
    var text: [UInt8] = []
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    func digits(_ reader: inout JSONReader) throws {
      guard isDigit(try reader.peek()) else { throw reader.error("a digit") }
      while let byte = try reader.peek(), isDigit(byte) {
        guard text.count < 512 else { throw reader.error("a number of at most 512 digits") }
        text.append(byte)
        reader.position += 1
      }
    }
    if try peek() == UInt8(ascii: "-") {
      text.append(UInt8(ascii: "-"))
      position += 1
    }
    if try peek() == UInt8(ascii: "0") {
      text.append(UInt8(ascii: "0"))
      position += 1
      if isDigit(try peek()) { throw error("no digit after a leading zero") }
    } else {
      try digits(&self)
    }
    if try peek() == UInt8(ascii: ".") {
      text.append(UInt8(ascii: "."))
      position += 1
      try digits(&self)
    }
    if let exponent = try peek(), exponent | 0x20 == UInt8(ascii: "e") {
      text.append(exponent)
      position += 1
      if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        text.append(sign)
        position += 1
      }
      try digits(&self)
    }
    return .number(String(decoding: text, as: UTF8.self))
  }

  private mutating func string() throws -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = try peek() {
      if byte == UInt8(ascii: "\"") {
        guard let whole = String(validating: text, as: UTF8.self) else {
          throw error("UTF-8 text")
        }
        position += 1
        return whole
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
        continue
      }
      guard byte >= 0x20 else { throw error("an escaped control character") }
      // The plain run up to the next quote, escape or control character, at once.
      var end = position + 1
      while end < buffer.count, buffer[end] >= 0x20, buffer[end] != UInt8(ascii: "\""),
        buffer[end] != UInt8(ascii: "\\")
      { end += 1 }
      text.append(contentsOf: buffer[position..<end])
      position = end
    }
    throw error("the closing '\"'")
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    position += 1
    guard let byte = try peek() else { throw error("an escaped character") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      if (0xd800..<0xdc00).contains(unit) {
        guard try peek() == UInt8(ascii: "\\") else { throw error("a low surrogate") }
        position += 1
        guard try peek() == UInt8(ascii: "u") else { throw error("a low surrogate") }
        position += 1
        let low = try hexadecimal()
        guard (0xdc00..<0xe000).contains(low) else { throw error("a low surrogate") }
        unit = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw error("a character") }
      text.append(contentsOf: Array(String(Character(scalar)).utf8))
    default: throw error("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = try peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
