package import Bytes

/// What a device keeps of a replica: its own form, never sent. A place among the logs is a number of this device alone.
///
/// Segments are written once and in the order in which they were merged, so that the vault rewrites only the last
/// few; an entry is kept by itself, so that nothing is read that is not asked for.
extension Replica {
  /// How many segments are merged.
  package var segmentCount: Int { logs.entries.count }

  /// Some of the merged segments, in the order in which they were merged; nothing may be open.
  package func encodedSegments(_ range: Range<Int>) -> [UInt8] {
    var writer = ByteWriter(reserving: range.count * 80)
    writer.putVarint(UInt64(range.count))
    for entry in logs.entries[range] {
      entry.device.encode(to: &writer)
      writer.putVarint(entry.sequence)
      entry.hash?.encode(to: &writer)
      writer.putVarint(entry.previous.map { UInt64($0) + 1 } ?? 0)
      writer.putVarint(UInt64(entry.ends.count))
      for end in entry.ends { writer.putVarint(UInt64(end)) }
      writer.putVarint(UInt64(entry.count))
    }
    return writer.bytes
  }

  /// Goes on from what was kept.
  ///
  /// - Parameters:
  ///   - segments: all of them, as ``encodedSegments(_:)`` gave them.
  ///   - void: ``voidSegments`` then.
  ///   - last: ``lastSegment`` then.
  /// - Throws: ``SealingError`` `malformed`.
  package init(
    _ device: DeviceID, rules: FieldMap<MergeRule>, segments: [[UInt8]], void: Set<Int>,
    last: Int?, registers encoded: [UInt8]
  ) throws(SealingError) {
    var logs = Logs()
    for chunk in segments {
      var reader = ByteReader(chunk)
      for _ in 0..<(try reader.varint()) {
        let device = try DeviceID(&reader)
        let sequence = try reader.varint()
        let hash = try Hash(&reader)
        let previous = try reader.varint()
        var ends: [Int] = []
        for _ in 0..<(try reader.varint()) {
          ends.append(try reader.index(below: logs.entries.count))
        }
        guard previous <= UInt64(logs.entries.count), let count = Int(exactly: try reader.varint()),
          count <= Segment.operationLimit
        else { throw .malformed }
        _ = logs.append(
          device, sequence, hash: hash, previous: previous == 0 ? nil : Int(previous) - 1,
          ends: ends, count: count)
      }
      try reader.expectEnd()
    }
    guard void.isSubset(of: logs.entries.indices) else { throw .malformed }
    logs.count(allBut: void)
    if let last, !logs.entries.indices.contains(last) { throw .malformed }
    self.init(device, rules: rules, logs: logs, last: last)
    var reader = ByteReader(encoded)
    for _ in 0..<(try reader.varint()) {
      let id = try Identity(&reader)
      var values: [Dot: [UInt8]] = [:]
      for _ in 0..<(try reader.varint()) {
        let dot = try dot(&reader)
        values[dot] = try reader.counted()
      }
      registers[id] = Register(
        values: values, known: try dots(&reader), gone: try dots(&reader))
    }
    try reader.expectEnd()
  }

  /// Where this device's last segment stands among those merged.
  package var lastSegment: Int? { last }

  /// Journals, kinds and templates.
  package func encodedRegisters() -> [UInt8] {
    var writer = ByteWriter(reserving: 256)
    writer.putVarint(UInt64(registers.count))
    for (id, register) in registers.sorted(by: { $0.key < $1.key }) {
      id.encode(to: &writer)
      writer.putVarint(UInt64(register.values.count))
      for (dot, value) in register.values.sorted(by: { $0.key < $1.key }) {
        dot.encode(to: &writer)
        writer.putCounted(value)
      }
      register.known.encode(to: &writer)
      register.gone.encode(to: &writer)
    }
    return writer.bytes
  }

  package var registerIDs: Set<Identity> { Set(registers.keys) }

  // MARK: Entries

  /// Everything known of an entry; nil when nothing is.
  package func encodedEntry(_ entry: Identity) -> [UInt8]? {
    guard let history = entries[entry] else { return nil }
    var writer = ByteWriter(reserving: 256)
    writer.putVarint(UInt64(history.revisions.count))
    for revision in history.revisions.values.sorted(by: { $0.dot < $1.dot }) {
      revision.encode(to: &writer)
    }
    writer.putVarint(UInt64(history.purges.count))
    for (purge, unseen) in history.purges.sorted(by: { $0.key < $1.key }) {
      purge.encode(to: &writer)
      unseen.encode(to: &writer)
    }
    history.taken.encode(to: &writer)
    return writer.bytes
  }

  /// Gives what was kept of an entry, before anything is done with it.
  ///
  /// - Throws: ``SealingError`` `malformed`.
  package mutating func load(_ entry: Identity, _ encoded: [UInt8]) throws(SealingError) {
    var reader = ByteReader(encoded)
    try load(entry, &reader)
  }

  /// - Parameter reader: what was kept is all that it has left.
  package mutating func load(
    _ entry: Identity, _ reader: inout ByteReader
  ) throws(SealingError) {
    var history = EntryHistory()
    for _ in 0..<(try reader.varint()) {
      history.restore(try revision(&reader))
    }
    for _ in 0..<(try reader.varint()) {
      let purge = try dot(&reader)
      history.purges[purge] = try dots(&reader)
    }
    history.taken = try dots(&reader)
    try reader.expectEnd()
    entries[entry] = history
  }

  /// Drops entries from memory that are kept elsewhere, all but some.
  ///
  /// - Returns: what is not known any more. It is large, and letting go of it takes time.
  package mutating func unload(but kept: Set<Identity>) -> Unloaded {
    let unloaded = Unloaded(entries: entries)
    entries = kept.isEmpty ? [:] : entries.filter { kept.contains($0.key) }
    return unloaded
  }

  package struct Unloaded: Sendable {
    fileprivate let entries: [Identity: EntryHistory]
  }

  private func revision(
    _ reader: inout ByteReader
  ) throws(SealingError) -> EntryHistory.Revision {
    let dot = try dot(&reader)
    var given = FieldValues()
    var fields = FieldMap<SortedSet<EntryHistory.Value>>()
    for _ in 0..<(try reader.varint()) {
      let field = try reader.uint8()
      var own = Few<[UInt8]>()
      for _ in 0..<(try reader.varint()) { own.append(try reader.counted()) }
      if !own.isEmpty { given[field] = own }
      var values = Few(
        own.indices.lazy.map { EntryHistory.Value(set: dot, number: $0, carried: nil) })
      for _ in 0..<(try reader.varint()) {
        let set = try self.dot(&reader)
        let isCarried = try reader.flag()
        values.append(
          isCarried
            ? EntryHistory.Value(set: set, number: 0, carried: try reader.counted())
            : EntryHistory.Value(
              set: set, number: try reader.index(below: Segment.operationLimit), carried: nil))
      }
      fields[field] = SortedSet(values)
    }
    return EntryHistory.Revision(
      dot: dot, given: given, fields: fields, unseen: try dots(&reader))
  }

  private func dots(_ reader: inout ByteReader) throws(SealingError) -> Set<Dot> {
    var dots: Set<Dot> = []
    for _ in 0..<(try reader.varint()) { dots.insert(try dot(&reader)) }
    return dots
  }

  private func dot(_ reader: inout ByteReader) throws(SealingError) -> Dot {
    let segment = try reader.index(below: logs.entries.count)
    return Dot(
      segment: segment, index: try reader.index(below: max(1, logs.entries[segment].count)))
  }
}

extension EntryHistory.Revision {
  fileprivate func encode(to writer: inout ByteWriter) {
    dot.encode(to: &writer)
    writer.putVarint(UInt64(fields.count))
    for (field, values) in fields {
      writer.put(field)
      let own = given[field] ?? .none
      writer.putVarint(UInt64(own.count))
      for value in own { writer.putCounted(value) }
      func isOther(_ value: EntryHistory.Value) -> Bool { value.set != dot || value.carried != nil }
      writer.putVarint(UInt64(values.count(where: isOther)))
      for value in values where isOther(value) {
        value.set.encode(to: &writer)
        writer.put(UInt8(value.carried == nil ? 0 : 1))
        if let carried = value.carried {
          writer.putCounted(carried)
        } else {
          writer.putVarint(UInt64(value.number))
        }
      }
    }
    unseen.encode(to: &writer)
  }
}

extension Set<Dot> {
  fileprivate func encode(to writer: inout ByteWriter) {
    writer.putVarint(UInt64(count))
    for dot in sorted() { dot.encode(to: &writer) }
  }
}

extension Dot: Comparable {
  package init(_ reader: inout ByteReader) throws(SealingError) {
    let (segment, index) = (try reader.varint(), try reader.varint())
    guard segment <= UInt64(Int32.max), index <= UInt64(Int32.max) else { throw .malformed }
    self.init(segment: Int(segment), index: Int(index))
  }

  package static func < (one: Dot, other: Dot) -> Bool {
    (one.segment, one.index) < (other.segment, other.index)
  }

  package func encode(to writer: inout ByteWriter) {
    writer.putVarint(UInt64(segment))
    writer.putVarint(UInt64(index))
  }
}

extension ByteReader {
  fileprivate mutating func index(below count: Int) throws(SealingError) -> Int {
    let number = try varint()
    guard number < UInt64(count) else { throw .malformed }
    return Int(number)
  }
}
