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
        if let object = try peer.confirmation() { put(object) }
        if let object = try peer.renewal() { put(object, beginning: peer) }
        peers[index] = peer
      }
    }
    for peer in peers { try passOn(peer) }
    guard count == place.count else { throw Violation("devices keep one another busy") }
    for index in liars.indices { try liars[index].take(place.shuffled(using: &random)) }
  }

  /// A device packs what not all who take part can open.
  private mutating func passOn(_ peer: Peer) throws {
    guard peer.takesPart, let key = peer.key else { return }
    for index in texts.indices where peer.roster.standing(of: texts[index].author) == .active {
      let epochs = try texts[index].copies.map { try SignedSegment.epoch(of: $0) }
      guard !epochs.contains(where: peer.roster.epochsForAll.contains),
        let known = epochs.firstIndex(where: { peer.epochs[$0] != nil }),
        let its = peer.epochs[epochs[known]]
      else { continue }
      if let author = begun[epochs[0]], judge.active().contains(author) {
        throw Violation("what \(name(texts[index].author)) wrote is left behind by \(name(author))")
      }
      let copy = try SignedSegment(object: texts[index].copies[known], in: space, key: its) {
        peer.roster.signingKey(of: $0)
      }
      texts[index].copies.append(try copy.sealed(in: space, key: key))
    }
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
      // It may be another one than that of the others: an author who lacked a key that they have cannot see that theirs is the better.
      guard let key = peer.key, active.allSatisfy({ $0.epochs[key.id] != nil }) else {
        throw Violation("\(peer.member.name) writes under no epoch, or one that not all can open")
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
      let epochs = try text.copies.map { try SignedSegment.epoch(of: $0) }
      for peer in active where expected.contains(text.author) {
        guard let known = epochs.firstIndex(where: { peer.epochs[$0] != nil }),
          let key = peer.epochs[epochs[known]]
        else { throw Violation("\(peer.member.name) cannot read what \(name(text.author)) wrote") }
        _ = try SignedSegment(object: text.copies[known], in: space, key: key) {
          peer.roster.signingKey(of: $0)
        }
      }
      // Whoever its author knew to be taken out never reads it; of the last texts nobody does who takes no part.
      let known = judge.gone(text.heard)
      let isLast = expected.contains(text.author) && text.heard.isSuperset(of: last)
      for peer in outside where known.contains(peer.id) || isLast {
        guard epochs.allSatisfy({ peer.epochs[$0] == nil }) else {
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
