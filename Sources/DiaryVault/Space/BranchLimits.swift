internal import Bytes
internal import Replication

/// How many branches and logs are merged. Each later segment of everybody has to name where all of them end, so nobody may make any
/// number: neither of an own log, nor of logs of devices that nobody let in.
struct BranchLimits {
  /// The most branches of a device's log that are merged by themselves: more than one mean that it was copied.
  private static let ownLimit = 64
  /// The most other branches and logs that are merged because one device's segments or packs follow them.
  private static let broughtLimit = 256

  /// Segments that others follow which are to be merged, and whose those are.
  private var needed: [Hash: DeviceID] = [:]
  /// Segments that would be too much, and who needed them then.
  private var excess: [Hash: DeviceID?] = [:]

  func isNeeded(_ hash: Hash) -> Bool { needed[hash] != nil }

  /// Who needs a segment.
  func author(needing hash: Hash) -> DeviceID? { needed[hash] }

  mutating func need(_ hash: Hash, by author: DeviceID) { needed[hash] = author }

  /// What a segment follows. What it needs of its own log counts as it does itself: it is needed where its follower is.
  mutating func need(_ ends: [LogEnd], for name: LogEnd) {
    for end in ends {
      if end.device != name.device {
        needed[end.hash] = name.device
      } else if let author = needed[name.hash] {
        needed[end.hash] = author
      }
    }
  }

  /// Whether a segment was found to be too much for whoever needs it.
  func isExcess(_ hash: Hash) -> Bool { excess[hash].map { $0 == needed[hash] } ?? false }

  /// Whether a segment begins no branch too many.
  ///
  /// - Parameter counts: whether it counts by itself.
  mutating func admit(
    _ segment: Segment, _ name: LogEnd, counts: Bool, _ store: ReplicaStore
  ) -> Bool {
    guard let count = store.replica.branches(of: name.device, with: segment.previous),
      !counts || count > Self.ownLimit
    else { return true }
    guard let author = needed[name.hash], author != name.device,
      store.record.brought[author] ?? 0 < Self.broughtLimit
    else { return false }
    store.record.brought[author, default: 0] += 1
    store.record.excess.remove(name.hash)
    return true
  }

  /// Puts a segment off that is too much.
  ///
  /// - Returns: who is at fault, where that was not known yet.
  mutating func putOff(_ name: LogEnd, _ store: ReplicaStore) -> DeviceID? {
    excess[name.hash] = .some(needed[name.hash])
    let isNew = store.record.excess.insert(name.hash).inserted
    return isNew ? needed[name.hash] ?? name.device : nil
  }
}
