internal import Bytes
package import Entries
internal import Replication
internal import SealedFiles
internal import Sealing

/// A diary that leaves its space keeps, sealed like everything else, what it was told and had told there. When it comes in again, as another
/// device, it goes on from that, like a device that was switched off meanwhile: what it changed is told as a change of what it had seen.
extension Vault {
  /// Begins to keep what belongs to a space, or goes on with what was kept of it.
  func begin(_ record: SpaceRecord) throws(VaultError) {
    let mirror = mirror
    try change { edit throws(VaultError) in
      let known = try edit.catalogue.keptSpaceRecord()
      var record = record
      if let known {
        guard case .left = known.standing else {
          throw VaultError(.conflict, path, .sharesAlready)
        }
        // Whether it can go on is known once it takes part.
        record.goOn(from: known)
      }
      try edit.begin(record, mirror)
    }
  }

  /// Takes part from now on, as an answer says.
  ///
  /// - Returns: false while not all is here that the place has: then it is not known whether the diary can go on with what it kept. After
  ///   some listings it is not waited for any more.
  func takeMembership(of member: SpaceRecord) throws(VaultError) -> Bool {
    let mirror = mirror
    return try change { edit throws(VaultError) in
      guard let known = try edit.catalogue.spaceRecord() else {
        throw VaultError(.notFound, path, .sharesNothing)
      }
      var record = known
      record.takeMembership(of: member)
      guard record.former?.space == record.space, !mirror.hasAllListed,
        known.listings < Self.listingsWaited
      else {
        try edit.begin(record, mirror)
        return true
      }
      // A listing counts once, however often somebody looks.
      if let listed = mirror.listed, listed != known.listed {
        record = known
        (record.listings, record.listed) = (known.listings + 1, listed)
        edit.save(try ReplicaStore(edit.catalogue, goingOnWith: record))
      }
      return false
    }
  }

  private static let listingsWaited = 3

  /// Makes sure that this diary can come into a space, or begin one.
  ///
  /// A request that nobody answered is dropped, and so is a space that never reached a place: a join that was killed or
  /// refused, or a setup that failed, is simply done again.
  ///
  /// - Throws: ``VaultError`` `conflict` while this device takes part in a space.
  package func leaveUnfinishedSpace() throws(VaultError) {
    // Whatever lies in the mirror then is of a space that was left, or never reached.
    guard let record = try spaceRecord() else { return clearMirror() }
    let isAlone = (record.roster?.members.count ?? 0) <= 1 && mirror.listing() == nil
    if case .member = record.standing, !isAlone {
      throw VaultError(.conflict, path, .sharesAlready)
    }
    try leaveSpace()
  }

  /// Leaves the space: this device takes no part in it any more, and has no key of it. The diary stays as it is, and so does what lies at
  /// the place.
  ///
  /// - Throws: ``VaultError`` `notFound` when there is no space.
  package func leaveSpace() throws(VaultError) {
    try change { edit throws(VaultError) in
      let isSharing = try edit.catalogue.formerDevice() != nil
      let left = try edit.catalogue.leftStore()
      // What is kept of a space that it left before goes where it is damaged.
      guard isSharing || edit.catalogue.state.space != nil && left == nil else {
        throw VaultError(.notFound, path, .sharesNothing)
      }
      if let left { return edit.save(left) }
      try edit.catalogue.store.removeReplica()
      edit.update { $0.space = nil }
    }
    clearMirror()
  }

  /// Takes away what the mirror has of a space that was left, but segments of this diary that the place does not have: who comes in again
  /// sends them.
  ///
  /// It comes after a commit, so that nothing of it may fail: what is left undone is done by the next join.
  func clearMirror() {
    let catalogue = try? Snapshot(self).catalogue
    let kept = try? catalogue?.keptSpaceRecord()
    mirror.clear(keepingUnsentOf: kept?.former?.devices ?? [])
  }
}

extension SpaceRecord {
  /// What is left of it once the device has left: what was told and heard, and nothing that opens or signs anything of the space. By that
  /// the diary goes on where it stopped when it comes in again as another device.
  fileprivate func left() throws(SealingError) -> SpaceRecord {
    var left = try SpaceRecord(.left, seed: try SecretBytes.random(), name: member.name)
    left.goOn(from: self)
    if case .member = standing, let space {
      left.former = Former(space: space, devices: (former?.devices ?? []).union([member.id]))
    }
    return left
  }

  /// Goes on from what was kept by another record: whose segments these are, each of them says.
  fileprivate mutating func goOn(from known: SpaceRecord) {
    former = known.former
    (segments, segmentCount, void) = (known.segments, known.segmentCount, known.void)
    (registers, pages) = (known.registers, known.pages)
    (directory, buckets, living) = (known.directory, known.buckets, known.living)
    (journals, kinds) = (known.journals, known.kinds)
    (formerJournals, formerKinds) = (known.formerJournals, known.formerKinds)
    (conflicts, kept, heard) = (known.conflicts, known.kept, known.heard)
    (missingFiles, dropped) = (known.missingFiles, known.dropped)
    (lacking, notForAll) = (known.lacking, known.notForAll)
    for (id, entry) in known.aliases { rename(entry, id) }
    purgedAway = known.purgedAway
  }

  /// The same device, which goes on from nothing.
  fileprivate func goingOnFromNothing() throws(SealingError) -> SpaceRecord {
    var record = try SpaceRecord(standing, seed: try seed.secret.copy(), name: member.name)
    record.takeMembership(of: self)
    return record
  }
}

extension CatalogueEdit {
  /// Keeps what is known of other devices as it is now; pages and segments stay as they were.
  func save(_ store: ReplicaStore) {
    let pages = store.pages
    update { _ in }
    finishing = { state throws(VaultError) in state.space = try store.save(pages: pages) }
  }

  /// Goes on with what a record took over, or from nothing where that cannot be.
  fileprivate func begin(_ record: SpaceRecord, _ mirror: SpaceMirror) throws(VaultError) {
    if let former = record.former {
      if former.space == record.space { try mirror.bringBackUnsent() }
      let unsent = mirror.unsent(of: former.devices)
      var record = record
      // The place lost nothing of what it was never seen to have.
      record.unpublished.formUnion(unsent.map(\.hash))
      let store = try catalogue.ifWhole { () throws(VaultError) in
        try ReplicaStore(catalogue, goingOnWith: record)
      }
      if let store, try store.canGoOn(mirror) { return save(store) }
      for end in unsent { mirror.remove(.log(end)) }
    }
    mirror.dropUnsent()
    try catalogue.store.removeReplica()
    var record = try unsealing(.space) { () throws(SealingError) in
      try record.goingOnFromNothing()
    }
    // A diary that left another space may still have entries with more than one text.
    record.conflicts = try catalogue.entriesInConflict()
    save(ReplicaStore(catalogue, record))
  }

  /// Of entries that were removed for good nothing stays in what is kept of a space that the diary takes no part in: nobody is told of it
  /// until it comes in again.
  func forget(_ ids: [EntryID]) throws(VaultError) {
    guard catalogue.state.space != nil else { return }
    let isDone = try catalogue.ifWhole { () throws(VaultError) -> Bool in
      guard let record = try catalogue.keptSpaceRecord(), record.former != nil else { return true }
      if case .member = record.standing { return true }
      let store = try ReplicaStore(catalogue, goingOnWith: record)
      for id in ids { try store.forget(id) }
      save(store)
      return true
    }
    guard isDone == nil else { return }
    // Nothing can be found in it, so nothing of it stays.
    try catalogue.store.removeReplica()
    update { $0.space = nil }
  }
}

extension ReplicaStore {
  /// Whether this device, which comes in again, can go on with what it kept. A member must find everything that it had merged at the place,
  /// because what it tells follows that, and what it wrote before must count.
  fileprivate func canGoOn(_ mirror: SpaceMirror) throws(VaultError) -> Bool {
    guard case .member = record.standing else { return true }
    guard let former = record.former, former.space == record.space,
      let compaction = Compaction(self, mirror)
    else { return false }
    for device in former.devices {
      guard let remainder = try remainder(of: device, compaction) else { continue }
      guard replica.void(of: device, remainder).isEmpty else { return false }
    }
    return try compaction.hasAllMerged()
  }
}

extension Catalogue {
  /// What stays of the space once this device has left it, without entries that were removed here for good and of which nobody was told;
  /// nil where nothing was told or heard, or it is damaged.
  fileprivate func leftStore() throws(VaultError) -> ReplicaStore? {
    try ifWhole { () throws(VaultError) -> ReplicaStore? in
      guard var record = try keptSpaceRecord(), record.segmentCount > 0 else { return nil }
      record = try unsealing(.space) { () throws(SealingError) in try record.left() }
      let store = try ReplicaStore(self, goingOnWith: record)
      _ = try store.check()
      var living: Set<EntryID> = []
      try walkHeaders { header throws(VaultError) in
        living.insert(header.id)
        return true
      }
      for entry in try store.allEntries() where !living.contains(store.record.id(of: entry)) {
        try store.forget(store.record.id(of: entry))
      }
      return store
    }
  }

  /// Seals what stays of the space under another key of the diary, and drops the rest.
  ///
  /// - Returns: what the state record keeps.
  func leftSpace(sealing keys: VaultKeys) throws(VaultError) -> Ref? {
    guard state.space != nil else { return nil }
    let rows = try ifWhole { () throws(VaultError) -> ReplicaStore.Rows? in
      guard let left = try leftStore() else { return nil }
      _ = try left.save(pages: left.pages)
      return try left.rows()
    }
    try store.removeReplica()
    return try rows?.put(self, sealing: keys)
  }
}

extension Compaction {
  /// Whether every segment that is merged here lies in the mirror, by itself or in a pack, with all of it that is needed.
  fileprivate func hasAllMerged() throws(VaultError) -> Bool {
    var left: Set<LogEnd> = []
    for end in store.replica.merged where try loose(end) == nil { left.insert(end) }
    guard !left.isEmpty else { return true }
    let over = try purgedOrSet()
    for hash in lying.sorted() where !left.isEmpty {
      guard let opened = try open(hash) else { continue }
      for item in opened.pack.items where left.contains(item.end) && keys.isSigned(item.copy) {
        if item.copy.operations.contains(where: \.isGone) {
          try load(item)
          defer { store.release() }
          guard store.replica.isAnswered(by: item, butOf: over) else { continue }
        }
        left.remove(item.end)
      }
    }
    return left.isEmpty
  }

  /// The entries that others purged, and the registers that they set, in what is not merged yet.
  private func purgedOrSet() throws(VaultError) -> Set<Identity> {
    var over: Set<Identity> = []
    func take(_ copy: SignedSegment) {
      for operation in copy.operations where operation.kind != .revision {
        over.insert(operation.id)
      }
    }
    for case .log(let end) in mirror.names() where !store.replica.has(end.hash) {
      if let (copy, _) = try loose(end) { take(copy) }
    }
    for hash in lying.sorted() {
      guard let opened = try open(hash) else { continue }
      for item in opened.pack.items where !store.replica.has(item.hash) && keys.isSigned(item.copy)
      {
        take(item.copy)
      }
    }
    return over
  }
}
