import Bytes
import Replication
import Sealing

/// What somebody signs who has the keys of a device, and keeps to no rule.
extension RosterHistory {
  mutating func lie() throws {
    let index = random.below(liars.count)
    if random.chance(2) {
      let shown = shown()
      try liars[index].take(shown)
    }
    let liar = liars[index]
    guard !liar.epochs.isEmpty else { return }
    let victim = peers[random.below(peers.count)]
    let kind = random.below(11)
    switch kind {
    case 0, 1: try letInStooge(by: index)
    case 2:
      // More than count at one place of its log.
      for _ in 0..<4 { try letInStooge(by: index) }
    case 3:
      // Who takes part already, or did, with the right to let in everybody.
      try forge(.add(victim.member, budget: 255), by: liar)
    case 4:
      let stooge = try Peer("stooge", in: space)
      try forge(.add(stooge.member, budget: 9), by: liar, as: victim.id)
    case 5: try forge(.renew, by: liar, as: random.chance(3) ? victim.id : nil, to: receivers(liar))
    case 6:
      try forge(
        .revoke([RosterRecord.Revocation(victim.id, ends: [], records: [])]), by: liar,
        after: random.chance(2) ? [place[0].hash] : nil)
    case 7:
      // Before or beside what it has signed already, as an older copy of it would.
      try forge(
        random.chance(2) ? .renew : .add(try Peer("twin", in: space).member, budget: 0), by: liar,
        after: [place[random.below(place.count)].hash], to: receivers(liar))
    case 8: try forge(.confirm, by: liar, as: random.chance(3) ? victim.id : nil)
    case 9:
      // Beside those that it signed before it was stolen.
      guard let heads = followed[liar.id]?.randomElement(using: &random) else { return }
      for _ in 0..<4 {
        try forge(
          .add(
            try Peer("beside", in: space).member, budget: UInt8([0, 1, 100][random.below(3)])),
          by: liar, after: heads)
      }
    default:
      guard let key = liar.key ?? liar.known.randomElement(using: &random) else { return }
      let (name, object) = try segment(of: victim.id, liar, under: key)
      forged.append((name, object))
    }
    counts[.lies] += 1
    story.append("\(liar.member.name) lies (\(kind))")
  }

  private mutating func letInStooge(by index: Int) throws {
    let stooge = try Peer("stooge \(liars.count)", in: space)
    try forge(
      .add(stooge.member, budget: UInt8([0, 1, 9, 255][random.below(4)])), by: liars[index])
    if liars.count < 6 { liars.append(stooge) }
    if random.chance(2) { try liars[index].take(place) }
  }

  /// All who take part, or not all, or others, too.
  private mutating func receivers(_ liar: Peer) -> [Member] {
    var receivers = liar.roster.active
    switch random.below(4) {
    case 0: if !receivers.isEmpty { receivers.remove(at: random.below(receivers.count)) }
    case 1: receivers.append(liar.member)
    case 2: receivers.shuffle(using: &random)
    default: break
    }
    return receivers
  }

  private mutating func forge(
    _ action: RosterRecord.Action, by signer: Peer, as author: DeviceID? = nil,
    after previous: [Hash]? = nil, to receivers: [Member] = []
  ) throws {
    let first = previous == [place[0].hash] ? signer.epochs[Array(place[0].object[5..<21])] : nil
    guard let under = first ?? signer.key ?? signer.known.randomElement(using: &random) else {
      return
    }
    var opening: EpochOpening?
    switch action {
    case .add, .revoke, .confirm: break
    case .renew, .space:
      let made = try EpochOpening(
        EpochKey.make(), to: receivers.map(\.boxKey), recovery: recovery.box.publicKey,
        earlier: random.chance(3) ? [] : signer.known, in: space)
      var boxes = made.boxes
      if random.chance(4) { boxes[random.below(boxes.count)][0] ^= 1 }
      opening = EpochOpening(id: made.id, boxes: boxes, earlier: made.earlier)
    }
    var its: DeviceID? = author ?? signer.id
    if case .revoke = action { its = nil }
    let record = RosterRecord(
      previous: (previous ?? signer.roster.heads).sorted(), author: its, action,
      epochDigest: EpochOpening.digest(opening))
    let object = try SpaceObject.seal(
      record.encoded(), .roster,
      head: SpaceObject.head(.roster, epoch: under.id) + EpochOpening.encoded(opening), in: space,
      key: under, by: signer.keys.signing)
    put(object)
  }
}
