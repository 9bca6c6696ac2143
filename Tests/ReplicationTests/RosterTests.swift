import Bytes
import Sealing
import Testing

@testable import Replication

/// Who takes part, when some of them sign whatever they like.
@Suite struct RosterTests {
  // MARK: Attacks

  @Test func `one who was taken out reads nothing new, whatever they sign in whose name`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let phone = try space.add("phone")
    try evil.take(space.place)
    let before = evil
    try space.revoke(evil)
    // Twelve admissions of keys of their own, a renewal for everybody in the first one's name, and one in their own.
    for number in 0..<12 {
      let stooge = try Device("first", in: before.roster.space)
      space.place.append(
        try forge(
          .add(stooge.member, budget: UInt8(number)), by: before, recovery: space.recovery))
      space.place.append(
        try forge(
          .renew, by: before, as: stooge.id, to: [stooge.member, before.member],
          recovery: space.recovery))
    }
    space.place.append(
      try forge(
        .renew, by: before, as: space.first.id, to: before.roster.active + [before.member],
        recovery: space.recovery))
    var devices = [space.first, phone]
    try space.meet(&devices)
    try evil.take(space.place)
    for device in devices {
      #expect(device.names == ["first", "phone"])
      let key = try #require(device.key)
      #expect(evil.epochs[key.id] == nil)
    }
    #expect(evil.key == nil)
  }

  @Test func `nobody gets the name of another, nor fills the space`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    var objects: [[UInt8]] = []
    for number in 0..<300 {
      let stooge = try Device("\(number)", in: evil.roster.space)
      objects.append(
        try forge(.add(stooge.member, budget: 0), by: evil, recovery: space.recovery))
      if number.isMultiple(of: 3) { try evil.take(objects) }
    }
    space.place += objects
    let phone = try space.add("phone")
    var devices = [space.first, phone]
    try space.meet(&devices)
    for device in devices {
      // As many as its budget has, and as its branches.
      #expect((3...20).contains(device.names.count), "\(device.names.count)")
      #expect(device.names.contains("phone"))
      #expect(device.key != nil)
    }
    #expect(devices[0].names == devices[1].names)
  }

  @Test func `an epoch that leaves somebody out, or lies to them, is void`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let phone = try space.add("phone")
    try space.first.take(space.place)
    try evil.take(space.place)
    // It needs a new epoch: somebody was let in whom nobody told.
    let late = try Device("late", in: evil.roster.space)
    let admission = try forge(.add(late.member, budget: 0), by: evil, recovery: space.recovery)
    try evil.take([admission])
    let all = evil.roster.active
    space.place += [
      admission,
      try forge(
        .renew, by: evil, to: all.filter { $0.id != phone.id }, recovery: space.recovery),
      try forge(.renew, by: evil, to: all, earlier: [], recovery: space.recovery),
      try forge(.renew, by: evil, to: all, recovery: space.recovery) { boxes in
        [boxes[0]] + [boxes[0]] + boxes.dropFirst(2)
      },
      try forge(.renew, by: evil, to: all, recovery: space.recovery) { boxes in
        boxes.map { [$0[0] ^ 1] + $0.dropFirst() }
      },
    ]
    var devices = [space.first, phone, late]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["evil", "first", "late", "phone"])
      #expect(device.key?.id == devices[0].key?.id && device.key != nil)
      // With it everything that was ever written.
      #expect(device.epochs.keys.count >= 3)
    }
  }

  @Test func `a renewal that nobody needed is void, so that a liar keeps nobody busy`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    try space.first.take(space.place)
    let epoch = space.first.roster.epoch
    for _ in 0..<10 {
      try evil.take(space.place)
      space.place.append(
        try forge(.renew, by: evil, to: evil.roster.active, recovery: space.recovery))
    }
    let count = space.place.count
    var devices = [space.first, evil]
    try space.meet(&devices)
    #expect(devices.allSatisfy { $0.roster.epoch == epoch })
    #expect(space.place.count == count)
  }

  @Test func `a device takes nobody out, nor itself`() throws {
    var space = try Space()
    let evil = try space.add("evil")
    let first = [SpaceObject.hash(space.place[0])]
    for device in [space.first, evil] {
      let lie = try forge(
        .revoke([RosterRecord.Revocation(device.id, ends: [], records: [])]), by: evil,
        after: first, under: evil.firstKey(space.place), recovery: space.recovery)
      #expect(try space.first.take([lie]) == [.notAuthentic])
    }
    #expect(space.first.names == ["evil", "first"])
  }

  @Test func `nobody falls back to an epoch whose key others got that are gone`() throws {
    var space = try Space()
    var other = try space.add("other")
    let early = try #require(other.key)
    let (lost, stolen) = (try space.add("lost"), try space.add("stolen"))
    try other.take(space.place)
    var elsewhere = space
    try space.revoke(lost)
    try elsewhere.revoke(stolen, by: &other)
    space.place += elsewhere.place
    var devices = [space.first, other]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "other"])
      let key = try #require(device.key)
      #expect(key.id != early.id)
      for var gone in [lost, stolen] {
        try gone.take(space.place)
        #expect(gone.epochs[key.id] == nil)
      }
    }
  }

  @Test func `one who was taken out takes nobody along`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    try evil.take(space.place)
    let before = evil
    let phone = try space.add("phone", by: &evil)
    let tablet = try space.add("tablet", by: &evil)
    try space.revoke(evil)
    // Written back behind the first records of it, in front of those that the revocation lists, and too dear.
    for _ in 0..<8 {
      let stooge = try Device("stooge", in: before.roster.space)
      space.place.append(
        try forge(.add(stooge.member, budget: 255), by: before, recovery: space.recovery))
    }
    var devices = [space.first, phone, tablet]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "phone", "tablet"] && device.key != nil)
    }
  }

  @Test func `a device that opens an epoch opens all that led to it`() throws {
    var space = try Space()
    var evil = try space.add("evil")
    let phone = try space.add("phone")
    try evil.take(space.place)
    try space.first.take(space.place)
    // An epoch for some alone, which is void; an admission under it; and one for all that does not hand on the first one's key.
    let (stooge, known) = (try Device("stooge", in: evil.roster.space), Array(evil.epochs.values))
    let secret = try forge(
      .renew, by: evil, to: [space.first.member, evil.member], recovery: space.recovery)
    try evil.take([secret])
    var under = evil
    let key = try #require(evil.epochs.values.first { key in !known.contains { $0.id == key.id } })
    under.epochs = [key.id: key]
    let admission = try forge(
      .add(stooge.member, budget: 0), by: under, recovery: space.recovery)
    try evil.take([admission])
    space.place += [
      secret, admission,
      try forge(
        .renew, by: evil, to: evil.roster.active, earlier: known, recovery: space.recovery),
    ]
    var devices = [space.first, phone]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["evil", "first", "phone", "stooge"], "\(device.names)")
      #expect(device.key != nil && device.key?.id == devices[0].key?.id)
    }
  }

  @Test func `nobody gives another device a name`() throws {
    var space = try Space()
    let evil = try space.add("evil")
    let phone = try space.add("phone")
    try space.first.take(space.place)
    let keys = phone.keys
    space.place.append(
      try forge(
        .add(Member(name: "lost laptop", keys), budget: 0), by: evil, recovery: space.recovery))
    try space.first.take(space.place)
    #expect(space.first.roster.members[phone.id]?.member.name == "phone")
    try space.first.take([])
    space.place += try space.first.revoke([phone], by: space.recovery)
    #expect(space.first.roster.standing(of: phone.id) != .active)
  }

  // MARK: Apart and together

  @Test func `two changes apart lock out nobody who takes part`() throws {
    var space = try Space()
    var other = try space.add("other")
    let (lost, stolen) = (try space.add("lost"), try space.add("stolen"))
    try other.take(space.place)
    var elsewhere = space
    let new = try space.add("new")
    try space.revoke(lost)
    try elsewhere.revoke(stolen, by: &other)
    space.place += elsewhere.place
    var devices = [space.first, other, new]
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "new", "other"])
      #expect(device.key?.id == devices[0].key?.id && device.key != nil)
    }
    for var gone in [lost, stolen] {
      try gone.take(space.place)
      #expect(gone.epochs[devices[0].roster.epoch] == nil)
    }
  }

  /// It is void for those who have the key, and was right for its author.
  @Test func `what is written under an epoch whose author lacked a key is read by all`() throws {
    var space = try Space()
    var one = try space.add("one")
    let evil = try space.add("evil")
    var apart = space
    try apart.revoke(evil, by: &one)
    var two = try space.add("two")
    try two.take(apart.place)
    #expect(two.roster.needsEpoch(by: two.id))
    let late = try two.renew()
    let key = try #require(two.key)
    let three = try apart.add("three", by: &one)
    space.place += apart.place
    try space.first.take(space.place)
    if space.first.roster.needsEpoch(by: space.first.id) {
      space.place.append(try space.first.renew())
    }
    var devices = [space.first, one, two, three]
    for index in devices.indices { try devices[index].take(space.place) }
    space.place.append(late)
    try space.meet(&devices)
    for device in devices {
      #expect(device.names == ["first", "one", "three", "two"])
      #expect(device.epochs[key.id] != nil, "\(device.member.name)")
      #expect(device.key != nil && device.key?.id == devices[0].key?.id)
    }
  }

  @Test func `two that take each other out leave the space to its recovery code`() throws {
    var space = try Space()
    var other = try space.add("other")
    try other.take(space.place)
    var (one, elsewhere) = (space.first, space)
    try space.revoke(other, by: &one)
    try elsewhere.revoke(one, by: &other)
    space.place += elsewhere.place
    var devices = [one, other]
    try space.meet(&devices)
    #expect(devices.allSatisfy { $0.names.isEmpty && $0.key == nil })
    var new = try Device("new", in: one.roster.space)
    _ = try new.roster.takeAll(
      space.place.shuffled(), keys: &new.epochs, box: space.recovery.box)
    let known = new.epochs.count
    space.place += try new.roster.add(
      new.member, by: nil, space.recovery, keys: &new.epochs)
    #expect(new.names == ["new"] && new.key != nil && new.epochs.count > known)
    var again = try Device("again", in: one.roster.space)
    #expect(try again.take(space.place).isEmpty)
    try one.take(space.place)
    #expect(one.key == nil && one.epochs[new.roster.epoch] == nil)
  }

  // MARK: A function of the set

  /// Random histories, by some who keep to the rules and one who does not: in whatever order records come, and in pieces.
  @Test(arguments: 0..<24) func `the same records give the same roster`(number: Int) throws {
    var space = try Space()
    var devices = [space.first]
    var evil = try space.add("evil")
    for step in 0..<14 {
      let index = Int.random(in: devices.indices)
      if Bool.random() { try devices[index].take(space.place) }
      var device = devices[index]
      switch Int.random(in: 0..<7) {
      case 0, 1:
        guard device.key != nil, device.roster.standing(of: device.id) == .active else { continue }
        let new = try Device("\(step)", in: device.roster.space)
        guard
          let made = try? device.roster.add(
            new.member, by: device.id, device.keys, keys: &device.epochs)
        else { continue }
        space.place += made
        devices.append(new)
      case 2:
        guard device.roster.active.count > 2, let gone = device.roster.active.randomElement(),
          let made = try? device.roster.revoke(
            [gone.id], ends: [], by: space.recovery, keys: &device.epochs)
        else { continue }
        space.place += made
      case 3:
        try evil.take(space.place)
        let stooge = try Device("stooge \(step)", in: evil.roster.space)
        space.place.append(
          try forge(.add(stooge.member, budget: 3), by: evil, recovery: space.recovery))
      case 4:
        space.place.append(
          try forge(
            .renew, by: evil, to: evil.roster.active.shuffled(), recovery: space.recovery))
      default:
        if device.roster.needsEpoch(by: device.id) {
          space.place.append(try device.renew())
        }
      }
      devices[index] = device
    }
    try space.meet(&devices)
    // One who never was there, by the recovery code: at once, one by one, and kept in between.
    var results: [[String]] = []
    for round in 0..<4 {
      var roster = Roster(space: space.first.roster.space)
      var keys: [[UInt8]: EpochKey] = [:]
      var pieces = [space.place.shuffled()]
      if round > 0 { pieces = pieces[0].map { [$0] } + [space.place, space.place] }
      for piece in pieces {
        _ = try roster.takeAll(piece, keys: &keys, box: space.recovery.box)
        roster = try Roster(space: roster.space, roster.encoded())
      }
      results.append(
        roster.members.map { "\($0.key.text) \($0.value)" }.sorted() + ["\(roster.epoch)"])
    }
    #expect(Set(results).count == 1)
    // All who had the keys of both sides may be gone; then the recovery code brings the others together.
    var last = try Device("last", in: space.first.roster.space)
    _ = try last.roster.takeAll(space.place, keys: &last.epochs, box: space.recovery.box)
    space.place += try last.roster.add(
      last.member, by: nil, space.recovery, keys: &last.epochs)
    devices.append(last)
    try space.meet(&devices)
    // All who take part write under one epoch, and read what any of them writes.
    let truth = try #require(devices.last)
    let active = devices.filter { truth.roster.standing(of: $0.id) == .active }
    for device in active {
      #expect(device.key != nil)
      #expect(device.names == truth.names)
      for other in active {
        if let key = other.key { #expect(device.epochs[key.id] != nil) }
      }
    }
  }
}
