internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles
internal import Sealing

/// Who takes part, by what lies in the mirror: an answer to this device's request, and the roster's records.
struct Membership {
  private let vault: Vault
  private let mirror: SpaceMirror
  private(set) var troubles: Set<SyncTrouble> = []
  private(set) var unusable = UnusableObjects()

  init(_ vault: Vault, _ mirror: SpaceMirror) {
    self.vault = vault
    self.mirror = mirror
  }

  /// Looks for an answer to this device's request, where it waits for one.
  ///
  /// - Returns: false while this device is not let in, or shares nothing.
  mutating func takeAnswer(_ report: inout SyncReport) throws(VaultError) -> Bool {
    guard let record = try vault.spaceRecord() else {
      report.sharesNothing = true
      return false
    }
    guard case .asking(let code, let prefix) = record.standing else { return true }
    report.isAsking = true
    let pairing = try unsealing(.pairingCode) { () throws(SealingError) in
      try Pairing(code.secret)
    }
    let here = mirror.names()
    var space: SpaceRecord?
    for case .answer(pairing.id, let hash) in here {
      guard let object = try mirror.read(.answer(pairing.id, hash)) else {
        continue
      }
      var joined = record
      do throws(SealingError) {
        guard let (welcome, signature) = try pairing.welcome(object, try record.identity()) else {
          report.isRefused = true
          continue
        }
        // The code says into which space; a device of it must have signed.
        guard welcome.space.text.hasPrefix(prefix) else {
          report.isOtherSpace = true
          continue
        }
        joined.space = welcome.space
        joined.roster = Roster(space: welcome.space)
        joined.standing = .member
        joined.promised = Set(welcome.ends)
        _ = try take(here, &joined, vouched: Set(welcome.heads))
        guard
          Set(welcome.heads).isSubset(of: Set(joined.roster?.allRecords ?? [])),
          let roster = joined.roster, roster.standing(of: record.member.id) == .active,
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
      guard try vault.takeMembership(of: joined) else {
        space = joined
        continue
      }
      report.isAsking = false
      return true
    }
    if let space, record.space != space.space {
      try vault.updateSpace { $0.space = space.space }
    }
    return false
  }

  private func take(
    _ names: Set<ObjectPath>, _ record: inout SpaceRecord, vouched: Set<Hash> = []
  ) throws(SealingError) -> (refused: [SyncTrouble], waiting: Int) {
    guard var roster = record.roster else { return ([], 0) }
    roster.isCut = false
    let (waiting, refused) = try Self.take(
      names, mirror, into: &roster, keys: &record.keys, box: try record.identity().box,
      vouched: vouched)
    record.roster = roster
    // What an object is refused for will never be otherwise.
    record.malformed.formUnion(refused.filter { $0.value != .newer }.keys)
    // Another key or record may change that: until there is one, they are not tried again.
    record.unread = record.unread.union(Self.records(names).map(\.hash)).filter {
      !roster.has($0) && refused[$0] == nil
    }
    record.unread.subtract(refused.filter { $0.value == .newer }.keys)
    record.unread.formIntersection(mirror.names().map(\.hash))
    // What was not looked at to its end is looked at again.
    record.unreadUnder = roster.isCut ? 0 : record.keys.count + roster.recordCount
    return (refused.values.map { $0 == .newer ? .newer : .refused(device: "") }, waiting.count)
  }

  /// Takes records of the roster: those that are lower may need what those that are higher give.
  ///
  /// - Returns: which wait for others, and why some are refused.
  static func take(
    _ names: Set<ObjectPath>, _ mirror: SpaceMirror, into roster: inout Roster,
    keys: inout [[UInt8]: EpochKey], box: SealedBox, vouched: Set<Hash> = []
  ) throws(SealingError) -> (waiting: Set<Hash>, refused: [Hash: SealingError]) {
    var left = records(names)
    var refused: [Hash: SealingError] = [:]
    while true {
      var waiting: Set<Hash> = []
      let before = keys.count + roster.recordCount
      try mirror.readRoster(left) { batch throws(SealingError) in
        let found = try roster.takeAll(batch, keys: &keys, box: box, vouched: vouched)
        waiting.formUnion(found.waiting)
        refused.merge(found.refused) { $1 }
      }
      left = left.filter { !roster.has($0.hash) && refused[$0.hash] == nil }
      if left.isEmpty || keys.count + roster.recordCount == before { return (waiting, refused) }
    }
  }

  private static func records(_ names: Set<ObjectPath>) -> Set<ObjectPath> {
    names.filter { if case .roster = $0 { true } else { false } }
  }

  /// What nobody signed that takes part goes when it is gone from the place: it is no loss, and `repair` does not put it back.
  private func removeJunk(_ known: SpaceRecord) {
    let useless = known.useless
    guard !useless.isEmpty, let listing = mirror.listing() else { return }
    let junk = mirror.names().filter { name in
      guard case .roster(_, let hash) = name else { return false }
      return useless.contains(hash) && !listing.contains(name)
    }
    for name in junk { mirror.remove(name) }
    if !junk.isEmpty { try? mirror.forget(junk) }
  }

  /// Takes the records that came, and begins an epoch where one is needed.
  mutating func takeRoster() throws(VaultError) {
    guard let known = try vault.spaceRecord(), let before = known.roster else { return }
    removeJunk(known)
    let isTried = known.unreadUnder == known.keys.count + before.recordCount
    let new = mirror.names().filter { name in
      guard case .roster(_, let hash) = name, !before.has(hash), !known.malformed.contains(hash)
      else { return false }
      return !isTried || !known.unread.contains(hash)
    }
    guard
      !new.isEmpty || before.hasNoEpoch(known.member.id)
        || before.needsConfirmation(by: known.member.id)
    else { return note(known, []) }
    // Read, changed and kept in one go: another process may be at the same.
    let found = try vault.updateSpace { [self] record throws(VaultError) -> [SyncTrouble] in
      let found = try unsealing(.roster) { () throws(SealingError) in
        var (found, waiting) = try take(new, &record)
        // What came may be what others waited for, and they may give what some of it waits for.
        let rest = mirror.names().filter { record.unread.contains($0.hash) }
        if record.unreadUnder != before.recordCount + known.keys.count, !rest.isEmpty {
          let again = try take(rest, &record)
          found += again.refused
          waiting = again.waiting
        }
        return waiting == 0 ? found : found + [.damaged(waiting)]
      }
      try confirm(&record)
      // Changes did not know of one another: a new key goes to all who take part.
      guard var roster = record.roster, roster.hasNoEpoch(record.member.id) else { return found }
      let known = found
      func isKept() -> [SyncTrouble] {
        let name = roster.leftOut.flatMap { roster.members[$0]?.member.name }
        return known + [.refused(device: name ?? "")]
      }
      guard roster.needsEpoch(by: record.member.id) else { return isKept() }
      var keys = record.keys
      let object = try unsealing(.roster) { () throws(SealingError) in
        try roster.renew(by: record.member.id, try record.identity(), keys: &keys)
      }
      // One that helps nobody would be followed by another at the next sync, without end.
      guard !roster.epoch.isEmpty else { return isKept() }
      (record.roster, record.keys) = (roster, keys)
      try mirror.put(roster.name(SpaceObject.hash(object)), object)
      return found
    }
    troubles.formUnion(found)
    if let now = try vault.spaceRecord() { note(now, found) }
  }

  /// Says of admissions that nobody else did that they count here.
  private func confirm(_ record: inout SpaceRecord) throws(VaultError) {
    guard var roster = record.roster, roster.needsConfirmation(by: record.member.id) else { return }
    var keys = record.keys
    let object = try unsealing(.roster) { () throws(SealingError) in
      try roster.confirm(by: record.member.id, try record.identity(), keys: &keys)
    }
    // One that helps nobody would be followed by another at the next sync, without end.
    guard !roster.needsConfirmation(by: record.member.id) else { return }
    (record.roster, record.keys) = (roster, keys)
    try mirror.put(roster.name(SpaceObject.hash(object)), object)
  }

  /// Says which records are of no use.
  private mutating func note(_ record: SpaceRecord, _ found: [SyncTrouble]) {
    let names = Self.records(Set(mirror.names()))
    unusable.unreadable = names.filter { record.unread.contains($0.hash) }
    unusable.refused = names.filter { record.malformed.contains($0.hash) }
    if !unusable.refused.isEmpty, found.isEmpty { troubles.insert(.refused(device: "")) }
  }
}

extension Vault {
  /// What lies here under an epoch that not all who take part can open any more, as the roster is now, is to be packed under one that
  /// they can.
  func passOn(_ store: ReplicaStore, after before: Roster) {
    guard let roster = store.record.roster, roster.recordCount > before.recordCount else { return }
    let left = before.epochsForAll.subtracting(roster.epochsForAll)
      .intersection(store.record.keys.keys)
    guard !left.isEmpty else { return }
    let merged = store.replica.merged
    for name in mirror.names() {
      switch name {
      case .log(let end) where store.replica.has(end.hash):
        if left.contains(mirror.epoch(name)) { store.record.notForAll.insert(end.hash) }
      case .pack(let hash):
        guard left.contains(mirror.epoch(name)),
          let known = store.record.packs.removeValue(forKey: hash)
        else { continue }
        let places = (known.answered + known.others).filter(merged.indices.contains)
        store.record.notForAll.formUnion(places.map { merged[$0].hash })
      default: break
      }
    }
  }
}
