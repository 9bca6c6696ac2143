internal import Entries
package import Platform

/// A private directory of this device's state, which throws errors of this module.
package struct DeviceDirectory: Sendable {
  private let files: PrivateDirectory
  package var path: String { files.path }

  package init(_ path: String) { files = PrivateDirectory(path) }

  package var exists: Bool { files.exists }
  package var identity: [UInt64]? { files.identity }
  /// What changes with every change of a file; nil when it is not there.
  package func stamp(_ name: String) -> [UInt64]? {
    (try? FileStatus(path + "/" + name))?.stamp
  }
  package func names() -> [String] { files.names() }

  /// The names of the files in it; none where it is not there.
  ///
  /// - Throws: when it cannot be listed.
  package func list() throws(AuthenticationError) -> [String] {
    guard exists else { return [] }
    return try onDevice { () throws(PlatformError) in try FileSystem.names(in: path) }
  }
  package func removeAll() { files.removeAll() }

  package func make() throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try files.make() }
  }

  package func check() throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try files.check() }
  }

  package func read(_ name: String, limit: Int = 1 << 20) throws(AuthenticationError) -> [UInt8]? {
    try onDevice { () throws(PlatformError) in try files.read(name, limit: limit) }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try files.write(name, bytes) }
  }

  package func remove(_ name: String) throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try files.remove(name) }
  }

  /// Shows that a file is in use until this is let go; nil where it is not there.
  func use(_ name: String) -> FileLock? { files.use(name) }

  func isInUse(_ name: String) -> Bool { files.isInUse(name) }

  /// Renames what stands in the place of a file of this program's, whatever it is.
  package func putAside(_ name: String) throws(AuthenticationError) {
    let aside = path + "/" + name + ".not-ours"
    FileSystem.removeTree(aside)
    try onDevice { () throws(PlatformError) in
      try FileSystem.rename(path + "/" + name, to: aside)
    }
  }

  /// Opens a file for reading, nil when there is none.
  package func openForReading(_ name: String) throws(AuthenticationError) -> Descriptor? {
    try onDevice { () throws(PlatformError) in try files.open(name, []) }
  }

  /// Opens a file for reading and writing in place, nil when there is none.
  package func openForUpdate(_ name: String) throws(AuthenticationError) -> Descriptor? {
    try onDevice { () throws(PlatformError) in try files.open(name, [.readWrite]) }
  }

  package func lock(_ name: String) throws(AuthenticationError) -> FileLock {
    try onDevice { () throws(PlatformError) in try files.lock(name) }
  }

  package func lockTogether(_ name: String) throws(AuthenticationError) -> (FileLock, alone: Bool) {
    try onDevice { () throws(PlatformError) in try files.lockTogether(name) }
  }

  /// Runs `body` while no other process holds the lock `name`.
  package func locked<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    try withExtendedLifetime(try lock(name)) { try body() }
  }

  /// Exchanges this directory's name with another's, at once.
  package func exchange(with other: DeviceDirectory) throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try files.exchange(with: other.files) }
  }

  package func rename(to other: String) throws(AuthenticationError) {
    try onDevice { () throws(PlatformError) in try FileSystem.rename(path, to: other) }
  }
}

extension AuthenticationError {
  package init(_ error: PlatformError) {
    let code: Code =
      switch error.reason {
      case .directoryNotPrivate, .fileNotPrivate: .loose
      case .busy, .timedOut: .busy
      // None that this program wrote.
      case .notRegular, .tooLarge, .link: .storeDamaged
      case .system(.accessDenied): .permission
      case .system: error.isDiskFull ? .diskFull : .system
      }
    self.init(code, error.path, .said(error.explanation))
  }
}

/// Runs `body`, and converts errors of the operating system into errors of this module.
package func onDevice<Result>(
  _ body: () throws(PlatformError) -> Result
) throws(AuthenticationError) -> Result {
  do throws(PlatformError) { return try body() } catch { throw AuthenticationError(error) }
}
