internal import Bytes

/// What the state record keeps of the keyring: the digest of every slot there is.
///
/// The keyring stands in clear, where anybody who can write the file can change it and mend its checksums. Nothing of
/// it counts that is not known here: a slot that was removed opens nothing, wherever its bytes come from.
struct KnownSlots: Sendable, Equatable {
  /// Raised with every change of the slots.
  var generation: UInt64
  /// BLAKE2b-256 of each slot, in order.
  private(set) var digests: [[UInt8]]
  /// When each was made, seconds since 1970.
  private var times: [Int64]

  static func == (one: Self, other: Self) -> Bool {
    one.generation == other.generation && one.digests == other.digests
  }

  /// The slots of a keyring: those that were there before have their time, the others `now`.
  init(_ keyring: Keyring, after old: KnownSlots? = nil, at now: Int64 = 0) {
    generation = keyring.generation
    digests = keyring.slots.map(\.digest)
    times = digests.map { old?.time(of: $0) ?? now }
  }

  private func time(of digest: [UInt8]) -> Int64? {
    digests.firstIndex(of: digest).map { times[$0] }
  }

  /// When a slot was made; nil for one that is not known.
  func made(_ slot: KeySlot) -> Int64? { time(of: slot.digest) }

  func contains(_ slot: KeySlot) -> Bool { digests.contains(slot.digest) }

  /// The keyring made of those of `slots` that are known, and how many are missing in it.
  func keyring(
    of slots: [KeySlot], vaultID: [UInt8], keyID: [UInt8]
  ) -> (Keyring, missing: Int) {
    let found = Dictionary(slots.map { ($0.digest, $0) }) { first, _ in first }
    let known = digests.compactMap { found[$0] }
    return (
      Keyring(vaultID: vaultID, keyID: keyID, slots: known, generation: generation),
      digests.count - known.count
    )
  }

  func write(to writer: inout ByteWriter) {
    writer.put(generation)
    writer.put(UInt16(digests.count))
    for (digest, time) in zip(digests, times) {
      writer.put(digest)
      writer.put(time)
    }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    generation = try reader.counter()
    let count = try reader.uint16()
    guard count <= Keyring.slotLimit else { throw .malformed }
    (digests, times) = ([], [])
    for _ in 0..<count {
      digests.append(try reader.bytes(32))
      times.append(try reader.int64())
    }
  }
}

/// The owner's rules for opening the diary, as the vault keeps them.
package struct SealedPolicy: Sendable, Equatable {
  /// The vault does not interpret these bytes; they are empty until the policy is set.
  package var bytes: [UInt8] = []
  /// Whether the device key alone, released by a face, may open the vault. Where it may not, no device has such a slot,
  /// and one that is met opens nothing.
  package var allowsPlainFaces = true

  package init() {}

  package init(_ bytes: [UInt8], allowsPlainFaces: Bool) {
    self.bytes = bytes
    self.allowsPlainFaces = allowsPlainFaces
  }

  func write(to writer: inout ByteWriter) {
    writer.put(UInt8(allowsPlainFaces ? 1 : 0))
    writer.putCounted(bytes)
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    let flag = try reader.uint8()
    guard flag <= 1 else { throw .malformed }
    allowsPlainFaces = flag == 1
    bytes = try reader.counted()
  }
}
