internal import Access
internal import FaceMatching

/// The state machine: pure, total, and the only place that decides.
///
/// A diary is opened only by an effect asked for here. An event that has no meaning in a state changes nothing: a late "accepted" after a logout must not
/// open anything. A new state is one case of ``AppState``, one line in a view's `switch`, and its rows
/// here.
public enum AuthenticationReducer {
  public static func reduce(
    _ state: AuthenticationState, _ event: AuthenticationEvent
  ) -> (AuthenticationState, [AuthenticationEffect]) {
    switch (state.app, event) {
    case (.loading, .checked(let face)):
      return (AuthenticationState(app: home(for: face), face: face), [])

    case (.onboarding, .registrationCompleted(let face)):
      // Registered, yet not let in: the new face is asked for at once, as on every later start.
      return (AuthenticationState(app: home(for: face), face: face), [])

    case (.authentication, .faceOffered):
      // A face that is locked out, or whose templates cannot be read, is not judged.
      guard case .enrolled = state.face else { return (state, []) }
      return (state, [.judgeFace])

    case (.onboarding, .secretOffered), (.authentication, .secretOffered):
      return (state, [.trySecret])

    case (.onboarding, .secretAccepted(let face)), (.authentication, .secretAccepted(let face)):
      return (AuthenticationState(app: .authenticated, face: face), [.startSession])

    case (.authentication, .faceAccepted):
      guard case .enrolled = state.face else { return (state, []) }
      return (
        AuthenticationState(app: .authenticated, face: .enrolled(attemptsLeft: attempts)),
        [.startSession]
      )

    case (.authentication, .faceRefused(let left)):
      guard case .enrolled(let before) = state.face else { return (state, []) }
      // Attempts only ever go down, whatever a verifier or store says.
      let now = min(left, max(before, 1) - 1)
      return (
        AuthenticationState(
          app: .authentication, face: now > 0 ? .enrolled(attemptsLeft: now) : .lockedOut), []
      )

    case (.authenticated, .faceChanged(let face)):
      return (AuthenticationState(app: .authenticated, face: face), [])

    case (.authenticated, .logout), (.authenticated, .idle), (.authenticated, .expired),
      (.authenticated, .toldToLock):
      return (AuthenticationState(app: home(for: state.face), face: state.face), [.endSession])

    case (.loading, _), (.onboarding, _), (.authentication, _), (.authenticated, _):
      return (state, [])
    }
  }

  /// How many refused faces lock the face out.
  public static let attempts = FaceLockout.tries

  /// The state of a closed diary. A face that cannot be read never leads to onboarding: that would
  /// invite the person who damaged it to enrol their own.
  private static func home(for face: FaceStanding) -> AppState {
    switch face {
    case .absent: .onboarding
    case .enrolled, .lockedOut, .unreadable: .authentication
    case .unknown: .loading
    }
  }
}
