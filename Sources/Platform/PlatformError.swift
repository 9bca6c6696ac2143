internal import CLibrary

/// An error number of the operating system.
package struct Errno: RawRepresentable, Sendable, Equatable, Codable, CustomStringConvertible {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The number the last failed call on this thread left.
  package static var last: Errno { Errno(rawValue: errno) }

  package static let noProcess = Errno(rawValue: ESRCH)
  package static let noEntry = Errno(rawValue: ENOENT)
  /// Also what opening a socket like a file says.
  package static let noDevice = Errno(rawValue: ENXIO)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let exists = Errno(rawValue: EEXIST)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let overQuota = Errno(rawValue: EDQUOT)
  package static let readOnly = Errno(rawValue: EROFS)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let accessDenied = Errno(rawValue: EACCES)
  package static let refused = Errno(rawValue: ECONNREFUSED)

  /// The system's own words, in English.
  package var description: String { unsafe String(cString: strerror(rawValue)) }
}

/// Why a call of the operating system did not do what was asked.
package struct PlatformError: Error, Sendable, Equatable, Codable {
  package enum Reason: Sendable, Equatable, Codable {
    case system(Errno)
    /// A symbolic link where none is followed.
    case link
    /// Another file than a regular one.
    case notRegular
    /// Not a directory of this user with mode 0700.
    case directoryNotPrivate
    /// Not a file of this user with mode 0600 and one name.
    case fileNotPrivate
    /// Another process holds the lock.
    case busy
    case tooLarge(limit: Int)
    /// The other side of a socket or pipe did not answer in time.
    case timedOut
  }

  package let reason: Reason
  /// The file, or what the call was about.
  package let path: String

  package init(_ reason: Reason, _ path: String) {
    self.reason = reason
    self.path = path
  }

  /// What the last failed call on this thread says.
  package init(_ path: String) { self.init(.system(.last), path) }

  /// The error number, nil when the reason is one of ours.
  package var errno: Errno? {
    if case .system(let number) = reason { number } else { nil }
  }

  package var isMissing: Bool { errno == .noEntry || errno == .notDirectory }
  package var isExisting: Bool { errno == .exists }
  package var isDiskFull: Bool { errno == .noSpace || errno == .overQuota }

  /// The reason in English.
  package var explanation: String {
    switch reason {
    case .system(let number): number.description
    case .link: "is a link"
    case .notRegular: "is not a regular file"
    case .directoryNotPrivate: "must be your own directory, not a link, with mode 0700"
    case .fileNotPrivate: "must be your own file, with mode 0600"
    case .busy: "another process is using it"
    case .tooLarge(let limit): "over \(limit) bytes"
    case .timedOut: "no answer in time"
    }
  }
}

/// Calls again while a signal interrupted the call: the one place that handles `EINTR`.
func retrying(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
