internal import Bytes

/// Every revision of an entry that any device made, and what of it was purged.
struct EntryHistory: Sendable {
  /// A value of a field, by the revision that gave it.
  struct Value: Hashable, Comparable, Sendable {
    let set: Dot
    /// Which of the values it gives the field, in the order of their bytes.
    let number: Int
    /// The value itself, where every revision repeats it.
    let carried: [UInt8]?

    static func < (one: Value, other: Value) -> Bool {
      if one.set != other.set { return one.set < other.set }
      if one.number != other.number { return one.number < other.number }
      guard let second = other.carried else { return false }
      return one.carried.map { $0.lexicographicallyPrecedes(second) } ?? true
    }

    var candidate: Candidate<Dot> {
      if let carried { .carried(set, carried) } else { .kept(set, number: number) }
    }
  }

  struct Revision: Sendable {
    let dot: Dot
    /// What it gives, in order.
    let given: FieldValues
    /// All it has.
    let fields: FieldMap<SortedSet<Value>>
    /// What its author was not shown of what he had merged.
    let unseen: Set<Dot>

    init(
      dot: Dot, given: FieldValues, fields: FieldMap<SortedSet<Value>>, unseen: Set<Dot>
    ) {
      self.dot = dot
      self.given = given
      self.fields = fields
      self.unseen = unseen
    }

    /// One of the values that it gives a field.
    func value(_ number: Int, of field: Field) -> [UInt8]? {
      guard let values = given[field], values.indices.contains(number) else { return nil }
      return values[number]
    }

    func has(seen other: Dot, in logs: Logs) -> Bool {
      logs.has(dot, seen: other) && !unseen.contains(other)
    }

    init(
      _ dot: Dot, _ fields: FieldMap<SortedSet<Candidate<Dot>>>, _ unseen: Set<Dot>,
      _ rules: FieldMap<MergeRule>
    ) {
      var given = FieldValues()
      var values = FieldMap<SortedSet<Value>>()
      given.reserveCapacity(fields.count)
      values.reserveCapacity(fields.count)
      for (field, candidates) in fields {
        // In order, as the candidates are.
        var new = Few<[UInt8]>()
        let found = candidates.each { candidate in
          switch candidate {
          case .given(let value) where rules[field] == .carried:
            return Value(set: dot, number: 0, carried: value)
          case .given(let value):
            new.append(value)
            return Value(set: dot, number: new.count - 1, carried: nil)
          case .kept(let set, let number):
            return Value(set: set, number: number, carried: nil)
          case .carried(let set, let value):
            return Value(set: set, number: 0, carried: value)
          }
        }
        if !new.isEmpty { given.append(field, new) }
        values.append(field, found)
      }
      self.init(dot: dot, given: given, fields: values, unseen: unseen)
    }
  }

  /// Those that no purge has seen, also such as do not count: one that counts may name a value that they gave.
  private(set) var revisions: [Dot: Revision] = [:]
  /// Purges, each with what its author was not shown.
  var purges: [Dot: Set<Dot>] = [:]
  /// Revisions that a purge took, and those whose body is not here.
  var taken: Set<Dot> = []
  /// Those of the segment that is being merged, which have not taken theirs yet.
  private var untaken: [Dot] = []
  /// What the purges that count take, where there are very many, and what it was found from.
  private var swept: (generation: Int, purges: Int, purged: Purged)?
  /// The heads of very many revisions, kept up with what is added.
  var headsKnown: Heads?

  /// So many are looked at one by one.
  static let few = 8

  /// - Parameter isLate: whether its body comes after what followed it, so that it may be purged already.
  mutating func add(_ revision: Revision, isLate: Bool, in logs: Logs) {
    if isLate, isSwept(revision.dot, in: logs) {
      taken.insert(revision.dot)
    } else {
      revisions[revision.dot] = revision
      keepHeads(with: revision, in: logs)
    }
  }

  /// Takes one as it was kept.
  mutating func restore(_ revision: Revision) { revisions[revision.dot] = revision }

  static func has(
    purge: (key: Dot, value: Set<Dot>), taken dot: Dot, in logs: Logs
  ) -> Bool {
    logs.has(purge.key, seen: dot) && !purge.value.contains(dot)
  }

  mutating func add(purge: Dot, _ unseen: Set<Dot>, in logs: Logs) {
    purges[purge] = unseen
    if !logs.isVoid(purge) { untaken.append(purge) }
  }

  /// Comes after all that was added together: purges take what they have seen, and the heads are found.
  mutating func settle(in logs: Logs) {
    if !untaken.isEmpty {
      // Those before have taken theirs: one entry may have very many purges.
      let new = Purged(untaken.map { ($0, purges[$0] ?? []) }, in: logs)
      untaken = []
      take { new.has($0, in: logs) }
    }
    if revisions.count > Self.few, headsKnown?.voidChanges != logs.voidChanges {
      headsKnown = findHeads(in: logs, limit: Self.headsKept)
    }
  }

  /// Takes what any purge that counts has taken.
  mutating func takePurged(in logs: Logs) {
    let purged = purged(in: logs)
    take { purged.has($0, in: logs) }
  }

  /// Takes every revision.
  mutating func forget() { take { _ in true } }

  private mutating func take(_ isTaken: (Dot) -> Bool) {
    for dot in revisions.keys where isTaken(dot) {
      revisions[dot] = nil
      taken.insert(dot)
      headsKnown = nil
    }
  }

  /// Whether there is a revision of that place, here or not.
  func has(_ dot: Dot) -> Bool { revisions[dot] != nil || taken.contains(dot) }

  /// What some purges take.
  struct Purged: Sendable {
    private let few: [(key: Dot, value: Set<Dot>)]
    private let sight: Sight?

    fileprivate init(_ purges: [(key: Dot, value: Set<Dot>)], in logs: Logs) {
      let isFew = purges.count <= EntryHistory.few
      few = isFew ? purges : []
      sight = isFew ? nil : Sight(purges.lazy.map { (dot: $0.key, unseen: $0.value) }, in: logs)
    }

    func has(_ dot: Dot, in logs: Logs) -> Bool {
      sight?.has(dot, in: logs)
        ?? few.contains { EntryHistory.has(purge: $0, taken: dot, in: logs) }
    }
  }

  /// What the purges that count take.
  func purged(in logs: Logs) -> Purged {
    Purged(purges.filter { !logs.isVoid($0.key) }.map { ($0.key, $0.value) }, in: logs)
  }

  func isPurged(_ dot: Dot, in logs: Logs) -> Bool {
    if let swept, swept.generation == logs.generation, swept.purges == purges.count {
      return swept.purged.has(dot, in: logs)
    }
    return purges.contains { !logs.isVoid($0.key) && Self.has(purge: $0, taken: dot, in: logs) }
  }

  /// The same, for one revision after another.
  private mutating func isSwept(_ dot: Dot, in logs: Logs) -> Bool {
    if purges.count > Self.few,
      swept?.generation != logs.generation || swept?.purges != purges.count
    {
      swept = (logs.generation, purges.count, purged(in: logs))
    }
    return isPurged(dot, in: logs)
  }

  /// Whether a revision's body is not here although nobody purged it.
  func isLacking(_ dot: Dot, in logs: Logs) -> Bool {
    taken.contains(dot) && !isPurged(dot, in: logs)
  }

  /// The same, for one revision after another.
  mutating func isStillLacking(_ dot: Dot, in logs: Logs) -> Bool {
    taken.contains(dot) && !isSwept(dot, in: logs)
  }

  /// Those of which the body is not here although nobody purged it.
  func lacking(in logs: Logs) -> Set<Dot> {
    guard !taken.isEmpty else { return [] }
    let purged = purged(in: logs)
    return taken.filter { !purged.has($0, in: logs) }
  }

  // MARK: Values

  /// nil for one whose revision was purged, or is not here.
  func bytes(of value: Value, _ field: Field) -> [UInt8]? {
    value.carried ?? revisions[value.set]?.value(value.number, of: field)
  }

  /// The same of a value that a revision has, which most often gave it.
  private func bytes(of value: Value, _ field: Field, in revision: Revision) -> [UInt8]? {
    guard value.carried == nil, value.set == revision.dot else { return bytes(of: value, field) }
    return revision.value(value.number, of: field)
  }

  /// The values of a revision's fields, those that it gives itself first.
  func values(of revision: Revision) -> FieldValues {
    var values = FieldValues()
    values.reserveCapacity(revision.fields.count)
    for (field, its) in revision.fields {
      values.append(
        field,
        its.count < 2
          ? its.compactEach { bytes(of: $0, field, in: revision) }
          : Few(
            its.compactMap { value in
              bytes(of: value, field, in: revision).map {
                (isOwn: value.set == revision.dot, bytes: $0)
              }
            }.sorted { one, other in
              one.isOwn == other.isOwn
                ? one.bytes.lexicographicallyPrecedes(other.bytes) : one.isOwn
            }.lazy.map(\.bytes)))
    }
    return values
  }

  /// A value that counts, and its bytes.
  private typealias Counting = (value: Value, bytes: [UInt8])

  /// The values of a field that count and that are here, the newest first.
  private func newestFirst(_ values: SortedSet<Value>, _ field: Field, in logs: Logs) -> [Counting]
  {
    let found = values.compactMap { value in bytes(of: value, field).map { (value, $0) } }
    if found.count < 2 { return found }
    return found.sorted { one, other in
      let (first, second) = (logs.stamp(one.0.set), logs.stamp(other.0.set))
      return first == second ? one.1.lexicographicallyPrecedes(other.1) : first > second
    }
  }

  /// The texts that count and are not empty, or the files, each by the revision that gave it.
  private func values(
    _ rule: MergeRule, _ rules: FieldMap<MergeRule>, among heads: [Revision], in logs: Logs
  ) -> [Dot] {
    rules.filter { $0.value == rule }.keys.flatMap { field in
      counting(field, rule, among: heads, in: logs).filter {
        !(bytes(of: $0, field) ?? []).isEmpty
      }.map(\.set)
    }
  }

  private func hasFile(
    _ rules: FieldMap<MergeRule>, among heads: [Revision], in logs: Logs
  ) -> Bool {
    !values(.files, rules, among: heads, in: logs).isEmpty
  }

  /// Whether the entry is there and not in the trash.
  func isListed(_ rules: FieldMap<MergeRule>, in logs: Logs) -> Bool {
    let heads = heads(in: logs)
    let texts = values(.all, rules, among: heads, in: logs)
    guard !texts.isEmpty || hasFile(rules, among: heads, in: logs) else { return false }
    return !rules.contains { field, rule in
      guard rule == .trash,
        let newest = newestFirst(counting(field, rule, among: heads, in: logs), field, in: logs)
          .first
      else { return false }
      return isTrashed(newest, texts, rules, in: logs)
    }
  }

  /// Whether a revision is all there is, gives each of its values itself and is shown as it is.
  func isAlone(_ dot: Dot, _ rules: FieldMap<MergeRule>, in logs: Logs) -> Bool {
    guard revisions.count == 1, let only = revisions[dot], purges.isEmpty, taken.isEmpty,
      !logs.isVoid(dot)
    else { return false }
    var hasText = false
    for (field, rule) in rules {
      guard let values = only.fields[field], values.allSatisfy({ $0.set == dot }) else {
        return false
      }
      if !rule.areElements, values.count != 1 { return false }
      if rule == .all || rule == .files,
        values.contains(where: { bytes(of: $0, field, in: only)?.isEmpty == false })
      {
        hasText = true
      }
    }
    return hasText
  }

  /// nil for an entry of which no text and no file is left.
  func shown(_ rules: FieldMap<MergeRule>, in logs: Logs) -> ShownEntry? {
    let heads = heads(in: logs)
    let texts = values(.all, rules, among: heads, in: logs)
    guard !texts.isEmpty || hasFile(rules, among: heads, in: logs) else { return nil }
    var shown = ShownEntry()
    shown.values.reserveCapacity(rules.count)
    shown.kept.reserveCapacity(rules.count)
    for (field, rule) in rules {
      let kept = counting(field, rule, among: heads, in: logs)
      let found = newestFirst(kept, field, in: logs)
      shown.kept[field] = kept
      shown.origins[field] = found.map { (bytes: $0.bytes, set: $0.value.set) }
      switch rule {
      case .all:
        var distinct = Few<[UInt8]>()
        for one in found where !distinct.contains(one.bytes) { distinct.append(one.bytes) }
        // What was purged is empty.
        shown.values[field] = distinct.isEmpty ? [[]] : distinct
        if distinct.count > 1 { shown.conflicts.insert(field) }
      case .elements, .files:
        shown.values[field] = Few(
          Set(found.map(\.bytes)).sorted { $0.lexicographicallyPrecedes($1) })
      case .newest, .carried, .trash:
        shown.values[field] = [found.first?.bytes ?? []]
        if let newest = found.first {
          // What another device gave at the same time stands when the newest is purged; what is repeated is not purged.
          if rule == .carried { shown.kept[field] = [newest.value] }
          if rule == .trash, !newest.bytes.isEmpty, !isTrashed(newest, texts, rules, in: logs) {
            shown.values[field] = [[]]
            shown.cameBack = true
          }
        }
      }
    }
    return shown
  }

  /// Whether it is in the trash: the device that put it there had seen every text that it has now. Of what a device brought along, also
  /// where it had seen the same text.
  private func isTrashed(
    _ newest: Counting, _ texts: [Dot], _ rules: FieldMap<MergeRule>, in logs: Logs
  ) -> Bool {
    guard !newest.bytes.isEmpty, let revision = revisions[newest.value.set] else { return false }
    let unseen = texts.filter { $0 != revision.dot && !revision.has(seen: $0, in: logs) }
    guard !unseen.isEmpty else { return true }
    guard logs.isAlone(revision.dot) || unseen.allSatisfy({ logs.isAlone($0) }) else {
      return false
    }
    let seen = revisions.values.filter {
      !logs.isVoid($0.dot) && ($0.dot == revision.dot || revision.has(seen: $0.dot, in: logs))
    }
    // Who had seen anything of the other's was shown the entry as it is here, and did not bring it along.
    let theirs = Sight(
      unseen.lazy.compactMap { revisions[$0] }.map { (dot: $0.dot, unseen: $0.unseen) }, in: logs)
    guard !seen.contains(where: { theirs.has($0.dot, in: logs) }) else { return false }
    return rules.allSatisfy { field, rule in
      guard rule == .all else { return true }
      let known = Set(seen.flatMap { given($0, field) })
      return unseen.allSatisfy { dot in
        revisions[dot].map { given($0, field).allSatisfy { $0.isEmpty || known.contains($0) } }
          ?? false
      }
    }
  }

  /// What a revision itself gave a field.
  func given(_ revision: Revision, _ field: Field) -> [[UInt8]] {
    (revision.fields[field] ?? []).compactMap {
      $0.set == revision.dot ? bytes(of: $0, field) : nil
    }
  }
}

/// An entry as all of its devices together have it.
package struct ShownEntry: Equatable, Sendable {
  /// Of a field whose every value stays, all distinct ones, the newest first; of elements all, in order; else one.
  package fileprivate(set) var values = FieldValues()
  /// Fields with more than one value that stays.
  package fileprivate(set) var conflicts: Set<Field> = []
  /// Whether it was put into the trash by somebody who had not seen a text that it has now.
  package fileprivate(set) var cameBack = false
  /// For the next revision: what counts of each field.
  fileprivate(set) var kept = FieldMap<SortedSet<EntryHistory.Value>>()
  /// Of each field, the values that count, the newest first, and the operations that gave them.
  fileprivate var origins = FieldMap<[(bytes: [UInt8], set: Dot)]>()

  /// The operations that gave a field the values it has.
  package func origins(of field: Field, _ value: [UInt8]) -> [Dot] {
    newestOrigins(of: field, value).sorted()
  }

  /// The same, the newest first.
  package func newestOrigins(of field: Field, _ value: [UInt8]) -> [Dot] {
    (origins[field] ?? []).filter { $0.bytes == value }.map(\.set)
  }

  package static func == (one: ShownEntry, other: ShownEntry) -> Bool {
    one.values == other.values && one.conflicts == other.conflicts && one.cameBack == other.cameBack
  }
}
