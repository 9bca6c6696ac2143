internal import Bytes

/// Of each field what there is, as bytes.
private typealias Contents = FieldMap<Set<[UInt8]>>

/// Where the two sides of an entry parted of which a device brought one along, as it does that left the space and came in again: what the
/// entry was when both had it alike, and what each side has now.
struct Parting {
  fileprivate let base: Contents
  fileprivate let mine: Contents
  fileprivate let theirs: Contents

  /// What stays of a field: a value that one side had and the other has given up goes.
  ///
  /// - Parameters:
  ///   - all: the values that count, by either side.
  ///   - bytes: what a value is; nil for one that was purged.
  func left<Value>(
    _ all: some Sequence<Value>, _ field: Field, _ rule: MergeRule,
    bytes: (Value) -> [UInt8]?
  ) -> [Value] {
    let (base, mine) = (base[field] ?? [], mine[field] ?? [])
    let theirs = theirs[field] ?? []
    guard rule.areElements || rule == .all else {
      let (isMineOld, areTheirsOld) = (mine.isSubset(of: base), theirs.isSubset(of: base))
      return all.filter { value in
        guard isMineOld != areTheirsOld, let bytes = bytes(value) else { return true }
        return (isMineOld ? theirs : mine).contains(bytes)
      }
    }
    // Who ended a conflict with one of its texts chose that one.
    let chosen = [mine, theirs].filter { rule == .all && $0.isStrictSubset(of: base) }
    return all.filter { value in
      guard let bytes = bytes(value), base.contains(bytes) else { return true }
      return mine.contains(bytes) && theirs.contains(bytes)
        || chosen.contains { $0.contains(bytes) }
    }
  }
}

extension EntryHistory {
  /// Where the sides of an entry parted: after the last revision that both tell of. One that is told anew has the same times and texts.
  ///
  /// - Returns: nil where there are no two sides, or they tell of nothing alike.
  func parting(
    _ heads: [Revision], _ rules: FieldMap<MergeRule>, _ isBrought: (Dot) -> Bool, in logs: Logs
  ) -> Parting? {
    let all = counting(in: logs).sorted { logs.stamp($0.dot) < logs.stamp($1.dot) }
    let brought = all.filter { isBrought($0.dot) }
    let own = all.filter { revision in
      isBrought(revision.dot) || brought.contains { revision.has(seen: $0.dot, in: logs) }
    }
    let side = Set(own.map(\.dot))
    let mine = heads.filter { side.contains($0.dot) }
    let theirs = heads.filter { !side.contains($0.dot) }
    guard !mine.isEmpty, !theirs.isEmpty else { return nil }
    let (now, there) = (contents(of: mine, rules), contents(of: theirs, rules))
    guard now != there else { return Parting(base: [:], mine: now, theirs: there) }
    var others: [Contents: [(revision: Revision, contents: Contents)]] =
      [:]
    for revision in all where !side.contains(revision.dot) {
      guard let likeness = likeness(of: revision, rules) else { continue }
      others[likeness, default: []].append((revision, contents(of: [revision], rules)))
    }
    var common: [(mine: Revision, theirs: Revision)] = []
    for revision in own {
      guard let likeness = likeness(of: revision, rules),
        let like = others[likeness], let first = like.first
      else { continue }
      // Of several of one second, one that has all else alike, too.
      let told = contents(of: [revision], rules)
      let other = (like.first { $0.contents == told } ?? first).revision
      common.append((revision, other))
      // What came before one that was told already was told before it.
      others = others.mapValues { left in
        left.filter {
          $0.revision.dot != other.dot && !other.has(seen: $0.revision.dot, in: logs)
        }
      }
    }
    guard let last = common.last else { return nil }
    func ends(_ revisions: [Revision]) -> [Revision] {
      revisions.filter { one in !revisions.contains { $0.has(seen: one.dot, in: logs) } }
    }
    // Who told of it anew had one after the other what in the space stood side by side.
    let both = contents(of: ends(common.map(\.mine)) + ends(common.map(\.theirs)), rules)
    var base = contents(of: [last.mine], rules)
    for (field, rule) in rules where rule.areElements || rule == .all { base[field] = both[field] }
    return Parting(base: base, mine: now, theirs: there)
  }

  /// By what a revision is known where it is told anew: its times and texts. nil where any of that was purged.
  private func likeness(
    of revision: Revision, _ rules: FieldMap<MergeRule>
  ) -> Contents? {
    var likeness = Contents()
    for (field, rule) in rules where rule == .carried || rule == .all {
      let values = (revision.fields[field] ?? []).map { bytes(of: $0, field) }
      guard !values.contains(nil) else { return nil }
      likeness[field] = Set(values.compactMap(\.self))
    }
    return likeness
  }

  private func contents(
    of revisions: [Revision], _ rules: FieldMap<MergeRule>
  ) -> Contents {
    var contents = Contents()
    for (field, rule) in rules where rule != .trash {
      contents[field] = Set(
        revisions.flatMap { $0.fields[field] ?? [] }.compactMap { bytes(of: $0, field) })
    }
    return contents
  }
}
