import Bytes
import Commands
import KeeperProcess

// The tests try passphrases by the thousand: 8 KiB and one pass instead of 64 MiB and two.
PassphraseLimits.accept(PassphraseLimits(operations: 1, memory: 8 << 10))
Program.main(KeeperSide(serve: KeeperMain.run, demo: { _ in throw NoDemo() }))

/// The demo is run from the program as people have it.
struct NoDemo: Error {}
