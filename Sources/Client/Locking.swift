package import Access
internal import Platform
internal import Requests

/// Closes diaries, and makes sure that they are closed.
///
/// Every process that holds keys has a name by which it can be found even if its socket is gone. It
/// is told to end, and then checked to have ended.
package enum Locking {
  /// Milliseconds that a process has to end by itself before it is killed.
  private static let patience = 3000

  /// Gives this process the name by which it is found; before it holds a key.
  package static func nameThisProcess(_ location: DiaryLocation) {
    ThisProcess.setName(SessionSocket(location).processName)
  }

  /// Ends every process that holds keys of a diary, except a warm session, which stays ready for a face.
  ///
  /// - Throws: ``SessionError`` `stillOpen`, naming those that could not be ended; `openElsewhere`; `unknown`.
  package static func lock(_ location: DiaryLocation) throws {
    let socket = SessionSocket(location)
    try endAll(but: try? closeWarm(location)) { socket.isKept(by: $0) }
    // A process that cannot be seen from here is not ended, but known by its lock.
    guard !SessionSocket.isOpenSomewhere(location) else { throw SessionError.openElsewhere }
  }

  /// Asks a session to close. One that does not answer at once is not asked again: its process is ended.
  ///
  /// All of it takes a second and a half at most, whatever is at the other end: half a second for all answers, and a second for a
  /// listener that accepts no connection.
  ///
  /// - Returns: the process of a session that stays ready for a face; nil when none does.
  private static func closeWarm(_ location: DiaryLocation) throws -> OtherProcess? {
    let end = SystemClock.awake + 500_000_000
    if let session = try KeeperConnection(session: location, patience: 1, until: end) {
      try session.lock()
    }
    guard SystemClock.awake < end else { return nil }
    return try KeeperConnection(
      session: location, waitingForFace: true, patience: 1, until: end)?.process
  }

  /// Ends every process of this user that holds keys, and every warm session.
  ///
  /// - Throws: ``SessionError`` as ``lock(_:)``; `silent` when one that cannot be seen from here did not end.
  /// - Parameter isApart: whether the runtime directory was named on purpose, for a world of its own: then only what
  ///   was started with the same one.
  package static func lockAll(_ location: DiaryLocation, isApart: Bool) throws {
    let runtime = location.runtime
    let prefix =
      isApart ? SessionSocket.processPrefix(runtime: runtime) : SessionSocket.processPrefix
    let found = Result { try endAll(but: nil) { $0.hasPrefix(prefix) } }
    // Sessions that cannot be seen from here are told through their sockets, after those found by name.
    try KeeperConnection.endAll(runtime: runtime)
    try found.get()
    // Of this diary the folder says whether a process has it open that cannot be seen from here.
    guard !SessionSocket.isOpenSomewhere(location) else { throw SessionError.openElsewhere }
  }

  private static func endAll(
    but one: OtherProcess?, _ matches: (String) -> Bool
  ) throws(SessionError) {
    var told: [OtherProcess] = []
    // Also those that were being opened meanwhile; who starts more without end is told of those that are left.
    for _ in 0..<4 {
      guard let found = OtherProcess.named(matches) else { throw .unknown }
      let new = found.filter { $0 != one && !told.contains($0) }
      if new.isEmpty { break }
      for process in new { process.terminate() }
      for process in new where !process.isGone(within: patience) { process.end() }
      told += new
    }
    guard let left = OtherProcess.named(matches) else { throw .unknown }
    let open = (left + told).filter { $0 != one && !$0.isGone(within: 500) }.map(\.id)
    guard open.isEmpty else { throw .stillOpen(processes: Array(Set(open)).sorted()) }
  }
}
