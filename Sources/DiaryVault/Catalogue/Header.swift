internal import Bytes
internal import Entries
internal import Sealing

/// Everything about an entry but its body. Lives in a header page only.
///
/// A record is a fixed part, read without decoding the rest, then fields:
/// `id 16 ‖ date i64 ‖ added u64 ‖ flags u8`, then `key u8 ‖ length varint ‖ bytes` each. Unknown fields are kept as they
/// are.
struct Header: Sendable, Equatable {
  var id: EntryID
  /// The how-manieth entry added to this vault.
  var added: UInt64
  var date: ZonedTime
  var revision: UInt64 = 1
  var until: ZonedTime?
  var zone: String?
  var journal: UInt32?
  var kind: UInt32?
  var title: String?
  var preview: String?
  var tags: [String] = []
  var starred = false
  var location: String?
  var weather: String?
  var trashed: Int64?
  var created: Int64
  var modified: Int64
  var bodySize = 0
  var words = 0
  /// The body's row, and the revision it was written with.
  var body: Ref
  var bodyRevision: UInt64 = 1
  /// The sealed header this one replaced.
  var previous: (revision: UInt64, ref: Ref)?
  var attachments: [SealedAttachment] = []
  /// Revisions with a title or text that another device wrote without knowing of this one: they count as well.
  var others: [UInt64] = []
  private var unknown: [UInt8] = []

  var key: PageKey { PageKey(date: date.seconds, added: added) }

  static func == (one: Self, other: Self) -> Bool { one.encoded() == other.encoded() }

  init(
    id: EntryID, added: UInt64, date: ZonedTime, created: Int64, modified: Int64, body: Ref
  ) {
    self.id = id
    self.added = added
    self.date = date
    self.created = created
    self.modified = modified
    self.body = body
  }

  /// What was written, with journal and kind by name.
  func content(_ names: NameRegister, body: String) -> EntryContent {
    EntryContent(
      date: date, until: until, zone: zone, journal: journal.flatMap { names.journal($0)?.name },
      kind: kind.flatMap { names.kind($0)?.name }, title: title, body: body, tags: tags,
      starred: starred, location: location, weather: weather)
  }

  /// Takes what was written, with what follows from it; the body's own row is the caller's.
  ///
  /// - Throws: ``VaultError`` `notFound` for an unknown journal or kind.
  mutating func take(_ content: EntryContent, _ names: NameRegister) throws(VaultError) {
    date = content.date
    until = content.until
    zone = content.zone
    journal = try content.journal.map { name throws(VaultError) in
      try names.requireJournal(name).id
    }
    kind = try content.kind.map { name throws(VaultError) in try names.requireKind(name).id }
    title = content.title
    tags = TagList.unique(content.tags)
    starred = content.starred
    location = content.location
    weather = content.weather
    describe(content.body)
  }

  private enum Field: UInt8 {
    case offset = 1
    case revision, until, zone, journal, kind, title, preview, tag, trashed, created
    case modified, bodySize, words, body, bodyRevision, previous, attachment, location, weather
    case others
  }

  enum Flags {
    static let starred: UInt8 = 1
    static let trashed: UInt8 = 2
  }

  /// Offsets in the fixed part.
  enum Layout {
    static let id = 0
    static let date = 16
    static let added = 24
    static let flags = 32
    static let fields = 33
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter(reserving: 320)
    writer.put(id.bytes)
    writer.put(date.seconds)
    writer.put(added)
    writer.put((starred ? Flags.starred : 0) | (trashed != nil ? Flags.trashed : 0))
    func field(_ key: Field, _ fill: (inout ByteWriter) -> Void) {
      var content = ByteWriter(reserving: 48)
      fill(&content)
      writer.put(key.rawValue)
      writer.putCounted(content.bytes)
    }
    func text(_ key: Field, _ text: String?) {
      guard let text else { return }
      writer.put(key.rawValue)
      writer.putCounted(text)
    }
    field(.offset) { $0.put(date.offset) }
    // What most entries have in common is left out: each byte here is one of every entry.
    if revision != 1 { field(.revision) { $0.putVarint(revision) } }
    if let until {
      field(.until) {
        $0.put(until.seconds)
        $0.put(until.offset)
      }
    }
    text(.zone, zone)
    if let journal { field(.journal) { $0.put(journal) } }
    if let kind { field(.kind) { $0.put(kind) } }
    text(.title, title)
    text(.preview, preview)
    for tag in tags { text(.tag, tag) }
    if let trashed { field(.trashed) { $0.put(trashed) } }
    field(.created) { $0.put(created) }
    if modified != created { field(.modified) { $0.put(modified) } }
    field(.bodySize) { $0.putVarint(UInt64(bodySize)) }
    field(.words) { $0.putVarint(UInt64(words)) }
    field(.body) { body.write(to: &$0) }
    if bodyRevision != 1 { field(.bodyRevision) { $0.putVarint(bodyRevision) } }
    if let previous {
      field(.previous) {
        $0.putVarint(previous.revision)
        previous.ref.write(to: &$0)
      }
    }
    for attachment in attachments { field(.attachment) { attachment.write(to: &$0) } }
    text(.location, location)
    text(.weather, weather)
    if !others.isEmpty { field(.others) { for other in others { $0.putVarint(other) } } }
    writer.put(unknown)
    return writer.bytes
  }

  /// Of the record: another one where anything of the entry is another.
  var digest: UInt64 { Self.digest(encoded()) }

  static func digest(_ record: [UInt8]) -> UInt64 {
    Digest.blake2b(record, count: 16, domain: "FDv2 header record").prefix(8)
      .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// As the history keeps it: a version, then the record, padded.
  var past: [UInt8] { Padding.pad([RecordVersion.first] + encoded()) }

  init(past plain: [UInt8]) throws(SealingError) {
    var reader = ByteReader(try Padding.unpad(plain))
    try reader.expectVersion()
    let record = try reader.bytes(reader.remaining)
    try self.init(record, in: 0..<record.count)
  }

  init(_ source: [UInt8], in range: Range<Int>) throws(SealingError) {
    var reader = ByteReader(source, in: range)
    let id = EntryID(bytes: try reader.bytes(16))
    let seconds = try reader.int64()
    let added = try reader.uint64()
    let flags = try reader.uint8()
    var offset: Int32?
    var created: Int64?
    var modified: Int64?
    var body: Ref?
    var until: (Int64, Int32)?
    // The fields that can be set straight away go through a draft with a placeholder.
    var header = Header(
      id: id, added: added, date: .epoch, created: 0, modified: 0, body: .placeholder)
    while !reader.isAtEnd {
      let key = try reader.uint8()
      let count = try reader.varint()
      guard count <= UInt64(reader.remaining) else { throw .malformed }
      let start = reader.position
      var field = ByteReader(source, in: start..<(start + Int(count)))
      _ = try reader.slice(Int(count))
      switch Field(rawValue: key) {
      case .offset: offset = try field.int32()
      case .revision: header.revision = try field.varint()
      case .until: until = (try field.int64(), try field.int32())
      case .zone: header.zone = try field.rest()
      case .journal: header.journal = try field.uint32()
      case .kind: header.kind = try field.uint32()
      case .title: header.title = try field.rest()
      case .location: header.location = try field.rest()
      case .weather: header.weather = try field.rest()
      case .preview: header.preview = try field.rest()
      case .tag: header.tags.append(try field.rest())
      case .trashed: header.trashed = try field.int64()
      case .created: created = try field.int64()
      case .modified: modified = try field.int64()
      case .bodySize: header.bodySize = Int(min(try field.varint(), 1 << 40))
      case .words: header.words = Int(min(try field.varint(), 1 << 40))
      case .body: body = try Ref(&field)
      case .bodyRevision: header.bodyRevision = try field.varint()
      case .previous: header.previous = (try field.varint(), try Ref(&field))
      case .attachment: header.attachments.append(try SealedAttachment(&field))
      case .others: while !field.isAtEnd { header.others.append(try field.varint()) }
      case nil:
        var kept = ByteWriter()
        kept.put(key)
        kept.putCounted(try field.bytes(Int(count)))
        header.unknown += kept.bytes
        continue
      }
      try field.expectEnd()
    }
    guard let offset, let created, let body else { throw .malformed }
    do {
      header.date = try ZonedTime(seconds: seconds, offset: offset)
      header.until = try until.map { try ZonedTime(seconds: $0.0, offset: $0.1) }
    } catch {
      throw .malformed
    }
    header.created = created
    header.modified = modified ?? created
    header.body = body
    header.starred = flags & Flags.starred != 0
    guard (flags & Flags.trashed != 0) == (header.trashed != nil) else { throw .malformed }
    self = header
  }
}

extension ByteReader {
  /// Everything left, as text.
  mutating func rest() throws(SealingError) -> String {
    guard let text = String(validating: try slice(remaining), as: UTF8.self) else {
      throw .malformed
    }
    return text
  }
}

extension Ref {
  /// Forty zero bytes, which no sealed row has.
  static let placeholder: Ref = {
    let zeros = [UInt8](repeating: 0, count: AEAD.overhead)
    return unsafe Ref(sealed: zeros.span.bytes)!
  }()
}
