/// The records of a CSV text (RFC 4180): fields may be quoted, and a quoted field may hold line ends.
struct CSVRows: Sequence, IteratorProtocol {
  struct Row {
    /// The line it begins at, from 1.
    let line: Int
    let fields: [String]
  }

  private var characters: Substring.Iterator
  private var line = 1
  private var isOver = false

  init(_ text: some StringProtocol) { characters = Substring(text).makeIterator() }

  /// The next record; a line with nothing in it is passed over.
  mutating func next() -> Row? {
    while !isOver {
      let row = record()
      if row.fields != [""] { return row }
    }
    return nil
  }

  private mutating func record() -> Row {
    let first = line
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    // A quote inside a quoted field that may be the first of two, or its end.
    var isAtQuote = false
    while let character = characters.next() {
      if character.isNewline { line += 1 }
      if isAtQuote {
        isAtQuote = false
        if character == "\"" {
          field.append("\"")
          continue
        }
        isQuoted = false
      }
      if isQuoted {
        if character == "\"" { isAtQuote = true } else { field.append(character) }
      } else if character == "\"" {
        isQuoted = true
      } else if character == "," {
        fields.append(field)
        field = ""
      } else if character.isNewline {
        return Row(line: first, fields: fields + [field])
      } else {
        field.append(character)
      }
    }
    isOver = true
    return Row(line: first, fields: fields + [field])
  }
}
