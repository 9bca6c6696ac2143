package import Bytes

/// A field of an entry, by its number in the vault's table of fields.
package typealias Field = UInt8

/// A digest of a state, for comparing.
package typealias StateDigest = [UInt8]

/// What becomes of values that devices gave a field without knowing of one another.
package enum MergeRule: Sendable {
  /// All of them stay, and more than one distinct value is a conflict inside the entry: a title, a text.
  case all
  /// The one with the highest stamp stays: a date, a star.
  case newest
  /// Each value is an element, and one that was added stays: tags.
  case elements
  /// As ``newest``, but an entry leaves the trash when it gets a text that the device which trashed it had not seen.
  case trash
}

/// A value of a field, by the operation that gave it.
package struct Candidate<Place: Hashable & Sendable>: Hashable, Sendable {
  package let value: [UInt8]
  package let set: Place

  package init(_ value: [UInt8], set: Place) {
    self.value = value
    self.set = set
  }
}

/// One thing that a device did.
package enum Operation<Place: Hashable & Sendable>: Hashable, Sendable {
  /// An entry as it is from now on: every field with its values.
  case revision(Identity, fields: [Field: Set<Candidate<Place>>])
  /// An entry gone for good: everything of it that its author had seen.
  case purge(Identity)
  /// A journal, a kind or a template. An empty value removes it.
  case set(Identity, value: [UInt8])
  /// The packs that its author holds, and found to say what it had merged.
  case hold(Set<Hash>)
  /// In a pack, a revision that was purged: only the id of its entry is left.
  case gone(Identity)
}

/// An operation as a segment names it: by an end of a log that the segment had merged.
package struct OperationPlace: Hashable, Comparable, Sendable {
  /// In the segment itself, behind its ``Segment/previous``, or at ``Segment/ends`` less two.
  package let end: Int
  /// Of the segment on that log.
  package let sequence: UInt64
  package let index: Int

  package init(end: Int, sequence: UInt64, index: Int) {
    self.end = end
    self.sequence = sequence
    self.index = index
  }

  package static let itself = 0
  package static let previous = 1

  package static func < (one: OperationPlace, other: OperationPlace) -> Bool {
    (one.end, one.sequence, one.index) < (other.end, other.sequence, other.index)
  }
}

/// What a device pushes at once: its operations since the last, all made with the same things seen.
package struct Segment: Equatable, Sendable {
  package let device: DeviceID
  package let sequence: UInt64
  /// Of the device's segment before it.
  package let previous: Hash?
  /// The ends of all other logs it had merged, in order.
  package let ends: [LogEnd]
  package let operations: [Operation<OperationPlace>]

  package init(
    device: DeviceID, sequence: UInt64, previous: Hash?, ends: [LogEnd],
    operations: [Operation<OperationPlace>]
  ) {
    self.device = device
    self.sequence = sequence
    self.previous = previous
    self.ends = ends
    self.operations = operations
  }

  /// The same with other values of a field: a text for its digest, or a digest for its text.
  package func replacing<Failure: Error>(
    _ field: Field, _ value: ([UInt8]) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Segment {
    var replaced: [Operation<OperationPlace>] = []
    for operation in operations {
      guard case .revision(let entry, var fields) = operation else {
        replaced.append(operation)
        continue
      }
      if let candidates = fields[field] {
        var others: Set<Candidate<OperationPlace>> = []
        for candidate in candidates {
          others.insert(Candidate(try value(candidate.value), set: candidate.set))
        }
        fields[field] = others
      }
      replaced.append(.revision(entry, fields: fields))
    }
    return Segment(
      device: device, sequence: sequence, previous: previous, ends: ends, operations: replaced)
  }
}
