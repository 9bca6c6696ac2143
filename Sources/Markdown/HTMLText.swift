/// Text in HTML.
package enum HTMLText {
  private static let plain: [Bool] = (0...255).map { (byte: UInt8) -> Bool in
    switch byte {
    case 0x09, 0x0a, 0x0d: return true
    // These begin what is looked at below.
    case 0xc2, 0xd8, 0xe2: return false
    case 0x20..<0x7f: return !"&<>\"'".utf8.contains(byte)
    default: return byte >= 0x80
    }
  }

  package static func escape(_ text: String, onto bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      var place = 0
      while place < utf8.count {
        guard unsafe !plain[Int(utf8[place])] else {
          place += 1
          continue
        }
        let (length, replacement) = unsafe replaced(utf8, place)
        if let replacement {
          unsafe bytes.append(contentsOf: utf8[start..<place])
          bytes += Array(replacement.utf8)
          start = place + length
        }
        place += length
      }
      unsafe bytes.append(contentsOf: utf8[start..<utf8.count])
    }
  }

  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    escape(text, onto: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func replaced(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> (length: Int, String?) {
    let first = unsafe text[place]
    switch first {
    case UInt8(ascii: "&"): return (1, "&amp;")
    case UInt8(ascii: "<"): return (1, "&lt;")
    case UInt8(ascii: ">"): return (1, "&gt;")
    case UInt8(ascii: "\""): return (1, "&quot;")
    case UInt8(ascii: "'"): return (1, "&#39;")
    case 0x7f: return (1, "&#x7f;")
    // No character of HTML: XML 1.0 and browsers both refuse them.
    case 0..<0x20: return (1, "\u{fffd}")
    default:
      let length = first < 0xe0 ? 2 : 3
      guard place + length <= text.count,
        let scalar = unsafe String(decoding: text[place..<(place + length)], as: UTF8.self)
          .unicodeScalars.first, isCommanding(scalar)
      else { return (length, nil) }
      return (length, "&#x" + String(scalar.value, radix: 16) + ";")
    }
  }

  /// Characters that act on a terminal or change the direction of text, in case the page is shown in one.
  private static func isCommanding(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x206f: true
    default: false
    }
  }

  /// Whether a link may have this target: the web or mail, never a scheme that runs something.
  package static func isSafe(_ target: String) -> Bool {
    let start = target.prefix(8).lowercased()
    return ["http://", "https://", "mailto:"].contains { start.hasPrefix($0) }
  }
}
