package import Access
package import Platform

/// A keeper process of one's own: started for one client, and ended with it.
package final class StartedKeeper {
  /// How a process knows that it is to become a keeper: its first word, then a ``Purpose`` and the number of its
  /// socket.
  package static let word = "__keeper"

  package enum Purpose: String, Sendable {
    /// For one command.
    case single
    /// For a while, for every command that comes.
    case session
    /// Opened by passphrase or recovery code, for what makes access permanent.
    case owner
    /// For what opens no diary that is there: making one, salvaging, reviving a backup.
    case custody
    /// For what can be seen of a closed diary. It changes nothing and never has the vault's key.
    case look
    /// For copies of the sealed files. It never has a key.
    case copy

    /// Whether it may come to hold the vault's key, and so is found by `lock` and bound by the clock.
    package var mayHoldKey: Bool { self != .look && self != .copy }
  }

  package let connection: KeeperConnection
  private let socket: LocalSocket
  private let child: Int32
  private let purpose: Purpose
  private var isOver = false

  /// Starts it.
  ///
  /// - Parameter words: this command line, from which the keeper takes how the diary is opened.
  package init(_ purpose: Purpose, of location: DiaryLocation, words: [String]) throws {
    self.purpose = purpose
    let (ours, theirs) = try LocalSocket.pair()
    child = try ChildProcess.spawn(
      [try ThisProcess.executable(), Self.word, purpose.rawValue, String(theirs.number)] + words,
      files: [0, 1, 2], passing: theirs.number, ownGroup: false, keepingEnvironment: true)
    socket = ours
    connection = KeeperConnection(started: ours, of: location)
  }

  /// Whether it opened the diary for this client.
  package var opensDiary: Bool { purpose == .single || purpose == .owner }

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

  /// Tells it that nobody is there any more, and waits until the vault is closed.
  package func end() {
    guard !isOver, purpose != .session else { return }
    isOver = true
    socket.shutDown()
    _ = ChildProcess.wait(for: child)
  }

  deinit { end() }
}
