internal import Bytes

/// Finds what a segment's operations name.
extension Replica {
  /// Why an operation says nothing: it names what is no operation of that segment's past, or a value in a form or of an entry that
  /// it may not have.
  private struct Unfit: Error {}

  /// The operations with the places they name as they stand here. One that names what it may not says nothing, as if its body
  /// were gone.
  func resolved(
    _ segment: Segment, at place: Int, _ previous: Int?, _ ends: [Int]
  ) -> [Operation<Dot>] {
    var operations: [Operation<Dot>] = []
    operations.reserveCapacity(segment.operations.count)
    for (index, operation) in segment.operations.enumerated() {
      let dot = Dot(segment: place, index: index)
      let resolved: Operation<Dot>
      do throws(Unfit) {
        resolved = try self.resolved(operation, at: dot, segment, previous, ends, operations)
      } catch {
        if case .revision(let entry, _, _) = operation {
          resolved = .revisionGone(entry)
        } else {
          resolved = .setGone(segment.operations[index].id)
        }
      }
      operations.append(resolved)
    }
    return operations
  }

  private func resolved(
    _ operation: Operation<OperationPlace>, at dot: Dot, _ segment: Segment, _ previous: Int?,
    _ ends: [Int], _ before: [Operation<Dot>]
  ) throws(Unfit) -> Operation<Dot> {
    func unseen(_ places: Set<OperationPlace>, _ entry: Identity) throws(Unfit) -> Set<Dot> {
      var unseen: Set<Dot> = []
      for place in places {
        let other = try self.dot(place, in: dot, segment, previous, ends)
        guard isRevision(other, of: entry, before, dot) else { throw Unfit() }
        unseen.insert(other)
      }
      return unseen
    }
    if case .purge(let entry, let places) = operation {
      return .purge(entry, unseen: try unseen(places, entry))
    }
    guard case .revision(let entry, let fields, let places) = operation else {
      return operation.unplaced
    }
    var resolved = FieldMap<SortedSet<Candidate<Dot>>>()
    resolved.reserveCapacity(fields.count)
    for (field, candidates) in fields {
      let values = try candidates.each { candidate throws(Unfit) in
        let value = try candidate.map { place throws(Unfit) in
          try self.dot(place, in: dot, segment, previous, ends)
        }
        guard isFit(value, field, of: entry, before, dot) else { throw Unfit() }
        return value
      }
      if rules[field]?.isSingle ?? true, candidates.count(where: \.isGiven) > 1 { throw Unfit() }
      resolved.append(field, values)
    }
    return .revision(entry, fields: resolved, unseen: try unseen(places, entry))
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
  ) throws(Unfit) -> Dot {
    switch place.end {
    case OperationPlace.itself:
      guard (0...dot.index).contains(place.index), place.sequence == segment.sequence else {
        throw Unfit()
      }
      return Dot(segment: dot.segment, index: place.index)
    default:
      let index = place.end - 1 - (previous == nil ? 1 : 0)
      guard ends.indices.contains(index), let found = logs.ancestor(ends[index], place.sequence),
        (0..<logs.entries[found].count).contains(place.index)
      else { throw Unfit() }
      return Dot(segment: found, index: place.index)
    }
  }
}
