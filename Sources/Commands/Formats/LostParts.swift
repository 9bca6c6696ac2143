/// What was there to be imported and no entry took.
struct LostParts {
  enum Kind: String, Sendable {
    /// A photo or file that an entry names and that is not there.
    case attachment
    /// A field that entries here have no place for.
    case field
    /// A file that is no entry, or whose day nothing tells.
    case file
    /// A folder that cannot be opened or lies too deep.
    case folder
    /// An entry that cannot be imported.
    case entry
    /// An entry that was in the trash there.
    case trashed
    /// An entry with nothing in it.
    case empty
    /// A file beside the entries that none of them names.
    case unread
  }

  private struct Part: Hashable {
    let what: Kind
    let place: String
  }

  private var order: [Part] = []
  private var counts: [Part: Int] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ what: Kind, _ place: String) {
    let part = Part(what: what, place: place)
    if counts.updateValue((counts[part] ?? 0) + 1, forKey: part) == nil { order.append(part) }
  }

  mutating func add(_ other: LostParts) {
    for part in other.order {
      if counts[part] == nil { order.append(part) }
      counts[part, default: 0] += other.counts[part] ?? 0
    }
  }

  /// Each once, in the order they were met, with how often.
  var parts: [(what: Kind, place: String, count: Int)] {
    order.map { ($0.what, $0.place, counts[$0] ?? 0) }
  }
}
