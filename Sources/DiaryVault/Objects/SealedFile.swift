internal import Platform
internal import Sealing

/// A file outside the rows that is sealed once and never changed: chunks of 64 KiB, each sealed on its own under a key that
/// seals nothing else, with its number and whether it is the last in the associated data. Cutting, reordering and
/// exchanging are noticed, and any chunk can be opened alone.
///
/// It names no vault: its bytes are the same wherever it is kept.
enum SealedFile {
  static let chunk = 64 << 10
  static let sealedChunk = chunk + AEAD.overhead

  /// `"FDv2file" ‖ number u32 ‖ last u8`.
  static func associatedData(_ number: Int, isLast: Bool) -> [UInt8] {
    var writer = ByteWriter(reserving: 16)
    writer.put("FDv2file")
    writer.put(UInt32(number))
    writer.put(UInt8(isLast ? 1 : 0))
    return writer.bytes
  }

  static func seal(
    _ plain: RawSpan, _ number: Int, isLast: Bool, key: borrowing SecretBytes,
    randomness: Randomness
  ) -> [UInt8] {
    let data = associatedData(number, isLast: isLast)
    return unsafe AEAD.seal(
      plain, associatedData: data.span.bytes, key: key, randomness: randomness)
  }

  /// The chunks of a file of this many sealed bytes; nil when no file has that length.
  static func chunkCount(sealed size: Int) -> Int? {
    let count = (size + sealedChunk - 1) / sealedChunk
    guard size - (count - 1) * sealedChunk >= AEAD.overhead, count <= Int(UInt32.max) else {
      return nil
    }
    return count
  }

  /// The chunks that so many plain bytes make; an empty file is one empty chunk.
  static func chunkCount(plain size: Int) -> Int { max(1, (size + chunk - 1) / chunk) }

  static func sealedSize(plain size: Int) -> Int { size + chunkCount(plain: size) * AEAD.overhead }

  /// Opens a chunk of a file of `count` chunks.
  ///
  /// - Throws: ``VaultError`` `damaged`.
  static func open(
    _ sealed: RawSpan, _ number: Int, of count: Int, key: borrowing SecretBytes, _ subject: String
  ) throws(VaultError) -> [UInt8] {
    let data = associatedData(number, isLast: number == count - 1)
    return try unsealing(subject) { () throws(SealingError) in
      unsafe try AEAD.open(sealed, associatedData: data.span.bytes, key: key)
    }
  }
}
