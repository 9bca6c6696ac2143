package import Bytes

/// The vault's ids and all its key slots, not sealed, because they are read before any key is there.
///
/// `"FDKR" ‖ version u16 ‖ generation u64 ‖ vault id 16 ‖ key id 16 ‖ count u16 ‖ slots ‖ checksum 16`.
/// Kept twice in the vault, in different tables, and once in the device store: one bad sector must not
/// lose a diary. The state record holds a digest of every slot (``KnownSlots``), checked right after one opened.
package struct Keyring: Sendable, Equatable {
  static let slotLimit = 64
  /// What every copy begins with.
  private static let mark: StaticString = "FDKR"

  package let vaultID: [UInt8]
  package let keyID: [UInt8]
  /// Raised with every change of the slots; tells which of two copies is newer.
  package var generation: UInt64
  package var slots: [KeySlot]
  /// Slots whose checksum does not fit.
  package private(set) var damagedSlots = 0

  package init(
    vaultID: [UInt8], keyID: [UInt8], slots: [KeySlot], generation: UInt64 = 1
  ) {
    self.vaultID = vaultID
    self.keyID = keyID
    self.generation = generation
    self.slots = slots
  }

  package func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 64 + slots.count * KeySlot.byteCount)
    writer.put(Self.mark)
    writer.put(UInt16(1))
    writer.put(generation)
    writer.put(vaultID)
    writer.put(keyID)
    writer.put(UInt16(slots.count))
    for slot in slots { writer.put(slot.encoded()) }
    return writer.bytes + Digest.blake2b(writer.bytes, count: 16, domain: "FDv1 keyring checksum")
  }

  /// Whether bytes begin as every copy does.
  static func isMarked(_ bytes: [UInt8]) -> Bool {
    var reader = ByteReader(bytes)
    return (try? reader.expect(mark)) != nil
  }

  /// Reads a copy; single slots may be damaged as long as its frame holds.
  package init(_ encoded: [UInt8]) throws(SealingError) {
    var reader = ByteReader(encoded)
    try reader.expect(Self.mark)
    guard try reader.uint16() == 1 else { throw .malformed }
    generation = try reader.counter()
    vaultID = try reader.bytes(16)
    keyID = try reader.bytes(16)
    let count = Int(try reader.uint16())
    guard count <= Self.slotLimit, reader.remaining == count * KeySlot.byteCount + 16 else {
      throw .malformed
    }
    slots = []
    for _ in 0..<count {
      do throws(SealingError) {
        slots.append(try KeySlot(try reader.bytes(KeySlot.byteCount)))
      } catch {
        damagedSlots += 1
      }
    }
    let sum = try reader.bytes(16)
    let content = Array(encoded[..<(encoded.count - 16)])
    isWhole = Digest.areEqual(
      sum, Digest.blake2b(content, count: 16, domain: "FDv1 keyring checksum"))
  }

  /// Whether the checksum over all of it fits.
  package private(set) var isWhole = true
}
