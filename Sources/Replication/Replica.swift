package import Bytes

/// What one device knows of a diary: a set of operations, and what follows from it.
///
/// It has no clock and does no I/O. Merging is a union: the same segments give the same diary, in whatever order and
/// however often they come. Nothing is removed here because a store has lost it.
package struct Replica: Sendable {
  /// Why no device can have written a segment.
  package enum Refusal: Error, Hashable, Sendable {
    /// It does not follow the segment it says it follows, or names ends that do not fit.
    case broken
  }

  /// What came of a segment.
  package enum Outcome: Equatable, Sendable {
    case merged(Changes)
    case known
    /// Nothing of it was taken, as was asked for.
    case declined
    /// Waits for segments that it had seen and that are not here.
    case waiting(for: Set<Hash>)
  }

  /// What a segment did.
  package struct Changes: Equatable, Sendable {
    package fileprivate(set) var entries: Set<Identity> = []
    /// Those of them that are gone or in the trash by it, and those of which it takes a revision that another device wrote: a purge
    /// that gives the same text again takes the files and the history all the same.
    package fileprivate(set) var removed: Set<Identity> = []
    package fileprivate(set) var registers: Set<Identity> = []
    /// What was known of those entries and registers before; nil for nothing.
    fileprivate var oldEntries: [Identity: EntryHistory?] = [:]
    fileprivate var oldRegisters: [Identity: Register?] = [:]

    package static func == (one: Self, other: Self) -> Bool {
      one.entries == other.entries && one.removed == other.removed
        && one.registers == other.registers
    }
  }

  package let device: DeviceID
  /// The devices that the same diary has been in the space before.
  package var formerDevices: Set<DeviceID> = []
  /// This device, and those.
  package var ownDevices: Set<DeviceID> { formerDevices.union([device]) }
  let rules: FieldMap<MergeRule>
  var logs = Logs()
  var entries: [Identity: EntryHistory] = [:]
  var registers: [Identity: Register] = [:]
  /// What was written here since the last seal, and where it stands among the logs.
  private var open: (place: Int, ends: [Int], operations: [Operation<Dot>])?
  /// The last segment of this device, which the next one follows.
  private(set) var last: Int?

  package init(_ device: DeviceID, rules: FieldMap<MergeRule>) {
    self.device = device
    self.rules = rules
  }

  /// - Parameter last: where this device's last segment stands.
  init(_ device: DeviceID, rules: FieldMap<MergeRule>, logs: Logs, last: Int?) {
    self.init(device, rules: rules)
    self.logs = logs
    self.last = last
  }

  // MARK: Where logs end

  /// The ends of all logs that are merged, in order.
  package var ends: [LogEnd] { logs.ends.compactMap(end).sorted() }

  func end(_ place: Int) -> LogEnd? {
    let entry = logs.entries[place]
    return entry.hash.map {
      LogEnd(device: entry.device, sequence: entry.sequence, hash: $0)
    }
  }

  /// Every segment that is merged.
  package var merged: [LogEnd] { logs.entries.indices.compactMap(end) }

  /// The segment of an operation.
  package func end(of dot: Dot) -> LogEnd? {
    logs.entries.indices.contains(dot.segment) ? end(dot.segment) : nil
  }

  /// The revisions that give a value to a field of an entry.
  package func givers(of value: [UInt8], _ field: Field, in entry: Identity) -> [Dot] {
    (entries[entry]?.revisions.values ?? [:].values).filter {
      $0.given[field]?.contains(value) ?? false
    }.map(\.dot).sorted()
  }

  /// Whether a device made an operation before it had heard of any other: it tells of what was there when the device came into the space.
  package func isBrought(_ dot: Dot) -> Bool { logs.isAlone(dot) }

  /// Where a merged segment stands.
  package func place(of hash: Hash) -> Int? { logs.place(of: hash) }

  package func has(_ hash: Hash) -> Bool { logs.place(of: hash) != nil }

  /// The segment before a merged one in its log.
  package func predecessor(of hash: Hash) -> LogEnd? {
    logs.place(of: hash).flatMap { logs.entries[$0].previous }.flatMap(end)
  }

  /// Who made an operation.
  package func author(of dot: Dot) -> DeviceID? {
    logs.entries.indices.contains(dot.segment) ? logs.entries[dot.segment].device : nil
  }

  func history(_ entry: Identity) -> ShownEntry? { entries[entry]?.shown(rules, in: logs) }

  mutating func nextDot() -> Dot {
    if let open { return Dot(segment: open.place, index: open.operations.count) }
    // What the last segment had seen, this one has, too.
    let new = logs.ends.filter { [last, logs] end in last.map { !logs.has($0, seen: end) } ?? true }
    let ends = (last.map { [$0] } ?? []) + new
    let place = logs.append(
      device, last.map { logs.entries[$0].sequence + 1 } ?? 1, hash: nil, previous: last,
      ends: ends, count: 0)
    open = (place, ends, [])
    return Dot(segment: place, index: 0)
  }

  mutating func write(_ operation: Operation<Dot>, at dot: Dot) {
    logs.extend(dot.segment)
    open?.operations.append(operation)
    var changes = Changes()
    apply(operation, at: dot, &changes)
    entries[operation.id]?.settle(in: logs)
  }

  /// Whether something was written here that no segment holds.
  package var isOpen: Bool { open != nil }

  /// What was written since the last seal, as a segment; nil when that is nothing.
  ///
  /// - Parameter hash: of the segment's bytes, which become its name.
  package mutating func seal<Failure: Error>(
    hash: (Segment) throws(Failure) -> Hash
  ) throws(Failure) -> Segment? {
    guard let open else { return nil }
    let entry = logs.entries[open.place]
    let named = named(by: open)
    let others = named.ends
    let numbers = Dictionary(
      uniqueKeysWithValues: others.enumerated().map { (logs.entries[$1.place].chain, $0 + 1) })
    let segment = Segment(
      device: device, sequence: entry.sequence,
      previous: entry.previous.flatMap { logs.entries[$0].hash }, ends: others.map(\.end),
      operations: open.operations.map { operation in
        operation.map { dot in
          if dot.segment == open.place {
            return OperationPlace(
              end: OperationPlace.itself, sequence: entry.sequence, index: dot.index)
          }
          let other = logs.entries[dot.segment]
          let number = named.own.contains(dot.segment) ? 0 : numbers[other.chain] ?? 0
          return OperationPlace(
            end: number + OperationPlace.previous, sequence: other.sequence, index: dot.index)
        }
      })
    logs.seal(open.place, as: try hash(segment))
    self.open = nil
    last = open.place
    return segment
  }

  /// What a segment names: ends that the last one had not seen, and those of the logs on which what its operations name stands.
  ///
  /// - Returns: `own`: segments of its own log, up to its predecessor, that operations name; `ends` of other logs, in order, at most
  ///   one of each chain.
  private func named(
    by open: (place: Int, ends: [Int], operations: [Operation<Dot>])
  ) -> (own: Set<Int>, ends: [(end: LogEnd, place: Int)]) {
    let previous = logs.entries[open.place].previous
    var ends = open.ends.filter { $0 != previous }
    var chains = Set(ends.map { logs.entries[$0].chain })
    var (own, known): (Set<Int>, Set<Int>) = ([], [open.place])
    for operation in open.operations {
      for dot in operation.places where known.insert(dot.segment).inserted {
        let other = logs.entries[dot.segment]
        if let previous, logs.ancestor(previous, other.sequence) == dot.segment {
          own.insert(dot.segment)
        } else if chains.insert(other.chain).inserted {
          ends.append(logs.end(of: dot.segment))
        }
      }
    }
    let found = ends.compactMap { place in end(place).map { (end: $0, place: place) } }
    return (own, found.sorted { $0.end < $1.end })
  }

  // MARK: Merging

  /// Takes a segment whose name, seal and signature are right.
  ///
  /// Nothing written here may be open: it had not seen what comes.
  ///
  /// - Parameters:
  ///   - isVoid: whether it does not count, and is a link only.
  ///   - isTaken: whether it is taken, by what it does.
  package mutating func merge(
    _ segment: Segment, hash: Hash, isVoid: Bool = false,
    where isTaken: (Changes) -> Bool = { _ in true }
  ) throws(Refusal) -> Outcome {
    precondition(open == nil, "seal first")
    guard !has(hash) else { return complete(segment, hash, where: isTaken) }
    let needed = [segment.previous].compactMap(\.self) + segment.ends.map(\.hash)
    let missing = Set(needed.filter { !has($0) })
    guard missing.isEmpty else { return .waiting(for: missing) }
    let previous = segment.previous.flatMap(logs.place)
    guard segment.sequence > 0, !segment.operations.isEmpty,
      (previous.map { logs.entries[$0].sequence } ?? 0) + 1 == segment.sequence,
      previous.map({ logs.entries[$0].device == segment.device }) ?? true
    else { throw .broken }
    var ends: [Int] = previous.map { [$0] } ?? []
    for end in segment.ends {
      guard let place = logs.place(of: end.hash), self.end(place) == end else { throw .broken }
      ends.append(place)
    }
    // Nothing is taken of one that is refused.
    let place = logs.entries.count
    let operations = resolved(segment, at: place, previous, ends)
    _ = logs.append(
      segment.device, segment.sequence, hash: hash, previous: previous, ends: ends,
      count: operations.count, isVoid: isVoid)
    var changes = Changes()
    for (index, operation) in operations.enumerated() {
      apply(operation, at: Dot(segment: place, index: index), &changes)
    }
    guard finish(&changes, by: segment.device, where: isTaken) else {
      logs.removeLast()
      return .declined
    }
    // A copy of this device wrote on: this one follows its own.
    if segment.device == device, last == nil || last == previous { last = place }
    return .merged(changes)
  }

  /// Takes what a copy has that another copy lacked.
  private mutating func complete(
    _ segment: Segment, _ hash: Hash, where isTaken: (Changes) -> Bool
  ) -> Outcome {
    guard let place = logs.place(of: hash) else { return .known }
    let entry = logs.entries[place]
    let others = segment.ends.compactMap { logs.place(of: $0.hash) }
    let operations = resolved(
      segment, at: place, entry.previous, (entry.previous.map { [$0] } ?? []) + others)
    var changes = Changes()
    for (index, operation) in operations.enumerated() {
      let dot = Dot(segment: place, index: index)
      switch operation {
      case .revision(let id, _, _)
      where entries[id]?.isStillLacking(dot, in: logs) ?? false:
        keep(id, &changes)
        entries[id]?.taken.remove(dot)
      case .set(let register, _) where isLacking(register: register, dot): break
      default: continue
      }
      apply(operation, at: dot, isLate: true, &changes)
    }
    guard finish(&changes, by: segment.device, where: isTaken) else { return .declined }
    return changes.entries.isEmpty && changes.registers.isEmpty ? .known : .merged(changes)
  }

  /// Whether anybody ever removed an entry for good.
  package func hasPurge(of entry: Identity, by device: DeviceID) -> Bool {
    entries[entry]?.purges.keys.contains { author(of: $0) == device && !logs.isVoid($0) } ?? false
  }

  /// Whether all that is left of an entry is a device's.
  package func isOnly(_ device: DeviceID, in entry: Identity) -> Bool {
    entries[entry]?.revisions.keys.allSatisfy { author(of: $0) == device } ?? false
  }

  package func hasRevision(of entry: Identity, by device: DeviceID) -> Bool {
    entries[entry]?.revisions.keys.contains { author(of: $0) == device } ?? false
  }

  package func wasPurged(_ entry: Identity) -> Bool { entries[entry]?.purges.isEmpty == false }

  /// Whether a revision's body is not here although nobody purged it.
  func isLacking(_ entry: Identity, _ dot: Dot) -> Bool {
    entries[entry]?.isLacking(dot, in: logs) ?? false
  }

  /// Whether the body of a revision of a merged segment is not here although nobody purged it.
  package func isLacking(_ segment: Hash, _ index: Int, of entry: Identity) -> Bool {
    logs.place(of: segment).map { isLacking(entry, Dot(segment: $0, index: index)) } ?? false
  }

  private mutating func apply(
    _ operation: Operation<Dot>, at dot: Dot, isLate: Bool = false, _ changes: inout Changes
  ) {
    switch operation {
    case .revision(let entry, let fields, let unseen):
      change(entry, &changes) { [rules] history, logs in
        history.add(EntryHistory.Revision(dot, fields, unseen, rules), isLate: isLate, in: logs)
      }
    case .purge(let entry, let unseen):
      change(entry, &changes) { history, logs in history.add(purge: dot, unseen, in: logs) }
    case .set(let register, let value):
      keep(register: register, &changes)
      registers[register, default: Register()].add(dot, value, in: logs)
      changes.registers.insert(register)
    case .revisionGone(let entry):
      change(entry, &changes) { history, _ in history.taken.insert(dot) }
    case .setGone(let register):
      keep(register: register, &changes)
      registers[register, default: Register()].add(dot, nil, in: logs)
    }
  }

  private mutating func change(
    _ entry: Identity, _ changes: inout Changes, _ body: (inout EntryHistory, Logs) -> Void
  ) {
    keep(entry, &changes)
    changes.entries.insert(entry)
    body(&entries[entry, default: EntryHistory()], logs)
  }

  private func keep(_ entry: Identity, _ changes: inout Changes) {
    if changes.oldEntries[entry] == nil { changes.oldEntries[entry] = .some(entries[entry]) }
  }

  private func keep(register: Identity, _ changes: inout Changes) {
    if changes.oldRegisters[register] == nil {
      changes.oldRegisters[register] = .some(registers[register])
    }
  }

  /// Finds out what the changes remove, and takes them back where they are not to be taken.
  private mutating func finish(
    _ changes: inout Changes, by author: DeviceID, where isTaken: (Changes) -> Bool
  ) -> Bool {
    for entry in changes.oldEntries.keys { entries[entry]?.settle(in: logs) }
    for case (let entry, let old?) in changes.oldEntries
    where !isListed(entry) && old.isListed(rules, in: logs)
      || isPoorer(entry, than: old, by: author)
    {
      changes.removed.insert(entry)
    }
    let isTaken = isTaken(changes)
    if !isTaken {
      for (entry, old) in changes.oldEntries { entries[entry] = old }
      for (register, old) in changes.oldRegisters { registers[register] = old }
    }
    (changes.oldEntries, changes.oldRegisters) = ([:], [:])
    return isTaken
  }

  /// Whether a revision that counted is gone, of which a device is not the author.
  private func isPoorer(
    _ entry: Identity, than old: EntryHistory, by author: DeviceID
  ) -> Bool {
    guard let now = entries[entry], now.purges.count > old.purges.count else { return false }
    return old.revisions.keys.contains { dot in
      now.revisions[dot] == nil && !logs.isVoid(dot) && self.author(of: dot) != author
    }
  }

  // MARK: What is shown

  package var ids: Set<Identity> { Set(entries.keys) }

  /// nil for an entry that is gone or never was.
  package func shown(_ entry: Identity) -> ShownEntry? { history(entry) }

  /// Whether an entry is shown just as the one revision of it says that there is.
  package func isAlone(_ dot: Dot, in entry: Identity) -> Bool {
    entries[entry]?.isAlone(dot, rules, in: logs) ?? false
  }

  /// Whether an entry is there and not in the trash.
  private func isListed(_ entry: Identity) -> Bool {
    entries[entry]?.isListed(rules, in: logs) ?? false
  }

  /// An entry's revisions that count, the newest first, each with the values of its fields that were not purged.
  package func revisions(of entry: Identity) -> [FieldValues] {
    guard let history = entries[entry] else { return [] }
    return history.counting(in: logs).sorted { logs.stamp($0.dot) > logs.stamp($1.dot) }.map(
      history.values)
  }

  /// The values of a revision's fields, those that it gives itself first; nil for one that is purged or not here.
  package func values(of dot: Dot, in entry: Identity) -> FieldValues? {
    entries[entry].flatMap { history in history.revisions[dot].map(history.values) }
  }

  func bytes(of value: EntryHistory.Value, _ field: Field, in entry: Identity) -> [UInt8]? {
    entries[entry]?.bytes(of: value, field)
  }

  /// The values that were given without knowing of one another, the one with the highest stamp first.
  package func values(of register: Identity) -> [[UInt8]] {
    (registers[register]?.values ?? [:]).sorted { logs.stamp($0.key) > logs.stamp($1.key) }
      .map(\.value)
  }
}

extension Operation {
  /// The same operation with every place replaced.
  func map<Other>(_ transform: (Place) -> Other) -> Operation<Other> {
    switch self {
    case .revision(let entry, let fields, let unseen):
      .revision(
        entry, fields: fields.mapValues { $0.each { $0.map(transform) } },
        unseen: Set(unseen.map(transform)))
    case .purge(let entry, let unseen): .purge(entry, unseen: Set(unseen.map(transform)))
    case .set(let register, let value): .set(register, value: value)
    case .revisionGone(let entry): .revisionGone(entry)
    case .setGone(let register): .setGone(register)
    }
  }

  /// One that names no place.
  var unplaced: Operation<Dot> { map { _ in Dot(segment: -1, index: -1) } }
}
