internal import Dates
internal import Words

/// The text of an entry as a file has it.
package enum StoredText {
  /// Byte for byte, less one trailing newline.
  package static func of(_ text: String) -> String {
    text.utf8.last == 0x0a ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
  }

  /// UTF-8 as it is, and everything else as Latin-1, which loses no byte.
  package static func decoding(_ bytes: [UInt8]) -> (text: String, isUTF8: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return (String(scalars), false)
  }
}
