internal import CommandLine

/// Tags as people type them, in the editor and behind `--tag`.
enum TagWords {
  /// `a, "b, c", #d`: apart at commas outside of quotes, also those of a Japanese keyboard, and without their marks.
  static func split(_ texts: [String]) -> [String] { tags(in: texts.flatMap(parts)) }

  /// Tags that are apart already.
  static func tags(in texts: [String]) -> [String] {
    texts.map { String($0.trimmed.drop { $0 == "#" || $0 == "＃" }) }.filter { !$0.isEmpty }
  }

  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if [",", "、", "，"].contains(character), !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
