package import Bytes

/// What is written here.
extension Replica {
  /// Gives fields of an entry new values; what is not named stays as it is shown, conflicts too.
  ///
  /// - Parameters:
  ///   - changes: the whole of a field's values.
  ///   - others: revisions that are merged, and stand beside this one as another device's would.
  @discardableResult
  package mutating func edit(
    _ entry: Identity, _ changes: FieldValues, beside others: Set<Dot> = []
  ) -> Dot {
    let dot = nextDot()
    let kept = history(entry)?.kept ?? FieldMap()
    var fields = candidates(kept)
    for (field, values) in changes {
      // An element that was there is not added anew.
      let there = rules[field]?.areElements ?? false ? kept[field] ?? [] : []
      fields[field] = SortedSet(
        values.flatMap { value in
          let known = there.filter { bytes(of: $0, field, in: entry) == value }
          return known.isEmpty ? [.given(value)] : known.map(\.candidate)
        })
    }
    write(
      .revision(entry, fields: fields, unseen: newest(unshown(entry, kept).union(others))), at: dot)
    return dot
  }

  /// What a revision says that keeps these values.
  func candidates(
    _ kept: FieldMap<SortedSet<EntryHistory.Value>>
  ) -> FieldMap<SortedSet<Candidate<Dot>>> {
    kept.mapValues { values in
      // More than a revision may have, if members gave so many: the newest stay.
      guard values.count > Segment.valueLimit else { return values.each(\.candidate) }
      let newest = values.sorted { logs.stamp($0.set) > logs.stamp($1.set) }
      return SortedSet(newest.prefix(Segment.valueLimit).map(\.candidate))
    }
  }

  /// - Parameter lacking: what was lacking of an entry of which all was forgotten since.
  @discardableResult
  package mutating func purge(_ entry: Identity, lacking: Set<Dot>? = nil) -> Dot {
    let dot = nextDot()
    // Of what does not count nothing may stay, either.
    let unseen = lacking ?? entries[entry]?.lacking(in: logs) ?? []
    write(.purge(entry, unseen: newest(unseen)), at: dot)
    return dot
  }

  /// Lets go of what the revisions of an entry say, which is to be purged.
  ///
  /// - Returns: those of which the body was not here.
  package mutating func forget(_ entry: Identity) -> Set<Dot> {
    let lacking = entries[entry]?.lacking(in: logs) ?? []
    entries[entry]?.forget()
    return lacking
  }

  package mutating func set(_ register: Identity, _ value: [UInt8]) {
    write(.set(register, value: value), at: nextDot())
  }

  /// The revisions of an entry that are merged and that nobody is shown here, since they are not here or do not count; of very
  /// many the newest.
  ///
  /// - Parameter kept: what is shown. What does not count is seen where a text or element of it is.
  func unshown(
    _ entry: Identity, _ kept: FieldMap<SortedSet<EntryHistory.Value>>
  ) -> Set<Dot> {
    guard let history = entries[entry] else { return [] }
    var unshown = history.lacking(in: logs)
    if !logs.void.isEmpty {
      let shown = Set(
        kept.filter { rules[$0.key].map { $0 == .all || $0.areElements } ?? false }.values.joined()
          .map(\.set))
      unshown.formUnion(
        history.revisions.keys.filter { logs.isVoid($0) && !shown.contains($0) })
    }
    return newest(unshown)
  }

  /// So many as an operation may call unseen.
  private func newest(_ unseen: Set<Dot>) -> Set<Dot> {
    guard unseen.count > Segment.unseenLimit else { return unseen }
    return Set(unseen.sorted { logs.stamp($0) > logs.stamp($1) }.prefix(Segment.unseenLimit))
  }
}
