internal import Bytes
internal import Sealing

/// Argon2id of the passphrase.
enum PassphraseSlot: SlotScheme {
  static let isHashed = true
  static let devicePlace: DevicePlace? = nil

  static func keyEncryptionKey(
    _ secret: borrowing SecretBytes, _ slot: SlotParameters
  ) throws(SealingError) -> SecretBytes {
    try slot.hash(secret)
  }
}
