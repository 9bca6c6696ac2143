internal import Bytes
internal import Entries
internal import Replication

/// An entry as devices tell one another of it: a field of ``EntryContent`` is a field here, its values are bytes, a journal
/// or kind is an id that all devices know.
///
/// A text stands in the replica as its digest; in a segment it is the text itself.
enum ReplicatedEntry {
  static let title = number(of: "title")
  static let body = number(of: "body")
  static let date = number(of: "date")
  static let tags = number(of: "tags")
  static let trash: Field = 3
  static let attachments: Field = 4
  static let created: Field = 5
  static let modified: Field = 6

  private static func number(of name: String) -> Field {
    EntryField.named(name).map { Field($0.number) }!
  }

  static let rules: FieldMap<MergeRule> = {
    var rules: FieldMap<MergeRule> = [
      trash: .trash, attachments: .files, created: .carried, modified: .carried,
    ]
    for field in EntryField.all {
      rules[Field(field.number)] =
        switch field.merge {
        case .newest: .newest
        case .carried: .carried
        case .all: .all
        case .elements: .elements
        }
    }
    return rules
  }()

  typealias Values = FieldValues

  static func digest(_ text: [UInt8]) -> [UInt8] {
    Digest.blake2b(text, domain: "FDv2 replicated text")
  }

  // MARK: From an entry

  /// What an entry says, as values.
  static func values(
    _ header: Header, body text: String, _ names: NameRegister, _ ids: SharedNames
  ) -> Values {
    var values = Values()
    let content = header.content(names, body: "")
    for field in EntryField.all {
      let number = Field(field.number)
      switch field.place {
      case .time(let lens): values[number] = [encoded(content[lens])]
      case .optionalTime(let lens): values[number] = [content[lens].map(encoded) ?? []]
      case .body: values[number] = [digest(Array(text.utf8))]
      case .texts(let lens): values[number] = Few(content[lens].lazy.map { Array($0.utf8) })
      case .flag(let lens): values[number] = [[content[lens] ? 1 : 0]]
      case .text(let lens):
        switch field.reference {
        case .journal: values[number] = [header.journal.flatMap { ids.journals[$0] }?.bytes ?? []]
        case .kind: values[number] = [header.kind.flatMap { ids.kinds[$0] }?.bytes ?? []]
        case nil: values[number] = [content[lens].map { Array($0.utf8) } ?? []]
        }
      }
    }
    values[trash] = [header.trashed.map(encoded) ?? []]
    values[created] = [encoded(header.created)]
    values[modified] = [encoded(header.modified)]
    values[attachments] = Few(header.attachments.lazy.map(encoded))
    return values
  }

  private static func encoded(_ file: SealedAttachment) -> [UInt8] {
    var writer = ByteWriter(reserving: 128)
    file.write(to: &writer)
    return writer.bytes
  }

  /// The fields whose values are different from before, in any order.
  static func changes(from old: Values, to new: Values) -> Values {
    new.filter { field, values in
      let before = old[field] ?? []
      if values.count < 2, before.count < 2 { return values != before }
      return values != before && Set(values) != Set(before)
    }
  }

  private static func encoded(_ time: ZonedTime) -> [UInt8] {
    var writer = ByteWriter(reserving: 12)
    writer.put(time.seconds)
    writer.put(time.offset)
    return writer.bytes
  }

  private static func encoded(_ number: Int64) -> [UInt8] {
    var writer = ByteWriter(reserving: 8)
    writer.put(number)
    return writer.bytes
  }

  // MARK: To an entry

  /// An entry as this device is to show it.
  struct Shown {
    var content: EntryContent
    var attachments: [SealedAttachment] = []
    var trashed: Int64?
    var created: Int64 = 0
    var modified: Int64 = 0
    /// The digest of its text.
    var body: [UInt8] = []
    /// By number, because a name may mean another journal or kind here, and one that is gone may come back.
    var journal: UInt32?
    var kind: UInt32?
  }

  /// What an entry with all these values shows.
  ///
  /// Values that were valid where they were written may not fit together. Then every device drops the same ones.
  static func shown(
    _ values: Values, _ names: NameRegister, _ ids: SharedNames
  ) throws(SealingError) -> Shown {
    func first(_ number: Field) -> [UInt8] { values[number]?.first ?? [] }
    var shown = Shown(content: EntryContent(date: try time(first(date)), body: ""))
    for field in EntryField.all {
      let number = Field(field.number)
      let value = first(number)
      switch field.place {
      case .time: break
      case .optionalTime(let lens): shown.content[lens] = value.isEmpty ? nil : try time(value)
      case .body: shown.body = value
      case .texts(let lens):
        var texts: [String] = []
        for value in values[number] ?? [] { texts.append(try text(value)) }
        shown.content[lens] = Array(
          TagList.unique(texts.sorted()).prefix(EntryDraft.tagCountLimit))
      case .flag(let lens): shown.content[lens] = value == [1]
      case .text(let lens):
        switch field.reference {
        case .journal:
          shown.journal = Identity(bytes: value).flatMap { ids[.journal, $0] }
          shown.content[lens] = shown.journal.flatMap { names.journal($0)?.name }
        case .kind:
          shown.kind = Identity(bytes: value).flatMap { ids[.kind, $0] }
          shown.content[lens] = shown.kind.flatMap { names.kind($0)?.name }
        case nil: shown.content[lens] = value.isEmpty ? nil : try text(value)
        }
      }
    }
    if let until = shown.content.until, until < shown.content.date { shown.content.until = nil }
    shown.trashed = first(trash).isEmpty ? nil : try seconds(first(trash))
    shown.created = try seconds(first(created))
    shown.modified = try seconds(first(modified))
    var files: [SealedAttachment] = []
    for value in values[attachments] ?? [] { files.append(try attachment(value)) }
    for var file in once(inOrder(files)).prefix(Attachment.countLimit) {
      let name = CatalogueEdit.freeName(
        file.attachment.name, among: shown.attachments.map(\.attachment.name))
      file.attachment = Attachment(
        name: name, type: file.attachment.type, size: file.attachment.size)
      shown.attachments.append(file)
    }
    // By the names that they have now: a header is put into the same order.
    shown.attachments = inOrder(shown.attachments)
    return shown
  }

  /// The same without those that are another one under the name that it was shown with. A file gets a number where another file has its
  /// name, and a device that came in again tells of it under that.
  private static func once(_ files: [SealedAttachment]) -> [SealedAttachment] {
    guard files.count > 2 else { return files }
    var objects: [String: Set<ObjectName>] = [:]
    for file in files { objects[file.attachment.name, default: []].insert(file.object) }
    return files.filter { file in
      let (stem, end) = CatalogueEdit.parts(of: file.attachment.name)
      guard let dash = stem.utf8.lastIndex(of: UInt8(ascii: "-")) else { return true }
      let number = stem.utf8[dash...].dropFirst()
      guard !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) else { return true }
      let named = objects[stem[..<dash] + end] ?? []
      return named.count < 2 || !named.contains(file.object)
    }
  }

  /// Files by their names, then by their values' bytes.
  private static func inOrder(_ files: [SealedAttachment]) -> [SealedAttachment] {
    guard files.count > 1 else { return files }
    return files.map { (Array($0.attachment.name.utf8), encoded($0), $0) }.sorted { one, other in
      one.0 == other.0
        ? one.1.lexicographicallyPrecedes(other.1) : one.0.lexicographicallyPrecedes(other.0)
    }.map(\.2)
  }

  /// The same entry with tags and files in the order in which every device shows them; nil where they stand in it.
  static func inOrder(_ header: Header) -> Header? {
    // Most entries have nothing to order, and every one that is told of is asked.
    guard header.tags.count > 1 || header.attachments.count > 1 else { return nil }
    var ordered = header
    ordered.written.tags = TagList.unique(header.tags.sorted())
    ordered.attachments = inOrder(header.attachments)
    guard ordered.tags.count == header.tags.count, ordered != header else { return nil }
    return ordered
  }

  /// When it was written, seconds since 1970; nil where the values do not say.
  static func modified(_ values: Values) throws(SealingError) -> Int64? {
    guard let bytes = values[modified]?.first else { return nil }
    return try seconds(bytes)
  }

  /// Values as the diary keeps them.
  static func normal(
    _ values: Values, _ names: NameRegister, _ ids: SharedNames
  ) throws(SealingError) -> Values {
    let shown = try shown(values, names, ids)
    var normal = values
    for field in EntryField.all {
      let number = Field(field.number)
      switch field.place {
      case .texts(let lens): normal[number] = Few(shown.content[lens].lazy.map { Array($0.utf8) })
      case .text(let lens) where field.reference != nil:
        if shown.content[lens] == nil { normal[number] = [[]] }
      case .optionalTime(let lens): if shown.content[lens] == nil { normal[number] = [[]] }
      default: normal[number] = values[number].map { Few($0.prefix(1)) }
      }
    }
    normal[attachments] = Few(shown.attachments.lazy.map(encoded))
    return normal
  }

  private static func time(_ bytes: [UInt8]) throws(SealingError) -> ZonedTime {
    var reader = ByteReader(bytes)
    let (seconds, offset) = (try reader.int64(), try reader.int32())
    try reader.expectEnd()
    guard let time = try? ZonedTime(seconds: seconds, offset: offset) else { throw .malformed }
    return time
  }

  private static func number(_ bytes: [UInt8]) throws(SealingError) -> Int64 {
    var reader = ByteReader(bytes)
    let number = try reader.int64()
    try reader.expectEnd()
    return number
  }

  /// Seconds since 1970, of a year that can be written.
  private static func seconds(_ bytes: [UInt8]) throws(SealingError) -> Int64 {
    let seconds = try number(bytes)
    guard ZonedTime.range.contains(seconds) else { throw .malformed }
    return seconds
  }

  private static func text(_ bytes: [UInt8]) throws(SealingError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    return text
  }

  /// Where a photo or file stands, by its value.
  static func object(_ value: [UInt8]) -> Hash? {
    (try? attachment(value)).map { Hash($0.object.bytes) }
  }

  private static func attachment(_ bytes: [UInt8]) throws(SealingError) -> SealedAttachment {
    var reader = ByteReader(bytes)
    let file = try SealedAttachment(&reader)
    try reader.expectEnd()
    guard (try? file.attachment.check()) != nil else { throw .malformed }
    return file
  }

  /// Checks that a segment's revision has every field, and that each value by itself is one an entry may have.
  ///
  /// - Parameter fields: with the texts themselves.
  static func check(
    _ fields: FieldMap<SortedSet<Candidate<OperationPlace>>>
  ) throws(SealingError) {
    guard fields.allSatisfy({ rules[$0.key] != nil }) else { throw .newer }
    var values = Values()
    for (number, rule) in rules {
      guard let candidates = fields[number] else { throw .malformed }
      values[number] = candidates.compactEach(\.value)
      guard rule.allows(candidates.count), values[number]?.count ?? 0 <= valueLimit
      else { throw .malformed }
    }
    var first = values
    for (number, rule) in rules where !rule.areElements {
      first[number] = Few((values[number] ?? []).prefix(1))
    }
    first[body] = [[]]
    if first[trash]?.isEmpty == true { first[trash] = [[]] }
    let shown = try shown(first, NameRegister(), SharedNames())
    func validate(_ change: (inout EntryContent) throws(SealingError) -> Void) throws(SealingError)
    {
      var content = shown.content
      content.tags = []
      try change(&content)
      guard (try? EntryDraft(content).validate(hasAttachments: true)) != nil else {
        throw .malformed
      }
    }
    for value in values[title] ?? [] {
      try validate { content throws(SealingError) in
        content.title = value.isEmpty ? nil : try text(value)
      }
    }
    for value in values[body] ?? [] {
      try validate { content throws(SealingError) in content.body = try text(value) }
    }
    for value in values[tags] ?? [] {
      try validate { content throws(SealingError) in content.tags = [try text(value)] }
    }
    for value in values[attachments] ?? [] { _ = try attachment(value) }
  }

  /// Values of one field that a revision may give.
  private static let valueLimit = 1024
}
