package import Bytes
package import Entries
internal import Platform

/// What the store does not have of a space that was left, and is sent when the diary comes in again.
extension SpaceMirror {
  /// Segments of this device, and records of the roster, of a space that was left. Nobody moves them: the names of objects do not begin so.
  private static let unsent = "unsent"

  /// Puts aside the segments of some devices, and the records of the roster, that the store did not have when it was last looked at, as far
  /// as that can be done, and takes away everything else.
  package func clear(keepingUnsentOf devices: Set<DeviceID>) {
    let listing = listing() ?? []
    let kept = devices.isEmpty ? [] : names().subtracting(listing)
    for name in kept {
      switch name {
      case .log(let end) where devices.contains(end.device): break
      case .roster: break
      default: continue
      }
      let path = folder.sync + "/" + Self.unsent + "/" + name.text
      try? FileSystem.makeDirectories(FileSystem.parent(of: path))
      try? FileSystem.rename(self.path(name), to: path)
      try? FileSystem.synchronize(directory: FileSystem.parent(of: path))
    }
    for name in (try? FileSystem.names(in: folder.sync)) ?? []
    where name != Self.unsent || !FileSystem.isDirectory(folder.sync + "/" + name) {
      FileSystem.removeTree(folder.sync + "/" + name)
    }
  }

  /// Puts these back where they are sent from.
  ///
  /// - Returns: which these are.
  package func bringBackUnsent() throws(VaultError) -> [ObjectPath] {
    let place = folder.sync + "/" + Self.unsent
    var found: [ObjectPath] = []
    func visit(_ directory: String) throws(VaultError) {
      for (name, isFile) in (try? FileSystem.entries(in: place + directory)) ?? [] {
        let path = directory + "/" + name
        guard isFile else {
          if FileSystem.isDirectory(place + path) { try visit(path) }
          continue
        }
        guard let object = ObjectPath(String(path.dropFirst())), !has(object) else { continue }
        try onDisk { () throws(PlatformError) in
          let target = FileSystem.parent(of: self.path(object))
          try FileSystem.makeDirectories(target)
          try FileSystem.rename(place + path, to: self.path(object))
          try FileSystem.synchronize(directory: target)
        }
        found.append(object)
      }
    }
    for kind in ["log", "roster"] { try visit("/" + kind) }
    dropUnsent()
    return found
  }

  /// Takes these segments away, of a space that this device has nothing to do with any more.
  package func dropUnsent() { FileSystem.removeTree(folder.sync + "/" + Self.unsent) }
}
