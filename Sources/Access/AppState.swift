/// Where the app stands. Exactly four cases; a root view is one `switch` over them.
public enum AppState: String, Sendable, CaseIterable, Codable {
  /// Looking for face data.
  case loading
  /// No face on this device: register one.
  case onboarding
  /// Show a face, or give another factor.
  case authentication
  /// The diary is open.
  case authenticated
}

/// What is known of the face on this device.
public enum FaceStanding: Sendable, Equatable, Codable {
  /// Not looked yet.
  case unknown
  /// None is enrolled here.
  case absent
  /// A face may be shown; this many refusals are left.
  case enrolled(attemptsLeft: Int)
  /// Too many refusals: only a passphrase or recovery code opens the diary, and it lifts the lockout.
  case lockedOut
  /// A face is or was enrolled, and its data cannot be read. The app must not offer to enrol another.
  case unreadable
}
