/// What several operations of one entry had seen, each without what it calls unseen: purges, which take it, or revisions, which follow
/// it. Asking costs about as much for very many operations as for a few, whoever made them.
struct Sight: Sendable {
  /// Of those that call nothing unseen, all together.
  private let plain: Logs.Seen
  /// Of the others, all together.
  private let careful: Logs.Seen
  /// Where the others stand in their segments, in order; the newest segments first.
  private let places: [(segment: Int, indices: [Int])]
  /// What the others call unseen, each with those that do, by their segments.
  private let unseen: [Dot: [Int: [Int]]]

  init(_ operations: some Sequence<(dot: Dot, unseen: Set<Dot>)>, in logs: Logs) {
    var (plain, careful): ([Dot], [Dot]) = ([], [])
    var places: [Int: [Int]] = [:]
    var unseen: [Dot: [Int: [Int]]] = [:]
    for operation in operations {
      guard !operation.unseen.isEmpty else {
        plain.append(operation.dot)
        continue
      }
      careful.append(operation.dot)
      places[operation.dot.segment, default: []].append(operation.dot.index)
      for dot in operation.unseen {
        unseen[dot, default: [:]][operation.dot.segment, default: []].append(operation.dot.index)
      }
    }
    self.plain = logs.seen(by: plain)
    self.careful = logs.seen(by: careful)
    self.places = places.sorted { $0.key > $1.key }.map { ($0.key, $0.value.sorted()) }
    self.unseen = unseen
  }

  /// Whether any of them had seen an operation and does not call it unseen.
  func has(_ dot: Dot, in logs: Logs) -> Bool {
    if logs.has(plain, dot) { return true }
    guard logs.has(careful, dot) else { return false }
    guard let exempt = unseen[dot] else { return true }
    return places.contains { segment, indices in
      let exempt = exempt[segment] ?? []
      // All operations of another segment had seen the same of this one.
      guard segment == dot.segment else {
        return indices.count > exempt.count && logs.has(segment, seen: dot.segment)
      }
      return indices.count { $0 > dot.index } > exempt.count { $0 > dot.index }
    }
  }
}
