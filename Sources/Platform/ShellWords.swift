/// Words of a command as a shell takes them apart, and a word written so that it does.
///
/// All of it goes by scalars: a quote with a combining mark behind it is one character, and still a quote.
package enum ShellWords {
  /// Words of a command as a shell would split it: quotes and backslashes, nothing expanded.
  package static func split(_ command: String) throws(ChildProcessError) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var inWord = false
    var quote: Unicode.Scalar?
    var escaped = false
    for scalar in command.unicodeScalars {
      if escaped {
        escaped = false
        // A line goes on behind it.
        guard scalar != "\n" else { continue }
        inWord = true
        // Inside double quotes a backslash is only special before these.
        if quote == "\"", !"\"\\$`".unicodeScalars.contains(scalar) { word.append("\\") }
        word.append(scalar)
      } else if scalar == "\\", quote != "'" {
        escaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { word.append(scalar) }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
        inWord = true
      } else if " \t\n".unicodeScalars.contains(scalar) {
        if inWord { words.append(String(word)) }
        word = String.UnicodeScalarView()
        inWord = false
      } else {
        word.append(scalar)
        inWord = true
      }
    }
    guard quote == nil, !escaped else {
      throw ChildProcessError(.badCommand, program: command)
    }
    if inWord { words.append(String(word)) }
    guard let first = words.first, !first.isEmpty else {
      throw ChildProcessError(.badCommand, program: command)
    }
    return words
  }

  /// A word as a shell, and ``split(_:)``, takes it for one.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || "0123456789/._-+:".unicodeScalars.contains($0))
      }
    guard !isPlain else { return word }
    var quoted = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
