internal import Bytes
internal import Entries
internal import Replication
internal import SealedFiles

extension ReplicaStore {
  /// Removes photos and files of entries that others purged, if no revision of any entry has them. Those that have not come are
  /// waited for no more.
  func removeDropped(_ edit: CatalogueEdit, _ mirror: SpaceMirror) throws(VaultError) {
    var objects: Set<ObjectName> = []
    for hash in record.dropped.keys
    where record.missingFiles.contains(hash) || mirror.has(.object(hash)) {
      if let name = ObjectName(bytes: hash.bytes) { objects.insert(name) }
    }
    // No file may be sealed in the meantime: an object without an entry may soon get one.
    guard !objects.isEmpty else { return }
    let lock = mirror.folder.lockObjects()
    defer { withExtendedLifetime(lock) {} }
    try edit.catalogue.walkHeaders { header throws(VaultError) in
      for owned in objects.intersection(try edit.catalogue.objects(of: header)) {
        objects.remove(owned)
        record.dropped[Hash(owned.bytes)] = nil
        sharedFiles.insert(Hash(owned.bytes))
      }
      return !objects.isEmpty
    }
    record.missingFiles.subtract(objects.map { Hash($0.bytes) })
    // Where there is nothing to lock, there is nothing to remove, or somebody seals a file.
    guard lock != nil else { return }
    // Those of a text that is not saved yet wait for it.
    let vault = edit.catalogue.vault
    mirror.folder.remove(objects.subtracting(vault.filesOfKeptTexts(vault).objects))
  }
}
