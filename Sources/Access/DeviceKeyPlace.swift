/// Where a device key is kept.
public enum DeviceKeyPlace: Sendable, Equatable, Codable {
  /// In the device store. Anybody who can read the store has the key.
  case file
  /// By a program: the words of its command.
  case program([String])
  /// Sealed by a TPM.
  case chip
}
