import Bytes
import Commands

// The tests try passphrases by the thousand: 8 KiB and one pass instead of 64 MiB and two.
PassphraseLimits.accept(PassphraseLimits(operations: 1, memory: 8 << 10))
Program.main()
