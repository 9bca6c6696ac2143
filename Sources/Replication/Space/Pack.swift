package import Bytes
package import Sealing

/// A copy of segments without what was purged. It takes their place in the store once every device that takes part has said
/// that it holds it.
package struct Pack: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    /// The name it has in the store.
    package let hash: Hash
    package let segment: Segment

    package init(_ hash: Hash, _ segment: Segment) {
      self.hash = hash
      self.segment = segment
    }

    package var end: LogEnd {
      LogEnd(device: segment.device, sequence: segment.sequence, hash: hash)
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

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 4096)
    author.encode(to: &writer)
    writer.putVarint(generation)
    writer.putVarint(UInt64(items.count))
    for item in items {
      item.hash.encode(to: &writer)
      writer.putCounted(item.segment.encoded())
    }
    return writer.bytes
  }

  /// - Throws: ``SealingError`` `malformed` for what no device writes.
  package init(_ bytes: [UInt8]) throws(SealingError) {
    var reader = ByteReader(bytes)
    author = try DeviceID(&reader)
    generation = try reader.varint()
    let count = try reader.varint()
    guard generation > 0, generation <= UInt64(UInt32.max),
      (1...UInt64(Self.itemLimit)).contains(count)
    else { throw .malformed }
    var items: [Item] = []
    var hashes: Set<Hash> = []
    for _ in 0..<count {
      let hash = try Hash(&reader)
      guard hashes.insert(hash).inserted else { throw .malformed }
      items.append(Item(hash, try Segment(try reader.counted(), isPacked: true)))
    }
    self.items = items
    try reader.expectEnd()
    guard encoded() == bytes else { throw .malformed }
  }
}

extension Pack {
  /// Of two packs that have the same segment, the higher one answers for it: the later one, or the one with less in it.
  package struct Rank: Comparable, Sendable {
    package let generation: UInt64
    /// How many revisions are gone.
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
    var gone: UInt64 = 0
    for item in items {
      for case .gone in item.segment.operations { gone += 1 }
    }
    return Rank(generation: generation, gone: gone)
  }
}

extension Replica {
  /// A merged segment without what was purged. Its entries must be loaded.
  package func stripped(_ item: Pack.Item) -> Pack.Item {
    guard let place = logs.place(of: item.hash) else { return item }
    let segment = item.segment
    return Pack.Item(
      item.hash,
      Segment(
        device: segment.device, sequence: segment.sequence, previous: segment.previous,
        ends: segment.ends,
        operations: segment.operations.enumerated().map { index, operation in
          guard case .revision(let entry, _) = operation,
            entries[entry]?.taken.contains(Dot(segment: place, index: index)) == true
          else { return operation }
          return .gone(entry)
        }))
  }

  /// The result of comparing a pack's segment with what was merged here.
  package enum Verdict: Sendable {
    /// It says the same, but for what was purged.
    case same
    /// It has what was purged here, or lacks what was not: another pack knows more, or a purge was not merged yet.
    case another
    /// No device wrote it so.
    case forged
  }

  /// Compares a pack's segment with the merged one, whose entries must be loaded.
  package func verdict(on item: Pack.Item) -> Verdict {
    guard let place = logs.place(of: item.hash) else { return .another }
    let (entry, segment) = (logs.entries[place], item.segment)
    let previous = segment.previous.flatMap(logs.place)
    var ends = previous.map { [$0] } ?? []
    for end in segment.ends {
      guard let found = logs.place(of: end.hash), self.end(found) == end else { return .forged }
      ends.append(found)
    }
    guard segment.device == entry.device, segment.sequence == entry.sequence,
      previous == entry.previous, segment.previous == nil || previous != nil,
      Set(ends) == Set(entry.ends),
      segment.operations.count == entry.count
    else { return .forged }
    var isAnother = false
    for (index, operation) in segment.operations.enumerated() {
      let dot = Dot(segment: place, index: index)
      switch operation {
      case .revision(let id, let fields):
        guard let known = entries[id]?.revisions[dot] else {
          guard entries[id]?.taken.contains(dot) == true else { return .forged }
          isAnother = true
          continue
        }
        guard
          let resolved = try? self.resolved(fields, in: dot, segment, previous, ends),
          resolved == known.fields
        else { return .forged }
      case .gone(let id):
        if entries[id]?.taken.contains(dot) == true { continue }
        guard entries[id]?.revisions[dot] != nil else { return .forged }
        isAnother = true
      case .purge(let id):
        guard entries[id]?.purges.contains(dot) == true else { return .forged }
      case .set(let register, let value):
        // One that was replaced since is nothing any more.
        if let known = registers[register]?[dot], known != value { return .forged }
      case .hold(let packs):
        guard packs.allSatisfy({ holders[$0]?.contains(segment.device) == true }) else {
          return .forged
        }
      }
    }
    return isAnother ? .another : .same
  }

  /// What is replaced by packs that are in the store and that every one of some devices holds.
  ///
  /// - Parameters:
  ///   - packs: those that are held here.
  ///   - store: the packs that lie there and open.
  ///   - devices: all that take part.
  package func replacement(
    _ packs: Replacement.Packs, in store: Set<Hash>, by devices: Set<DeviceID>
  ) -> Replacement {
    Replacement(packs) { store.contains($0) && isHeld($0, by: devices) }
  }

  /// Whether every one of some devices holds a pack.
  package func isHeld(_ pack: Hash, by devices: some Sequence<DeviceID>) -> Bool {
    let holders = holders[pack] ?? []
    return devices.allSatisfy(holders.contains)
  }
}

/// What signed segments say of packs, for a device that lacks what they replaced: it believes one that each device holds
/// which wrote or had seen what is lacking.
package struct Testimony: Sendable {
  private var holders: [Hash: Set<DeviceID>] = [:]
  private var segments: [DeviceID: [Hash]] = [:]
  /// What a segment follows.
  private var links: [Hash: [Hash]] = [:]

  package init() {}

  /// - Parameter hash: of a segment whose signature is right, or that is in a pack which is believed.
  package mutating func add(_ segment: Segment, hash: Hash) {
    segments[segment.device, default: []].append(hash)
    links[hash] = segment.links
    for case .hold(let packs) in segment.operations {
      for pack in packs { holders[pack, default: []].insert(segment.device) }
    }
  }

  /// - Parameters:
  ///   - devices: those that take part, the one that asks too.
  ///   - isLacking: of a segment, whether the device that asks has it from nowhere else. All of them are believed, or none is: what a
  ///     pack does not say of one it may say of the next.
  package func isBelieved(
    _ pack: Pack, hash: Hash, of devices: Set<DeviceID>, isLacking: (Hash) -> Bool
  ) -> Bool {
    // Its author signed that it says what the author had merged; the signature of a revoked device no longer counts.
    let holders = (holders[hash] ?? []).union(devices.intersection([pack.author]))
    guard !holders.isEmpty else { return false }
    let lacking = pack.items.filter { isLacking($0.hash) }
    var links = links
    for item in pack.items where links[item.hash] == nil { links[item.hash] = item.segment.links }
    return devices.subtracting(holders).allSatisfy { device in
      var seen: Set<Hash> = []
      var next = segments[device] ?? []
      while let hash = next.popLast() {
        if seen.insert(hash).inserted { next += links[hash] ?? [] }
      }
      return lacking.allSatisfy { $0.segment.device != device && !seen.contains($0.hash) }
    }
  }
}

extension Segment {
  /// The segments it names.
  fileprivate var links: [Hash] { [previous].compactMap(\.self) + ends.map(\.hash) }
}

/// Which objects of the store are replaced by packs.
package struct Replacement: Sendable {
  /// Segments that packs answer for which everybody holds.
  package private(set) var segments: Set<Hash> = []
  /// Packs whose every segment is answered for by a later one.
  package private(set) var packs: Set<Hash> = []
  private var answering: [Hash: (rank: Pack.Rank, pack: Hash)] = [:]

  /// The pack that answers for a segment, and its rank.
  package func answer(for segment: Hash) -> (rank: Pack.Rank, pack: Hash)? { answering[segment] }

  package typealias Packs = [Hash: (rank: Pack.Rank, segments: [Hash])]

  /// What would be replaced if each of some packs did.
  ///
  /// - Parameter packs: those that are held here: their rank and the segments in them.
  package init(_ packs: Packs) { self.init(packs) { _ in true } }

  fileprivate init(_ packs: Packs, isSettled: (Hash) -> Bool) {
    for (pack, facts) in packs where isSettled(pack) {
      for segment in facts.segments {
        if let other = answering[segment], other > (facts.rank, pack) { continue }
        answering[segment] = (facts.rank, pack)
      }
    }
    segments = Set(answering.keys)
    self.packs = Set(
      packs.filter { [answering] pack, facts in
        facts.segments.allSatisfy { segment in
          answering[segment].map { $0 > (facts.rank, pack) } ?? false
        }
      }.keys)
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
    try self.init(signed.content)
    guard let publicKey = signer(author), signed.isSigned(by: publicKey) else {
      throw .notAuthentic
    }
  }
}
