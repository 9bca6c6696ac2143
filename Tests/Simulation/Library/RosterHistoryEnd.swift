import Bytes
import Replication
import Sealing

/// How a history of a roster ends, and what must be true then.
extension RosterHistory {
  /// The place shows everything, and whoever has to begin an epoch does.
  mutating func comeToRest() throws {
    var count = -1
    for _ in 0..<6 where count != place.count {
      count = place.count
      for index in peers.indices {
        var peer = peers[index]
        try peer.take(place.shuffled(using: &random))
        if let object = try peer.renewal() { put(object) }
        peers[index] = peer
      }
    }
    guard count == place.count else { throw Violation("devices keep one another busy") }
    for index in liars.indices { try liars[index].take(place.shuffled(using: &random)) }
  }

  mutating func check() throws {
    let expected = judge.active()
    try check(expected)
    // Whoever comes by the recovery code alone sees the same, and all go on with them.
    var last = try Peer("last", in: space)
    _ = try last.roster.takeAll(
      place.shuffled(using: &random).map(\.object), keys: &last.epochs, box: recovery.box)
    let honest = Set(peers.map(\.id))
    let seen = honest.intersection(last.roster.active.map(\.id))
    for peer in peers where expected.contains(peer.id) {
      guard honest.intersection(peer.roster.active.map(\.id)) == seen else {
        throw Violation("the recovery code sees others take part than \(peer.member.name)")
      }
    }
    let objects = try last.roster.add(last.member, by: nil, recovery, keys: &last.epochs)
    for object in objects { put(object) }
    judge.add(last.id, by: nil, SpaceObject.hash(objects[objects.count - 2]))
    peers.append(last)
    try comeToRest()
    try check(judge.active())
  }

  private mutating func check(_ expected: Set<DeviceID>) throws {
    let honest = Set(peers.map(\.id))
    let active = peers.filter { expected.contains($0.id) }
    let gone = judge.gone
    for peer in active {
      let members = Set(peer.roster.active.map(\.id))
      guard members.intersection(honest) == expected else {
        throw Violation(
          "for \(peer.member.name) \(members.intersection(honest).map(name).sorted()) take part, not "
            + "\(expected.map(name).sorted())")
      }
      guard members.isDisjoint(with: gone) else {
        throw Violation("for \(peer.member.name) somebody takes part who was taken out")
      }
      guard members == Set(active[0].roster.active.map(\.id)) else {
        throw Violation("devices see others take part")
      }
      guard let key = peer.key, key.id == active[0].key?.id else {
        throw Violation("\(peer.member.name) writes under no epoch, or another one")
      }
    }
    for index in peers.indices where expected.contains(peers[index].id) { try write(index) }
    try checkTexts(active, expected)
  }

  private func checkTexts(_ active: [Peer], _ expected: Set<DeviceID>) throws {
    let outside = (peers + liars).filter { peer in
      active.first?.roster.standing(of: peer.id) != .active
    }
    let last = active.first?.taken ?? []
    for text in texts {
      let epoch = try SignedSegment.epoch(of: text.object)
      for peer in active where expected.contains(text.author) {
        guard let key = peer.epochs[epoch] else {
          throw Violation("\(peer.member.name) cannot read what \(name(text.author)) wrote")
        }
        _ = try SignedSegment(object: text.object, in: space, key: key) {
          peer.roster.signingKey(of: $0)
        }
      }
      // Whoever its author knew to be taken out never reads it; of the last texts nobody does who takes no part.
      let known = judge.gone(text.heard)
      let isLast = expected.contains(text.author) && text.heard.isSuperset(of: last)
      for peer in outside where known.contains(peer.id) || isLast {
        guard peer.epochs[epoch] == nil else {
          throw Violation("\(peer.member.name) reads what \(name(text.author)) wrote afterwards")
        }
      }
    }
    for (name, object) in forged {
      let epoch = try SignedSegment.epoch(of: object)
      for peer in active {
        guard let key = peer.epochs[epoch] else { continue }
        let copy = try? SignedSegment(object: object, in: space, key: key) {
          peer.roster.signingKey(of: $0)
        }
        guard copy == nil else {
          throw Violation("somebody writes in the name of \(self.name(name.device))")
        }
      }
    }
  }
}
