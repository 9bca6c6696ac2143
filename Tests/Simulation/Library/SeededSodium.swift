internal import CSodium

/// libsodium's random bytes from a seed, so that a history with real keys comes back as it was. Of this process alone, which has one
/// thread and no secret.
package enum SeededSodium {
  nonisolated(unsafe) private static var state: UInt64 = 0
  nonisolated(unsafe) private static var isSet = false

  private static func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  nonisolated(unsafe) private static var implementation = randombytes_implementation(
    implementation_name: { nil }, random: { UInt32(truncatingIfNeeded: SeededSodium.next()) },
    stir: nil, uniform: nil,
    buf: { buffer, count in
      let bytes = buffer?.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { bytes?[index] = UInt8(truncatingIfNeeded: SeededSodium.next()) }
    }, close: nil)

  package static func begin(_ seed: UInt64) {
    state = seed
    guard !isSet else { return }
    isSet = true
    randombytes_set_implementation(&implementation)
  }
}
