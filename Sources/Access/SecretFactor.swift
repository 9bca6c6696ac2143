/// A factor that is a secret.
public enum SecretFactor: String, Sendable, Codable {
  case passphrase, recovery
}

/// What an opening by passphrase or recovery code may do besides; a face never may.
public struct OpeningOptions: OptionSet, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Goes on from an older copy that was put back on purpose, or without an anchor that can be read.
  public static let acceptsOlderCopy = OpeningOptions(rawValue: 1)
  /// When whoever keeps the device key does not give it, goes on with a new device store: faces must be enrolled
  /// again.
  public static let resetsDevice = OpeningOptions(rawValue: 2)
}
