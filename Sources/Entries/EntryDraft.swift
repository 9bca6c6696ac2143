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
}
