import Bytes
import Sealing
import Testing

@testable import Replication

/// A device that signs without end.
extension RosterTests {
  /// Epochs that nobody needs, side by side in chains no longer than a device may make them.
  ///
  /// - Returns: the ends of the chains.
  private func chains(
    _ count: Int, by evil: Device, in space: inout Space
  ) throws -> [Hash] {
    var (ends, made): ([Hash], Int) = ([], 0)
    while made < count {
      var last = evil.roster.heads
      for _ in 0..<min(30, count - made) {
        let object = try forge(
          .renew, by: evil, after: last, to: evil.roster.active, earlier: [],
          recovery: space.recovery)
        last = [SpaceObject.hash(object)]
        space.place.append(object)
        made += 1
      }
      ends += last
    }
    return ends.sorted()
  }

  /// Forty layers of two devices that nobody let in, each let in by both of the layer before: there are 2⁴⁰ ways to the last.
  @Test func `whose admission does not count is told in a moment, whoever let it in`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    try evil.take(space.place)
    var last = [evil]
    var made: [Device] = []
    // Let in by nobody's leave at first: what lies behind hangs on one record.
    let under = try #require(evil.key)
    for number in 0..<40 {
      let layer = try (0..<2).map { try Device("\(number) \($0)", in: evil.roster.space) }
      for device in layer {
        for author in last {
          let object = try forge(
            .add(device.member, budget: 255), by: author, after: evil.roster.heads, under: under,
            recovery: space.recovery)
          space.place.append(object)
          try evil.take(space.place)
        }
      }
      made += layer
      last = layer
    }
    try space.first.take(space.place)
    let roster = space.first.roster
    #expect(roster.recordCount > 150)
    #expect(made.allSatisfy { !roster.isTakenOut($0.id) })
    try space.revoke(evil)
    try space.first.take(space.place)
    #expect(space.first.roster.isTakenOut(evil.id))
    #expect(made.allSatisfy { space.first.roster.isTakenOut($0.id) })
  }

  @Test func `there may be more epochs than there is locked memory`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    try evil.take(space.place)
    _ = try chains(300, by: evil, in: &space)
    let phone = try space.add("phone")
    var devices = [space.first, phone]
    try space.meet(&devices)
    #expect(devices.allSatisfy { $0.key != nil && $0.epochs.count > 300 })
  }

  /// A record hands on the keys of all epochs that it follows, and there is only so much room for them.
  ///
  /// - Parameter isNeeded: whether an epoch that all need follows them, after somebody was let in.
  @Test(arguments: [false, true])
  func `who begins epochs without end is taken out all the same`(isNeeded: Bool) throws {
    var space = try Space()
    var evil = try space.add("evil")
    try space.first.take(space.place)
    try evil.take(space.place)
    var last = evil.roster.heads
    for _ in 0..<1400 {
      let made = try forge(
        .renew, by: evil, after: last, to: evil.roster.active, earlier: [],
        recovery: space.recovery)
      last = [SpaceObject.hash(made)]
      space.place.append(made)
    }
    if isNeeded {
      let stooge = try Device("stooge", in: evil.roster.space)
      let admission = try forge(
        .add(stooge.member, budget: 0), by: evil, after: last, recovery: space.recovery)
      let all = (evil.roster.active + [stooge.member]).sorted { $0.id < $1.id }
      let needed = try forge(
        .renew, by: evil, after: [SpaceObject.hash(admission)], to: all, recovery: space.recovery)
      space.place += [admission, needed]
    }
    try space.first.take(space.place)
    // More than a device may begin by itself are refused, by everybody alike.
    #expect((30..<60).contains(space.first.epochs.count))
    try space.revoke(evil)
    #expect(space.first.names == ["first"] && space.first.key != nil)
    let phone = try space.add("phone")
    #expect(phone.names == ["first", "phone"] && phone.key?.id == space.first.key?.id)
    let key = try #require(space.first.key)
    try evil.take(space.place)
    #expect(evil.epochs[key.id] == nil)
  }

  /// An admission that counts follows them all.
  @Test func `epochs without end that lie side by side lock nobody out`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    try evil.take(space.place)
    var ends = try chains(999 - evil.epochs.count, by: evil, in: &space)
    // Each needs an epoch behind all of them, and the last one finds more than there is room for.
    for name in ["one", "two"] {
      let stooge = try Device(name, in: evil.roster.space)
      let admission = try forge(
        .add(stooge.member, budget: 0), by: evil, after: ends, recovery: space.recovery)
      space.place.append(admission)
      try space.first.take(space.place)
      if space.first.roster.needsEpoch(by: space.first.id) {
        space.place.append(try space.first.renew())
      }
      #expect(space.first.key != nil && space.first.names.contains(name))
      try evil.take(space.place)
      ends = evil.roster.heads
    }
    #expect(space.first.epochs.count > 1000)
    #expect(try space.add("phone").key?.id == space.first.key?.id)
    try space.revoke(evil)
    let desk = try space.add("desk")
    #expect(desk.key != nil && desk.key?.id == space.first.key?.id)
    #expect(desk.names == ["desk", "first", "one", "phone", "two"])
  }

  /// Additions that count for nothing make positions of their own, and beside each lie two epochs that nobody needs.
  @Test func `who signs beside a chain of their own locks nobody out, and is taken out`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    var last = evil.roster.heads
    let phone = try space.add("phone")
    /// Signs until the name of what was signed comes before those of others, or behind them.
    func signed(_ isEarly: Bool, _ make: () throws -> [UInt8]) throws -> [UInt8] {
      while true {
        let object = try make()
        if (SpaceObject.hash(object).bytes[0] < 0x80) == isEarly { return object }
      }
    }
    let stooge = try Device("stooge", in: evil.roster.space)
    for _ in 0..<700 {
      for _ in 0..<2 {
        space.place.append(
          try signed(true) {
            try forge(
              .renew, by: evil, after: last, to: evil.roster.active, earlier: [],
              recovery: space.recovery)
          })
      }
      let addition = try signed(false) {
        try forge(
          .add(stooge.member, budget: 255), by: evil, after: last, recovery: space.recovery)
      }
      space.place.append(addition)
      last = [SpaceObject.hash(addition)]
    }
    var devices = [space.first, phone]
    try space.meet(&devices)
    for device in devices { #expect(device.key != nil && device.key?.id == devices[0].key?.id) }
    space.first = devices[0]
    try space.revoke(evil)
    let desk = try space.add("desk")
    devices = [space.first, devices[1], desk]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["desk", "first", "phone"])
      #expect(device.key != nil && device.key?.id == devices[0].key?.id)
      try evil.take(space.place)
      #expect(evil.epochs[device.roster.epoch] == nil)
    }
  }

  /// Any member knows the current key, and can sign that their record begins the epoch, too.
  @Test func `an epoch is the record that begins it, whoever else says so`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let phone = try space.add("phone")
    try evil.take(space.place)
    try space.first.take(space.place)
    let before = space.first.roster.epochsForAll
    let key = try #require(space.first.key)
    let first = [SpaceObject.hash(space.place[0])]
    for _ in 0..<6 {
      let opening = try EpochOpening(
        key, to: [evil.member.boxKey], recovery: space.recovery.box.publicKey, earlier: [],
        in: evil.roster.space)
      let record = RosterRecord(
        previous: first, author: evil.id, .renew, epochDigest: EpochOpening.digest(opening))
      let under = try #require(evil.firstKey(space.place))
      space.place.append(
        try SpaceObject.seal(
          record.encoded(), .roster,
          head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(opening),
          in: evil.roster.space, key: under, by: evil.keys.signing))
    }
    var devices = [space.first, phone]
    try space.meet(&devices)
    for device in devices {
      #expect(device.key?.id == key.id && device.roster.epochsForAll == before)
    }
  }
}
