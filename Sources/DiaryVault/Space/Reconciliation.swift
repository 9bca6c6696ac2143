internal import Replication
internal import Sealing

/// Settles an open diary with its mirror: takes the roster, tells what was done here, merges what others did, one commit a
/// segment. It moves nothing to or from the store.
package final class Reconciliation {
  private enum Stage { case answer, roster, telling, merging, packing, holding, done }

  private let vault: Vault
  private let mirror: SpaceMirror
  private let allowsRemovals: Bool
  private let compacts: Bool
  private var hasCompacted = false
  private var stage = Stage.answer
  private var report = SyncReport()
  /// What was read of the replica, while nobody else changes the vault.
  private var kept: (ref: Ref, store: ReplicaStore)?

  private var names: [LogEnd] = []
  private var isListed = false
  /// Segments to merge, the next one last.
  private var stack: [LogEnd] = []
  private var waiting: Set<LogEnd> = []
  /// How often one was found to need others.
  private var looked: [LogEnd: Int] = [:]
  private var refused: Set<LogEnd> = []
  /// Of devices that were revoked, not within what counts of them: they count if somebody else had merged them.
  private var deferred: Set<LogEnd> = []
  /// Segments that one who takes part had merged: they count, whoever was revoked since.
  private var vouched: Set<Hash> = []
  /// What counts of a revoked device.
  private var accepted: [Identity: Set<Hash>] = [:]
  /// Segments that only packs have, by the pack.
  private var packed: [LogEnd: Hash] = [:]
  /// Packs to say of that this device holds them.
  private var holds: [Hash: SpaceRecord.HeldPack] = [:]
  private var removed = 0
  /// Whether words of what went for good may still stand in the search index.
  private var forgets = false
  private var troubles: Set<SyncTrouble> = []

  /// - Parameters:
  ///   - allowsRemovals: whether more than a few entries may go by what others did.
  ///   - compacts: whether what is merged is put into packs.
  package init(_ vault: Vault, allowsRemovals: Bool = false, compacts: Bool = false) {
    self.compacts = compacts
    self.vault = vault
    mirror = SpaceMirror(VaultFolder(vault.path))
    self.allowsRemovals = allowsRemovals
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
      case .answer: stage = try takeAnswer() ? .roster : .done
      case .roster:
        try takeRoster()
        stage = .telling
      case .telling: if try !tell() { stage = .merging }
      case .merging: if try !mergeNext(), try !findPacked() { stage = .packing }
      case .packing:
        try pack { compaction throws(VaultError) in try compaction.check() }
        stage = .holding
      case .holding:
        if !holds.isEmpty, try tell() { break }
        if try !compact() { try end() }
      case .done:
        report.troubles = Array(troubles).sorted { "\($0)" < "\($1)" }
        return report
      }
    } while !slice.isOver
    return nil
  }

  // MARK: Changes

  /// One durable change, with everything known of other devices in it.
  ///
  /// - Parameter isMerging: then nothing is done while there is still something to tell: nil, and it is told first.
  private func change<Result>(
    isMerging: Bool = true, _ body: (CatalogueEdit, ReplicaStore) throws(VaultError) -> Result
  ) throws(VaultError) -> Result? {
    let change = try vault.beginChange()
    defer { change.undo() }
    guard let store = try store(change.edit) else { return nil }
    kept = nil
    if let pending = store.record.pending { try mirror.settle(pending) }
    var local = LocalChanges(change.edit, store)
    var isWritten = false
    let (canWrite, seen) = (store.canWrite, store.pages)
    if canWrite {
      try local.find()
      if !holds.isEmpty {
        store.replica.hold(Set(holds.keys))
        store.touchRegisters()
        store.record.packs.merge(holds) { _, new in new }
        holds = [:]
      }
      isWritten = try seal(local, store)
    }
    let count = store.replica.segmentCount
    let result = !isMerging || local.unseen.isEmpty ? try body(change.edit, store) : nil
    if isMerging, !local.unseen.isEmpty { stage = .telling }
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
        // Who cannot tell has not told: what is known stays as it is.
        state.space = try store.save(pages: seen)
        return
      }
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

  /// Seals what was done here as a segment, which waits in the mirror until it counts.
  private func seal(_ local: LocalChanges, _ store: ReplicaStore) throws(VaultError) -> Bool {
    guard let space = store.record.space, let roster = store.record.roster,
      let key = store.record.keys[roster.epoch]
    else { return false }
    let identity = try unsealing("this device's keys") { () throws(SealingError) in
      try store.record.identity()
    }
    var object: [UInt8] = []
    let segment = try unsealing("segment") { () throws(SealingError) in
      try store.replica.seal { segment throws(SealingError) in
        let whole = try segment.replacing(ReplicatedEntry.body) { digest throws(SealingError) in
          guard let text = local.texts[digest] else { throw .malformed }
          return text
        }
        object = try whole.sealed(in: space, key: key, by: identity.signing)
        return SpaceObject.hash(object)
      }
    }
    guard let segment else { return false }
    guard object.count <= Segment.sizeLimit else {
      throw VaultError(.record, expected: .atMostBytes(Segment.sizeLimit))
    }
    let hash = SpaceObject.hash(object)
    let end = LogEnd(device: segment.device, sequence: segment.sequence, hash: hash)
    mirror.removePending(but: end)
    try mirror.prepare(end, object)
    store.record.pending = end
    store.record.unpublished.insert(hash)
    report.pushed += 1
    return true
  }

  /// Tells of one segment's worth; false when there was nothing more to tell.
  private func tell() throws(VaultError) -> Bool {
    let before = report.pushed
    _ = try change(isMerging: false) { _, _ throws(VaultError) in }
    return report.pushed > before
  }

  // MARK: Coming in

  /// False while this device is not let in, or shares nothing.
  private func takeAnswer() throws(VaultError) -> Bool {
    guard let record = try vault.spaceRecord() else {
      report.sharesNothing = true
      return false
    }
    guard case .asking(let code, let prefix) = record.standing else { return true }
    report.isAsking = true
    let pairing = try unsealing("pairing code") { () throws(SealingError) in
      try Pairing(code.secret)
    }
    let here = mirror.names()
    let objects = mirror.rosterObjects(here)
    var space: SpaceRecord?
    for case .answer(pairing.id, let hash) in here {
      guard let object = try mirror.read(.answer(pairing.id, hash)) else {
        continue
      }
      var joined = record
      do throws(SealingError) {
        let (welcome, signature) = try pairing.welcome(object, try record.identity())
        // The code says into which space; a device of it must have signed.
        guard welcome.space.text.hasPrefix(prefix) else { continue }
        joined.space = welcome.space
        joined.roster = Roster(space: welcome.space)
        joined.keys[welcome.epoch.id] = welcome.epoch
        joined.standing = .member
        // Whatever else lies there: the whole of the roster that the inviting device had, or nothing yet but where it is.
        _ = try take(objects, &joined)
        guard
          Set(welcome.heads).isSubset(of: Set(joined.roster?.allRecords ?? [])),
          let roster = joined.roster, roster.members[record.member.id]?.standing == .active,
          roster.active.contains(where: {
            $0.id != record.member.id && signature.isSigned(by: $0.signingKey)
          })
        else {
          joined = record
          joined.space = welcome.space
          space = joined
          continue
        }
      } catch {
        if case .newer = error { troubles.insert(.newer) }
        continue
      }
      let member = joined
      try vault.updateSpace { $0.takeMembership(of: member) }
      report.isAsking = false
      return true
    }
    if let space, record.space != space.space {
      try vault.updateSpace { $0.space = space.space }
    }
    return false
  }

  private func take(
    _ objects: [[UInt8]], _ record: inout SpaceRecord
  ) throws(SealingError) -> [SyncTrouble] {
    guard var roster = record.roster else { return [] }
    let (left, refused) = try roster.takeAll(
      objects, keys: &record.keys, box: try record.identity().box)
    record.roster = roster
    return refused.map { $0 == .newer ? .newer : .refused(device: "") }
      + (left.isEmpty ? [] : [.closed])
  }

  private func takeRoster() throws(VaultError) {
    guard let before = try vault.spaceRecord()?.roster else { return }
    let here = mirror.names()
    let new = here.filter { name in
      if case .roster(_, let hash) = name { return !before.has(hash) }
      return false
    }
    guard !new.isEmpty || before.heads.count > 1 else { return }
    let objects = mirror.rosterObjects(new)
    // Read, changed and kept in one go: another process may be at the same.
    let found = try vault.updateSpace { [self] record throws(VaultError) -> [SyncTrouble] in
      let found = try unsealing("roster") { () throws(SealingError) in try take(objects, &record) }
      // Two changes that did not know of one another: the keys of now go to all who take part.
      guard var roster = record.roster, roster.heads.count > 1,
        roster.members[record.member.id]?.standing == .active, record.keys[roster.epoch] != nil
      else { return found }
      let object = try unsealing("roster") { () throws(SealingError) in
        try roster.renew(by: record.member.id, try record.identity(), keys: &record.keys)
      }
      record.roster = roster
      try mirror.put(roster.name(SpaceObject.hash(object)), object)
      return found
    }
    troubles.formUnion(found)
  }

  // MARK: Merging

  /// Merges one segment; false when nothing is left.
  private func mergeNext() throws(VaultError) -> Bool {
    if !isListed {
      isListed = true
      names = Self.lastFirst(
        mirror.names().compactMap { if case .log(let end) = $0 { end } else { nil } })
    }
    guard let next = stack.last ?? names.popLast() else { return retryDeferred() }
    if stack.isEmpty { stack = [next] }
    // Who is not sure reads it, and finds that it is known.
    let isMerged = kept?.store.replica.has(next.hash) ?? false
    guard !isMerged, !refused.contains(next), !waiting.contains(next) else {
      stack.removeLast()
      return true
    }
    let object = try mirror.read(.log(next))
    guard object != nil || packed[next] != nil else {
      stack.removeLast()
      waiting.insert(next)
      return true
    }
    let merged: Merged?
    do throws(VaultError) {
      merged = try change { edit, store throws(VaultError) in
        try merge(next, object, edit, store)
      }
    } catch {
      // What does not go together with what is here is its author's fault; the machine's troubles are not.
      switch error.code {
      case .conflict, .invalid, .notFound, .damaged:
        refused.insert(next)
        stack.removeLast()
        troubles.insert(.refused(device: ""))
        return true
      default: throw error
      }
    }
    if forgets {
      vault.forgetRemoved()
      forgets = false
    }
    switch merged {
    // There is something to tell first; or the diary shares nothing any more.
    case nil: if stage == .merging { return false }
    case .done: stack.removeLast()
    case .needs(let others):
      let known = others.filter { !waiting.contains($0) && !refused.contains($0) }
      looked[next, default: 0] += 1
      // Looked at again, all of its needs were tried; only what packs claim may go round in circles.
      if known.isEmpty || looked[next, default: 0] > 3 {
        waiting.insert(next)
        stack.removeLast()
      } else {
        // One that is further down is needed first.
        if !Set(stack).isDisjoint(with: known) { stack.removeAll(where: known.contains) }
        stack += known
      }
    case .stopped:
      stack = []
      names = []
      return false
    }
    return true
  }

  /// What was put off, once somebody was found who had merged it; false when there is nothing.
  private func retryDeferred() -> Bool {
    let now = deferred.filter { vouched.contains($0.hash) }
    deferred.subtract(now)
    names = Self.lastFirst(now)
    return !now.isEmpty
  }

  /// In the order to merge them, backwards.
  private static func lastFirst(_ ends: some Sequence<LogEnd>) -> [LogEnd] {
    ends.sorted { ($0.sequence, $0) > ($1.sequence, $1) }
  }

  private static let registerLimit = 10_000

  private enum Merged {
    case done
    case needs([LogEnd])
    /// Too much would go.
    case stopped
  }

  private func merge(
    _ name: LogEnd, _ object: [UInt8]?, _ edit: CatalogueEdit, _ store: ReplicaStore
  ) throws(VaultError) -> Merged {
    guard let space = store.record.space, let roster = store.record.roster else { return .done }
    let whole: Segment
    var texts: [[UInt8]: [UInt8]] = [:]
    var known: Segment?
    if object == nil, let pack = packed[name] {
      known = try compaction(store)?.segment(name, in: pack)
    }
    do throws(SealingError) {
      if let object {
        guard let key = store.record.keys[try Segment.epoch(of: object)] else {
          troubles.insert(.closed)
          waiting.insert(name)
          return .done
        }
        whole = try Segment(object: object, in: space, key: key) { device in
          roster.members[device]?.member.signingKey
        }
      } else if let known {
        whole = known
      } else {
        waiting.insert(name)
        return .done
      }
      guard whole.device == name.device, whole.sequence == name.sequence else {
        mirror.remove(.log(name))
        throw .malformed
      }
      for case .revision(_, let fields) in whole.operations {
        try ReplicatedEntry.check(fields.mapValues { $0.map(\.value) })
      }
      for case .set(_, let value) in whole.operations where !value.isEmpty {
        _ = try SharedName(value)
      }
    } catch {
      return refuse(name, error, roster)
    }
    // What every device holds counts, whoever was revoked since.
    let counts =
      if known == nil { try isWithin(whole, name, roster, store) } else { true }
    guard counts else {
      deferred.insert(name)
      return .done
    }
    let segment = whole.replacing(ReplicatedEntry.body) { text in
      let digest = ReplicatedEntry.digest(text)
      texts[digest] = text
      return digest
    }
    try store.load(segment)
    let outcome: Replica.Outcome
    var replica = store.replica
    do throws(Replica.Refusal) {
      outcome = try replica.merge(segment, hash: name.hash)
    } catch {
      return refuse(name, .malformed, roster)
    }
    switch outcome {
    case .known: return .done
    case .waiting(let hashes):
      let ends =
        segment.ends
        + (segment.previous.map {
          [LogEnd(device: segment.device, sequence: segment.sequence - 1, hash: $0)]
        } ?? [])
      if roster.members[name.device]?.standing == .active || vouched.contains(name.hash) {
        vouched.formUnion(hashes)
        deferred = deferred.filter { !hashes.contains($0.hash) }
      }
      return .needs(ends.filter { hashes.contains($0.hash) })
    case .merged(let changes):
      // More names than a diary can have, many times over, are nobody's journals.
      guard changes.registers.isEmpty || replica.registerIDs.count <= Self.registerLimit else {
        return refuse(name, .malformed, roster)
      }
      let total = removed + changes.removed.count
      if !allowsRemovals, total > 20 || (total > 2 && total * 20 > store.record.living) {
        report.removals = total
        waiting.insert(name)
        return .stopped
      }
      removed = total
      for case .purge(let entry) in segment.operations where replica.shown(entry) == nil {
        for file in store.files(of: entry) {
          store.record.dropped[file] = replica.segmentCount - 1
        }
      }
      // A copy of the segment is not what is judged from now on.
      let place = replica.segmentCount - 1
      store.replica = replica
      if !changes.registers.isEmpty { try takeNames(edit, store) }
      if segment.operations.contains(where: \.isHold) { store.touchRegisters() }
      var merging = EntryMerge(edit, store, segment, texts, at: place)
      for entry in changes.entries.sorted() { try merging.merge(entry) }
      if merging.hasRemoved { forgets = true }
      report.merged += changes.entries.count
      report.pulled += 1
      store.record.heard[name.device] = vault.settings.now()
      store.record.missingFiles.formUnion(merging.missingFiles(mirror))
      if name.device == store.record.member.id { troubles.insert(.copied) }
      return .done
    }
  }

  private func refuse(_ name: LogEnd, _ error: SealingError, _ roster: Roster) -> Merged {
    refused.insert(name)
    let device = roster.members[name.device]?.member.name ?? name.device.text
    troubles.insert(error == .newer ? .newer : .refused(device: device))
    return .done
  }

  /// Whether a segment counts: of a revoked device, what led to where it was revoked, and what a device that takes part had
  /// merged.
  private func isWithin(
    _ segment: Segment, _ name: LogEnd, _ roster: Roster, _ store: ReplicaStore
  ) throws(VaultError) -> Bool {
    guard case .revoked(let ends)? = roster.members[segment.device]?.standing else { return true }
    if vouched.contains(name.hash) {
      if let previous = segment.previous { vouched.insert(previous) }
      return true
    }
    if let known = accepted[segment.device] { return known.contains(name.hash) }
    var counts: Set<Hash> = []
    for end in ends where end.device == segment.device {
      // Back along the log, by what is merged or lies here.
      var next: LogEnd? = end
      while let here = next, counts.insert(here.hash).inserted {
        next = nil
        if let known = store.replica.predecessor(of: here.hash) {
          next = known
        } else if here.sequence > 1,
          let object = try mirror.read(.log(here)),
          let epoch = try? Segment.epoch(of: object), let key = store.record.keys[epoch],
          let space = store.record.space,
          let later = try? Segment(
            object: object, in: space, key: key,
            signer: { roster.members[$0]?.member.signingKey }), let previous = later.previous
        {
          next = LogEnd(device: here.device, sequence: here.sequence - 1, hash: previous)
        }
      }
    }
    accepted[segment.device] = counts
    return counts.contains(name.hash)
  }

  private func takeNames(_ edit: CatalogueEdit, _ store: ReplicaStore) throws(VaultError) {
    store.touchRegisters()
    let shared = try SharedNameList(store)
    var names = try edit.names()
    let (journalIDs, kindIDs) = (store.record.journals, store.record.kinds)
    names.take(
      journals: shared.journals.map { id, journal in
        Journal(
          id: journalIDs.first { $0.value == id }?.key ?? 0, name: journal.name,
          from: journal.from, to: journal.to, emoji: journal.emoji)
      },
      kinds: shared.kinds.map { id, kind in
        Kind(
          id: kindIDs.first { $0.value == id }?.key ?? 0, name: kind.name, emoji: kind.emoji,
          otherNames: kind.otherNames)
      })
    store.record.journals = Dictionary(
      uniqueKeysWithValues: zip(names.journals, shared.journals).map { ($0.id, $1.id) })
    store.record.kinds = Dictionary(
      uniqueKeysWithValues: zip(names.ownKinds, shared.kinds).map { ($0.id, $1.id) })
    if try names != edit.names() { edit.setNames(names) }
    var templates = try edit.templatesList()
    let before = templates
    templates.templates = templates.templates.compactMap { template in
      shared.templates.first { $0.id == SharedName.id(ofTemplate: template.name) }?.template
    }
    let there = Set(templates.templates.map { SharedName.id(ofTemplate: $0.name) })
    templates.templates += shared.templates.filter { !there.contains($0.id) }.map(\.template)
    if templates != before { edit.setTemplates(templates) }
  }

  // MARK: Packs

  private var compacting: (store: ReplicaStore, compaction: Compaction)?

  private func compaction(_ store: ReplicaStore) throws(VaultError) -> Compaction? {
    if let compacting, compacting.store === store { return compacting.compaction }
    compacting = Compaction(store, mirror).map { (store, $0) }
    return compacting?.compaction
  }

  /// Finds segments that only packs have; false when there is none that was not tried.
  private func findPacked() throws(VaultError) -> Bool {
    guard report.removals == 0, !mirror.packs.isEmpty else { return false }
    let missing = try change { [self] _, store throws(VaultError) in
      try compaction(store)?.missing() ?? []
    }
    var found: [LogEnd] = []
    for (end, pack) in missing ?? []
    where packed[end] == nil && !refused.contains(end) && !mirror.has(.log(end)) {
      packed[end] = pack
      found.append(end)
    }
    guard !found.isEmpty else { return false }
    // The last is merged first; what waited is looked at again.
    names = Self.lastFirst(waiting.subtracting(found)) + found.reversed()
    waiting = []
    looked = [:]
    return true
  }

  private typealias HeldPacks = [Hash: SpaceRecord.HeldPack]

  /// Finds packs to hold: new ones, or such as are written.
  private func pack(
    _ body: (Compaction) throws(VaultError) -> HeldPacks
  ) throws(VaultError) {
    // What was held since is part of what they are held against.
    compacting = nil
    let found = try change { [self] _, store throws(VaultError) -> HeldPacks in
      guard store.canWrite, let compaction = try compaction(store) else { return [:] }
      let found = try body(compaction)
      troubles.formUnion(compaction.troubles)
      return found
    }
    holds = found ?? [:]
    report.held += holds.count
  }

  /// Writes packs once, when what others wrote is held; false when there is nothing to write.
  private func compact() throws(VaultError) -> Bool {
    guard compacts, !hasCompacted, report.removals == 0 else { return false }
    hasCompacted = true
    try pack { compaction throws(VaultError) in try compaction.write() }
    report.packed = holds.count
    return !holds.isEmpty
  }

  // MARK: The end

  private func end() throws(VaultError) {
    stage = .done
    report.waiting = waiting.count
    let listing = mirror.listing()
    typealias Facts = (lost: Int, gone: Int, replaced: Set<ObjectPath>, SpaceRecord)
    let facts = try change { [self] _, store throws(VaultError) -> Facts in
      let merged = store.replica.merged
      let compaction = try compaction(store)
      var lost = 0
      var replaced: Set<ObjectPath> = []
      if let listing {
        store.record.unpublished.subtract(mirror.stored().union(listing).map(\.hash))
        replaced = try compaction?.replaced(listing) ?? []
        let packed = compaction?.packed(listing) ?? []
        lost = merged.count {
          !listing.contains(.log($0)) && !store.record.unpublished.contains($0.hash)
            && !packed.contains($0.hash)
        }
        // What is gone from the place, too, is no pack any more.
        for case .pack(let hash) in replaced.subtracting(listing) {
          store.record.packs[hash] = nil
        }
      }
      let gone = merged.count {
        store.record.unpublished.contains($0.hash) && !mirror.has(.log($0))
      }
      store.record.missingFiles = store.record.missingFiles.filter { !mirror.has(.object($0)) }
      store.record.settled = vault.settings.now()
      report.lacking = compaction?.lacking() ?? []
      return (lost, gone, replaced, store.record)
    }
    guard let (lost, gone, replaced, record) = facts else { return }
    try mirror.keep(replaced: replaced)
    report.replaced = replaced.intersection(listing ?? []).map(\.text).sorted()
    for name in deferred {
      let device = record.roster?.members[name.device]?.member.name
      troubles.insert(.wroteAfterRevocation(device: device ?? ""))
    }
    if gone > 0 { troubles.insert(.goneHere(gone)) }
    if lost > 0 { troubles.insert(.lost(lost)) }
    report.conflicts = record.conflicts.count
    report.missingFiles = record.missingFiles.count
    try mirror.keep(wanted: record.missingFiles)
  }
}

extension Operation {
  fileprivate var isHold: Bool { if case .hold = self { true } else { false } }

  var entry: Identity? {
    switch self {
    case .revision(let entry, _), .purge(let entry): entry
    case .gone(let entry): entry
    case .set, .hold: nil
    }
  }
}
