package import Bytes
internal import Sealing

/// What a device signs of a segment. It commits to every operation by a digest, so that a copy of the segment without what was
/// purged can be checked as well as the whole.
package struct SegmentHeader: Equatable, Sendable {
  package let device: DeviceID
  package let sequence: UInt64
  package let previous: Hash?
  package let ends: [LogEnd]
  /// How many operations there are.
  package let count: Int
  /// Of the digests of all operations, in order.
  package let digest: [UInt8]

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    encode(to: &writer)
    return writer.bytes
  }

  func encode(to writer: inout ByteWriter) {
    device.encode(to: &writer)
    writer.putVarint(sequence)
    if let previous { previous.encode(to: &writer) }
    ends.encode(to: &writer)
    writer.putVarint(UInt64(count))
    writer.put(digest)
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    device = try DeviceID(&reader)
    sequence = try reader.varint()
    guard sequence > 0 else { throw .malformed }
    previous = sequence == 1 ? nil : try Hash(&reader)
    ends = try [LogEnd](&reader)
    let count = try reader.varint()
    guard (1...UInt64(Segment.operationLimit)).contains(count) else { throw .malformed }
    self.count = Int(count)
    digest = try reader.bytes(32)
  }

  init(_ segment: Segment, _ digest: [UInt8]) {
    device = segment.device
    sequence = segment.sequence
    previous = segment.previous
    ends = segment.ends
    count = segment.operations.count
    self.digest = digest
  }

  /// Whether what is written of it is what a reader takes.
  package var isReadable: Bool {
    var reader = ByteReader(encoded())
    return (try? SegmentHeader(&reader)) == self && reader.remaining == 0
  }

  /// The name of the segment: of what is signed, so that it stays the same however a copy is sealed.
  package func hash(in space: Identity) -> Hash {
    Hash(Digest.blake2b(space.bytes + encoded(), domain: "FDv2 segment"))
  }
}

/// An operation as a copy of a segment has it: with its body, or with the digest of it.
package struct OperationCopy: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case revision = 1
    case purge, set
  }

  package enum Content: Equatable, Sendable {
    /// Random bytes, so that nobody can confirm a guess of what was purged, and the body.
    case here(salt: [UInt8], body: [UInt8])
    /// The digest of both.
    case gone([UInt8])
  }

  static let saltBytes = 16

  package let kind: Kind
  /// Of the entry or register.
  package let id: Identity
  /// Of a purge it is always here, without salt.
  package let content: Content

  package var isGone: Bool { if case .gone = content { true } else { false } }

  /// The same without its body.
  package var gone: OperationCopy { OperationCopy(kind: kind, id: id, content: .gone(inner)) }

  private init(kind: Kind, id: Identity, content: Content) {
    self.kind = kind
    self.id = id
    self.content = content
  }

  /// - Parameter salt: 16 random bytes.
  init(_ operation: Operation<OperationPlace>, salt: [UInt8]) {
    switch operation {
    case .revision(let entry, let fields, let unseen):
      self.init(
        kind: .revision, id: entry, content: .here(salt: salt, body: Self.body(fields, unseen)))
    case .set(let register, let value):
      self.init(kind: .set, id: register, content: .here(salt: salt, body: value))
    case .purge(let entry, let unseen):
      self.init(kind: .purge, id: entry, content: .here(salt: [], body: Self.body(unseen)))
    case .revisionGone, .setGone: preconditionFailure("a device writes what it has")
    }
  }

  private var inner: [UInt8] {
    switch content {
    case .gone(let digest): digest
    case .here(let salt, let body): Digest.blake2b(salt + body, domain: "FDv2 operation body")
    }
  }

  var digest: [UInt8] {
    var writer = ByteWriter(reserving: 64)
    writer.put(kind.rawValue)
    id.encode(to: &writer)
    writer.put(inner)
    return Digest.blake2b(writer.bytes, domain: "FDv2 operation")
  }

  // MARK: Bytes

  func encode(to writer: inout ByteWriter) {
    writer.put(kind.rawValue)
    id.encode(to: &writer)
    switch content {
    case .gone(let digest):
      writer.put(UInt8(0))
      writer.put(digest)
    case .here(let salt, let body):
      if kind != .purge { writer.put(UInt8(1)) }
      writer.put(salt)
      writer.putCounted(body)
    }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    guard let kind = Kind(rawValue: try reader.uint8()) else { throw .malformed }
    let id = try Identity(&reader)
    if kind == .purge {
      self.init(kind: kind, id: id, content: .here(salt: [], body: try reader.counted()))
    } else if try reader.flag() {
      self.init(
        kind: kind, id: id,
        content: .here(salt: try reader.bytes(Self.saltBytes), body: try reader.counted()))
    } else {
      self.init(kind: kind, id: id, content: .gone(try reader.bytes(32)))
    }
  }

  // MARK: What it says

  /// One whose body no device writes says nothing: another copy of the segment may lack the body, and whoever reads that one must
  /// come to the same.
  func operation(
    _ check: (Operation<OperationPlace>) -> Bool
  ) -> Operation<OperationPlace> {
    let read = try? operation()
    guard let read, check(read) else {
      return kind == .revision ? .revisionGone(id) : .setGone(id)
    }
    return read
  }

  private func operation() throws(SealingError) -> Operation<OperationPlace> {
    switch (kind, content) {
    case (.purge, .gone): throw .malformed
    case (.purge, .here(_, let body)):
      var reader = ByteReader(body)
      let unseen = try Self.places(&reader)
      try reader.expectEnd()
      guard Self.body(unseen) == body else { throw .malformed }
      return .purge(id, unseen: unseen)
    case (.set, .here(_, let body)): return .set(id, value: body)
    case (.set, .gone): return .setGone(id)
    case (.revision, .gone): return .revisionGone(id)
    case (.revision, .here(_, let body)):
      var reader = ByteReader(body)
      let fields = try Self.fields(&reader)
      let unseen = try Self.places(&reader)
      try reader.expectEnd()
      // A number, too, has one form.
      guard Self.body(fields, unseen) == body else { throw .malformed }
      return .revision(id, fields: fields, unseen: unseen)
    }
  }

  private typealias Fields = FieldMap<SortedSet<Candidate<OperationPlace>>>

  private enum Form: UInt8 {
    case given
    case kept, carried
  }

  private static func body(_ unseen: Set<OperationPlace>) -> [UInt8] {
    var writer = ByteWriter(reserving: 16)
    put(unseen, to: &writer)
    return writer.bytes
  }

  private static func put(_ places: Set<OperationPlace>, to writer: inout ByteWriter) {
    writer.putVarint(UInt64(places.count))
    for place in places.sorted() { put(place, to: &writer) }
  }

  private static func body(_ fields: Fields, _ unseen: Set<OperationPlace>) -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.putVarint(UInt64(fields.count))
    for (field, candidates) in fields {
      writer.put(field)
      writer.putVarint(UInt64(candidates.count))
      for candidate in candidates {
        switch candidate {
        case .given(let value):
          writer.put(Form.given.rawValue)
          writer.putCounted(value)
        case .kept(let place, let number):
          writer.put(Form.kept.rawValue)
          put(place, to: &writer)
          writer.putVarint(UInt64(number))
        case .carried(let place, let value):
          writer.put(Form.carried.rawValue)
          put(place, to: &writer)
          writer.putCounted(value)
        }
      }
    }
    put(unseen, to: &writer)
    return writer.bytes
  }

  private static func put(_ place: OperationPlace, to writer: inout ByteWriter) {
    writer.putVarint(UInt64(place.end))
    writer.putVarint(place.sequence)
    writer.putVarint(UInt64(place.index))
  }

  private static func places(
    _ reader: inout ByteReader
  ) throws(SealingError) -> Set<OperationPlace> {
    var places: Set<OperationPlace> = []
    var last: OperationPlace?
    let count = try reader.varint()
    guard count <= UInt64(Segment.unseenLimit) else { throw .malformed }
    for _ in 0..<count {
      let place = try place(&reader)
      if let last, last >= place { throw .malformed }
      last = place
      places.insert(place)
    }
    return places
  }

  private static func place(_ reader: inout ByteReader) throws(SealingError) -> OperationPlace {
    let (end, sequence, index) = (try reader.varint(), try reader.varint(), try reader.varint())
    guard end <= UInt64(Segment.endLimit) + 1, index < UInt64(Segment.operationLimit) else {
      throw .malformed
    }
    return OperationPlace(end: Int(end), sequence: sequence, index: Int(index))
  }

  private static func fields(_ reader: inout ByteReader) throws(SealingError) -> Fields {
    var fields = Fields()
    var last: Field?
    let count = try reader.varint()
    guard count <= 256 else { throw .malformed }
    fields.reserveCapacity(Int(count))
    for _ in 0..<count {
      let field = try reader.uint8()
      if let last, last >= field { throw .malformed }
      last = field
      var candidates = SortedSet<Candidate<OperationPlace>>()
      for _ in 0..<(try reader.varint()) {
        let candidate = try candidate(&reader)
        if let last = candidates.last, last >= candidate { throw .malformed }
        candidates.append(candidate)
      }
      fields.append(field, candidates)
    }
    return fields
  }

  private static func candidate(
    _ reader: inout ByteReader
  ) throws(SealingError) -> Candidate<OperationPlace> {
    guard let form = Form(rawValue: try reader.uint8()) else { throw .malformed }
    if form == .given { return .given(try reader.counted()) }
    let place = try place(&reader)
    if form == .carried { return .carried(place, try reader.counted()) }
    let number = try reader.varint()
    guard number < UInt64(Segment.operationLimit) else { throw .malformed }
    return .kept(place, number: Int(number))
  }
}

/// A segment as it travels: its header, its author's signature, and each operation, with its body or without.
package struct SignedSegment: Equatable, Sendable {
  package let header: SegmentHeader
  let signature: [UInt8]
  package let operations: [OperationCopy]

  private init(header: SegmentHeader, signature: [UInt8], operations: [OperationCopy]) {
    self.header = header
    self.signature = signature
    self.operations = operations
  }

  /// - Parameters:
  ///   - salt: gives 16 random bytes for each operation.
  ///   - sign: gives the signature of a header.
  package init(
    _ segment: Segment, salt: () -> [UInt8], sign: (SegmentHeader) -> [UInt8]
  ) {
    let operations = segment.operations.map { OperationCopy($0, salt: salt()) }
    let header = SegmentHeader(segment, Self.digest(operations))
    self.init(header: header, signature: sign(header), operations: operations)
  }

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 1024)
    header.encode(to: &writer)
    writer.put(signature)
    for operation in operations { operation.encode(to: &writer) }
    return writer.bytes
  }

  /// Reads one.
  ///
  /// - Parameter isSigned: whether the signature of a header is one that counts. It is asked before any operation is read, which are
  ///   nobody's work where it is not.
  /// - Throws: ``SealingError``: `malformed` for what no device writes; `notAuthentic` for operations that are not the header's.
  package init(
    _ bytes: [UInt8], isSigned: (SegmentHeader, _ signature: [UInt8]) -> Bool = { _, _ in true }
  ) throws(SealingError) {
    var reader = ByteReader(bytes)
    header = try SegmentHeader(&reader)
    signature = try reader.bytes(SigningKey.signatureBytes)
    guard bytes.starts(with: header.encoded()) else { throw .malformed }
    guard isSigned(header, signature) else { throw .notAuthentic }
    var operations: [OperationCopy] = []
    for _ in 0..<header.count { operations.append(try OperationCopy(&reader)) }
    self.operations = operations
    try reader.expectEnd()
    guard encoded() == bytes else { throw .malformed }
    guard Self.digest(operations) == header.digest else { throw .notAuthentic }
  }

  private static func digest(_ operations: [OperationCopy]) -> [UInt8] {
    Digest.blake2b(operations.flatMap(\.digest), domain: "FDv2 operations")
  }

  /// The same without the bodies of some operations, by their index.
  package func without(_ gone: Set<Int>) -> SignedSegment {
    guard !gone.isEmpty else { return self }
    return SignedSegment(
      header: header, signature: signature,
      operations: operations.enumerated().map { gone.contains($0) ? $1.gone : $1 })
  }

  /// The same with the bodies that another copy has of it: each was left out by whoever packed it.
  package func filled(by other: SignedSegment) -> SignedSegment {
    guard header == other.header else { return self }
    return SignedSegment(
      header: header, signature: signature,
      operations: zip(operations, other.operations).map { $0.isGone ? $1 : $0 })
  }

  package var isWhole: Bool { !operations.contains(where: \.isGone) }

  /// - Parameter check: whether an operation is one that a device writes; one that is not says nothing.
  package func segment(
    _ check: (Operation<OperationPlace>) -> Bool = { _ in true }
  ) -> Segment {
    var read: [Operation<OperationPlace>] = []
    read.reserveCapacity(operations.count)
    for operation in operations { read.append(operation.operation(check)) }
    return Segment(
      device: header.device, sequence: header.sequence, previous: header.previous,
      ends: header.ends, operations: read)
  }
}

extension Segment {
  /// The most operations a segment may hold.
  package static let operationLimit = 100_000
  /// The most revisions that an operation may call unseen.
  package static let unseenLimit = 65_536
  /// The most values of one field that a revision may have: of many devices that gave some at once, it keeps all.
  package static let valueLimit = 65_536
  /// The most ends it may name.
  package static let endLimit = 1_000_000
}
