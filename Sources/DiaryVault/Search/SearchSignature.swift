internal import Sealing

/// Which pieces of text an entry holds, in 1024 bits: what search asks before opening a body.
///
/// A Bloom filter with one hash over the folded text of title, tags and body: every three characters
/// in a row, or two where one of them is of a script without spaces between words (from U+2E80 on).
/// A word found in the text has all its pieces there, so the filter never loses a hit; shorter words
/// have no piece and open everything. Sealed with the header.
struct SearchSignature: Sendable, Equatable {
  static let byteCount = 128

  let version: UInt8
  let bytes: [UInt8]

  init(texts: [[UInt8]]) {
    version = SearchText.version
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    for text in texts {
      Self.eachBit(of: text) { bytes[$0 >> 3] |= 1 << UInt8($0 & 7) }
    }
    self.bytes = bytes
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    version = try reader.uint8()
    bytes = try reader.bytes(Self.byteCount)
  }

  /// The bits a folded word needs.
  static func bits(of word: [UInt8]) -> [Int] {
    var bits: [Int] = []
    eachBit(of: word) { bits.append($0) }
    return bits
  }

  private static func eachBit(of text: [UInt8], _ body: (Int) -> Void) {
    var two: UInt32 = 0
    var one: UInt32 = 0
    var seen = 0
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let now = scalar.value
      if seen >= 1, one >= 0x2e80 || now >= 0x2e80 { body(bit(0, one, now)) }
      if seen >= 2, two < 0x2e80, one < 0x2e80, now < 0x2e80 { body(bit(two, one, now)) }
      two = one
      one = now
      seen += 1
    }
  }

  /// Three 21-bit characters are one 63-bit number; a multiplication spreads it.
  private static func bit(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> Int {
    var hash = UInt64(a) << 42 | UInt64(b) << 21 | UInt64(c)
    hash = (hash ^ (hash >> 32)) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ (hash >> 29)) &* 0xbf58_476d_1ce4_e5b9
    return Int(hash >> 54)
  }
}
