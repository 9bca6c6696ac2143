internal import Bytes

/// Of each field what there is, as bytes.
private typealias Contents = FieldMap<Set<[UInt8]>>

/// Where the two sides of an entry parted of which a device brought one along, as it does that left the space and came in again: what the
/// entry was when both had it alike, and what each side has now. The others may have several heads, each of which parted by itself.
struct Parting {
  fileprivate struct Head {
    /// What it had alike with this side when it last did.
    let base: Contents
    let now: Contents
    /// What this side, and what the head, had given up since and then gave again.
    let mineAgain: Contents
    let again: Contents
    /// The revisions that there were by then.
    let before: Set<Dot>

    /// Whether a value is what both had alike. A title or text that was given, or given again, since then is not.
    func isOld(
      _ value: EntryHistory.Value, _ bytes: [UInt8], _ field: Field, _ rule: MergeRule,
      _ again: Contents
    ) -> Bool {
      guard base[field]?.contains(bytes) ?? false else { return false }
      guard rule == .all else { return true }
      return before.contains(value.set) && !(again[field]?.contains(bytes) ?? false)
    }
  }

  fileprivate let mine: Contents
  /// What counts of all that the others have.
  fileprivate let theirs: Contents
  fileprivate let heads: [Head]
  /// What this side had when it last had anything alike with any of them.
  fileprivate let latest: Contents

  /// What stays of a field: a value that one side had and the other has given up goes.
  ///
  /// - Parameters:
  ///   - all: the values that count, by either side.
  ///   - bytes: what a value is; nil for one that was purged.
  func left(
    _ all: SortedSet<EntryHistory.Value>, _ field: Field, _ rule: MergeRule,
    bytes: (EntryHistory.Value) -> [UInt8]?
  ) -> [EntryHistory.Value] {
    let (mine, theirs) = (mine[field] ?? [], theirs[field] ?? [])
    guard rule.areElements || rule == .all else {
      let isMineOld = mine.isSubset(of: latest[field] ?? [])
      // Of the heads of the others those that have what counts.
      let areTheirsOld = heads.allSatisfy {
        ($0.now[field] ?? []).intersection(theirs).isSubset(of: $0.base[field] ?? [])
      }
      return all.filter { value in
        guard isMineOld != areTheirsOld, let bytes = bytes(value) else { return true }
        return (isMineOld ? theirs : mine).contains(bytes)
      }
    }
    // Who ended a conflict with one of its texts chose that one.
    let chosen = [mine, theirs].filter { side in
      rule == .all && heads.contains { side.isStrictSubset(of: $0.base[field] ?? []) }
    }
    return all.filter { value in
      guard let bytes = bytes(value), !chosen.contains(where: { $0.contains(bytes) }) else {
        return true
      }
      return switch (mine.contains(bytes), theirs.contains(bytes)) {
      case (true, false):
        !heads.contains { $0.isOld(value, bytes, field, rule, $0.mineAgain) }
      // Also one that somebody gave anew without having heard of it here.
      case (false, true):
        heads.contains {
          $0.now[field]?.contains(bytes) ?? false && !$0.isOld(value, bytes, field, rule, $0.again)
        }
      default: true
      }
    }
  }
}

/// The two sides of an entry that a device brought along: what it brought and what followed that, and what knew nothing of it.
struct Sides {
  /// The revisions of each side that count, in order.
  fileprivate let own: [EntryHistory.Revision]
  fileprivate let others: [EntryHistory.Revision]
  fileprivate let mine: [EntryHistory.Revision]
  fileprivate let theirs: [EntryHistory.Revision]
}

extension EntryHistory {
  /// nil where all heads are of one side: then there is nothing to settle, because who followed what was brought was shown it.
  func sides(_ heads: [Revision], _ isBrought: (Dot) -> Bool, in logs: Logs) -> Sides? {
    let all = counting(in: logs).sorted { logs.stamp($0.dot) < logs.stamp($1.dot) }
    let brought = all.filter { isBrought($0.dot) }
    let own = all.filter { revision in
      isBrought(revision.dot) || brought.contains { revision.has(seen: $0.dot, in: logs) }
    }
    let side = Set(own.map(\.dot))
    let mine = heads.filter { side.contains($0.dot) }
    let theirs = heads.filter { !side.contains($0.dot) }
    guard !mine.isEmpty, !theirs.isEmpty else { return nil }
    return Sides(
      own: own, others: all.filter { !side.contains($0.dot) }, mine: mine, theirs: theirs)
  }

  /// Where the sides of an entry parted: after the last revision that both tell of. One that is told anew has the same times and texts.
  ///
  /// - Returns: nil where they tell of nothing alike.
  func parting(_ sides: Sides, _ rules: FieldMap<MergeRule>, in logs: Logs) -> Parting? {
    let (own, mine, theirs) = (sides.own, sides.mine, sides.theirs)
    // More heads only devices that lie have; looking at each of them would take long.
    guard theirs.count <= 8 else { return nil }
    let (now, there) = (contents(of: mine, rules, in: logs), contents(of: theirs, rules, in: logs))
    guard now != there else { return Parting(mine: now, theirs: there, heads: [], latest: now) }
    let (told, others) = (told(own, rules, in: logs), told(sides.others, rules, in: logs))
    var parted: [Parting.Head] = []
    var latest: (place: Int, base: Contents)?
    for head in theirs {
      let known = others.filter {
        $0.revision.dot == head.dot || head.has(seen: $0.revision.dot, in: logs)
      }
      guard let found = base(told, known, rules, in: logs) else { return nil }
      let its = contents(of: [head], rules, in: logs)
      parted.append(
        Parting.Head(
          base: found.base, now: its, mineAgain: again(mine, found.mine, rules, in: logs),
          again: again([head], found.theirs, rules, in: logs),
          before: Set((told + known).map(\.revision.dot))
            .subtracting((found.mine + found.theirs).map(\.revision.dot))))
      if latest.map({ $0.place < found.place }) ?? true { latest = (found.place, found.base) }
    }
    return Parting(mine: now, theirs: there, heads: parted, latest: latest?.base ?? [:])
  }

  /// A revision that one side tells of, and what it is known by.
  private struct Told {
    let revision: Revision
    let likeness: Contents
    let contents: Contents
  }

  private func told(
    _ revisions: [Revision], _ rules: FieldMap<MergeRule>, in logs: Logs
  ) -> [Told] {
    revisions.compactMap { revision in
      likeness(of: revision, rules).map {
        Told(
          revision: revision, likeness: $0, contents: contents(of: [revision], rules, in: logs))
      }
    }
  }

  /// What some heads have that a revision which they followed on the way did not have.
  private func again(
    _ heads: [Revision], _ way: [Told], _ rules: FieldMap<MergeRule>, in logs: Logs
  ) -> Contents {
    var again = Contents()
    for head in heads {
      let before = way.filter { head.has(seen: $0.revision.dot, in: logs) }
      for (field, values) in contents(of: [head], rules, in: logs) {
        let new = values.filter { value in
          before.contains { !($0.contents[field]?.contains(value) ?? false) }
        }
        again[field] = (again[field] ?? []).union(new)
      }
    }
    return again
  }

  /// What both told of alike when they last did, and its place among what this side told; nil where there is nothing.
  ///
  /// - Returns: also what each side told since. A revision that is told beside others, and whose times and texts all stand in those that both
  ///   told of, is none of that: it is what somebody was shown of several of them, and told anew.
  private func base(
    _ own: [Told], _ there: [Told], _ rules: FieldMap<MergeRule>, in logs: Logs
  ) -> (place: Int, base: Contents, mine: [Told], theirs: [Told])? {
    var others = Dictionary(grouping: there, by: \.likeness)
    var common: [(place: Int, mine: Told, theirs: Told)] = []
    for (place, one) in own.enumerated() {
      guard let like = others[one.likeness], let first = like.first else { continue }
      // Of several of one second, one that has all else alike, too.
      let other = like.first { $0.contents == one.contents } ?? first
      common.append((place, one, other))
      // What came before one that was told already was told before it.
      let known = other.revision
      others = others.mapValues { left in
        left.filter {
          $0.revision.dot != known.dot && !known.has(seen: $0.revision.dot, in: logs)
        }
      }
    }
    guard let last = common.last else { return nil }
    func ends(_ revisions: [Revision]) -> Set<Dot> {
      Set(
        revisions.filter { one in !revisions.contains { $0.has(seen: one.dot, in: logs) } }
          .map(\.dot))
    }
    // Who told of it anew had one after the other what in the space stood side by side.
    let ended = ends(common.map(\.mine.revision)).union(ends(common.map(\.theirs.revision)))
    var base = Contents()
    // Of two of one second that are not alike, what they have alike.
    for pair in common {
      let (one, other) = (pair.mine.contents, pair.theirs.contents)
      let isEnd =
        ended.contains(pair.mine.revision.dot) || ended.contains(pair.theirs.revision.dot)
      for (field, rule) in rules where rule != .trash {
        let alike = (one[field] ?? []).intersection(other[field] ?? [])
        if rule.areElements || rule == .all {
          if isEnd { base[field] = (base[field] ?? []).union(alike) }
        } else if one[field] == other[field] {
          base[field] = one[field]
        }
      }
    }
    let known = common.reduce(into: Contents()) { known, pair in
      for (field, values) in pair.mine.likeness {
        known[field] = (known[field] ?? []).union(values)
      }
    }
    func isNew(_ one: Told) -> Bool {
      one.revision.unseen.isEmpty
        || one.likeness.contains { !$0.value.isSubset(of: known[$0.key] ?? []) }
    }
    // Of what this side has, much may stand beside that.
    let since = own.filter { one in
      !common.contains { pair in
        let known = pair.mine.revision
        return known.dot == one.revision.dot || known.has(seen: one.revision.dot, in: logs)
      }
    }
    return (last.place, base, since.filter(isNew), others.values.joined().filter(isNew))
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

  /// What counts of some revisions.
  private func contents(
    of revisions: [Revision], _ rules: FieldMap<MergeRule>, in logs: Logs
  ) -> Contents {
    var contents = Contents()
    for (field, rule) in rules where rule != .trash {
      contents[field] = Set(
        counting(field, rule, among: revisions, in: logs).compactMap { bytes(of: $0, field) })
    }
    return contents
  }
}
