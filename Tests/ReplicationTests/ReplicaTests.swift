import Bytes
import Replication
import Testing

/// What becomes of an entry that two devices changed.
@Suite struct ReplicaTests {
  @Test func `what members gave beyond all limits keeps nobody from writing`() throws {
    var pair = try Pair()
    for number in 0..<70 {
      var member = Replica(device(UInt8(100 + number)), rules: rules)
      member.edit(
        pair.entry,
        [
          text: [bytes("\(number)")], star: [[0]], trash: [[]],
          tags: Few((0..<1000).lazy.map { bytes("\(number) \($0)") }),
        ])
      let segment = try sealed(&member)
      _ = try pair.one.merge(segment, hash: name(segment))
    }
    pair.one.edit(pair.entry, [star: [[1]]])
    let written = try sealed(&pair.one)
    #expect(copy(written).segment() == written)
    guard case .revision(_, let fields, _) = written.operations[0] else { return }
    #expect(fields[tags]?.count == Segment.valueLimit && fields[text]?.count == 71)
  }

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

  @Test func `of what is declined nothing is taken`() throws {
    var pair = try Pair()
    pair.one.purge(pair.entry)
    pair.one.edit(identity(9), [text: [bytes("new")]])
    pair.one.set(identity(7), [1])
    let segment = try sealed(&pair.one)
    func state() -> [[UInt8]?] {
      [pair.entry, identity(9)].map { pair.other.encodedEntry($0) }
        + [pair.other.encodedRegisters(), pair.other.encodedSegments(0..<pair.other.segmentCount)]
    }
    let before = state()
    let (ends, entry) = (pair.other.ends, pair.entry)
    let outcome = try pair.other.merge(segment, hash: name(segment)) { changes in
      #expect(changes.removed == [entry] && changes.registers == [identity(7)])
      return false
    }
    #expect(outcome == .declined)
    #expect(state() == before && pair.other.ends == ends && !pair.other.has(name(segment)))
    guard case .merged = try pair.other.merge(segment, hash: name(segment)) else {
      Issue.record("not merged")
      return
    }
    #expect(pair.other.shown(pair.entry) == nil && pair.other.values(of: identity(7)) == [[1]])
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
    #expect(reader.values(of: identity(7)).first == nil)
    for segment in segments { _ = try reader.merge(segment, hash: name(segment)) }
    #expect(reader.values(of: identity(7)).first == [2])
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
    func written(
      _ field: Field, _ candidate: Candidate<OperationPlace>, entry: Identity? = nil
    ) -> Segment {
      Segment(
        device: device(9), sequence: 1, previous: nil, ends: ends,
        operations: [.revision(entry ?? pair.entry, fields: [field: [candidate]])])
    }
    let place = OperationPlace(end: OperationPlace.previous + 1, sequence: 1, index: 0)
    let right = written(text, .kept(place, number: 0))
    // A text is kept by its place alone, what every revision repeats has its value; nothing is kept of another entry.
    for wrong in [
      written(text, .carried(place, bytes("never written"))),
      written(star, .kept(place, number: 0)),
      written(text, .kept(place, number: 0), entry: identity(98)),
      written(200, .given(bytes("of no field"))),
    ] {
      try expectNothing(of: wrong, pair.other)
    }
    for place in [
      OperationPlace(end: 7, sequence: 1, index: 0), OperationPlace(end: 2, sequence: 9, index: 0),
      OperationPlace(end: 2, sequence: 1, index: 5), OperationPlace(end: 0, sequence: 1, index: 1),
      OperationPlace(end: 1, sequence: 1, index: 0), OperationPlace(end: 0, sequence: 1, index: 0),
    ] {
      try expectNothing(of: written(text, .kept(place, number: 0)), pair.other)
    }
    let digest = pair.other.digest()
    #expect(digest == pair.one.digest())
    _ = try pair.other.merge(right, hash: name(right))
    // A value that nobody gave is none, and takes nothing away from others.
    let none = Segment(
      device: device(9), sequence: 1, previous: nil, ends: ends,
      operations: [
        .revision(
          pair.entry,
          fields: [text: [.kept(place, number: 0)], tags: [.kept(place, number: 7)]])
      ])
    _ = try pair.other.merge(none, hash: name(none))
    #expect(pair.other.shown(pair.entry)?.values[text] == [bytes("first")])
  }

  /// It is taken, since others build on it; and a copy of which nothing is left comes to the same.
  private func expectNothing(of segment: Segment, _ replica: Replica) throws {
    let entry = identity(99)
    var (whole, rest) = (replica, replica)
    guard case .merged = try whole.merge(segment, hash: name(segment)) else {
      Issue.record("it waits")
      return
    }
    _ = try rest.merge(copy(segment).without([0]).segment(), hash: name(segment))
    #expect(whole.shown(entry) == replica.shown(entry) && rest.shown(entry) == whole.shown(entry))
    #expect(whole.digest() == rest.digest())
  }

  @Test func `a purge takes a text from revisions that kept it, and from nobody who never saw it`()
    throws
  {
    var pair = try Pair()
    pair.other.edit(pair.entry, [star: [[1]]])
    pair.one.purge(pair.entry)
    try pair.exchange()
    // A star brings nothing back.
    #expect(pair.shown == nil)
    #expect(pair.one.revisions(of: pair.entry).allSatisfy { $0[text]?.isEmpty != false })
    pair.other.edit(pair.entry, [text: [bytes("new")], star: [[1]], trash: [[]]])
    try pair.exchange()
    #expect(pair.shown?.values[text] == [bytes("new")] && pair.shown?.values[star] == [[1]])
  }

  @Test func `what two devices decided at once stands when the newer one is purged`() throws {
    var pair = try Pair()
    pair.other.edit(pair.entry, [text: [bytes("unseen")]])
    pair.other.edit(pair.entry, [trash: [[2]]])
    for _ in 0..<3 { pair.one.edit(pair.entry, [trash: [[1]]]) }
    let (theirs, heard) = (try sealed(&pair.other), try sealed(&pair.one))
    _ = try pair.other.merge(heard, hash: name(heard))
    #expect(pair.other.shown(pair.entry)?.cameBack == true)
    // It goes on from both, and changes neither.
    pair.other.edit(pair.entry, [tags: [bytes("b")]])
    pair.one.purge(pair.entry)
    let (more, purge) = (try sealed(&pair.other), try sealed(&pair.one))
    for segment in [theirs, more] { _ = try pair.one.merge(segment, hash: name(segment)) }
    _ = try pair.other.merge(purge, hash: name(purge))
    #expect(pair.shown?.values[text] == [bytes("unseen")])
    #expect(pair.shown?.values[trash] == [[2]])
  }

  @Test func `what every revision repeats stands when the entry was purged under it`() throws {
    var pair = try Pair()
    pair.one.edit(pair.entry, [star: [[1]]])
    try pair.exchange()
    pair.other.edit(pair.entry, [text: [bytes("unseen")]])
    pair.one.purge(pair.entry)
    try pair.exchange()
    #expect(pair.shown?.values == [text: [bytes("unseen")], star: [[1]], tags: [], trash: [[]]])
  }

  /// A device that lies keeps an older star; one that did not know it keeps the newer. Neither takes the other's away.
  @Test func `what every revision repeats is never without a value`() throws {
    var pair = try Pair()
    pair.one.edit(pair.entry, [star: [[1]]])
    try pair.exchange()
    let ends = pair.one.ends
    let first = OperationPlace(end: OperationPlace.previous + 1, sequence: 1, index: 0)
    let lie = Segment(
      device: device(9), sequence: 1, previous: nil, ends: ends,
      operations: [
        .revision(
          pair.entry, fields: [text: [.kept(first, number: 0)], star: [.carried(first, [0])]])
      ])
    pair.one.edit(pair.entry, [tags: [bytes("b")]])
    _ = pair.one.seal(hash: name)
    _ = try pair.one.merge(lie, hash: name(lie))
    #expect(pair.one.shown(pair.entry)?.values[star]?.first?.isEmpty == false)
  }

  /// As a pack has it whose author left out what nobody purged.
  @Test func `a text that is lacking is neither lost nor taken away by who could not see it`()
    throws
  {
    var pair = try Pair()
    pair.one.edit(pair.entry, [text: [bytes("second")], tags: [bytes("b")]])
    let whole = try sealed(&pair.one)
    let stripped = copy(whole).without([0])
    #expect(stripped.header == copy(whole).header && !stripped.isWhole)
    _ = try pair.other.merge(stripped.segment(), hash: name(whole))
    #expect(pair.other.shown(pair.entry)?.values[text] == [bytes("first")])
    pair.other.edit(pair.entry, [text: [bytes("third")]])
    let third = try sealed(&pair.other)
    #expect(pair.other.isLacking(Pack.Item(stripped, in: space)))
    #expect(pair.other.isCompleted(by: Pack.Item(copy(whole), in: space)))
    guard case .merged = try pair.other.merge(whole, hash: name(whole)) else {
      Issue.record("what was lacking was not taken")
      return
    }
    _ = try pair.one.merge(third, hash: name(third))
    #expect(Set(pair.shown?.values[text] ?? []) == [bytes("second"), bytes("third")])
    #expect(pair.one.digest() == pair.other.digest())
  }

  @Test func `what did not count when somebody wrote comes back beside it when it counts`() throws {
    var pair = try Pair()
    pair.other.edit(pair.entry, [text: [bytes("not listed")], tags: [bytes("a"), bytes("b")]])
    try pair.exchange()
    let end = try #require(pair.other.ends.first { $0.device == device(2) })
    let place = try #require(pair.one.place(of: end.hash))
    pair.one.setVoid([place])
    #expect(pair.one.shown(pair.entry)?.values[text] == [bytes("first")])
    #expect(pair.one.shown(pair.entry)?.values[tags] == [bytes("a")])
    pair.one.edit(pair.entry, [text: [bytes("written without it")]])
    _ = try sealed(&pair.one)
    #expect(pair.one.shown(pair.entry)?.values[text] == [bytes("written without it")])
    // Another revocation lists it.
    pair.one.setVoid([])
    #expect(
      pair.one.shown(pair.entry)?.values[text]
        == [bytes("written without it"), bytes("not listed")])
    #expect(pair.one.shown(pair.entry)?.values[tags] == [bytes("a"), bytes("b")])
  }

  @Test func `a purge takes what does not count, too`() throws {
    var pair = try Pair()
    pair.other.edit(pair.entry, [text: [bytes("not listed")]])
    try pair.exchange()
    let end = try #require(pair.other.ends.first { $0.device == device(2) })
    let place = try #require(pair.one.place(of: end.hash))
    pair.one.setVoid([place])
    pair.one.purge(pair.entry)
    _ = try sealed(&pair.one)
    #expect(pair.one.shown(pair.entry) == nil)
    pair.one.setVoid([])
    #expect(pair.one.shown(pair.entry) == nil)
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
          1: [.given(bytes("日記"))],
          2: [.carried(OperationPlace(end: 1, sequence: 1, index: 2), [1])],
          3: [
            .kept(OperationPlace(end: 1, sequence: 1, index: 4), number: 0),
            .kept(OperationPlace(end: 2, sequence: 5, index: 0), number: 3), .given(bytes("b")),
          ],
        ], unseen: [OperationPlace(end: 2, sequence: 4, index: 9)]),
      .purge(identity(4), unseen: [OperationPlace(end: 2, sequence: 4, index: 8)]),
      .purge(identity(4)), .set(identity(5), value: []),
    ])

  @Test func `comes back as it was, and without what was purged under the same name`() throws {
    let whole = copy(segment)
    #expect(try SignedSegment(whole.encoded()) == whole && whole.segment() == segment)
    let stripped = whole.without([0, 3])
    let read = try SignedSegment(stripped.encoded())
    #expect(read == stripped && read.header.hash(in: space) == name(segment))
    let operations = read.segment().operations
    #expect(operations[0] == .revisionGone(identity(3)) && operations[3] == .setGone(identity(5)))
    #expect(Array(operations[1...2]) == Array(segment.operations[1...2]))
  }

  @Test func `cut anywhere, or with anything behind, it is none`() {
    let whole = copy(segment).encoded()
    for count in 0..<whole.count {
      #expect(throws: SealingError.self) { try SignedSegment(Array(whole.prefix(count))) }
    }
    #expect(throws: SealingError.malformed) { try SignedSegment(whole + [0]) }
  }

  /// Only the signature may be another, which is verified apart.
  @Test func `the header commits to every bit of the operations`() throws {
    for copy in [copy(segment), copy(segment).without([0, 3])] {
      let whole = copy.encoded()
      let header = copy.header.encoded().count
      for index in whole.indices where !(header..<(header + 64)).contains(index) {
        for bit in 0..<8 {
          var bytes = whole
          bytes[index] ^= 1 << UInt8(bit)
          guard let read = try? SignedSegment(bytes) else { continue }
          // Of the header anything may be signed, under another name.
          #expect(index < header && read.header.hash(in: space) != copy.header.hash(in: space))
        }
      }
    }
  }

  @Test func `one state has one form`() throws {
    let twoEnds = [2, 1].map {
      LogEnd(device: device($0), sequence: 1, hash: Hash(Array(repeating: 1, count: 32)))
    }
    let unordered = Segment(
      device: device(9), sequence: 1, previous: nil, ends: twoEnds,
      operations: [.purge(identity(1))])
    #expect(throws: SealingError.malformed) { try SignedSegment(copy(unordered).encoded()) }
    let empty = Segment(device: device(9), sequence: 1, previous: nil, ends: [], operations: [])
    #expect(throws: SealingError.malformed) { try SignedSegment(copy(empty).encoded()) }
  }
}
