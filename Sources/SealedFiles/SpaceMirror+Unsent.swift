package import Bytes
package import Entries
internal import Platform

/// What the store does not have of a space that was left, and is sent when the diary comes in again.
extension SpaceMirror {
  /// Segments of this device, and records of the roster, of a space that was left. Nobody moves them: the names of objects do not begin so.
  private static let unsent = "unsent"
  private var place: String { folder.sync + "/" + Self.unsent }

  /// Puts aside the segments of some devices, and the records of the roster, that the store did not have when it was last looked at, as far
  /// as that can be done, and takes away everything else.
  package func clear(keepingUnsentOf devices: Set<DeviceID>) {
    guard isFolder else { return }
    let kept = devices.isEmpty ? [] : names().subtracting(listing() ?? [])
    for name in kept {
      switch name {
      case .log(let end) where devices.contains(end.device): break
      case .roster: break
      default: continue
      }
      try? move(self.path(name), to: place + "/" + name.text)
    }
    clear { $0 != Self.unsent || !FileSystem.isDirectory(place) }
  }

  /// Puts these back where they are sent from.
  package func bringBackUnsent() throws(VaultError) {
    var unsent: Set<ObjectPath> = []
    Self.find(in: place, into: &unsent)
    for object in unsent where !has(object) {
      switch object {
      case .log, .roster: break
      default: continue
      }
      try onDisk { () throws(PlatformError) in
        try move(place + "/" + object.text, to: path(object))
      }
    }
    dropUnsent()
  }

  /// The segments of some devices that the store was never seen to have.
  package func unsent(of devices: Set<DeviceID>) -> [LogEnd] {
    let seen = stored().union(listing() ?? [])
    return names().compactMap { name in
      guard case .log(let end) = name, devices.contains(end.device), !seen.contains(name) else {
        return nil
      }
      return end
    }
  }

  /// Takes these segments away, of a space that this device has nothing to do with any more.
  package func dropUnsent() { FileSystem.removeTree(place) }

  private func move(_ path: String, to target: String) throws(PlatformError) {
    let directory = FileSystem.parent(of: target)
    try FileSystem.makeDirectories(directory)
    try FileSystem.rename(path, to: target)
    try FileSystem.synchronize(directory: directory)
  }
}
