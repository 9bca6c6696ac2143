internal import Dates
internal import Words

/// The text of an entry as a file has it.
package enum StoredText {
  /// Byte for byte, less one trailing newline.
  package static func of(_ text: String) -> String {
    text.utf8.last == 0x0a ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
  }
}
