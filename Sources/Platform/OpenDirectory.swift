internal import CPlatform

/// A directory that was opened, and a path that leads to it whatever is done with its name.
///
/// Who may write to the directory above can rename this one, and put a link or another directory in its place between two steps. What is
/// done through ``path`` is done in the directory that was opened.
package final class OpenDirectory: Sendable {
  private let directory: Descriptor
  package var path: String { Self.path(of: directory) }

  /// - Parameter path: whose links are followed.
  package init(_ path: String) throws(PlatformError) {
    directory = try Descriptor.open(path, [.directory])
  }

  /// One that was just made.
  ///
  /// - Throws: `link`; `directoryNotPrivate` when it is not empty, or somebody else's: then it is another.
  package convenience init(new path: String) throws(PlatformError) {
    try self.init(noFollow: path)
    guard try FileSystem.names(in: self.path).isEmpty, try isMadeByUs() else {
      throw PlatformError(.directoryNotPrivate, path)
    }
  }

  /// Whether it belongs to whom belongs what we make in it: on a file system that knows no owners, that is not always us.
  private func isMadeByUs() throws(PlatformError) -> Bool {
    let status = try directory.status()
    if status.isOurs { return true }
    let probe = path + "/.made"
    let file = try Descriptor.open(probe, [.write, .create, .exclusive, .noFollow])
    let owner = try file.status().owner
    try FileSystem.remove(probe)
    return owner == status.owner
  }

  private static let prefix = "/proc/self/fd/"

  /// One that is no link.
  package init(noFollow path: String) throws(PlatformError) {
    directory = try Descriptor.open(path, [.directory, .noFollow])
  }

  /// Whether a path names it, and no link to it.
  package func isNamed(_ path: String) -> Bool {
    guard let named = try? FileStatus(path), let own = try? directory.status() else { return false }
    return named.identity == own.identity
  }

  /// Removes what lies in it, and it itself where nothing else has its name by now, as far as that can be done.
  package func remove(_ name: String) {
    unsafe cplatform_remove_directory(directory.number, name)
  }

  /// Removes it when a signal ends us.
  func removeAtExit(_ name: String) -> Int32 {
    unsafe cplatform_guard_directory(directory.number, name)
  }

  /// Writes what lies in it, and all else of its file system, to the disk.
  package func synchronizeAll() throws(PlatformError) {
    guard cplatform_sync_all(directory.number) == 0 else { throw PlatformError(directory.name) }
  }

  /// With a dot behind it: what looks at the last component itself, and not where it leads, looks at the directory.
  static func path(of directory: Descriptor) -> String { "\(prefix)\(directory.number)/." }

  /// Whether a path is that of a directory that is open, not of something in it.
  package static func isOne(_ path: String) -> Bool { leads(path) && path.hasSuffix("/.") }

  /// Whether a path begins with a directory that is open: who resolves its links is led back to the name.
  package static func leads(_ path: String) -> Bool { path.hasPrefix(prefix) }
}
