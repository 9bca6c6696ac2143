internal import CPlatform
internal import Glibc

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

  /// The paths from the folder of everything below that is no folder, sorted; without names that begin with a dot.
  /// Folders deeper than that are passed over, and links are not followed.
  package func paths(depth: Int = 16) throws(PlatformError) -> [String] {
    var found: [String] = []
    try find("", directory, depth, &found)
    return found.sorted()
  }

  private func find(
    _ place: String, _ folder: Descriptor, _ depth: Int, _ found: inout [String]
  ) throws(PlatformError) {
    for name in try FileSystem.names(in: "/proc/self/fd/\(folder.number)")
    where !name.hasPrefix(".") {
      let path = place + name
      let number = retrying { Int(unsafe cplatform_open_beneath(directory.number, path)) }
      let below = number >= 0 ? Descriptor(Int32(number), name: self.path + "/" + path) : nil
      if let below, try below.status().kind == .directory {
        if depth > 0 { try find(path + "/", below, depth - 1, &found) }
      } else {
        found.append(path)
      }
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
