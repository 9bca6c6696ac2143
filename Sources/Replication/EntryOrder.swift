package import Bytes

extension EntryHistory {
  /// The first of the entry's revisions that count, here or not.
  func firstStamp(in logs: Logs) -> Stamp? {
    let dots = [Array(revisions.keys), Array(taken)].joined()
    return dots.lazy.filter { !logs.isVoid($0) }.map(logs.stamp).min()
  }
}

extension Replica {
  /// When an entry was first told of, by an order that every replica computes alike.
  package func firstStamp(of entry: Identity) -> Stamp? { entries[entry]?.firstStamp(in: logs) }

  /// Entries in that order; what nothing is known of comes first.
  package func inOrder(_ entries: Set<Identity>) -> [Identity] {
    let stamped = entries.map { (entry: $0, stamp: firstStamp(of: $0)) }
    return stamped.sorted { one, other in
      guard let second = other.stamp else { return one.stamp == nil && one.entry < other.entry }
      return one.stamp.map { $0 == second ? one.entry < other.entry : $0 < second } ?? true
    }.map(\.entry)
  }
}
