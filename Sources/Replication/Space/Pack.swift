package import Bytes
package import Sealing

/// Copies of segments without what was purged, to be kept in the store in place of the segments.
///
/// Each copy has its author's own signature, so whoever packed it is believed about nothing: he can leave out, and no more.
package struct Pack: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    /// The name of the segment.
    package let hash: Hash
    package let copy: SignedSegment

    package init(_ copy: SignedSegment, in space: Identity) {
      self.init(copy.header.hash(in: space), copy)
    }

    init(_ hash: Hash, _ copy: SignedSegment) {
      self.hash = hash
      self.copy = copy
    }

    package var end: LogEnd {
      LogEnd(device: copy.header.device, sequence: copy.header.sequence, hash: hash)
    }
  }

  package let author: DeviceID
  /// Higher than that of every pack its author knew: of two that have the same segment, the higher one answers for it.
  package let generation: UInt64
  /// Each after those it follows, where they are here.
  package let items: [Item]

  package init(by author: DeviceID, generation: UInt64, _ items: [Item]) {
    self.author = author
    self.generation = generation
    self.items = items
  }

  /// The most segments it may have.
  package static let itemLimit = 100_000
  package static let generationLimit = UInt64(UInt32.max)

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 4096)
    author.encode(to: &writer)
    writer.putVarint(generation)
    writer.putVarint(UInt64(items.count))
    for item in items { writer.putCounted(item.copy.encoded()) }
    return writer.bytes
  }

  /// Reads one; the signatures of its segments are not verified.
  ///
  /// - Throws: ``SealingError``: `malformed` for what no device writes, `notAuthentic` for operations that are not a header's.
  package init(_ bytes: [UInt8], in space: Identity) throws(SealingError) {
    var reader = ByteReader(bytes)
    author = try DeviceID(&reader)
    generation = try reader.varint()
    let count = try reader.varint()
    guard generation > 0, generation <= Self.generationLimit,
      (1...UInt64(Self.itemLimit)).contains(count)
    else { throw .malformed }
    var items: [Item] = []
    var hashes: Set<Hash> = []
    for _ in 0..<count {
      let item = Item(try SignedSegment(try reader.counted()), in: space)
      guard hashes.insert(item.hash).inserted else { throw .malformed }
      items.append(item)
    }
    self.items = items
    try reader.expectEnd()
    guard encoded() == bytes else { throw .malformed }
  }
}

extension Pack {
  /// Of two packs that have everything that is needed of a segment, the higher one answers for it: the later one, or the one
  /// with less in it.
  package struct Rank: Comparable, Sendable {
    package let generation: UInt64
    /// How many operations have no body.
    package let gone: UInt64

    package init(generation: UInt64, gone: UInt64) {
      self.generation = generation
      self.gone = gone
    }

    package static func < (one: Rank, other: Rank) -> Bool {
      (one.generation, one.gone) < (other.generation, other.gone)
    }
  }

  package var rank: Rank {
    Rank(
      generation: generation,
      gone: items.reduce(0) { $0 + UInt64($1.copy.operations.count(where: \.isGone)) })
  }
}

extension Replica {
  /// A copy of a merged segment without what was purged or replaced. Its entries must be loaded.
  package func stripped(_ item: Pack.Item) -> Pack.Item {
    guard let place = logs.place(of: item.hash) else { return item }
    var gone: Set<Int> = []
    for (index, operation) in item.copy.operations.enumerated()
    where !operation.isGone && isOver(operation, Dot(segment: place, index: index)) {
      gone.insert(index)
    }
    return Pack.Item(item.hash, item.copy.without(gone))
  }

  /// Whether a copy of a merged segment has every body of it that is here and needed. Its entries must be loaded.
  ///
  /// - Parameter others: entries and registers that need none, because somebody purged or set them.
  package func isAnswered(by item: Pack.Item, butOf others: Set<Identity> = []) -> Bool {
    guard let place = logs.place(of: item.hash) else { return false }
    return item.copy.operations.enumerated().allSatisfy { index, operation in
      !operation.isGone || others.contains(operation.id)
        || !isLiving(operation, Dot(segment: place, index: index))
    }
  }

  private func isLiving(_ operation: OperationCopy, _ dot: Dot) -> Bool {
    switch operation.kind {
    case .purge: true
    case .revision: isLiving(dot, in: operation.id)
    case .set: registers[operation.id]?.values[dot] != nil
    }
  }

  /// Whether bodies of a merged segment are lacking here that its copy lacks, too.
  package func isLacking(_ item: Pack.Item) -> Bool {
    isAnyLacking(item) { $0.isGone }
  }

  /// Whether a copy of a merged segment has bodies that are lacking here, though nothing purged or replaced them.
  package func isCompleted(by item: Pack.Item) -> Bool {
    isAnyLacking(item) { !$0.isGone }
  }

  /// Whether the body of an operation is not needed any more.
  private func isOver(_ operation: OperationCopy, _ dot: Dot) -> Bool {
    switch operation.kind {
    case .purge: false
    case .revision: entries[operation.id]?.isPurged(dot, in: logs) ?? false
    case .set: isReplaced(operation.id, dot)
    }
  }

  private func isAnyLacking(_ item: Pack.Item, of isMeant: (OperationCopy) -> Bool) -> Bool {
    guard let place = logs.place(of: item.hash) else { return false }
    // There may be very many purges and very many operations of one entry.
    var purged: [Identity: EntryHistory.Purged] = [:]
    return item.copy.operations.enumerated().contains { index, operation in
      guard isMeant(operation) else { return false }
      let dot = Dot(segment: place, index: index)
      switch operation.kind {
      case .purge: return false
      case .revision:
        guard let history = entries[operation.id], history.taken.contains(dot) else { return false }
        if purged[operation.id] == nil { purged[operation.id] = history.purged(in: logs) }
        return purged[operation.id]?.has(dot, in: logs) == false
      case .set: return isLacking(register: operation.id, dot)
      }
    }
  }
}

/// Which objects of the store are replaced by packs that are known here.
package struct Replacement: Sendable {
  /// What is known of a pack all of whose segments are merged here.
  package struct Known: Equatable, Sendable {
    package let rank: Pack.Rank
    /// The segments of which it has everything that is needed, and the others.
    package let answered: [Hash]
    package let others: [Hash]

    package init(rank: Pack.Rank, answered: [Hash], others: [Hash]) {
      self.rank = rank
      self.answered = answered
      self.others = others
    }
  }

  /// A pack of higher rank is never given up for one of lower rank, so that two devices cannot remove each other's.
  private struct Rank: Comparable {
    let rank: Pack.Rank
    let pack: Hash

    static func < (one: Rank, other: Rank) -> Bool {
      (one.rank, one.pack) < (other.rank, other.pack)
    }
  }

  /// Segments that packs answer for.
  package let segments: Set<Hash>
  /// Packs whose every segment is answered for by a higher one.
  package let packs: Set<Hash>
  private let answering: [Hash: Rank]

  /// The packs that answer for segments.
  package var answers: Set<Hash> { Set(answering.values.map(\.pack)) }

  /// The pack that answers for a segment.
  package func answer(for segment: Hash) -> Hash? { answering[segment]?.pack }

  /// - Parameter store: whether a pack lies in the store, as it is known here.
  package init(_ packs: [Hash: Known], in store: (Hash) -> Bool) {
    var answering: [Hash: Rank] = [:]
    for (pack, known) in packs where store(pack) {
      let rank = Rank(rank: known.rank, pack: pack)
      for segment in known.answered {
        answering[segment] = answering[segment].map { max($0, rank) } ?? rank
      }
    }
    segments = Set(answering.keys)
    self.packs = Set(
      packs.filter { pack, known in
        let rank = Rank(rank: known.rank, pack: pack)
        return (known.answered + known.others).allSatisfy { segment in
          answering[segment].map { $0 > rank } ?? false
        }
      }.keys)
    self.answering = answering
  }
}

extension Pack {
  /// The most bytes of a pack's object: a segment of the longest, and room.
  package static let sizeLimit = Segment.sizeLimit + 32 << 20

  /// As an object of the store.
  package func sealed(
    in space: Identity, key: EpochKey, by signing: SigningKey
  ) throws(SealingError) -> [UInt8] {
    try SpaceObject.seal(
      encoded(), .pack, head: SpaceObject.head(.pack, epoch: key.id), in: space, key: key,
      by: signing)
  }

  /// The epoch an object says it is sealed under.
  package static func epoch(of object: [UInt8]) throws(SealingError) -> [UInt8] {
    var reader = ByteReader(object)
    return try SpaceObject.readHead(.pack, &reader).epoch
  }

  /// - Parameter signer: the public key of a device, nil for one that nobody knows.
  /// - Throws: ``SealingError``: `notAuthentic`, also for what another device signed; `malformed`; `newer`.
  package init(
    object: [UInt8], in space: Identity, key: EpochKey, signer: (DeviceID) -> [UInt8]?
  ) throws(SealingError) {
    var reader = ByteReader(object)
    let head = try SpaceObject.readHead(.pack, &reader).bytes
    let signed = try SpaceObject.open(
      try reader.bytes(reader.remaining), .pack, head: head, in: space, key: key)
    // Nothing of it is decoded before it is known who signed it.
    var content = ByteReader(signed.content)
    guard let publicKey = signer(try DeviceID(&content)), signed.isSigned(by: publicKey) else {
      throw .notAuthentic
    }
    try self.init(signed.content, in: space)
  }
}
