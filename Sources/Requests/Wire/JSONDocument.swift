internal import JSONText

/// A small file in JSON that people edit, too: whole, with the members that we do not know.
package struct JSONDocument {
  private var root: WireValue

  /// An object without members.
  package init() { root = .record([]) }

  /// - Throws: ``JSONError``.
  package init(_ bytes: [UInt8]) throws {
    var reader = JSONReader(bytes)
    root = try Self.value(try reader.next(), &reader)
    guard case .end = try reader.next() else { throw reader.error("the end") }
  }

  package init(encoding value: some Encodable) throws { root = try Wire.value(of: value) }

  /// - Throws: when it is not of the form.
  package func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
    try Wire.decode(Value.self, from: root)
  }

  /// The names of its members; nil for what is no object.
  package var names: [String]? {
    guard case .record(let members) = root else { return nil }
    return members.map(\.0)
  }

  /// A member of an object; nil when there is none, or it is null.
  package subscript(name: String) -> JSONDocument? {
    get {
      guard case .record(let members) = root,
        let value = members.last(where: { $0.0 == name })?.1
      else { return nil }
      if case .null = value { return nil }
      var document = JSONDocument()
      document.root = value
      return document
    }
    set {
      guard case .record(var members) = root else { return }
      members.removeAll { $0.0 == name }
      if let newValue { members.append((name, newValue.root)) }
      root = .record(members)
    }
  }

  private static func value(
    _ token: JSONReader.Token, _ reader: inout JSONReader
  ) throws -> WireValue {
    switch token {
    case .string(let text): return .text(text)
    case .bool(let flag): return .flag(flag)
    case .null: return .null
    case .number(let text):
      if let integer = Int64(text) { return .integer(integer) }
      guard let number = Double(text), number.isFinite else { throw reader.error("a number") }
      return .double(number)
    case .beginArray:
      var list: [WireValue] = []
      while true {
        let token = try reader.next()
        if case .endArray = token { return .list(list) }
        list.append(try value(token, &reader))
      }
    case .beginObject:
      var members: [(String, WireValue)] = []
      var names: Set<String> = []
      while case .key(let key) = try reader.next() {
        guard names.insert(key).inserted else { throw reader.error("each name once") }
        members.append((key, try value(try reader.next(), &reader)))
      }
      return .record(members)
    case .endObject, .endArray, .key, .end: throw reader.error("a value")
    }
  }

  // MARK: Writing

  /// For people: a line a member, in the order of their names.
  package var bytes: [UInt8] {
    var lines = ""
    Self.write(root, indented: "", to: &lines)
    return Array((lines + "\n").utf8)
  }

  private static func write(_ value: WireValue, indented: String, to text: inout String) {
    let deeper = indented + "  "
    switch value {
    case .record(let members) where !members.isEmpty:
      let parts = members.sorted { $0.0 < $1.0 }.map { name, value in
        var part = deeper + plain { $0.value(name) } + ": "
        write(value, indented: deeper, to: &part)
        return part
      }
      text += "{\n" + parts.joined(separator: ",\n") + "\n" + indented + "}"
    case .list(let values) where !values.isEmpty:
      let parts = values.map { value in
        var part = deeper
        write(value, indented: deeper, to: &part)
        return part
      }
      text += "[\n" + parts.joined(separator: ",\n") + "\n" + indented + "]"
    case .record: text += "{}"
    case .list, .bytes: text += "[]"
    case .null: text += "null"
    case .flag(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .unsigned(let number): text += String(number)
    case .double(let number): text += plain { $0.value(number) }
    case .text(let string): text += plain { $0.value(string) }
    }
  }

  private static func plain(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
