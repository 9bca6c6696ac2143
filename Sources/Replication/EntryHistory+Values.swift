internal import Bytes

/// Which values of a field count.
extension EntryHistory {
  /// The values of a field that count: those of each head, but what another head had seen and replaced. None that was purged,
  /// unless every revision repeats it. Of two texts or places of which each was given up for the other, both count.
  func counting(
    _ field: Field, _ rule: MergeRule, among heads: [Revision], in logs: Logs
  ) -> SortedSet<Value> {
    var purged: Purged?
    func isThere(_ value: Value) -> Bool {
      if value.carried != nil || revisions[value.set] != nil { return true }
      guard taken.contains(value.set) else { return false }
      purged = purged ?? self.purged(in: logs)
      return purged?.has(value.set, in: logs) == false
    }
    // Of one head alone nothing is replaced.
    if heads.count == 1 { return (heads[0].fields[field] ?? []).filter(isThere) }
    var holders: [Value: Int] = [:]
    for head in heads {
      for value in head.fields[field] ?? [] { holders[value, default: 0] += 1 }
    }
    // Who had seen an operation is found once, however many values it gave.
    var asked: [Dot: [Revision]] = [:]
    func seers(of dot: Dot) -> [Revision] {
      if let known = asked[dot] { return known }
      let found = heads.filter { $0.dot == dot || $0.has(seen: dot, in: logs) }
      asked[dot] = found
      return found
    }
    func has(_ head: Revision, _ value: Value) -> Bool {
      head.fields[field]?.contains(value) ?? false
    }
    func gaveUp(_ value: Value) -> [Revision] {
      seers(of: value.set).filter { !has($0, value) }
    }
    /// Whether each value of a head was given up by one that has this value.
    func isMutual(_ value: Value, _ head: Revision) -> Bool {
      guard let others = head.fields[field], !others.isEmpty else { return false }
      return others.allSatisfy { gaveUp($0).contains { has($0, value) } }
    }
    let isText = rule == .all || rule == .newest
    var found: [Value] = []
    for (value, count) in holders where isThere(value) {
      let isReplaced =
        count < heads.count
        && gaveUp(value).contains {
          !isText || holders.count > Self.mutualLimit || !isMutual(value, $0)
        }
      if !isReplaced { found.append(value) }
    }
    // Heads that replaced one another's: what every revision has is never without a value.
    if found.isEmpty {
      for head in heads {
        found += (head.fields[field] ?? []).filter {
          $0.carried != nil || isText && isThere($0)
        }
      }
    }
    return SortedSet(found)
  }

  /// Of more values that count at once, each goes that a head gave up: a device that lies could give any number.
  private static let mutualLimit = 16
}
