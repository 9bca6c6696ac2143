import Bytes
import Sealing
import Testing

@testable import Replication

/// Devices of a space, a place where their records lie, and somebody who signs whatever they like.
extension RosterTests {
  /// A device, with what it has of the roster.
  struct Device {
    let keys: SpaceIdentity
    let member: Member
    var roster: Roster
    var epochs: [[UInt8]: EpochKey] = [:]

    var id: DeviceID { member.id }

    init(_ name: String, in space: Identity) throws {
      keys = try SpaceIdentity(seed: try SecretBytes.random())
      member = Member(name: name, keys)
      roster = Roster(space: space)
    }

    /// Takes what lies in a place, in an order that nobody chose.
    @discardableResult
    mutating func take(
      _ place: [[UInt8]], vouched: [Hash] = []
    ) throws -> [SealingError] {
      let taken = try roster.takeAll(
        place.shuffled(), keys: &epochs, box: keys.box, vouched: Set(vouched))
      return Array(taken.refused.values)
    }

    mutating func renew() throws -> [UInt8] {
      try roster.renew(by: id, keys, keys: &epochs)
    }

    /// Says what counts, where that is needed.
    mutating func confirm() throws -> [UInt8]? {
      guard roster.needsConfirmation(by: id) else { return nil }
      return try roster.confirm(by: id, keys, keys: &epochs)
    }

    mutating func revoke(_ devices: [Device], by recovery: SpaceIdentity) throws -> [[UInt8]] {
      try roster.revoke(Set(devices.map(\.id)), ends: [], by: recovery, keys: &epochs)
    }

    /// The first epoch's, under which a revocation is sealed.
    func firstKey(_ place: [[UInt8]]) -> EpochKey? { epochs[Array(place[0][5..<21])] }

    var names: [String] { roster.active.map(\.name).sorted() }
    /// The key that it writes under.
    var key: EpochKey? { epochs[roster.epoch] }
  }

  /// A space, its recovery code and what lies in its place.
  struct Space {
    let recovery: SpaceIdentity
    var place: [[UInt8]] = []
    var first: Device

    init() throws {
      recovery = try SpaceIdentity(recovery: try SecretBytes.random(16))
      first = try Device("first", in: Roster.space(of: recovery))
      let (roster, keys, object) = try Roster.begin(recovery, first: first.member)
      (first.roster, first.epochs) = (roster, keys)
      place.append(object)
    }

    /// Lets a device in.
    mutating func add(_ name: String, by other: inout Device) throws -> Device {
      var device = try Device(name, in: first.roster.space)
      try other.take(place)
      place += try other.roster.add(
        device.member, by: other.id, other.keys, keys: &other.epochs)
      try device.take(place, vouched: other.roster.heads)
      return device
    }

    mutating func add(_ name: String) throws -> Device {
      var one = first
      defer { first = one }
      return try add(name, by: &one)
    }

    mutating func revoke(_ devices: Device..., by other: inout Device) throws {
      try other.take(place)
      place += try other.revoke(devices, by: recovery)
    }

    mutating func revoke(_ device: Device) throws {
      var one = first
      defer { first = one }
      try revoke(device, by: &one)
    }

    /// Everybody takes everything, and begins an epoch where one is needed.
    mutating func meet(_ devices: inout [Device]) throws {
      for _ in 0..<3 {
        for index in devices.indices {
          try devices[index].take(place)
          if let object = try devices[index].confirm() { place.append(object) }
          if devices[index].roster.needsEpoch(by: devices[index].id) {
            place.append(try devices[index].renew())
          }
        }
      }
    }
  }

  /// What somebody signs who has the keys of a device, and keeps to no rule.
  func forge(
    _ action: RosterRecord.Action, by signer: Device, as author: DeviceID? = nil,
    after previous: [Hash]? = nil, to receivers: [Member]? = nil, earlier: [EpochKey]? = nil,
    under epoch: EpochKey? = nil, signing: SigningKey? = nil,
    recovery: SpaceIdentity, spoiling spoil: ([[UInt8]]) -> [[UInt8]] = { $0 }
  ) throws -> [UInt8] {
    let under = try #require(epoch ?? signer.key ?? signer.epochs.values.first)
    var opening: EpochOpening?
    if let receivers {
      let all = earlier ?? Array(signer.epochs.values)
      let made = try EpochOpening(
        EpochKey.make(), to: receivers.map(\.boxKey), recovery: recovery.box.publicKey,
        earlier: all, in: signer.roster.space)
      opening = EpochOpening(id: made.id, boxes: spoil(made.boxes), earlier: made.earlier)
    }
    var its: DeviceID? = author ?? signer.id
    if case .revoke = action { its = nil }
    let record = RosterRecord(
      previous: previous ?? signer.roster.heads, author: its, action,
      epochDigest: EpochOpening.digest(opening))
    return try SpaceObject.seal(
      record.encoded(), .roster,
      head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(opening),
      in: signer.roster.space, key: under, by: signing ?? signer.keys.signing)
  }
}
