import Authentication
import Bytes
import Commands
import KeeperProcess
import Platform

// The tests try passphrases by the thousand: 8 KiB and one pass instead of 64 MiB and two.
Argon2Cost.accept(Argon2Cost(operations: 1, memory: 8 << 10))
let pace = ThisProcess.variable("FACEDIARY_TEST_PACE").flatMap { Int($0) } ?? 1
Program.main(
  KeeperSide(
    serve: { await KeeperMain.run($0, clock: QuickClock(pace: pace)) },
    demo: { _ in throw NoDemo() }))

/// The demo is run from the program as people have it.
struct NoDemo: Error {}

/// Time that passes so many times as fast, from the start of the process.
struct QuickClock: SessionClock {
  let pace: Int
  private let start = SystemSessionClock().sinceBoot

  var sinceBoot: Duration { start + (SystemSessionClock().sinceBoot - start) * pace }
  /// What the machine slept stays what it is.
  var awake: Duration {
    let system = SystemSessionClock()
    return sinceBoot - (system.sinceBoot - system.awake)
  }
}
