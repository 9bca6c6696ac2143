internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

/// Puts segments into packs, checks the packs of others against what is merged here, and finds what they replace.
///
/// A pack replaces segments in the store once every device that takes part has signed that it holds
/// the pack. So nothing that a device lacks is deleted, however long that takes.
final class Compaction {
  private let store: ReplicaStore
  private let mirror: SpaceMirror
  private let space: Identity
  private let roster: Roster
  /// The last pack that was opened, and where each segment stands in it.
  private var opened: (hash: Hash, pack: Pack, places: [Hash: Int])?
  private var refused: Set<Hash> = []
  private(set) var troubles: Set<SyncTrouble> = []
  /// Finds the held pack that answers for a segment.
  private lazy var answering = Replacement(segmentsOfPacks)

  init?(_ store: ReplicaStore, _ mirror: SpaceMirror) {
    guard let space = store.record.space, let roster = store.record.roster else { return nil }
    self.store = store
    self.mirror = mirror
    self.space = space
    self.roster = roster
  }

  // MARK: Reading

  private func signingKey(_ device: DeviceID) -> [UInt8]? {
    roster.members[device]?.member.signingKey
  }

  /// A pack that lies here, and that a device of the space wrote; nil when there is none, or no key for it.
  private func pack(_ hash: Hash) throws(VaultError) -> Pack? {
    if let opened, opened.hash == hash { return opened.pack }
    guard !refused.contains(hash), let object = try mirror.read(.pack(hash)) else { return nil }
    do throws(SealingError) {
      guard let key = store.record.keys[try Pack.epoch(of: object)] else {
        troubles.insert(.closed)
        return nil
      }
      let pack = try Pack(object: object, in: space, key: key, signer: signingKey)
      opened = (
        hash, pack,
        Dictionary(uniqueKeysWithValues: pack.items.enumerated().map { ($1.hash, $0) })
      )
      return pack
    } catch {
      refused.insert(hash)
      troubles.insert(error == .newer ? .newer : .refused(device: ""))
      return nil
    }
  }

  /// A segment that is here and was written by the device that it names; nil when there is none.
  private func segment(_ end: LogEnd) throws(VaultError) -> Segment? {
    guard let object = try mirror.read(.log(end)) else { return nil }
    return try? SegmentOpener.Keys(space: space, store.record.keys, roster).open(object)
  }

  /// A merged segment, from a pack that is held, or as it arrived.
  private func item(_ end: LogEnd) throws(VaultError) -> Pack.Item? {
    if let pack = answering.answer(for: end.hash)?.pack, let item = try item(end.hash, in: pack) {
      return item
    }
    return try segment(end).map { Pack.Item(end.hash, $0) }
  }

  private func item(_ hash: Hash, in pack: Hash) throws(VaultError) -> Pack.Item? {
    guard let found = try self.pack(pack), let place = opened?.places[hash] else { return nil }
    return found.items[place]
  }

  /// The packs here that are not held yet.
  private var newPacks: [Hash] {
    mirror.packs.filter { store.record.packs[$0] == nil }.sorted()
  }

  /// What the held packs have.
  private var segmentsOfPacks: Replacement.Packs {
    let merged = store.replica.merged
    return store.record.packs.mapValues { pack in
      (pack.rank, pack.places.filter(merged.indices.contains).map { merged[$0].hash })
    }
  }

  // MARK: Coming in by packs

  /// The segments of packs that may be believed and are not merged, in the order to merge them, and where each stands.
  func missing() throws(VaultError) -> [(end: LogEnd, pack: Hash)] {
    var missing: [(LogEnd, Hash)] = []
    for hash in try believed() {
      for item in try pack(hash)?.items ?? [] where !store.replica.has(item.hash) {
        missing.append((item.end, hash))
      }
    }
    return missing
  }

  /// New packs that are held by every device that could contradict them.
  private func believed() throws(VaultError) -> [Hash] {
    var left = newPacks
    guard !left.isEmpty else { return [] }
    var testimony = Testimony()
    for case .log(let end) in mirror.names() {
      if let segment = try segment(end) { testimony.add(segment, hash: end.hash) }
    }
    // This device, too, may have said that it holds it, before an older copy was put back.
    let devices = Set(roster.active.map(\.id))
    var found: [Hash] = []
    var isMoving = true
    while isMoving {
      isMoving = false
      for hash in left {
        guard let pack = try pack(hash),
          testimony.isBelieved(
            pack, hash: hash, of: devices, isLacking: { !store.replica.has($0) })
        else { continue }
        left.removeAll { $0 == hash }
        isMoving = true
        found.append(hash)
        for item in pack.items { testimony.add(item.segment, hash: item.hash) }
      }
    }
    return found
  }

  /// A segment of a pack that is believed.
  func segment(_ end: LogEnd, in pack: Hash) throws(VaultError) -> Segment? {
    try item(end.hash, in: pack).flatMap { $0.end == end ? $0.segment : nil }
  }

  // MARK: Holding packs

  /// The packs whose segments are all merged, and which agree with what was merged here.
  func check() throws(VaultError) -> [Hash: SpaceRecord.HeldPack] {
    var held: [Hash: SpaceRecord.HeldPack] = [:]
    let places = Dictionary(
      uniqueKeysWithValues: store.replica.merged.enumerated().map { ($1.hash, $0) })
    packs: for hash in newPacks {
      guard let pack = try pack(hash), pack.generation <= highest + Self.generationStep else {
        continue
      }
      var its: [Int] = []
      for item in pack.items {
        guard let place = places[item.hash] else { continue packs }
        its.append(place)
        try store.load(item.segment)
        defer { store.release() }
        let digested = Pack.Item(
          item.hash, item.segment.replacing(ReplicatedEntry.body, ReplicatedEntry.digest))
        switch store.replica.verdict(on: digested) {
        case .same: break
        case .another: continue packs
        case .forged:
          troubles.insert(.refused(device: roster.members[pack.author]?.member.name ?? ""))
          refused.insert(hash)
          continue packs
        }
      }
      held[hash] = SpaceRecord.HeldPack(rank: pack.rank, places: its)
    }
    return held
  }

  // MARK: Writing packs

  /// The highest generation of a pack that is held.
  private var highest: UInt64 { store.record.packs.values.map(\.rank.generation).max() ?? 0 }
  /// How far above it a generation may be, so that nobody can use up the numbers.
  private static let generationStep: UInt64 = 1 << 16

  private static let packBytes = 4 << 20
  /// A pack of fewer bytes is written again, together with others.
  private static let smallPack = 1 << 20

  /// Writes packs of everything that is merged, except what is in packs that are good as they are; none when little would
  /// be gained.
  func write() throws(VaultError) -> [Hash: SpaceRecord.HeldPack] {
    var isGood: [Hash: Bool] = [:]
    var items: [(place: Int, item: Pack.Item)] = []
    var isWorth = false
    var loose = 0
    for (place, end) in store.replica.merged.enumerated() {
      if let pack = answering.answer(for: end.hash)?.pack {
        if isGood[pack] == nil { isGood[pack] = try isUnchanged(pack) }
        if isGood[pack] == true { continue }
      } else {
        loose += 1
      }
      guard let item = try item(end) else { continue }
      try store.load(item.segment)
      let stripped = store.replica.stripped(item)
      store.release()
      if stripped != item { isWorth = true }
      items.append((place, stripped))
    }
    // Putting few objects together gains nothing.
    guard isWorth || loose + isGood.count(where: { !$0.value }) >= 8 else { return [:] }
    var written: [Hash: SpaceRecord.HeldPack] = [:]
    var from = 0
    var size = 0
    let generation = highest + 1
    for index in items.indices {
      size += items[index].item.segment.encoded().count
      guard size >= Self.packBytes || index == items.indices.last else { continue }
      let its = items[from...index]
      let pack = Pack(
        by: store.record.member.id, generation: generation, its.map(\.item))
      let object = try unsealing(.pack) { () throws(SealingError) in
        guard let key = store.record.keys[roster.epoch] else { throw .malformed }
        return try pack.sealed(
          in: space, key: key, by: try store.record.identity().signing)
      }
      let hash = SpaceObject.hash(object)
      try mirror.put(.pack(hash), object)
      // It will answer for what is deleted: others must be able to read it.
      guard try self.pack(hash) == pack else {
        mirror.remove(.pack(hash))
        throw VaultError(.record, expected: .atMostBytes(Pack.sizeLimit))
      }
      written[hash] = SpaceRecord.HeldPack(rank: pack.rank, places: its.map(\.place))
      (from, size) = (index + 1, 0)
    }
    return written
  }

  /// Whether nothing of a pack was purged since, and the pack is not small.
  private func isUnchanged(_ hash: Hash) throws(VaultError) -> Bool {
    guard let pack = try pack(hash), pack.encoded().count >= Self.smallPack else { return false }
    for item in pack.items {
      try store.load(item.segment)
      defer { store.release() }
      if store.replica.stripped(item) != item { return false }
    }
    return true
  }

  // MARK: What is replaced

  /// Objects that nobody needs any more. They are removed here.
  ///
  /// - Parameter listing: what lies in the store: a pack that it lost replaces nothing.
  func replaced(_ listing: Set<ObjectPath>) throws(VaultError) -> Set<ObjectPath> {
    // What this device says of packs must be in the store before anything is deleted because of it.
    guard store.record.unpublished.isEmpty else { return [] }
    let merged = store.replica.merged
    let active = Set(roster.active.map(\.id))
    var lying = Set(
      store.record.packs.keys.filter { listing.contains(.pack($0)) && mirror.has(.pack($0)) })
    let packs = segmentsOfPacks
    func replace() -> (Replacement, names: Set<ObjectPath>) {
      let replacement = store.replica.replacement(packs, in: lying, by: active)
      var names: Set<ObjectPath> = Set(replacement.packs.map { .pack($0) })
      for end in merged where replacement.segments.contains(end.hash) { names.insert(.log(end)) }
      return (replacement, names)
    }
    var (replacement, names) = replace()
    if names.contains(where: { listing.contains($0) || mirror.has($0) }) {
      // Objects are deleted because of these packs, so they are opened once more.
      for hash in lying where store.replica.isHeld(hash, by: active) {
        if try pack(hash) == nil { lying.remove(hash) }
      }
      (replacement, names) = replace()
    }
    // A pack that came back or came late: later packs have its segments.
    for hash in newPacks {
      guard let pack = try pack(hash),
        pack.items.allSatisfy({ item in
          replacement.answer(for: item.hash).map { $0.rank > pack.rank } ?? false
        })
      else { continue }
      names.insert(.pack(hash))
    }
    for (object, place) in store.record.dropped
    where merged.indices.contains(place) && replacement.segments.contains(merged[place].hash)
      && !store.record.missingFiles.contains(object) && !mirror.has(.object(object))
    {
      names.insert(.object(object))
    }
    for name in names { mirror.remove(name) }
    return names
  }

  /// The devices that do not hold every pack which replaces something, by their names.
  func lacking() -> [String] {
    let newest = store.record.packs.values.map(\.rank.generation).max()
    let packs = store.record.packs.filter { $0.value.rank.generation == newest }.keys
    return roster.active.filter { member in
      packs.contains { !store.replica.isHeld($0, by: [member.id]) }
    }.map(\.name)
  }

  /// Segments that stand in packs which are held here.
  func packed(_ listing: Set<ObjectPath>) -> Set<Hash> {
    Set(segmentsOfPacks.filter { listing.contains(.pack($0.key)) }.values.flatMap(\.segments))
  }
}
