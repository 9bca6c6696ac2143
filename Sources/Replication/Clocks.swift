internal import Bytes

/// An operation, by where a replica keeps it: a name of this replica alone, never written anywhere.
///
/// Two segments with the same device and number, which a clone makes, are two here: the code does
/// not assume that only one device uses an id.
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
