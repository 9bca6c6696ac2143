/// Names a space, an entry of a diary or one of its registers: 128 bits.
package struct Identity: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func < (one: Identity, other: Identity) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}

/// BLAKE2b-256 of an object's bytes: its name in the store.
///
/// Four numbers, not an array, because a place with 100,000 files needs a set of 100,000 hashes.
package struct Hash: Hashable, Comparable, Sendable {
  package static let count = 32
  /// Its bytes, the most significant first.
  let words: (UInt64, UInt64, UInt64, UInt64)

  /// - Parameter bytes: 32 of them.
  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.count, "a hash has 32 bytes")
    func word(_ start: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in start..<(start + 8) { word = word << 8 | UInt64(bytes[index]) }
      return word
    }
    words = (word(0), word(8), word(16), word(24))
  }

  package static func == (one: Hash, other: Hash) -> Bool { one.words == other.words }

  /// Half of the bytes are enough: finding two objects that agree in them takes 2^64 tries.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  /// The order of the bytes.
  package static func < (one: Hash, other: Hash) -> Bool { one.words < other.words }
}

/// Names a device of a space: a hash of its public keys, so that nobody can have the name and other keys.
package typealias DeviceID = Hash

/// The end of a device's log, as somebody knew it.
package struct LogEnd: Hashable, Comparable, Sendable {
  package let device: DeviceID
  /// Of the segment, from 1.
  package let sequence: UInt64
  package let hash: Hash

  package init(device: DeviceID, sequence: UInt64, hash: Hash) {
    self.device = device
    self.sequence = sequence
    self.hash = hash
  }

  package static func < (one: LogEnd, other: LogEnd) -> Bool {
    (one.device, one.sequence, one.hash) < (other.device, other.sequence, other.hash)
  }
}

extension Identity {
  package func encode(to writer: inout ByteWriter) {
    writer.put(high)
    writer.put(low)
  }

  package init(_ reader: inout ByteReader) throws(SealingError) {
    self.init(high: try reader.uint64(), low: try reader.uint64())
  }
}

extension Hash {
  package func encode(to writer: inout ByteWriter) {
    writer.put(words.0.byteSwapped)
    writer.put(words.1.byteSwapped)
    writer.put(words.2.byteSwapped)
    writer.put(words.3.byteSwapped)
  }

  package init(_ reader: inout ByteReader) throws(SealingError) {
    self.init(try reader.bytes(Self.count))
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: Self.count)
    encode(to: &writer)
    return writer.bytes
  }
}
