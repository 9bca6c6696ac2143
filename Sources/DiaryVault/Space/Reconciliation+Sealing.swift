internal import Bytes
internal import Entries
internal import Platform
internal import Replication
internal import SealedFiles
internal import Sealing

extension Reconciliation {
  /// Seals what was done here as a segment, which waits in the mirror until it counts.
  func seal(_ local: LocalChanges, _ store: ReplicaStore) throws(VaultError) -> Bool {
    guard let space = store.record.space, let roster = store.record.roster,
      let key = store.record.keys[roster.epoch]
    else { return false }
    let identity = try unsealing(.ownKeys) { () throws(SealingError) in
      try store.record.identity()
    }
    var object: [UInt8] = []
    var hash: Hash?
    let segment = try unsealing(.segment) { () throws(SealingError) in
      try store.replica.seal { segment throws(SealingError) in
        let whole = try segment.replacing(ReplicatedEntry.body) { digest throws(SealingError) in
          guard let text = local.texts[digest] else { throw .malformed }
          return text
        }
        let copy = SignedSegment(whole, in: space, by: identity.signing)
        var isRead = false
        var sealed: Result<[UInt8], SealingError> = .failure(.malformed)
        Parallel.both {
          sealed = Result { () throws(SealingError) in try copy.sealed(in: space, key: key) }
        } and: {
          // The writer is the first reader.
          isRead =
            copy.header.isReadable && SegmentOpener.Opened(copy, size: 0).segment == segment
        }
        guard isRead else { throw .malformed }
        object = try sealed.get()
        let name = copy.header.hash(in: space)
        hash = name
        return name
      }
    }
    guard let segment, let hash else { return false }
    guard object.count <= Segment.sizeLimit else {
      throw VaultError(.record, expected: .atMostBytes(Segment.sizeLimit))
    }
    let end = LogEnd(device: segment.device, sequence: segment.sequence, hash: hash)
    mirror.removePending(but: end)
    try mirror.prepare(end, object)
    try mirror.putAgain(local.files)
    store.record.pending = end
    store.record.unpublished.insert(hash)
    report.pushed += 1
    return true
  }
}
