import Bytes
import ReplicationSimulation
import Testing

@testable import Replication

@Suite struct SightTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what very many had seen is what each had seen`(_ seed: UInt64) {
    var random = Seeded(seed)
    var logs = Logs()
    var last: [DeviceID: [Int]] = [:]
    let devices = (1...3).map { device(UInt8($0)) }
    for number in 0..<60 {
      let author = devices[Int.random(in: 0..<3, using: &random)]
      // A branch, now and then.
      let own = last[author] ?? []
      let previous =
        own.isEmpty
        ? nil
        : Int.random(in: 0..<3, using: &random) == 0 ? own.randomElement(using: &random) : own.last
      let others = devices.filter { $0 != author && Bool.random(using: &random) }.compactMap {
        last[$0]?.randomElement(using: &random)
      }
      let place = logs.append(
        author, previous.map { logs.entries[$0].sequence + 1 } ?? 1,
        hash: Hash([UInt8](repeating: UInt8(number), count: 32)), previous: previous,
        ends: (previous.map { [$0] } ?? []) + others, count: Int.random(in: 1...4, using: &random))
      last[author, default: []].append(place)
    }
    let all = logs.entries.indices.flatMap { segment in
      (0..<logs.entries[segment].count).map { Dot(segment: segment, index: $0) }
    }
    var operations: [(dot: Dot, unseen: Set<Dot>)] = []
    for dot in all where Int.random(in: 0..<3, using: &random) == 0 {
      let seen = all.filter { logs.has(dot, seen: $0) }
      let share = Int.random(in: 0..<4, using: &random)
      operations.append(
        (dot, Set(seen.filter { _ in Int.random(in: 0..<4, using: &random) < share })))
    }
    let sight = Sight(operations, in: logs)
    for dot in all {
      let isSeen = operations.contains {
        logs.has($0.dot, seen: dot) && !$0.unseen.contains(dot)
      }
      #expect(sight.has(dot, in: logs) == isSeen)
    }
  }
}
