package import Bytes

/// What is written here.
extension Replica {
  /// Gives fields of an entry new values; what is not named stays as it is shown, conflicts too.
  ///
  /// - Parameter changes: the whole of a field's values.
  @discardableResult
  package mutating func edit(_ entry: Identity, _ changes: FieldMap<[[UInt8]]>) -> Dot {
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
    write(.revision(entry, fields: fields, unseen: unshown(entry, kept)), at: dot)
    return dot
  }

  /// What a revision says that keeps these values.
  private func candidates(
    _ kept: FieldMap<SortedSet<EntryHistory.Value>>
  ) -> FieldMap<SortedSet<Candidate<Dot>>> {
    kept.mapValues { values in
      // More than a revision may have, if members gave so many: the newest stay.
      guard values.count > Segment.valueLimit else { return SortedSet(values.map(\.candidate)) }
      let newest = values.sorted { logs.stamp($0.set) > logs.stamp($1.set) }
      return SortedSet(newest.prefix(Segment.valueLimit).map(\.candidate))
    }
  }

  /// Ends an entry's conflict where all texts but one are what stood there before: this device brought an older text along when it came
  /// into the space, or the text that followed one that the others have. Nothing is given anew: what somebody writes at the same time over
  /// the text that stays takes its place.
  ///
  /// - Returns: whether it did.
  package mutating func settle(_ entry: Identity) -> Bool {
    guard let history = entries[entry], let shown = history.shown(rules, in: logs),
      !shown.conflicts.isEmpty
    else { return false }
    var kept = shown.kept
    for field in shown.conflicts {
      // A device that lies gives any number.
      guard kept[field]?.count ?? 0 <= EntryHistory.few else { return false }
      let values = (kept[field] ?? []).filter {
        !history.isOutdated($0, field, among: kept[field] ?? [], broughtBy: device, in: logs)
      }
      guard Set(values.map { history.bytes(of: $0, field) }).count == 1 else { return false }
      kept[field] = SortedSet(values)
    }
    let dot = nextDot()
    write(
      .revision(entry, fields: candidates(kept), unseen: unshown(entry, shown.kept)), at: dot)
    return true
  }

  @discardableResult
  package mutating func purge(_ entry: Identity) -> Dot {
    let dot = nextDot()
    // Of what does not count nothing may stay, either.
    write(.purge(entry, unseen: newest(entries[entry]?.lacking(in: logs) ?? [])), at: dot)
    return dot
  }

  package mutating func set(_ register: Identity, _ value: [UInt8]) {
    write(.set(register, value: value), at: nextDot())
  }

  /// The revisions of an entry that are merged and that nobody is shown here, since they are not here or do not count; of very
  /// many the newest.
  ///
  /// - Parameter kept: what is shown. What does not count is seen where a text or element of it is.
  private func unshown(
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

extension EntryHistory {
  /// Whether a value is what stood in a field before another that counts: who gave that one had seen a revision which gave the same. It
  /// is only asked of what a device told before it had heard of any other, of either of the two.
  fileprivate func isOutdated(
    _ value: Value, _ field: Field, among all: SortedSet<Value>, broughtBy device: DeviceID,
    in logs: Logs
  ) -> Bool {
    guard let bytes = bytes(of: value, field) else { return false }
    func isBrought(_ dot: Dot) -> Bool {
      logs.entries[dot.segment].isAlone && logs.entries[dot.segment].device == device
    }
    let former = revisions.values.filter {
      $0.given[field]?.contains(bytes) ?? false && !logs.isVoid($0.dot)
    }
    return all.contains { other in
      (isBrought(value.set) || isBrought(other.set)) && self.bytes(of: other, field) != bytes
        && former.contains { $0.dot != other.set && logs.has(other.set, seen: $0.dot) }
    }
  }
}
