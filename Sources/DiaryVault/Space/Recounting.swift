internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

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

  /// What it did, for whoever commits it.
  struct Result {
    /// Whether words of what went may still stand in the search index.
    var forgets = false
  }

  /// nil when all is as it was.
  func run(_ mirror: SpaceMirror) throws(VaultError) -> Result? {
    var void: Set<Int> = []
    for device in store.outsiders {
      guard let remainder = try store.remainder(of: device, compaction) else { continue }
      void.formUnion(store.replica.void(of: device, remainder))
    }
    let changed = void.symmetricDifference(store.replica.voidSegments)
    guard !changed.isEmpty else { return nil }
    for place in void.subtracting(store.replica.voidSegments) {
      guard let end = store.replica.end(of: Dot(segment: place, index: 0)) else { continue }
      store.record.outsiders.insert(end.device)
    }
    let registers = store.replica.registers(of: changed)
    let concerned = try entries(of: changed, registers)
    store.replica.setVoid(void)
    // What packs have that answered for others was found out from what counted then.
    store.record.packs = [:]
    store.record.dropped = store.record.dropped.filter { !void.contains($0.value) }
    var lacking: Set<Hash> = []
    for id in registers { lacking.formUnion(store.replica.lacking(register: id)) }
    for id in concerned {
      try store.load(id)
      store.replica.recount(id)
      lacking.formUnion(store.replica.lacking(id))
    }
    var writer = MergedEntryWriter(edit, store, compaction)
    let areNamesChanged = try complete(lacking, &writer)
    if areNamesChanged || !registers.isEmpty { try store.takeNames(edit) }
    for id in concerned { try writer.recount(id) }
    store.record.missingFiles.formUnion(writer.missingFiles(mirror))
    return Result(forgets: writer.hasRemoved)
  }

  /// Takes what purges had taken that do not count from the copies that are here, before anything is shown. What is not here is
  /// looked for again.
  ///
  /// - Returns: whether journals, kinds or templates are among it.
  private func complete(
    _ segments: Set<Hash>, _ writer: inout MergedEntryWriter
  ) throws(VaultError) -> Bool {
    guard let space = store.record.space else { return false }
    var areNamesChanged = false
    for hash in segments.sorted() {
      store.record.lacking.insert(hash)
      guard let place = store.replica.place(of: hash),
        let end = store.replica.end(of: Dot(segment: place, index: 0)),
        let copy = try compaction.whole(end)
      else { continue }
      let opened = SegmentOpener.Opened(copy, size: 0)
      try store.load(opened.segment)
      // It was merged before, so it is refused no more.
      if case .merged(let changes)? = try? store.replica.merge(opened.segment, hash: hash) {
        areNamesChanged = areNamesChanged || !changes.registers.isEmpty
      }
      if !store.replica.isLacking(Pack.Item(copy, in: space)) { store.record.lacking.remove(hash) }
      writer.take(opened.texts)
    }
    return areNamesChanged
  }

  /// The entries to which some segments did something, or that are in a journal or of a kind that they set.
  private func entries(
    of segments: Set<Int>, _ registers: Set<Identity>
  ) throws(VaultError) -> [Identity] {
    let names = Set(registers.map(\.bytes))
    var found: [Identity] = []
    for (number, id) in try store.allEntries().sorted().enumerated() {
      try store.load(id)
      if store.replica.isConcerned(id, by: segments) || store.replica.repeats(id, names) {
        found.append(id)
      }
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
    return replica.devices.filter { roster.isTakenOut($0) }
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
