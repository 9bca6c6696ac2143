internal import Dates
internal import Words

/// Escapes text so that Markdown shows it unchanged.
enum MarkdownSigns {
  /// Whether a character would be markup at that place.
  ///
  /// - Parameters:
  ///   - line: the text before it on its line.
  ///   - next: what follows it.
  static func wantsEscape(
    _ character: Unicode.Scalar, after line: String, before next: Unicode.Scalar?
  ) -> Bool {
    switch character {
    case "*", "`", "\\", "[", "]": return true
    case "#", ">", "-", "+", "=": return line.isEmpty
    case "~": return line.unicodeScalars.last == "~" || next == "~"
    case "<":
      return next.map { $0.properties.isAlphabetic || $0 == "/" || $0 == "!" || $0 == "?" } ?? false
    case "&": return next.map { $0.properties.isAlphabetic || $0 == "#" } ?? false
    case "_":
      return line.unicodeScalars.last.map {
        !$0.properties.isAlphabetic && $0.properties.numericType == nil
      }
        ?? true
    case ".", ")":
      return !line.isEmpty && line.utf8.count < 10
        && line.utf8.allSatisfy { (0x30...0x39).contains($0) }
    default: return false
    }
  }

  /// A whole text that begins a line.
  static func escaped(_ text: String, after before: String = "") -> String {
    var line = before
    var result = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if wantsEscape(scalar, after: line, before: next) { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
      if scalar == "\n" {
        line = ""
      } else if line.utf8.count < 16 || scalar == "~" || scalar == "_" {
        line.unicodeScalars.append(scalar)
      } else {
        // Only its last sign matters from here on.
        line = "xxxxxxxxxxxxxxx" + String(scalar)
      }
    }
    return result
  }

  /// The target of a link or a picture.
  static func target(_ text: String) -> String {
    let text = text.filter { !$0.isNewline && $0 != "<" && $0 != ">" }
    return text.contains { $0 == " " || $0 == "(" || $0 == ")" } ? "<\(text)>" : text
  }

  /// `[label](target)`; an address that is its own label needs no brackets.
  static func link(_ label: String, to target: String) -> String {
    label == target ? target : "[\(escaped(label, after: "x"))](\(self.target(target)))"
  }

  /// The fence of a block or span of code: longer than any run of backticks in it.
  static func fence(_ code: String, least: Int) -> String {
    var longest = 0
    var count = 0
    for byte in code.utf8 {
      count = byte == UInt8(ascii: "`") ? count + 1 : 0
      longest = max(longest, count)
    }
    return String(repeating: "`", count: max(least, longest + 1))
  }
}
