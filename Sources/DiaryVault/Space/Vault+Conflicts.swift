internal import Bytes
package import Entries
internal import Replication
internal import Sealing

/// Entries that devices gave several texts.
extension Vault {
  /// Bytes, about, of one answer about conflicts.
  private static let conflictsAtOnce = 1 << 20

  /// The entries with more than one text, or the one that is meant, in the order of their ids: so many as one answer holds.
  ///
  /// - Parameter after: the last one of the answer before.
  package func conflicts(
    _ reference: EntryReference?, after: EntryID? = nil
  ) throws(VaultError) -> [ConflictingEntry] {
    let snapshot = try Snapshot(self)
    // A diary that left its space keeps the texts it had, and no longer knows whose they are.
    let store = try ReplicaStore(snapshot.catalogue)
    let known: Set<EntryID>
    if let store {
      known = store.record.conflicts
    } else {
      known = try snapshot.catalogue.entriesInConflict()
    }
    var ids = known.sorted()
    if let reference {
      let id = try snapshot.header(reference).id
      ids = ids.filter { $0 == id }
    }
    if let after { ids = ids.filter { after < $0 } }
    var found: [ConflictingEntry] = []
    var size = 0
    for id in ids where size < Self.conflictsAtOnce {
      guard let header = try snapshot.catalogue.entry(id), header.trashed == nil,
        !header.others.isEmpty,
        let identity = store?.record.entry(of: id) ?? Identity(bytes: id.bytes)
      else { continue }
      try store?.load(identity)
      let givers = try store.map { store throws(VaultError) in
        try Givers(of: identity, store)
      }
      var versions: [ConflictingEntry.Version] = []
      let others = Set(header.others.suffix(ConflictingEntry.versionLimit - 1))
      for revision in try snapshot.catalogue.revisions(of: header)
      where revision.header.revision == header.revision
        || others.contains(revision.header.revision)
      {
        let number = revision.header.revision
        let isShown = number == header.revision
        let giver = isShown ? givers?.shown : givers?.all[number]
        versions.append(
          ConflictingEntry.Version(
            revision: number, device: giver?.device,
            modified: giver?.modified ?? revision.header.modified, title: revision.header.title,
            isTitleAlone: !isShown && giver?.isTitleAlone ?? false))
        size += 256 + (revision.header.title?.utf8.count ?? 0)
      }
      // The one that is shown, then the newest first: in the same order on every device.
      func rank(_ version: ConflictingEntry.Version) -> Int {
        version.revision == header.revision ? -1 : givers?.all[version.revision]?.place ?? .max
      }
      found.append(
        ConflictingEntry(id: id, versions: versions.sorted { rank($0) < rank($1) }))
    }
    return found
  }
}

/// Who gave the texts of an entry, by the revisions that show them here.
private struct Givers {
  /// The place among all, the newest text first; who gave it, and when.
  typealias Giver = (place: Int, device: String?, modified: Int64?, isTitleAlone: Bool)

  private(set) var all: [UInt64: Giver] = [:]
  /// Of the text that is shown.
  private(set) var shown: Giver?

  init(of entry: Identity, _ store: ReplicaStore) throws(VaultError) {
    guard let entryShown = store.replica.shown(entry) else { return }
    let known = store[entry].revisions
    func giver(_ dot: Dot, of field: Field) throws(VaultError) -> Giver {
      let device = store.replica.author(of: dot).flatMap {
        store.record.roster?.members[$0]?.member.name
      }
      let values = store.replica.values(of: dot, in: entry) ?? [:]
      return try unsealing(.otherDevices) { () throws(SealingError) in
        (
          all.count, device, try ReplicatedEntry.modified(values), field == ReplicatedEntry.title
        )
      }
    }
    for field in [ReplicatedEntry.body, ReplicatedEntry.title]
    where entryShown.conflicts.contains(field) {
      for value in entryShown.values[field] ?? [] {
        let dots = entryShown.newestOrigins(of: field, value)
        if shown == nil, let dot = dots.first { shown = try giver(dot, of: field) }
        guard let dot = dots.first(where: { known[$0] != nil }), let number = known[dot],
          all[number] == nil
        else { continue }
        all[number] = try giver(dot, of: field)
      }
    }
  }
}

extension SpaceRecord {
  /// How many of the entries with more than one text are not in the trash. Of very many it is not asked.
  func openConflicts(
    _ header: (EntryID) throws(VaultError) -> Header?
  ) throws(VaultError) -> Int {
    guard conflicts.count <= 1_000 else { return conflicts.count }
    var count = 0
    for id in conflicts where try header(id)?.trashed == nil { count += 1 }
    return count
  }
}

extension SpaceRecord {
  /// The same while a change is under way.
  func openConflicts(_ edit: CatalogueEdit) throws(VaultError) -> Int {
    try openConflicts { id throws(VaultError) in
      try edit.holds(id.key) ? try edit.place(of: id.key).header : nil
    }
  }
}

extension Catalogue {
  /// Entries with more than one text, by their headers alone.
  func entriesInConflict() throws(VaultError) -> Set<EntryID> {
    var found: Set<EntryID> = []
    try walkHeaders { header throws(VaultError) in
      if !header.others.isEmpty { found.insert(header.id) }
      return true
    }
    return found
  }
}
