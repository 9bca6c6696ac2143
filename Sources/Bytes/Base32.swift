/// Crockford's base32: digits and letters without i, l, o, u; read without regard to case, and with
/// i and l as 1, o as 0. Writes lower case; encoded texts sort like the numbers they encode.
package enum Base32 {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The symbols of `bytes`, five bits each, the last one filled with zero bits.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: symbols(of: bytes), as: UTF8.self)
  }

  /// The same as bytes, in one array: who encodes a secret can wipe it.
  package static func symbols(of bytes: [UInt8]) -> [UInt8] {
    let alphabet = alphabet
    var symbols: [UInt8] = []
    symbols.reserveCapacity((bytes.count * 8 + 4) / 5)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        symbols.append(alphabet[Int(buffer >> bits & 31)])
      }
    }
    if bits > 0 { symbols.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
    return symbols
  }

  /// The values of all bytes; 255 for those that are no symbols.
  private static let table: [UInt8] = (0...255).map { (byte: UInt8) in
    let lower = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    switch lower {
    case UInt8(ascii: "i"), UInt8(ascii: "l"): return 1
    case UInt8(ascii: "o"): return 0
    default: return alphabet.firstIndex(of: lower).map(UInt8.init) ?? 255
    }
  }

  /// The value 0…31 of one symbol, nil when the byte is not a symbol.
  package static func value(of symbol: UInt8) -> UInt8? {
    let value = table[Int(symbol)]
    return value < 32 ? value : nil
  }

  /// The five-bit values of `text`, nil when a character is not a symbol.
  package static func values(of text: some StringProtocol) -> [UInt8]? {
    var values: [UInt8] = []
    for symbol in text.utf8 {
      guard let value = value(of: symbol) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The bytes of whole symbols; bits left over must be zero.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let table = table
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 5 / 8)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for symbol in text.utf8 {
      let value = table[Int(symbol)]
      guard value < 32 else { return nil }
      buffer = buffer << 5 | UInt32(value)
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
        buffer &= (1 << bits) - 1
      }
    }
    guard bits < 5, buffer == 0 else { return nil }
    return bytes
  }
}
