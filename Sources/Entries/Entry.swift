/// A photo or a file kept with an entry.
public struct Attachment: Sendable, Equatable, Codable {
  /// Unique in its entry; never a path.
  public let name: String
  /// A media type, `image/jpeg`.
  public let type: String
  /// In bytes.
  public let size: Int

  public init(name: String, type: String, size: Int) {
    self.name = name
    self.type = type
    self.size = size
  }
}

/// An entry as it is read.
///
/// What was written is reached directly: `entry.title` is `entry.content.title`.
@dynamicMemberLookup
public struct Entry: Sendable, Equatable {
  public let id: EntryID
  /// Counted from 1; every edit makes a new one.
  public let revision: UInt64
  package var content: EntryContent
  /// Whether the body was read; else it stands empty in ``content``.
  package var hasBody: Bool
  /// The beginning of the body of an entry without a title, for lists.
  public let preview: String?
  public let attachments: [Attachment]
  /// Seconds since 1970; created and modified in UTC.
  public let created: Int64
  public let modified: Int64
  /// Seconds since 1970 when it went to the trash.
  public let trashed: Int64?
  public let bodySize: Int
  /// Revisions with a title or text that another device wrote without knowing of this one: they count as well, until
  /// the next edit.
  public package(set) var others: [UInt64]
  /// The line around the first hit, when it was searched for.
  public var excerpt: String?

  /// nil when only the header was read.
  public var body: String? { hasBody ? content.body : nil }

  public subscript<Value>(dynamicMember path: KeyPath<EntryContent, Value>) -> Value {
    content[keyPath: path]
  }

  package init(
    id: EntryID, revision: UInt64, content: EntryContent, hasBody: Bool, preview: String?,
    attachments: [Attachment], created: Int64, modified: Int64, trashed: Int64?, bodySize: Int,
    others: [UInt64] = [], excerpt: String? = nil
  ) {
    self.id = id
    self.revision = revision
    self.content = content
    self.hasBody = hasBody
    self.preview = preview
    self.attachments = attachments
    self.created = created
    self.modified = modified
    self.trashed = trashed
    self.bodySize = bodySize
    self.others = others
    self.excerpt = excerpt
  }

  /// The same without its body: for a list that is kept.
  package var light: Entry {
    var light = self
    light.hasBody = false
    light.content.body = ""
    return light
  }
}

/// An entry to be written: what it says, and files staged before, which it then has.
@dynamicMemberLookup
public struct EntryDraft: Sendable, Equatable, Codable {
  public var content: EntryContent
  public var attachments: [SealedAttachment] = []

  public init(_ content: EntryContent) { self.content = content }

  public init(
    date: ZonedTime, until: ZonedTime? = nil, zone: String? = nil, journal: String? = nil,
    kind: String? = nil, title: String? = nil, body: String, tags: [String] = [],
    starred: Bool = false
  ) {
    content = EntryContent(
      date: date, until: until, zone: zone, journal: journal, kind: kind, title: title, body: body,
      tags: tags, starred: starred)
  }

  public subscript<Value>(
    dynamicMember path: WritableKeyPath<EntryContent, Value>
  ) -> Value {
    get { content[keyPath: path] }
    set { content[keyPath: path] = newValue }
  }

  /// Longest body, in bytes of UTF-8. What is larger is a file to attach.
  public static let bodyLimit = 16 << 20
  public static let titleLimit = 1024
  public static let tagLimit = 256
  public static let tagCountLimit = 64

  /// A title, a place, the weather: one line that says something.
  private static func checkLine(
    _ text: String?, _ subject: VaultError.Thing
  ) throws(VaultError) {
    guard let text else { return }
    if text.utf8.contains(0) { throw VaultError(subject, expected: .noNUL) }
    if text.utf8.count > titleLimit {
      throw VaultError(subject, expected: .atMostBytes(titleLimit))
    }
    if text.allSatisfy(\.isWhitespace) { throw VaultError(subject, expected: .notBlank) }
    if text.contains(where: \.isNewline) { throw VaultError(subject, expected: .oneLine) }
  }

  /// - Parameter hasAttachments: whether files come with it: then it needs no text.
  /// - Throws: ``VaultError`` `invalid` naming the field.
  public func validate(hasAttachments: Bool? = nil) throws(VaultError) {
    let (body, title, tags) = (content.body, content.title, content.tags)
    if body.utf8.count > Self.bodyLimit {
      throw VaultError(.body, expected: .atMostBytes(Self.bodyLimit))
    }
    if body.utf8.contains(0) { throw VaultError(.body, expected: .noNUL) }
    if let journal = content.journal { try NameRegister.check(journal, .journal) }
    if let kind = content.kind { try NameRegister.check(kind, .kind) }
    try Self.checkLine(title, .title)
    try Self.checkLine(content.location, .location)
    try Self.checkLine(content.weather, .weather)
    if title == nil, !(hasAttachments ?? !attachments.isEmpty), body.allSatisfy(\.isWhitespace) {
      throw VaultError(.entry, expected: .textTitleOrAttachment)
    }
    guard tags.count <= Self.tagCountLimit else {
      throw VaultError(.tags, expected: .atMost(Self.tagCountLimit))
    }
    for tag in tags
    where tag.allSatisfy(\.isWhitespace) || tag.utf8.count > Self.tagLimit
      || tag.contains(where: \.isNewline) || tag.utf8.contains(0)
    {
      throw VaultError(.tag, expected: .oneLineOfBytes(Self.tagLimit))
    }
    if let zone = content.zone, zone.utf8.count > 64 {
      throw VaultError(.zone, expected: .ianaName)
    }
    if let until = content.until, until < content.date {
      throw VaultError(.until, expected: .notBeforeDate)
    }
  }
}

/// What an edit does to one field.
public enum Change<Value: Sendable & Codable & Equatable>: Sendable, Codable, Equatable {
  case keep, clear
  case set(Value)

  package func applied(to old: Value?) -> Value? {
    switch self {
    case .keep: old
    case .clear: nil
    case .set(let new): new
    }
  }
}

/// What an edit does to an entry. Whatever is not named stays.
public struct EntryChange: Sendable, Codable, Equatable {
  public var date: ZonedTime?
  public var until: Change<ZonedTime> = .keep
  public var zone: Change<String> = .keep
  public var journal: Change<String> = .keep
  public var kind: Change<String> = .keep
  public var title: Change<String> = .keep
  public var body: String?
  public var addTags: [String] = []
  public var removeTags: [String] = []
  public var starred: Bool?
  public var location: Change<String> = .keep
  public var weather: Change<String> = .keep
  /// Files staged before; one whose name is taken gets a number.
  public var attach: [SealedAttachment] = []
  /// Names of attachments to take away; older revisions keep them.
  public var detach: [String] = []

  public init() {}

  public var isEmpty: Bool { self == EntryChange() }
}
