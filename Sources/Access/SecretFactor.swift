/// A factor that is a secret.
public enum SecretFactor: String, Sendable, Codable {
  case passphrase, recovery
}

/// What else an opening by passphrase or recovery code may do. An opening by face may not.
public struct OpeningOptions: OptionSet, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Goes on from an older copy that was put back on purpose, or without an anchor that can be read.
  public static let acceptsOlderCopy = OpeningOptions(rawValue: 1)
  /// If the device key cannot be had from where it is kept, goes on with a new device store: faces must be enrolled
  /// again.
  public static let resetsDevice = OpeningOptions(rawValue: 2)
}
