package import Bytes
internal import Sealing

/// Who takes part in a space, and by which keys: what follows from a set of signed records (``RosterRules``), and the epoch that
/// everything new is sealed under.
package struct Roster: Sendable {
  package enum Standing: Equatable, Sendable {
    case active
    /// Its segments count that lead to these ends.
    case revoked([LogEnd])
  }

  package let space: Identity
  var rules = RosterRules()
  var recoverySigning: [UInt8] = []
  var recoveryBox: [UInt8] = []
  /// By the places of the records that begin them.
  var epochs: [Int: Epoch] = [:]
  /// The epochs that the records are sealed under, by their places.
  var seals: [[UInt8]] = []
  var result = RosterRules.Result()
  /// The record that begins the epoch which everything new is sealed under; nil when there is none, and one is to be begun first. An id
  /// may be begun by several records, of which only this one is meant.
  var current: Int?
  /// The id of that epoch; empty when there is none.
  package var epoch: [UInt8] { current.flatMap { epochs[$0]?.id } ?? [] }

  /// An epoch that a record begins.
  struct Epoch: Sendable {
    enum Verdict: UInt8 {
      /// Its key is not known here.
      case unknown, right, void
      /// Void, and all the same sealed to each who took part: it is not to be written under, and what was is read by all of them.
      case readable
    }
    let id: [UInt8]
    var verdict: Verdict
    /// Kept while the verdict may change: as long as its own key is unknown here, or that of an epoch before it.
    var opening: EpochOpening?
    /// The devices that took part there, in the order of their ids.
    let receivers: [Member]
    /// The epochs before it, by the places of their records, whose keys it does not hand on; kept of one that is right.
    var lacking: [Int] = []
  }

  /// Whether boxes were left untried when records were taken last.
  package var isCut = false

  /// The most epochs of one author that are kept for being judged later.
  private static let pending = 64
  /// The most bytes of all that are kept.
  private static let pendingBytes = 4 << 20
  /// The most records that one follows, and ends that one lists for a device.
  static let listLimit = 1_000
  /// The most ends of a device that a revocation lists.
  static let endLimit = 8_000

  package init(space: Identity) { self.space = space }

  /// The name of a space. It follows from the recovery code, so that only somebody with the code can begin it.
  package static func space(of recovery: SpaceIdentity) -> Identity {
    space(recovery.signing.publicKey, recovery.box.publicKey)
  }

  static func space(_ signing: [UInt8], _ box: [UInt8]) -> Identity {
    var reader = ByteReader(Digest.blake2b(signing + box, count: 16, domain: "FDv2 space"))
    return (try? Identity(&reader)) ?? Identity(high: 0, low: 0)
  }

  // MARK: Who takes part

  /// Everybody who was let in by a record that counts.
  package var members: [DeviceID: (member: Member, standing: Standing)] { result.members }

  package var active: [Member] { result.active }

  /// What counts of a device. Nothing counts by itself of one that nobody let in, or whose admission does not count.
  package func standing(of device: DeviceID) -> Standing {
    members[device]?.standing ?? .revoked([])
  }

  /// Whether what a device wrote beyond its revocation does nothing, also where it was merged: it was taken out, or let in by such
  /// devices alone. One whose admission does not count otherwise is heard no more, and what was merged of it stays: a member must not be
  /// able to take out whom it let in.
  package func isTakenOut(_ device: DeviceID) -> Bool {
    members[device].map { $0.standing != .active } ?? !unheard.contains(device)
  }

  /// The devices whose admission does not count, and which were let in by somebody who takes part, by the recovery code, or by another
  /// of them.
  private var unheard: Set<DeviceID> = []

  private func foundUnheard() -> Set<DeviceID> {
    admitted(from: [nil] + active.map(\.id)) { members[$0] == nil }
  }

  /// The devices that some authors let in, whether that counts or not, or that one of these did.
  ///
  /// - Parameter isMeant: others are passed over, with whom they let in.
  private func admitted(
    from authors: [DeviceID?], where isMeant: (DeviceID) -> Bool
  ) -> Set<DeviceID> {
    let admitted = rules.admitted
    var found: Set<DeviceID> = []
    var next = authors
    while let author = next.popLast() {
      for device in admitted[author] ?? [] where isMeant(device) && found.insert(device).inserted {
        next.append(device)
      }
    }
    return found
  }

  /// The devices that take part because a device let them in, or one of these did.
  package func letIn(by device: DeviceID) -> [Member] {
    let found = admitted(from: [device]) { $0 != device }
    return active.filter { found.contains($0.id) }
  }

  /// The key a device signs with, if any record names it.
  package func signingKey(of device: DeviceID) -> [UInt8]? { rules.signingKey(of: device) }

  /// How many devices a device may still let in, counting those that they let in.
  package func budget(of device: DeviceID) -> Int { result.budgets[device] ?? 0 }

  /// The records that nothing follows, in order, also such as do not count: a record that follows these shows what its author had. Of
  /// very many, those that count come first.
  package var heads: [Hash] {
    var followed = Places()
    for node in rules.nodes { followed.formUnion(node.ancestors) }
    let ranked = rules.nodes.indices.filter { !followed.contains($0) }
      .map { (rank: rank($0), hash: rules.nodes[$0].hash) }.sorted { $0 < $1 }
    return ranked.prefix(Self.listLimit).map(\.hash).sorted()
  }

  /// Which records are followed first: who takes part, then epochs that somebody may write under, then what counts, then the rest. A
  /// device that signs without end makes many of those that come last, and few others.
  private func rank(_ place: Int) -> Int {
    guard result.counting.contains(place) else { return 3 }
    if place == current || rules.nodes[place].record.changesMembers { return 0 }
    return epochs[place]?.verdict == .right ? 1 : 2
  }

  /// The ids of the epochs that all who take part, and the recovery code, can open: the one to write under, those whose keys it hands
  /// on, and those that are sealed to all of them. An epoch that somebody wrote under may be left behind, because its author was taken
  /// out by somebody who did not know of it.
  package private(set) var epochsForAll: Set<[UInt8]> = []

  /// Chooses the epoch to write under, when it is known who takes part.
  mutating func chooseEpoch() {
    unheard = foundUnheard()
    current = current(within: nil)
    epochsForAll = foundForAll()
  }

  private func foundForAll() -> Set<[UInt8]> {
    guard let current, let now = epochs[current] else {
      return Set(epochs.values.filter { $0.verdict == .right }.map(\.id))
    }
    let (ancestors, lacking) = (rules.nodes[current].ancestors, Set(now.lacking))
    let taking = Set(active.map(\.id))
    return Set(
      epochs.filter { place, known in
        place == current || ancestors.contains(place) && !lacking.contains(place)
          || [.right, .readable].contains(known.verdict)
            && taking.isSubset(of: known.receivers.map(\.id))
      }.values.map(\.id))
  }

  /// How many records were taken.
  package var recordCount: Int { rules.nodes.count }

  /// All that was taken, whether it counts or not.
  package var allRecords: [Hash] { rules.nodes.map(\.hash) }

  package func has(_ hash: Hash) -> Bool { rules.place(of: hash) != nil }

  /// The name of a record in the store, with how far it is from the first.
  package func name(_ hash: Hash) -> ObjectPath {
    .roster(rules.place(of: hash).map { rules.nodes[$0].depth } ?? 0, hash)
  }

  // MARK: Epochs

  /// Judges what is new, and drops keys of epochs that no taken record begins.
  mutating func settle(_ keys: inout [[UInt8]: EpochKey]) throws(SealingError) {
    result = rules.result()
    for place in epochs.keys.sorted() {
      guard let found = epochs[place], let opening = found.opening, let key = keys[found.id] else {
        continue
      }
      let ancestors = rules.nodes[place].ancestors
      // Of one that is void nobody asks what it lacks.
      let lacking = try lacking(opening, key, at: place)
      if lacking != nil {
        epochs[place]?.verdict = .right
      } else if found.verdict != .readable {
        let isReadable = try opening.isSealed(
          key, to: found.receivers.map(\.boxKey), recovery: recoveryBox)
        epochs[place]?.verdict = isReadable ? .readable : .void
      }
      epochs[place]?.lacking = lacking ?? []
      let isFinal = !epochs.contains { ancestors.contains($0.key) && $0.value.opening != nil }
      if isFinal { epochs[place]?.opening = nil }
    }
    dropOpenings()
    let begun = Set(epochs.values.map(\.id))
    keys = keys.filter { begun.contains($0.key) }
    chooseEpoch()
  }

  /// Only some openings are kept for being judged later, so that nobody fills the diary with them, nor drives out those of others: of
  /// each author the first ones, and of all of them, while there is room, those of who takes part, the smallest first.
  private mutating func dropOpenings() {
    let waiting = epochs.keys.filter { epochs[$0]?.opening != nil }.sorted()
    var kept: [(isActive: Bool, size: Int, place: Int)] = []
    for (author, all) in Dictionary(grouping: waiting, by: { rules.nodes[$0].record.author }) {
      let isActive = author.map { standing(of: $0) == .active } ?? true
      for (index, place) in all.enumerated() {
        if index < Self.pending, let opening = epochs[place]?.opening {
          kept.append((isActive, opening.byteCount, place))
        } else {
          epochs[place]?.opening = nil
        }
      }
    }
    kept.sort { one, other in
      one.isActive == other.isActive
        ? (one.size, one.place) < (other.size, other.place) : one.isActive
    }
    var room = Self.pendingBytes
    for (_, size, place) in kept {
      room -= size
      if room < 0 { epochs[place]?.opening = nil }
    }
  }

  /// The epochs before one whose keys it does not hand on; nil when it is void.
  private func lacking(
    _ opening: EpochOpening, _ key: EpochKey, at place: Int
  ) throws(SealingError) -> [Int]? {
    let ancestors = rules.nodes[place].ancestors
    // An epoch that nobody needed does not count: otherwise a device could keep all others busy.
    if rules.nodes[place].record.isRenewal, current(within: ancestors) != nil {
      return nil
    }
    let all = epochs.filter { ancestors.contains($0.key) }
    // A device that opens it must be able to open everything that led to it.
    let needed =
      all.filter { $0.value.verdict == .right }.map(\.value.id)
      + seals.indices.filter(ancestors.contains).map { seals[$0] }
    guard
      let given = try opening.earlierIDs(
        key, to: (epochs[place]?.receivers ?? []).map(\.boxKey), recovery: recoveryBox, in: space),
      given.isSuperset(of: needed), given.isSubset(of: all.values.map(\.id))
    else { return nil }
    return all.filter { !given.contains($0.value.id) }.keys.sorted()
  }

  /// The epoch to write under for somebody who has some records, or all: behind every revocation, and sealed to exactly those who take
  /// part, who also reach every other one. Of several the one whose record is highest by depth, then hash, as its place; nil when there is none.
  func current(within some: Places?) -> Int? {
    let known = some.map(rules.result(of:)) ?? result
    // Somebody may have written under one that is void, too: without a key which only others have, it was right for its author.
    let counting = epochs.filter { place, epoch in
      epoch.verdict != .unknown && known.counting.contains(place)
    }
    let active = known.active.map(\.id)
    let taking = Set(active)
    // Devices that were let in behind an epoch got its key with a later one. None of them may have left since.
    let leaked = epochs.filter { place, epoch in
      some?.contains(place) ?? true && !epoch.receivers.allSatisfy { taking.contains($0.id) }
    }.keys
    // Who was taken out may have got the key of any epoch that does not follow the revocation.
    let revocations = rules.nodes.indices.filter {
      !rules.nodes[$0].record.revocations.isEmpty && known.counting.contains($0)
    }
    let fitting = counting.filter { place, epoch in
      epoch.verdict == .right && epoch.receivers.count == active.count
        && revocations.allSatisfy(rules.nodes[place].ancestors.contains)
        && epoch.receivers.map(\.id) == active
        && !leaked.contains { rules.nodes[$0].ancestors.contains(place) }
        && counting.allSatisfy { other, another in
          other == place
            || rules.nodes[place].ancestors.contains(other) && !epoch.lacking.contains(other)
            || taking.isSubset(of: another.receivers.map(\.id))
        }
    }
    return fitting.keys.max(by: rules.isLower)
  }

  /// Whether a device must begin an epoch before it writes, and can.
  package func needsEpoch(by device: DeviceID) -> Bool {
    hasNoEpoch(device) && rules.mayRenew(device, after: followed().above)
  }

  /// Whether a device takes part and has no epoch to write under.
  package func hasNoEpoch(_ device: DeviceID) -> Bool {
    epoch.isEmpty && standing(of: device) == .active
  }
}
