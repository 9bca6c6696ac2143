internal import Text

/// What a person wrote, and may change: the one description of an entry, inside ``Entry``, ``EntryDraft``, imports and
/// messages.
///
/// A new field is a property here and in ``EntryChange``, a row in ``EntryField/all``, and an option of the command.
/// `Contributing` lists every place.
public struct EntryContent: Sendable, Equatable, Codable {
  public var date: ZonedTime
  public var until: ZonedTime?
  /// IANA name of the zone, when known.
  public var zone: String?
  /// A journal's name.
  public var journal: String?
  /// A kind's name; in a draft also its emoji, or both.
  public var kind: String?
  public var title: String?
  public var body: String
  public var tags: [String]
  public var starred: Bool
  /// Where it was, as people say it; coordinates in degrees north and east behind it: `Kyoto (35.0116, 135.7681)`.
  public var location: String?
  public var weather: String?

  public init(
    date: ZonedTime, until: ZonedTime? = nil, zone: String? = nil, journal: String? = nil,
    kind: String? = nil, title: String? = nil, body: String, tags: [String] = [],
    starred: Bool = false, location: String? = nil, weather: String? = nil
  ) {
    self.date = date
    self.until = until
    self.zone = zone
    self.journal = journal
    self.kind = kind
    self.title = title
    self.body = body
    self.tags = tags
    self.starred = starred
    self.location = location
    self.weather = weather
  }

  /// What an edit makes of it. Names are not looked up.
  package func changed(by change: EntryChange) -> EntryContent {
    var result = self
    result.date = change.date ?? date
    result.until = change.until.applied(to: until)
    result.zone = change.zone.applied(to: zone)
    result.journal = change.journal.applied(to: journal)
    result.kind = change.kind.applied(to: kind)
    result.body = change.body ?? body
    let removed = change.removeTags.map(SearchText.fold)
    result.tags =
      tags.filter { !removed.contains(SearchText.fold($0)) } + change.addTags
    result.starred = change.starred ?? starred
    for line in EntryField.lines {
      result[line.content] = change[line.change].applied(to: self[line.content])
    }
    return result
  }
}
