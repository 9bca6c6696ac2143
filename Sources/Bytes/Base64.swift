internal import CSodium

/// Base64 (RFC 4648) by libsodium.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let variant = sodium_base64_VARIANT_ORIGINAL
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return text.dropLast().map { UInt8(bitPattern: $0) }
  }

  /// Returns nil if `text` is not Base64. Characters that are not symbols are ignored: white space,
  /// and anything that a web page inserted.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let symbols = text.utf8.filter(isSymbol).map { CChar(truncatingIfNeeded: $0) }
    var bytes = [UInt8](repeating: 0, count: symbols.count / 4 * 3 + 3)
    var count = 0
    let failed = unsafe sodium_base642bin(
      &bytes, bytes.count, symbols, symbols.count, nil, &count, nil,
      sodium_base64_VARIANT_ORIGINAL)
    return failed == 0 ? Array(bytes[..<count]) : nil
  }

  private static func isSymbol(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f, 0x3d: true
    default: false
    }
  }
}
