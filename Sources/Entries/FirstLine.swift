/// The line in which the first text of a body stands: it stands for a text without a title.
package enum FirstLine {
  /// What a wide terminal shows in a line; in bytes, too, because one character can be any number of combining marks.
  private static let (characterLimit, byteLimit) = (110, 240)

  /// The beginning of the line, without taking the rest of the body apart; nil for white space.
  package static func of(_ body: String) -> String? {
    guard let start = body.firstIndex(where: { !$0.isWhitespace }) else { return nil }
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in body[start...].prefix(characterLimit).prefix(while: { !$0.isNewline })
      .unicodeScalars
    {
      bytes += UTF8.width(scalar)
      if bytes > byteLimit { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// Whether the beginning of a line is as long as any: then the line goes on, or ends there by chance.
  package static func isFull(_ beginning: String) -> Bool {
    // A scalar that did not fit has at most four bytes.
    beginning.count >= characterLimit || beginning.utf8.count > byteLimit - 4
  }
}
