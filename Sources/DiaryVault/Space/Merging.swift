internal import Bytes
internal import Entries
internal import Platform
internal import Replication
internal import SealedFiles

/// Merges the segments that lie in the mirror, in an order in which each finds what it needs.
///
/// It is a value type, so a change that fails leaves nothing behind except what is taken from it on
/// purpose.
struct Merging {
  private let vault: Vault
  private let mirror: SpaceMirror
  private let opener: SegmentOpener
  private var consent: RemovalConsent

  var names: [LogEnd] = []
  private var isListed = false
  /// Segments to merge, the next one last.
  private var stack: [LogEnd] = []
  var waiting: Set<LogEnd> = []
  /// Segments that are not read again yet, and what each waits for.
  var leftOut: [LogEnd: Hash?] = [:]
  /// What segments wait for.
  var wanted: [LogEnd: Hash] = [:]
  /// How often one was found to need others.
  private var looked: [LogEnd: Int] = [:]
  private(set) var refused: Set<LogEnd> = []
  /// Segments that do not count, or of which that cannot be told yet. They are merged as links where others follow them.
  private var deferred: Set<LogEnd> = []
  /// Those of them of which it cannot be told yet.
  private(set) var undecided: Set<LogEnd> = []
  /// Segments that others follow which are to be merged.
  private var needed: Set<Hash> = []
  /// What counts of devices that were taken out.
  private var remainders: [DeviceID: Replica.Remainder] = [:]
  /// Segments that only packs have, or have more of, by the packs.
  private var packed: [LogEnd: Set<Hash>] = [:]
  /// Segments that failed in a change with others. Each gets a change of its own.
  private var alone: Set<LogEnd> = []
  /// The segment that is being merged, and the last that was.
  private var trying: LogEnd?
  private var last: LogEnd?

  /// Segments that were merged, and entries they changed.
  private(set) var pulled = 0
  private(set) var changed: Set<Identity> = []
  /// Entries that would be removed and wait for confirmation.
  var removals: Int { stopped.values.reduce(0, +) }
  /// How many each segment would remove that waits for it.
  var stopped: [LogEnd: Int] { consent.stopped }
  /// How many entries went to which the owner agreed.
  var agreed: Int { consent.agreed }
  /// Whether words of what went for good may still stand in the search index.
  var forgets = false
  private(set) var troubles: Set<SyncTrouble> = []
  /// Entries that this device brought along into the space, and that others have, too.
  private var brought: Set<Identity> = []
  /// The same of journals, kinds and templates.
  private var broughtNames = false

  /// Whether this device brought along what others have, too.
  var hasBrought: Bool { broughtNames || !brought.isEmpty }

  /// The next of the entries; the names are settled with the first.
  mutating func takeBrought() -> [Identity] {
    let next = Array(brought.prefix(2_000))
    brought.subtract(next)
    broughtNames = false
    return next.sorted()
  }
  /// Objects that are not what their names say.
  private(set) var damaged = 0
  private(set) var unusable = UnusableObjects()
  /// Merged segments of which a pack has what is lacking here.
  private var completing: Set<LogEnd> = []
  private var completed: Set<LogEnd> = []

  /// The segments that were looked at once more for what packs have of them: what was not taken then says nothing.
  var tried: Set<Hash> { Set(completed.map(\.hash)) }

  /// How many segments by themselves are not merged.
  func left(_ store: ReplicaStore) -> Int {
    Set(names + stack).count { !isDone($0, store) && !isTried($0) }
  }

  init(_ vault: Vault, _ mirror: SpaceMirror, allowing removals: Int) {
    self.vault = vault
    self.mirror = mirror
    consent = RemovalConsent(allowing: removals)
    opener = SegmentOpener(mirror)
  }

  // MARK: What is next

  /// Whether anything is left to look at.
  ///
  /// - Parameter store: what is merged, where that is known.
  mutating func hasNext(_ store: ReplicaStore?) -> Bool {
    if !isListed {
      isListed = true
      names = Self.lastFirst(
        mirror.names().compactMap { if case .log(let end) = $0 { end } else { nil } })
    }
    while stack.isEmpty, let next = names.last,
      store.map({ isDone(next, $0) }) == true || isTried(next)
    {
      names.removeLast()
    }
    return !stack.isEmpty || !names.isEmpty
  }

  /// Looks at everything here once more.
  mutating func listAgain() { (isListed, completed, packed) = (false, [], [:]) }

  /// Whether a segment is merged, with all that there is of it.
  private func isDone(_ name: LogEnd, _ store: ReplicaStore) -> Bool {
    store.replica.has(name.hash) && !completing.contains(name)
      && !store.record.lacking.contains(name.hash)
  }

  private func isTried(_ name: LogEnd) -> Bool {
    refused.contains(name) || waiting.contains(name) || leftOut[name] != nil
  }

  /// In the order to merge them, backwards.
  static func lastFirst(_ ends: some Sequence<LogEnd>) -> [LogEnd] {
    ends.sorted { ($0.sequence, $0) > ($1.sequence, $1) }
  }

  /// Takes up what was put off, once something was found that follows it; false when there is nothing.
  mutating func retryDeferred() -> Bool {
    let now = deferred.filter { needed.contains($0.hash) }
    deferred.subtract(now)
    names = Self.lastFirst(now)
    return !now.isEmpty
  }

  /// Takes up segments that packs have, in the order to merge them; false when there is none that was not tried.
  mutating func take(_ missing: [Compaction.Missing]) -> Bool {
    var found: [LogEnd] = []
    for one in missing where !refused.contains(one.end) {
      let (end, pack, isMerged) = (one.end, one.pack, one.isMerged)
      var wasDeferred = false
      if one.isNeeded {
        needed.insert(end.hash)
        wasDeferred = deferred.remove(end) != nil
      }
      guard isMerged || wasDeferred || !mirror.has(.log(end)) else { continue }
      let isNew = packed[end, default: []].insert(pack).inserted
      // One that lacks something after it was merged is looked at once more.
      guard isNew || isMerged && completed.insert(end).inserted else { continue }
      if isMerged { completing.insert(end) }
      found.append(end)
    }
    guard !found.isEmpty else { return false }
    // The last is merged first; what waited is looked at again.
    names = Self.lastFirst(waiting.subtracting(found)) + found.reversed()
    waiting = []
    looked = [:]
    return true
  }

  /// Goes on after a failed change, without what was at fault.
  ///
  /// - Parameter failed: as it was when it failed.
  /// - Throws: the error, when it is the machine's and no segment's.
  mutating func takeBack(_ failed: Merging, _ error: VaultError) throws(VaultError) {
    // A segment that contradicts what is here is its author's fault; a system error is not.
    switch error.code {
    case .conflict, .invalid, .notFound, .damaged: break
    default: throw error
    }
    // Of several, each is tried by itself before one is refused; the commit itself may be what failed.
    let others = failed.pulled - pulled - (failed.trying == nil ? 1 : 0)
    guard others >= 0, let name = failed.trying ?? failed.last else { throw error }
    if others > 0 {
      alone.insert(name)
    } else {
      refused.insert(name)
      stack.removeAll { $0 == name }
      troubles.insert(.refused(device: ""))
    }
  }

  // MARK: Merging

  private enum Outcome {
    case done
    case needs([LogEnd])
    /// Too much would go.
    case stopped
  }

  /// Looks at the next segment that is not known; nil when none is left, or when the next is to have a change of its own.
  ///
  /// - Parameter isFirst: of its change.
  /// - Returns: how many bytes it had.
  mutating func next(
    _ edit: CatalogueEdit, _ store: ReplicaStore, _ compaction: Compaction?, isFirst: Bool
  ) throws(VaultError) -> Int? {
    while let next = stack.last ?? names.popLast() {
      if stack.isEmpty { stack = [next] }
      if isDone(next, store) || isTried(next) {
        stack.removeLast()
        continue
      }
      guard isFirst || !alone.contains(next) else { return nil }
      trying = next
      let (outcome, size) = try merge(next, edit, store, compaction)
      trying = nil
      switch outcome {
      case .done: stack.removeLast()
      case .needs(let others):
        let known = others.filter { !isTried($0) }
        looked[next, default: 0] += 1
        // Looked at again, all of its needs were tried; only what packs claim may go round in circles.
        if known.isEmpty || looked[next, default: 0] > 3 {
          waiting.insert(next)
          wanted[next] = known.isEmpty ? others.first?.hash : nil
          stack.removeLast()
        } else {
          // One that is further down is needed first.
          if !Set(stack).isDisjoint(with: known) { stack.removeAll(where: known.contains) }
          stack += known
        }
      case .stopped:
        // What does not need it goes on.
        waiting.insert(next)
        stack.removeLast()
      }
      return size
    }
    return nil
  }

  private mutating func merge(
    _ name: LogEnd, _ edit: CatalogueEdit, _ store: ReplicaStore, _ compaction: Compaction?
  ) throws(VaultError) -> (Outcome, size: Int) {
    guard let space = store.record.space, let roster = store.record.roster else {
      return (.done, 0)
    }
    let keys = SegmentOpener.Keys(space: space, store.record.keys, roster)
    let opened: SegmentOpener.Opened
    let remainder = try remainder(of: name.device, store, compaction)
    let standing = remainder?.standing(of: name) ?? .counts
    let isPassedOver = standing == .void && store.record.passedOver.contains(name.hash)
    if isPassedOver || store.record.malformed.contains(name.hash), !needed.contains(name.hash) {
      deferred.insert(name)
      return (.done, 0)
    }
    let next = names.last {
      !isTried($0) && !store.replica.has($0.hash) && !store.record.passedOver.contains($0.hash)
    }
    switch completing.contains(name) ? .missing : opener.open(name, keys, next: next) {
    case .opened(let segment): opened = segment
    case .missing:
      guard let (copy, isForAll) = try compaction?.copy(name, in: packed[name] ?? []) else {
        completing.remove(name)
        guard packed[name] == nil else { return (refuse(name, .notAuthentic, roster), 0) }
        waiting.insert(name)
        return (.done, 0)
      }
      let size = copy.encoded().count
      opened = SegmentOpener.Opened(copy, size: size, isForAll: isForAll)
    case .closed:
      // What says that it is sealed under an epoch nobody knows may be damaged: it is fetched again.
      mirror.remove(.log(name))
      unusable.unreadable.insert(.log(name))
      waiting.insert(name)
      return (.done, 0)
    case .damaged:
      mirror.remove(.log(name))
      damaged += 1
      unusable.refused.insert(.log(name))
      waiting.insert(name)
      return (.done, 0)
    case .refused(let error): return (refuse(name, error, roster), 0)
    case .failed(let error): throw error
    }
    let isVoid = standing == .void && roster.isTakenOut(name.device)
    if isVoid { store.record.outsiders.insert(name.device) }
    if completing.remove(name) == nil, !store.replica.has(name.hash),
      !isWanted(name, store, standing)
    {
      return (.done, opened.size)
    }
    let size = opened.size
    let outcome = try merge(opened, name, space, edit, store, roster, compaction, isVoid: isVoid)
    Parallel.release(consume opened)
    return (outcome, size)
  }

  /// Whether a segment is merged now: one that counts, or that others follow.
  private mutating func isWanted(
    _ name: LogEnd, _ store: ReplicaStore, _ standing: Replica.Standing
  ) -> Bool {
    if standing == .counts || needed.contains(name.hash) { return true }
    deferred.insert(name)
    if standing == .void {
      store.record.passedOver.insert(name.hash)
    } else {
      undecided.insert(name)
    }
    return false
  }

  /// What a segment follows is merged with it. What it needs of its own log counts as it does itself.
  private mutating func need(_ ends: [LogEnd], for name: LogEnd) {
    for end in ends where end.device != name.device || needed.contains(name.hash) {
      needed.insert(end.hash)
    }
  }

  private mutating func merge(
    _ opened: SegmentOpener.Opened, _ name: LogEnd, _ space: Identity, _ edit: CatalogueEdit,
    _ store: ReplicaStore, _ roster: Roster, _ compaction: Compaction?, isVoid: Bool
  ) throws(VaultError) -> Outcome {
    let segment = opened.segment
    try store.load(segment)
    let isCompletion = store.replica.has(name.hash)
    let files = segment.purged.reduce(into: [:]) { $0[$1] = store.files(of: $1) }
    let outcome: Replica.Outcome
    var failure: VaultError?
    do throws(Replica.Refusal) {
      outcome = try store.replica.merge(segment, hash: name.hash, isVoid: isVoid) { changes in
        do throws(VaultError) {
          return try consent.allows(name, changes.removed, edit, store, at: vault.settings.now())
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      // Its author signed it: it will never be another.
      store.record.malformed.insert(name.hash)
      return refuse(name, .malformed, roster)
    }
    if let failure { throw failure }
    switch outcome {
    case .known:
      noteLacking(opened, name, space, store)
      return .done
    case .waiting(let hashes):
      let ends =
        segment.ends
        + (segment.previous.map {
          [LogEnd(device: segment.device, sequence: segment.sequence - 1, hash: $0)]
        } ?? [])
      let missing = ends.filter { hashes.contains($0.hash) }
      need(missing, for: name)
      deferred = deferred.filter { !hashes.contains($0.hash) }
      return .needs(missing)
    case .declined: return .stopped
    case .merged(let changes):
      noteLacking(opened, name, space, store)
      if !opened.isForAll { store.record.notForAll.insert(name.hash) }
      let place = store.replica.place(of: name.hash) ?? store.replica.segmentCount - 1
      // Packs are looked at again that may lack what is here now, or may have all that is left.
      if isCompletion || !files.isEmpty {
        store.record.packs = store.record.packs.filter { _, pack in
          (!isCompletion || !pack.answered.contains(place)) && pack.others.isEmpty
        }
      }
      drop(files, at: place, store)
      if !isVoid { KeptEntries.note(segment.purged, changes.entries, store) }
      brought.formUnion(changes.entries.filter { store.replica.hasBrought($0) })
      broughtNames =
        broughtNames || changes.registers.contains { store.replica.brought($0) != nil }
      try take(changes, opened, name, at: place, edit, store, compaction)
      return .done
    }
  }

  /// Lets go of the files that only purged texts had.
  ///
  /// - Parameter files: of each purged entry, those that it had before.
  private func drop(_ files: [Identity: Set<Hash>], at place: Int, _ store: ReplicaStore) {
    var dropped = files.values.reduce(into: Set()) { $0.formUnion($1) }
    for entry in files.keys { dropped.subtract(store.files(of: entry)) }
    for file in dropped { store.record.dropped[file] = place }
  }

  /// Makes the diary what it is with a segment that was merged.
  private mutating func take(
    _ changes: Replica.Changes, _ opened: SegmentOpener.Opened, _ name: LogEnd, at place: Int,
    _ edit: CatalogueEdit, _ store: ReplicaStore, _ compaction: Compaction?
  ) throws(VaultError) {
    if !changes.registers.isEmpty { store.namesAreStale = true }
    // Names alone can wait for those of other segments.
    if store.namesAreStale, !changes.entries.isEmpty { try store.takeNames(edit) }
    var merging = MergedEntryWriter(
      edit, store, opened.segment, opened.texts, at: place, compaction)
    for entry in store.replica.inOrder(changes.entries) { try merging.merge(entry) }
    if merging.hasRemoved { forgets = true }
    changed.formUnion(merging.changed)
    for (row, isHere) in merging.moved { consent.note(row, isHere: isHere) }
    pulled += 1
    last = name
    store.record.heard[name.device] = vault.settings.now()
    store.record.missingFiles.formUnion(merging.missingFiles(mirror))
    if name.device == store.record.member.id { store.record.wasCopied = true }
  }

  private mutating func noteLacking(
    _ opened: SegmentOpener.Opened, _ name: LogEnd, _ space: Identity, _ store: ReplicaStore
  ) {
    if opened.hasNewer { store.record.hasNewer = true }
    if opened.hasNewer || store.replica.isLacking(Pack.Item(opened.copy, in: space)) {
      store.record.lacking.insert(name.hash)
    } else if store.record.lacking.contains(name.hash) {
      store.record.lacking.remove(name.hash)
    }
  }

  private mutating func refuse(_ name: LogEnd, _ error: SealingError, _ roster: Roster) -> Outcome {
    refused.insert(name)
    if error != .newer { unusable.refused.insert(.log(name)) }
    troubles.insert(
      error == .newer ? .newer : .refused(device: Self.deviceName(name.device, roster)))
    return .done
  }

  /// What a device is called, or its id.
  private static func deviceName(_ device: DeviceID, _ roster: Roster?) -> String {
    roster?.members[device]?.member.name ?? device.text
  }

  // MARK: Devices that were revoked

  private mutating func remainder(
    of device: DeviceID, _ store: ReplicaStore, _ compaction: Compaction?
  ) throws(VaultError) -> Replica.Remainder? {
    if let known = remainders[device] { return known }
    remainders[device] = try store.remainder(of: device, compaction)
    return remainders[device]
  }
}
