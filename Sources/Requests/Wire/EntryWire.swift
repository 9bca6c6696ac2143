internal import Bytes
internal import Entries

extension EntryContent {
  func write(to writer: inout ByteWriter) {
    for field in EntryField.all {
      switch field.place {
      case .time(let path): writer.put(self[path])
      case .optionalTime(let path): writer.put(self[path]) { $0.put($1) }
      case .text(let path): writer.put(self[path]) { $0.putCounted($1) }
      case .body(let path): writer.putCounted(self[path])
      case .texts(let path):
        writer.putVarint(UInt64(self[path].count))
        for text in self[path] { writer.putCounted(text) }
      case .flag(let path): writer.put(UInt8(self[path] ? 1 : 0))
      }
    }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    self.init(date: .epoch, body: "")
    for field in EntryField.all {
      switch field.place {
      case .time(let path): self[path] = try reader.time()
      case .optionalTime(let path):
        self[path] = try reader.optional { reader throws(SealingError) in
          try reader.time()
        }
      case .text(let path): self[path] = try reader.optionalText()
      case .body(let path): self[path] = try reader.text()
      case .texts(let path):
        self[path] = try reader.list { reader throws(SealingError) in try reader.text() }
      case .flag(let path): self[path] = try reader.uint8() == 1
      }
    }
  }
}

extension Entry {
  func write(to writer: inout ByteWriter) {
    writer.put(id.bytes)
    writer.putVarint(revision)
    content.write(to: &writer)
    writer.put(UInt8(hasBody ? 1 : 0))
    writer.put(preview) { $0.putCounted($1) }
    writer.putVarint(UInt64(attachments.count))
    for attachment in attachments {
      writer.putCounted(attachment.name)
      writer.putCounted(attachment.type)
      writer.putVarint(UInt64(attachment.size))
    }
    writer.put(created)
    writer.put(modified)
    writer.put(trashed) { $0.put($1) }
    writer.putVarint(UInt64(bodySize))
    writer.putVarint(UInt64(others.count))
    for other in others { writer.putVarint(other) }
    writer.put(excerpt) { $0.putCounted($1) }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    let id = EntryID(bytes: try reader.bytes(16))
    let revision = try reader.varint()
    let content = try EntryContent(&reader)
    let hasBody = try reader.uint8() == 1
    let preview = try reader.optionalText()
    let attachments = try reader.list { reader throws(SealingError) in
      let name = try reader.text()
      let type = try reader.text()
      return Attachment(name: name, type: type, size: Int(clamping: try reader.varint()))
    }
    let created = try reader.int64()
    let modified = try reader.int64()
    let trashed = try reader.optional { reader throws(SealingError) in try reader.int64() }
    let bodySize = Int(clamping: try reader.varint())
    let others = try reader.list { reader throws(SealingError) in try reader.varint() }
    let excerpt = try reader.optionalText()
    self.init(
      id: id, revision: revision, content: content, hasBody: hasBody, preview: preview,
      attachments: attachments, created: created, modified: modified, trashed: trashed,
      bodySize: bodySize, others: others, excerpt: excerpt)
  }
}

extension Attachment {
  fileprivate var wireSize: Int { 160 + name.utf8.count + type.utf8.count }
}

extension Entry {
  /// About how many bytes it takes in a message.
  package var size: Int {
    attachments.reduce(content.size) { $0 + $1.wireSize } + (preview?.utf8.count ?? 0)
      + (excerpt?.utf8.count ?? 0) + 10 * others.count
  }
}

extension ImportItem {
  /// About how many bytes it takes in a message.
  package var size: Int {
    switch self {
    case .journal(let journal): 64 + journal.name.utf8.count
    case .kind(let kind): kind.otherNames.reduce(64 + kind.name.utf8.count) { $0 + $1.utf8.count }
    case .entry(let entry):
      entry.draft.attachments.reduce(entry.draft.content.size) { $0 + $1.attachment.wireSize }
    case .template(let template): 64 + template.name.utf8.count + template.body.utf8.count
    case .piece, .attachment: 1
    }
  }

  /// How many values its lists hold.
  var listed: Int {
    switch self {
    case .kind(let kind): kind.otherNames.count
    case .entry(let entry): entry.draft.content.tags.count + entry.draft.attachments.count
    case .journal, .template, .piece, .attachment: 0
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .journal(let journal):
      writer.put(UInt8(1))
      writer.putCounted(journal.name)
      writer.put(journal.from) { $0.put(Int64($1)) }
      writer.put(journal.to) { $0.put(Int64($1)) }
      writer.put(journal.emoji) { $0.putCounted($1) }
    case .kind(let kind):
      writer.put(UInt8(2))
      writer.putCounted(kind.name)
      writer.putCounted(kind.emoji)
      writer.putVarint(UInt64(kind.otherNames.count))
      for name in kind.otherNames { writer.putCounted(name) }
    case .entry(let entry):
      writer.put(UInt8(3))
      writer.put(entry.id) { $0.put($1.bytes) }
      writer.put(entry.created) { $0.put($1) }
      writer.put(entry.modified) { $0.put($1) }
      entry.draft.content.write(to: &writer)
      writer.putVarint(UInt64(entry.draft.attachments.count))
      for attachment in entry.draft.attachments { attachment.write(to: &writer) }
    case .template(let template):
      writer.put(UInt8(4))
      writer.putCounted(template.name)
      writer.putCounted(template.body)
    // Sealed where they were read: none of them crosses.
    case .piece, .attachment: writer.put(UInt8(0))
    }
  }

  init(_ reader: inout ByteReader) throws(SealingError) {
    switch try reader.uint8() {
    case 1:
      self = .journal(
        Journal(
          id: 0, name: try reader.text(),
          from: try reader.optional { reader throws(SealingError) in Int(try reader.int64()) },
          to: try reader.optional { reader throws(SealingError) in Int(try reader.int64()) },
          emoji: try reader.optionalText()))
    case 2:
      let name = try reader.text()
      let emoji = try reader.text()
      let others = try reader.list { reader throws(SealingError) in try reader.text() }
      self = .kind(Kind(id: 0, name: name, emoji: emoji, otherNames: others))
    case 3:
      let id = try reader.optional { reader throws(SealingError) in
        EntryID(bytes: try reader.bytes(16))
      }
      let created = try reader.optional { reader throws(SealingError) in try reader.int64() }
      let modified = try reader.optional { reader throws(SealingError) in try reader.int64() }
      var draft = EntryDraft(try EntryContent(&reader))
      draft.attachments = try reader.list { reader throws(SealingError) in
        try SealedAttachment(&reader)
      }
      self = .entry(ImportedEntry(id: id, draft: draft, created: created, modified: modified))
    case 4: self = .template(EntryTemplate(name: try reader.text(), body: try reader.text()))
    default: throw .malformed
    }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ time: ZonedTime) {
    put(time.seconds)
    put(time.offset)
  }

  /// A byte that says whether there is one, then the value.
  fileprivate mutating func put<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    put(UInt8(value == nil ? 0 : 1))
    if let value { body(&self, value) }
  }
}

extension ByteReader {
  fileprivate mutating func time() throws(SealingError) -> ZonedTime {
    let seconds = try int64()
    let offset = try int32()
    do throws(VaultError) { return try ZonedTime(seconds: seconds, offset: offset) } catch {
      throw .malformed
    }
  }

  fileprivate mutating func optional<Value>(
    _ body: (inout ByteReader) throws(SealingError) -> Value
  ) throws(SealingError) -> Value? {
    switch try uint8() {
    case 0: return nil
    case 1: return try body(&self)
    default: throw .malformed
    }
  }

  /// A list of at most ``Wire/requestLimit`` values: what takes a byte on the wire takes many in memory.
  fileprivate mutating func list<Value>(
    _ body: (inout ByteReader) throws(SealingError) -> Value
  ) throws(SealingError) -> [Value] {
    let count = try varint()
    guard count <= Wire.requestLimit else { throw .malformed }
    var values: [Value] = []
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  fileprivate mutating func optionalText() throws(SealingError) -> String? {
    try optional { reader throws(SealingError) in try reader.text() }
  }
}
