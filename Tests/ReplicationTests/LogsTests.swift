import Bytes
import Testing

@testable import Replication
@testable import ReplicationSimulation

/// What the tree of segments says, against sets that are counted one by one.
@Suite struct LogsTests {
  /// Logs, and beside them what each segment's author had seen, by place.
  private struct World {
    var logs = Logs()
    private var seen: [Set<Int>] = []
    private var names = 0

    mutating func append(_ device: UInt8, previous: Int?, ends: Set<Int>) -> Int {
      let sequence = previous.map { logs.entries[$0].sequence + 1 } ?? 1
      var known = previous.map { seen[$0].union([$0]) } ?? []
      for end in ends {
        var next: Int? = end
        while let here = next {
          known.insert(here)
          next = logs.entries[here].previous
        }
      }
      names += 1
      let hash = Hash((0..<32).map { UInt8(truncatingIfNeeded: names >> ($0 * 8)) })
      seen.append(known)
      return logs.append(
        DeviceID(Array(repeating: device, count: 32)), sequence, hash: hash, previous: previous,
        ends: (previous.map { [$0] } ?? []) + ends.sorted(), count: 1)
    }

    mutating func removeLast() {
      logs.removeLast()
      seen.removeLast()
    }

    func check() {
      for one in logs.entries.indices {
        let others = Set(logs.entries.indices.filter { $0 != one && logs.has(one, seen: $0) })
        #expect(others == seen[one])
      }
      // Together, of each single one and of some.
      for step in [1, 3, 7] {
        let some = logs.entries.indices.filter { $0 % step == 0 }
        let dots = some.map { Dot(segment: $0, index: 0) }
        let all = some.reduce(into: Set<Int>()) { $0.formUnion(seen[$1]) }
        let together = logs.seen(by: dots)
        for other in logs.entries.indices {
          #expect(logs.has(together, Dot(segment: other, index: 0)) == all.contains(other))
        }
      }
      let followed = Set(logs.entries.compactMap(\.previous))
      #expect(Set(logs.ends) == Set(logs.entries.indices).subtracting(followed))
      #expect(logs.ends.count == Set(logs.ends).count)
    }
  }

  @Test(arguments: 1...12)
  func `what was seen is what ends lead to, however logs branch`(seed: Int) {
    var random = Seeded(UInt64(seed))
    var world = World()
    for _ in 0..<160 {
      let device = UInt8(random.below(4))
      let own = world.logs.entries.indices.filter {
        world.logs.entries[$0].device.bytes[0] == device
      }
      // Most go on with the last; some with any, or begin anew.
      let previous =
        own.isEmpty || random.chance(12)
        ? nil : random.chance(3) ? own[random.below(own.count)] : own.last
      let count = world.logs.entries.count
      let ends = Set(
        (0..<random.below(4)).compactMap { _ in count == 0 ? nil : random.below(count) })
      _ = world.append(device, previous: previous, ends: ends)
      if random.chance(5) { world.removeLast() }
    }
    world.check()
  }

  /// Each branch has a branch: chains are chosen anew on the way.
  @Test func `what was seen is right where very many branches lead to one another`() {
    var world = World()
    var tip = world.append(1, previous: nil, ends: [])
    for _ in 0..<170 {
      _ = world.append(1, previous: tip, ends: [])
      tip = world.append(1, previous: tip, ends: [])
    }
    var other: Int?
    for place in stride(from: 0, to: 340, by: 17) {
      other = world.append(2, previous: other, ends: [place])
    }
    world.check()
    world.removeLast()
    world.check()
  }
}
