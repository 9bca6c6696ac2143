internal import CommandLine
internal import Dates

/// The part of YAML that libyaml and PyYAML write for mappings of texts: in blocks or in braces, plain, quoted or literal texts
/// over any number of lines.
///
/// No anchors, tags, sequences or several documents.
struct BlockYAML {
  indirect enum Node: Equatable {
    case text(String)
    case mapping([(String, Node)])

    static func == (one: Node, other: Node) -> Bool {
      switch (one, other) {
      case (.text(let one), .text(let other)): one == other
      case (.mapping(let one), .mapping(let other)):
        one.count == other.count && zip(one, other).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
      default: false
      }
    }
  }

  private static let depthLimit = 16
  private let bytes: [UInt8]
  private var place = 0

  private struct Malformed: Error {}

  private init(_ text: String) { bytes = Array(text.replacing("\r\n", with: "\n").utf8) }

  /// A document that is a mapping, in order; nil for anything else.
  static func mapping(_ text: String) -> [(String, Node)]? {
    var reader = BlockYAML(text)
    if reader.bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.place = 3 }
    guard reader.skipToLine() != nil else { return [] }
    guard let found = try? reader.block(at: 0, depth: 0), reader.skipToLine() == nil else {
      return nil
    }
    return found
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func isAt(_ word: String) -> Bool { bytes[place...].starts(with: word.utf8) }

  /// Goes to the first sign of the next line that has one.
  ///
  /// - Returns: its column; nil at the end.
  private mutating func skipToLine() -> Int? {
    while true {
      var start = place
      while start > 0, bytes[start - 1] != 0x0a { start -= 1 }
      while let next = current, next == 0x20 { place += 1 }
      guard let next = current else { return nil }
      if next == 0x0a {
        place += 1
      } else if next == UInt8(ascii: "#") || place == start && isAt("---") {
        skipLine()
      } else {
        return place - start
      }
    }
  }

  private mutating func skipLine() {
    while let next = current, next != 0x0a { place += 1 }
    if current != nil { place += 1 }
  }

  private mutating func skipSpaces() { while current == 0x20 { place += 1 } }

  // MARK: Blocks

  private mutating func block(at column: Int, depth: Int) throws -> [(String, Node)] {
    guard depth < Self.depthLimit else { throw Malformed() }
    var members: [(String, Node)] = []
    while true {
      let line = place
      guard let found = skipToLine() else { return members }
      guard found >= column else {
        place = line
        return members
      }
      guard found == column else { throw Malformed() }
      let key: String
      if isAt("? ") {
        place += 2
        skipSpaces()
        guard case .text(let text) = try node(below: column, depth: depth) else {
          throw Malformed()
        }
        key = text
        guard skipToLine() == column, isAt(":") else {
          members.append((key, .text("")))
          continue
        }
      } else {
        key = try blockKey()
      }
      guard current == UInt8(ascii: ":") else { throw Malformed() }
      place += 1
      skipSpaces()
      members.append((key, try value(below: column, depth: depth)))
    }
  }

  private mutating func blockKey() throws -> String {
    if let next = current, next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
      let key = try quoted()
      skipSpaces()
      return key
    }
    let start = place
    while let next = current, next != 0x0a {
      if next == UInt8(ascii: ":"),
        place + 1 == bytes.count || [0x20, 0x0a].contains(bytes[place + 1])
      {
        return String(decoding: bytes[start..<place], as: UTF8.self).trimmed
      }
      place += 1
    }
    throw Malformed()
  }

  private mutating func value(below column: Int, depth: Int) throws -> Node {
    guard current == 0x0a || current == nil else { return try node(below: column, depth: depth) }
    let line = place
    guard let found = skipToLine(), found > column else {
      place = line
      return .text("")
    }
    let start = place
    if [UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains(current) {
      // A quoted text may be the first key.
      if let text = try? node(below: column, depth: depth), current != UInt8(ascii: ":") {
        return text
      }
      place = start
    }
    if (try? blockKey()) != nil {
      place = start - found
      return .mapping(try block(at: found, depth: depth + 1))
    }
    place = start
    return try node(below: column, depth: depth)
  }

  /// A value that begins here.
  private mutating func node(below column: Int, depth: Int) throws -> Node {
    switch current {
    case UInt8(ascii: "{"): return try flow(depth: depth + 1)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .text(try quoted())
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return .text(literal(below: column))
    case UInt8(ascii: "["), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
      throw Malformed()
    default:
      let text = plain(below: column)
      return .text(["null", "~"].contains(text) ? "" : text)
    }
  }

  /// A text of several lines. Empty ones are counted: a file may have millions.
  private struct Lines {
    /// Whether a break between two lines is a space; empty lines are breaks.
    let areFolded: Bool
    private(set) var text = ""
    var blank = 0
    private var hasLine = false

    init(folded: Bool) { areFolded = folded }

    mutating func take(_ line: String) {
      if hasLine, areFolded, blank == 0 { text += " " }
      text += String(repeating: "\n", count: blank + (hasLine && !areFolded ? 1 : 0))
      text += line
      (blank, hasLine) = (0, true)
    }
  }

  /// A plain text, which goes on in lines that stand further in.
  private mutating func plain(below column: Int) -> String {
    var lines = Lines(folded: true)
    while true {
      let start = place
      while let next = current, next != 0x0a { place += 1 }
      lines.take(String(decoding: bytes[start..<place], as: UTF8.self).trimmed)
      let end = place
      var blank = 0
      var next = place
      while next < bytes.count, bytes[next] == 0x0a {
        blank += 1
        next += 1
        let line = next
        while next < bytes.count, bytes[next] == 0x20 { next += 1 }
        if next < bytes.count, bytes[next] != 0x0a {
          guard next - line > column else {
            place = end
            return lines.text
          }
          lines.blank = blank - 1
          place = next
          break
        }
      }
      if place == end { return lines.text }
    }
  }

  /// `|`, `|-`, `|+`, `|2`, and the same with `>`.
  private mutating func literal(below column: Int) -> String {
    var lines = Lines(folded: current == UInt8(ascii: ">"))
    let head = place
    skipLine()
    let marks = String(decoding: bytes[head..<place], as: UTF8.self)
    var width = marks.compactMap(\.wholeNumberValue).first.map { column + $0 }
    while place < bytes.count {
      let start = place
      var end = start
      while end < bytes.count, bytes[end] != 0x0a { end += 1 }
      let indent = bytes[start..<end].prefix { $0 == 0x20 }.count
      if indent < end - start {
        width = width ?? indent
        guard indent >= width ?? 0, indent > column else { break }
        lines.take(String(decoding: bytes[(start + (width ?? 0))..<end], as: UTF8.self))
      } else {
        lines.blank += 1
      }
      place = min(end + 1, bytes.count)
    }
    guard marks.contains("+"), !lines.areFolded else { return lines.text }
    return lines.text + String(repeating: "\n", count: lines.blank)
  }

  // MARK: Braces

  private mutating func skipBlank() {
    while let next = current, next == 0x20 || next == 0x0a { place += 1 }
  }

  private mutating func flow(depth: Int) throws -> Node {
    guard depth < Self.depthLimit else { throw Malformed() }
    place += 1
    var members: [(String, Node)] = []
    while true {
      skipBlank()
      guard let next = current else { throw Malformed() }
      if next == UInt8(ascii: "}") {
        place += 1
        return .mapping(members)
      }
      if next == UInt8(ascii: ",") {
        place += 1
        continue
      }
      if next == UInt8(ascii: "?") {
        place += 1
        skipBlank()
      }
      let key = try flowText()
      skipBlank()
      guard current == UInt8(ascii: ":") else {
        members.append((key, .text("")))
        continue
      }
      place += 1
      skipBlank()
      if current == UInt8(ascii: "{") {
        members.append((key, try flow(depth: depth + 1)))
      } else if current == UInt8(ascii: ",") || current == UInt8(ascii: "}") {
        members.append((key, .text("")))
      } else {
        let text = try flowText()
        members.append((key, .text(["null", "~"].contains(text) ? "" : text)))
      }
    }
  }

  private mutating func flowText() throws -> String {
    if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return try quoted() }
    let start = place
    while let next = current {
      let follower = place + 1 < bytes.count ? bytes[place + 1] : 0x20
      if next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next == UInt8(ascii: "{")
        || next == UInt8(ascii: ":")
          && [0x20, 0x0a, UInt8(ascii: ","), UInt8(ascii: "}")].contains(follower)
      {
        break
      }
      place += 1
    }
    guard place > start else { throw Malformed() }
    var lines = Lines(folded: true)
    for line in TextLines(String(decoding: bytes[start..<place], as: UTF8.self)) {
      if line.trimmed.isEmpty { lines.blank += 1 } else { lines.take(line.trimmed) }
    }
    return lines.text
  }

  // MARK: Quoted texts

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0d,
    UInt8(ascii: "0"): 0x00, UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "e"): 0x1b, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "v"): 0x0b,
  ]

  /// A text in quotes, with what its lines are folded to.
  private mutating func quoted() throws -> String {
    let quote = bytes[place]
    place += 1
    var text: [UInt8] = []
    while let next = current {
      place += 1
      if next == quote {
        guard quote == UInt8(ascii: "'"), current == quote else {
          return String(decoding: text, as: UTF8.self)
        }
        text.append(quote)
        place += 1
      } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        try escape(&text)
      } else if next == 0x0a {
        while text.last == 0x20 { text.removeLast() }
        var blank = 0
        while let more = current, more == 0x20 || more == 0x0a {
          if more == 0x0a { blank += 1 }
          place += 1
        }
        text += blank == 0 ? [0x20] : Array(repeating: 0x0a, count: blank)
      } else {
        text.append(next)
      }
    }
    throw Malformed()
  }

  private mutating func escape(_ text: inout [UInt8]) throws {
    guard let sign = current else { throw Malformed() }
    place += 1
    switch sign {
    case 0x0a:
      // The line goes on without a space.
      skipSpaces()
    case UInt8(ascii: "x"): try scalar(digits: 2, &text)
    case UInt8(ascii: "u"): try scalar(digits: 4, &text)
    case UInt8(ascii: "U"): try scalar(digits: 8, &text)
    case UInt8(ascii: "N"): text += "\u{85}".utf8
    case UInt8(ascii: "_"): text += "\u{a0}".utf8
    case UInt8(ascii: "L"): text += "\u{2028}".utf8
    case UInt8(ascii: "P"): text += "\u{2029}".utf8
    default: text.append(Self.escapes[sign] ?? sign)
    }
  }

  private mutating func scalar(digits: Int, _ text: inout [UInt8]) throws {
    guard place + digits <= bytes.count,
      let value = UInt32(
        String(decoding: bytes[place..<(place + digits)], as: UTF8.self), radix: 16)
    else { throw Malformed() }
    place += digits
    // Half of a pair, as a writer of UTF-16 would leave it.
    if (0xd800..<0xdc00).contains(value), place + 6 <= bytes.count, isAt("\\u"),
      let low = UInt32(
        String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16),
      (0xdc00..<0xe000).contains(low),
      let pair = Unicode.Scalar(0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00))
    {
      place += 6
      text += Array(String(Character(pair)).utf8)
      return
    }
    text += Array(String(Character(Unicode.Scalar(value) ?? "\u{fffd}")).utf8)
  }
}
