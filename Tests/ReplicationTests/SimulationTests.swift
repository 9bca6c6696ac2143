import ReplicationSimulation
import Testing

/// Histories of two to six devices and a bad store: one a seed, so that one that goes wrong goes wrong again.
@Suite struct SimulationTests {
  @Test(arguments: 0..<8) func `whatever happens, nothing is lost and all see the same`(batch: Int)
    throws
  {
    for seed in UInt64(batch * 40)..<UInt64(batch * 40 + 40) {
      #expect(throws: Never.self, "seed \(seed)") { _ = try History.run(seed: seed) }
    }
  }

  /// With real keys, and one who signs whatever they like.
  @Test(arguments: 0..<4) func `whatever a member signs, honest devices agree on who reads what`(
    batch: Int
  ) async {
    // A process of its own, in which all random bytes follow from the seed.
    await #expect(processExitsWith: .success) { [batch = batch as Int] in
      _ = try? RosterHistory.run(seed: 0)
      for seed in UInt64(batch * 8 + 1)...UInt64(batch * 8 + 8) {
        SeededSodium.begin(seed)
        _ = try RosterHistory.run(seed: seed)
      }
    }
  }

  /// Not at random: all of them. `replication-simulation explore` has the other orders of the devices, and more deeds.
  @Test(arguments: zip([[2, 1], [1, 2], [1, 1, 1]], [false, true, false]))
  func `whatever a few devices do to one entry, all see what was done`(
    deeds: [Int], reversed: Bool
  ) throws {
    let counts = try Exploration.run(deeds, reversed: reversed)
    #expect(counts.histories > 300 && counts.orders > counts.histories)
  }
}
