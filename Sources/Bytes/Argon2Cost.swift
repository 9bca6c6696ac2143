internal import Synchronization

/// How much work Argon2id does for one guess.
public struct Argon2Cost: Hashable, Sendable, Codable {
  /// Passes over the memory, 1 to 10.
  public let operations: UInt32
  /// Bytes of memory, 64 MiB to 1 GiB.
  public let memory: UInt64

  public init(operations: UInt32, memory: UInt64) {
    self.operations = operations
    self.memory = memory
  }

  /// 2 passes, 64 MiB: the least that is accepted.
  public static var interactive: Argon2Cost { least.withLock { $0 } }
  /// 3 passes, 256 MiB: the default; about half a second on one core.
  public static let moderate = Argon2Cost(operations: 3, memory: 256 << 20)
  /// 4 passes, 1 GiB.
  public static let sensitive = Argon2Cost(operations: 4, memory: 1 << 30)

  private static let least = Mutex(Argon2Cost(operations: 2, memory: 64 << 20))

  /// Makes `limits` the least that this process accepts. Only the program that the tests run calls this.
  package static func accept(_ limits: Argon2Cost) { least.withLock { $0 = limits } }

  /// What one guess costs: bytes of memory times passes over it.
  public var work: UInt64 {
    let (product, isTooMuch) = UInt64(operations).multipliedReportingOverflow(by: memory)
    return isTooMuch ? .max : product
  }

  /// This, or the most of others where that is more.
  package func atLeast(_ others: [Argon2Cost]) -> Argon2Cost {
    others.reduce(self) { $1.work > $0.work ? $1 : $0 }
  }

  /// The most that all guesses of one opening may cost together: as much as the most expensive single slot.
  public static let mostWork: UInt64 = 10 << 30

  /// Limits come from the vault file, which is hostile: a forged slot must neither make guessing
  /// cheap nor make opening take the machine's memory. Refused before any work.
  public func isAcceptable(leastMemory: UInt64 = interactive.memory) -> Bool {
    (1...10).contains(operations) && (leastMemory...(1 << 30)).contains(memory)
  }
}
