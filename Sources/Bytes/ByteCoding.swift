/// Writes the fixed, little-endian binary forms of this project.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 64) {
    bytes.reserveCapacity(capacity)
  }

  // One for each width: a generic one called from another module runs through witness tables, which took
  // a fifth of the time of listing.
  package mutating func put(_ number: UInt8) { bytes.append(number) }
  package mutating func put(_ number: UInt16) { append(UInt64(number), 2) }
  package mutating func put(_ number: UInt32) { append(UInt64(number), 4) }
  package mutating func put(_ number: UInt64) { append(number, 8) }
  package mutating func put(_ number: Int32) { append(UInt64(UInt32(bitPattern: number)), 4) }
  package mutating func put(_ number: Int64) { append(UInt64(bitPattern: number), 8) }

  private mutating func append(_ number: UInt64, _ count: Int) {
    for index in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
    }
  }

  package mutating func put(_ raw: [UInt8]) { bytes.append(contentsOf: raw) }
  package mutating func put(_ raw: ArraySlice<UInt8>) { bytes.append(contentsOf: raw) }
  package mutating func put(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { unsafe bytes.append(text.utf8Start[index]) }
  }

  /// LEB128: seven bits a byte, the least significant first.
  package mutating func putVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A varint of the length, then the bytes.
  package mutating func putCounted(_ raw: [UInt8]) {
    putVarint(UInt64(raw.count))
    put(raw)
  }

  package mutating func putCounted(_ text: String) {
    putVarint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func pad(to count: Int) {
    if bytes.count < count {
      bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
    }
  }
}

/// Reads them back. Every length is checked against the bytes that are left before it is used.
package struct ByteReader: Sendable {
  private let source: [UInt8]
  package private(set) var position: Int
  private let end: Int

  package init(_ source: [UInt8]) { self.init(source, in: 0..<source.count) }

  package init(_ source: [UInt8], in range: Range<Int>) {
    self.source = source
    position = range.lowerBound
    end = range.upperBound
  }

  package var remaining: Int { end - position }
  package var isAtEnd: Bool { position == end }

  package mutating func uint8() throws(SealingError) -> UInt8 { try integer(UInt8.self) }
  package mutating func uint16() throws(SealingError) -> UInt16 { try integer(UInt16.self) }
  package mutating func uint32() throws(SealingError) -> UInt32 { try integer(UInt32.self) }
  package mutating func uint64() throws(SealingError) -> UInt64 { try integer(UInt64.self) }
  /// What is counted up: at most 2⁶³ − 1, so that one more always fits. Nobody gets there by counting.
  package mutating func counter() throws(SealingError) -> UInt64 {
    let counter = try uint64()
    guard counter <= UInt64(Int64.max) else { throw .malformed }
    return counter
  }
  package mutating func int64() throws(SealingError) -> Int64 { try integer(Int64.self) }
  package mutating func int32() throws(SealingError) -> Int32 { try integer(Int32.self) }
  package mutating func float32() throws(SealingError) -> Float {
    Float(bitPattern: try integer(UInt32.self))
  }

  package mutating func integer<Number: FixedWidthInteger>(
    _: Number.Type
  ) throws(SealingError) -> Number {
    let width = Number.bitWidth / 8
    guard remaining >= width else { throw .malformed }
    var value: Number = 0
    for index in 0..<width {
      value |= Number(truncatingIfNeeded: source[position + index]) << (8 * index)
    }
    position += width
    return value
  }

  package mutating func bytes(_ count: Int) throws(SealingError) -> [UInt8] {
    [UInt8](try slice(count))
  }

  package mutating func slice(_ count: Int) throws(SealingError) -> ArraySlice<UInt8> {
    guard count >= 0, remaining >= count else { throw .malformed }
    defer { position += count }
    return source[position..<(position + count)]
  }

  package mutating func varint() throws(SealingError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try uint8()
      // The tenth byte may only hold the one bit that is left.
      if shift == 63, byte > 1 { throw .malformed }
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
      if shift > 63 { throw .malformed }
    }
  }

  package mutating func counted() throws(SealingError) -> [UInt8] {
    let count = try varint()
    guard count <= UInt64(remaining) else { throw .malformed }
    return try bytes(Int(count))
  }

  package mutating func text() throws(SealingError) -> String {
    let count = try varint()
    guard count <= UInt64(remaining) else { throw .malformed }
    guard let text = String(validating: try slice(Int(count)), as: UTF8.self) else {
      throw .malformed
    }
    return text
  }

  package mutating func expect(_ text: StaticString) throws(SealingError) {
    for index in 0..<text.utf8CodeUnitCount {
      let wanted = unsafe text.utf8Start[index]
      guard try uint8() == wanted else { throw .malformed }
    }
  }

  /// Everything up to the end is zero padding.
  package mutating func expectZeros() throws(SealingError) {
    while position < end {
      guard source[position] == 0 else { throw .malformed }
      position += 1
    }
  }

  package func expectEnd() throws(SealingError) {
    guard isAtEnd else { throw .malformed }
  }
}
