package import Bytes
internal import CSodium

/// The recovery code: 128 random bits and a 12-bit checksum, written as 28 symbols of Crockford
/// base32 in seven groups of four.
///
/// 128 bits cannot be guessed, so no slow hash is needed; the checksum tells a slip of the pen from a
/// wrong code before anything is tried.
package enum RecoveryCode {
  package static let symbols = 28
  package static let secretBytes = 16

  /// A new code.
  package static func make() throws(SealingError) -> SecretBytes { try .random(secretBytes) }

  /// `XXXX-XXXX-…`: the text to write down, itself in secret memory, 34 ASCII characters.
  ///
  /// - Parameter rest: what is written behind it, so that a slip of the pen there is noticed as well.
  package static func text(
    of code: borrowing SecretBytes, before rest: [UInt8] = []
  ) throws(SealingError) -> SecretBytes {
    precondition(code.count == secretBytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(secretBytes + 2)
    unsafe code.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    defer { bytes.wipe() }
    let sum = checksum(bytes, rest)
    // 128 bits, then 12: 17.5 bytes, so the last symbol's bits come out even at 140.
    bytes += [UInt8(sum >> 4), UInt8(truncatingIfNeeded: sum << 4)]
    var symbols = Base32.symbols(of: bytes)
    defer { symbols.wipe() }
    var grouped: [UInt8] = []
    // A longer one would be copied as it grows, and leave what it was.
    grouped.reserveCapacity(Self.symbols + 6)
    for (index, symbol) in symbols.prefix(Self.symbols).enumerated() {
      if index > 0, index % 4 == 0 { grouped.append(UInt8(ascii: "-")) }
      grouped.append(symbol >= 0x61 ? symbol & ~0x20 : symbol)
    }
    return try SecretBytes(wiping: &grouped)
  }

  /// Whether it is written in the groups in which a code is shown: seven of four symbols, with hyphens or spaces between them.
  package static func isInGroups(_ typed: borrowing SecretBytes) -> Bool {
    unsafe typed.withUnsafeBytes { typed in
      guard typed.count == symbols / 4 * 5 - 1 else { return false }
      return typed.indices.allSatisfy { index in
        let isBetween = unsafe typed[index] == UInt8(ascii: "-") || typed[index] == 0x20
        return isBetween == (index % 5 == 4)
      }
    }
  }

  /// Reads a code as a person typed it: any case, with or without hyphens and spaces.
  ///
  /// - Throws: ``SealingError/malformed`` when it is not 28 symbols with a right checksum.
  package static func parse(
    _ typed: borrowing SecretBytes, before rest: [UInt8] = []
  ) throws(SealingError) -> SecretBytes {
    var values: [UInt8] = []
    defer { values.wipe() }
    var bad = false
    unsafe typed.withUnsafeBytes { typed in
      for index in typed.indices {
        let symbol = unsafe typed[index]
        if symbol == UInt8(ascii: "-") || symbol == 0x20 || symbol == 0x0a || symbol == 0x0d {
          continue
        }
        guard let value = Base32.value(of: symbol) else {
          bad = true
          return
        }
        values.append(value)
      }
    }
    guard !bad, values.count == symbols else { throw .malformed }
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for value in values {
      buffer = (buffer << 5 | UInt32(value)) & 0xfff
      bits += 5
      if bits >= 8, bytes.count < secretBytes {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    // After 128 bits the 12 of the checksum remain in the buffer.
    guard UInt16(buffer) == checksum(bytes, rest) else {
      bytes.wipe()
      throw .malformed
    }
    return try SecretBytes(wiping: &bytes)
  }

  private static func checksum(_ bytes: [UInt8], _ rest: [UInt8]) -> UInt16 {
    var whole = bytes
    whole.reserveCapacity(bytes.count + rest.count)
    whole += rest
    defer { whole.wipe() }
    let digest = Digest.blake2b(whole, count: 16, domain: "FDv1 recovery checksum")
    return UInt16(digest[0]) << 4 | UInt16(digest[1] >> 4)
  }
}
