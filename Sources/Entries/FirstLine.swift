/// The line in which the first text of a body stands: it stands for a text without a title.
package enum FirstLine {
  /// What a wide terminal shows in a line; in bytes, too, because one character can be any number of combining marks.
  private static let (characterLimit, byteLimit) = (110, 240)

  /// The beginning of the line, without taking the rest of the body apart; nil for white space.
  package static func of(_ body: String) -> String? {
    var body = body
    if let line = body.withUTF8({ unsafe ascii($0) }) { return line.isEmpty ? nil : line }
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

  /// The same of a line of ASCII, in which every byte is a character; nil of any other, and empty for white space.
  private static func ascii(_ body: UnsafeBufferPointer<UInt8>) -> String? {
    let start = unsafe body.firstIndex { $0 != 0x20 && !(0x09...0x0d).contains($0) } ?? body.count
    var end = start
    while end < body.count, end - start < characterLimit, unsafe !(0x0a...0x0d).contains(body[end])
    {
      guard unsafe body[end] < 0x80 else { return nil }
      end += 1
    }
    // What follows the last one may belong to it.
    guard unsafe end == body.count || body[end] < 0x80 else { return nil }
    return unsafe String(decoding: body[start..<end], as: UTF8.self)
  }

  /// Whether the beginning of a line is as long as any: then the line goes on, or ends there by chance.
  package static func isFull(_ beginning: String) -> Bool {
    // A scalar that did not fit has at most four bytes.
    beginning.count >= characterLimit || beginning.utf8.count > byteLimit - 4
  }
}
