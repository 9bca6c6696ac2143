internal import Bytes
package import Entries
internal import Platform
internal import Replication
internal import SealedFiles
internal import Sealing

/// Settles an open diary with its mirror: takes the roster, tells what was done here, merges what others did. It moves nothing
/// to or from the store.
package final class Reconciliation {
  private enum Stage { case answer, roster, telling, merging, counting, packing, done }

  private let vault: Vault
  let mirror: SpaceMirror
  private let compacts: Bool
  private let repairs: Bool
  private let isTold: Bool
  /// The most purged entries that one segment records.
  var removalsAtOnce = LocalChanges.removalsAtOnce
  private var hasCompacted = false
  private var stage = Stage.answer
  var report = SyncReport()
  /// What was read of the replica, while nobody else changes the vault.
  private var kept: (ref: Ref, store: ReplicaStore)?

  private var membership: Membership
  private var merging: Merging
  /// The most bytes of segments that the next change may have.
  private var batch = 0
  /// What the change before took in nanoseconds, beside merging: with a very long history it is much, and the next one is to be worth it.
  private var overhead: Int64 = 0
  /// The rows with an enlarged cache, while much is merged at once.
  private var widened: VaultRows?
  private var troubles: Set<SyncTrouble> = []
  private var unusable = UnusableObjects()
  /// Packs that are not read again this time, unless something new is merged.
  private var leftOutPacks: Set<Hash>?
  /// How many segments of others wait until this device can write; nil when none has to.
  private var held: Int?

  /// - Parameters:
  ///   - removals: how many entries may go by what others did, beside the few that go without asking.
  ///   - compacts: whether all that is merged is put into packs. What this device wrote is, by itself, now and then.
  ///   - repairs: whether photos and files that are lost here are wanted again, where the place has them.
  ///   - isTold: whether a person is told what comes of it; else what is to be said once is kept for the next time.
  package init(
    _ vault: Vault, allowing removals: Int = 0, compacts: Bool = false, repairs: Bool = false,
    isTold: Bool = false
  ) {
    self.repairs = repairs
    self.compacts = compacts
    self.isTold = isTold
    self.vault = vault
    mirror = SpaceMirror(VaultFolder(vault.path))
    merging = Merging(vault, mirror, allowing: removals)
    membership = Membership(vault, mirror)
  }

  deinit { widened?.narrowCache() }

  /// Tells of what was done here, so that it can be sent while the diary is closed, and merges nothing.
  package func tell(within slice: Slice) throws(VaultError) {
    guard try membership.takeAnswer(&report) else { return }
    try membership.takeRoster()
    while try tell(), !slice.isOver {}
  }

  package func finish() throws(VaultError) -> SyncReport {
    while true {
      if let report = try step(.unlimited) { return report }
    }
  }

  /// Goes on; nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> SyncReport? {
    repeat {
      switch stage {
      case .answer: stage = try membership.takeAnswer(&report) ? .roster : .done
      case .roster:
        try membership.takeRoster()
        stage = .telling
      case .telling: if try !tell() { stage = .merging }
      case .merging: if try !merge(slice), try !findPacked() { stage = .counting }
      case .counting:
        stage = try recount() ? .telling : .packing
        // When all that is here is merged: what it ends, nobody goes on with.
        if stage == .packing, merging.hasBrought {
          if try tell(settling: merging.takeBrought()) || merging.hasBrought { stage = .telling }
        }
      case .packing:
        var isDue = compacts
        try pack { compaction throws(VaultError) in
          isDue = isDue || compaction.isOwnDue
          return try compaction.check(tried: merging.tried)
        }
        if isDue, !hasCompacted, merging.removals == 0, stage == .packing {
          hasCompacted = true
          report.packed = try pack { [compacts] compaction throws(VaultError) in
            try compaction.write(compacts ? .everything : .own)
          }
        }
        // There may be something to tell first.
        if stage == .packing { try end() }
      case .done:
        return report.telling(
          troubles.union(merging.troubles).union(membership.troubles),
          unusable.union(merging.unusable).union(membership.unusable))
      }
    } while !slice.isOver
    return nil
  }

  // MARK: Changes

  /// One durable change, with everything known of other devices in it.
  ///
  /// - Parameter isMerging: then nothing is done while there is still something to tell: nil, and it is told first.
  private func change<Result>(
    isMerging: Bool = true, settling: [Identity]? = nil,
    _ body: (CatalogueEdit, ReplicaStore) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    let change = try vault.beginChange()
    defer { change.undo() }
    guard let store = try store(change.edit) else { return nil }
    kept = nil
    if let pending = store.record.pending { try mirror.settle(pending) }
    var local = LocalChanges(
      change.edit, store, removalsAtOnce: removalsAtOnce, settling: settling)
    var isWritten = false
    let (canWrite, seen) = (store.canWrite, store.pages)
    if canWrite {
      try local.find()
      store.record.kept.note(brought: local.survivors)
      isWritten = try seal(local, store)
    }
    let count = store.replica.segmentCount
    let result = !isMerging || local.isComplete ? try body(change.edit, store) : nil
    if store.namesAreStale { try store.takeNames(change.edit) }
    try store.noteToldNames(change.edit)
    try SharedSeconds(edit: change.edit, store: store).mend()
    if isMerging, !local.isComplete { stage = .telling }
    let unseen = local.unseen
    let isSaved =
      isWritten || change.edit.isChanged || count != store.replica.segmentCount
      || local.looked || store.recordChanged
    guard isSaved else {
      store.release()
      if let ref = vault.latest?.ref { kept = (ref, store) }
      return result
    }
    change.edit.update { _ in }
    change.edit.finishing = {
      [vault, rows = change.edit.catalogue.store] state throws(VaultError) in
      guard canWrite else {
        // If no segment can be written, nothing was published: what is known stays as it is.
        state.space = try store.save(pages: seen)
        return
      }
      var unseen = unseen
      for entry in store.untold { if let page = try rows.page(of: entry) { unseen.insert(page) } }
      let pages = try Catalogue(vault: vault, store: rows, state: state).pages().filter {
        !unseen.contains($0.id)
      }
      state.space = try store.save(pages: Set(pages.map(\.ref)))
    }
    try change.commit()
    store.release()
    if let ref = vault.latest?.ref { kept = (ref, store) }
    if isWritten, let pending = store.record.pending { try mirror.settle(pending) }
    return result
  }

  private func store(_ edit: CatalogueEdit) throws(VaultError) -> ReplicaStore? {
    if let kept, kept.ref == vault.latest?.ref { return kept.store }
    return try ReplicaStore(edit.catalogue)
  }

  /// Tells of one segment's worth; false when there was nothing more to tell.
  ///
  /// - Parameter settling: entries that this device brought along.
  private func tell(settling: [Identity]? = nil) throws(VaultError) -> Bool {
    let before = report.pushed
    _ = try change(isMerging: false, settling: settling) { _, _ throws(VaultError) in }
    return report.pushed > before
  }

  // MARK: Merging

  /// The most bytes of segments in one change: what is merged is read again for each.
  private static let largestBatch = 32 << 20

  /// Whether something was done here of which this device cannot tell: nothing may be merged over it.
  private func hasUntold(_ edit: CatalogueEdit) throws(VaultError) -> Bool {
    guard let store = try ReplicaStore(edit.catalogue) else { return false }
    var local = LocalChanges(edit, store, removalsAtOnce: removalsAtOnce)
    try local.find()
    return store.replica.isOpen || !local.isComplete
  }

  /// Merges in one change: one segment when others wait for their turn, else more and more; false when nothing is left.
  private func merge(_ slice: Slice) throws(VaultError) -> Bool {
    guard held == nil, merging.hasNext(kept?.store) else {
      widened?.narrowCache()
      widened = nil
      guard held == nil else { return false }
      if let store = kept?.store, merging.takeUpLeftOut(store) { return true }
      return merging.retryDeferred()
    }
    let before = merging
    let began = SystemClock.sinceBoot
    var spent: Int64 = 0
    do throws(VaultError) {
      let isDone = try change { [self] edit, store throws(VaultError) -> Bool in
        if !store.canWrite, try hasUntold(edit) {
          held = merging.left(store)
          return true
        }
        let compaction = try compaction(store)
        if batch > 0, widened == nil {
          widened = edit.catalogue.store
          try widened?.widenCache()
        }
        var bytes: Int?
        // With the first the histories are read.
        var first: Int64 = 0
        while let taken = try merging.next(edit, store, compaction, isFirst: bytes == nil) {
          if bytes == nil { first = SystemClock.sinceBoot }
          bytes = (bytes ?? 0) + taken
          spent = SystemClock.sinceBoot - first
          if (bytes ?? 0) >= batch || (slice.isOver && spent >= overhead) { break }
        }
        return true
      }
      // Others wait as long, and what is merged is to be seen soon.
      overhead = min(SystemClock.sinceBoot - began - spent, 200_000_000)
      // There is something to tell first; or the diary shares nothing any more.
      guard isDone == true else { return stage != .merging }
      if held != nil { return false }
    } catch {
      let failed = merging
      merging = before
      try merging.takeBack(failed, error)
      batch = 0
      return true
    }
    batch = min(max(4 << 20, 2 * batch), Self.largestBatch)
    if merging.forgets {
      vault.forgetRemoved()
      merging.forgets = false
    }
    return true
  }

  /// Brings the diary to what counts by now; false when it is so already.
  private func recount() throws(VaultError) -> Bool {
    guard held == nil else { return false }
    if let kept, kept.ref == vault.latest?.ref, kept.store.outsiders.isEmpty,
      kept.store.replica.voidSegments.isEmpty
    {
      return false
    }
    var forgets = false
    let isChanged = try change { [self] edit, store throws(VaultError) in
      // What was done here must be told before.
      guard store.canWrite, let compaction = try compaction(store),
        let result = try Recounting(edit, store, compaction).run(mirror)
      else { return false }
      forgets = result.forgets
      return true
    }
    compacting = nil
    if forgets { vault.forgetRemoved() }
    // What purges took that do not count is taken from what lies here.
    if isChanged == true { merging.listAgain() }
    // Nothing is done while there is something to tell.
    return isChanged ?? (stage == .telling)
  }

  // MARK: Packs

  private var compacting: (store: ReplicaStore, compaction: Compaction)?

  private func compaction(_ store: ReplicaStore) throws(VaultError) -> Compaction? {
    if let compacting, compacting.store === store { return compacting.compaction }
    compacting = Compaction(store, mirror, leaving: leaveOut(store)).map { (store, $0) }
    return compacting?.compaction
  }

  /// The packs that are not read again. Segments are left out with the first look.
  private func leaveOut(_ store: ReplicaStore) -> Set<Hash> {
    if leftOutPacks == nil {
      let found = RereadLimit.leftOut(of: store, mirror)
      merging.leave(found)
      leftOutPacks = Set(
        found.keys.compactMap { if case .pack(let hash) = $0 { hash } else { nil } })
    }
    if merging.pulled > 0 { leftOutPacks = [] }
    return leftOutPacks ?? []
  }

  /// Finds segments that only packs have; false when there is none that was not tried.
  private func findPacked() throws(VaultError) -> Bool {
    guard held == nil, !mirror.packs.isEmpty else { return false }
    let missing = try change { [self] _, store throws(VaultError) in
      try compaction(store)?.missing(whetherPartial: !merging.waiting.isEmpty) ?? []
    }
    return merging.take(missing ?? [])
  }

  /// Finds out about packs: new ones, or such as are written.
  @discardableResult
  private func pack(
    _ body: (Compaction) throws(VaultError) -> [Hash: SpaceRecord.KnownPack]
  ) throws(VaultError) -> Int {
    compacting = nil
    let found = try change { [self] _, store throws(VaultError) in
      guard let compaction = try compaction(store) else { return 0 }
      let found = try body(compaction)
      for (hash, pack) in found { store.record.packs[hash] = pack }
      troubles.formUnion(compaction.troubles)
      unusable = unusable.union(compaction.unusable)
      return found.count
    }
    compacting = nil
    return found ?? 0
  }

  // MARK: The end

  private func end() throws(VaultError) {
    stage = .done
    (report.pulled, report.merged) = (merging.pulled, merging.changed.count)
    report.removals = merging.removals
    report.agreed = merging.agreed
    report.waiting =
      merging.waiting.count + merging.leftOut.count + merging.undecided.count
      + (leftOutPacks?.count ?? 0) + (held ?? 0)
    let listing = mirror.listing()
    let facts = try change { [self] edit, store throws(VaultError) in
      try self.facts(edit, store, listing)
    }
    guard let (lost, gone, replaced, answers, record) = facts else { return }
    let listed = replaced.intersection(listing ?? [])
    try mirror.keep(replaced: listed)
    report.replaced = listed.map(\.text).sorted()
    if !report.replaced.isEmpty {
      report.answering = answers.map { ObjectPath.pack($0).text }.sorted()
    }
    if merging.damaged > 0 { troubles.insert(.damaged(merging.damaged)) }
    if gone > 0 { troubles.insert(.goneHere(gone)) }
    // Told as soon as the revocation is here: what is written from now on goes nowhere.
    let standing = record.roster?.standing(of: record.member.id)
    if standing.map({ $0 != .active }) ?? (held != nil) { troubles.insert(.closed) }
    if lost > 0 { troubles.insert(.lost(lost)) }
    report.missingFiles = record.missingFiles.count
    try mirror.keep(wanted: record.missingFiles)
  }

  /// A person who repairs has done what there is to do: what was promised and is not there is not waited for any more.
  private func giveUpPromised(_ lost: inout Set<LogEnd>, _ store: ReplicaStore) {
    let never = lost.intersection(store.record.promised)
    guard !never.isEmpty else { return }
    store.record.promised.subtract(never)
    lost.subtract(never)
    troubles.insert(.neverCame(never.count))
  }

  private typealias Facts = (lost: Int, gone: Int, Set<ObjectPath>, Set<Hash>, SpaceRecord)

  /// What there is to say at the end, and what packs replace.
  private func facts(
    _ edit: CatalogueEdit, _ store: ReplicaStore, _ listing: Set<ObjectPath>?
  ) throws(VaultError) -> Facts {
    try store.removeDropped(edit, mirror)
    if isTold || merging.pulled > 0 || report.pushed > 0 {
      store.record.kept = try store.record.kept.finished(store)
    }
    report.conflicts = try store.record.openConflicts(edit)
    try mirror.keep(shared: store.sharedFiles)
    let merged = store.replica.merged
    let compaction = try compaction(store)
    var lost: Set<LogEnd> = []
    var (replaced, answers): (Set<ObjectPath>, Set<Hash>) = ([], [])
    if let listing {
      store.record.unpublished.subtract(mirror.stored().union(listing).map(\.hash))
      (replaced, answers) = try compaction?.replaced(listing) ?? ([], [])
      let packed = compaction?.packed(listing) ?? []
      store.record.promised = store.record.promised.filter { end in
        !store.replica.has(end.hash)
          && store.record.roster?.standing(of: end.device) == .active
      }
      lost = Set(
        (merged + store.record.promised).filter {
          !listing.contains(.log($0)) && !store.record.unpublished.contains($0.hash)
            && !packed.contains($0.hash)
        })
      if !lost.isEmpty, merging.removals > 0, let compaction {
        lost.subtract(try compaction.covered(lost, by: listing))
      }
      if repairs { giveUpPromised(&lost, store) }
      // A pack that is gone from the place, too, no longer exists; nor does what was passed over.
      if store.record.passedOver.count > 1_000 {
        store.record.passedOver.formIntersection(listing.map(\.hash))
      }
      for case .pack(let hash) in replaced.subtracting(listing) {
        store.record.packs[hash] = nil
      }
    }
    // What was told in this very step gets its name in the mirror when the step is committed.
    let gone = merged.count {
      store.record.unpublished.contains($0.hash) && !mirror.has(.log($0))
        && !mirror.isPrepared($0)
    }
    if repairs, let listing {
      let needed = try edit.catalogue.objects().map { Hash($0.bytes) }
      store.record.missingFiles.formUnion(needed.filter { listing.contains(.object($0)) })
    }
    store.record.missingFiles = store.record.missingFiles.filter { !mirror.has(.object($0)) }
    troubles.formUnion(store.record.untold)
    if isTold { store.record.forgetUntold() }
    merging.noteReadInVain(store, mirror)
    store.record.settled = vault.settings.now()
    store.record.removals = merging.removals
    if let compaction {
      if let listing { store.record.notForAll.formUnion(compaction.unheard(listing)) }
      store.record.notForAll = compaction.unanswered(store.record.notForAll)
    }
    return (lost.count, gone, replaced, answers, store.record)
  }
}
