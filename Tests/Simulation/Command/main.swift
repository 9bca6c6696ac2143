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
/// Runs histories, one a seed, and says what happened.
func run<Event>(
  _ words: some Sequence<String>, _ history: (UInt64) throws -> Tally<Event>
) -> Never {
  let numbers = words.compactMap { UInt64($0) }
  guard let count = numbers.first else {
    print("usage: replication-simulation [roster] HISTORIES [FIRST-SEED]")
    exit(2)
  }
  let first = numbers.dropFirst().first ?? 1
  var happened = Tally<Event>()
  for seed in first..<(first + count) {
    do { happened.add(try history(seed)) } catch {
      print("seed \(seed): \(error)")
      exit(1)
    }
  }
  print(happened.text)
  exit(0)
}

let words = CommandLine.arguments.dropFirst()
guard words.first == "roster" else { run(words, History.run) }
// What is made once takes its random bytes before the first that counts.
_ = try? RosterHistory.run(seed: 0)
run(words.dropFirst()) { seed in
  SeededSodium.begin(seed)
  return try RosterHistory.run(seed: seed)
}
