package import Access
package import Bytes
package import Entries
package import FaceMatching
package import Platform

/// An error of the command's own layer, which crosses between its processes in its own form.
package protocol CommandError: Error {
  var encoded: [UInt8] { get }
}

/// Any error of a keeper, on its way to the client.
package enum KeeperError: Error, Codable, Sendable {
  case vault(VaultError)
  case authentication(AuthenticationError)
  case enrollment(EnrollmentError)
  case vector(VectorError)
  case program(ChildProcessError)
  case platform(PlatformError)
  case sealing(SealingError)
  case session(SessionError)
  case command([UInt8])
  case other(String)

  package init(_ error: any Error) {
    switch error {
    case let error as KeeperError: self = error
    case let error as VaultError: self = .vault(error)
    case let error as AuthenticationError: self = .authentication(error)
    case let error as EnrollmentError: self = .enrollment(error)
    case let error as VectorError: self = .vector(error)
    case let error as ChildProcessError: self = .program(error)
    case let error as PlatformError: self = .platform(error)
    case let error as SealingError: self = .sealing(error)
    case let error as SessionError: self = .session(error)
    case let error as any CommandError: self = .command(error.encoded)
    default: self = .other("\(error)")
    }
  }

  /// The error as it was thrown; one of the command's stays wrapped.
  package var thrown: any Error {
    switch self {
    case .vault(let error): error
    case .authentication(let error): error
    case .enrollment(let error): error
    case .vector(let error): error
    case .program(let error): error
    case .platform(let error): error
    case .sealing(let error): error
    case .session(let error): error
    case .command, .other: self
    }
  }
}

/// What can go wrong between a client and a keeper.
package enum SessionError: Error, Sendable, Equatable, Codable {
  /// The session ended, or does not answer.
  case gone
  /// It does not answer in time.
  case silent
  /// It is open, and has no place for another client.
  case full
  /// The other side is not of this user, or speaks another version.
  case foreign
  /// The session was of another version; it was told to end.
  case outdated
  /// The socket could not be made.
  case cannotListen(String)
  /// Processes that hold keys and did not end when they were told to.
  case stillOpen(processes: [Int32])
  /// A process that cannot be seen from here has the diary open.
  case openElsewhere
  /// The system does not show which processes there are, so nobody knows whether one holds keys.
  case unknown
}
