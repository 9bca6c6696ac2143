/// What a line of Markdown is when looked at alone.
extension BlockParser {
  /// `# Words` and its closing marks.
  static func heading(_ text: Line) -> (level: Int, Line)? {
    let level = text.prefix(while: { $0 == UInt8(ascii: "#") }).count
    guard (1...6).contains(level) else { return nil }
    let rest = text.dropFirst(level)
    guard rest.isEmpty || isSpace(rest.first!) else { return nil }
    var content = trimmed(rest)
    let marks = content.reversed().prefix { $0 == UInt8(ascii: "#") }.count
    let before = content.dropLast(marks)
    if marks > 0, before.isEmpty || isSpace(before.last!) { content = trimmed(before) }
    return (level, content)
  }

  /// The level of the heading that a line of `=` or `-` makes of the paragraph above it.
  static func underline(_ text: Line) -> Int? {
    guard let first = text.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-") else {
      return nil
    }
    let line = trimmed(text)
    guard line.allSatisfy({ $0 == first }) else { return nil }
    return first == UInt8(ascii: "=") ? 1 : 2
  }

  static func isRule(_ text: Line) -> Bool {
    guard let first = text.first, first == 0x2a || first == 0x2d || first == 0x5f else {
      return false
    }
    var count = 0
    for byte in text {
      if byte == first { count += 1 } else if !isSpace(byte) { return false }
    }
    return count >= 3
  }

  /// `[name]: target "title"`, in one line.
  static func definition(_ line: Line) -> (name: String, target: String)? {
    let text = line.drop(while: isSpace)
    guard text.first == UInt8(ascii: "["), indent(line) < 4,
      let close = text.firstIndex(of: UInt8(ascii: "]")), close > text.startIndex + 1,
      close + 1 < text.endIndex, text[close + 1] == UInt8(ascii: ":")
    else { return nil }
    let rest = trimmed(text[(close + 2)...])
    // `[Anna]: hello` is a sentence: a definition needs a target that looks like one.
    guard rest.count < LinkTarget.longest, let target = LinkTarget(rest, isWhole: true),
      target.text.contains(where: { "/:.#".contains($0) })
    else { return nil }
    let name = InlineParser.reference(text[(text.startIndex + 1)..<close])
    return name.isEmpty ? nil : (name, target.text)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isBlank(_ line: Line) -> Bool { line.allSatisfy(isSpace) }

  static func trimmed(_ text: Line) -> Line {
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text = text.dropLast() }
    return text
  }

  /// Columns of white space at its head; a tab goes to the next multiple of four.
  static func indent(_ line: Line) -> Int {
    var columns = 0
    for byte in line {
      if byte == 0x20 {
        columns += 1
      } else if byte == 0x09 {
        columns += 4 - columns % 4
      } else {
        break
      }
    }
    return columns
  }

  /// The line without up to that many columns of leading white space.
  static func stripped(_ line: Line, columns: Int) -> Line {
    var used = 0
    var place = line.startIndex
    while place < line.endIndex, used < columns, isSpace(line[place]) {
      used += line[place] == 0x20 ? 1 : 4 - used % 4
      place += 1
    }
    guard used > columns else { return line[place...] }
    return ([UInt8](repeating: 0x20, count: used - columns) + line[place...])[...]
  }

  static func text(_ lines: [Line]) -> String {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line
      bytes.append(0x0a)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
