internal import Bytes
internal import Sealing

/// The device key, 32 bytes. Never that key itself: it also seals templates, attempts and the anchor.
enum FaceSlot: SlotScheme {
  static let isHashed = false
  static let devicePlace: DevicePlace? = .salt

  static func keyEncryptionKey(
    _ secret: borrowing SecretBytes, _ slot: SlotParameters
  ) throws(SealingError) -> SecretBytes {
    try KeyDerivation.bind(try own(secret), to: slot.binding("FDv1 face"))
  }

  /// The subkey of the device key that slots use.
  static func own(_ deviceKey: borrowing SecretBytes) throws(SealingError) -> SecretBytes {
    try KeyDerivation.subkey(of: deviceKey, id: 1, context: "FDdevslt")
  }
}
