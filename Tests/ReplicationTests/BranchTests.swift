import Bytes
import ReplicationSimulation
import Testing

@testable import Replication

/// What segments name of other logs, and logs that branch.
@Suite struct BranchTests {
  @Test func `an end is named once, and again where an operation names what stands there`() throws {
    var pair = try Pair()
    var third = Replica(device(3), rules: rules)
    third.set(identity(7), [1])
    let others = [try sealed(&third)]
    for segment in others { _ = try pair.other.merge(segment, hash: name(segment)) }
    pair.other.set(identity(8), [1])
    let first = try sealed(&pair.other)
    #expect(first.ends.map(\.device) == [device(1), device(3)])
    pair.other.set(identity(7), [2])
    let second = try sealed(&pair.other)
    #expect(second.ends.isEmpty)
    // What it keeps of the entry was given by the first device.
    pair.other.edit(pair.entry, [star: [[1]]])
    let last = try sealed(&pair.other)
    #expect(last.ends == pair.one.ends)
    for segment in others + [first, second, last] {
      _ = try pair.one.merge(segment, hash: name(segment))
    }
    #expect(pair.one.digest() == pair.other.digest())
    #expect(pair.shown?.values[star] == [[1]] && pair.shown?.values[text] == [bytes("first")])
    // The third's value was seen by what named no end.
    #expect(pair.one.values(of: identity(7)) == [[2]])
  }

  /// Each wrote without knowing of the others; so no device which keeps to the rules can have so many.
  @Test func `of one device's texts that knew nothing of one another the newest are shown`() throws
  {
    var pair = try Pair()
    var segments: [Segment] = []
    for number in 0..<200 {
      var branch = Replica(device(9), rules: rules)
      branch.edit(pair.entry, [text: [bytes("\(number)")], star: [[0]], trash: [[]], tags: []])
      segments.append(try sealed(&branch))
    }
    for segment in segments { _ = try pair.one.merge(segment, hash: name(segment)) }
    for segment in segments.reversed() { _ = try pair.other.merge(segment, hash: name(segment)) }
    #expect(pair.shown?.values[text]?.count == 65)
    #expect(pair.one.digest() == pair.other.digest())
    pair.one.edit(pair.entry, [text: [bytes("all of them")]])
    try pair.exchange()
    #expect(pair.shown?.values[text] == [bytes("all of them")])
  }

  /// More than are kept up with what is added; those that were left out come back when the newer ones are followed.
  @Test func `of very many texts the older are shown when somebody follows the newer`() throws {
    var pair = try Pair()
    var merger = Replica(device(8), rules: rules)
    var segments: [Segment] = []
    for number in 0..<1_500 {
      var branch = Replica(device(9), rules: rules)
      // Each is later than those before.
      for _ in 0...number % 2 { branch.set(identity(7), [UInt8(number % 2)]) }
      branch.edit(pair.entry, [text: [bytes("\(number)")], star: [[0]], trash: [[]], tags: []])
      segments.append(try sealed(&branch))
    }
    for segment in segments {
      _ = try pair.one.merge(segment, hash: name(segment))
      if segment != segments[3], segment != segments[4] {
        _ = try merger.merge(segment, hash: name(segment))
      }
    }
    merger.edit(pair.entry, [text: [bytes("most of them")]])
    let followed = try sealed(&merger)
    _ = try pair.one.merge(followed, hash: name(followed))
    for segment in segments.reversed() + [followed] {
      _ = try pair.other.merge(segment, hash: name(segment))
    }
    let shown = Set((pair.shown?.values[text] ?? []).map { String(decoding: $0, as: UTF8.self) })
    #expect(shown == ["first", "3", "4", "most of them"])
    #expect(pair.one.digest() == pair.other.digest())
  }

  @Test func `a body that comes late is no head where a later revision has seen it`() throws {
    var pair = try Pair()
    pair.other.edit(pair.entry, [text: [bytes("second")]])
    pair.other.edit(pair.entry, [star: [[1]]])
    pair.other.edit(pair.entry, [text: [bytes("third")]])
    let whole = try sealed(&pair.other)
    let partial = Segment(
      device: whole.device, sequence: whole.sequence, previous: whole.previous, ends: whole.ends,
      operations: [.revisionGone(pair.entry)] + whole.operations.dropFirst())
    _ = try pair.one.merge(partial, hash: name(whole))
    _ = try pair.one.merge(whole, hash: name(whole))
    func heads(_ replica: Replica) -> [Int]? {
      replica.entries[pair.entry]?.heads(in: replica.logs).map(\.dot.index)
    }
    #expect(heads(pair.one) == [2] && heads(pair.other) == [2])
    #expect(pair.one.digest() == pair.other.digest())
    #expect(pair.shown?.values[text] == [bytes("third")])
  }

  /// What a replica keeps up with each merge is what it finds in the same history when that is read anew.
  @Test(arguments: 1...8)
  func `an entry is shown the same whether its history was added to or read`(seed: UInt64) throws {
    var random = Seeded(seed)
    let entry = identity(1)
    var replicas = (1...4).map { Replica(device(UInt8($0)), rules: rules) }
    var segments: [Segment] = []
    func check(_ replica: Replica) throws {
      var read = replica
      if let kept = replica.encodedEntry(entry) { try read.load(entry, kept) }
      #expect(read.shown(entry) == replica.shown(entry))
      func heads(_ replica: Replica) -> [Dot]? {
        replica.entries[entry]?.heads(in: replica.logs).map(\.dot)
      }
      #expect(heads(read) == heads(replica))
      #expect(read.encodedEntry(entry) == replica.encodedEntry(entry))
    }
    for step in 0..<120 {
      let writer = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        // One that was copied: the next of each is a branch.
        replicas[writer] = replicas[Int.random(in: 0..<4, using: &random)]
      case 1: replicas[writer].purge(entry)
      case 2: replicas[writer].edit(entry, [trash: [[1]]])
      default:
        replicas[writer].edit(entry, [text: [bytes("\(step)")], star: [[UInt8(step & 1)]]])
      }
      try check(replicas[writer])
      if let segment = replicas[writer].seal(hash: name) { segments.append(segment) }
      // The others hear of some of it, in any order that they can take.
      for reader in replicas.indices {
        for segment in segments.shuffled(using: &random).prefix(6) {
          _ = try replicas[reader].merge(segment, hash: name(segment))
          try check(replicas[reader])
        }
      }
    }
    for reader in replicas.indices {
      for _ in 0..<segments.count {
        let before = replicas[reader].segmentCount
        for segment in segments { _ = try replicas[reader].merge(segment, hash: name(segment)) }
        if replicas[reader].segmentCount == before { break }
      }
      try check(replicas[reader])
    }
    #expect(Set(replicas.map { $0.shown(entry)?.values }).count == 1)
  }
}
