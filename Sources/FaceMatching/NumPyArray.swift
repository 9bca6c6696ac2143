/// NumPy's `.npy`: magic, version, header (a Python dictionary), data.
///
/// Format: numpy.lib.format, versions 1.0, 2.0 and 3.0.
enum NumPyArray {
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  private enum Element {
    case float16, float32, float64

    var width: Int {
      switch self {
      case .float16: 2
      case .float32: 4
      case .float64: 8
      }
    }
  }

  static func rows(_ bytes: [UInt8], source: String) throws(VectorError) -> [[Float]] {
    guard bytes.count >= 10 else {
      throw VectorError(.truncated(expected: 10, found: bytes.count), in: source)
    }
    let major = bytes[6]
    guard (1...3).contains(major) else {
      throw VectorError(.malformed(at: "byte 6", expected: "npy version 1, 2 or 3"), in: source)
    }
    let lengthBytes = major == 1 ? 2 : 4
    let headerStart = 8 + lengthBytes
    guard bytes.count >= headerStart else {
      throw VectorError(.truncated(expected: headerStart, found: bytes.count), in: source)
    }
    var headerLength = 0
    for index in 0..<lengthBytes { headerLength |= Int(bytes[8 + index]) << (8 * index) }
    guard headerLength <= 65536 else {
      throw VectorError(
        .malformed(at: "byte 8", expected: "a header of at most 65536 bytes"), in: source)
    }
    let dataStart = headerStart + headerLength
    guard bytes.count >= dataStart else {
      throw VectorError(.truncated(expected: dataStart, found: bytes.count), in: source)
    }
    var header = NumPyHeader(
      Array(bytes[headerStart..<dataStart]), offset: headerStart, source: source)
    try header.parse()
    let (element, bigEndian) = try element(of: header.descr, source: source)
    let shape = header.shape
    guard shape.count == 1 || shape.count == 2 else {
      throw VectorError(.shape("(\(shape.map(String.init).joined(separator: ", ")))"), in: source)
    }
    if header.fortranOrder, shape.count == 2, shape[0] > 1, shape[1] > 1 {
      throw VectorError(.fortranOrder, in: source)
    }
    let rowCount = shape.count == 1 ? 1 : shape[0]
    let columns = shape[shape.count - 1]
    let (values, overflow) = rowCount.multipliedReportingOverflow(by: columns)
    let (size, overflow2) = values.multipliedReportingOverflow(by: element.width)
    let (end, overflow3) = dataStart.addingReportingOverflow(size)
    guard !overflow, !overflow2, !overflow3 else {
      throw VectorError(.shape("(\(shape.map(String.init).joined(separator: ", ")))"), in: source)
    }
    guard values > 0 else { throw VectorError(.empty, in: source) }
    guard Embedding.dimensions.contains(columns) else {
      throw VectorError(.dimension(columns), in: source)
    }
    guard bytes.count >= end else {
      throw VectorError(.truncated(expected: end, found: bytes.count), in: source)
    }
    guard bytes.count == end else { throw VectorError(.trailingBytes(at: end), in: source) }
    return (0..<rowCount).map { row in
      (0..<columns).map { column in
        let at = dataStart + (row * columns + column) * element.width
        return number(bytes, at: at, element, bigEndian)
      }
    }
  }

  private static func element(
    of descr: String, source: String
  ) throws(VectorError) -> (Element, bigEndian: Bool) {
    if descr.contains("O") { throw VectorError(.pickled, in: source) }
    let order = descr.first
    guard order == "<" || order == ">" || order == "=" || order == "|" else {
      throw VectorError(.elementType(descr), in: source)
    }
    let bigEndian = order == ">"
    switch descr.dropFirst() {
    case "f2": return (.float16, bigEndian)
    case "f4": return (.float32, bigEndian)
    case "f8": return (.float64, bigEndian)
    default: throw VectorError(.elementType(descr), in: source)
    }
  }

  private static func number(
    _ bytes: [UInt8], at start: Int, _ element: Element, _ bigEndian: Bool
  ) -> Float {
    var bits: UInt64 = 0
    for index in 0..<element.width {
      let byte = bytes[start + (bigEndian ? index : element.width - 1 - index)]
      bits = bits << 8 | UInt64(byte)
    }
    switch element {
    case .float16: return float(half: UInt16(bits))
    case .float32: return Float(bitPattern: UInt32(bits))
    case .float64: return Float(Double(bitPattern: bits))
    }
  }

  /// IEEE 754 binary16 as float32, exactly. (`Float16` does not exist on every platform.)
  static func float(half bits: UInt16) -> Float {
    let sign: Float = bits >> 15 == 1 ? -1 : 1
    let exponent = Int(bits >> 10 & 31)
    let fraction = Float(bits & 1023)
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * (1 + fraction / 1024)
        * Float(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }
}

/// The header's dictionary: `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 128), }`.
///
/// A reader of just that, so nothing in a header is ever evaluated.
private struct NumPyHeader {
  private let bytes: [UInt8]
  private let offset: Int
  private let source: String
  private var position = 0
  private(set) var descr = ""
  private(set) var fortranOrder = false
  private(set) var shape: [Int] = []

  init(_ bytes: [UInt8], offset: Int, source: String) {
    self.bytes = bytes
    self.offset = offset
    self.source = source
  }

  mutating func parse() throws(VectorError) {
    var seen: Set<String> = []
    try expect("{")
    while !accept("}") {
      let key = try string()
      try expect(":")
      switch key {
      case "descr":
        // A list here is a structured type.
        if peek() == UInt8(ascii: "[") { throw VectorError(.elementType("structured"), in: source) }
        descr = try string()
      case "fortran_order": fortranOrder = try boolean()
      case "shape": shape = try tuple()
      default: throw bad("'descr', 'fortran_order' or 'shape'")
      }
      guard seen.insert(key).inserted else { throw bad("each key once") }
      if !accept(",") {
        try expect("}")
        break
      }
    }
    guard seen.count == 3 else { throw bad("'descr', 'fortran_order' and 'shape'") }
    skipSpace()
    guard position == bytes.count else { throw bad("the end of the header") }
  }

  private func bad(_ expected: String) -> VectorError {
    VectorError(.malformed(at: "byte \(offset + position)", expected: expected), in: source)
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x0a {
      position += 1
    }
  }

  private mutating func peek() -> UInt8? {
    skipSpace()
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(VectorError) {
    guard accept(character) else { throw bad("'\(character)'") }
  }

  private mutating func string() throws(VectorError) -> String {
    guard let quote = peek(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw bad("a quoted word")
    }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote { position += 1 }
    guard position < bytes.count, position - start <= 64 else { throw bad("the closing quote") }
    defer { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func boolean() throws(VectorError) -> Bool {
    _ = peek()
    for (word, value) in [("True", true), ("False", false)]
    where bytes[position...].starts(with: Array(word.utf8)) {
      position += word.utf8.count
      return value
    }
    throw bad("True or False")
  }

  private mutating func tuple() throws(VectorError) -> [Int] {
    try expect("(")
    var numbers: [Int] = []
    while !accept(")") {
      _ = peek()
      let start = position
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
      let digits = String(decoding: bytes[start..<position], as: UTF8.self)
      guard let number = Int(digits) else { throw bad("a count that fits a machine word") }
      numbers.append(number)
      guard numbers.count <= 8 else { throw bad("at most 8 dimensions") }
      if !accept(",") {
        try expect(")")
        break
      }
    }
    return numbers
  }
}
