internal import Bytes
internal import Sealing

extension SlotKind {
  var scheme: any SlotScheme.Type {
    switch self {
    case .passphrase: PassphraseSlot.self
    case .recovery: RecoverySlot.self
    case .face: FaceSlot.self
    case .facePassphrase: FacePassphraseSlot.self
    }
  }

  /// Whether its secret is hashed with Argon2id.
  var isHashed: Bool { scheme.isHashed }
  /// Whether a device has to be at hand.
  var needsFace: Bool { scheme.devicePlace != nil }
}

/// How one kind of key slot makes a key-encryption key of its secret.
protocol SlotScheme {
  static var isHashed: Bool { get }
  /// Where a slot holds the id of its device; nil for a kind that belongs to no device.
  static var devicePlace: DevicePlace? { get }
  static func keyEncryptionKey(
    _ secret: borrowing SecretBytes, _ slot: SlotParameters
  ) throws(SealingError) -> SecretBytes
}

enum DevicePlace { case id, salt }

/// The parts of a slot that go into its key.
struct SlotParameters {
  let vaultID: [UInt8]
  let id: [UInt8]
  let salt: [UInt8]
  let limits: Argon2Cost
  /// Of Argon2id, in bytes: less is refused.
  let leastMemory: UInt64

  /// What binds a secret to this slot alone.
  func binding(_ domain: StaticString) -> [UInt8] { Array("\(domain)".utf8) + vaultID + id }

  func hash(_ passphrase: borrowing SecretBytes) throws(SealingError) -> SecretBytes {
    try PassphraseHash.key(from: passphrase, salt: salt, limits: limits, leastMemory: leastMemory)
  }
}
