import Bytes
import Replication
import Sealing

/// One history of who takes part in a space, from a seed, with real keys: some devices keep to the rules, one does not and signs
/// whatever it likes, and the place shows each of them what it likes.
package struct RosterHistory {
  /// What can happen in it.
  package enum Event: String, CaseIterable, Sendable {
    case histories, admissions, revocations, lies, thefts, texts
  }

  /// A device, with what it has of the roster.
  struct Peer {
    let keys: SpaceIdentity
    let member: Member
    var roster: Roster
    var epochs: [[UInt8]: EpochKey] = [:]
    /// How many segments it wrote.
    var written = 0
    var last: Hash?

    var id: DeviceID { member.id }
    /// The records that it has with all that they follow.
    var taken: Set<Hash> { Set(roster.allRecords) }
    /// Those, and others that it could read.
    var heard: Set<Hash> { taken.union(waiting) }
    private var waiting: Set<Hash> = []
    var key: EpochKey? { epochs[roster.epoch] }
    /// All keys that it has, in order.
    var known: [EpochKey] { epochs.values.sorted { $0.id.lexicographicallyPrecedes($1.id) } }
    var takesPart: Bool { roster.standing(of: id) == .active }

    init(_ name: String, in space: Identity) throws {
      keys = try SpaceIdentity(seed: try SecretBytes.random())
      member = Member(name: name, keys)
      roster = Roster(space: space)
    }

    mutating func take(_ shown: [(hash: Hash, object: [UInt8])]) throws {
      _ = try roster.takeAll(shown.map(\.object), keys: &epochs, box: keys.box)
      for (hash, object) in shown where epochs[Array(object[5..<21])] != nil {
        waiting.insert(hash)
      }
    }

    /// What says that what others signed counts here, where nobody else has.
    mutating func confirmation() throws -> [UInt8]? {
      guard roster.needsConfirmation(by: id) else { return nil }
      return try roster.confirm(by: id, keys, keys: &epochs)
    }

    /// The epoch that has to be begun, if it can.
    mutating func renewal() throws -> [UInt8]? {
      guard roster.needsEpoch(by: id) else { return nil }
      return try roster.renew(by: id, keys, keys: &epochs)
    }
  }

  /// What somebody wrote.
  struct Text {
    let author: DeviceID
    let name: LogEnd
    /// As its author put it, and as others packed it since.
    var copies: [[UInt8]]
    /// What its author had heard.
    let heard: Set<Hash>
  }

  var random: Seeded
  let recovery: SpaceIdentity
  let space: Identity
  /// The records that lie in the place, in the order they came.
  var place: [(hash: Hash, object: [UInt8])] = []
  var peers: [Peer] = []
  /// The first has a device that was let in; the others it let in itself.
  var liars: [Peer] = []
  var texts: [Text] = []
  /// Segments that are signed by somebody else than they say.
  var forged: [(name: LogEnd, object: [UInt8])] = []
  /// Who began an epoch, of those that keep to the rules.
  var begun: [[UInt8]: DeviceID] = [:]
  /// What the admissions follow that devices signed which keep to the rules.
  var followed: [DeviceID: [[Hash]]] = [:]
  var judge = RosterJudge()
  var counts = Tally<Event>()
  /// What happened, for whoever looks into a violation.
  var story: [String] = []

  /// - Throws: ``Violation``.
  package static func run(seed: UInt64) throws -> Tally<Event> {
    var history = try RosterHistory(seed)
    do {
      for _ in 0..<(12 + history.random.below(24)) { try history.step() }
      try history.comeToRest()
      try history.check()
    } catch {
      throw Violation("\(error)\n" + history.story.joined(separator: "\n"))
    }
    history.counts[.histories] = 1
    return history.counts
  }

  private init(_ seed: UInt64) throws {
    random = Seeded(seed)
    recovery = try SpaceIdentity(recovery: try SecretBytes.random(16))
    space = Roster.space(of: recovery)
    var first = try Peer("0", in: space)
    let (roster, keys, object) = try Roster.begin(recovery, first: first.member)
    (first.roster, first.epochs) = (roster, keys)
    put(object)
    judge.add(first.id, by: nil, SpaceObject.hash(object))
    peers.append(first)
    for number in 1..<(2 + random.below(3)) { try admit(try Peer("\(number)", in: space), by: 0) }
    var liar = try Peer("liar", in: space)
    first = peers[0]
    let objects = try first.roster.add(
      liar.member, by: first.id, first.keys, keys: &first.epochs)
    for object in objects { put(object) }
    peers[0] = first
    try liar.take(place)
    liars = [liar]
  }

  // MARK: The place

  @discardableResult
  mutating func put(_ object: [UInt8]) -> Hash {
    let hash = SpaceObject.hash(object)
    place.append((hash, object))
    return hash
  }

  /// The record by which a device has just begun the epoch that it writes under.
  mutating func put(_ object: [UInt8], beginning peer: Peer) {
    put(object)
    begun[peer.roster.epoch] = peer.id
  }

  /// The place shows all of it, or some, in an order that nobody chose.
  mutating func shown() -> [(hash: Hash, object: [UInt8])] {
    let all = place.shuffled(using: &random)
    return random.chance(2) ? all : Array(all.prefix(random.below(all.count + 1)))
  }

  // MARK: Happening

  mutating func step() throws {
    let index = random.below(peers.count)
    switch random.below(21) {
    case 0..<6: try pull(index)
    case 6..<8: if peers.count < 9 { try admit(try Peer("\(peers.count)", in: space), by: index) }
    case 8..<10: try revoke(at: index)
    case 10..<14: try write(index)
    case 20: try steal(index)
    case 14: peers[index].roster = try Roster(space: space, peers[index].roster.encoded())
    default: try lie()
    }
  }

  mutating func pull(_ index: Int) throws {
    var peer = peers[index]
    try peer.take(shown())
    if let object = try peer.confirmation() { put(object) }
    if let object = try peer.renewal() {
      put(object, beginning: peer)
      story.append("\(peer.member.name) begins an epoch")
    }
    peers[index] = peer
  }

  /// A device that kept to the rules falls into the hands of one who does not, once all know whom it let in.
  private mutating func steal(_ index: Int) throws {
    guard peers.count > 2, liars.count < 6 else { return }
    for _ in 0..<3 {
      for index in peers.indices {
        try peers[index].take(place)
        if let object = try peers[index].confirmation() { put(object) }
      }
    }
    let peer = peers.remove(at: index)
    liars.append(peer)
    judge.steal(peer.id)
    counts[.thefts] += 1
    story.append("\(peer.member.name) is stolen")
  }

  mutating func admit(_ peer: Peer, by index: Int) throws {
    var (peer, author) = (peer, peers[index])
    guard author.takesPart, author.key != nil else { return }
    let heads = author.roster.heads
    let objects: [[UInt8]]
    do throws(SealingError) {
      objects = try author.roster.add(
        peer.member, by: author.id, author.keys, keys: &author.epochs)
    } catch {
      // It may let in no more.
      guard error == .limitsRefused else { throw error }
      return
    }
    for object in objects { put(object, beginning: author) }
    followed[author.id, default: []].append(heads)
    // The first of two is the admission.
    judge.add(peer.id, by: author.id, SpaceObject.hash(objects[objects.count - 2]))
    counts[.admissions] += 1
    story.append("\(author.member.name) lets in \(peer.member.name)")
    let known = place.filter { author.taken.contains($0.hash) }
    try peer.take(known)
    peers[index] = author
    peers.append(peer)
  }

  /// The recovery code is used at a device.
  mutating func revoke(at index: Int) throws {
    var peer = peers[index]
    // What it needs is an epoch to go on from; it takes what the place shows, as the command does.
    try peer.take(shown())
    peers[index] = peer
    guard peer.takesPart, peer.key != nil else { return }
    let others = peer.roster.active.map(\.id).filter { $0 != peer.id }
    guard let gone = others.randomElement(using: &random) else { return }
    var devices: Set<DeviceID> = [gone]
    if random.chance(3), let liar = liars.first, others.contains(liar.id) {
      devices.insert(liar.id)
    }
    let heard = peer.taken
    let objects = try peer.roster.revoke(devices, ends: [], by: recovery, keys: &peer.epochs)
    judge.revoke(devices, SpaceObject.hash(objects[0]), heard: heard)
    for object in objects { put(object) }
    peers[index] = peer
    counts[.revocations] += 1
    story.append("\(peer.member.name) takes out \(devices.map(name).sorted())")
  }

  func name(_ device: DeviceID) -> String {
    (peers + liars).first { $0.id == device }?.member.name ?? device.text
  }

  mutating func write(_ index: Int) throws {
    let peer = peers[index]
    guard peer.takesPart, let key = peer.key else { return }
    let (name, object) = try segment(of: peer.id, peer, under: key)
    peers[index].written += 1
    peers[index].last = name.hash
    texts.append(Text(author: peer.id, name: name, copies: [object], heard: peer.heard))
    counts[.texts] += 1
  }

  /// A segment of a device, signed by somebody.
  func segment(
    of device: DeviceID, _ signer: Peer, under key: EpochKey
  ) throws -> (name: LogEnd, object: [UInt8]) {
    let segment = Segment(
      device: device, sequence: UInt64(signer.written + 1), previous: signer.last, ends: [],
      operations: [.set(Identity(high: 7, low: 7), value: [1])])
    let copy = SignedSegment(segment, in: space, by: signer.keys.signing)
    let end = LogEnd(
      device: device, sequence: segment.sequence, hash: copy.header.hash(in: space))
    return (end, try copy.sealed(in: space, key: key))
  }
}
