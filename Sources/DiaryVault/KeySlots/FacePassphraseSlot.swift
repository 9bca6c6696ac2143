internal import Bytes
internal import Sealing

/// The device key, 32 bytes, followed by a passphrase.
enum FacePassphraseSlot: SlotScheme {
  static let isHashed = true
  static let devicePlace: DevicePlace? = .id

  static func keyEncryptionKey(
    _ secret: borrowing SecretBytes, _ slot: SlotParameters
  ) throws(SealingError) -> SecretBytes {
    guard secret.count > 32 else { throw .malformed }
    let own = try FaceSlot.own(try secret.prefix(32))
    let hashed = try slot.hash(try secret.suffix(from: 32))
    return try KeyDerivation.bind(own, to: hashed, and: slot.binding("FDv1 face+passphrase"))
  }
}
