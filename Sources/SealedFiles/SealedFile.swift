package import Bytes
package import Entries
package import Sealing

/// A file outside the rows that is sealed once and never changed: chunks of 64 KiB, each sealed on its own under a key that
/// seals nothing else, with its number and whether it is the last for a nonce. Cutting, reordering and exchanging are
/// noticed, and any chunk can be opened alone.
///
/// It names no vault: its bytes are the same wherever it is kept.
package enum SealedFile {
  package static let chunk = 64 << 10
  package static let sealedChunk = chunk + AEAD.tagBytes
  private static let associatedData = Array("FDv2file".utf8)

  /// `number u32 ‖ last u8 ‖ zeros`, 24 bytes.
  private static func nonce(_ number: Int, isLast: Bool) -> [UInt8] {
    var writer = ByteWriter(reserving: AEAD.nonceBytes)
    writer.put(UInt32(number))
    writer.put(UInt8(isLast ? 1 : 0))
    writer.pad(to: AEAD.nonceBytes)
    return writer.bytes
  }

  /// Seals the chunks that these bytes make, numbered from `first`, and puts them behind what `sealed` has.
  ///
  /// - Parameter isLast: whether they end the file; else the bytes are whole chunks.
  package static func seal(
    _ plain: RawSpan, _ first: Int, isLast: Bool, key: borrowing SecretBytes,
    onto sealed: inout [UInt8]
  ) {
    let count = chunkCount(plain: plain.byteCount)
    for index in 0..<count {
      let start = index * chunk
      let nonce = nonce(first + index, isLast: isLast && index == count - 1)
      unsafe AEAD.seal(
        plain.extracting(start..<min(plain.byteCount, start + chunk)), nonce: nonce.span.bytes,
        associatedData: associatedData.span.bytes, key: key, onto: &sealed)
    }
  }

  /// The chunks of a file of this many sealed bytes; nil when no file has that length.
  package static func chunkCount(sealed size: Int) -> Int? {
    let count = (size + sealedChunk - 1) / sealedChunk
    guard size - (count - 1) * sealedChunk >= AEAD.tagBytes, count <= Int(UInt32.max) else {
      return nil
    }
    return count
  }

  /// The chunks that so many plain bytes make; an empty file is one empty chunk.
  static func chunkCount(plain size: Int) -> Int { max(1, (size + chunk - 1) / chunk) }

  package static func sealedSize(plain size: Int) -> Int {
    size + chunkCount(plain: size) * AEAD.tagBytes
  }

  /// Opens a chunk of a file of `count` chunks into memory of the caller's; false when it is not that chunk.
  static func open(
    _ sealed: RawSpan, _ number: Int, of count: Int, key: borrowing SecretBytes,
    into plain: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let nonce = nonce(number, isLast: number == count - 1)
    return unsafe AEAD.open(
      sealed, nonce: nonce.span.bytes, associatedData: associatedData.span.bytes, key: key,
      into: plain)
  }

  package static func open(
    _ sealed: RawSpan, _ number: Int, of count: Int, key: borrowing SecretBytes
  ) throws(SealingError) -> [UInt8] {
    guard sealed.byteCount >= AEAD.tagBytes else { throw .notAuthentic }
    var isRight = false
    let plain = unsafe [UInt8](unsafeUninitializedCapacity: sealed.byteCount - AEAD.tagBytes) {
      out, size in
      isRight = unsafe open(
        sealed, number, of: count, key: key, into: UnsafeMutableRawBufferPointer(out))
      size = isRight ? sealed.byteCount - AEAD.tagBytes : 0
    }
    guard isRight else { throw .notAuthentic }
    return plain
  }
}

extension SealedAttachment {
  /// The sealed bytes of its object.
  package var sealedSize: Int {
    SealedFile.sealedSize(plain: Attachment.padded(attachment.size))
  }
}
