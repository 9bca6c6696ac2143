internal import Dates
internal import Markdown
internal import Words

/// Reads the tags and texts of HTML or plain XML in one pass, however malformed.
///
/// It has no notion of a document: an unclosed element is no error, and everything after a tag without an end is text.
struct MarkupReader {
  enum Token: Equatable {
    /// Names in lower case; character references in values and texts are read.
    case open(String, [String: String])
    case close(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var place = 0
  /// Whether a tag was begun and not ended: nothing after it is a tag.
  private var isTextAlone = false
  /// The name of a self-closing element, whose end is reported next.
  private var closing: String?
  /// The last quote of each kind: a quote that opens there is never closed, and is a plain character.
  private let lastQuotes: [UInt8: Int]

  init(_ text: String) {
    let bytes = Array(text.replacing("\r\n", with: "\n").utf8)
    self.bytes = bytes
    lastQuotes = [UInt8(ascii: "\""), UInt8(ascii: "'")].reduce(into: [:]) { places, quote in
      places[quote] = bytes.lastIndex(of: quote)
    }
  }

  mutating func next() -> Token? {
    if let name = closing {
      closing = nil
      return .close(name)
    }
    var start = place
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<"), !isTextAlone, let found = markup() else {
        place += 1
        continue
      }
      // The text before it is reported first.
      if start < place { return .text(text(start..<place)) }
      switch found {
      case .skip(let end):
        place = end
        start = end
      case .literal(let content, let end):
        place = end
        return .text(String(decoding: bytes[content], as: UTF8.self))
      case .tag(let end): return tag(to: end)
      }
    }
    return start < place ? .text(text(start..<place)) : nil
  }

  private enum Markup {
    case skip(to: Int)
    case literal(Range<Int>, to: Int)
    case tag(to: Int)
  }

  /// The tag that begins with `<` here; nil when it is only a character.
  private mutating func markup() -> Markup? {
    if begins("<!--") { return ending("-->", from: place + 4).map { .skip(to: $0.upperBound) } }
    if begins("<![CDATA[") {
      return ending("]]>", from: place + 9).map {
        .literal((place + 9)..<$0.lowerBound, to: $0.upperBound)
      }
    }
    guard place + 1 < bytes.count else { return nil }
    switch bytes[place + 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      return ending(">", from: place + 2).map { .skip(to: $0.upperBound) }
    case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      var quote: UInt8?
      for index in (place + 2)..<max(place + 2, bytes.count) {
        let byte = bytes[index]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          // Only values are quoted: an apostrophe elsewhere is a plain character.
          if bytes[index - 1] == UInt8(ascii: "="), index < lastQuotes[byte] ?? 0 { quote = byte }
        } else if byte == UInt8(ascii: ">") {
          return .tag(to: index + 1)
        }
      }
      isTextAlone = true
      return nil
    default: return nil
    }
  }

  private func begins(_ mark: String) -> Bool { bytes[place...].starts(with: mark.utf8) }

  private mutating func ending(_ mark: String, from start: Int) -> Range<Int>? {
    let mark = Array(mark.utf8)
    var index = start
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<(index + mark.count)].elementsEqual(mark) {
        return index..<(index + mark.count)
      }
      index += 1
    }
    isTextAlone = true
    return nil
  }

  private mutating func tag(to end: Int) -> Token {
    var index = place + 1
    place = end
    let isClose = bytes[index] == UInt8(ascii: "/")
    if isClose { index += 1 }
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
    func word() -> String {
      let start = index
      while index < end - 1, !isSpace(bytes[index]), bytes[index] != UInt8(ascii: "="),
        bytes[index] != UInt8(ascii: "/") || index == start
      { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    }
    let name = word()
    if isClose { return .close(name) }
    var attributes: [String: String] = [:]
    while index < end - 1 {
      guard !isSpace(bytes[index]), bytes[index] != UInt8(ascii: "/") else {
        index += 1
        continue
      }
      let key = word()
      guard index < end - 1, bytes[index] == UInt8(ascii: "=") else {
        // A character that cannot begin a name is skipped.
        if key.isEmpty { index += 1 } else if attributes[key] == nil { attributes[key] = "" }
        continue
      }
      index += 1
      let start: Int
      let stop: Int
      if index < end - 1, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
        let close = bytes[(index + 1)..<(end - 1)].firstIndex(of: bytes[index])
      {
        start = index + 1
        stop = close
        index = min(stop + 1, end - 1)
      } else {
        start = index
        stop = bytes[start..<(end - 1)].firstIndex(where: isSpace) ?? end - 1
        index = stop
      }
      // The first attribute of a name counts.
      if attributes[key] == nil { attributes[key] = text(start..<stop) }
    }
    if bytes[end - 2] == UInt8(ascii: "/") {
      closing = name
    } else if name == "script" || name == "style" {
      passOver(name)
    }
    return .open(name, attributes)
  }

  /// The contents of a script or style are not markup; when it never ends, they are text.
  private mutating func passOver(_ name: String) {
    guard !isTextAlone else { return }
    let mark = Array("</\(name)".utf8)
    var index = place
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0],
        zip(mark, bytes[index...]).allSatisfy({ $0 == $1 || $0 == $1 | 0x20 })
      {
        place = index
        return
      }
      index += 1
    }
    isTextAlone = true
  }

  /// A range of the text with its character references decoded.
  private func text(_ range: Range<Int>) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"),
        let end = bytes[index..<min(index + CharacterReference.longest + 2, range.upperBound)]
          .firstIndex(of: UInt8(ascii: ";")),
        let value = CharacterReference.text(
          String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
      {
        result += value.utf8
        index = end + 1
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
