internal import Bytes
import Replication

/// What an operation was, told by whoever made it: for a judgement that does not rest on what is judged.
enum Deed {
  struct Revision {
    let number: Int
    /// The texts it carries.
    let texts: Set<Int>
    /// The revisions its author knew.
    let known: Set<Int>
    /// Whether it puts the entry into the trash.
    let trashes: Bool
  }

  case revision(Identity, Revision)
  case purge(Identity, known: Set<Int>)
  case other
}

/// A device as it is on its disk. What has not been written there is gone when it is killed.
struct Device {
  static let text: Field = 1
  static let star: Field = 2
  static let tags: Field = 3
  static let trash: Field = 4
  static let rules: [Field: MergeRule] = [
    text: .all, star: .newest, tags: .elements, trash: .trash,
  ]

  var replica: Replica
  /// What was done since the last seal.
  var deeds: [Deed] = []
  /// The numbers of all revisions that it knows.
  var known: Set<Int> = []
  /// Every segment it holds.
  var segments: [Hash: (name: LogEnd, bytes: [UInt8], decoded: Segment)] = [:]
  /// Segments that were seen in the store, or that it took.
  var stored: Set<Hash> = []
  /// The packs it has, those it holds, and those it believes what others say of.
  var packs: [Hash: (bytes: [UInt8], decoded: Pack)] = [:]
  var held: [Hash: Pack] = [:]
  var believed: [Hash: Pack] = [:]
  /// Segments that wait for others.
  var waiting: [Hash: Segment] = [:]

  init(_ id: DeviceID) { replica = Replica(id, rules: Self.rules) }

  static func name(_ bytes: [UInt8]) -> Hash {
    Hash(Digest.blake2b(bytes, domain: "FDv2 object name"))
  }

  /// Seals what is open, in one commit.
  mutating func seal(_ judge: inout Judge) {
    guard let segment = replica.seal(hash: { Self.name($0.encoded()) }) else { return }
    let bytes = segment.encoded()
    let hash = Self.name(bytes)
    segments[hash] = (
      LogEnd(device: segment.device, sequence: segment.sequence, hash: hash), bytes, segment
    )
    // Two copies of a device that do the same write the same segment: it is one.
    for case .revision(_, let revision) in judge.deeds[hash] ?? [] { known.insert(revision.number) }
    if judge.deeds[hash] == nil { judge.deeds[hash] = deeds }
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

  /// A merged segment as it is held here, or in a pack.
  private func item(_ hash: Hash) -> Pack.Item? {
    if let segment = segments[hash]?.decoded { return Pack.Item(hash, segment) }
    return (Array(held.values) + Array(believed.values))
      .sorted { $0.generation > $1.generation }.lazy
      .compactMap { $0.items.first { $0.hash == hash } }.first
  }

  /// Puts everything merged into packs.
  func pack(_ random: inout Seeded) throws -> [[UInt8]] {
    let items = replica.merged.compactMap { item($0.hash).map(replica.stripped) }
    guard !items.isEmpty else { return [] }
    let generation = 1 + (packs.values.map(\.decoded.generation).max() ?? 0)
    let cut = random.below(items.count)
    return [Array(items[..<cut]), Array(items[cut...])].filter { !$0.isEmpty }.map {
      Pack(by: replica.device, generation: generation, $0).encoded()
    }
  }

  mutating func take(pack hash: Hash, _ bytes: [UInt8]) {
    guard packs[hash] == nil, Self.name(bytes) == hash, let pack = try? Pack(bytes) else { return }
    packs[hash] = (bytes, pack)
  }

  /// Says of new packs that it holds them.
  mutating func hold() throws {
    var new: Set<Hash> = []
    for (hash, (_, pack)) in packs.sorted(by: { $0.key < $1.key }) where held[hash] == nil {
      guard pack.items.allSatisfy({ replica.has($0.hash) }) else { continue }
      guard
        try pack.items.allSatisfy({ item in
          switch replica.verdict(on: item) {
          case .same: return true
          case .another: return false
          case .forged: throw Violation("what a device packed is called forged")
          }
        })
      else { continue }
      held[hash] = pack
      new.insert(hash)
    }
    guard !new.isEmpty else { return }
    replica.hold(new)
    deeds.append(.other)
  }

  /// Merges from packs what it cannot get by itself, if they are believed.
  mutating func absorb(active: Set<DeviceID>, _ judge: Judge) throws {
    var testimony = Testimony()
    for (hash, segment) in segments { testimony.add(segment.decoded, hash: hash) }
    var left = packs.mapValues(\.decoded)
    var isMoving = true
    while isMoving {
      isMoving = false
      for (hash, pack) in left.sorted(by: { $0.key < $1.key })
      where testimony.isBelieved(
        pack, hash: hash, of: active,
        isLacking: { !replica.has($0) })
      {
        left[hash] = nil
        isMoving = true
        believed[hash] = pack
        for item in pack.items {
          testimony.add(item.segment, hash: item.hash)
          if !replica.has(item.hash) { waiting[item.hash] = item.segment }
        }
      }
    }
    try settle(judge)
  }

  /// What packs replace that every device holds. Nothing while something written here is not published.
  ///
  /// - Parameter names: what the store shows.
  func replacement(active: Set<DeviceID>, _ names: Set<ObjectPath>) -> Replacement? {
    let isPublished = segments.values.allSatisfy {
      $0.name.device != replica.device || stored.contains($0.name.hash)
    }
    guard isPublished, deeds.isEmpty else { return nil }
    return replica.replacement(
      held.mapValues { ($0.rank, $0.items.map(\.hash)) },
      in: Set(held.keys.filter { names.contains(.pack($0)) }), by: active)
  }

  // MARK: Taking

  /// Takes an object as it came: nil when its name or its content is not right.
  mutating func take(_ name: LogEnd, _ bytes: [UInt8], _ judge: Judge) throws {
    guard Self.name(bytes) == name.hash, let segment = try? Segment(bytes),
      segment.device == name.device, segment.sequence == name.sequence
    else { return }
    // What is read back is what was written.
    guard segment.encoded() == bytes else { throw Violation("a segment has two forms") }
    if !replica.has(name.hash) { waiting[name.hash] = segment }
    segments[name.hash] = (name, bytes, segment)
    try settle(judge)
  }

  /// Merges whatever waits for nothing any more.
  mutating func settle(_ judge: Judge) throws {
    var isMoving = true
    while isMoving {
      isMoving = false
      for (hash, segment) in waiting.sorted(by: { $0.key < $1.key }) {
        let before = Set(replica.merged)
        switch try replica.merge(segment, hash: hash) {
        case .waiting: continue
        case .known: waiting[hash] = nil
        case .merged:
          waiting[hash] = nil
          isMoving = true
          for case .revision(_, let revision) in judge.deeds[hash] ?? [] {
            known.insert(revision.number)
          }
        }
        guard before.isSubset(of: replica.merged) else {
          throw Violation("a merge made the replica smaller")
        }
      }
    }
  }
}

/// An invariant that does not hold.
package struct Violation: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// Knows what was done, and says what must be shown.
struct Judge {
  /// By segment.
  var deeds: [Hash: [Deed]] = [:]
  /// The revision that first had a text.
  var origins: [Int: Int] = [:]
  private(set) var revisions = 0
  private(set) var texts = 0

  mutating func newRevision() -> Int {
    revisions += 1
    return revisions
  }

  mutating func newText(by revision: Int) -> Int {
    texts += 1
    origins[texts] = revision
    return texts
  }

  /// The revisions that were gone for good.
  func purged(from hashes: Set<Hash>) -> Set<Int> {
    let all = hashes.flatMap { deeds[$0] ?? [] }
    var purged: Set<Int> = []
    for case .purge(let entry, let known) in all {
      for case .revision(entry, let revision) in all where known.contains(revision.number) {
        purged.insert(revision.number)
      }
    }
    return purged
  }

  /// What must be of each entry.
  func expected(from hashes: Set<Hash>) -> [Identity: Expected] {
    let all = hashes.flatMap { deeds[$0] ?? [] }
    let purged = purged(from: hashes)
    var living: [Identity: [Deed.Revision]] = [:]
    var trashing: [Identity: [Deed.Revision]] = [:]
    for case .revision(let entry, let revision) in all {
      if !purged.contains(revision.number) { living[entry, default: []].append(revision) }
      // One that was purged may stand in others.
      if revision.trashes { trashing[entry, default: []].append(revision) }
    }
    return Dictionary(
      uniqueKeysWithValues: living.map { entry, revisions in
        let kept = revisions.reduce(into: Set<Int>()) { $0.formUnion($1.texts) }
        let shown = kept.filter { text in
          !revisions.contains { knows($0, text) && !$0.texts.contains(text) }
        }
        let mayBeTrashed = (trashing[entry] ?? []).contains { revision in
          shown.allSatisfy { knows(revision, $0) }
        }
        return (entry, Expected(kept: kept, shown: shown, mayBeTrashed: mayBeTrashed))
      })
  }

  private func knows(_ revision: Deed.Revision, _ text: Int) -> Bool {
    let origin = origins[text] ?? 0
    return revision.known.contains(origin) || revision.number == origin
  }

  struct Expected {
    /// Texts in its history.
    var kept: Set<Int> = []
    var shown: Set<Int> = []
    /// Whether somebody put it into the trash who knew every text that it has.
    var mayBeTrashed = false
  }
}
