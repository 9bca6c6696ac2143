package import Bytes
package import Sealing

/// Who takes part in a space, and by which keys: what follows from a set of signed records.
///
/// Records name those they follow; two devices may change it without knowing of one another, and whoever has both sets has
/// the same roster. What a revoked device signed counts only where its revocation knew of it.
package struct Roster: Sendable {
  package enum Standing: Equatable, Sendable {
    case active
    /// Nothing of it counts but what leads to these ends.
    case revoked([LogEnd])
  }

  /// The most devices there ever were: a record has a sealed key for each.
  package static let memberLimit = 200

  package let space: Identity
  private var records: [Hash: Entry] = [:]

  private struct Entry: Sendable {
    let record: RosterRecord
    let epoch: [UInt8]
    let depth: Int
  }

  /// Those that count, each after those it follows.
  private var order: [Hash] = []
  package private(set) var members: [Identity: (member: Member, standing: Standing)] = [:]
  private var recoverySigning: [UInt8] = []
  private var recoveryBox: [UInt8] = []
  /// The epoch that everything new is sealed under.
  package private(set) var epoch: [UInt8] = []

  package init(space: Identity) { self.space = space }

  /// The name of a space: it follows from its recovery code, so that nobody can begin it but who has that.
  package static func space(of recovery: SpaceIdentity) -> Identity {
    space(recovery.signing.publicKey, recovery.box.publicKey)
  }

  private static func space(_ signing: [UInt8], _ box: [UInt8]) -> Identity {
    var reader = ByteReader(Digest.blake2b(signing + box, count: 16, domain: "FDv2 space"))
    return (try? Identity(&reader)) ?? Identity(high: 0, low: 0)
  }

  package var heads: [Hash] {
    let followed = Set(order.flatMap { records[$0]?.record.previous ?? [] })
    return order.filter { !followed.contains($0) }.sorted()
  }

  /// All that was taken, whether it counts or not.
  package var allRecords: [Hash] { Array(records.keys) }

  package var active: [Member] {
    members.values.filter { $0.standing == .active }.map(\.member).sorted { $0.id < $1.id }
  }

  package func has(_ hash: Hash) -> Bool { records[hash] != nil }

  /// How far a record is from the first: part of its name in the store.
  package func depth(_ hash: Hash) -> Int {
    records[hash]?.depth ?? 0
  }

  private mutating func keep(_ record: RosterRecord, _ hash: Hash, epoch: [UInt8]) {
    let depth = 1 + (record.previous.map(depth).max() ?? 0)
    records[hash] = Entry(record: record, epoch: epoch, depth: depth)
  }

  package func name(_ hash: Hash) -> ObjectPath { .roster(depth(hash), hash) }

  // MARK: Taking records

  /// What came of a record.
  package enum Outcome: Equatable, Sendable {
    case taken, known
    case waiting(for: Set<Hash>)
    /// It is sealed under an epoch of which nothing is known here: this device is not among those who may read it.
    case closed
  }

  /// Takes an object of the store.
  ///
  /// - Parameters:
  ///   - keys: the epochs known here; one that the record gives is added.
  ///   - box: opens what is sealed to this device, or to the recovery code.
  /// - Throws: ``SealingError``: `malformed`, `notAuthentic`, `newer`.
  package mutating func take(
    _ object: [UInt8], keys: inout [[UInt8]: EpochKey], box: SealedBox
  ) throws(SealingError) -> Outcome {
    let hash = SpaceObject.hash(object)
    guard !has(hash) else { return .known }
    var reader = ByteReader(object)
    let (epoch, plainHead) = try SpaceObject.readHead(.roster, &reader)
    let count = try reader.uint8()
    var boxes: [[UInt8]] = []
    for _ in 0..<count { boxes.append(try reader.bytes(EpochKey.sealedBytes)) }
    let key: EpochKey
    if let known = keys[epoch] {
      key = known
    } else {
      var found: EpochKey?
      for sealed in boxes where found == nil {
        found = try EpochKey.opened(sealed, id: epoch, for: box)
      }
      guard let found else { return .closed }
      key = found
    }
    let signed = try SpaceObject.open(
      try reader.bytes(reader.remaining), .roster,
      head: plainHead + [count] + boxes.flatMap(\.self),
      in: space, key: key)
    let record = try RosterRecord(signed.content)
    // Before a record is judged, so that a new device opens what led to it.
    keys[epoch] = key
    for before in record.before {
      var reader = ByteReader(before)
      let key = try EpochKey(&reader)
      if keys[key.id] == nil { keys[key.id] = key }
    }
    let missing = Set(record.previous.filter { !has($0) })
    guard missing.isEmpty else { return .waiting(for: missing) }
    guard let signer = try signer(of: record), signed.isSigned(by: signer) else {
      throw .notAuthentic
    }
    keep(record, hash, epoch: epoch)
    judge()
    return .taken
  }

  /// Takes all of some objects that can be taken: a record gives the keys of earlier epochs, so more than one round may be
  /// needed.
  ///
  /// - Returns: those that wait, or are closed to whoever has `box`; and why others are none.
  /// - Throws: ``SealingError``: the machine's troubles, which say nothing of an object.
  package mutating func takeAll(
    _ objects: [[UInt8]], keys: inout [[UInt8]: EpochKey], box: SealedBox
  ) throws(SealingError) -> (left: [[UInt8]], refused: [SealingError]) {
    var (left, refused) = (objects, [SealingError]())
    var isMoving = true
    while isMoving {
      isMoving = false
      var next: [[UInt8]] = []
      for object in left {
        let known = keys.count
        do throws(SealingError) {
          switch try take(object, keys: &keys, box: box) {
          case .taken: isMoving = true
          case .known: break
          case .waiting, .closed:
            next.append(object)
            // One that waits may have given the key of those it waits for.
            if keys.count > known { isMoving = true }
          }
        } catch {
          guard [.newer, .malformed, .notAuthentic].contains(error) else { throw error }
          refused.append(error)
        }
      }
      left = next
    }
    return (left, refused)
  }

  /// Whose signature a record needs: of somebody who took part where it was written.
  private func signer(of record: RosterRecord) throws(SealingError) -> [UInt8]? {
    switch record.action {
    case .space(let signing, let box, _):
      guard record.previous.isEmpty, record.author == nil, records.isEmpty,
        Self.space(signing, box) == space
      else { throw .malformed }
      return signing
    case .revoke:
      guard !record.previous.isEmpty, record.author == nil else { throw .malformed }
      return recoverySigning
    case .add, .renew:
      guard !record.previous.isEmpty else { throw .malformed }
      // Who lost every device adds one by the recovery code.
      guard let author = record.author else { return recoverySigning }
      return added(author, in: ancestors(of: record.previous))?.signingKey
    }
  }

  private func added(_ device: Identity, in hashes: Set<Hash>) -> Member? {
    for hash in hashes {
      switch records[hash]?.record.action {
      case .space(_, _, let member) where member.id == device: return member
      case .add(let member) where member.id == device: return member
      default: continue
      }
    }
    return nil
  }

  /// Records, and all they follow.
  private func ancestors(of hashes: [Hash]) -> Set<Hash> {
    var found: Set<Hash> = []
    var next = hashes
    while let hash = next.popLast() {
      if found.insert(hash).inserted { next += records[hash]?.record.previous ?? [] }
    }
    return found
  }

  /// What follows from all records.
  private mutating func judge() {
    let sorted = records.keys.map { (depth: depth($0), hash: $0) }.sorted {
      ($0.depth, $0.hash) < ($1.depth, $1.hash)
    }
    let revocations = records.compactMap { hash, entry -> (device: Identity, known: Set<Hash>)? in
      guard case .revoke(let device, _) = entry.record.action else { return nil }
      return (device, ancestors(of: [hash]))
    }
    members = [:]
    order = []
    for (_, hash) in sorted {
      guard let entry = records[hash] else { continue }
      let (record, epoch) = (entry.record, entry.epoch)
      if let author = record.author {
        // What a revoked device signed, and its revocation knew nothing of, is nothing.
        guard members[author] != nil,
          !revocations.contains(where: { $0.device == author && !$0.known.contains(hash) })
        else { continue }
      }
      // What follows a record that does not count goes on from what that one followed.
      order.append(hash)
      switch record.action {
      case .space(let signing, let box, let member):
        (recoverySigning, recoveryBox) = (signing, box)
        members[member.id] = (member, .active)
        self.epoch = epoch
      case .add(let member):
        // An id belongs to whom it belonged to first.
        if members[member.id] == nil, members.count < Self.memberLimit {
          members[member.id] = (member, .active)
        }
      case .revoke(let device, let ends):
        guard let known = members[device] else { continue }
        var all = ends
        if case .revoked(let others) = known.standing { all = Set(ends + others).sorted() }
        members[device] = (known.member, .revoked(all))
        self.epoch = epoch
      case .renew: self.epoch = epoch
      }
    }
  }

  // MARK: Writing records

  /// Makes a space.
  package static func begin(
    _ recovery: SpaceIdentity, first: Member
  ) throws(SealingError) -> (roster: Roster, key: EpochKey, object: [UInt8]) {
    var roster = Roster(space: space(of: recovery))
    let key = try EpochKey.make()
    let record = RosterRecord(
      previous: [], author: nil,
      .space(
        recoverySigning: recovery.signing.publicKey, recoveryBox: recovery.box.publicKey, first),
      before: [])
    let object = try roster.seal(
      record, key, to: [first.boxKey, recovery.box.publicKey], by: recovery.signing)
    var keys = [key.id: key]
    _ = try roster.take(object, keys: &keys, box: recovery.box)
    return (roster, key, object)
  }

  /// Lets a device take part.
  ///
  /// - Parameter author: nil for the recovery code.
  package mutating func add(
    _ member: Member, by author: Identity?, _ signer: SpaceIdentity, keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    guard let key = keys[epoch] else { throw .malformed }
    // Whoever lacks the key of an earlier epoch gets it with the next record. While there are two heads, the epoch of now
    // may be open to a device that another branch took out: a renewal comes first.
    let record = RosterRecord(
      previous: heads, author: author, .add(member),
      before: heads.count == 1 ? known(keys).filter { $0.id != epoch } : [])
    let object = try seal(record, key, to: [member.boxKey], by: signer.signing)
    _ = try take(object, keys: &keys, box: signer.box)
    return object
  }

  /// Takes a device out, and begins an epoch that it cannot read.
  package mutating func revoke(
    _ device: Identity, ends: [LogEnd], by recovery: SpaceIdentity,
    keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    try change(
      .revoke(device, ends: ends), by: nil, recovery, readers: active.filter { $0.id != device },
      &keys)
  }

  /// The keys of epochs whose records were taken. A record that still waits may have given the key of a later one, of which
  /// nobody knows yet whom it takes out.
  private func known(_ keys: [[UInt8]: EpochKey]) -> [EpochKey] {
    let epochs = Set(records.values.map(\.epoch))
    return keys.values.filter { epochs.contains($0.id) }
  }

  /// Begins an epoch for all who take part.
  ///
  /// - Parameter author: nil for the recovery code.
  package mutating func renew(
    by author: Identity?, _ signer: SpaceIdentity, keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    try change(.renew, by: author, signer, readers: active, &keys)
  }

  private mutating func change(
    _ action: RosterRecord.Action, by author: Identity?, _ signer: SpaceIdentity,
    readers: [Member], _ keys: inout [[UInt8]: EpochKey]
  ) throws(SealingError) -> [UInt8] {
    guard keys[epoch] != nil else { throw .malformed }
    let key = try EpochKey.make()
    let record = RosterRecord(
      previous: heads, author: author, action, before: known(keys))
    let object = try seal(
      record, key, to: readers.map(\.boxKey) + [recoveryBox], by: signer.signing)
    keys[key.id] = key
    _ = try take(object, keys: &keys, box: signer.box)
    return object
  }

  private func seal(
    _ record: RosterRecord, _ key: EpochKey, to readers: [[UInt8]], by signing: SigningKey
  ) throws(SealingError) -> [UInt8] {
    // One that gave a key to which nothing can be sealed has none.
    let sealed = readers.compactMap { try? key.sealed(to: $0) }
    guard sealed.count <= 255 else { throw .malformed }
    let head =
      SpaceObject.head(.roster, epoch: key.id) + [UInt8(sealed.count)] + sealed.flatMap(\.self)
    return try SpaceObject.seal(
      record.encoded(), .roster, head: head, in: space, key: key, by: signing)
  }

  // MARK: Keeping it

  /// What was taken, for ``init(space:_:)``: it was judged already.
  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 512)
    let all = records.map { ($0.key, $0.value) }.sorted {
      (depth($0.0), $0.0) < (depth($1.0), $1.0)
    }
    writer.putVarint(UInt64(all.count))
    for (hash, entry) in all {
      hash.encode(to: &writer)
      writer.put(entry.epoch)
      writer.putCounted(entry.record.encoded())
    }
    return writer.bytes
  }

  package init(space: Identity, _ encoded: [UInt8]) throws(SealingError) {
    self.init(space: space)
    var reader = ByteReader(encoded)
    for _ in 0..<(try reader.varint()) {
      let hash = try Hash(&reader)
      let epoch = try reader.bytes(EpochKey.idBytes)
      keep(try RosterRecord(try reader.counted()), hash, epoch: epoch)
    }
    try reader.expectEnd()
    judge()
  }
}
