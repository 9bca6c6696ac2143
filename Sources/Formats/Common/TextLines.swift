/// The lines of a text, one after the other, without their ends; `\r\n` ends one as `\n` does.
struct TextLines: Sequence, IteratorProtocol {
  private var rest: Substring.UTF8View?

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    rest = text[...].utf8
  }

  mutating func next() -> String? {
    guard let bytes = rest else { return nil }
    let end = bytes.firstIndex(of: 0x0a)
    var line = bytes[..<(end ?? bytes.endIndex)]
    rest = end.map { bytes[bytes.index(after: $0)...] }
    if end != nil, line.last == 0x0d { line.removeLast() }
    return String(Substring(line))
  }
}

/// Lines that are put together, without keeping each by itself: a file may have millions.
struct JoinedLines {
  private(set) var text = ""
  private var hasLine = false
  private(set) var isLastEmpty = true

  mutating func append(_ line: String) {
    if hasLine { text += "\n" }
    text += line
    (hasLine, isLastEmpty) = (true, line.isEmpty)
  }
}
