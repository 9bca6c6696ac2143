internal import Bytes
internal import Replication
internal import SealedFiles

/// How much is read again of what was read in vain before: segments that wait for others, and packs with such segments or with what
/// cannot be read. Everybody who ever took part can put any number of them into the place. Of each device some are read again at a sync,
/// by chance, so that the turn of each one comes, and so that nobody delays what another device wrote.
enum RereadLimit {
  /// Bytes for each device; one object is read whatever its size.
  private static let bytes = 8 << 20

  /// The objects that are not read this time.
  static func leftOut(of store: ReplicaStore, _ mirror: SpaceMirror) -> Set<Hash> {
    let vain = store.record.readInVain
    guard !vain.isEmpty else { return [] }
    var objects: [DeviceID?: [ObjectPath]] = [:]
    for object in mirror.names() {
      if let author = vain[object.hash] { objects[author, default: []].append(object) }
    }
    var leftOut: Set<Hash> = []
    for objects in objects.values {
      var left = bytes
      for object in objects.shuffled() {
        if left <= 0 { leftOut.insert(object.hash) }
        left -= mirror.size(object) ?? 0
      }
    }
    return leftOut
  }
}
