package import Access
internal import Bytes
package import Platform
internal import Requests

/// The session's socket: 0600, in a directory that is ours alone.
///
/// Each vault has one, named by a digest of the vault's path, so that a command finds it without opening the vault.
/// The boundary is the user: anybody who may act as this user can use an open session. The peer's user
/// id is checked on both sides.
package struct SessionSocket {
  private let directory: PrivateDirectory
  private let name: String
  /// The folder's identity in the file system; nil when it is not there.
  private let folder: String?
  /// What the names of sessions begin with that were opened by this path when it led elsewhere.
  private let earlier: Set<Substring>

  package init(_ location: DiaryLocation) {
    directory = PrivateDirectory(location.runtime)
    let path = Self.realPath(location.vault)
    name = Self.name(path)
    earlier = Set(Self.stages(location.vault).map { Self.name($0).prefix(4) })
    folder = (try? FileStatus(path)).map {
      var writer = ByteWriter()
      for number in $0.identity { writer.put(number) }
      return Base32.encode(Digest.blake2b(writer.bytes, count: 16, domain: "FDv1 folder"))
    }
  }

  private static func name(_ path: String) -> String {
    let digest = Digest.blake2b(Array(path.utf8), count: 16, domain: "FDv1 socket")
    return String(Base32.encode(digest).prefix(20)) + ".socket"
  }

  /// A path and those that its links lead to one after the other, each as it is said and with its directory resolved. A link may
  /// have been put where the folder was.
  private static func stages(_ path: String) -> [String] {
    var found: [String] = []
    var path = path
    for _ in 0..<16 {
      found += [path, FileSystem.resolved(path) ?? path]
      guard let target = FileSystem.linkTarget(path) else { break }
      path = FileSystem.path(target, in: FileSystem.parent(of: path))
    }
    return found
  }

  /// One diary has one session, however its path is spelled, also through a link. A folder that is not there, or not any
  /// more, is known by the name it would have.
  private static func realPath(_ path: String) -> String {
    // A link whose end is gone or not mounted still says which one it is.
    FileSystem.realPath(path) ?? stages(path).last ?? path
  }

  private init(directory: PrivateDirectory, name: String) {
    self.directory = directory
    self.name = name
    (folder, earlier) = (nil, [])
  }

  /// The name of this diary's keepers in process lists. `lock` finds them by it even if their socket is gone.
  /// Fifteen bytes: three characters for the runtime directory, four for the vault's path, four for the folder itself.
  var processName: String {
    Self.processPrefix(runtime: directory.path) + name.prefix(4) + (folder ?? "----").prefix(4)
  }
  static let processPrefix = "fdk:"

  static func processPrefix(runtime: String) -> String {
    let digest = Digest.blake2b(
      Array((FileSystem.realPath(runtime) ?? runtime).utf8), count: 16, domain: "FDv1 runtime")
    return processPrefix + Base32.encode(digest).prefix(3)
  }

  /// Whether a process of this name keeps this diary, whichever runtime directory it was started with: by this path, or by
  /// another one of the same folder, which may have been moved or mounted elsewhere since.
  func isKept(by processName: String) -> Bool {
    guard processName.hasPrefix(Self.processPrefix), processName.utf8.count == 15 else {
      return false
    }
    let isOfFolder = folder.map { processName.hasSuffix($0.prefix(4)) } ?? false
    let path = processName.dropLast(4).suffix(4)
    return isOfFolder || path == name.prefix(4) || earlier.contains(path)
  }

  /// Whether some process has the diary open, in whatever container it may be: every keeper has a part in a lock on the
  /// folder. False where the file system knows no locks.
  ///
  /// - Parameter patience: how long a process has that is just closing it.
  package static func isOpenSomewhere(
    _ location: DiaryLocation, within patience: Duration = .milliseconds(500)
  ) -> Bool {
    FileLock.isHeld(directory: realPath(location.vault), within: patience)
  }

  /// Those of all diaries of this user.
  static func all(runtime: String) -> [SessionSocket] {
    let directory = PrivateDirectory(runtime)
    guard directory.exists else { return [] }
    return directory.names().filter { $0.hasSuffix(".socket") }
      .map { SessionSocket(directory: directory, name: $0) }
  }

  /// Connects to a running session, nil when there is none.
  ///
  /// - Throws: ``AuthenticationError`` `loose`; ``SessionError`` `foreign`.
  package func connect(patience seconds: Int = 2) throws -> LocalSocket? {
    guard directory.exists else { return nil }
    try onDevice { () throws(PlatformError) in try directory.check() }
    let socket: LocalSocket?
    // A listener that accepts no connection must not hold us up.
    do throws(PlatformError) {
      socket = try LocalSocket.connect(directory.path, name, patience: seconds)
    } catch {
      if error.reason == .timedOut { throw SessionError.silent }
      throw SessionError.cannotListen(error.explanation)
    }
    guard let socket else { return nil }
    socket.setPatience(seconds: 0)
    guard socket.peer?.user == ThisProcess.user else { throw SessionError.foreign }
    return socket
  }

  /// Keeps other `unlock`s away while a socket is replaced.
  package func lock() throws -> FileLock {
    try onDevice { () throws(PlatformError) in
      try directory.make()
      return try directory.lock(name + ".lock")
    }
  }

  /// Makes the socket, replacing one that nobody listens at.
  package func listen() throws -> LocalListener {
    do throws(PlatformError) { return try LocalListener(directory.path, name) } catch {
      throw SessionError.cannotListen(error.explanation)
    }
  }
}
