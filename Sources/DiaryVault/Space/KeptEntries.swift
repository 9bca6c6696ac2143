internal import Bytes
internal import Entries
internal import Replication

/// Entries that one device removed for good and that are there all the same, because another had them as that one did not know them. Both
/// are told; whoever had nothing to do with it is not.
struct KeptEntries {
  /// Those that this device had.
  private var survivors: Set<EntryID> = []
  /// Those that this device had removed.
  private var cameBack: Set<EntryID> = []

  var troubles: Set<SyncTrouble> {
    var troubles: Set<SyncTrouble> = []
    if !survivors.isEmpty { troubles.insert(.survived(survivors.count, Self.first(survivors))) }
    if !cameBack.isEmpty { troubles.insert(.cameBack(cameBack.count, Self.first(cameBack))) }
    return troubles
  }

  private static func first(_ ids: Set<EntryID>) -> [EntryID] { Array(ids.sorted().prefix(5)) }

  /// Called when all is merged: what another device brought back, too, does not stay because of this one.
  mutating func finish(_ store: ReplicaStore) throws(VaultError) {
    var own: Set<EntryID> = []
    for id in survivors {
      guard let entry = store.record.entry(of: id) else { continue }
      try store.load(entry)
      if store.replica.isOnly(store.record.member.id, in: entry) { own.insert(id) }
    }
    survivors = own
  }

  /// - Parameter brought: entries that this device tells of although others removed them.
  mutating func note(brought: Set<EntryID>) { survivors.formUnion(brought) }

  /// Called when a segment is merged, before the diary is made what it is with that.
  ///
  /// - Parameters:
  ///   - purged: the entries that it removes for good.
  ///   - changed: all that it changes.
  mutating func note(_ purged: Set<Identity>, _ changed: Set<Identity>, _ store: ReplicaStore) {
    let (device, replica) = (store.record.member.id, store.replica)
    for entry in purged.union(changed) where replica.wasPurged(entry) {
      guard replica.shown(entry) != nil else { continue }
      let id = store.record.id(of: entry)
      if purged.contains(entry), replica.hasRevision(of: entry, by: device) { survivors.insert(id) }
      if store[entry].revision == 0, replica.hasPurge(of: entry, by: device) { cameBack.insert(id) }
    }
  }
}
