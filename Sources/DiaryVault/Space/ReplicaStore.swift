internal import Bytes
internal import Entries
internal import Platform
internal import Replication

/// What is known of the entries of all devices, kept in the vault's rows. Only what is needed is read and written.
///
/// An entry's history stands in a bucket, found by its id; the directory knows every bucket's ref, the space record knows
/// the directory's, the state record the space record's. So none of it can be taken back or exchanged unnoticed.
final class ReplicaStore {
  /// What the vault knows of an entry beside its history.
  struct Facts {
    /// The newest revision here that is accounted for; 0 when the entry is not here.
    var revision: UInt64 = 0
    /// The digest of the header that is accounted for. If it is the same, there is nothing to record.
    var header: UInt64 = 0
    /// Which revision here has the title and text that an operation gave.
    var revisions: [Dot: UInt64] = [:]
  }

  /// Entries as they are kept: ``Facts``, then what the replica has of them.
  private typealias Bucket = [Identity: [UInt8]]

  /// Buckets that stay in memory from one change to the next, about 22 KB each: those of 130,000 entries.
  private static let bucketsKept = 2048
  /// The same of entries that were read; of one that is not here, that is all there is.
  private static let factsKept = 16_384

  let catalogue: Catalogue
  var record: SpaceRecord { didSet { recordChanged = true } }
  /// Whether anything of the record was changed since it was read or saved.
  private(set) var recordChanged = false
  var replica: Replica
  /// Files that somebody purged with another entry than one that has them here.
  var sharedFiles: Set<Hash> = []
  private(set) var directory: [Ref?] = []
  private var buckets: [Int: Bucket] = [:]
  private var facts: [Identity: Facts] = [:]
  /// The bytes that each of them had in the rows when it was read or saved, and their sum.
  private var sizes: [Identity: Int] = [:]
  private var loadedBytes = 0
  /// So many may stay in memory from one change to the next: an entry with a long history is not read again for each.
  private static let loadedLimit = 16 << 20
  private var touched: Set<Identity> = []
  private var knownSegments: Int
  private(set) var registersChanged = false
  /// The refs of pages of which everything is known.
  private(set) var pages: Set<Ref> = []
  /// The rows of entries that nobody else shows any more, so that this device has to tell of them.
  var untold: Set<Int64> = []
  /// Whether journals, kinds or templates came that the diary does not have yet.
  var namesAreStale = false

  /// nil when the diary shares nothing.
  ///
  /// - Parameter orLeft: whether what is kept of a space that it left is meant, too.
  convenience init?(_ catalogue: Catalogue, orLeft: Bool = false) throws(VaultError) {
    guard let record = try orLeft ? catalogue.keptSpaceRecord() : catalogue.spaceRecord()
    else { return nil }
    try self.init(catalogue, goingOnWith: record)
  }

  /// Goes on with what the rows have that a record names.
  init(_ catalogue: Catalogue, goingOnWith record: SpaceRecord) throws(VaultError) {
    self.catalogue = catalogue
    self.record = record
    var segments: [[UInt8]] = []
    for (index, ref) in record.segments.enumerated() {
      segments.append(try ReplicaRow(catalogue, SpaceRecord.Row.segments(index)).content(ref))
    }
    var registers: [UInt8] = [0]
    if let ref = record.registers {
      registers = try ReplicaRow(catalogue, SpaceRecord.Row.registers).content(ref)
    }
    replica = try Self.reading { [segments, registers] () throws(SealingError) in
      try Replica(
        record.member.id, rules: ReplicatedEntry.rules, segments: segments, void: record.void,
        last: record.last, registers: registers)
    }
    replica.formerDevices = record.former?.devices ?? []
    knownSegments = replica.segmentCount
    guard knownSegments == record.segmentCount else {
      throw VaultError(.damaged, .otherDevices, .countsDoNotFit)
    }
    if let ref = record.directory {
      var reader = ByteReader(
        try ReplicaRow(catalogue, SpaceRecord.Row.directory).content(ref))
      directory = try Self.reading { [buckets = record.buckets] () throws(SealingError) in
        var refs: [Ref?] = []
        for _ in 0..<buckets {
          refs.append(try reader.uint8() == 0 ? nil : try Ref(&reader))
        }
        try reader.expectEnd()
        return refs
      }
    }
    if let ref = record.pages {
      var reader = ByteReader(try ReplicaRow(catalogue, SpaceRecord.Row.pages).content(ref))
      pages = try Self.reading { () throws(SealingError) in
        var refs: Set<Ref> = []
        while !reader.isAtEnd { refs.insert(try Ref(&reader)) }
        return refs
      }
    }
  }

  /// Begins with a new record.
  init(_ catalogue: Catalogue, _ record: SpaceRecord) {
    self.catalogue = catalogue
    self.record = record
    replica = Replica(record.member.id, rules: ReplicatedEntry.rules)
    knownSegments = 0
  }

  private static func reading<Result>(
    _ body: () throws(SealingError) -> Result
  ) throws(VaultError) -> Result {
    try unsealing(.otherDevices) { () throws(SealingError) in try body() }
  }

  // MARK: Entries

  private func bucket(of entry: Identity) -> Int {
    directory.count < 2 ? 0 : Int(entry.high >> UInt64(64 - directory.count.trailingZeroBitCount))
  }

  private func bucket(_ index: Int) throws(VaultError) -> Bucket {
    if let open = buckets[index] { return open }
    var bucket = Bucket()
    if directory.indices.contains(index), let ref = directory[index] {
      var reader = ByteReader(try ReplicaRow(catalogue, SpaceRecord.Row.bucket(index)).content(ref))
      try Self.reading { () throws(SealingError) in
        while !reader.isAtEnd {
          guard let id = Identity(bytes: try reader.bytes(16)) else { throw .malformed }
          bucket[id] = try reader.counted()
        }
      }
    }
    buckets[index] = bucket
    return bucket
  }

  /// Gives the replica what is known of an entry.
  func load(_ entry: Identity) throws(VaultError) {
    guard facts[entry] == nil else { return }
    guard let known = try bucket(bucket(of: entry))[entry] else {
      facts[entry] = Facts()
      return
    }
    try Self.reading { () throws(SealingError) in
      var reader = ByteReader(known)
      let found = try Facts(&reader)
      try replica.load(entry, &reader)
      facts[entry] = found
    }
    note(entry, size: known.count)
  }

  private func note(_ entry: Identity, size: Int) {
    loadedBytes += size - (sizes.updateValue(size, forKey: entry) ?? 0)
  }

  /// Whether an entry's header, as its page has it, is accounted for.
  func isKnown(_ entry: Identity, header: UInt64) throws(VaultError) -> Bool {
    if let open = facts[entry] { return open.header == header }
    guard let known = try bucket(bucket(of: entry))[entry] else { return false }
    return try Self.reading { () throws(SealingError) in
      var reader = ByteReader(known)
      return try Facts(&reader).header == header
    }
  }

  /// Gives the replica what is known of every entry that a segment touches.
  func load(_ segment: Segment) throws(VaultError) {
    for operation in segment.operations { if let id = operation.entry { try load(id) } }
  }

  subscript(entry: Identity) -> Facts {
    get { facts[entry] ?? Facts() }
    set {
      facts[entry] = newValue
      touched.insert(entry)
    }
  }

  /// Of an entry that was removed for good while the diary took part in no space nothing stays but that it was.
  func forget(_ id: EntryID) throws(VaultError) {
    guard let entry = record.entry(of: id) else { return }
    try load(entry)
    guard self[entry].revision > 0 else { return }
    let files = files(of: entry)
    record.purgedAway[entry] = SpaceRecord.PurgedEntry(
      files: files, lacking: replica.forget(entry))
    record.conflicts.remove(id)
    self[entry] = Facts()
  }

  func touchRegisters() { (registersChanged, sharedNames) = (true, nil) }

  private var sharedNames: SharedNameList?

  /// What all devices together call journals, kinds and templates: read from the registers once, however many changes follow.
  func allNames() throws(VaultError) -> SharedNameList {
    if let sharedNames { return sharedNames }
    let names = try SharedNameList(self)
    sharedNames = names
    return names
  }

  /// The photos and files of every revision of an entry, which is loaded.
  func files(of entry: Identity) -> Set<Hash> {
    Set(
      replica.revisions(of: entry).flatMap { $0[ReplicatedEntry.attachments] ?? [] }
        .compactMap(ReplicatedEntry.object))
  }

  /// The ids by which all devices know journals and kinds.
  var names: SharedNames {
    if let numbered { return numbered }
    let names = SharedNames(record)
    numbered = names
    return names
  }

  private var numbered: SharedNames?

  /// Called when numbers of journals and kinds have changed.
  func touchNumbers() { numbered = nil }

  /// Gives what an entry names a number, though it is not here.
  func number(_ number: UInt32, _ reference: EntryField.Reference, _ id: Identity) {
    switch reference {
    case .journal: record.formerJournals[number] = id
    case .kind: record.formerKinds[number] = id
    }
    numbered?[reference, id] = number
  }

  /// Every entry that anything is known of.
  func allEntries() throws(VaultError) -> [Identity] {
    var found: [Identity] = []
    for index in 0..<max(1, directory.count) { found += try bucket(index).keys }
    return found
  }

  // MARK: Writing

  /// Puts everything that changed into the rows.
  ///
  /// - Parameter pages: those of which everything is known now.
  /// - Returns: what the state record keeps.
  func save(pages known: Set<Ref>) throws(VaultError) -> Ref {
    let changed = Array(touched)
    var dirty: Set<Int> = []
    for (entry, encoded) in zip(changed, encoded(changed)) {
      if let encoded { note(entry, size: encoded.count) }
      let index = bucket(of: entry)
      if buckets[index] == nil { _ = try bucket(index) }
      buckets[index]?[entry] = encoded
      dirty.insert(index)
    }
    if try grow() { dirty = Set(directory.indices) }
    for index in dirty {
      directory[index] = try put(SpaceRecord.Row.bucket(index), encoded(try bucket(index)))
    }
    if !dirty.isEmpty {
      record.directory = try put(SpaceRecord.Row.directory, Self.encoded(directory))
      record.buckets = directory.count
    }
    let count = replica.segmentCount
    let perRow = SpaceRecord.segmentsPerRow
    if count > knownSegments {
      for row in (knownSegments / perRow)..<((count + perRow - 1) / perRow) {
        let range = (row * perRow)..<min(count, (row + 1) * perRow)
        let ref = try put(SpaceRecord.Row.segments(row), replica.encodedSegments(range))
        if row < record.segments.count {
          record.segments[row] = ref
        } else {
          record.segments.append(ref)
        }
      }
      record.segmentCount = count
      knownSegments = count
    }
    (record.last, record.void) = (replica.lastSegment, replica.voidSegments)
    if registersChanged || record.registers == nil {
      record.registers = try put(SpaceRecord.Row.registers, replica.encodedRegisters())
      registersChanged = false
    }
    if known != pages || record.pages == nil {
      var writer = ByteWriter(reserving: known.count * Ref.byteCount)
      for ref in known { ref.write(to: &writer) }
      record.pages = try put(SpaceRecord.Row.pages, writer.bytes)
      pages = known
    }
    (touched, untold) = ([], [])
    recordChanged = false
    return try put(SpaceRecord.Row.record, try plain())
  }

  private func plain() throws(VaultError) -> [UInt8] {
    try unsealing(.space) { () throws(SealingError) in try record.plain() }
  }

  /// Drops entries from memory that are in the rows, where there is much of them. Changed ones stay until they are saved.
  func release() {
    if buckets.count > Self.bucketsKept { buckets = [:] }
    guard loadedBytes > Self.loadedLimit || facts.count > Self.factsKept else { return }
    (sizes, loadedBytes) = ([:], 0)
    let known = facts
    facts = touched.isEmpty ? [:] : facts.filter { touched.contains($0.key) }
    Parallel.release((replica.unload(but: touched), known))
  }

  /// Doubles the number of buckets when they have grown too long; returns whether it did.
  private func grow() throws(VaultError) -> Bool {
    let most = 64
    if directory.isEmpty { directory = [nil] }
    guard buckets.values.contains(where: { $0.count > 2 * most }) else { return false }
    var all: [Bucket] = []
    for index in directory.indices { all.append(try bucket(index)) }
    let entries = all.reduce(0) { $0 + $1.count }
    var count = directory.count
    while entries > count * most, count < 1 << 20 { count *= 2 }
    guard count > directory.count else { return false }
    directory = Array(repeating: nil, count: count)
    var grown = Array(repeating: Bucket(), count: count)
    for bucket in all {
      for (id, known) in bucket { grown[self.bucket(of: id)][id] = known }
    }
    buckets = Dictionary(uniqueKeysWithValues: zip(grown.indices, grown))
    return true
  }

  /// What is kept of each entry; nil for nothing.
  private func encoded(_ entries: [Identity]) -> [[UInt8]?] {
    func encode(_ part: ArraySlice<Identity>, _ replica: Replica) -> [[UInt8]?] {
      part.map { entry in
        replica.encodedEntry(entry).map { history in
          var writer = ByteWriter(reserving: history.count + 32)
          (facts[entry] ?? Facts()).encode(to: &writer)
          writer.put(history)
          return writer.bytes
        }
      }
    }
    guard entries.count > 64 else { return encode(entries[...], replica) }
    var halves: ([[UInt8]?], [[UInt8]?]) = ([], [])
    let (half, replica) = (entries.count / 2, replica)
    Parallel.both {
      halves.0 = encode(entries[..<half], replica)
    } and: {
      halves.1 = encode(entries[half...], replica)
    }
    return halves.0 + halves.1
  }

  static func encoded(_ directory: [Ref?]) -> [UInt8] {
    var writer = ByteWriter(reserving: directory.count * 41)
    for ref in directory {
      writer.put(UInt8(ref == nil ? 0 : 1))
      ref?.write(to: &writer)
    }
    return writer.bytes
  }

  private func encoded(_ bucket: Bucket) -> [UInt8] {
    var writer = ByteWriter(reserving: bucket.count * 360)
    for (id, known) in bucket.sorted(by: { $0.key < $1.key }) {
      writer.put(id.bytes)
      writer.putCounted(known)
    }
    return writer.bytes
  }

  private func put(_ row: Int64, _ content: [UInt8]) throws(VaultError) -> Ref {
    try ReplicaRow(catalogue, row).put(content)
  }

  // MARK: Looking at all of it

  /// The rows there must be, every one of them opened.
  func check() throws(VaultError) -> Set<Int64> {
    typealias Row = SpaceRecord.Row
    var rows: Set<Int64> = []
    func take(_ row: Int64, _ ref: Ref?) throws(VaultError) {
      if let ref { rows.formUnion(try ReplicaRow(catalogue, row).rows(ref)) }
    }
    try take(Row.record, catalogue.state.space)
    try take(Row.registers, record.registers)
    try take(Row.pages, record.pages)
    try take(Row.directory, record.directory)
    for (index, ref) in record.segments.enumerated() { try take(Row.segments(index), ref) }
    for index in directory.indices where directory[index] != nil {
      try take(Row.bucket(index), directory[index])
      for id in try bucket(index).keys { try load(id) }
      buckets[index] = nil
      release()
    }
    return rows
  }
}

extension ReplicaStore.Facts {
  fileprivate init(_ reader: inout ByteReader) throws(SealingError) {
    header = try reader.uint64()
    revision = try reader.varint()
    for _ in 0..<(try reader.varint()) {
      let dot = try Dot(&reader)
      revisions[dot] = try reader.varint()
    }
  }

  fileprivate func encode(to writer: inout ByteWriter) {
    writer.put(header)
    writer.putVarint(revision)
    writer.putVarint(UInt64(revisions.count))
    for (dot, revision) in revisions.sorted(by: { $0.key < $1.key }) {
      dot.encode(to: &writer)
      writer.putVarint(revision)
    }
  }
}

extension Segment {
  /// The entries it purges.
  var purged: Set<Identity> {
    var purged: Set<Identity> = []
    for case .purge(let entry, _) in operations { purged.insert(entry) }
    return purged
  }
}

extension Operation {
  /// The entry it is about.
  var entry: Identity? {
    switch self {
    case .revision(let entry, _, _), .purge(let entry, _), .revisionGone(let entry): entry
    case .set, .setGone: nil
    }
  }
}
