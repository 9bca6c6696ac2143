/// Where a device key is kept.
public enum DeviceKeyPlace: Sendable, Equatable, Codable {
  /// In the device store, for whoever can read it.
  case file
  /// By a program: its words.
  case program([String])
  /// Sealed by a TPM.
  case chip
}
