import Testing

@testable import Access
@testable import Authentication

/// Every state × every event, written out.
@Suite struct ReducerTests {
  static let faces: [FaceStanding] = [
    .unknown, .absent, .enrolled(attemptsLeft: 5), .enrolled(attemptsLeft: 1), .lockedOut,
    .unreadable,
  ]
  static let events: [AuthenticationEvent] =
    faces.flatMap {
      [.checked($0), .registrationCompleted($0), .secretAccepted($0), .faceChanged($0)]
    }
    + (0...5).map { .faceRefused(attemptsLeft: $0) }
    + [
      .faceOffered, .secretOffered, .faceAccepted, .secretRefused, .logout, .idle, .expired,
      .toldToLock,
    ]
  static let states = AppState.allCases.flatMap { app in
    faces.map { AuthenticationState(app: app, face: $0) }
  }

  /// The table of the architecture, read independently of the reducer: nil means nothing changes.
  private func expected(_ state: AuthenticationState, _ event: AuthenticationEvent) -> (
    AppState, FaceStanding
  )? {
    func closed(_ face: FaceStanding) -> AppState {
      switch face {
      case .absent: .onboarding
      case .unknown: .loading
      default: .authentication
      }
    }
    switch event {
    case .checked(let face): return state.app == .loading ? (closed(face), face) : nil
    case .registrationCompleted(let face):
      return state.app == .onboarding ? (closed(face), face) : nil
    case .secretAccepted(let face):
      return state.app == .onboarding || state.app == .authentication ? (.authenticated, face) : nil
    case .faceAccepted:
      guard state.app == .authentication, case .enrolled = state.face else { return nil }
      return (.authenticated, .enrolled(attemptsLeft: 5))
    case .faceRefused(let left):
      guard state.app == .authentication, case .enrolled(let before) = state.face else {
        return nil
      }
      let now = min(left, before - 1)
      return (.authentication, now > 0 ? .enrolled(attemptsLeft: now) : .lockedOut)
    case .secretRefused, .faceOffered, .secretOffered: return nil
    case .faceChanged(let face): return state.app == .authenticated ? (.authenticated, face) : nil
    case .logout, .idle, .expired, .toldToLock:
      return state.app == .authenticated ? (closed(state.face), state.face) : nil
    }
  }

  /// What is tried on the vault, and when.
  private func tries(
    _ state: AuthenticationState, _ event: AuthenticationEvent
  ) -> AuthenticationEffect? {
    switch (state.app, event) {
    case (.authentication, .faceOffered):
      if case .enrolled = state.face { .judgeFace } else { nil }
    case (.onboarding, .secretOffered), (.authentication, .secretOffered): .trySecret
    default: nil
    }
  }

  @Test(arguments: states) func `every event does what the table says`(state: AuthenticationState) {
    for event in Self.events {
      let (next, effects) = AuthenticationReducer.reduce(state, event)
      let wanted = expected(state, event)
      #expect(next.app == wanted?.0 ?? state.app, "\(state) \(event)")
      #expect(next.face == wanted?.1 ?? state.face, "\(state) \(event)")
      let entered = state.app != .authenticated && next.app == .authenticated
      let left = state.app == .authenticated && next.app != .authenticated
      let tried = tries(state, event).map { [$0] } ?? []
      #expect(
        effects == (entered ? [.startSession] : left ? [.endSession] : tried),
        "\(state) \(event)")
    }
  }

  @Test func `no event but an acceptance leads to authenticated`() {
    for state in Self.states where state.app != .authenticated {
      for event in Self.events {
        let next = AuthenticationReducer.reduce(state, event).0
        guard next.app == .authenticated else { continue }
        switch event {
        case .faceAccepted, .secretAccepted: break
        default: Issue.record("\(event) opened \(state)")
        }
      }
    }
  }

  @Test func `a face that cannot be read never leads to onboarding`() {
    for state in Self.states where state.face == .unreadable || state.app == .loading {
      #expect(
        AuthenticationReducer.reduce(state, .checked(.unreadable)).0.app != .onboarding
          || state.app == .onboarding)
    }
  }
}
