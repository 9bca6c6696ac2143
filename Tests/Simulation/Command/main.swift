import Foundation
import ReplicationSimulation

/// `replication-simulation HISTORIES [FIRST-SEED]`: histories of devices and a bad store, one a seed; ends with 1 at the
/// first that goes wrong, naming its seed.
///
/// `replication-simulation roster HISTORIES [FIRST-SEED]`: histories of who takes part, with real keys and somebody who lies.
///
/// `replication-simulation explore DEEDS... [reversed] [part N]`: every history in which each device does so many things to one entry.
if CommandLine.arguments.dropFirst().first == "explore" {
  let words = Array(CommandLine.arguments.dropFirst(2))
  let part = words.firstIndex(of: "part").flatMap { words.dropFirst($0 + 1).first }.flatMap {
    Int($0)
  }
  let deeds = words.prefix { $0 != "part" && $0 != "reversed" }.compactMap { Int($0) }
  do {
    let counts = try Exploration.run(deeds, reversed: words.contains("reversed"), part: part)
    print(
      "\(counts.histories) histories, \(counts.states) states, \(counts.orders) orders of arrival")
    exit(0)
  } catch {
    print("\(error)")
    exit(1)
  }
}
if CommandLine.arguments.dropFirst().first == "roster" {
  let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
  let first = numbers.dropFirst().first ?? 1
  var counts = RosterHistory.Counts()
  // What is made once takes its random bytes before the first that counts.
  _ = try? RosterHistory.run(seed: 0)
  for seed in first..<(first + (numbers.first ?? 0)) {
    SeededSodium.begin(seed)
    do { counts.add(try RosterHistory.run(seed: seed)) } catch {
      print("seed \(seed): \(error)")
      exit(1)
    }
  }
  print(
    "\(counts.histories) histories: \(counts.admissions) admissions, \(counts.revocations) revocations, "
      + "\(counts.lies) lies, \(counts.texts) texts")
  exit(0)
}
guard let count = CommandLine.arguments.dropFirst().first.flatMap({ UInt64($0) }) else {
  print("usage: replication-simulation HISTORIES [FIRST-SEED]")
  exit(2)
}
let first = CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
var counts = History.Counts()
for seed in first..<(first + count) {
  do { counts.add(try History.run(seed: seed)) } catch {
    print("seed \(seed): \(error)")
    exit(1)
  }
}
print(
  "\(counts.histories) histories: \(counts.texts) texts, \(counts.segments) segments, \(counts.conflicts) conflicts, "
    + "\(counts.purges) purges, \(counts.crashes) crashes, \(counts.restores) restores, \(counts.clones) clones, "
    + "\(counts.rollbacks) rollbacks, \(counts.damaged) damaged answers, \(counts.packs) packs, "
    + "\(counts.deleted) segments deleted")
