internal import Authentication
internal import CPlatform
internal import Sealing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What can go wrong between a command and the session.
package enum SessionError: Error, Sendable, Equatable {
  /// The session ended, or does not answer.
  case gone
  /// It does not answer in time.
  case silent
  /// The other side is not of this user, or speaks another version.
  case foreign
  /// The session was of another version; it was told to end.
  case outdated
  /// The socket could not be made.
  case cannotListen(String)
}

/// The session's socket: 0600, in a directory that is ours alone.
///
/// One a vault, named by a digest of its path, so that a command finds it without opening the vault.
/// The boundary is the user: whoever may act as this user can use an open session, and the peer's user
/// id is checked on both sides.
struct SessionSocket {
  private let directory: PrivateDirectory
  private let name: String

  init(_ location: DiaryLocation) {
    directory = PrivateDirectory(location.runtime)
    let digest = Digest.blake2b(
      Array(Self.realPath(location.vault).utf8), count: 16, domain: "FDv1 socket")
    name = String(Base32.encode(digest).prefix(20)) + ".socket"
  }

  /// One diary, one session, however its path is spelled.
  private static func realPath(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard let real = unsafe realpath(parent.isEmpty ? "/" : parent, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real) + "/" + name
  }

  private init(directory: PrivateDirectory, name: String) {
    self.directory = directory
    self.name = name
  }

  /// Connects to every running session of this user.
  static func connectAll(runtime: String) throws -> [Int32] {
    let directory = PrivateDirectory(runtime)
    guard directory.exists else { return [] }
    return directory.names().filter { $0.hasSuffix(".socket") }.compactMap {
      // One that is not ours is nobody we could tell.
      try? SessionSocket(directory: directory, name: $0).connect()
    }
  }

  /// Connects to a running session, nil when there is none.
  ///
  /// - Throws: ``AuthenticationError`` `loose`; ``SessionError`` `foreign`.
  func connect() throws -> Int32? {
    guard directory.exists else { return nil }
    try directory.check()
    let file = try makeSocket()
    let status = unsafe try withAddress { address, size in unsafe Self.connect(file, address, size)
    }
    guard status == 0 else {
      close(file)
      return nil
    }
    guard cplatform_peer_user(file) == Int(geteuid()) else {
      close(file)
      throw SessionError.foreign
    }
    return file
  }

  /// Keeps other `unlock`s away while a socket is replaced.
  func lock() throws -> FileLock {
    try directory.make()
    return try directory.lock(name + ".lock")
  }

  /// Makes the socket, replacing one that nobody answers at.
  func listen() throws -> Int32 {
    unsafe unlink(directory.path + "/" + name)
    let file = try makeSocket()
    let mask = umask(0o177)
    defer { umask(mask) }
    let status = unsafe try withAddress { address, size in unsafe Self.bind(file, address, size) }
    guard status == 0, Self.listen(file) == 0 else {
      let number = errno
      close(file)
      throw unsafe SessionError.cannotListen(String(cString: strerror(number)))
    }
    _ = cplatform_set_nonblocking(file)
    return file
  }

  /// Which file our socket is, to remove no successor's.
  var identity: [UInt64]? {
    var facts = stat()
    guard unsafe lstat(directory.path + "/" + name, &facts) == 0 else { return nil }
    return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
  }

  func remove(_ own: [UInt64]?) {
    guard let own, identity == own else { return }
    unsafe unlink(directory.path + "/" + name)
  }

  // `connect`, `bind` and `listen` are also names of methods here.
  private static let connect = unsafe Glibc.connect
  private static let bind = unsafe Glibc.bind
  private static func listen(_ file: Int32) -> Int32 { Glibc.listen(file, 64) }

  private func makeSocket() throws -> Int32 {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { throw SessionError.cannotListen("socket") }
    _ = cplatform_set_cloexec(file)
    return file
  }

  /// An address holds 107 bytes. A longer path is reached through a descriptor of its directory.
  private func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws -> Result {
    var path = directory.path + "/" + name
    var handle: Int32 = -1
    defer { if handle >= 0 { close(handle) } }
    if path.utf8.count > 100 {
      handle = unsafe cplatform_open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
      path = "/proc/self/fd/\(handle)/\(name)"
      guard handle >= 0, path.utf8.count <= 100 else {
        throw SessionError.cannotListen("the runtime directory's path is too long")
      }
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      for (index, byte) in path.utf8.enumerated() { unsafe target[index] = byte }
    }
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
