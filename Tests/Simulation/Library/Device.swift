internal import Bytes
import Replication

/// A device as it is on its disk. What has not been written there is gone when it is killed.
struct Device {
  static let text: Field = 1
  static let star: Field = 2
  static let tags: Field = 3
  static let trash: Field = 4
  static let files: Field = 5
  static let rules: FieldMap<MergeRule> = [
    text: .all, star: .carried, tags: .elements, trash: .trash, files: .files,
  ]
  static let space = Identity(high: 1, low: 1)

  var replica: Replica
  /// What was done since the last seal.
  var deeds: [Deed] = []
  /// The numbers of all deeds that it knows, and of the revisions that are lacking.
  var known: Set<Int> = []
  private(set) var lackingNumbers: Set<Int> = []
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
  /// The revocations it has heard of.
  private(set) var heard: [Revocation] = []
  /// Segments that do not count, and that nothing which is to be merged follows.
  private(set) var passedOver: [Hash: SignedSegment] = [:]
  /// Segments that others follow.
  private var needed: Set<Hash> = []

  init(_ id: DeviceID) { replica = Replica(id, rules: Self.rules) }

  static func name(_ pack: [UInt8]) -> Hash {
    Hash(Digest.blake2b(pack, domain: "FDv2 object name"))
  }

  /// Seals what is open, in one commit. What is written has to pass what every reader asks of a revision.
  mutating func seal(_ judge: inout Judge) throws {
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
    for case .revision(let id, let fields, _) in segment.operations {
      for (field, rule) in Self.rules where !rule.allows(fields[field]?.count ?? 0) {
        throw Violation("a revision of \(id) has \(fields[field]?.count ?? 0) values of \(field)")
      }
    }
    let hash = copy.header.hash(in: Self.space)
    segments[hash] = (
      LogEnd(device: segment.device, sequence: segment.sequence, hash: hash), copy.encoded(), copy
    )
    judge.add(Pack.Item(copy, in: Self.space).end, after: segment.previous, deeds)
    deeds = []
  }

  /// Is started anew, from what it kept.
  mutating func reopen() throws {
    let half = replica.segmentCount / 2
    var kept = try Replica(
      replica.device, rules: Self.rules,
      segments: [
        replica.encodedSegments(0..<half), replica.encodedSegments(half..<replica.segmentCount),
      ], void: replica.voidSegments, last: replica.lastSegment,
      registers: replica.encodedRegisters())
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
    let copies = packs.values.compactMap { $0.decoded.items.first { $0.hash == hash }?.copy }
    guard let first = copies.first else { return nil }
    return Pack.Item(copies.reduce(first) { $0.filled(by: $1) }, in: Self.space)
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
    let remainders = remainders()
    var isMoving = true
    while isMoving {
      isMoving = false
      for (name, (_, pack)) in packs where answers[name] == nil || !lacking.isEmpty {
        // What a device packs that takes part, all need.
        if remainders[pack.author] == nil { need(Set(pack.items.map(\.hash))) }
        for item in pack.items where waiting[item.hash] == nil && passedOver[item.hash] == nil {
          if !replica.has(item.hash)
            || lacking.contains(item.hash) && replica.isCompleted(by: item)
          {
            waiting[item.hash] = item.copy
          }
        }
      }
      for (hash, copy) in waiting.sorted(by: { $0.key < $1.key }) {
        let before = Set(replica.merged)
        let end = Pack.Item(copy, in: Self.space).end
        let standing = remainders[end.device]?.standing(of: end) ?? .counts
        if standing != .counts, !needed.contains(hash), !replica.has(hash) {
          waiting[hash] = nil
          passedOver[hash] = copy
          continue
        }
        let segment = copy.segment()
        // One that is declined first leaves nothing behind.
        if hash.bytes[0] % 4 == 0 {
          _ = try replica.merge(segment, hash: hash, isVoid: standing == .void) { _ in false }
          guard replica.has(hash) == before.contains(end) else {
            throw Violation("what was declined was taken")
          }
        }
        switch try replica.merge(segment, hash: hash, isVoid: standing == .void) {
        case .declined: throw Violation("what is not to be declined was declined")
        case .waiting(let missing):
          if need(missing) { isMoving = true }
        case .known:
          waiting[hash] = nil
          if !replica.isLacking(Pack.Item(copy, in: Self.space)) { lacking.remove(hash) }
        case .merged:
          waiting[hash] = nil
          isMoving = true
          answers = answers.filter { !($0.value.answered + $0.value.others).contains(hash) }
          let isLacking = replica.isLacking(Pack.Item(copy, in: Self.space))
          if isLacking { lacking.insert(hash) } else { lacking.remove(hash) }
          learn(hash, judge)
        }
        guard before.isSubset(of: replica.merged) else {
          throw Violation("a merge made the replica smaller")
        }
      }
      if !isMoving { isMoving = recount(remainders, judge) }
    }
    // What was lacking may be known to be gone by now.
    if !lackingNumbers.isEmpty { for end in replica.merged { learn(end.hash, judge) } }
    learn()
  }

  private mutating func learn(_ hash: Hash, _ judge: Judge) {
    for (index, deed) in (judge.deeds[hash] ?? []).enumerated() {
      lamport = max(lamport, deed.lamport)
      switch deed {
      case .revision(let entry, let revision):
        if replica.isLacking(hash, index, of: entry) {
          lackingNumbers.insert(revision.number)
        } else {
          known.insert(revision.number)
          lackingNumbers.remove(revision.number)
        }
      case .purge, .set: known.insert(deed.number)
      }
    }
  }

  // MARK: Devices that were taken out

  /// The revocations that it keeps to: who was taken out shows on what it had.
  var revocations: [Revocation] { heard.filter { $0.device != replica.device } }

  /// What it knows and does not count, by the judge.
  func void(_ judge: Judge) -> Set<Int> {
    guard !revocations.isEmpty else { return [] }
    let packed = packs.values.flatMap { $0.decoded.items.map(\.hash) }
    let held = Set(segments.keys).union(packed).union(replica.merged.map(\.hash))
    return judge.void(known, revocations, held: held)
  }

  mutating func hear(_ revocations: [Revocation], _ judge: Judge) throws {
    heard = revocations
    for (hash, copy) in passedOver { waiting[hash] = copy }
    passedOver = [:]
    try settle(judge)
  }

  /// Whether it cannot tell yet of something whether it counts.
  var isUndecided: Bool {
    let remainders = remainders()
    return (replica.merged + passedOver.values.map { Pack.Item($0, in: Self.space).end })
      .contains { remainders[$0.device]?.standing(of: $0) == .unknown }
  }

  private func remainders() -> [DeviceID: Replica.Remainder] {
    Dictionary(grouping: revocations, by: \.device).mapValues { [self] all in
      replica.remainder(of: all[0].device, all.flatMap(\.ends)) { end in
        segments[end.hash]?.copy.header
          ?? packs.values.lazy.flatMap(\.decoded.items).first { $0.hash == end.hash }?.copy.header
      }
    }
  }

  /// Takes up what was passed over and others follow.
  @discardableResult
  private mutating func need(_ hashes: Set<Hash>) -> Bool {
    needed.formUnion(hashes)
    let found = hashes.filter { passedOver[$0] != nil }
    for hash in found { waiting[hash] = passedOver.removeValue(forKey: hash) }
    return !found.isEmpty
  }

  /// Applies what counts now of what is merged; false when nothing changed.
  private mutating func recount(
    _ remainders: [DeviceID: Replica.Remainder], _ judge: Judge
  ) -> Bool {
    let void = remainders.reduce(into: Set<Int>()) {
      $0.formUnion(replica.void(of: $1.key, $1.value))
    }
    guard void != replica.voidSegments else { return false }
    let registers = replica.registers(of: void.symmetricDifference(replica.voidSegments))
    replica.setVoid(void)
    // What purges took that do not count any more may still be had.
    for id in replica.ids { lacking.formUnion(replica.lacking(id)) }
    for id in registers { lacking.formUnion(replica.lacking(register: id)) }
    for hash in lacking { waiting[hash] = segments[hash]?.copy }
    answers = [:]
    known = Set(deeds.map(\.number))
    lackingNumbers = []
    for end in replica.merged { learn(end.hash, judge) }
    return true
  }
}
