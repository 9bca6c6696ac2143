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
  /// Whether the other titles and texts of a conflict go: whoever made the change was shown all of them.
  public var endsConflict = false

  public init() {}

  public var isEmpty: Bool { self == EntryChange() }
}
