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
