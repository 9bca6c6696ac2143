internal import Access
package import Platform
package import Requests

/// A keeper process that is started for one client and ends with it.
package final class StartedKeeper {
  /// How a process knows that it is to become a keeper: its first word, then the number of its socket.
  package static let word = "__keeper"

  package let connection: KeeperConnection
  private let socket: LocalSocket
  private let child: Int32
  private let purpose: KeeperTask.Purpose
  private var isOver = false

  /// Starts it.
  package init(_ task: KeeperTask) throws {
    purpose = task.purpose
    let (ours, theirs) = try LocalSocket.pair()
    child = try ChildProcess.spawn(
      [try ThisProcess.executable(), Self.word, String(theirs.number)],
      files: [0, 1, 2], passing: theirs.number, ownGroup: false, keepingEnvironment: true)
    socket = ours
    connection = KeeperConnection(started: ours, of: task.location)
    try socket.send(try Frame(.task, encoding: task).encoded)
  }

  /// Whether it opened the diary for this client.
  package var opensDiary: Bool { purpose == .single || purpose.isOwner }

  /// The keeper's own end, in its process.
  package static func inherited(_ number: Int32) -> LocalSocket {
    let file = Descriptor(number, name: "socket")
    file.setCloseOnExec()
    return LocalSocket(file)
  }

  /// Its exit code, when it ended without a word.
  package func exitCode() -> Int32 {
    isOver = true
    return ChildProcess.wait(for: child)
  }

  /// Tells it that its client is done, and waits until the vault is closed.
  package func end() {
    guard !isOver, purpose != .session else { return }
    isOver = true
    socket.shutDown()
    _ = ChildProcess.wait(for: child)
  }

  deinit { end() }
}
