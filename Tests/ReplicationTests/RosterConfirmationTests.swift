import Bytes
import Sealing
import Testing

@testable import Replication

/// A device that signs records beside those that it signed before, so that the latter would be too many.
@Suite struct RosterConfirmationTests {
  typealias Device = RosterTests.Device
  typealias Space = RosterTests.Space
  private let forging = RosterTests()

  /// Lets in somebody beside another admission, with a lower hash.
  private func admission(
    by evil: Device, after previous: [Hash], below limit: Hash, _ space: Space,
    budget: UInt8 = 0
  ) throws -> [UInt8] {
    while true {
      let object = try forging.forge(
        .add(try Device("stooge", in: space.first.roster.space).member, budget: budget), by: evil,
        after: previous, recovery: space.recovery)
      if SpaceObject.hash(object) < limit { return object }
    }
  }

  private func admissions(of device: Device, in roster: Roster) -> [RosterRules.Node] {
    roster.rules.nodes.filter { $0.record.member?.id == device.id }
  }

  @Test func `a member takes nobody out whom it let in`() throws {
    var space = try Space()
    var phone = try space.add("phone")
    let tablet = try space.add("tablet", by: &phone)
    var devices = [space.first, phone, tablet]
    try space.meet(&devices)
    let names = ["first", "phone", "tablet"]
    let node = try #require(admissions(of: tablet, in: devices[0].roster).first)
    // Two more at its place, both lower; and one before it that spends everything.
    for _ in 0..<2 {
      space.place.append(
        try admission(by: phone, after: node.record.previous, below: node.hash, space))
    }
    space.place.append(
      try forging.forge(
        .add(try Device("last", in: space.first.roster.space).member, budget: 14), by: phone,
        after: [SpaceObject.hash(space.place[0]), node.record.previous[0]].sorted(),
        recovery: space.recovery))
    try space.meet(&devices)
    for device in devices {
      #expect(Set(device.names).isSuperset(of: names), "\(device.names)")
      #expect(device.key != nil)
    }
    // It is taken out, and whom it let in stays.
    try space.revoke(phone, by: &devices[0])
    try space.meet(&devices)
    for device in [devices[0], devices[2]] {
      #expect(Set(device.names).isSuperset(of: ["first", "tablet"]))
      #expect(!device.names.contains("phone") && device.key != nil)
    }
  }

  @Test func `nor does the first device, which let in everybody`() throws {
    var space = try Space()
    var devices = [try space.add("phone"), try space.add("tablet")]
    try space.meet(&devices)
    let evil = space.first
    space.place.append(
      try forging.forge(
        .add(try Device("all", in: evil.roster.space).member, budget: 127), by: evil,
        after: [SpaceObject.hash(space.place[0])], recovery: space.recovery))
    for device in devices {
      let node = try #require(admissions(of: device, in: devices[0].roster).first)
      for _ in 0..<2 {
        space.place.append(
          try admission(by: evil, after: node.record.previous, below: node.hash, space))
      }
    }
    try space.meet(&devices)
    for device in devices {
      #expect(Set(device.names).isSuperset(of: ["phone", "tablet"]))
      #expect(device.key != nil)
    }
    try space.revoke(evil, by: &devices[0])
    try space.meet(&devices)
    for device in devices {
      #expect(Set(device.names).isSuperset(of: ["phone", "tablet"]))
      #expect(!device.names.contains("first") && device.key != nil)
    }
  }

  /// Each lower than the last one, so that each would change who takes part, and need another epoch.
  @Test func `a member keeps others from writing by no admissions in a row`() throws {
    var space = try Space()
    let evil = try space.add("evil")
    var devices = [space.first, try space.add("other")]
    try space.meet(&devices)
    let heads = evil.roster.heads
    var objects = try (0..<100).map { _ in
      try forging.forge(
        .add(try Device("stooge", in: evil.roster.space).member, budget: 0), by: evil,
        after: heads, recovery: space.recovery)
    }
    objects.sort { SpaceObject.hash($1) < SpaceObject.hash($0) }
    for object in objects {
      space.place.append(object)
      try space.meet(&devices)
      for device in devices { #expect(device.key != nil) }
    }
    #expect(space.place.count < 150)
  }

  /// Of a device that it let in, and that signed too much.
  @Test(.timeLimit(.minutes(1)))
  func `a member makes nobody look at what it signs again and again`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let stooge = try space.add("stooge", by: &evil)
    let heads = stooge.roster.heads
    for _ in 0..<3 {
      space.place.append(
        try forging.forge(
          .add(try Device("more", in: evil.roster.space).member, budget: 0), by: stooge,
          after: heads, recovery: space.recovery))
    }
    let under = try #require(evil.firstKey(space.place))
    var last = heads
    for number in 0..<2_000 {
      let object = try forging.forge(
        number % 2 == 0
          ? .confirm : .add(try Device("more", in: evil.roster.space).member, budget: 255),
        by: evil, after: last, under: number % 2 == 0 ? under : nil, recovery: space.recovery)
      last = [SpaceObject.hash(object)]
      space.place.append(object)
    }
    try space.first.take(space.place)
    let read = try Roster(space: space.first.roster.space, space.first.roster.encoded())
    #expect(Set(read.active.map(\.name)).isSuperset(of: ["first", "evil", "stooge"]))
    #expect(read.recordCount > 2_000)
  }

  /// Each level rests twice on the one before it, and nobody had signed too much until the last record.
  @Test(.timeLimit(.minutes(1)))
  func `what counted for somebody is found once`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let child = try space.add("child", by: &evil)
    let under = try #require(evil.firstKey(space.place))
    var heads = [
      try forging.forge(
        .add(try Device("more", in: evil.roster.space).member, budget: 1), by: child,
        after: child.roster.heads, recovery: space.recovery)
    ]
    space.place += heads
    for _ in 0..<30 {
      let previous = heads.map { SpaceObject.hash($0) }.sorted()
      heads = try (0..<2).map { _ in
        try forging.forge(
          .confirm, by: evil, after: previous, under: under, recovery: space.recovery)
      }
      space.place += heads
    }
    space.place.append(
      try forging.forge(
        .add(child.member, budget: 0), by: evil,
        after: heads.map { SpaceObject.hash($0) }.sorted(), recovery: space.recovery))
    try space.first.take(space.place)
    #expect(Set(space.first.names).isSuperset(of: ["child", "evil", "first"]))
  }

  /// Whom it let in signs side by side, and it confirms each of them: it is no witness of its own child.
  @Test func `a member lets in no more through another one that it let in`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let child = try space.add("child", by: &evil)
    let under = try #require(evil.firstKey(space.place))
    for _ in 0..<12 {
      let beside = try forging.forge(
        .add(try Device("more", in: evil.roster.space).member, budget: 0), by: child,
        after: child.roster.heads, recovery: space.recovery)
      space.place.append(beside)
      space.place.append(
        try forging.forge(
          .confirm, by: evil, after: [SpaceObject.hash(beside)], under: under,
          recovery: space.recovery))
    }
    var devices = [space.first]
    try space.meet(&devices)
    #expect(devices[0].names.count <= 5, "\(devices[0].names)")
  }
}
