public import Bytes

/// An entry's id: 128 random bits, 26 base32 characters.
///
/// Random, so that neither order nor time can be read from the file.
public struct EntryID: Hashable, Sendable, Codable, CustomStringConvertible, Comparable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    precondition(bytes.count == 16)
    self.bytes = bytes
  }

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = EntryID(text) else { throw VaultError(.entryID, expected: .idOf26) }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads all 26 characters; nil when they are not an id.
  public init?(_ text: String) {
    guard text.utf8.count == 26, let bytes = Base32.decode(text), bytes.count == 16 else {
      return nil
    }
    self.bytes = bytes
  }

  public static func random(_ randomness: Randomness = .system) -> EntryID {
    EntryID(bytes: randomness.bytes(16))
  }

  /// 26 characters of Crockford base32, lower case.
  public var description: String { Base32.encode(bytes) }
  /// The eight characters shown on a screen.
  public var short: String { String(description.prefix(8)) }

  /// The entry's row number: its first 63 bits. Ids of one vault differ in their first 40.
  package var key: Int64 { Int64(bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1) }

  public static func < (one: EntryID, other: EntryID) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  /// The row numbers of all ids that begin with `prefix`, nil when it is not a prefix (4 to 26 symbols).
  package static func keys(withPrefix prefix: String) -> ClosedRange<Int64>? {
    guard (4...26).contains(prefix.utf8.count), let values = Base32.values(of: prefix) else {
      return nil
    }
    var low: UInt64 = 0
    var bits = 0
    for value in values.prefix(12) {
      low = low << 5 | UInt64(value)
      bits += 5
    }
    let free = UInt64(64 - bits)
    low <<= free
    let high = low | ((1 << free) - 1)
    return Int64(low >> 1)...Int64(high >> 1)
  }

  /// Whether the id's characters begin with `prefix`, read as a person types it.
  package func hasPrefix(_ prefix: String) -> Bool {
    guard let wanted = Base32.values(of: prefix), let own = Base32.values(of: description) else {
      return false
    }
    return own.starts(with: wanted)
  }
}

/// How a person names an entry.
public enum EntryReference: Sendable, Codable, Hashable {
  case id(EntryID)
  /// The first four or more characters of its id.
  case prefix(String)
  /// The most recently added one.
  case last
  /// Its place in `list`, newest first, from 1.
  case position(Int)

  /// Reads `@last`, `@3`, an id, or a prefix of one.
  public init(_ text: String) {
    if text == "@last" {
      self = .last
    } else if text.hasPrefix("@"), let place = Int(text.dropFirst()), place > 0 {
      self = .position(place)
    } else if let id = EntryID(text) {
      self = .id(id)
    } else {
      self = .prefix(text)
    }
  }

  public var text: String {
    switch self {
    case .id(let id): id.description
    case .prefix(let text): text
    case .last: "@last"
    case .position(let place): "@\(place)"
    }
  }
}
