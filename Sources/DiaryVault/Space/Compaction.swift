internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

/// Puts segments into packs, takes from the packs of others what is lacking here, and finds what packs replace.
///
/// Every copy of a segment in a pack has the signature of the segment's author. So nobody is believed about what another wrote,
/// and an object may go once a pack in the store has everything of it that this device needs.
final class Compaction {
  let store: ReplicaStore
  let mirror: SpaceMirror
  let space: Identity
  let keys: SegmentOpener.Keys
  let roster: Roster
  /// A pack, where each segment stands in it, and how many bytes it had.
  struct Opened {
    let hash: Hash
    let pack: Pack
    let places: [Hash: Int]
    let size: Int
    /// Whether all who take part can open it.
    let isForAll: Bool
  }

  /// The packs that were opened last, the newest first.
  private var opened: [Opened] = []
  /// Bytes of packs that stay open, beside the newest: segments of several take turns.
  private static let openBytes = 64 << 20
  private var refused: Set<Hash> = []
  /// Packs whose turn to be read again is not now.
  private let leftOut: Set<Hash>
  private(set) var troubles: Set<SyncTrouble> = []
  private(set) var unusable = UnusableObjects()
  /// Finds the pack that answers for a segment.
  lazy var answering = Replacement(known) { [mirror] in mirror.has(.pack($0)) }

  /// - Parameter leftOut: packs that are not read again this time.
  init?(_ store: ReplicaStore, _ mirror: SpaceMirror, leaving leftOut: Set<Hash> = []) {
    guard let space = store.record.space, let roster = store.record.roster else { return nil }
    self.leftOut = leftOut
    self.store = store
    self.mirror = mirror
    self.space = space
    self.roster = roster
    keys = SegmentOpener.Keys(space: space, store.record.keys, roster)
  }

  // MARK: Reading

  /// A pack that lies here, and that a device of the space wrote; nil when there is none, or no key for it.
  func open(_ hash: Hash) throws(VaultError) -> Opened? {
    if let place = opened.firstIndex(where: { $0.hash == hash }) {
      if place > 0 { opened.insert(opened.remove(at: place), at: 0) }
      return opened[0]
    }
    guard !refused.contains(hash), !leftOut.contains(hash) else { return nil }
    // It is not read for that: anybody may put any number of them into the place.
    let epoch = mirror.epoch(.pack(hash))
    guard let key = store.record.keys[epoch] else {
      refused.insert(hash)
      if !removeIfGone(hash), mirror.has(.pack(hash)) {
        unusable.unreadable.insert(.pack(hash))
      }
      return nil
    }
    guard let object = try mirror.read(.pack(hash)) else { return nil }
    do throws(SealingError) {
      let pack = try Pack(object: object, in: space, key: key) { [roster] in
        roster.signingKey(of: $0)
      }
      let places = Dictionary(uniqueKeysWithValues: pack.items.enumerated().map { ($1.hash, $0) })
      let new = Opened(
        hash: hash, pack: pack, places: places, size: object.count,
        isForAll: roster.epochsForAll.contains(epoch))
      opened.insert(new, at: 0)
      while opened.count > 1, opened.reduce(0, { $0 + $1.size }) > Self.openBytes {
        opened.removeLast()
      }
      return new
    } catch {
      refused.insert(hash)
      if error != .newer, removeIfGone(hash) { return nil }
      if store.record.packs[hash] == nil, store.record.readInVain[hash] == nil {
        store.record.readInVain[hash] = SpaceRecord.VainReading()
      }
      troubles.insert(error == .newer ? .newer : .refused(device: ""))
      if error != .newer { unusable.refused.insert(.pack(hash)) }
      return nil
    }
  }

  /// Removes a pack that nobody can read here and that is gone from the place, where others may have replaced it.
  private func removeIfGone(_ hash: Hash) -> Bool {
    guard listing?.contains(.pack(hash)) == false else { return false }
    mirror.remove(.pack(hash))
    gone.insert(.pack(hash))
    return true
  }

  /// What there was at the place, read once: anybody may put any number of packs there.
  private lazy var listing: Set<ObjectPath>? = mirror.listing()

  /// Packs that were removed here because they are gone from the place.
  private var gone: Set<ObjectPath> = []

  /// Those are no loss.
  deinit {
    if !gone.isEmpty { try? mirror.forget(gone) }
  }

  private func item(_ hash: Hash, in pack: Hash) throws(VaultError) -> Pack.Item? {
    guard let found = try open(pack), let place = found.places[hash] else { return nil }
    return found.pack.items[place]
  }

  /// A merged segment, from a pack that answers for it, or as it arrived; and whether all who take part can open it there.
  func item(_ end: LogEnd) throws(VaultError) -> (item: Pack.Item, isForAll: Bool)? {
    if let pack = answering.answer(for: end.hash), let item = try item(end.hash, in: pack) {
      return (item, true)
    }
    if let (copy, isForAll) = try loose(end) { return (Pack.Item(copy, in: space), isForAll) }
    // What is left of one that nobody has the whole of.
    return try copy(end, in: packs(with: end)).map { (Pack.Item($0.copy, in: space), $0.isForAll) }
  }

  /// A segment that lies here by itself, and whether all who take part can open it.
  func loose(_ end: LogEnd) throws(VaultError) -> (copy: SignedSegment, isForAll: Bool)? {
    guard let object = try mirror.read(.log(end)), let copy = try? keys.open(object, end)
    else { return nil }
    return (copy, keys.isForAll(object))
  }

  /// The header of a segment that lies here, by itself or in a pack.
  func header(_ end: LogEnd) throws(VaultError) -> SegmentHeader? {
    if let (copy, _) = try loose(end) { return copy.header }
    for pack in packs(with: end).sorted() {
      if let item = try item(end.hash, in: pack), item.end == end { return item.copy.header }
    }
    return nil
  }

  /// The packs here that have a segment, or may have it because not everything is known of them.
  private func packs(with end: LogEnd) -> Set<Hash> {
    let known = store.replica.place(of: end.hash).flatMap { packsByPlace[$0] } ?? []
    return known.filter(lying.contains).union(newPacks(orPartial: true))
  }

  /// The packs that are here.
  lazy var lying = Set(mirror.packs)

  /// The packs that are known to have a merged segment, by its place.
  private lazy var packsByPlace: [Int: Set<Hash>] = {
    var packs: [Int: Set<Hash>] = [:]
    for (hash, pack) in store.record.packs {
      for place in pack.answered + pack.others { packs[place, default: []].insert(hash) }
    }
    return packs
  }()

  /// Of some segments those for which no pack answers.
  func unanswered(_ segments: Set<Hash>) -> Set<Hash> {
    segments.filter { answering.answer(for: $0) == nil }
  }

  /// The packs here of which not everything is known yet.
  private func newPacks(orPartial takesPartial: Bool = false) -> [Hash] {
    lying.filter { hash in
      guard let known = store.record.packs[hash] else { return true }
      return known.partial.map { takesPartial || $0 != stamp } ?? false
    }.sorted()
  }

  /// Rises with everything that may make segments count, or be needed.
  private var stamp: Int { store.replica.segmentCount + roster.recordCount }

  /// What is known of packs.
  private var known: [Hash: Replacement.Known] {
    let merged = store.replica.merged
    func hashes(_ places: [Int]) -> [Hash] {
      places.filter(merged.indices.contains).map { merged[$0].hash }
    }
    return store.record.packs.mapValues { pack in
      Replacement.Known(
        rank: pack.rank, answered: hashes(pack.answered), others: hashes(pack.others))
    }
  }

  // MARK: Coming in by packs

  /// The segments of new packs that are not merged, and those of which a pack has what is lacking here, in the order to
  /// merge them, and where each stands.
  ///
  /// - Parameter waits: whether something waits for segments that a pack may have which were passed over.
  func missing(whetherPartial waits: Bool) throws(VaultError) -> [Missing] {
    var missing: [Missing] = []
    for hash in newPacks(orPartial: waits) {
      guard let pack = try open(hash)?.pack else { continue }
      let isByMember = roster.standing(of: pack.author) == .active
      for item in pack.items {
        let isMerged = store.replica.has(item.hash)
        if isMerged {
          guard store.record.lacking.contains(item.hash), try isCompleted(by: item) else {
            continue
          }
        }
        let isNeeded = isByMember && item.end.device != pack.author
        missing.append(
          Missing(end: item.end, pack: hash, isMerged: isMerged, isNeeded: isNeeded))
      }
    }
    return missing
  }

  /// A segment that a pack has, or has more of.
  struct Missing {
    let end: LogEnd
    let pack: Hash
    let isMerged: Bool
    /// Whether a device that takes part packed it, and so had merged it, and it is of another log.
    let isNeeded: Bool
  }

  /// A text that a merged operation gave, from the copy of its segment that is here.
  func text(_ dot: Dot, _ digest: [UInt8]) throws(VaultError) -> [UInt8]? {
    guard let end = store.replica.end(of: dot), let copy = try item(end)?.item.copy,
      copy.operations.indices.contains(dot.index),
      case .revision(_, let fields, _) = copy.segment().operations[dot.index]
    else { return nil }
    return fields[ReplicatedEntry.body]?.lazy.compactMap(\.value).first {
      ReplicatedEntry.digest($0) == digest
    }
  }

  func load(_ item: Pack.Item) throws(VaultError) {
    for operation in item.copy.operations where operation.kind != .set {
      try store.load(operation.id)
    }
  }

  private func isCompleted(by item: Pack.Item) throws(VaultError) -> Bool {
    try load(item)
    defer { store.release() }
    return store.replica.isCompleted(by: item)
  }

  /// A merged segment with all that is here of it, by itself or in packs.
  func whole(_ end: LogEnd) throws(VaultError) -> SignedSegment? {
    if let (copy, _) = try loose(end) { return copy }
    return try copy(end, in: packs(with: end))?.copy
  }

  /// What the copies of a segment in some packs, which its author signed, have of it together, and whether all who take part can
  /// open these packs.
  func copy(
    _ end: LogEnd, in packs: Set<Hash>
  ) throws(VaultError) -> (copy: SignedSegment, isForAll: Bool)? {
    var whole: (copy: SignedSegment, isForAll: Bool)?
    for pack in packs.sorted() where whole?.copy.isWhole != true {
      // Whoever packed it is not believed about it, and may have exchanged the signature.
      guard let opened = try open(pack), let item = try item(end.hash, in: pack),
        item.end == end, keys.isSigned(item.copy)
      else { continue }
      guard let known = whole else {
        whole = (item.copy, opened.isForAll)
        continue
      }
      let filled = known.copy.filled(by: item.copy)
      if filled != known.copy { whole = (filled, known.isForAll && opened.isForAll) }
    }
    return whole
  }

  // MARK: What packs have

  /// New packs whose segments are all merged, and what each has of them.
  ///
  /// - Parameter tried: segments that were looked at again for what packs have of them.
  func check(tried: Set<Hash>) throws(VaultError) -> [Hash: SpaceRecord.KnownPack] {
    var found: [Hash: SpaceRecord.KnownPack] = [:]
    packs: for hash in newPacks() {
      guard let opened = try open(hash) else { continue }
      let pack = opened.pack
      let reading = SpaceRecord.VainReading(author: pack.author)
      if store.record.readInVain[hash] != reading { store.record.readInVain[hash] = reading }
      var (answered, others): ([Int], [Int]) = ([], [])
      var isPartial = false
      for item in pack.items {
        guard let place = store.replica.place(of: item.hash) else {
          guard store.record.passedOver.contains(item.hash) else { continue packs }
          isPartial = true
          continue
        }
        try load(item)
        defer { store.release() }
        // A copy that its author did not sign is one for nobody.
        let isSigned = keys.isSigned(item.copy)
        // It has what is still lacking here: first that is taken.
        if isSigned, store.record.lacking.contains(item.hash), !tried.contains(item.hash),
          store.replica.isCompleted(by: item)
        {
          continue packs
        }
        // One that not all can open must not take the place of a segment that they can.
        if opened.isForAll, isSigned, store.replica.isAnswered(by: item) {
          answered.append(place)
        } else {
          others.append(place)
        }
      }
      // What not all can open is packed again by whoever can, unless another pack answers for it.
      if !opened.isForAll {
        let only = pack.items.filter { store.replica.has($0.hash) && !mirror.has(.log($0.end)) }
        store.record.notForAll.formUnion(only.map(\.hash))
      }
      if !isPartial { store.record.readInVain[hash] = nil }
      found[hash] = SpaceRecord.KnownPack(
        rank: pack.rank, answered: answered, others: others, partial: isPartial ? stamp : nil)
    }
    return found
  }

  // MARK: What is replaced

  /// Objects that nobody needs any more. They are removed here.
  ///
  /// - Parameter listing: what lies in the store: a pack that it lost replaces nothing.
  /// - Returns: their names, and the packs because of which they may go.
  func replaced(
    _ listing: Set<ObjectPath>
  ) throws(VaultError) -> (names: Set<ObjectPath>, answers: Set<Hash>) {
    // A purge must be in the store before anything is deleted that has what it took.
    guard store.record.unpublished.isEmpty else { return ([], []) }
    let merged = store.replica.merged
    var lying = Set(
      store.record.packs.keys.filter { listing.contains(.pack($0)) && mirror.has(.pack($0)) })
    let known = known
    func replace() -> (Replacement, names: Set<ObjectPath>) {
      let replacement = Replacement(known) { lying.contains($0) }
      let lacking = store.record.lacking
      var names: Set<ObjectPath> = Set(
        replacement.packs.filter { pack in
          store.record.packs[pack].map { $0.partial == nil } ?? false
            && known[pack].map { lacking.isDisjoint(with: $0.answered + $0.others) } ?? false
        }.map { .pack($0) })
      for end in merged
      where replacement.segments.contains(end.hash) && !store.record.lacking.contains(end.hash) {
        names.insert(.log(end))
      }
      return (replacement, names)
    }
    var (replacement, names) = replace()
    if names.contains(where: { listing.contains($0) || mirror.has($0) }) {
      // Objects are deleted because of these packs, so they are opened once more.
      for hash in lying { if try open(hash) == nil { lying.remove(hash) } }
      (replacement, names) = replace()
    }
    for (object, place) in store.record.dropped
    where merged.indices.contains(place) && replacement.segments.contains(merged[place].hash)
      && !store.record.missingFiles.contains(object) && !mirror.has(.object(object))
    {
      names.insert(.object(object))
    }
    for name in names { mirror.remove(name) }
    return (names, replacement.answers)
  }

  /// Segments that lie here, of which the store has no more than a pack without something that is needed: this device packs them.
  func unheard(_ listing: Set<ObjectPath>) -> Set<Hash> {
    // Most often every pack answers for all that it has.
    guard store.record.packs.values.contains(where: { !$0.others.isEmpty }) else { return [] }
    let known = known.filter { listing.contains(.pack($0.key)) }
    let answered = Replacement(known) { _ in true }.segments
    return Set(
      known.values.flatMap(\.others).filter { hash in
        guard !answered.contains(hash), let place = store.replica.place(of: hash),
          let end = store.replica.end(of: Dot(segment: place, index: 0))
        else { return false }
        return !listing.contains(.log(end)) && mirror.has(.log(end))
      })
  }

  /// Of segments that the store does not list those that stand in packs which it does, and which are not merged because removals wait for a
  /// yes: packs of devices that take part, with every body but those of entries that the same pack purges.
  func covered(
    _ lost: Set<LogEnd>, by listing: Set<ObjectPath>
  ) throws(VaultError) -> Set<LogEnd> {
    var found: Set<LogEnd> = []
    for hash in newPacks(orPartial: true) where listing.contains(.pack(hash)) {
      guard let pack = try open(hash)?.pack, roster.standing(of: pack.author) == .active else {
        continue
      }
      // A purge that its author did not sign is nobody's.
      let purged = Set(
        pack.items.filter { keys.isSigned($0.copy) }.flatMap(\.copy.operations)
          .filter { $0.kind == .purge }.map(\.id))
      for item in pack.items where lost.contains(item.end) {
        let isThere = item.copy.operations.allSatisfy { !$0.isGone || purged.contains($0.id) }
        if isThere, keys.isSigned(item.copy) { found.insert(item.end) }
      }
    }
    return found
  }

  /// Segments that stand in packs which lie in the store.
  func packed(_ listing: Set<ObjectPath>) -> Set<Hash> {
    Set(
      known.filter { listing.contains(.pack($0.key)) }.values.flatMap { $0.answered + $0.others })
  }
}
