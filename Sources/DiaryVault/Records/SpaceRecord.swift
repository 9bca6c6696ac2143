internal import Bytes
internal import Entries
internal import Replication
internal import Sealing

/// What this device keeps of the space that its diary's devices share: who it is there, who the others are, and where
/// what is known of entries stands. One sealed row, held by the state record.
struct SpaceRecord {
  /// Whether it takes part, or waits for an answer to its request, or took part before.
  enum Standing {
    /// The pairing code's 16 bytes, and what the name of the space begins with.
    case asking(SecretBytesBox, space: String)
    case member
    case left
  }

  var standing: Standing
  /// nil until it takes part.
  var space: Identity?
  /// The seed of its keys, 32 bytes.
  let seed: SecretBytesBox
  let member: Member
  var keys: [[UInt8]: EpochKey] = [:]
  var roster: Roster?

  /// The place of this device's last segment among those merged.
  var last: Int?
  /// Rows of merged segments, each of ``segmentsPerRow`` but the last.
  var segments: [Ref] = []
  var segmentCount = 0
  var registers: Ref?
  /// The pages of which everything is known.
  var pages: Ref?
  var directory: Ref?
  var buckets = 0
  /// Entries that are there when all that is merged is shown.
  var living = 0
  var journals: [UInt32: Identity] = [:]
  var kinds: [UInt32: Identity] = [:]
  /// Entries with more than one text.
  var conflicts: Set<EntryID> = []
  /// This device's segments that were not seen in the store yet.
  var unpublished: Set<Hash> = []
  /// Segments that the device had merged which let this one in: until they are here the place does not show all there was.
  var promised: Set<LogEnd> = []
  /// The last segment written here: its file gets its name after this is durable.
  var pending: LogEnd?
  /// When something new of a device was merged here, seconds since 1970.
  var heard: [DeviceID: Int64] = [:]
  /// Objects of merged entries that are not here.
  var missingFiles: Set<Hash> = []
  /// Packs all of whose segments are merged here.
  var packs: [Hash: KnownPack] = [:]
  /// The places of merged segments that do not count.
  var void: Set<Int> = []
  /// Segments that do not count and were looked at.
  var passedOver: Set<Hash> = []
  /// Records of the roster that cannot be opened, and how many epochs were known when that was tried.
  var unread: Set<Hash> = []
  var unreadUnder = 0
  /// Segments and records of the roster that no device which keeps to the rules wrote.
  var malformed: Set<Hash> = []
  /// Records and segments of which nothing comes.
  var useless: Set<Hash> { unread.union(malformed) }
  /// Segments and packs that were read and not merged, or not all of them.
  var readInVain: [Hash: VainReading] = [:]
  /// The numbers here of journals and kinds that are gone: entries still name them, and one that comes back gets its own.
  var formerJournals: [UInt32: Identity] = [:]
  var formerKinds: [UInt32: Identity] = [:]
  /// Merged segments of which bodies are lacking that nobody purged.
  var lacking: Set<Hash> = []
  /// Photos and files of purged entries, and the place of the segment that purged them.
  var dropped: [Hash: Int] = [:]
  /// When everything was last settled, seconds since 1970.
  var settled: Int64 = 0
  /// The ids that entries have here whose own was taken: of two ids that begin alike, the one that came second is another here.
  private(set) var aliases: [EntryID: Identity] = [:]
  private var renamed: [Identity: EntryID] = [:]
  /// Merged segments that not all who take part can open, as far as no pack answers for them.
  var notForAll: Set<Hash> = []
  /// Devices that wrote after they were taken out, and nobody was told.
  var outsiders: Set<DeviceID> = []
  /// Whether a copy of this device wrote something, or a later version something that is not read here, and nobody was told.
  var wasCopied = false
  var hasNewer = false
  /// Entries that stay or came back although a device removed them for good, and nobody was told.
  var kept = KeptEntries()
  /// While this device asks to come in again: after how many listings of the place pieces were not here that it listed, and when it was
  /// listed last.
  var listings = 0
  var listed: Int64 = 0
  /// nil where nothing is kept of a time before this device came into the space.
  var former: Former?
  /// Entries that were removed for good while the diary took part in no space. The others are told when it comes in again; of what the
  /// entries said nothing is kept.
  var purgedAway: [Identity: PurgedEntry] = [:]
  /// Entries that would be removed, and wait for confirmation since the last time.
  var removals = 0
  /// Entries that went without anybody's yes, and since when, seconds since 1970: the next sync counts them, too.
  private var removed = 0
  private var removedSince: Int64 = 0

  struct KnownPack {
    let rank: Pack.Rank
    /// The places, among those merged, of the segments of which it has everything that is needed, and of the others.
    let answered: [Int]
    let others: [Int]
    /// Where it has segments that are not merged here, because they do not count: how many segments and roster records there were when it
    /// was looked at last. Others may follow them since.
    var partial: Int?
  }

  struct VainReading: Equatable {
    /// Whose it is, where that is known.
    var author: DeviceID?
    /// A segment that it waits for, where it waits for one: until that is merged it need not be read.
    var need: Hash?
  }

  static let segmentsPerRow = 256

  enum Row {
    static let record: Int64 = 0
    static let registers: Int64 = 1
    static let pages: Int64 = 2
    static let directory: Int64 = 3
    static func segments(_ index: Int) -> Int64 { 1 << 20 + Int64(index) }
    static func bucket(_ index: Int) -> Int64 { 1 << 40 + Int64(index) }
  }

  init(_ standing: Standing, seed: consuming SecretBytes, name: String) throws(SealingError) {
    self.standing = standing
    let keys = try SpaceIdentity(seed: seed)
    member = Member(name: name, keys)
    self.seed = SecretBytesBox(seed)
  }

  /// Takes over the members; everything else stays as it is now.
  mutating func takeMembership(of other: SpaceRecord) {
    (standing, space, keys, roster) = (other.standing, other.space, other.keys, other.roster)
    promised = other.promised
  }

  /// The id that an entry has here.
  func id(of entry: Identity) -> EntryID { renamed[entry] ?? EntryID(bytes: entry.bytes) }

  /// The id by which all devices know an entry.
  func entry(of id: EntryID) -> Identity? { aliases[id] ?? Identity(bytes: id.bytes) }

  /// Gives an entry another id here; nil for its own.
  mutating func rename(_ entry: Identity, _ id: EntryID?) {
    if let old = renamed.removeValue(forKey: entry) { aliases[old] = nil }
    if let id { (aliases[id], renamed[entry]) = (entry, id) }
  }

  private static let removalSeconds: Int64 = 86_400

  /// Entries that went without anybody's yes within a day.
  func removedLately(at now: Int64) -> Int {
    0...Self.removalSeconds ~= now - removedSince ? removed : 0
  }

  mutating func noteRemoved(_ count: Int, at now: Int64) {
    guard count > 0 else { return }
    if removedLately(at: now) == 0 { (removed, removedSince) = (0, now) }
    removed += count
  }

  /// The owner has agreed to what went.
  mutating func allowRemovals() { (removed, removedSince) = (0, 0) }

  func identity() throws(SealingError) -> SpaceIdentity { try SpaceIdentity(seed: seed.secret) }

  func plain() throws(SealingError) -> [UInt8] {
    var writer = ByteWriter(reserving: 2048)
    func put(_ secret: SecretBytesBox) {
      var bytes = unsafe secret.secret.withUnsafeBytes { unsafe Array($0) }
      writer.put(bytes)
      bytes.wipe()
    }
    func put(_ ref: Ref?) {
      writer.put(UInt8(ref == nil ? 0 : 1))
      ref?.write(to: &writer)
    }
    writer.put(RecordVersion.first)
    switch standing {
    case .asking(let code, let space):
      writer.put(UInt8(1))
      put(code)
      writer.putCounted(space)
    case .member: writer.put(UInt8(2))
    case .left: writer.put(UInt8(3))
    }
    put(seed)
    writer.putCounted(member.name)
    writer.put(UInt8(space == nil ? 0 : 1))
    writer.put(space?.bytes ?? [])
    writer.putVarint(UInt64(keys.count))
    for key in keys.values.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
      try key.write(to: &writer)
    }
    writer.putCounted(roster?.encoded() ?? [])
    writer.putVarint(last.map { UInt64($0) + 1 } ?? 0)
    writer.putVarint(UInt64(segmentCount))
    writer.putVarint(UInt64(segments.count))
    for ref in segments { ref.write(to: &writer) }
    put(registers)
    put(pages)
    put(directory)
    putShown(&writer)
    return writer.bytes
  }

  /// What is shown here of all that the devices wrote, and what is still to be done.
  private func putShown(_ writer: inout ByteWriter) {
    writer.putVarint(UInt64(buckets))
    writer.putVarint(UInt64(living))
    for names in [journals, kinds, formerJournals, formerKinds] {
      writer.putVarint(UInt64(names.count))
      for (number, id) in names.sorted(by: { $0.key < $1.key }) {
        writer.put(number)
        writer.put(id.bytes)
      }
    }
    writer.putVarint(UInt64(conflicts.count))
    for id in conflicts.sorted() { writer.put(id.bytes) }
    put(unpublished, &writer)
    writer.put(UInt8(pending == nil ? 0 : 1))
    if let pending {
      writer.put(pending.device.bytes)
      writer.putVarint(pending.sequence)
      pending.hash.encode(to: &writer)
    }
    writer.putVarint(UInt64(heard.count))
    for (device, time) in heard.sorted(by: { $0.key < $1.key }) {
      writer.put(device.bytes)
      writer.put(time)
    }
    put(missingFiles, &writer)
    writer.putVarint(UInt64(packs.count))
    for (hash, pack) in packs.sorted(by: { $0.key < $1.key }) {
      hash.encode(to: &writer)
      writer.putVarint(pack.rank.generation)
      writer.putVarint(pack.rank.gone)
      writer.putVarint(pack.partial.map { UInt64($0) + 1 } ?? 0)
      for places in [pack.answered, pack.others] {
        writer.putVarint(UInt64(places.count))
        for place in places { writer.putVarint(UInt64(place)) }
      }
    }
    put(lacking, &writer)
    writer.putVarint(UInt64(dropped.count))
    for (hash, place) in dropped.sorted(by: { $0.key < $1.key }) {
      hash.encode(to: &writer)
      writer.putVarint(UInt64(place))
    }
    writer.put(settled)
    writer.putVarint(UInt64(removed))
    writer.put(removedSince)
    writer.putVarint(UInt64(aliases.count))
    for (id, entry) in aliases.sorted(by: { $0.key < $1.key }) {
      writer.put(id.bytes)
      writer.put(entry.bytes)
    }
    writer.putVarint(UInt64(removals))
    put(notForAll, &writer)
    writer.put(UInt8((wasCopied ? 1 : 0) | (hasNewer ? 2 : 0)))
    writer.putVarint(UInt64(void.count))
    for place in void.sorted() { writer.putVarint(UInt64(place)) }
    put(passedOver, &writer)
    put(malformed, &writer)
    put(outsiders, &writer)
    putRefused(&writer)
  }

  private func putRefused(_ writer: inout ByteWriter) {
    promised.sorted().encode(to: &writer)
    put(unread, &writer)
    writer.putVarint(UInt64(unreadUnder))
    writer.putVarint(UInt64(readInVain.count))
    for (hash, reading) in readInVain.sorted(by: { $0.key < $1.key }) {
      hash.encode(to: &writer)
      for known in [reading.author, reading.need] {
        writer.put(UInt8(known == nil ? 0 : 1))
        if let known { writer.put(known.bytes) }
      }
    }
    kept.encode(to: &writer)
    writer.put(UInt8(former == nil ? 0 : 1))
    former?.encode(to: &writer)
    writer.putVarint(UInt64(listings))
    writer.put(listed)
    writer.putVarint(UInt64(purgedAway.count))
    for (entry, known) in purgedAway.sorted(by: { $0.key < $1.key }) {
      writer.put(entry.bytes)
      known.encode(to: &writer)
    }
  }

  private func put(_ hashes: Set<Hash>, _ writer: inout ByteWriter) {
    writer.putVarint(UInt64(hashes.count))
    for hash in hashes.sorted() { hash.encode(to: &writer) }
  }

  init(plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(plain)
    try reader.expectVersion()
    func secret(_ count: Int) throws(SealingError) -> SecretBytesBox {
      var bytes = try reader.bytes(count)
      return SecretBytesBox(try SecretBytes(wiping: &bytes))
    }
    func ref() throws(SealingError) -> Ref? { try reader.uint8() == 0 ? nil : try Ref(&reader) }
    switch try reader.uint8() {
    case 1: standing = .asking(try secret(RecoveryCode.secretBytes), space: try reader.text())
    case 2: standing = .member
    case 3: standing = .left
    default: throw .malformed
    }
    seed = try secret(32)
    member = Member(name: try reader.text(), try SpaceIdentity(seed: seed.secret))
    space = try reader.uint8() == 0 ? nil : try reader.identity()
    for _ in 0..<(try reader.number()) {
      let key = try EpochKey(&reader)
      keys[key.id] = key
    }
    let encoded = try reader.counted()
    roster = try space.flatMap { space throws(SealingError) in
      encoded.isEmpty ? nil : try Roster(space: space, encoded)
    }
    let last = try reader.number()
    self.last = last == 0 ? nil : last - 1
    segmentCount = try reader.number()
    for _ in 0..<(try reader.number()) { segments.append(try Ref(&reader)) }
    registers = try ref()
    pages = try ref()
    directory = try ref()
    try takeShown(&reader)
    try reader.expectEnd()
  }

  private mutating func takeShown(_ reader: inout ByteReader) throws(SealingError) {
    buckets = try reader.number()
    living = try reader.number()
    journals = try reader.names()
    kinds = try reader.names()
    formerJournals = try reader.names()
    formerKinds = try reader.names()
    for _ in 0..<(try reader.number()) { conflicts.insert(EntryID(bytes: try reader.bytes(16))) }
    for _ in 0..<(try reader.number()) { unpublished.insert(try Hash(&reader)) }
    if try reader.uint8() == 1 {
      let device = try DeviceID(&reader)
      pending = LogEnd(
        device: device, sequence: try reader.varint(), hash: try Hash(&reader))
    }
    for _ in 0..<(try reader.number()) {
      let device = try DeviceID(&reader)
      heard[device] = try reader.int64()
    }
    for _ in 0..<(try reader.number()) { missingFiles.insert(try Hash(&reader)) }
    for _ in 0..<(try reader.number()) {
      let hash = try Hash(&reader)
      let rank = Pack.Rank(generation: try reader.varint(), gone: try reader.varint())
      let partial = try reader.number()
      packs[hash] = KnownPack(
        rank: rank, answered: try reader.numbers(), others: try reader.numbers(),
        partial: partial == 0 ? nil : partial - 1)
    }
    for _ in 0..<(try reader.number()) { lacking.insert(try Hash(&reader)) }
    for _ in 0..<(try reader.number()) {
      let hash = try Hash(&reader)
      dropped[hash] = try reader.number()
    }
    settled = try reader.int64()
    removed = try reader.number()
    removedSince = try reader.int64()
    for _ in 0..<(try reader.number()) {
      let id = EntryID(bytes: try reader.bytes(16))
      rename(try reader.identity(), id)
    }
    removals = try reader.number()
    for _ in 0..<(try reader.number()) { notForAll.insert(try Hash(&reader)) }
    let untold = try reader.uint8()
    (wasCopied, hasNewer) = (untold & 1 != 0, untold & 2 != 0)
    void = Set(try reader.numbers())
    for _ in 0..<(try reader.number()) { passedOver.insert(try Hash(&reader)) }
    for _ in 0..<(try reader.number()) { malformed.insert(try Hash(&reader)) }
    for _ in 0..<(try reader.number()) { outsiders.insert(try DeviceID(&reader)) }
    try takeRefused(&reader)
  }

  private mutating func takeRefused(_ reader: inout ByteReader) throws(SealingError) {
    promised = Set(try [LogEnd](&reader))
    for _ in 0..<(try reader.number()) { unread.insert(try Hash(&reader)) }
    unreadUnder = try reader.number()
    for _ in 0..<(try reader.number()) {
      let hash = try Hash(&reader)
      let author = try reader.uint8() == 0 ? nil : try DeviceID(&reader)
      let need = try reader.uint8() == 0 ? nil : try Hash(&reader)
      readInVain[hash] = VainReading(author: author, need: need)
    }
    kept = try KeptEntries(&reader)
    if try reader.uint8() == 1 { former = try Former(&reader) }
    listings = try reader.number()
    listed = try reader.int64()
    for _ in 0..<(try reader.number()) {
      let entry = try reader.identity()
      purgedAway[entry] = try PurgedEntry(&reader)
    }
  }
}

extension ByteReader {
  fileprivate mutating func identity() throws(SealingError) -> Identity {
    guard let id = Identity(bytes: try bytes(16)) else { throw .malformed }
    return id
  }

  fileprivate mutating func names() throws(SealingError) -> [UInt32: Identity] {
    var names: [UInt32: Identity] = [:]
    for _ in 0..<(try number()) { names[try uint32()] = try identity() }
    return names
  }

  fileprivate mutating func numbers() throws(SealingError) -> [Int] {
    var numbers: [Int] = []
    for _ in 0..<(try number()) { numbers.append(try number()) }
    return numbers
  }

  fileprivate mutating func number() throws(SealingError) -> Int {
    guard let number = Int(exactly: try varint()) else { throw .malformed }
    return number
  }
}
