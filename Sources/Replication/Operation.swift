package import Bytes

/// A digest of a state, for comparing.
package typealias StateDigest = [UInt8]

/// A value of a field, as a revision has it.
package enum Candidate<Place: Hashable & Comparable & Sendable>: Hashable, Comparable, Sendable {
  /// The revision gives it.
  case given([UInt8])
  /// As an earlier revision gave it: which of the values that it gives the field, in the order of their bytes.
  case kept(Place, number: Int)
  /// A value that an earlier revision gave, repeated.
  case carried(Place, [UInt8])

  /// The value itself, where it stands here.
  package var value: [UInt8]? {
    switch self {
    case .given(let value), .carried(_, let value): value
    case .kept: nil
    }
  }

  /// The earlier revision that it names.
  var place: Place? {
    switch self {
    case .given: nil
    case .kept(let place, _), .carried(let place, _): place
    }
  }

  /// The order they are written in.
  package static func < (one: Candidate, other: Candidate) -> Bool {
    switch (one, other) {
    case (.given(let one), .given(let other)): one.lexicographicallyPrecedes(other)
    case (.kept(let one, let first), .kept(let other, let second)):
      one == other ? first < second : one < other
    case (.carried(let one, let first), .carried(let other, let second)):
      one == other ? first.lexicographicallyPrecedes(second) : one < other
    case (.given, _), (.kept, .carried): true
    default: false
    }
  }

  var isGiven: Bool { if case .given = self { true } else { false } }

  func map<Other, Failure: Error>(
    _ transform: (Place) throws(Failure) -> Other
  ) throws(Failure) -> Candidate<Other> {
    switch self {
    case .given(let value): .given(value)
    case .kept(let place, let number): .kept(try transform(place), number: number)
    case .carried(let place, let value): .carried(try transform(place), value)
    }
  }
}

/// One thing that a device did.
package enum Operation<Place: Hashable & Comparable & Sendable>: Hashable, Sendable {
  /// An entry as it is from now on: every field with its values. Of what its author had merged, `unseen` are the revisions that
  /// he was not shown: it leaves them as they are.
  case revision(Identity, fields: FieldMap<SortedSet<Candidate<Place>>>, unseen: Set<Place> = [])
  /// An entry gone for good: everything of it that its author had seen.
  case purge(Identity, unseen: Set<Place> = [])
  /// A journal, a kind or a template. An empty value removes it.
  case set(Identity, value: [UInt8])
  /// A revision of which only the entry's id is here, or a set of which only the register's is.
  case revisionGone(Identity)
  case setGone(Identity)

  /// The earlier operations that it names.
  var places: [Place] {
    switch self {
    case .revision(_, let fields, let unseen):
      fields.flatMap { $0.value.compactMap(\.place) } + unseen
    case .purge(_, let unseen): Array(unseen)
    case .set, .revisionGone, .setGone: []
    }
  }

  /// Of the entry or register.
  var id: Identity {
    switch self {
    case .revision(let id, _, _), .purge(let id, _), .set(let id, _), .revisionGone(let id),
      .setGone(let id):
      id
    }
  }
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
  /// The ends of other logs that it had merged and its predecessor had not, and of those on which stands what its operations
  /// name, in order.
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
      guard case .revision(let entry, var fields, let unseen) = operation else {
        replaced.append(operation)
        continue
      }
      if let candidates = fields[field] {
        fields[field] = try candidates.each { candidate throws(Failure) in
          guard case .given(let old) = candidate else { return candidate }
          return .given(try value(old))
        }
      }
      replaced.append(.revision(entry, fields: fields, unseen: unseen))
    }
    return Segment(
      device: device, sequence: sequence, previous: previous, ends: ends, operations: replaced)
  }
}
