internal import Bytes
package import Entries
package import Replication
internal import SealedFiles
package import Sealing

extension ReplicaStore {
  /// Whether this device can write segments: it takes part and has the present key.
  var canWrite: Bool {
    guard case .member = record.standing, let roster = record.roster,
      roster.standing(of: record.member.id) == .active
    else { return false }
    return record.keys[roster.epoch] != nil
  }
}

extension Vault {
  func spaceRecord() throws(VaultError) -> SpaceRecord? {
    try Snapshot(self).catalogue.spaceRecord()
  }

  /// Changes what this device keeps of its space, as it is when the change begins.
  ///
  /// - Throws: ``VaultError`` `notFound` when there is no space.
  func updateSpace<Result>(
    _ body: (inout SpaceRecord) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try change { edit throws(VaultError) in
      guard let store = try ReplicaStore(edit.catalogue) else {
        throw VaultError(.notFound, path, .sharesNothing)
      }
      let before = store.record.roster
      let result = try body(&store.record)
      if let before { passOn(store, after: before) }
      edit.save(store)
      return result
    }
  }

  private func spaceOfMember() throws(VaultError) -> SpaceRecord {
    guard let record = try spaceRecord(), case .member = record.standing else {
      throw VaultError(.notFound, path, .sharesNothing)
    }
    return record
  }

  /// The space this device takes part in.
  ///
  /// - Throws: ``VaultError`` `notFound`.
  package func requireSpace() throws(VaultError) -> String {
    try spaceOfMember().space?.text ?? ""
  }

  /// The space that this device may let another into.
  ///
  /// - Throws: ``VaultError``: `notFound`; `conflict` when this device may let in no more, or was revoked.
  package func requireRoom() throws(VaultError) -> String {
    let (record, roster) = try activeMember()
    guard roster.budget(of: record.member.id) > 0 else {
      throw VaultError(.conflict, .device, record.member.name, .letsInNoMore)
    }
    return record.space?.text ?? ""
  }

  /// - Throws: ``VaultError``: `notFound`; `conflict` when this device was revoked.
  package func requireActive() throws(VaultError) { _ = try activeMember() }

  private func activeMember() throws(VaultError) -> (record: SpaceRecord, roster: Roster) {
    let record = try spaceOfMember()
    guard let roster = record.roster, roster.standing(of: record.member.id) == .active else {
      throw VaultError(.conflict, .device, record.member.name, .wasRevoked)
    }
    return (record, roster)
  }

  /// Whether all that the place lists is here but photos and files.
  package var hasAllListed: Bool { mirror.hasAllListed }

  /// Puts this diary into a space of its own: its first device is this one.
  ///
  /// - Parameters:
  ///   - recovery: the space's recovery code, which its owner saw.
  ///   - name: of this device, for people.
  package func beginSpace(
    recovery: borrowing SecretBytes, name: String
  ) throws(VaultError) {
    try leaveUnfinishedSpace()
    var written: (path: ObjectPath, bytes: [UInt8])?
    let code = try unsealing(.recoveryCode) { () throws(SealingError) in
      SecretBytesBox(try recovery.copy())
    }
    let record = try unsealing(.space) { () throws(SealingError) in
      var record = try SpaceRecord(.member, seed: try SecretBytes.random(), name: name)
      let (roster, keys, object) = try Roster.begin(
        try SpaceIdentity(recovery: code.secret), first: record.member)
      record.space = roster.space
      record.roster = roster
      record.keys = keys
      written = roster.heads.first.map { (roster.name($0), object) }
      return record
    }
    if let written { try mirror.put(written.path, written.bytes) }
    try begin(record)
  }

  var mirror: SpaceMirror { SpaceMirror(VaultFolder(path)) }

  /// The space this diary is in or asks to come into, 26 base32 characters; nil when it is not known.
  package func space() throws(VaultError) -> String? { try spaceRecord()?.space?.text }

  /// Whether it takes part in a space, or asks to.
  package func sharesWithDevices() throws(VaultError) -> Bool {
    try Snapshot(self).catalogue.formerDevice() != nil
  }

  // MARK: Pairing

  /// Asks to be let in. What this diary has goes to the others once it is.
  ///
  /// - Parameter space: what the name of the space begins with, as the code says.
  /// - Returns: where the request waits for its answer, and the ten symbols to compare.
  package func askToJoin(
    code: borrowing SecretBytes, space: String, name: String
  ) throws(VaultError) -> (join: String, check: String) {
    try leaveUnfinishedSpace()
    let kept = try unsealing(.pairingCode) { () throws(SealingError) in
      SecretBytesBox(try code.copy())
    }
    let (record, pairing, request) = try unsealing(.pairingRequest) {
      () throws(SealingError) -> (SpaceRecord, Pairing, [UInt8]) in
      let record = try SpaceRecord(
        .asking(kept, space: space), seed: try SecretBytes.random(), name: name)
      let pairing = try Pairing(kept.secret)
      return (record, pairing, try pairing.request(record.member, try record.identity()))
    }
    try mirror.put(.request(pairing.id, SpaceObject.hash(request)), request)
    try begin(record)
    return (pairing.id.text, pairing.check(request))
  }

  /// The devices that ask by a pairing code; more than one when somebody else has the code.
  package func requests(_ pairing: Pairing) throws(VaultError) -> [JoinRequest] {
    var found: [JoinRequest] = []
    for case .request(pairing.id, let hash) in mirror.names() {
      guard let object = try mirror.read(.request(pairing.id, hash)),
        let member = try? pairing.member(request: object)
      else { continue }
      found.append(
        JoinRequest(member: member, name: member.name, check: pairing.check(object)))
    }
    return found
  }

  /// Lets a device in, as its owner confirmed.
  ///
  /// - Throws: ``VaultError`` `conflict` for an id that another device has.
  package func letIn(_ request: JoinRequest, _ pairing: Pairing) throws(VaultError) {
    let mirror = mirror
    let store = try ReplicaStore(try Snapshot(self).catalogue)
    // What nobody else can have yet is promised to nobody.
    let ends = store?.replica.countingEnds.filter {
      !(store?.record.unpublished ?? []).contains($0.hash)
    }
    let answer = try updateSpace { record throws(VaultError) -> [UInt8] in
      guard var roster = record.roster else { throw VaultError(.notFound, path, .sharesNothing) }
      let known = roster.members[request.member.id]
      guard known == nil || (known?.member == request.member && known?.standing == .active) else {
        throw VaultError(.conflict, .device, request.name)
      }
      guard known != nil || roster.budget(of: record.member.id) > 0 else {
        throw VaultError(.conflict, .device, request.name, .letsInNoMore)
      }
      let (added, answer) = try unsealing(.roster) {
        () throws(SealingError) -> ([[UInt8]], [UInt8]) in
        let identity = try record.identity()
        var added: [[UInt8]] = []
        if known == nil {
          added = try roster.add(
            request.member, by: record.member.id, identity, keys: &record.keys)
        }
        let welcome = Pairing.Welcome(space: roster.space, heads: roster.heads, ends: ends ?? [])
        return (added, try pairing.answer(welcome, to: request.member, identity))
      }
      // First the roster: the device that gets the answer must find itself in it.
      for object in added { try mirror.put(roster.name(SpaceObject.hash(object)), object) }
      record.roster = roster
      return answer
    }
    try mirror.put(.answer(pairing.id, SpaceObject.hash(answer)), answer)
  }

  /// Tells a device that its owner, or whoever was asked, said no.
  package func refuse(_ request: JoinRequest, _ pairing: Pairing) throws(VaultError) {
    guard let record = try spaceRecord() else { return }
    let answer = try unsealing(.pairingRequest) { () throws(SealingError) in
      try pairing.answer(nil, to: request.member, try record.identity())
    }
    try mirror.put(.answer(pairing.id, SpaceObject.hash(answer)), answer)
  }

  /// The ids of the devices that this diary was in its space before, as far as it knows.
  package func formerDevices() throws(VaultError) -> Set<String> {
    Set((try spaceRecord()?.former?.devices ?? []).map(\.text))
  }

  // MARK: Losing devices

  /// Takes a device out. What it writes from now on does not count, and it cannot read what is written later.
  ///
  /// - Throws: ``VaultError``: `notFound` with the names there are; `wrongSecret` for a code of another space; `conflict` when this device
  ///   was revoked itself.
  package func revoke(
    _ device: String, recovery: borrowing SecretBytes
  ) throws(VaultError) -> RevokedDevice {
    // A revoked one cannot read what the others write, and what it has not read of the other device would go to the trash everywhere.
    let (known, roster) = try activeMember()
    let member: Member
    do throws(VaultError) {
      member = try Self.member(device, among: roster.active.filter { $0.id != known.member.id })
    } catch {
      let former = roster.members.values.filter { $0.standing != .active }.map(\.member)
      for (members, reason) in [
        ([known.member], VaultError.Reason.isThisDevice), (former, .isRevokedAlready),
      ] where (try? Self.member(device, among: members)) != nil {
        throw VaultError(.conflict, .device, device, reason)
      }
      throw error
    }
    let identity = try unsealing(.recoveryCode) { () throws(SealingError) in
      try SpaceIdentity(recovery: recovery)
    }
    guard Roster.space(of: identity) == roster.space else {
      throw VaultError(.wrongSecret, path, .isNoSpaceCode)
    }
    let ends = try ReplicaStore(try Snapshot(self).catalogue)?.replica.ends ?? []
    let mirror = mirror
    let letIn = try updateSpace { record throws(VaultError) -> [Member] in
      guard var roster = record.roster else { return [] }
      let objects = try unsealing(.roster) { () throws(SealingError) in
        try roster.revoke(
          [member.id], ends: ends, by: identity, keys: &record.keys)
      }
      for object in objects { try mirror.put(roster.name(SpaceObject.hash(object)), object) }
      record.roster = roster
      return roster.letIn(by: member.id).filter { $0.id != record.member.id }
    }
    return RevokedDevice(
      name: member.name, letIn: letIn.map { "\($0.name) (\($0.id.text.prefix(8)))" })
  }

  /// The device with a name or the beginning of an id. A device chooses its name, and its id not: an id of eight symbols or more is
  /// the first to count.
  ///
  /// - Throws: ``VaultError``: `notFound`, `ambiguous`, with ids and names.
  private static func member(
    _ word: String, among members: [Member]
  ) throws(VaultError) -> Member {
    let id = word.lowercased()
    let byID = members.filter { $0.id.text.lowercased().hasPrefix(id) }
    if byID.count == 1, id.count >= 8 { return byID[0] }
    let named = members.filter { $0.name == word }
    let found = named + byID.filter { one in !named.contains { $0.id == one.id } }
    if found.count == 1 { return found[0] }
    throw VaultError(
      found.isEmpty ? .notFound : .ambiguous, .device, word,
      candidates: (found.isEmpty ? members : found).map { "\($0.id.text.prefix(8)) (\($0.name))" })
  }

  /// Joins with the space's recovery code, when no other device can let it in. The mirror must hold what the store has.
  ///
  /// - Throws: ``VaultError`` `notFound` when nothing of that code's space is there.
  package func recoverSpace(
    recovery: borrowing SecretBytes, name: String
  ) throws(VaultError) {
    guard try spaceRecord() == nil else { throw VaultError(.conflict, path, .sharesAlready) }
    let code = try unsealing(.recoveryCode) { () throws(SealingError) in
      SecretBytesBox(try recovery.copy())
    }
    var written: [(path: ObjectPath, bytes: [UInt8])] = []
    let record = try unsealing(.space) { () throws(SealingError) -> SpaceRecord? in
      let identity = try SpaceIdentity(recovery: code.secret)
      var record = try SpaceRecord(.member, seed: try SecretBytes.random(), name: name)
      var roster = Roster(space: Roster.space(of: identity))
      _ = try Membership.take(
        mirror.names(), mirror, into: &roster, keys: &record.keys, box: identity.box)
      guard !roster.heads.isEmpty else { return nil }
      for object in try roster.add(record.member, by: nil, identity, keys: &record.keys) {
        written.append((roster.name(SpaceObject.hash(object)), object))
      }
      record.space = roster.space
      record.roster = roster
      return record
    }
    guard let record else { throw VaultError(.notFound, path, .noSuchSpace) }
    for (path, bytes) in written { try mirror.put(path, bytes) }
    try begin(record)
  }

  // MARK: Looking

  package func syncStatus() throws(VaultError) -> SyncStatus? {
    let catalogue = try Snapshot(self).catalogue
    guard let store = try ReplicaStore(catalogue) else { return nil }
    let record = store.record
    var counts: [DeviceID: Int] = [:]
    for end in store.replica.merged { counts[end.device, default: 0] += 1 }
    let devices = (record.roster?.members.values).map(Array.init) ?? []
    let isAsking = if case .asking = record.standing { true } else { false }
    let ends = store.replica.countingEnds
    return SyncStatus(
      space: record.space?.text, isAsking: isAsking,
      devices: devices.sorted { $0.member.id < $1.member.id }.map { known in
        SyncDevice(
          id: known.member.id.text, name: known.member.name,
          isThis: known.member.id == record.member.id, isRevoked: known.standing != .active,
          heard: record.heard[known.member.id], segments: counts[known.member.id] ?? 0)
      },
      digest: String(
        Base32.encode(
          Digest.blake2b(ends.flatMap { $0.hash.bytes }, count: 16, domain: "FDv2 merged")
        )
        .uppercased().prefix(8)),
      // What the last exchange put there is noted with the next settling.
      unpublished: record.unpublished.subtracting(
        mirror.stored().union(mirror.listing() ?? []).map(\.hash)
      ).count,
      conflicts: try record.openConflicts { id throws(VaultError) in try catalogue.entry(id) },
      missingFiles: record.missingFiles.count, removals: record.removals,
      settled: record.settled == 0 ? nil : record.settled,
      isCopied: ends.count { $0.device == record.member.id } > 1, troubles: record.troubles)
  }
}

/// A device that asks to come in.
package struct JoinRequest: Sendable {
  let member: Member
  package let name: String
  /// Ten symbols that it shows, too.
  package let check: String
}
