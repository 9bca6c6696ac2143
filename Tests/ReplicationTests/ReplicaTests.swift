import Bytes
import Replication
import Testing

private let text: Field = 1
private let star: Field = 2
private let tags: Field = 3
private let trash: Field = 4
private let rules: [Field: MergeRule] = [
  text: .all, star: .newest, tags: .elements, trash: .trash,
]

private func identity(_ number: UInt64) -> Identity { Identity(high: number, low: number) }
private func device(_ number: UInt8) -> DeviceID { DeviceID(Array(repeating: number, count: 32)) }
private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
private func name(_ segment: Segment) -> Hash {
  Hash(Digest.blake2b(segment.encoded(), domain: "FDv2 object name"))
}

private func sealed(_ replica: inout Replica) throws -> Segment {
  let segment = replica.seal(hash: name)
  return try #require(segment)
}

/// Two devices that know one entry.
private struct Pair {
  let entry = identity(99)
  var one = Replica(device(1), rules: rules)
  var other = Replica(device(2), rules: rules)

  init() throws {
    one.edit(entry, [text: [bytes("first")], star: [[0]], tags: [bytes("a")], trash: [[]]])
    try exchange()
  }

  /// What either has that is not sealed goes to the other.
  mutating func exchange() throws {
    let (mine, theirs) = (one.seal(hash: name), other.seal(hash: name))
    if let theirs { _ = try one.merge(theirs, hash: name(theirs)) }
    if let mine { _ = try other.merge(mine, hash: name(mine)) }
    #expect(one.digest() == other.digest())
  }

  var shown: ShownEntry? {
    #expect(one.shown(entry) == other.shown(entry))
    return one.shown(entry)
  }
}

/// What becomes of an entry that two devices changed.
@Suite struct ReplicaTests {
  @Test func `two texts stay until somebody writes one who knew both`() throws {
    var pair = try Pair()
    pair.one.edit(pair.entry, [text: [bytes("mine")]])
    pair.other.edit(pair.entry, [text: [bytes("yours")]])
    try pair.exchange()
    #expect(Set(pair.shown?.values[text] ?? []) == [bytes("mine"), bytes("yours")])
    #expect(pair.shown?.conflicts == [text])
    // Something else may change meanwhile, and both stay.
    pair.one.edit(pair.entry, [star: [[1]]])
    try pair.exchange()
    #expect(pair.shown?.conflicts == [text] && pair.shown?.values[star] == [[1]])
    pair.other.edit(pair.entry, [text: [bytes("both")]])
    try pair.exchange()
    #expect(pair.shown?.values[text] == [bytes("both")] && pair.shown?.conflicts == [])
    #expect(pair.one.revisions(of: pair.entry).count == 5)
  }

  @Test func `equal texts are none, and other fields go beside them`() throws {
    var pair = try Pair()
    pair.one.edit(pair.entry, [text: [bytes("same")], tags: [bytes("a"), bytes("b")]])
    pair.other.edit(pair.entry, [text: [bytes("same")], tags: [bytes("c")]])
    try pair.exchange()
    #expect(pair.shown?.conflicts == [] && pair.shown?.values[text] == [bytes("same")])
    // One took a away, the other kept it: whoever took it had seen it.
    #expect(pair.shown?.values[tags] == [bytes("b"), bytes("c")])
  }

  @Test func `an unseen text brings an entry back, from the trash and from a purge`() throws {
    var pair = try Pair()
    pair.one.edit(pair.entry, [trash: [[1]]])
    pair.other.edit(pair.entry, [text: [bytes("unseen")]])
    try pair.exchange()
    #expect(pair.shown?.values[trash] == [[]] && pair.shown?.cameBack == true)
    pair.one.edit(pair.entry, [trash: [[1]]])
    try pair.exchange()
    #expect(pair.shown?.values[trash] == [[1]] && pair.shown?.cameBack == false)
    pair.one.purge(pair.entry)
    pair.other.edit(pair.entry, [text: [bytes("again")]])
    try pair.exchange()
    #expect(pair.shown?.values[text] == [bytes("again")])
    #expect(pair.one.revisions(of: pair.entry).count == 1)
    pair.one.purge(pair.entry)
    try pair.exchange()
    #expect(pair.shown == nil)
  }

  @Test func `what a merge takes away is told`() throws {
    var pair = try Pair()
    pair.one.purge(pair.entry)
    let segment = try sealed(&pair.one)
    let outcome = try pair.other.merge(segment, hash: name(segment))
    guard case .merged(let changes) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(changes.entries == [pair.entry] && changes.removed == [pair.entry])
    #expect(try pair.other.merge(segment, hash: name(segment)) == .known)
  }

  @Test func `what lacks its past waits, and says for what`() throws {
    var writer = Replica(device(1), rules: rules)
    var segments: [Segment] = []
    for number in 0..<3 {
      writer.set(identity(7), [UInt8(number)])
      segments.append(try sealed(&writer))
    }
    var reader = Replica(device(2), rules: rules)
    #expect(
      try reader.merge(segments[2], hash: name(segments[2])) == .waiting(for: [name(segments[1])]))
    #expect(reader.value(of: identity(7)) == nil)
    for segment in segments { _ = try reader.merge(segment, hash: name(segment)) }
    #expect(reader.value(of: identity(7)) == [2])
  }

  /// Under one id both write on: two branches, and nothing of either is lost.
  @Test func `a clone does no harm and is noticed`() throws {
    var pair = try Pair()
    var clone = pair.one
    pair.one.edit(pair.entry, [text: [bytes("here")]])
    clone.edit(pair.entry, [text: [bytes("there")]])
    let (mine, copys) = (
      try sealed(&pair.one), try sealed(&clone)
    )
    #expect(mine.sequence == copys.sequence && mine.device == copys.device)
    let ends = [mine, copys].map {
      LogEnd(device: $0.device, sequence: $0.sequence, hash: name($0))
    }
    #expect(pair.one.compare(Set(ends), stored: []).cloned == [ends[1]])
    _ = try pair.one.merge(copys, hash: name(copys))
    _ = try pair.other.merge(copys, hash: name(copys))
    _ = try pair.other.merge(mine, hash: name(mine))
    #expect(pair.shown?.conflicts == [text])
    pair.one.edit(pair.entry, [text: [bytes("one")]])
    try pair.exchange()
    #expect(pair.shown?.values[text] == [bytes("one")])
  }

  @Test func `nobody writes in another's name`() throws {
    var pair = try Pair()
    let ends = pair.one.ends
    func forged(_ candidate: Candidate<OperationPlace>) -> Segment {
      Segment(
        device: device(9), sequence: 1, previous: nil, ends: ends,
        operations: [.revision(pair.entry, fields: [text: [candidate]])])
    }
    let place = OperationPlace(end: OperationPlace.previous + 1, sequence: 1, index: 0)
    let right = forged(Candidate(bytes("first"), set: place))
    let wrong = forged(Candidate(bytes("never written"), set: place))
    #expect(throws: Replica.Refusal.forged) { try pair.other.merge(wrong, hash: name(wrong)) }
    for place in [
      OperationPlace(end: 7, sequence: 1, index: 0), OperationPlace(end: 2, sequence: 9, index: 0),
      OperationPlace(end: 2, sequence: 1, index: 5), OperationPlace(end: 0, sequence: 1, index: 1),
      OperationPlace(end: 1, sequence: 1, index: 0),
    ] {
      let broken = forged(Candidate(bytes("first"), set: place))
      #expect(throws: Replica.Refusal.self) { try pair.other.merge(broken, hash: name(broken)) }
    }
    let digest = pair.other.digest()
    #expect(digest == pair.one.digest())
    _ = try pair.other.merge(right, hash: name(right))
  }

  @Test func `a log that does not go on is refused`() throws {
    let pair = try Pair()
    let end = try #require(pair.one.ends.first)
    let operations: [Operation<OperationPlace>] = [.purge(identity(5))]
    for segment in [
      Segment(
        device: end.device, sequence: 3, previous: end.hash, ends: [], operations: operations),
      Segment(
        device: device(8), sequence: 2, previous: end.hash, ends: [], operations: operations),
      Segment(device: end.device, sequence: 2, previous: end.hash, ends: [], operations: []),
      Segment(
        device: device(8), sequence: 1, previous: nil,
        ends: [LogEnd(device: end.device, sequence: 4, hash: end.hash)], operations: operations),
    ] {
      var replica = pair.other
      #expect(throws: Replica.Refusal.broken) { try replica.merge(segment, hash: name(segment)) }
    }
  }

  @Test func `lost and unpublished segments are told apart`() throws {
    let pair = try Pair()
    let end = try #require(pair.one.ends.first)
    #expect(pair.one.compare([], stored: []).put == [end])
    #expect(pair.one.compare([], stored: [end.hash]).lost == [end])
    #expect(pair.other.compare([end], stored: []).fetch.isEmpty)
    let new = LogEnd(device: device(4), sequence: 1, hash: Hash(Array(repeating: 1, count: 32)))
    #expect(pair.other.compare([end, new], stored: []).fetch == [new])
  }
}

/// A segment's bytes.
@Suite struct SegmentCodingTests {
  private let segment = Segment(
    device: device(1), sequence: 2, previous: Hash(Array(repeating: 7, count: 32)),
    ends: [LogEnd(device: device(2), sequence: 5, hash: Hash(Array(repeating: 8, count: 32)))],
    operations: [
      .revision(
        identity(3),
        fields: [
          1: [Candidate(bytes("日記"), set: OperationPlace(end: 0, sequence: 2, index: 0))],
          3: [
            Candidate(bytes("a"), set: OperationPlace(end: 1, sequence: 1, index: 4)),
            Candidate(bytes("b"), set: OperationPlace(end: 2, sequence: 5, index: 0)),
          ],
        ]), .purge(identity(4)), .set(identity(5), value: []),
      .hold([Hash(Array(repeating: 9, count: 32))]),
    ])

  @Test func `comes back as it was`() throws {
    #expect(try Segment(segment.encoded()) == segment)
  }

  @Test func `cut anywhere, or with anything behind, it is none`() {
    let whole = segment.encoded()
    for count in 0..<whole.count {
      #expect(throws: SealingError.self) { try Segment(Array(whole.prefix(count))) }
    }
    #expect(throws: SealingError.malformed) { try Segment(whole + [0]) }
  }

  @Test func `one state has one form`() throws {
    let whole = segment.encoded()
    var others = 0
    for index in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[index] ^= 1 << UInt8(bit)
        guard let read = try? Segment(bytes) else { continue }
        others += 1
        // Whatever is read is written so again.
        #expect(read.encoded() == bytes && read != segment)
      }
    }
    #expect(others > 0)
    let twoEnds = [2, 1].map {
      LogEnd(device: device($0), sequence: 1, hash: Hash(Array(repeating: 1, count: 32)))
    }
    let unordered = Segment(
      device: device(9), sequence: 1, previous: nil, ends: twoEnds,
      operations: [.purge(identity(1))])
    #expect(throws: SealingError.malformed) { try Segment(unordered.encoded()) }
    let empty = Segment(device: device(9), sequence: 1, previous: nil, ends: [], operations: [])
    #expect(throws: SealingError.malformed) { try Segment(empty.encoded()) }
  }
}
