/// Every revision of an entry that any device made, and what of it was purged.
struct EntryHistory: Sendable {
  struct Revision: Sendable {
    let dot: Dot
    let fields: [Field: Set<Candidate<Dot>>]
  }

  /// Those that no purge has seen.
  var revisions: [Dot: Revision] = [:]
  var purges: Set<Dot> = []
  /// Revisions that a purge took: values they gave may stand in others.
  var taken: Set<Dot> = []

  mutating func add(_ revision: Revision, in logs: Logs) {
    if purges.contains(where: { logs.has($0, seen: revision.dot) }) {
      taken.insert(revision.dot)
    } else {
      revisions[revision.dot] = revision
    }
  }

  mutating func add(purge: Dot, in logs: Logs) {
    purges.insert(purge)
    for dot in revisions.keys where logs.has(purge, seen: dot) {
      revisions[dot] = nil
      taken.insert(dot)
    }
  }

  /// Revisions that no other has seen.
  func heads(in logs: Logs) -> [Revision] {
    if revisions.count == 1 { return Array(revisions.values) }
    // A revision that saw another is newer, and one that saw it saw the other, too: the heads so far are enough.
    var heads: [Revision] = []
    for one in revisions.values.sorted(by: { logs.stamp($0.dot) > logs.stamp($1.dot) })
    where !heads.contains(where: { logs.has($0.dot, seen: one.dot) }) {
      heads.append(one)
    }
    return heads
  }

  /// The values of a field that count: those of each head, but what another head had seen and replaced.
  static func values(
    of field: Field, among heads: [Revision], in logs: Logs
  ) -> [Candidate<Dot>] {
    newestFirst(counting(field, among: heads, in: logs), in: logs)
  }

  private static func newestFirst(
    _ candidates: Set<Candidate<Dot>>, in logs: Logs
  ) -> [Candidate<Dot>] {
    if candidates.count < 2 { return Array(candidates) }
    return candidates.sorted {
      let (one, other) = (logs.stamp($0.set), logs.stamp($1.set))
      return one == other
        ? $0.value.lexicographicallyPrecedes($1.value) : one > other
    }
  }

  private static func counting(
    _ field: Field, among heads: [Revision], in logs: Logs
  ) -> Set<Candidate<Dot>> {
    // Of one head alone nothing is replaced.
    if heads.count == 1 { return heads[0].fields[field] ?? [] }
    var found: Set<Candidate<Dot>> = []
    for head in heads {
      for candidate in head.fields[field] ?? [] {
        let isReplaced = heads.contains { other in
          (logs.has(other.dot, seen: candidate.set) || other.dot == candidate.set)
            && !(other.fields[field]?.contains(candidate) ?? false)
        }
        if !isReplaced { found.insert(candidate) }
      }
    }
    return found
  }

  /// Whether the entry is there and not in the trash.
  func isListed(_ rules: [Field: MergeRule], in logs: Logs) -> Bool {
    let heads = heads(in: logs)
    guard !heads.isEmpty else { return false }
    return !rules.contains { field, rule in
      guard rule == .trash, let newest = Self.values(of: field, among: heads, in: logs).first else {
        return false
      }
      return isTrashed(newest, rules, among: heads, in: logs)
    }
  }

  /// nil for an entry that is gone.
  func shown(_ rules: [Field: MergeRule], in logs: Logs) -> ShownEntry? {
    let heads = heads(in: logs)
    guard !heads.isEmpty else { return nil }
    var shown = ShownEntry()
    shown.values.reserveCapacity(rules.count)
    shown.kept.reserveCapacity(rules.count)
    for (field, rule) in rules {
      let kept = Self.counting(field, among: heads, in: logs)
      let found = Self.newestFirst(kept, in: logs)
      guard let newest = found.first else { continue }
      switch rule {
      case .all:
        var distinct: [[UInt8]] = []
        for candidate in found where !distinct.contains(candidate.value) {
          distinct.append(candidate.value)
        }
        shown.values[field] = distinct
        shown.kept[field] = kept
        if distinct.count > 1 { shown.conflicts.insert(field) }
      case .elements:
        shown.values[field] = Set(found.map(\.value)).sorted { $0.lexicographicallyPrecedes($1) }
        shown.kept[field] = kept
      case .newest, .trash:
        shown.values[field] = [newest.value]
        shown.kept[field] = [newest]
        if rule == .trash, !newest.value.isEmpty,
          !isTrashed(newest, rules, among: heads, in: logs)
        {
          shown.values[field] = [[]]
          shown.cameBack = true
        }
      }
    }
    return shown
  }

  /// Whether it is in the trash: the device that put it there had seen every text that it has now.
  private func isTrashed(
    _ newest: Candidate<Dot>, _ rules: [Field: MergeRule], among heads: [Revision], in logs: Logs
  ) -> Bool {
    let dot = newest.set
    guard !newest.value.isEmpty, revisions[dot] != nil || taken.contains(dot) else { return false }
    return !rules.contains { field, rule in
      rule == .all
        && Self.values(of: field, among: heads, in: logs).contains {
          $0.set != dot && !logs.has(dot, seen: $0.set)
        }
    }
  }
}

/// An entry as all of its devices together have it.
package struct ShownEntry: Equatable, Sendable {
  /// Of a field whose every value stays, all distinct ones, the newest first; of elements all, in order; else one.
  package fileprivate(set) var values: [Field: [[UInt8]]] = [:]
  /// Fields with more than one value that stays.
  package fileprivate(set) var conflicts: Set<Field> = []
  /// Whether it was put into the trash by somebody who had not seen a text that it has now.
  package fileprivate(set) var cameBack = false
  /// For the next revision: what counts of each field.
  package fileprivate(set) var kept: [Field: Set<Candidate<Dot>>] = [:]

  /// The operations that gave a field the values it has.
  package func origins(of field: Field, _ value: [UInt8]) -> [Dot] {
    (kept[field] ?? []).filter { $0.value == value }.map(\.set).sorted()
  }

  package static func == (one: ShownEntry, other: ShownEntry) -> Bool {
    one.values == other.values && one.conflicts == other.conflicts && one.cameBack == other.cameBack
  }
}
