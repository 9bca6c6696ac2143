internal import CSodium

/// libsodium's random bytes from a seed, so that a history with real keys comes back as it was. For a process that has one thread and
/// no secret.
package enum SeededSodium {
  nonisolated(unsafe) private static var random = Seeded(0)
  nonisolated(unsafe) private static var isSet = false

  nonisolated(unsafe) private static var implementation = randombytes_implementation(
    implementation_name: { nil },
    random: { UInt32(truncatingIfNeeded: SeededSodium.random.next()) }, stir: nil, uniform: nil,
    buf: { buffer, count in
      let bytes = buffer?.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        bytes?[index] = UInt8(truncatingIfNeeded: SeededSodium.random.next())
      }
    }, close: nil)

  package static func begin(_ seed: UInt64) {
    random = Seeded(seed)
    guard !isSet else { return }
    isSet = true
    randombytes_set_implementation(&implementation)
  }
}
