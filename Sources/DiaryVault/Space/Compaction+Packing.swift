internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

/// Writing packs.
extension Compaction {
  private static let packBytes = 4 << 20
  /// An object of fewer bytes is put into a pack together with others, a pack of fewer bytes, too.
  private static let smallObject = 1 << 20

  /// What is put into packs.
  enum Scope {
    case everything
    /// What this device wrote: it does that by itself, so that no two devices pack the same. And what not all who take part can
    /// open: whoever can gives it to the others.
    case own
  }

  /// So many small segments of a device lie by themselves before it packs them.
  private static let looseLimit = 32

  /// Whether this device packs segments without being told: because it has left so many by themselves, or because not all can open
  /// one.
  var isOwnDue: Bool {
    !unanswered(store.record.notForAll).isEmpty
      || store.replica.merged.count { end in
        end.device == store.record.member.id && answering.answer(for: end.hash) == nil
          && mirror.size(.log(end)).map { $0 < Self.smallObject } ?? true
      } >= Self.looseLimit
  }

  /// Whether a pack has nothing but what this device wrote.
  private func isOwn(_ pack: Hash) -> Bool {
    guard let known = store.record.packs[pack] else { return false }
    let merged = store.replica.merged
    return (known.answered + known.others).allSatisfy {
      merged.indices.contains($0) && merged[$0].device == store.record.member.id
    }
  }

  /// Writes packs of what is merged, except what is in packs that are good as they are; none when little would be gained.
  func write(_ scope: Scope) throws(VaultError) -> [Hash: SpaceRecord.KnownPack] {
    guard store.canWrite else { return [:] }
    let items = try worth(scope)
    var written: [Hash: SpaceRecord.KnownPack] = [:]
    var from = 0
    var size = 0
    let highest = store.record.packs.values.map(\.rank.generation).max() ?? 0
    for index in items.indices {
      size += items[index].item.copy.encoded().count
      guard size >= Self.packBytes || index == items.indices.last else { continue }
      let (hash, rank) = try put(
        items[from...index].map(\.item), generation: min(highest + 1, Pack.generationLimit))
      written[hash] = SpaceRecord.KnownPack(
        rank: rank, answered: items[from...index].map(\.place), others: [])
      (from, size) = (index + 1, 0)
    }
    return written
  }

  private typealias Placed = (place: Int, item: Pack.Item)

  /// What goes into new packs; nothing when little would be gained.
  private func worth(_ scope: Scope) throws(VaultError) -> [Placed] {
    var isGood: [Hash: Bool] = [:]
    var items: [Placed] = []
    var isWorth = false
    var loose = 0
    for (place, end) in store.replica.merged.enumerated() {
      if scope == .own, end.device != store.record.member.id,
        !store.record.notForAll.contains(end.hash)
      {
        continue
      }
      let answer = answering.answer(for: end.hash)
      if let pack = answer {
        if scope == .own, !isOwn(pack) { continue }
        if isGood[pack] == nil { isGood[pack] = try isUnchanged(pack) }
        if isGood[pack] == true { continue }
      }
      guard let (item, isForAll) = try item(end) else { continue }
      // In a pack all can open it. Of what the place has nowhere, few are worth it, too.
      if answer == nil, !isForAll || store.record.notForAll.contains(end.hash) { isWorth = true }
      try load(item)
      let stripped = store.replica.stripped(item)
      store.release()
      if stripped != item { isWorth = true }
      if answer == nil {
        // A large one is as good as a pack.
        let isLarge = (mirror.size(.log(end)) ?? 0) >= Self.smallObject
        if isLarge, isForAll, stripped == item { continue }
        loose += 1
      }
      items.append((place, stripped))
    }
    // Putting few objects together gains nothing.
    return isWorth || loose + isGood.count(where: { !$0.value }) >= 8 ? items : []
  }

  /// Writes a pack, and reads it again.
  private func put(
    _ items: [Pack.Item], generation: UInt64
  ) throws(VaultError) -> (Hash, Pack.Rank) {
    let pack = Pack(by: store.record.member.id, generation: generation, items)
    let object = try unsealing(.pack) { () throws(SealingError) in
      guard let key = store.record.keys[roster.epoch] else { throw .malformed }
      return try pack.sealed(in: space, key: key, by: try store.record.identity().signing)
    }
    let hash = SpaceObject.hash(object)
    try mirror.put(.pack(hash), object)
    // It will answer for what is deleted: others must be able to read it.
    guard try open(hash)?.pack == pack else {
      mirror.remove(.pack(hash))
      throw VaultError(.record, expected: .atMostBytes(Pack.sizeLimit))
    }
    return (hash, pack.rank)
  }

  /// Whether nothing of a pack was purged since, and the pack is not small.
  private func isUnchanged(_ hash: Hash) throws(VaultError) -> Bool {
    guard let pack = try open(hash)?.pack, pack.encoded().count >= Self.smallObject else {
      return false
    }
    for item in pack.items {
      try load(item)
      defer { store.release() }
      if store.replica.stripped(item) != item { return false }
    }
    return true
  }
}
