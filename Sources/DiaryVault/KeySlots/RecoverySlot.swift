internal import Bytes
internal import Sealing

/// The 16 random bytes of a recovery code, which need no hashing.
enum RecoverySlot: SlotScheme {
  static let isHashed = false
  static let devicePlace: DevicePlace? = nil

  static func keyEncryptionKey(
    _ secret: borrowing SecretBytes, _ slot: SlotParameters
  ) throws(SealingError) -> SecretBytes {
    try KeyDerivation.bind(secret, to: slot.binding("FDv1 recovery"))
  }
}
