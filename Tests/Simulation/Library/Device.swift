internal import Bytes
import Replication

/// A device as it is on its disk. What has not been written there is gone when it is killed.
struct Device {
  static let text: Field = 1
  static let star: Field = 2
  static let tags: Field = 3
  static let trash: Field = 4
  static let rules: [Field: MergeRule] = [
    text: .all, star: .carried, tags: .elements, trash: .trash,
  ]
  static let space = Identity(high: 1, low: 1)

  var replica: Replica
  /// What was done since the last seal.
  var deeds: [Deed] = []
  /// The numbers of all revisions and purges that it knows.
  var known: Set<Int> = []
  /// The highest Lamport number of anything it did or merged.
  var lamport = 0
  /// Every segment it holds.
  var segments: [Hash: (name: LogEnd, bytes: [UInt8], copy: SignedSegment)] = [:]
  /// Segments and packs that were seen in the store, or that it took.
  var stored: Set<Hash> = []
  /// The packs it has, and what is known of those whose segments are all merged.
  var packs: [Hash: (bytes: [UInt8], decoded: Pack)] = [:]
  var answers: [Hash: Replacement.Known] = [:]
  /// Merged segments of which bodies are lacking.
  var lacking: Set<Hash> = []
  /// Segments that wait for others.
  var waiting: [Hash: SignedSegment] = [:]

  init(_ id: DeviceID) { replica = Replica(id, rules: Self.rules) }

  static func name(_ pack: [UInt8]) -> Hash {
    Hash(Digest.blake2b(pack, domain: "FDv2 object name"))
  }

  /// Seals what is open, in one commit.
  mutating func seal(_ judge: inout Judge) {
    // No two segments are the same, as in life.
    let salt = judge.newNumber()
    var copy: SignedSegment?
    let segment = replica.seal { segment in
      let sealed = SignedSegment(segment) {
        (0..<16).map { UInt8(truncatingIfNeeded: salt >> ($0 * 4)) }
      } sign: { _ in
        [UInt8](repeating: 0, count: 64)
      }
      copy = sealed
      return sealed.header.hash(in: Self.space)
    }
    guard let segment, let copy else { return }
    let hash = copy.header.hash(in: Self.space)
    segments[hash] = (
      LogEnd(device: segment.device, sequence: segment.sequence, hash: hash), copy.encoded(), copy
    )
    judge.deeds[hash] = deeds
    deeds = []
  }

  /// Is started anew, from what it kept.
  mutating func reopen() throws {
    let half = replica.segmentCount / 2
    var kept = try Replica(
      replica.device, rules: Self.rules,
      segments: [
        replica.encodedSegments(0..<half), replica.encodedSegments(half..<replica.segmentCount),
      ], last: replica.lastSegment, registers: replica.encodedRegisters())
    for id in replica.ids {
      guard let entry = replica.encodedEntry(id) else { continue }
      try kept.load(id, entry)
    }
    guard kept.digest() == replica.digest(), kept.ends == replica.ends else {
      throw Violation("what was kept is another replica")
    }
    replica = kept
  }

  // MARK: Packs

  /// A merged segment as it is held here, with all that is living of it.
  private func item(_ hash: Hash) -> Pack.Item? {
    if let segment = segments[hash]?.copy { return Pack.Item(segment, in: Self.space) }
    let items = packs.values.compactMap { $0.decoded.items.first { $0.hash == hash } }
    return items.first { replica.isAnswered(by: $0) } ?? items.first
  }

  /// Puts everything merged into packs.
  func pack(_ random: inout Seeded) -> [[UInt8]] {
    let items = replica.merged.compactMap { item($0.hash).map(replica.stripped) }
    return packed(items, &random)
  }

  /// Packs in which anything may be missing, or an operation be another than its author signed, as a device writes them that lies.
  func lie(_ random: inout Seeded) -> [[UInt8]] {
    let items = replica.merged.compactMap { item($0.hash) }.filter { _ in !random.chance(4) }
    return packed(
      items.map { item in
        let gone = item.copy.operations.indices.filter { _ in random.chance(3) }
        return Pack.Item(item.copy.without(Set(gone)), in: Self.space)
      }, &random
    ).map { pack in
      random.chance(2) ? Self.altered(pack, items[random.below(items.count)].copy, &random) : pack
    }
  }

  /// A pack with one bit of the operations of a segment changed.
  private static func altered(
    _ pack: [UInt8], _ copy: SignedSegment, _ random: inout Seeded
  ) -> [UInt8] {
    let (whole, header) = (copy.encoded(), copy.header.encoded().count + 64)
    guard let place = pack.firstRange(of: whole), header < whole.count else { return pack }
    var pack = pack
    pack[place.lowerBound + header + random.below(whole.count - header)] ^= 1
    return pack
  }

  private func packed(_ items: [Pack.Item], _ random: inout Seeded) -> [[UInt8]] {
    guard !items.isEmpty else { return [] }
    let generation = 1 + (packs.values.map(\.decoded.generation).max() ?? 0)
    let cut = random.below(items.count)
    return [Array(items[..<cut]), Array(items[cut...])].filter { !$0.isEmpty }.map {
      Pack(by: replica.device, generation: generation, $0).encoded()
    }
  }

  mutating func take(pack hash: Hash, _ bytes: [UInt8], _ judge: Judge) throws {
    guard packs[hash] == nil, Self.name(bytes) == hash,
      let pack = try? Pack(bytes, in: Self.space)
    else { return }
    packs[hash] = (bytes, pack)
    try settle(judge)
  }

  /// Looks at packs whose segments are all merged.
  mutating func learn() {
    for (hash, (_, pack)) in packs where answers[hash] == nil {
      guard pack.items.allSatisfy({ replica.has($0.hash) }) else { continue }
      answers[hash] = Replacement.Known(
        rank: pack.rank,
        answered: pack.items.filter { replica.isAnswered(by: $0) }.map(\.hash),
        others: pack.items.filter { !replica.isAnswered(by: $0) }.map(\.hash))
    }
  }

  /// What packs replace that lie in the store. Nothing while something written here is not published: it may have purged what
  /// they lack.
  ///
  /// - Parameter names: what the store shows.
  func replacement(_ names: Set<ObjectPath>) -> Replacement? {
    let isPublished = segments.values.allSatisfy {
      $0.name.device != replica.device || stored.contains($0.name.hash)
    }
    guard isPublished, deeds.isEmpty else { return nil }
    return Replacement(answers) { names.contains(.pack($0)) }
  }

  /// Whether it has the body of an operation of a segment, in a copy that it holds.
  func hasBody(_ hash: Hash, _ index: Int) -> Bool {
    segments[hash] != nil
      || packs.values.contains { _, pack in
        pack.items.contains { $0.hash == hash && !$0.copy.operations[index].isGone }
      }
  }

  // MARK: Taking

  /// Takes an object as it came, if its name and its content are right.
  mutating func take(_ name: LogEnd, _ bytes: [UInt8], _ judge: Judge) throws {
    guard let copy = try? SignedSegment(bytes), copy.isWhole,
      Pack.Item(copy, in: Self.space).end == name
    else { return }
    // What is read back is what was written.
    guard copy.encoded() == bytes else { throw Violation("a segment has two forms") }
    waiting[name.hash] = copy
    segments[name.hash] = (name, bytes, copy)
    try settle(judge)
  }

  /// Merges whatever waits for nothing any more, and takes from packs what is lacking.
  mutating func settle(_ judge: Judge) throws {
    var isMoving = true
    while isMoving {
      isMoving = false
      for (name, (_, pack)) in packs where answers[name] == nil || !lacking.isEmpty {
        for item in pack.items where waiting[item.hash] == nil {
          if !replica.has(item.hash)
            || lacking.contains(item.hash) && replica.isCompleted(by: item)
          {
            waiting[item.hash] = item.copy
          }
        }
      }
      for (hash, copy) in waiting.sorted(by: { $0.key < $1.key }) {
        let before = Set(replica.merged)
        switch try replica.merge(copy.segment(), hash: hash) {
        case .waiting: continue
        case .known:
          waiting[hash] = nil
          if !replica.isLacking(Pack.Item(copy, in: Self.space)) { lacking.remove(hash) }
        case .merged:
          waiting[hash] = nil
          isMoving = true
          answers = answers.filter { !($0.value.answered + $0.value.others).contains(hash) }
          let isLacking = replica.isLacking(Pack.Item(copy, in: Self.space))
          if isLacking { lacking.insert(hash) } else { lacking.remove(hash) }
          for (index, deed) in (judge.deeds[hash] ?? []).enumerated() {
            lamport = max(lamport, deed.lamport)
            switch deed {
            case .revision(let entry, let revision):
              if !replica.isLacking(hash, index, of: entry) { known.insert(revision.number) }
            case .purge(_, let purge): known.insert(purge.number)
            case .other: break
            }
          }
        }
        guard before.isSubset(of: replica.merged) else {
          throw Violation("a merge made the replica smaller")
        }
      }
    }
    learn()
  }
}
