internal import Bytes
internal import Entries
internal import Replication

/// Brings the diary to what counts by now: of a device that was taken out, segments may have been merged before that was known, and
/// others wait for what shows that they count.
struct Recounting {
  private let edit: CatalogueEdit
  private let store: ReplicaStore
  private let compaction: Compaction

  init(_ edit: CatalogueEdit, _ store: ReplicaStore, _ compaction: Compaction) {
    self.edit = edit
    self.store = store
    self.compaction = compaction
  }

  /// False when all is as it was.
  func run() throws(VaultError) -> Bool {
    var void: Set<Int> = []
    for device in store.outsiders {
      guard let remainder = try store.remainder(of: device, compaction) else { continue }
      void.formUnion(store.replica.void(of: device, remainder))
    }
    let changed = void.symmetricDifference(store.replica.voidSegments)
    guard !changed.isEmpty else { return false }
    for place in void.subtracting(store.replica.voidSegments) {
      guard let end = store.replica.end(of: Dot(segment: place, index: 0)) else { continue }
      store.record.outsiders.insert(end.device)
    }
    let concerned = try entries(of: changed)
    let registers = store.replica.setVoid(void)
    store.record.void = void
    // What packs have that answered for others was found out from what counted then.
    store.record.packs = [:]
    for id in registers {
      store.record.lacking.formUnion(store.replica.lacking(register: id))
    }
    if !registers.isEmpty { try store.takeNames(edit) }
    var writer = MergedEntryWriter(edit, store, compaction)
    for id in concerned {
      try store.load(id)
      store.replica.recount(id)
      store.record.lacking.formUnion(store.replica.lacking(id))
      try writer.recount(id)
    }
    return true
  }

  /// The entries to which some segments did something.
  private func entries(of segments: Set<Int>) throws(VaultError) -> [Identity] {
    var found: [Identity] = []
    for (number, id) in try store.allEntries().sorted().enumerated() {
      try store.load(id)
      if store.replica.isConcerned(id, by: segments) { found.append(id) }
      if number % 1024 == 1023 { store.release() }
    }
    store.release()
    return found
  }
}

extension ReplicaStore {
  /// The devices of merged segments that do not take part.
  var outsiders: Set<DeviceID> {
    guard let roster = record.roster, roster.standing(of: record.member.id) == .active else {
      return []
    }
    return replica.devices.filter { roster.standing(of: $0) != .active }
  }

  /// What counts of a device; nil for one that takes part, of which everything does.
  func remainder(
    of device: DeviceID, _ compaction: Compaction?
  ) throws(VaultError) -> Replica.Remainder? {
    guard case .revoked(let ends)? = record.roster?.standing(of: device) else { return nil }
    return try replica.remainder(of: device, ends) { end throws(VaultError) in
      try compaction?.header(end)
    }
  }
}
