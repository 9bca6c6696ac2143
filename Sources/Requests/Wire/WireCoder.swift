internal import Bytes

/// Values as bytes, for messages between processes of one version: small, quick, and bounded when read.
///
/// `nil 0 · false 1 · true 2 · integer 3 (zigzag varint) · unsigned 4 (varint) · double 5 (8 bytes) · text 6 · bytes 7
/// · list 8 (count, values) · record 9 (count, key and value)`.
package enum WireValue {
  case null
  case flag(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case text(String)
  case bytes([UInt8])
  case list([WireValue])
  case record([(String, WireValue)])

  func write(to writer: inout ByteWriter) {
    switch self {
    case .null: writer.put(UInt8(0))
    case .flag(let flag): writer.put(UInt8(flag ? 2 : 1))
    case .integer(let number):
      writer.put(UInt8(3))
      writer.putVarint(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    case .unsigned(let number):
      writer.put(UInt8(4))
      writer.putVarint(number)
    case .double(let number):
      writer.put(UInt8(5))
      writer.put(number.bitPattern)
    case .text(let text):
      writer.put(UInt8(6))
      writer.putCounted(text)
    case .bytes(let bytes):
      writer.put(UInt8(7))
      writer.putCounted(bytes)
    case .list(let values):
      writer.put(UInt8(8))
      writer.putVarint(UInt64(values.count))
      for value in values { value.write(to: &writer) }
    case .record(let members):
      writer.put(UInt8(9))
      writer.putVarint(UInt64(members.count))
      for (key, value) in members {
        writer.putCounted(key)
        value.write(to: &writer)
      }
    }
  }

  /// - Parameter left: how many values may still come: each takes memory that its bytes do not show.
  init(_ reader: inout ByteReader, left: inout Int, depth: Int = 0) throws(SealingError) {
    left -= 1
    guard left >= 0, depth < 32 else { throw .malformed }
    switch try reader.uint8() {
    case 0: self = .null
    case 1: self = .flag(false)
    case 2: self = .flag(true)
    case 3:
      let raw = try reader.varint()
      self = .integer(Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1))
    case 4: self = .unsigned(try reader.varint())
    case 5: self = .double(Double(bitPattern: try reader.uint64()))
    case 6: self = .text(try reader.text())
    case 7: self = .bytes(try reader.bytes(Int(clamping: try reader.varint())))
    case 8:
      var values: [WireValue] = []
      for _ in 0..<(try Self.count(&reader, left)) {
        values.append(try WireValue(&reader, left: &left, depth: depth + 1))
      }
      self = .list(values)
    case 9:
      var members: [(String, WireValue)] = []
      for _ in 0..<(try Self.count(&reader, left)) {
        let key = try reader.text()
        members.append((key, try WireValue(&reader, left: &left, depth: depth + 1)))
      }
      self = .record(members)
    default: throw .malformed
    }
  }

  private static func count(_ reader: inout ByteReader, _ left: Int) throws(SealingError) -> Int {
    let count = Int(clamping: try reader.varint())
    guard count <= left else { throw .malformed }
    return count
  }
}

/// Encodes and decodes what is `Codable`.
package enum Wire {
  /// Values of a message from a client: its fields, and the entries it names.
  package static let requestLimit = 200_000
  /// Of an answer, which comes from a process we started.
  static let answerLimit = 8_000_000

  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    try WireEncoder.value(of: value).write(to: &writer)
    return writer.bytes
  }

  package static func value(of value: some Encodable) throws -> WireValue {
    try WireEncoder.value(of: value)
  }

  package static func decode<Value: Decodable>(
    _: Value.Type, from value: WireValue
  ) throws -> Value {
    try WireDecoder(value: value).decode(Value.self)
  }

  package static func decode<Value: Decodable>(
    _: Value.Type, from bytes: [UInt8], limit: Int = answerLimit
  ) throws -> Value {
    var reader = ByteReader(bytes)
    var left = limit
    let value = try WireValue(&reader, left: &left)
    try reader.expectEnd()
    return try WireDecoder(value: value).decode(Value.self)
  }
}

/// Where a container under construction puts what it has.
private final class WireBox {
  var value = WireValue.null
  var members: [(String, WireBox)]?
  var elements: [WireBox]?

  var whole: WireValue {
    if let members { return .record(members.map { ($0.0, $0.1.whole) }) }
    if let elements { return .list(elements.map(\.whole)) }
    return value
  }
}

private struct WireEncoder: Encoder {
  let box: WireBox
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  static func value(of value: some Encodable) throws -> WireValue {
    let box = WireBox()
    try put(value, in: box)
    return box.whole
  }

  static func put(_ value: some Encodable, in box: WireBox) throws {
    // By type, not by cast: an empty list of anything can be cast to bytes.
    if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] {
      box.value = .bytes(bytes)
    } else if type(of: value) == String.self, let text = value as? String {
      box.value = .text(text)
    } else {
      try value.encode(to: WireEncoder(box: box))
    }
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    if box.members == nil { box.members = [] }
    return KeyedEncodingContainer(Keyed<Key>(box: box))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    box.elements = []
    return Unkeyed(box: box)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(box: box) }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let box: WireBox
    let codingPath: [any CodingKey] = []

    private func member(_ key: Key) -> WireBox {
      let made = WireBox()
      box.members?.append((key.stringValue, made))
      return made
    }

    func encodeNil(forKey key: Key) { _ = member(key) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
      try WireEncoder.put(value, in: member(key))
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      WireEncoder(box: member(key)).container(keyedBy: Nested.self)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      WireEncoder(box: member(key)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { WireEncoder(box: box) }
    func superEncoder(forKey key: Key) -> any Encoder { WireEncoder(box: member(key)) }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let box: WireBox
    let codingPath: [any CodingKey] = []
    var count: Int { box.elements?.count ?? 0 }

    private func element() -> WireBox {
      let made = WireBox()
      box.elements?.append(made)
      return made
    }

    func encodeNil() { _ = element() }
    func encode(_ value: some Encodable) throws { try WireEncoder.put(value, in: element()) }
    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested>
    {
      WireEncoder(box: element()).container(keyedBy: Nested.self)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      WireEncoder(box: element()).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { WireEncoder(box: element()) }
  }

  struct Single: SingleValueEncodingContainer {
    let box: WireBox
    let codingPath: [any CodingKey] = []

    func encodeNil() { box.value = .null }
    func encode(_ value: Bool) { box.value = .flag(value) }
    func encode(_ value: String) { box.value = .text(value) }
    func encode(_ value: Double) { box.value = .double(value) }
    func encode(_ value: Float) { box.value = .double(Double(value)) }
    func encode(_ value: Int) { box.value = .integer(Int64(value)) }
    func encode(_ value: Int8) { box.value = .integer(Int64(value)) }
    func encode(_ value: Int16) { box.value = .integer(Int64(value)) }
    func encode(_ value: Int32) { box.value = .integer(Int64(value)) }
    func encode(_ value: Int64) { box.value = .integer(value) }
    func encode(_ value: UInt) { box.value = .unsigned(UInt64(value)) }
    func encode(_ value: UInt8) { box.value = .unsigned(UInt64(value)) }
    func encode(_ value: UInt16) { box.value = .unsigned(UInt64(value)) }
    func encode(_ value: UInt32) { box.value = .unsigned(UInt64(value)) }
    func encode(_ value: UInt64) { box.value = .unsigned(value) }
    func encode(_ value: some Encodable) throws { try WireEncoder.put(value, in: box) }
  }
}

private struct WireDecoder: Decoder {
  let value: WireValue
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func decode<Value: Decodable>(_: Value.Type) throws -> Value {
    if Value.self == [UInt8].self, case .bytes(let bytes) = value, let result = bytes as? Value {
      return result
    }
    return try Value(from: self)
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .record(let members) = value else { throw SealingError.malformed }
    return KeyedDecodingContainer(
      Keyed<Key>(members: Dictionary(members) { first, _ in first }))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw SealingError.malformed }
    return Unkeyed(values: values)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(value: value) }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: WireValue]
    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    private func member(_ key: Key) throws -> WireValue {
      guard let value = members[key.stringValue] else { throw SealingError.malformed }
      return value
    }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool {
      if case .null = try member(key) { true } else { false }
    }
    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
      try WireDecoder(value: try member(key)).decode(Value.self)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try WireDecoder(value: try member(key)).container(keyedBy: Nested.self)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try WireDecoder(value: try member(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { throw SealingError.malformed }
    func superDecoder(forKey key: Key) throws -> any Decoder {
      WireDecoder(value: try member(key))
    }
  }

  struct Unkeyed: UnkeyedDecodingContainer {
    let values: [WireValue]
    let codingPath: [any CodingKey] = []
    var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    private mutating func next() throws -> WireValue {
      guard currentIndex < values.count else { throw SealingError.malformed }
      currentIndex += 1
      return values[currentIndex - 1]
    }

    mutating func decodeNil() throws -> Bool {
      guard currentIndex < values.count, case .null = values[currentIndex] else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value {
      try WireDecoder(value: try next()).decode(Value.self)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try WireDecoder(value: try next()).container(keyedBy: Nested.self)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try WireDecoder(value: try next()).unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { WireDecoder(value: try next()) }
  }

  struct Single: SingleValueDecodingContainer {
    let value: WireValue
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { if case .null = value { true } else { false } }
    func decode(_: Bool.Type) throws -> Bool {
      guard case .flag(let flag) = value else { throw SealingError.malformed }
      return flag
    }
    func decode(_: String.Type) throws -> String {
      guard case .text(let text) = value else { throw SealingError.malformed }
      return text
    }
    func decode(_: Double.Type) throws -> Double {
      switch value {
      case .double(let number): return number
      // As people write it.
      case .integer(let number): return Double(number)
      default: throw SealingError.malformed
      }
    }
    func decode(_: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_: Int.Type) throws -> Int { try integer() }
    func decode(_: Int8.Type) throws -> Int8 { try integer() }
    func decode(_: Int16.Type) throws -> Int16 { try integer() }
    func decode(_: Int32.Type) throws -> Int32 { try integer() }
    func decode(_: Int64.Type) throws -> Int64 { try integer() }
    func decode(_: UInt.Type) throws -> UInt { try integer() }
    func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_: UInt64.Type) throws -> UInt64 { try integer() }
    func decode<Value: Decodable>(_: Value.Type) throws -> Value {
      try WireDecoder(value: value).decode(Value.self)
    }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
      let number: Number? =
        switch value {
        case .integer(let number): Number(exactly: number)
        case .unsigned(let number): Number(exactly: number)
        default: nil
        }
      guard let number else { throw SealingError.malformed }
      return number
    }
  }
}
