internal import Bytes
internal import Entries
internal import Replication

/// Entries that one device removed for good and that are there all the same, because another had them as that one did not know them. Both
/// are told; whoever had nothing to do with it is not. They are kept until a person is told.
struct KeptEntries {
  /// Those that this device had.
  private var survivors: Set<EntryID> = []
  /// Those that this device had removed.
  private var cameBack: Set<EntryID> = []
  /// The most that are known of each. More are not counted.
  private static let limit = 10_000

  init() {}

  init(_ reader: inout ByteReader) throws(SealingError) {
    (survivors, cameBack) = (try Self.ids(&reader), try Self.ids(&reader))
  }

  func encode(to writer: inout ByteWriter) {
    for ids in [survivors, cameBack] {
      writer.putVarint(UInt64(ids.count))
      for id in ids.sorted() { writer.put(id.bytes) }
    }
  }

  private static func ids(_ reader: inout ByteReader) throws(SealingError) -> Set<EntryID> {
    var ids: Set<EntryID> = []
    for _ in 0..<(try reader.varint()) { ids.insert(EntryID(bytes: try reader.bytes(16))) }
    return ids
  }

  var troubles: Set<SyncTrouble> {
    var troubles: Set<SyncTrouble> = []
    if !survivors.isEmpty { troubles.insert(.survived(survivors.count, Self.first(survivors))) }
    if !cameBack.isEmpty { troubles.insert(.cameBack(cameBack.count, Self.first(cameBack))) }
    return troubles
  }

  private static func first(_ ids: Set<EntryID>) -> [EntryID] { Array(ids.sorted().prefix(5)) }

  /// Called when all is merged: what another device brought back, too, does not stay because of this one; and of what is gone by now
  /// there is nothing to say.
  func finished(_ store: ReplicaStore) throws(VaultError) -> KeptEntries {
    var finished = KeptEntries()
    for id in survivors {
      guard let entry = store.record.entry(of: id) else { continue }
      try store.load(entry)
      guard store.replica.shown(entry) != nil,
        store.replica.isOnly(store.record.member.id, in: entry)
      else { continue }
      finished.survivors.insert(id)
    }
    for id in cameBack {
      guard let entry = store.record.entry(of: id) else { continue }
      try store.load(entry)
      if store.replica.shown(entry) != nil { finished.cameBack.insert(id) }
    }
    return finished
  }

  /// - Parameter brought: entries that this device tells of although others removed them.
  mutating func note(brought: Set<EntryID>) {
    for id in brought.sorted() where survivors.count < Self.limit { survivors.insert(id) }
  }

  /// Called when a segment is merged, before the diary is made what it is with that.
  ///
  /// - Parameters:
  ///   - purged: the entries that it removes for good.
  ///   - changed: all that it changes.
  static func note(_ purged: Set<Identity>, _ changed: Set<Identity>, _ store: ReplicaStore) {
    var kept = store.record.kept
    let replica = store.replica
    let devices = replica.ownDevices
    for entry in purged.union(changed).filter(replica.wasPurged).sorted() {
      guard replica.shown(entry) != nil else { continue }
      let id = store.record.id(of: entry)
      if kept.survivors.count < limit, purged.contains(entry),
        devices.contains(where: { replica.hasRevision(of: entry, by: $0) })
      {
        kept.survivors.insert(id)
      }
      if kept.cameBack.count < limit, store[entry].revision == 0,
        devices.contains(where: { replica.hasPurge(of: entry, by: $0) })
      {
        kept.cameBack.insert(id)
      }
    }
    store.record.kept = kept
  }
}

extension SpaceRecord {
  /// What happened and no person was told yet.
  var untold: Set<SyncTrouble> {
    var untold = kept.troubles
    if wasCopied { untold.insert(.copied) }
    if hasNewer { untold.insert(.newer) }
    for device in outsiders {
      let name = roster?.members[device]?.member.name ?? String(device.text.prefix(8))
      untold.insert(.wroteAfterRevocation(device: name))
    }
    return untold
  }

  /// The same in order, and whether this device was revoked.
  var troubles: [SyncTrouble] {
    let standing = roster?.standing(of: member.id) ?? .active
    return untold.union(standing == .active ? [] : [.closed]).sorted { "\($0)" < "\($1)" }
  }

  mutating func forgetUntold() {
    (wasCopied, hasNewer, outsiders, kept) = (false, false, [], KeptEntries())
  }
}
