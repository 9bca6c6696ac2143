package import Bytes

/// The content of a segment, as it is signed and sealed. One state has one form: what is a set stands in order, and a
/// reader takes no other order.
extension Segment {
  /// The most operations a segment may hold.
  package static let operationLimit = 100_000
  /// The most packs that it may say are held, at once.
  package static let holdLimit = 1_000
  /// The most ends it may name.
  package static let endLimit = 65_536

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    device.encode(to: &writer)
    writer.putVarint(sequence)
    if let previous { previous.encode(to: &writer) }
    ends.encode(to: &writer)
    writer.putVarint(UInt64(operations.count))
    for operation in operations { operation.encode(to: &writer) }
    return writer.bytes
  }

  /// - Parameter isPacked: whether it stands in a pack, where what was purged may be gone.
  /// - Throws: ``SealingError`` `malformed` for what no device writes.
  package init(_ bytes: [UInt8], isPacked: Bool = false) throws(SealingError) {
    var reader = ByteReader(bytes)
    device = try DeviceID(&reader)
    sequence = try reader.varint()
    guard sequence > 0 else { throw .malformed }
    previous = sequence == 1 ? nil : try Hash(&reader)
    ends = try [LogEnd](&reader)
    let count = try reader.varint()
    guard (1...UInt64(Self.operationLimit)).contains(count) else { throw .malformed }
    var operations: [Operation<OperationPlace>] = []
    for _ in 0..<count { operations.append(try Operation(&reader)) }
    self.operations = operations
    try reader.expectEnd()
    // A number, too, has one form.
    guard encoded() == bytes, isPacked || !operations.contains(where: \.isGone) else {
      throw .malformed
    }
  }
}

extension Operation<OperationPlace> {
  private enum Tag: UInt8 {
    case revision = 1
    case purge, set, hold, gone
  }

  fileprivate var isGone: Bool { if case .gone = self { true } else { false } }

  func encode(to writer: inout ByteWriter) {
    switch self {
    case .revision(let entry, let fields):
      writer.put(Tag.revision.rawValue)
      entry.encode(to: &writer)
      writer.putVarint(UInt64(fields.count))
      for (field, candidates) in fields.sorted(by: { $0.key < $1.key }) {
        writer.put(field)
        writer.putVarint(UInt64(candidates.count))
        for candidate in candidates.sorted(by: Self.precedes) {
          writer.putVarint(UInt64(candidate.set.end))
          writer.putVarint(candidate.set.sequence)
          writer.putVarint(UInt64(candidate.set.index))
          writer.putCounted(candidate.value)
        }
      }
    case .purge(let entry):
      writer.put(Tag.purge.rawValue)
      entry.encode(to: &writer)
    case .set(let register, let value):
      writer.put(Tag.set.rawValue)
      register.encode(to: &writer)
      writer.putCounted(value)
    case .hold(let packs):
      writer.put(Tag.hold.rawValue)
      writer.putVarint(UInt64(packs.count))
      for pack in packs.sorted() { pack.encode(to: &writer) }
    case .gone(let entry):
      writer.put(Tag.gone.rawValue)
      entry.encode(to: &writer)
    }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    guard let tag = Tag(rawValue: try reader.uint8()) else { throw .malformed }
    switch tag {
    case .revision:
      let entry = try Identity(&reader)
      var fields: [Field: Set<Candidate<OperationPlace>>] = [:]
      var last: Field?
      let count = try reader.varint()
      guard count <= 256 else { throw .malformed }
      fields.reserveCapacity(Int(count))
      for _ in 0..<count {
        let field = try reader.uint8()
        if let last, last >= field { throw .malformed }
        last = field
        fields[field] = try Self.candidates(&reader)
      }
      self = .revision(entry, fields: fields)
    case .purge: self = .purge(try Identity(&reader))
    case .set: self = .set(try Identity(&reader), value: try reader.counted())
    case .hold:
      var packs: Set<Hash> = []
      var last: Hash?
      let count = try reader.varint()
      guard count <= UInt64(Segment.holdLimit) else { throw .malformed }
      for _ in 0..<count {
        let hash = try Hash(&reader)
        if let last, last >= hash { throw .malformed }
        last = hash
        packs.insert(hash)
      }
      self = .hold(packs)
    case .gone: self = .gone(try Identity(&reader))
    }
  }

  private static func candidates(
    _ reader: inout ByteReader
  ) throws(SealingError) -> Set<Candidate<OperationPlace>> {
    var candidates: Set<Candidate<OperationPlace>> = []
    var last: Candidate<OperationPlace>?
    let count = try reader.varint()
    for _ in 0..<count {
      let (end, sequence, index) = (
        try reader.varint(), try reader.varint(), try reader.varint()
      )
      guard end <= UInt64(Segment.endLimit) + 1, index < UInt64(Segment.operationLimit) else {
        throw .malformed
      }
      let candidate = Candidate(
        try reader.counted(),
        set: OperationPlace(end: Int(end), sequence: sequence, index: Int(index)))
      if let last, !precedes(last, candidate) { throw .malformed }
      last = candidate
      candidates.insert(candidate)
    }
    return candidates
  }

  /// The order they are written in.
  private static func precedes(
    _ one: Candidate<OperationPlace>, _ other: Candidate<OperationPlace>
  ) -> Bool {
    one.set == other.set
      ? one.value.lexicographicallyPrecedes(other.value) : one.set < other.set
  }
}
