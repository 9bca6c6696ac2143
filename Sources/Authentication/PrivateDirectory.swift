internal import CPlatform

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

// `read`, `write` and `open` are also names of methods below.
private let systemRead = unsafe read
private let systemWrite = unsafe write

/// A directory only its owner may look into, and the files in it.
///
/// Every file is opened without following links and must be a plain file of ours that nobody else may
/// read or write; anything looser is refused, not repaired.
package struct PrivateDirectory: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package var exists: Bool {
    var facts = stat()
    return unsafe lstat(path, &facts) == 0
  }

  /// When it last got its name, or its mode: seconds since 1970; nil when there is none.
  package var changed: Int64? {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0 else { return nil }
    #if canImport(Glibc)
      return Int64(facts.st_ctim.tv_sec)
    #else
      return Int64(facts.st_ctimespec.tv_sec)
    #endif
  }

  /// Makes the directory and its parents, 0700; an existing one must be ours alone.
  package func make() throws(AuthenticationError) {
    var partial = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/") {
      partial += "/" + component
      if unsafe mkdir(partial, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        throw failure(partial)
      }
    }
    try check()
  }

  /// - Throws: `loose` when it is a link, somebody else's, or open to others.
  package func check() throws(AuthenticationError) {
    var facts = stat()
    guard unsafe lstat(path, &facts) == 0 else { throw failure(path) }
    guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(),
      facts.st_mode & 0o077 == 0
    else { throw AuthenticationError(.loose, path, "must be a directory of yours with mode 0700") }
  }

  /// The bytes of a file, nil when there is none.
  package func read(_ name: String, limit: Int = 1 << 20) throws(AuthenticationError) -> [UInt8]? {
    guard let file = try open(name, O_RDONLY) else { return nil }
    defer { close(file) }
    return try Self.readAll(file, limit: limit, path: path + "/" + name)
  }

  /// Replaces a file: the whole new one, or still the old one.
  package func write(_ name: String, _ bytes: [UInt8]) throws(AuthenticationError) {
    let target = path + "/" + name
    // A name of our own: another process may be writing the same file.
    let temporary = target + ".\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    let file = unsafe cplatform_open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(temporary) }
    do throws(AuthenticationError) {
      defer { close(file) }
      try Self.writeAll(file, bytes, at: nil, path: temporary)
      guard fsync(file) == 0 else { throw failure(temporary) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    guard unsafe rename(temporary, target) == 0 else {
      let error = failure(target)
      unsafe unlink(temporary)
      throw error
    }
    try synchronize()
  }

  package func remove(_ name: String) throws(AuthenticationError) {
    guard unsafe unlink(path + "/" + name) == 0 || errno == ENOENT else {
      throw failure(path + "/" + name)
    }
    try synchronize()
  }

  private func synchronize() throws(AuthenticationError) {
    let directory = unsafe cplatform_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard directory >= 0 else { throw failure(path) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw failure(path) }
  }

  /// Opens a file of the directory, nil when there is none (unless made).
  package func open(_ name: String, _ flags: Int32) throws(AuthenticationError) -> Int32? {
    let target = path + "/" + name
    let file = unsafe cplatform_open(target, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw AuthenticationError(.loose, target, "is a link") }
      throw failure(target)
    }
    var facts = stat()
    guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0, facts.st_nlink == 1
    else {
      close(file)
      throw AuthenticationError(.loose, target, "must be a file of yours with mode 0600")
    }
    return file
  }

  /// Takes the lock `name`, waiting up to `patience` for other processes.
  package func lock(
    _ name: String, patience: Duration = .seconds(15)
  ) throws(AuthenticationError) -> FileLock {
    let target = path + "/" + name
    guard let file = try open(name, O_RDWR | O_CREAT) else { throw failure(target) }
    var waited = Duration.zero
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, waited < patience else {
        close(file)
        throw AuthenticationError(.busy, target, "another process holds it")
      }
      usleep(2_000)
      waited += .milliseconds(2)
    }
    return FileLock(file)
  }

  /// Takes part in the lock `name`, which any number may hold, and says whether nobody else does.
  package func lockTogether(_ name: String) throws(AuthenticationError) -> (FileLock, alone: Bool) {
    let target = path + "/" + name
    guard let file = try open(name, O_RDWR | O_CREAT) else { throw failure(target) }
    let alone = flock(file, LOCK_EX | LOCK_NB) == 0
    var waited = 0
    while flock(file, LOCK_SH | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, waited < 5000 else {
        close(file)
        throw AuthenticationError(.busy, target, "another process holds it")
      }
      usleep(2_000)
      waited += 2
    }
    return (FileLock(file), alone)
  }

  /// The names of what is in it.
  package func names() -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Runs `body` while no other process holds the lock `name`.
  package func locked<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try withExtendedLifetime(try lock(name)) { try body() }
  }

  /// Exchanges this directory's name with another's, at once.
  package func exchange(with other: PrivateDirectory) throws(AuthenticationError) {
    guard unsafe cplatform_exchange(path, other.path) == 0 else { throw failure(path) }
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try PrivateDirectory(parent).synchronize()
  }

  /// Removes the directory and the files in it.
  package func removeAll() {
    for name in names() { unsafe unlink(path + "/" + name) }
    unsafe rmdir(path)
  }

  package static func readAll(
    _ file: Int32, limit: Int, path: String
  ) throws(AuthenticationError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let size = chunk.count
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe systemRead(file, $0.baseAddress, size)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw AuthenticationError(.storeDamaged, path, "over \(limit) bytes")
      }
      bytes += chunk[..<count]
    }
  }

  package static func writeAll(
    _ file: Int32, _ bytes: [UInt8], at offset: Int?, path: String
  ) throws(AuthenticationError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        let start = unsafe raw.baseAddress! + done
        return if let offset {
          unsafe pwrite(file, start, bytes.count - done, off_t(offset + done))
        } else {
          unsafe systemWrite(file, start, bytes.count - done)
        }
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      done += count
    }
  }

  static func failure(_ path: String) -> AuthenticationError {
    let number = errno
    return unsafe AuthenticationError(
      number == ENOSPC || number == EDQUOT ? .diskFull : .system, path,
      String(cString: strerror(number)))
  }

  private func failure(_ path: String) -> AuthenticationError { Self.failure(path) }
}

/// A lock held until its owner lets go.
package final class FileLock: Sendable {
  private let file: Int32
  fileprivate init(_ file: Int32) { self.file = file }
  deinit { close(file) }
}
