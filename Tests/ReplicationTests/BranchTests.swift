import Bytes
import Replication
import Testing

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
}
