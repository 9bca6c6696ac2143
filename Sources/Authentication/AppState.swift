public import Access

/// Everything that the state machine knows.
public struct AuthenticationState: Sendable, Equatable {
  public var app: AppState
  public var face: FaceStanding

  public init(app: AppState = .loading, face: FaceStanding = .unknown) {
    self.app = app
    self.face = face
  }
}

/// What can happen to it.
public enum AuthenticationEvent: Sendable, Equatable {
  /// The check for face data has ended.
  case checked(FaceStanding)
  /// The first registration is done, and the vault is closed again.
  case registrationCompleted(FaceStanding)
  /// Somebody shows a face.
  case faceOffered
  /// Somebody gives a passphrase or recovery code.
  case secretOffered
  /// The verifier accepted a probe and the vault is open.
  case faceAccepted
  /// The verifier refused a probe; this many attempts are left.
  case faceRefused(attemptsLeft: Int)
  /// A passphrase or recovery code opened the vault. How the face stands after that.
  case secretAccepted(FaceStanding)
  case secretRefused
  /// While open: a face was registered, or removed.
  case faceChanged(FaceStanding)
  case logout
  /// Nothing happened for too long.
  case idle
  /// The session's time is over.
  case expired
  /// Another program asked for it: `lock`, a screen locker, the system before it sleeps.
  case toldToLock
}

/// What the shell does after an event.
public enum AuthenticationEffect: Sendable, Equatable {
  /// Count an attempt, let the verifier judge the face, and open the vault when it accepts.
  case judgeFace
  /// Try the secret on the vault.
  case trySecret
  case startSession
  /// Close the vault and wipe its keys.
  case endSession
}
