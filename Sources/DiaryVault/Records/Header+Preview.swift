internal import Entries

extension Header {
  /// Takes over what a list shows of a body without opening it.
  mutating func describe(_ body: String) {
    bodySize = body.utf8.count
    words = Self.words(in: body)
    preview = title == nil ? FirstLine.of(body) : nil
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
