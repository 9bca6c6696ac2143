internal import Bytes

/// Finds what a segment's operations name.
extension Replica {
  /// The operations with the places they name as they stand here.
  func resolved(
    _ segment: Segment, at place: Int, _ previous: Int?, _ ends: [Int]
  ) throws(Refusal) -> [Operation<Dot>] {
    var operations: [Operation<Dot>] = []
    operations.reserveCapacity(segment.operations.count)
    for (index, operation) in segment.operations.enumerated() {
      let dot = Dot(segment: place, index: index)
      func unseen(_ places: Set<OperationPlace>, _ entry: Identity) throws(Refusal) -> Set<Dot> {
        var unseen: Set<Dot> = []
        for place in places {
          let other = try self.dot(place, in: dot, segment, previous, ends)
          guard isRevision(other, of: entry, operations, dot) else { throw .forged }
          unseen.insert(other)
        }
        return unseen
      }
      if case .purge(let entry, let places) = operation {
        operations.append(.purge(entry, unseen: try unseen(places, entry)))
        continue
      }
      guard case .revision(let entry, let fields, let places) = operation else {
        operations.append(operation.unplaced)
        continue
      }
      var resolved: [Field: Set<Candidate<Dot>>] = [:]
      resolved.reserveCapacity(fields.count)
      for (field, candidates) in fields {
        var values: Set<Candidate<Dot>> = []
        for candidate in candidates {
          let value = try candidate.map { place throws(Refusal) in
            try self.dot(place, in: dot, segment, previous, ends)
          }
          guard isFit(value, field, of: entry, operations, dot) else { throw .forged }
          values.insert(value)
        }
        if rules[field]?.isSingle ?? true, candidates.count(where: \.isGiven) > 1 { throw .forged }
        resolved[field] = values
      }
      operations.append(
        .revision(entry, fields: resolved, unseen: try unseen(places, entry)))
    }
    return operations
  }

  /// Whether a value is one that its field may have, and names a revision of the same entry. What that one gave does not matter:
  /// it may be purged, and this must be the same for every reader.
  private func isFit(
    _ candidate: Candidate<Dot>, _ field: Field, of entry: Identity, _ before: [Operation<Dot>],
    _ dot: Dot
  ) -> Bool {
    let set: Dot
    switch candidate {
    case .given: return rules[field] != nil
    case .kept(let place, _):
      guard let rule = rules[field], rule != .carried else { return false }
      set = place
    case .carried(let place, _):
      guard rules[field] == .carried else { return false }
      set = place
    }
    return isRevision(set, of: entry, before, dot)
  }

  private func isRevision(
    _ place: Dot, of entry: Identity, _ before: [Operation<Dot>], _ dot: Dot
  ) -> Bool {
    guard place.segment == dot.segment else { return entries[entry]?.has(place) ?? false }
    switch before.indices.contains(place.index) ? before[place.index] : nil {
    case .revision(entry, _, _), .revisionGone(entry): return true
    default: return false
    }
  }

  private func dot(
    _ place: OperationPlace, in dot: Dot, _ segment: Segment, _ previous: Int?, _ ends: [Int]
  ) throws(Refusal) -> Dot {
    switch place.end {
    case OperationPlace.itself:
      guard (0...dot.index).contains(place.index), place.sequence == segment.sequence else {
        throw .broken
      }
      return Dot(segment: dot.segment, index: place.index)
    default:
      let index = place.end - 1 - (previous == nil ? 1 : 0)
      guard ends.indices.contains(index), let found = logs.ancestor(ends[index], place.sequence),
        (0..<logs.entries[found].count).contains(place.index)
      else { throw .broken }
      return Dot(segment: found, index: place.index)
    }
  }
}
