internal import CLibrary

/// A directory only its owner may look into, and the files in it.
///
/// Every file is opened without following links and must be a plain file of ours that nobody else may
/// read or write; anything looser is refused, not repaired.
package struct PrivateDirectory: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package var exists: Bool { FileSystem.exists(path) }

  /// Whether something else than a directory of ours has the name.
  package var isTaken: Bool {
    guard let status = try? FileStatus(path) else { return false }
    return status.kind != .directory || !status.isOurs
  }

  /// What tells it from another directory of the same name; nil when there is none.
  package var identity: [UInt64]? { (try? FileStatus(path))?.identity }

  /// Makes the directory and its parents, 0700; an existing one must be ours alone.
  package func make() throws(PlatformError) {
    try FileSystem.makeDirectories(path)
    try check()
  }

  /// - Throws: `directoryNotPrivate` when it is a link, somebody else's, or open to others.
  package func check() throws(PlatformError) {
    let status = try FileStatus(path)
    guard status.kind == .directory, status.isPrivate else {
      throw PlatformError(.directoryNotPrivate, path)
    }
  }

  /// The bytes of a file, nil when there is none.
  package func read(_ name: String, limit: Int = 1 << 20) throws(PlatformError) -> [UInt8]? {
    try open(name)?.readAll(limit: limit)
  }

  /// Replaces a file. A kill leaves either the whole new file or the old one.
  package func write(_ name: String, _ bytes: [UInt8]) throws(PlatformError) {
    let file = try AtomicFile(path + "/" + name)
    try file.write(bytes)
    try file.commit()
    try FileSystem.synchronize(directory: path)
  }

  package func remove(_ name: String) throws(PlatformError) {
    try FileSystem.remove(path + "/" + name)
    try FileSystem.synchronize(directory: path)
  }

  /// Opens a file of the directory, nil when there is none (unless made).
  package func open(
    _ name: String, _ options: Descriptor.Options = []
  ) throws(PlatformError) -> Descriptor? {
    let file: Descriptor
    do throws(PlatformError) {
      file = try Descriptor.open(path + "/" + name, options.union([.noFollow, .nonBlocking]))
    } catch {
      if error.errno == .noEntry { return nil }
      // A socket cannot be opened at all, and a directory not for writing.
      if error.reason != .link, let status = try? FileStatus(path + "/" + name),
        status.kind != .regular
      {
        throw PlatformError(.notRegular, path + "/" + name)
      }
      throw error
    }
    let status = try file.status()
    guard status.kind == .regular else { throw PlatformError(.notRegular, path + "/" + name) }
    guard status.isPrivate, status.names == 1 else {
      throw PlatformError(.fileNotPrivate, path + "/" + name)
    }
    return file
  }

  /// The names of what is in it; none when it cannot be read.
  package func names() -> [String] { (try? FileSystem.names(in: path)) ?? [] }

  /// Exchanges this directory's name with another's, at once.
  package func exchange(with other: PrivateDirectory) throws(PlatformError) {
    try FileSystem.exchange(path, other.path)
    try FileSystem.synchronize(directory: FileSystem.parent(of: path))
  }

  /// Removes the directory with all that is in it, as well as it can; of a link, the link.
  package func removeAll() { FileSystem.removeTree(path) }

  // MARK: Locks

  /// Takes the lock `name`, waiting up to `patience` for other processes.
  package func lock(
    _ name: String, patience: Duration = .seconds(15)
  ) throws(PlatformError) -> FileLock {
    let file = try lockFile(name)
    try file.lock(LOCK_EX, within: patience)
    return FileLock(file)
  }

  /// Shows that a file is in use until this is let go; nil where it is not there.
  package func use(_ name: String) -> FileLock? {
    guard let file = try? open(name, []), flock(file.number, LOCK_SH | LOCK_NB) == 0 else {
      return nil
    }
    return FileLock(file)
  }

  /// Whether a file is in use.
  package func isInUse(_ name: String) -> Bool {
    guard let file = try? open(name, []) else { return false }
    return flock(file.number, LOCK_EX | LOCK_NB) != 0
  }

  /// Takes part in the lock `name`, which any number may hold, and says whether nobody else does.
  package func lockTogether(_ name: String) throws(PlatformError) -> (FileLock, alone: Bool) {
    let file = try lockFile(name)
    let alone = flock(file.number, LOCK_EX | LOCK_NB) == 0
    try file.lock(LOCK_SH, within: .seconds(5))
    return (FileLock(file), alone)
  }

  /// Runs `body` while no other process holds the lock `name`.
  package func locked<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try withExtendedLifetime(try lock(name)) { try body() }
  }

  private func lockFile(_ name: String) throws(PlatformError) -> Descriptor {
    guard let file = try open(name, [.readWrite, .create]) else {
      throw PlatformError(.system(.noEntry), path + "/" + name)
    }
    return file
  }
}

extension Descriptor {
  /// Takes a lock, waiting up to `patience` for other processes.
  fileprivate func lock(_ kind: Int32, within patience: Duration) throws(PlatformError) {
    var waited = Duration.zero
    while flock(number, kind | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw PlatformError(name) }
      guard waited < patience else { throw PlatformError(.busy, name) }
      SystemClock.sleep(milliseconds: 2)
      waited += .milliseconds(2)
    }
  }
}

/// A lock held until its owner lets go.
package final class FileLock: Sendable {
  private let file: Descriptor
  fileprivate init(_ file: Descriptor) { self.file = file }

  /// A program that is given this descriptor has the lock, too.
  package var number: Int32 { file.number }

  /// Of a lock on a directory itself: leads to it whatever is done with its name, as long as the lock is held.
  package var directory: String { OpenDirectory.path(of: file) }

  /// Whether something else, or a link to it, lies now where the file lay that is locked.
  package var isReplaced: Bool {
    guard let own = try? file.status(), let now = try? FileStatus(file.name) else { return false }
    return own.identity != now.identity
  }

  /// A lock on a directory itself, together with others or alone; nil while others are in the way.
  package static func directory(
    _ path: String, alone: Bool
  ) throws(PlatformError) -> FileLock? {
    let directory = try Descriptor.open(path, [.directory, .noFollow])
    guard flock(directory.number, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else { return nil }
    return FileLock(directory)
  }

  /// The whole of the lock on a directory itself, waiting for those that have a part in it; nil where one keeps it.
  package static func directory(
    _ path: String, aloneWithin patience: Duration
  ) throws(PlatformError) -> FileLock? {
    let directory = try Descriptor.open(path, [.directory, .noFollow])
    do throws(PlatformError) { try directory.lock(LOCK_EX, within: patience) } catch {
      guard error.reason == .busy else { throw error }
      return nil
    }
    return FileLock(directory)
  }

  /// A part in the lock on a directory itself, waiting for a process that holds it alone.
  package static func directory(
    _ path: String, sharedWithin patience: Duration
  ) throws(PlatformError) -> FileLock {
    let directory = try Descriptor.open(path, [.directory, .noFollow])
    try directory.lock(LOCK_SH, within: patience)
    return FileLock(directory)
  }

  /// Whether anybody has a part in a lock on a directory, after this long for a holder that is just releasing it; false where it is
  /// not there, or its file system knows no locks.
  package static func isHeld(directory path: String, within patience: Duration) -> Bool {
    guard let directory = try? Descriptor.open(path, [.directory, .noFollow]) else { return false }
    do throws(PlatformError) { try directory.lock(LOCK_EX, within: patience) } catch {
      return error.reason == .busy
    }
    return false
  }
}
