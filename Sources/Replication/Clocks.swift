/// Names a device, an entry of a diary or one of its registers: 128 random bits.
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
/// Four numbers and no array: a place with 100,000 files is a set of 100,000 of them.
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

  /// Half of it does: two objects alike in that half are 2^64 tries away.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  /// The order of the bytes.
  package static func < (one: Hash, other: Hash) -> Bool { one.words < other.words }
}

/// An operation, by where a replica keeps it: a name of this replica alone, never written anywhere.
///
/// Two segments of one device and number, which a clone makes, are two here: nothing rests on a device's id being used
/// by one device.
package struct Dot: Hashable, Sendable {
  package let segment: Int
  package let index: Int

  package init(segment: Int, index: Int) {
    self.segment = segment
    self.index = index
  }
}

/// An operation's place in an order that every replica computes alike: Lamport's number, which agrees with what was seen,
/// then the segment's hash.
package struct Stamp: Comparable, Sendable {
  let lamport: UInt64
  /// nil for what no segment holds yet, which is newer than everything.
  let hash: Hash?
  let index: Int

  package static func < (one: Stamp, other: Stamp) -> Bool {
    if one.lamport != other.lamport { return one.lamport < other.lamport }
    if one.hash == other.hash { return one.index < other.index }
    guard let hash = one.hash else { return false }
    return other.hash.map { hash < $0 } ?? true
  }
}
