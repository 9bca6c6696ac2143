package import Bytes
internal import Sealing

/// Records that a device, or the recovery code, makes. The writer takes each as everybody else will.
extension Roster {
  /// The most epochs that a record follows: it has to hand on the keys of all of them.
  private static let epochLimit = 5_000
  /// The most of them that do not lead to the epoch that counts.
  private static let otherLimit = 1_000
  /// The most records that a revocation lists for a device.
  private static let revokedLimit = 5_000

  /// Makes a space.
  package static func begin(
    _ recovery: SpaceIdentity, first: Member
  ) throws(SealingError) -> (roster: Roster, keys: [[UInt8]: EpochKey], object: [UInt8]) {
    var roster = Roster(space: space(of: recovery))
    (roster.recoverySigning, roster.recoveryBox) = (
      recovery.signing.publicKey, recovery.box.publicKey
    )
    var keys: [[UInt8]: EpochKey] = [:]
    let object = try roster.write(
      .space(
        recoverySigning: roster.recoverySigning, recoveryBox: roster.recoveryBox, first),
      ([], Places()), by: nil, recovery, to: [first], keys: &keys)
    return (roster, keys, object)
  }

  /// Lets a device take part, and begins an epoch that it can read.
  ///
  /// - Parameter author: nil for the recovery code.
  /// - Returns: the objects to put into the store, in this order.
  /// - Throws: ``SealingError`` `limitsRefused` when the author may let in no more.
  package mutating func add(
    _ member: Member, by author: DeviceID?, _ signer: SpaceIdentity,
    keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [[UInt8]] {
    var objects: [[UInt8]] = []
    // An admission is sealed under an epoch that stands; the recovery code may find none.
    if epoch.isEmpty { objects.append(try renew(by: author, signer, keys: &keys)) }
    var budget = 16
    if let author {
      budget = self.budget(of: author) / 8
      guard self.budget(of: author) > budget else { throw .limitsRefused }
    }
    objects.append(
      try write(
        .add(member, budget: UInt8(min(budget, 255))), followed(), by: author, signer, to: nil,
        keys: &keys))
    objects.append(try renew(by: author, signer, keys: &keys))
    return objects
  }

  /// Takes devices out, and begins an epoch that they cannot read.
  ///
  /// - Parameter ends: where the logs ended, as far as they are known here.
  /// - Returns: the objects to put into the store, in this order.
  package mutating func revoke(
    _ devices: Set<DeviceID>, ends: [LogEnd], by recovery: SpaceIdentity,
    keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [[UInt8]] {
    guard let first = rules.nodes.first else { throw .malformed }
    let revocations = devices.sorted().map { device in
      let records = rules.nodes.indices.filter {
        result.counting.contains($0) && rules.nodes[$0].record.author == device
      }
      // First those that let others in. An epoch that is not right needs nobody's word: what was written there is packed again.
      let ranked =
        records.filter { rules.nodes[$0].record.member != nil }
        + records.filter { epochs[$0]?.verdict == .right }
        + records.filter { rules.nodes[$0].record.isConfirmation }
      // Of very many branches, which only a device that lies writes, the longest come first.
      let longest = ends.filter { $0.device == device }
        .sorted { ($0.sequence, $0) > ($1.sequence, $1) }.prefix(Self.endLimit)
      return RosterRecord.Revocation(
        device, ends: longest.sorted(),
        records: ranked.prefix(Self.revokedLimit).map { rules.nodes[$0].hash }.sorted())
    }
    return [
      try write(
        .revoke(revocations), ([first.hash], rules.closure(of: 0)), by: nil, recovery, to: nil,
        keys: &keys),
      try renew(by: nil, recovery, keys: &keys),
    ]
  }

  /// Whether a device has to say what counts for it, so that it goes on counting.
  package func needsConfirmation(by device: DeviceID) -> Bool {
    standing(of: device) == .active && !epoch.isEmpty
      && rules.needsConfirmation(by: device, result.counting)
  }

  /// Says what counts for a device, by following it.
  package mutating func confirm(
    by author: DeviceID, _ signer: SpaceIdentity, keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    try write(.confirm, followed(), by: author, signer, to: nil, keys: &keys)
  }

  /// Begins an epoch for all who take part.
  ///
  /// - Parameter author: nil for the recovery code.
  package mutating func renew(
    by author: DeviceID?, _ signer: SpaceIdentity, keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    let following = followed()
    // All who take part, by what the record follows.
    let active = rules.result(of: following.above).active
    return try write(.renew, following, by: author, signer, to: active, keys: &keys)
  }

  /// Makes a record and takes it, as everybody else will.
  ///
  /// - Parameters:
  ///   - following: what it follows.
  ///   - receivers: of the epoch that it begins; nil for none.
  private mutating func write(
    _ action: RosterRecord.Action, _ following: Following, by author: DeviceID?,
    _ signer: SpaceIdentity,
    to receivers: [Member]?, keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    let new = try receivers.map { _ throws(SealingError) in try EpochKey.make() }
    let (previous, above) = following
    // The keys of void epochs, too: something may have been written under them.
    let earlier = Set(epochs.filter { above.contains($0.key) }.values.map(\.id))
      .compactMap { keys[$0] }
    // A confirmation is read by all, also where its author's epoch is left behind.
    let under = (action == .confirm ? 0 : highestEpoch(above.contains)).flatMap { epochs[$0] }
    guard let key = under.flatMap({ keys[$0.id] }) ?? new else { throw .malformed }
    let opening = try new.map { new throws(SealingError) in
      try EpochOpening(
        new, to: (receivers ?? []).map(\.boxKey), recovery: recoveryBox, earlier: earlier,
        in: space)
    }
    let record = RosterRecord(
      previous: previous, author: author, action, epochDigest: EpochOpening.digest(opening))
    let object = try SpaceObject.seal(
      record.encoded(), .roster,
      head: SpaceObject.head(.roster, epoch: key.id) + EpochOpening.encoded(opening), in: space,
      key: key, by: signer.signing)
    if let new { keys[new.id] = new }
    guard try take(object, keys: &keys, box: signer.box) == .taken else { throw .malformed }
    return object
  }

  /// The record of the current epoch if it is among some; else that of the highest of them that is right.
  private func highestEpoch(_ isAmong: (Int) -> Bool) -> Int? {
    if let current, isAmong(current) { return current }
    let right = epochs.filter { $0.value.verdict == .right && isAmong($0.key) }
    return right.keys.max(by: rules.isLower)
  }

  /// The records that one follows, and with them all above it.
  private typealias Following = (heads: [Hash], above: Places)

  /// The author of a head that a new record leaves out; nil when it follows all.
  package var leftOut: DeviceID? {
    let above = followed().above
    let left = heads.compactMap(rules.place).filter { !above.contains($0) }
    return left.lazy.compactMap { rules.nodes[$0].record.author }.first
  }

  /// The ``heads`` that a new record follows. All, unless these lead to more epochs than a record can hand on, which no honest device
  /// brings about: then those are left out that lead to the most of them, and first those of the devices with the most heads.
  func followed() -> (heads: [Hash], above: Places) {
    var all = heads.compactMap(rules.place)
    let authors = Dictionary(grouping: all) { rules.nodes[$0].record.author }.mapValues(\.count)
    func epochCount(_ places: Places) -> Int { epochs.keys.count(where: places.contains) }
    // What led to the epoch that counts, or to the last one that did, is followed however much it is: who leaves it out could not
    // write any more.
    let base = highestEpoch { epochCount(rules.closure(of: $0)) <= Self.epochLimit }
    let under = base.map(rules.closure) ?? Places()
    let most = min(Self.epochLimit, epochCount(under) + Self.otherLimit)
    var above = Places()
    for head in all { above.formUnion(rules.closure(of: head)) }
    // Who takes part, and what is written under, is followed however many heads there are.
    let needed = rules.nodes.indices.filter {
      $0 == base || result.counting.contains($0) && rules.nodes[$0].record.changesMembers
    }
    for place in needed.reversed() where !above.contains(place) {
      all.append(place)
      above.formUnion(rules.closure(of: place))
    }
    guard epochCount(above) > most else {
      return (all.map { rules.nodes[$0].hash }.sorted(), above)
    }
    let ranked = all.map { head in
      let node = rules.nodes[head]
      return (
        place: head,
        key: (authors[node.record.author] ?? 0, epochCount(rules.closure(of: head)), node.hash)
      )
    }.sorted { $0.key < $1.key }
    var chosen = base.map { [$0] } ?? []
    above = under
    for head in needed.reversed() + ranked.map(\.place) where !above.contains(head) {
      var more = above
      more.formUnion(rules.closure(of: head))
      guard epochCount(more) <= most else { continue }
      chosen.append(head)
      above = more
    }
    // Not what another leads to.
    let ends = chosen.filter { one in
      !chosen.contains { rules.nodes[$0].ancestors.contains(one) }
    }
    return (ends.map { rules.nodes[$0].hash }.sorted(), above)
  }
}
