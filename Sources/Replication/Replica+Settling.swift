package import Bytes

/// What comes of the values that a device brought along when it came into the space, with a diary of its own or again. It told of all it
/// has before it had heard of any other, so that each value stands beside those of the others as if both had been changed at the same time.
extension Replica {
  /// Whether this device brought an entry along.
  package func hasBrought(_ entry: Identity) -> Bool {
    entries[entry]?.revisions.keys.contains { isBroughtHere($0) } ?? false
  }

  /// Of a journal, kind or template: the value that this device brought along and that nobody has replaced, and beside it those that
  /// others gave, the one with the highest stamp first; nil where it brought none.
  package func brought(
    _ register: Identity
  ) -> (value: [UInt8], others: [[UInt8]])? {
    guard let values = registers[register]?.values,
      let own = values.keys.first(where: isBroughtHere), let value = values[own]
    else { return nil }
    let others = values.filter { $0.key != own }
    return (
      value, others.sorted { logs.stamp($0.key) > logs.stamp($1.key) }.map(\.value)
    )
  }

  /// Whether others have heard of the value of a register that this device brought along.
  package func isHeard(_ register: Identity) -> Bool {
    guard let own = registers[register]?.values.keys.first(where: isBroughtHere) else {
      return false
    }
    return logs.ends.contains {
      logs.entries[$0].device != device && logs.has($0, seen: own.segment)
    }
  }

  private func isBroughtHere(_ dot: Dot) -> Bool {
    guard isBrought(dot), let author = author(of: dot) else { return false }
    return ownDevices.contains(author)
  }

  /// Lets go of what only stood in an entry before: of a value that one side had and the other has changed since. What both sides changed
  /// stays as it is. Nothing is given anew but the trash, so that what somebody else writes at the same time takes its place.
  ///
  /// - Returns: whether there was anything.
  package mutating func settle(_ entry: Identity) -> Bool {
    // Of an entry with a very long history it would take long, and a device that lies gives any number.
    guard let history = entries[entry], history.revisions.count <= 256,
      let shown = history.shown(rules, in: logs)
    else { return false }
    let heads = history.heads(in: logs)
    guard heads.count > 1, let sides = history.sides(heads, isBroughtHere, in: logs) else {
      return false
    }
    let parting = history.parting(sides, rules, in: logs)
    var kept = shown.kept
    var trash: (field: Field, value: [UInt8])?
    var isChanged = false
    // It had several texts before, of which none came after another.
    let hadSeveral = history.revisions.values.contains {
      isBroughtHere($0.dot) && $0.unseen.contains(where: isBroughtHere)
    }
    for (field, rule) in rules where rule != .all || !hadSeveral || parting != nil {
      let all = history.counting(field, rule, among: heads, in: logs)
      guard all.count <= 128 else { continue }
      let left = history.left(of: all, field, rule, parting, isBroughtHere, in: logs)
      guard !rule.areElements else {
        if left.count < all.count { (kept[field], isChanged) = (SortedSet(left), true) }
        continue
      }
      let (before, after) = (history.distinct(all, field), history.distinct(left, field))
      guard before.count > 1 else { continue }
      if rule == .trash {
        let time = after.first { !$0.isEmpty }
        if let time, shown.values[field] == [[]],
          left.contains(where: { history.hasSeenTexts($0, time, field, rules, heads, in: logs) })
        {
          (trash, isChanged) = ((field, time), true)
        } else if time == nil, shown.values[field] != [[]] {
          (kept[field], isChanged) = (SortedSet(left), true)
        }
      } else if after.count == 1 || rule == .all && after.count < before.count {
        // Of what every revision repeats, one stands.
        let newest = left.max { logs.stamp($0.set) < logs.stamp($1.set) }.map { [$0] } ?? []
        (kept[field], isChanged) = (SortedSet(rule == .carried ? newest : Array(left)), true)
      }
    }
    guard isChanged else { return false }
    let dot = nextDot()
    var fields = candidates(kept)
    if let trash { fields[trash.field] = SortedSet([.given(trash.value)]) }
    write(.revision(entry, fields: fields, unseen: unshown(entry, shown.kept)), at: dot)
    return true
  }
}

extension EntryHistory {
  fileprivate func distinct(_ values: some Sequence<Value>, _ field: Field) -> Set<[UInt8]> {
    Set(values.compactMap { bytes(of: $0, field) })
  }

  /// The values of a field that are not what only stood there before.
  fileprivate func left(
    of all: SortedSet<Value>, _ field: Field, _ rule: MergeRule, _ parting: Parting?,
    _ isBrought: (Dot) -> Bool, in logs: Logs
  ) -> [Value] {
    // The trash is no part of a revision: nothing tells what it was when the sides parted.
    let left: [Value]
    if rule != .trash, let parting {
      left = parting.left(all, field, rule) { bytes(of: $0, field) }
    } else if rule == .all {
      // Without a revision that both tell of alike, nothing says which text is the older one.
      return Array(all)
    } else {
      left = all.filter {
        rule.areElements
          ? !isTakenAway($0, field, isBrought, in: logs)
          : !isOutdated($0, field, among: all, isBrought, in: logs)
      }
    }
    // Of values that each side gave up for the other's all stay.
    return left.isEmpty && !rule.areElements && rule != .trash ? Array(all) : left
  }

  /// The revisions that count and gave a field some bytes.
  private func givers(_ field: Field, _ wanted: [UInt8], in logs: Logs) -> [Revision] {
    revisions.values.filter { !logs.isVoid($0.dot) && given($0, field).contains(wanted) }
  }

  /// Whether a value is what stood in a field before another that counts: who gave that one had seen a revision which gave the same. Of
  /// the two, one was brought along.
  fileprivate func isOutdated(
    _ value: Value, _ field: Field, among all: SortedSet<Value>, _ isBrought: (Dot) -> Bool,
    in logs: Logs
  ) -> Bool {
    guard let bytes = bytes(of: value, field) else { return false }
    let others = all.filter {
      (isBrought(value.set) || isBrought($0.set)) && self.bytes(of: $0, field) != bytes
    }
    guard !others.isEmpty else { return false }
    let former = givers(field, bytes, in: logs)
    return others.contains { other in
      guard let revision = revisions[other.set] else { return false }
      return former.contains { $0.dot != other.set && revision.has(seen: $0.dot, in: logs) }
    }
  }

  /// Whether an element was taken away since both sides had it: by the others where it was brought along, else before it was told of.
  fileprivate func isTakenAway(
    _ value: Value, _ field: Field, _ isBrought: (Dot) -> Bool, in logs: Logs
  ) -> Bool {
    guard let bytes = bytes(of: value, field) else { return false }
    let own = isBrought(value.set)
    let former = givers(field, bytes, in: logs).filter {
      $0.dot != value.set && (own || isBrought($0.dot))
    }
    guard !former.isEmpty else { return false }
    return revisions.values.contains { revision in
      guard isBrought(revision.dot) != own, !logs.isVoid(revision.dot),
        !(revision.fields[field]?.contains { self.bytes(of: $0, field) == bytes } ?? false)
      else { return false }
      return former.contains { revision.has(seen: $0.dot, in: logs) }
    }
  }

  /// Whether a value is this one, and who gave it had seen every text that counts, whoever gave it.
  fileprivate func hasSeenTexts(
    _ value: Value, _ wanted: [UInt8], _ field: Field, _ rules: FieldMap<MergeRule>,
    _ heads: [Revision], in logs: Logs
  ) -> Bool {
    guard bytes(of: value, field) == wanted, let giver = revisions[value.set] else { return false }
    return rules.allSatisfy { field, rule in
      guard rule == .all else { return true }
      return distinct(counting(field, rule, among: heads, in: logs), field).allSatisfy { text in
        givers(field, text, in: logs).contains {
          $0.dot == giver.dot || giver.has(seen: $0.dot, in: logs)
        }
      }
    }
  }
}
