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
    // Who saw a revision is newer, and whoever saw him saw it, too: so the heads found so far are enough.
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
    return found.sorted {
      let (one, other) = (logs.stamp($0.set), logs.stamp($1.set))
      return one == other
        ? $0.value.lexicographicallyPrecedes($1.value) : one > other
    }
  }

  /// nil for an entry that is gone.
  func shown(_ rules: [Field: MergeRule], in logs: Logs) -> ShownEntry? {
    let heads = heads(in: logs)
    guard !heads.isEmpty else { return nil }
    var shown = ShownEntry()
    for (field, rule) in rules {
      let found = Self.values(of: field, among: heads, in: logs)
      guard let newest = found.first else { continue }
      switch rule {
      case .all:
        var distinct: [[UInt8]] = []
        for candidate in found where !distinct.contains(candidate.value) {
          distinct.append(candidate.value)
        }
        shown.values[field] = distinct
        shown.kept[field] = Set(found)
        if distinct.count > 1 { shown.conflicts.insert(field) }
      case .elements:
        shown.values[field] = Set(found.map(\.value)).sorted { $0.lexicographicallyPrecedes($1) }
        shown.kept[field] = Set(found)
      case .newest, .trash:
        shown.values[field] = [newest.value]
        shown.kept[field] = [newest]
        if rule == .trash, !newest.value.isEmpty,
          isUnseen(by: newest.set, rules, among: heads, in: logs)
        {
          shown.values[field] = [[]]
          shown.cameBack = true
        }
      }
    }
    return shown
  }

  /// Whether whoever put it into the trash had not seen a text that it has now.
  private func isUnseen(
    by dot: Dot, _ rules: [Field: MergeRule], among heads: [Revision], in logs: Logs
  ) -> Bool {
    guard revisions[dot] != nil || taken.contains(dot) else { return true }
    return rules.contains { field, rule in
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
