internal import CommandLine
internal import Dates
internal import Entries
internal import JSONText
internal import Platform
internal import Words

/// A whole JSON value in memory: one entry of another program at a time.
indirect enum JSONValue {
  case string(String)
  case number(String)
  case bool(Bool)
  case null
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value that begins with `token`.
  ///
  /// - Parameter budget: about how many bytes the value may still take.
  init(_ token: JSONReader.Token, _ reader: inout JSONReader, budget: inout Int) throws {
    budget -= 64
    if case .string(let text) = token { budget -= text.utf8.count }
    guard budget > 0 else {
      throw reader.expected(.entryOfAtMost(bytes: EntryDraft.bodyLimit))
    }
    switch token {
    case .string(let text): self = .string(text)
    case .number(let text): self = .number(text)
    case .bool(let flag): self = .bool(flag)
    case .null: self = .null
    case .beginArray:
      var list: [JSONValue] = []
      while true {
        let token = try reader.next()
        if case .endArray = token { break }
        list.append(try JSONValue(token, &reader, budget: &budget))
      }
      self = .array(list)
    case .beginObject:
      var members: [String: JSONValue] = [:]
      while case .key(let key) = try reader.next() {
        budget -= key.utf8.count
        members[key] = try JSONValue(try reader.next(), &reader, budget: &budget)
      }
      self = .object(members)
    default: throw reader.expected(.aValue)
    }
  }

  /// The names of an object's members whose values are not empty, in order.
  var keys: [String] {
    guard case .object(let members) = self else { return [] }
    return members.filter { !$0.value.isEmpty }.map(\.key).sorted()
  }

  private var isEmpty: Bool {
    switch self {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let list): list.isEmpty
    case .object(let members): members.isEmpty
    case .number, .bool: false
    }
  }

  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a finite number.
  var number: Double? {
    guard case .number(let text) = self, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }
  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
}

extension JSONValue {
  /// A file that is one object.
  ///
  /// - Throws: ``Failure`` `invalid` naming line and column.
  init(file path: String, in folder: InputFolder, limit: Int = 2 * EntryDraft.bodyLimit) throws {
    let file = try InputFile(path, in: folder)
    try self.init(file.descriptor.name, limit: limit) { try file.piece() }
  }

  /// A text that is one object; nil for any other.
  init?(object text: String) {
    var bytes: [UInt8]? = Array(text.utf8)
    guard
      let value = try? JSONValue(
        "",
        source: {
          defer { bytes = nil }
          return bytes ?? []
        })
    else { return nil }
    self = value
  }

  init(
    _ name: String, limit: Int = 2 * EntryDraft.bodyLimit, source: @escaping () throws -> [UInt8]
  ) throws {
    do {
      var reader = try JSONReader(source: source)
      var budget = limit
      guard case .beginObject = try reader.next() else { throw reader.expected(.anObject) }
      self = try JSONValue(.beginObject, &reader, budget: &budget)
    } catch {
      throw Failure(error, in: name) ?? error
    }
  }
}

/// The objects of a list, or of an object's members, in `{"entries": [ … ], … }`, one by one; other members are passed
/// over. Or those of a list that is the whole file.
struct JSONEntryObjects {
  let name: String
  private let list: String?
  /// About how many bytes one of them may take.
  private let limit: Int
  private var reader: JSONReader
  private var isInside = false
  /// The name of the last one, when they are members.
  private(set) var key: String?
  /// The line the last entry began at.
  private(set) var line = 1

  init(
    name: String, list: String? = "entries", limit: Int = 2 * EntryDraft.bodyLimit,
    source: @escaping () throws -> [UInt8]
  ) throws {
    self.name = name
    self.list = list
    self.limit = limit
    reader = try JSONReader(source: source)
  }

  mutating func next() throws -> JSONValue? {
    do {
      if !isInside, list == nil {
        guard case .beginArray = try reader.next() else { throw reader.expected(.anArrayOfEntries) }
        isInside = true
      }
      if !isInside, let list {
        guard case .beginObject = try reader.next() else { throw reader.expected(.anObject) }
        guard try find(list) else { throw reader.expected(.field(list)) }
        isInside = true
      }
      line = reader.line
      switch try reader.next() {
      case .beginObject:
        var budget = limit
        return try JSONValue(.beginObject, &reader, budget: &budget)
      case .key(let name):
        key = name
        guard case .beginObject = try reader.next() else { throw reader.expected(.anEntry) }
        var budget = limit
        return try JSONValue(.beginObject, &reader, budget: &budget)
      case .endArray, .endObject:
        if list != nil { while case .key = try reader.next() { try reader.skipValue() } }
        guard try reader.next() == .end else { throw reader.expected(.end) }
        return nil
      default: throw reader.expected(.anEntry)
      }
    } catch {
      throw Failure(error, in: name) ?? error
    }
  }

  private mutating func find(_ list: String) throws -> Bool {
    while case .key(let key) = try reader.next() {
      if key == list {
        switch try reader.next() {
        case .beginArray, .beginObject: return true
        default: throw reader.expected(.anArrayOfEntries)
        }
      }
      try reader.skipValue()
    }
    return false
  }

  /// Where the last one began.
  var place: String { "\(name):\(line)" }

  /// The error for a last one that cannot be imported.
  func bad(_ error: any Error) -> BadEntry { BadEntry(failure: error, place: place) }

  func invalid(_ field: String, _ expected: any Message) -> Failure {
    Failure(
      .invalid, ExchangeMessage.field(name: name, line: line, field: field, expected: expected))
  }

  /// - Throws: ``Failure`` `invalid` naming the field that is.
  func validate(_ draft: EntryDraft, hasAttachments: Bool = false) throws {
    do throws(VaultError) { try draft.validate(hasAttachments: hasAttachments) } catch {
      throw invalid(error.subject, error.reason)
    }
  }
}
