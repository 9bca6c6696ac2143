internal import Dates
internal import Words

/// The text of an entry as a file has it.
package enum StoredText {
  /// Byte for byte, less one trailing newline.
  package static func of(_ text: String) -> String {
    text.utf8.last == 0x0a ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
  }

  /// A text without the byte order mark that some programs put before it.
  package static func unmarked(_ text: String) -> String {
    text.unicodeScalars.first == "\u{feff}"
      ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
  }

  /// UTF-8, and UTF-16 that says so by its first bytes, without a byte order mark. Bytes that are neither are read as Latin-1, each
  /// by itself, so that none is lost and the text around them stays as it is.
  package static func decoding(_ bytes: [UInt8]) -> (text: String, isUnicode: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (unmarked(text), true) }
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    if isLittle || bytes.starts(with: [0xfe, 0xff]), bytes.count.isMultiple(of: 2) {
      let units = stride(from: 2, to: bytes.count, by: 2).map { place in
        let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        return isLittle ? other << 8 | one : one << 8 | other
      }
      if let text = String(validating: units, as: UTF16.self) { return (text, true) }
    }
    return (repairing(bytes), false)
  }

  private static func repairing(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        scalars.append(Unicode.UTF8.decode(encoded))
        place += encoded.count
      case .error(let length):
        scalars.append(
          contentsOf: bytes[place..<place + length].lazy.map { Unicode.Scalar($0) })
        place += length
      case .emptyInput: return String(scalars)
      }
    }
  }
}
