/// A text of paragraphs and rows, laid out for so many columns.
///
/// Lines without an indent that follow one another are a paragraph. An indented line with a gap of two spaces or more is a row of two
/// columns, and lines below that begin at its second column go on in it. Of several gaps, the widest parts the columns. Other indented
/// lines stay apart. What fits is returned as it is.
package func wrapped(_ text: String, to columns: Int) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  guard columns >= 20 else { return text }
  var result: [String] = []
  var block: TextBlock?
  func flush() {
    result += block?.lines(columns) ?? []
    block = nil
  }
  for line in lines {
    let indent = line.prefix { $0 == " " }.count
    let rest = String(line.dropFirst(indent))
    if rest.isEmpty {
      flush()
      result.append("")
    } else if block?.goesOn == indent {
      block?.add(line, rest)
    } else {
      flush()
      block = TextBlock(line, indent, rest)
    }
  }
  flush()
  return result.joined(separator: "\n")
}

/// The same for a message, in which commands stay on one line.
///
/// - Parameter program: what commands begin with. One ends at a sign, at a word that joins it to what follows, and before a word in
///   another script.
package func wrapped(_ text: String, to columns: Int, keeping program: String) -> String {
  /// Stands for a space that ends no line.
  let joint: Character = "\u{F8FF}"
  let joining: Set = [
    "or", "and", "then", "to", "asks", "shows", "says", "prints", "on", "in", "with", "while",
    "again",
  ]
  var result = ""
  var (isFirst, isCommand) = (true, false)
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    let goesOn =
      isCommand && word.first?.isASCII ?? false && !word.hasPrefix("(")
      && !joining.contains("\(word)")
    if !isFirst { result.append(goesOn ? joint : " ") }
    isFirst = false
    result += word
    let isEnd = word.last.map { ",;:)、。".contains($0) } ?? true
    isCommand = (goesOn || word.hasSuffix(program)) && !isEnd
  }
  return wrapped(result, to: columns).replacing(String(joint), with: " ")
}

/// A paragraph, or a row of two columns.
private struct TextBlock {
  /// What stands before the text: a row's first column.
  private let lead: String
  private let indent: Int
  /// Where the text begins on each line.
  private let hanging: Int
  /// The indent of lines that belong to it; nil for none.
  let goesOn: Int?
  private var rest: String
  private var given: [String]

  /// The fewest columns that are worth a column of their own.
  private static let least = 24

  init(_ whole: String, _ indent: Int, _ line: String) {
    self.indent = indent
    given = [whole]
    let margin = String(repeating: " ", count: indent)
    let gaps = line.ranges(of: /\ {2,}/).map { (range: $0, width: line[$0].count) }
    guard indent > 0, let gap = gaps.max(by: { $0.width < $1.width })?.range else {
      lead = margin
      hanging = indent == 0 ? 0 : indent + 2
      goesOn = indent == 0 ? 0 : nil
      rest = line
      return
    }
    lead = margin + line[..<gap.upperBound]
    hanging = width(lead)
    goesOn = hanging
    rest = String(line[gap.upperBound...])
  }

  mutating func add(_ line: String, _ rest: String) {
    given.append(line)
    self.rest += "\n" + rest
  }

  func lines(_ columns: Int) -> [String] {
    if given.allSatisfy({ width($0) <= columns }) { return given }
    // Text in a far column of a narrow terminal goes below.
    guard columns - hanging >= Self.least || indent <= (goesOn == nil ? 6 : 0) else {
      let near = min(indent, 2) + 4
      let margin = String(repeating: " ", count: near)
      let above = lead.trimmedEnd
      return (above.isEmpty ? [] : [above]) + filled(columns, first: margin, then: near)
    }
    return filled(columns, first: lead, then: hanging)
  }

  private func filled(_ columns: Int, first: String, then hanging: Int) -> [String] {
    var lines: [String] = []
    var line = first
    var used = width(first)
    var isEmpty = true
    for piece in Self.pieces(of: rest) {
      let space = isEmpty || !piece.isSpaced ? 0 : 1
      if !isEmpty, used + space + width(piece.text) > columns {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
        used = hanging
      } else if space > 0 {
        line += " "
        used += 1
      }
      line += piece.text
      used += width(piece.text)
      isEmpty = false
    }
    lines.append(line)
    return lines
  }

  /// Signs that begin no line, and that end none.
  private static let closing = Set("、。，．・：；？！）」』】〉》ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…")
  private static let opening = Set("（「『【〈《")

  /// Words; between characters without spaces, each by itself with the signs that belong to it.
  private static func pieces(of text: String) -> [(text: String, isSpaced: Bool)] {
    var pieces: [(text: String, isSpaced: Bool)] = []
    var (isSpaced, isNewLine) = (false, false)
    var before: Character?
    for character in text {
      if character == "\n" {
        isNewLine = true
        continue
      }
      if isNewLine, let before {
        // Lines of Japanese are joined without a space, except beside other words.
        let isWord = !isDense(character) && (character.isLetter || character.isNumber)
        isSpaced =
          isSpaced || !isDense(before)
          || isWord && !closing.contains(before) && !opening.contains(before)
        isNewLine = false
      }
      if character == " " {
        isSpaced = true
        continue
      }
      let isJoined =
        !isSpaced
        && (before.map { opening.contains($0) || !isDense($0) && !isDense(character) } ?? false
          || closing.contains(character))
      if isJoined, !pieces.isEmpty {
        pieces[pieces.count - 1].text.append(character)
      } else {
        pieces.append((String(character), isSpaced))
      }
      (isSpaced, before) = (false, character)
    }
    return pieces
  }

  private static func isDense(_ character: Character) -> Bool { width(character) == 2 }
}
