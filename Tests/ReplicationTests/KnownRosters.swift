import Bytes
import Sealing
import Testing

@testable import Replication

/// The rosters among the known answers.
extension SpaceKnownAnswerTests {
  /// Records, and one behind them that somebody signed.
  static func rosterOf(
    _ records: [[UInt8]], _ author: DeviceID?, _ action: RosterRecord.Action,
    by signer: SpaceIdentity, digest: [UInt8]? = nil, under other: EpochKey? = nil,
    beginning opening: EpochOpening? = nil
  ) throws -> Answer {
    var (roster, keys) = (Roster(space: try space()), [[UInt8]: EpochKey]())
    _ = try roster.takeAll(records, keys: &keys, box: try recovery().box)
    let record = RosterRecord(
      previous: roster.heads, author: author, action,
      epochDigest: digest ?? EpochOpening.digest(opening))
    let key = try other ?? keys[roster.epoch] ?? epoch()
    let object = try seal(
      record.encoded(), .roster, by: signer, key: key,
      head: SpaceObject.head(.roster, epoch: key.id) + EpochOpening.encoded(opening))
    return [
      "space": hex(try space().bytes), "kind": "roster", "recoveryCode": hex(recoveryCode),
      "objects": (records + [object]).map(hex).joined(separator: " "),
      "epochKey": hex(epochKey),
    ]
  }

  /// A space of two devices, of which the second is taken out again.
  static func rosterRecords() throws -> (Roster, [[UInt8]]) {
    let (recovery, laptop, members) = (try recovery(), try laptop(), try members())
    var (roster, keys, object) = try Roster.begin(recovery, first: members.laptop)
    var objects = [object]
    objects += try roster.add(members.phone, by: laptopID, laptop, keys: &keys)
    objects += try roster.revoke(
      [phoneID], ends: [LogEnd(device: phoneID, sequence: 2, hash: Hash(count(0xa0, 32)))],
      by: recovery, keys: &keys)
    return (roster, objects)
  }

  /// A device let in another one; and two more beside that, whose records are lower, after the first device confirmed it.
  static func confirmedRoster() throws -> Answer {
    let (recovery, laptop, phone, members) = (
      try recovery(), try laptop(), try phone(), try members()
    )
    func member(_ name: String, _ number: UInt8) throws -> Member {
      Member(name: name, try SpaceIdentity(seed: try secret(count(number, 32))))
    }
    var (roster, keys, object) = try Roster.begin(recovery, first: members.laptop)
    var objects = [object]
    objects += try roster.add(members.phone, by: laptopID, laptop, keys: &keys)
    let heads = roster.heads
    let admitted = try roster.add(try member("tablet", 0x71), by: phoneID, phone, keys: &keys)
    objects += admitted
    objects.append(try roster.confirm(by: laptopID, laptop, keys: &keys))
    let under = try #require(keys.values.first { $0.id == Array(admitted[0][5..<21]) })
    for number in [0x72, 0x73] as [UInt8] {
      var lower: [UInt8]
      repeat {
        let record = RosterRecord(
          previous: heads, author: phoneID, .add(try member("beside", number), budget: 0),
          epochDigest: EpochOpening.digest(nil))
        lower = try seal(
          record.encoded(), .roster, by: phone, key: under,
          head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(nil))
      } while SpaceObject.hash(lower) > SpaceObject.hash(admitted[0])
      objects.append(lower)
    }
    let all = objects.map { hex($0) }.joined(separator: " ")
    return [
      "space": hex(try space().bytes), "kind": "roster", "recoveryCode": hex(recoveryCode),
      "objects": all,
    ]
  }
}
