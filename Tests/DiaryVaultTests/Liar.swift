import Bytes
import Sealing
import Testing

@testable import DiaryVault
@testable import Entries
@testable import Replication
@testable import SealedFiles

/// A device of a space that seals and signs what it likes, with its real keys.
struct Liar {
  let record: SpaceRecord
  let space: Identity
  let shared: Shared
  var roster: Roster
  var keys: [[UInt8]: EpochKey]

  init(_ device: SharingDevice) throws {
    record = try #require(try device.vault.spaceRecord())
    space = try #require(record.space)
    roster = try #require(record.roster)
    keys = record.keys
    shared = device.shared
  }

  var id: DeviceID { record.member.id }

  func key() throws -> EpochKey { try #require(keys[roster.epoch]) }

  /// The first segment of its log.
  ///
  /// - Parameter seen: the ends of what it says it had merged.
  func segment(
    _ operations: [Replication.Operation<OperationPlace>], seen: [LogEnd] = []
  ) throws -> SignedSegment {
    let segment = Segment(
      device: id, sequence: 1, previous: nil, ends: seen, operations: operations)
    return SignedSegment(segment, in: space, by: try record.identity().signing)
  }

  /// Puts a segment into the place.
  func put(
    _ operations: [Replication.Operation<OperationPlace>], under other: EpochKey? = nil
  ) throws {
    let copy = try segment(operations)
    let end = LogEnd(device: id, sequence: 1, hash: copy.header.hash(in: space))
    shared.put(.log(end), try copy.sealed(in: space, key: try other ?? key()))
  }

  func signing() throws -> SigningKey { try record.identity().signing }

  /// Puts a segment into the place.
  func put(_ copy: SignedSegment) throws {
    let header = copy.header
    let end = LogEnd(device: id, sequence: header.sequence, hash: header.hash(in: space))
    shared.put(.log(end), try copy.sealed(in: space, key: try key()))
  }

  /// Puts a record into the roster, whatever it says.
  mutating func tell(
    _ action: RosterRecord.Action, beginning opening: EpochOpening? = nil, under: EpochKey
  ) throws {
    let identity = try record.identity()
    let author = id
    let record = RosterRecord(
      previous: roster.heads, author: author, action, epochDigest: EpochOpening.digest(opening))
    let object = try SpaceObject.seal(
      record.encoded(), .roster,
      head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(opening), in: space,
      key: under, by: identity.signing)
    #expect(try roster.take(object, keys: &keys, box: identity.box) == .taken)
    shared.put(roster.name(SpaceObject.hash(object)), object)
  }

  /// Puts some copies of segments into the place, in a pack alone.
  func pack(_ copies: [SignedSegment], under other: EpochKey? = nil) throws {
    let items = copies.map { Pack.Item($0, in: space) }
    let object = try Pack(by: id, generation: 1, items).sealed(
      in: space, key: try other ?? key(), by: try record.identity().signing)
    shared.put(.pack(SpaceObject.hash(object)), object)
  }

  /// An entry as a device writes it.
  func entry(
    _ text: String, id: Identity = Identity.random(), files: [SealedAttachment] = []
  ) throws -> Replication.Operation<OperationPlace> {
    let sealed = [UInt8](repeating: 1, count: 64)
    let ref = Ref(sealed: sealed.span.bytes)!
    var header = Header(
      id: EntryID(bytes: id.bytes), added: 1,
      date: try ZonedTime(seconds: 1_772_000_000, offset: 0),
      created: 1_772_000_000, modified: 1_772_000_000, body: ref)
    header.attachments = files
    var values = ReplicatedEntry.values(header, body: text, NameRegister(), SharedNames())
    values[ReplicatedEntry.body] = [Array(text.utf8)]
    return .revision(
      id, fields: values.mapValues { SortedSet($0.map { .given($0) }) }, unseen: [])
  }

  /// Begins an epoch that only some can open, and returns its key.
  mutating func beginEpoch(for members: [Member]) throws -> EpochKey {
    let identity = try record.identity()
    let secret = try EpochKey.make()
    let opening = try EpochOpening(
      secret, to: members.map(\.boxKey), recovery: identity.box.publicKey, earlier: [], in: space)
    try tell(.renew, beginning: opening, under: try key())
    return secret
  }

  /// Puts everything that lies in the place into one pack.
  func pack(under key: EpochKey) throws {
    let all = SegmentOpener.Keys(space: space, keys, roster)
    let items = try shared.store.compactMap { name, object -> Pack.Item? in
      guard case .log(let end) = name, let copy = try all.open(object, end) else { return nil }
      return Pack.Item(copy, in: space)
    }
    let object = try Pack(by: id, generation: Pack.generationLimit, items).sealed(
      in: space, key: key, by: try record.identity().signing)
    shared.put(.pack(SpaceObject.hash(object)), object)
  }

  /// Two devices, and a third that lies.
  static func beside() throws -> (one: SharingDevice, other: SharingDevice, liar: Liar) {
    let (one, other, shared) = try pair()
    let third = try SharingDevice(shared)
    try shared.exchange(third.vault)
    try third.vault.recoverSpace(recovery: try spaceCode(), name: "liar")
    for _ in 0..<2 { for device in [third, one, other] { try device.sync() } }
    return (one, other, try Liar(third))
  }
}
