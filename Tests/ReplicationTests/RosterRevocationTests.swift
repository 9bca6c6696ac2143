import Bytes
import Sealing
import Testing

@testable import Replication

/// A device is taken out, and not everybody has heard of it.
extension RosterTests {
  @Test func `a place that withholds records hides no revocation`() throws {
    var space = try Space()
    let (evil, stranger) = (try space.add("evil"), try space.add("stranger"))
    try space.first.take(space.place)
    var phone = try space.add("phone")
    let between = space.place.count
    try space.revoke(stranger)
    let withheld = Array(space.place[between...])
    space.place.removeSubrange(between...)
    try space.revoke(evil)
    try phone.take(space.place)
    #expect(phone.names == ["first", "phone", "stranger"])
    #expect(phone.key == nil && phone.roster.needsEpoch(by: phone.id))
    space.place.append(try phone.renew())
    #expect(phone.key != nil)
    space.place += withheld
    var devices = [space.first, phone]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "phone"])
      #expect(device.key != nil && device.key?.id == devices[0].key?.id)
      for var gone in [evil, stranger] {
        try gone.take(space.place)
        #expect(gone.epochs[device.roster.epoch] == nil)
      }
    }
  }

  /// The device was let in by one that had been taken out, and neither had heard of it.
  @Test func `all hear of a revocation, whatever the device knew that it was made on`() throws {
    var space = try Space()
    var (old, evil) = (try space.add("old"), try space.add("evil"))
    let other = try space.add("other")
    try old.take(space.place)
    try evil.take(space.place)
    var apart = space
    try space.revoke(old)
    let phone = try space.add("phone")
    var new = try apart.add("new", by: &old)
    try apart.revoke(evil, by: &new)
    space.place += apart.place
    var devices = [space.first, phone, other]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "other", "phone"])
      #expect(device.key != nil && device.key?.id == devices[0].key?.id)
      for var gone in [old, evil, new] {
        try gone.take(space.place)
        #expect(gone.epochs[device.roster.epoch] == nil && gone.key == nil)
      }
    }
  }

  @Test func `a revocation follows the first record alone`() throws {
    var space = try Space()
    let phone = try space.add("phone")
    try space.first.take(space.place)
    func revocation(_ previous: [Hash], _ key: EpochKey?) throws -> [UInt8] {
      try forge(
        .revoke([RosterRecord.Revocation(phone.id, ends: [], records: [])]), by: space.first,
        after: previous, under: key, signing: space.recovery.signing, recovery: space.recovery)
    }
    let (first, key) = ([SpaceObject.hash(space.place[0])], space.first.firstKey(space.place))
    let refused = [
      try revocation(space.first.roster.heads, key), try revocation(first, space.first.key),
      try revocation((first + space.first.roster.heads).sorted(), key),
    ]
    for object in refused { #expect(try space.first.take([object]) == [.malformed]) }
    #expect(space.first.names == ["first", "phone"])
    #expect(try space.first.take([revocation(first, key)]).isEmpty)
    #expect(space.first.names == ["first"])
  }

  @Test func `what was taken out lets nobody in but whom its revocation names`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let friend = try space.add("friend", by: &evil)
    var apart = space
    try space.revoke(evil)
    _ = try apart.add("accomplice", by: &evil)
    space.place += apart.place
    var devices = [space.first, friend]
    try space.meet(&devices)
    #expect(devices.allSatisfy { $0.names == ["first", "friend"] && $0.key != nil })
    // Two revocations let stand what both name.
    var second = space
    var other = devices[1]
    second.place += try other.revoke([evil], by: space.recovery)
    try second.meet(&devices)
    #expect(devices.allSatisfy { $0.names == ["first", "friend"] })
  }
}
