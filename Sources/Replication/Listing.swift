package import Bytes

/// What a listing of the store's logs says beside what is known here.
package struct Comparison: Equatable, Sendable {
  /// Segments that are new here, in the order of their logs.
  package fileprivate(set) var fetch: [LogEnd] = []
  /// Segments here that the store never had, as far as is known: this device's, also those under an earlier id.
  package fileprivate(set) var put: [LogEnd] = []
  /// Segments that the store had and no longer has.
  package fileprivate(set) var lost: [LogEnd] = []
  /// Own numbers with segments that were not written here: this device is a copy, or there is one.
  package fileprivate(set) var cloned: [LogEnd] = []
}

extension Replica {
  /// What there is to do after a listing.
  ///
  /// - Parameters:
  ///   - listing: the names of all segments in the store.
  ///   - stored: the hashes of all segments that were seen in the store, or taken by it.
  ///   - packed: those in packs of the listing that are held here: they need not stand there by themselves.
  package func compare(
    _ listing: Set<LogEnd>, stored: Set<Hash>, packed: Set<Hash> = []
  ) -> Comparison {
    var comparison = Comparison()
    for name in listing.sorted() where !has(name.hash) {
      comparison.fetch.append(name)
      if name.device == device { comparison.cloned.append(name) }
    }
    for name in merged.sorted()
    where !listing.contains(name) && !packed.contains(name.hash) {
      if stored.contains(name.hash) {
        comparison.lost.append(name)
      } else {
        comparison.put.append(name)
      }
    }
    return comparison
  }
}
