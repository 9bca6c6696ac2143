extension Header {
  /// Takes over what a list shows of a body without opening it.
  mutating func describe(_ body: String) {
    bodySize = body.utf8.count
    words = Self.words(in: body)
    preview = nil
    guard title == nil else { return }
    // The line the first text stands in, without taking the rest apart.
    if let start = body.firstIndex(where: { !$0.isWhitespace }) {
      preview = Self.beginning(of: body[start...].prefix(110).prefix { !$0.isNewline })
    }
  }

  /// At most 110 characters and 240 bytes, what a wide terminal shows in a line: one character can be any number of combining marks.
  private static func beginning(of line: Substring) -> String {
    var result = String.UnicodeScalarView()
    var bytes = 0
    for scalar in line.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > 240 { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// Runs of anything but white space; characters of scripts that put no spaces count one each.
  private static func words(in text: String) -> Int {
    var text = text
    if let ascii = text.withUTF8({ unsafe asciiWords($0) }) { return ascii }
    return unicodeWords(in: text)
  }

  /// nil when there is anything but ASCII.
  private static func asciiWords(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var count = 0
    var inWord = false
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte >= 0x80 { return nil }
      let isWord = byte != 0x20 && !(0x09...0x0d).contains(byte)
      if isWord, !inWord { count += 1 }
      inWord = isWord
    }
    return count
  }

  private static func unicodeWords(in text: String) -> Int {
    var count = 0
    var inWord = false
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value == 0x20 || (0x09...0x0d).contains(value)
        || (value >= 0x80 && scalar.properties.isWhitespace)
      {
        inWord = false
      } else if (0x3040...0x30ff).contains(value) || (0x3400...0x9fff).contains(value) {
        count += 1
        inWord = false
      } else if !inWord {
        count += 1
        inWord = true
      }
    }
    return count
  }
}
