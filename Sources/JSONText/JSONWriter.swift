/// Writes JSON into bytes, one value after the other, keys in the order they are given.
package struct JSONWriter: Sendable {
  package var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  package mutating func key(_ name: String) {
    comma()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func value(_ text: String?) {
    guard let text else { return null() }
    comma()
    quote(text)
  }

  package mutating func value(_ number: Int?) {
    guard let number else { return null() }
    raw(String(number))
  }

  package mutating func value(_ flag: Bool?) {
    guard let flag else { return null() }
    raw(flag ? "true" : "false")
  }

  /// The shortest decimal form that reads back as the same number; null when it is not finite.
  package mutating func value(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    raw(number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)")
  }

  package mutating func value(_ number: Float?) {
    guard let number, number.isFinite else { return null() }
    raw(number == number.rounded() && abs(number) < 1e7 ? String(Int(number)) : "\(number)")
  }

  package mutating func value(_ texts: [String]) {
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  package mutating func null() { raw("null") }

  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    self.value(value)
  }
  package mutating func member(_ name: String, _ value: Int?) {
    key(name)
    self.value(value)
  }
  package mutating func member(_ name: String, _ value: UInt64) {
    key(name)
    raw(String(value))
  }
  package mutating func member(_ name: String, _ value: Bool?) {
    key(name)
    self.value(value)
  }
  package mutating func member(_ name: String, _ value: Double?) {
    key(name)
    self.value(value)
  }
  package mutating func member(_ name: String, _ value: Float?) {
    key(name)
    self.value(value)
  }
  package mutating func member(_ name: String, _ value: [String]) {
    key(name)
    self.value(value)
  }

  private mutating func open(_ bracket: UInt8) {
    comma()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func raw(_ text: String) {
    comma()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts need nothing of what follows.
    let isPlain = text.utf8.allSatisfy {
      // Of what is not ASCII, only what begins with these can be a control.
      $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c && $0 != 0x7f && $0 != 0xc2 && $0 != 0xd8
        && $0 != 0xe2
    }
    if isPlain {
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\""))
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: bytes += [UInt8(ascii: "\\"), 0x22]
      case 0x5c: bytes += [0x5c, 0x5c]
      case 0x0a: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0d: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      // Control characters and bidirectional marks: JSON allows most of them unescaped, but they would act on a terminal.
      case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x206f:
        bytes += Array("\\u".utf8)
        for shift in [12, 8, 4, 0] {
          bytes.append(Self.digits[Int(scalar.value >> UInt32(shift)) & 15])
        }
      default: bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONWriter {
  /// The bytes of one object, whose members `body` writes.
  package static func object(_ body: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    try body(&json)
    json.endObject()
    return json.bytes
  }

  /// An array of objects, whose members `body` writes.
  package mutating func array<Element>(
    _ list: some Sequence<Element>, _ body: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    beginArray()
    for element in list {
      beginObject()
      try body(&self, element)
      endObject()
    }
    endArray()
  }

  /// A member that is an array of objects.
  package mutating func member<Element>(
    _ name: String, array list: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    key(name)
    try array(list, body)
  }

  /// A member that is an object; null when `value` is nil.
  package mutating func member<Value>(
    _ name: String, object value: Value?, _ body: (inout JSONWriter, Value) throws -> Void
  ) rethrows {
    key(name)
    guard let value else { return null() }
    beginObject()
    try body(&self, value)
    endObject()
  }
}
