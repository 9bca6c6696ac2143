internal import CLibrary
internal import CPlatform

/// A folder somebody named, for reading what lies in it and below: never through a link, never outside.
///
/// Names come from files that anybody may have made. Each is resolved from the folder that was opened, component by
/// component, so that neither a link in its place nor one put there meanwhile leads anywhere else.
package final class InputFolder: Sendable {
  package let path: String
  private let directory: Descriptor

  /// - Parameter path: the owner's own word, which may be a link.
  package init(_ path: String) throws(PlatformError) {
    self.path = path
    directory = try Descriptor.open(path, [.directory])
  }

  /// The names in it, without those that begin with a dot, sorted.
  package func names() throws(PlatformError) -> [String] {
    try FileSystem.names(in: "/proc/self/fd/\(directory.number)").filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// What is below a folder, by paths from it, sorted.
  package struct Contents: Sendable, Equatable {
    /// Everything that is no folder, without names that begin with a dot. Links are not followed.
    package fileprivate(set) var files: [String] = []
    /// Folders that cannot be opened or lie too deep.
    package fileprivate(set) var closed: [String] = []

    package init() {}
  }

  package func contents(depth: Int = 16) throws(PlatformError) -> Contents {
    var found = Contents()
    try find("", directory, depth, &found)
    found.files.sort()
    found.closed.sort()
    return found
  }

  private func find(
    _ place: String, _ folder: Descriptor, _ depth: Int, _ found: inout Contents
  ) throws(PlatformError) {
    for name in try FileSystem.names(in: "/proc/self/fd/\(folder.number)")
    where !name.hasPrefix(".") {
      let path = place + name
      let number = retrying { Int(unsafe cplatform_open_beneath(directory.number, path)) }
      let below = number >= 0 ? Descriptor(Int32(number), name: self.path + "/" + path) : nil
      let status = try? below?.status() ?? FileStatus(self.path + "/" + path)
      guard status?.kind == .directory else {
        found.files.append(path)
        continue
      }
      guard let below, depth > 0 else {
        found.closed.append(path)
        continue
      }
      try find(path + "/", below, depth - 1, &found)
    }
  }

  /// A regular file below the folder, nil when there is none by that name.
  ///
  /// - Parameter relative: a path from the folder.
  /// - Throws: `link` when a link is on the way, `notRegular` for anything that is no file.
  package func open(_ relative: String) throws(PlatformError) -> Descriptor? {
    let place = path + "/" + relative
    guard !relative.utf8.contains(0) else { return nil }
    let number = retrying { Int(unsafe cplatform_open_beneath(directory.number, relative)) }
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR, ENAMETOOLONG: return nil
      case ELOOP, EXDEV: throw PlatformError(.link, place)
      default: throw PlatformError(place)
      }
    }
    let file = Descriptor(Int32(number), name: place)
    guard try file.status().kind == .regular else { throw PlatformError(.notRegular, place) }
    return file
  }

  /// Whether there is a regular file by that name, reached without a link.
  package func hasFile(_ relative: String) -> Bool { (try? open(relative)) != nil }
}
