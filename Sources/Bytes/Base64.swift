internal import CSodium

/// Base64 (RFC 4648) by libsodium.
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let variant = sodium_base64_VARIANT_ORIGINAL
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return text.dropLast().map { UInt8(bitPattern: $0) }
  }

  /// Nil for what is none; white space does not count.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let symbols = text.utf8.filter { $0 > 0x20 }.map { CChar(truncatingIfNeeded: $0) }
    var bytes = [UInt8](repeating: 0, count: symbols.count / 4 * 3 + 3)
    var count = 0
    let failed = unsafe sodium_base642bin(
      &bytes, bytes.count, symbols, symbols.count, nil, &count, nil,
      sodium_base64_VARIANT_ORIGINAL)
    return failed == 0 ? Array(bytes[..<count]) : nil
  }
}
