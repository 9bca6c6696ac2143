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
  /// Its place among all entries that were ever added to this vault, from 1.
  var added: UInt64
  /// What a person wrote, without the text, and with journal and kind as numbers below.
  var written: EntryContent
  var journal: UInt32?
  var kind: UInt32?
  var revision: UInt64 = 1
  var preview: String?
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

  var date: ZonedTime { written.date }
  var until: ZonedTime? { written.until }
  var zone: String? { written.zone }
  var title: String? { written.title }
  var tags: [String] { written.tags }
  var starred: Bool { written.starred }
  var fileNames: [String] { attachments.map(\.attachment.name) }

  static func == (one: Self, other: Self) -> Bool { one.encoded() == other.encoded() }

  init(
    id: EntryID, added: UInt64, date: ZonedTime, created: Int64, modified: Int64, body: Ref
  ) {
    self.id = id
    self.added = added
    written = EntryContent(date: date, body: "")
    self.created = created
    self.modified = modified
    self.body = body
  }

  /// What was written, with journal and kind by name.
  func content(_ names: NameRegister, body: String) -> EntryContent {
    var content = written
    content.body = body
    content.journal = journal.flatMap { names.journal($0)?.name }
    content.kind = kind.flatMap { names.kind($0)?.name }
    return content
  }

  /// Takes what was written, with what follows from it; the body's own row is the caller's.
  ///
  /// - Throws: ``VaultError`` `notFound` for an unknown journal or kind.
  mutating func take(_ content: EntryContent, _ names: NameRegister) throws(VaultError) {
    // One that is gone may come back, with what names it.
    let (goneJournal, goneKind) = (
      journal.flatMap { names.journal($0) == nil ? $0 : nil },
      kind.flatMap { names.kind($0) == nil ? $0 : nil }
    )
    journal =
      try content.journal.map { name throws(VaultError) in try names.requireJournal(name).id }
      ?? goneJournal
    kind =
      try content.kind.map { name throws(VaultError) in try names.requireKind(name).id } ?? goneKind
    written = content
    written.body = ""
    written.journal = nil
    written.kind = nil
    written.tags = TagList.unique(content.tags)
    describe(content.body)
  }

  /// The number that stands for a name.
  private subscript(reference: EntryField.Reference) -> UInt32? {
    get {
      switch reference {
      case .journal: journal
      case .kind: kind
      }
    }
    set {
      switch reference {
      case .journal: journal = newValue
      case .kind: kind = newValue
      }
    }
  }

  enum Flags {
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
    writer.put(
      Self.flags.reduce(trashed != nil ? Flags.trashed : 0) { flags, flag in
        written[flag.lens] ? flags | flag.bit : flags
      })
    for field in Self.fields { field.write(self, &writer) }
    writer.put(unknown)
    return writer.bytes
  }

  /// A digest of the record. It is different whenever anything in the header is different.
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
    // What every record has is filled in by its fields.
    var parts = Parts(
      header: Header(
        id: id, added: added, date: .epoch, created: 0, modified: 0, body: .placeholder))
    var seen: UInt64 = 0
    while !reader.isAtEnd {
      let key = try reader.uint8()
      let count = try reader.varint()
      guard count <= UInt64(reader.remaining) else { throw .malformed }
      let start = reader.position
      var field = ByteReader(source, in: start..<(start + Int(count)))
      _ = try reader.slice(Int(count))
      if let known = Self.fieldsByKey[Int(key)] {
        let bit: UInt64 = 1 << key
        guard seen & bit == 0 || known.repeats else { throw .malformed }
        seen |= bit
        try known.read(&parts, &field)
        try field.expectEnd()
      } else {
        var kept = ByteWriter()
        kept.put(key)
        kept.putCounted(try field.bytes(Int(count)))
        parts.header.unknown += kept.bytes
      }
    }
    guard seen & Self.always == Self.always else { throw .malformed }
    self = try parts.whole(seconds: seconds)
    for flag in Self.flags { written[flag.lens] = flags & flag.bit != 0 }
    guard (flags & Flags.trashed != 0) == (trashed != nil) else { throw .malformed }
  }

  /// A record that is being read.
  private struct Parts {
    var header: Header
    var offset: Int32?
    var created: Int64?
    var modified: Int64?
    var body: Ref?

    func whole(seconds: Int64) throws(SealingError) -> Header {
      guard let offset, let created, let body else { throw .malformed }
      var header = header
      header.written.date = try Header.time(seconds, offset)
      header.created = created
      header.modified = modified ?? created
      header.body = body
      return header
    }
  }

  private static func time(_ seconds: Int64, _ offset: Int32) throws(SealingError) -> ZonedTime {
    do { return try ZonedTime(seconds: seconds, offset: offset) } catch { throw .malformed }
  }

  // MARK: Fields

  /// What stands under one key: a part of what a person wrote, by its row in ``EntryField/all``, or something of the vault's own.
  private struct Field: Sendable {
    let key: UInt8
    /// Whether a record may have several.
    let repeats: Bool
    private let put: @Sendable (Header, UInt8, inout ByteWriter) -> Void
    let read: @Sendable (inout Parts, inout ByteReader) throws(SealingError) -> Void

    func write(_ header: Header, _ writer: inout ByteWriter) { put(header, key, &writer) }

    /// - Parameter put: writes it once or several times, or not at all for the most common value: each byte here is repeated in
    ///   every entry.
    init(
      _ key: UInt8, repeats: Bool = false,
      _ put: @escaping @Sendable (Header, UInt8, inout ByteWriter) -> Void,
      _ read: @escaping @Sendable (inout Parts, inout ByteReader) throws(SealingError) -> Void
    ) {
      self.key = key
      self.repeats = repeats
      self.put = put
      self.read = read
    }
  }

  /// Bit n is set where every record has field n.
  private static let always: UInt64 = [1, 11, 13, 14, 15].reduce(0) { $0 | 1 << $1 }

  /// In the order in which they are written. Keys are below 64.
  private static let fields = (writtenFields + ownFields).sorted { $0.key < $1.key }

  private static let fieldsByKey: [Field?] = {
    var table = [Field?](repeating: nil, count: 256)
    for field in fields { table[Int(field.key)] = field }
    return table
  }()

  /// The bits of the fixed part that a person writes.
  private static let flags: [(bit: UInt8, lens: Lens<EntryContent, Bool>)] = EntryField.all
    .compactMap { row in
      guard case .flag(let bit) = row.header, case .flag(let lens) = row.place else { return nil }
      return (bit, lens)
    }

  private static let writtenFields: [Field] = EntryField.all.compactMap { row in
    guard case .record(let key) = row.header else { return nil }
    if let reference = row.reference {
      return Field(key) { header, key, writer in
        if let number = header[reference] { writer.putField(key) { $0.put(number) } }
      } _: { parts, reader throws(SealingError) in
        parts.header[reference] = try reader.uint32()
      }
    }
    switch row.place {
    case .text(let lens):
      return Field(key) { header, key, writer in
        if let text = header.written[lens] { writer.putField(key, text) }
      } _: { parts, reader throws(SealingError) in
        parts.header.written[lens] = try reader.rest()
      }
    case .texts(let lens):
      return Field(key, repeats: true) { header, key, writer in
        for text in header.written[lens] { writer.putField(key, text) }
      } _: { parts, reader throws(SealingError) in
        parts.header.written[lens].append(try reader.rest())
      }
    case .optionalTime(let lens):
      return Field(key) { header, key, writer in
        guard let time = header.written[lens] else { return }
        writer.putField(key) {
          $0.put(time.seconds)
          $0.put(time.offset)
        }
      } _: { parts, reader throws(SealingError) in
        let seconds = try reader.int64()
        parts.header.written[lens] = try time(seconds, try reader.int32())
      }
    // Those stand in the fixed part, or in a row of their own.
    case .time, .body, .flag: return nil
    }
  }

  /// Revisions that an entry may have.
  static let revisionLimit: UInt64 = 1 << 32

  private static func revision(_ reader: inout ByteReader) throws(SealingError) -> UInt64 {
    let revision = try reader.varint()
    guard 1...revisionLimit ~= revision else { throw .malformed }
    return revision
  }

  private static let ownFields: [Field] = [
    Field(1) { header, key, writer in
      writer.putField(key) { $0.put(header.date.offset) }
    } _: { parts, reader throws(SealingError) in
      parts.offset = try reader.int32()
    },
    Field(2) { header, key, writer in
      if header.revision != 1 { writer.putField(key) { $0.putVarint(header.revision) } }
    } _: { parts, reader throws(SealingError) in
      parts.header.revision = try revision(&reader)
    },
    Field(8) { header, key, writer in
      if let preview = header.preview { writer.putField(key, preview) }
    } _: { parts, reader throws(SealingError) in
      parts.header.preview = try reader.rest()
    },
    Field(10) { header, key, writer in
      if let trashed = header.trashed { writer.putField(key) { $0.put(trashed) } }
    } _: { parts, reader throws(SealingError) in
      parts.header.trashed = try reader.int64()
    },
    Field(11) { header, key, writer in
      writer.putField(key) { $0.put(header.created) }
    } _: { parts, reader throws(SealingError) in
      parts.created = try reader.int64()
    },
    Field(12) { header, key, writer in
      if header.modified != header.created { writer.putField(key) { $0.put(header.modified) } }
    } _: { parts, reader throws(SealingError) in
      parts.modified = try reader.int64()
    },
    Field(13) { header, key, writer in
      writer.putField(key) { $0.putVarint(UInt64(header.bodySize)) }
    } _: { parts, reader throws(SealingError) in
      parts.header.bodySize = Int(min(try reader.varint(), 1 << 40))
    },
    Field(14) { header, key, writer in
      writer.putField(key) { $0.putVarint(UInt64(header.words)) }
    } _: { parts, reader throws(SealingError) in
      parts.header.words = Int(min(try reader.varint(), 1 << 40))
    },
    Field(15) { header, key, writer in
      writer.putField(key) { header.body.write(to: &$0) }
    } _: { parts, reader throws(SealingError) in
      parts.body = try Ref(&reader)
    },
    Field(16) { header, key, writer in
      if header.bodyRevision != 1 { writer.putField(key) { $0.putVarint(header.bodyRevision) } }
    } _: { parts, reader throws(SealingError) in
      parts.header.bodyRevision = try revision(&reader)
    },
    Field(17) { header, key, writer in
      guard let previous = header.previous else { return }
      writer.putField(key) {
        $0.putVarint(previous.revision)
        previous.ref.write(to: &$0)
      }
    } _: { parts, reader throws(SealingError) in
      parts.header.previous = (try revision(&reader), try Ref(&reader))
    },
    Field(18, repeats: true) { header, key, writer in
      for attachment in header.attachments { writer.putField(key) { attachment.write(to: &$0) } }
    } _: { parts, reader throws(SealingError) in
      parts.header.attachments.append(try SealedAttachment(&reader))
    },
    Field(21) { header, key, writer in
      guard !header.others.isEmpty else { return }
      writer.putField(key) { for other in header.others { $0.putVarint(other) } }
    } _: { parts, reader throws(SealingError) in
      while !reader.isAtEnd { parts.header.others.append(try revision(&reader)) }
    },
  ]
}

extension ByteWriter {
  fileprivate mutating func putField(_ key: UInt8, _ text: String) {
    put(key)
    putCounted(text)
  }

  fileprivate mutating func putField(_ key: UInt8, _ fill: (inout ByteWriter) -> Void) {
    var content = ByteWriter(reserving: 48)
    fill(&content)
    put(key)
    putCounted(content.bytes)
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
