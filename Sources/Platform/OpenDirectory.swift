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
  /// - Throws: `link`; `directoryNotPrivate` when it is not empty: then it is another.
  package init(new path: String) throws(PlatformError) {
    directory = try Descriptor.open(path, [.directory, .noFollow])
    guard try FileSystem.names(in: self.path).isEmpty else {
      throw PlatformError(.directoryNotPrivate, path)
    }
  }

  private static let prefix = "/proc/self/fd/"

  /// With a dot behind it: what looks at the last component itself, and not where it leads, looks at the directory.
  static func path(of directory: Descriptor) -> String { "\(prefix)\(directory.number)/." }

  /// Whether a path begins with a directory that is open: who resolves its links is led back to the name.
  package static func leads(_ path: String) -> Bool { path.hasPrefix(prefix) }
}
