/// What opens a key slot, by the number it has on the disk.
public enum SlotKind: UInt8, Sendable, Codable {
  /// A passphrase, through Argon2id.
  case passphrase = 1
  /// The recovery code.
  case recovery = 2
  /// The device key, released by an accepted face.
  case face = 3
  /// The device key, released by an accepted face, and a passphrase: neither alone opens it.
  case facePassphrase = 4
}
