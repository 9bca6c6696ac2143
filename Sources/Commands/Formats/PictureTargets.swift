internal import CommandLine

/// What a Markdown text shows: the targets of `![…](target)`, with or without angle brackets and a title, and of Obsidian's
/// `![[target|…]]`.
enum PictureTargets {
  static func all(in text: String) -> [String] {
    var targets: [String] = []
    var rest = text[...]
    while let mark = rest.firstRange(of: "![") {
      rest = rest[mark.upperBound...]
      let line = rest.prefix { !$0.isNewline }
      if line.hasPrefix("["), let end = line.firstRange(of: "]]") {
        targets.append(
          String(line[..<end.lowerBound].dropFirst().prefix { !"|#".contains($0) }).trimmed)
      } else if let open = line.firstRange(of: "](") {
        targets.append(target(line[open.upperBound...]))
      }
    }
    return targets.filter { !$0.isEmpty }
  }

  private static func target(_ text: Substring) -> String {
    if text.hasPrefix("<") {
      return unescaped(String(text.dropFirst().prefix { $0 != ">" }))
    }
    return unescaped(String(text.prefix { $0 != ")" && $0 != " " }))
  }

  /// `%20` and the like; what is no UTF-8 then stays as it was.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}
