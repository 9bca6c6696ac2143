internal import Bytes
internal import Sealing

/// A sealed row as its parent knows it: nonce ‖ tag, 40 bytes. Another row cannot stand in for it, nor
/// an older version of the same one.
struct Ref: Hashable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64)

  static let byteCount = 40

  /// Of no blob.
  static let none = Ref()

  private init() { words = (0, 0, 0, 0, 0) }

  /// The ref of a sealed blob, nil when it is too short to be one.
  init?(sealed: RawSpan) {
    guard sealed.byteCount >= AEAD.overhead else { return nil }
    let tag = sealed.byteCount - AEAD.tagBytes
    words = (
      Self.word(sealed, 0), Self.word(sealed, 8), Self.word(sealed, 16),
      Self.word(sealed, tag), Self.word(sealed, tag + 8)
    )
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    words = (
      try reader.uint64(), try reader.uint64(), try reader.uint64(), try reader.uint64(),
      try reader.uint64()
    )
  }

  func write(to writer: inout ByteWriter) {
    writer.put(words.0)
    writer.put(words.1)
    writer.put(words.2)
    writer.put(words.3)
    writer.put(words.4)
  }

  private static func word(_ span: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  static func == (one: Ref, other: Ref) -> Bool { one.words == other.words }
  func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
