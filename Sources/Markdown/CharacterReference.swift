/// `&amp;`, `&#233;`, `&#xe9;`: characters by name or number, in Markdown and HTML.
package enum CharacterReference {
  private static let names = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}", "copy": "©",
    "reg": "®", "trade": "™", "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘",
    "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•",
    "middot": "·", "deg": "°", "times": "×", "divide": "÷", "plusmn": "±", "frac12": "½",
    "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "para": "¶", "rarr": "→",
    "larr": "←", "hearts": "♥", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
    "shy": "\u{ad}", "zwnj": "\u{200c}", "zwj": "\u{200d}", "auml": "ä", "ouml": "ö",
    "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "agrave": "à",
    "aacute": "á", "acirc": "â", "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê",
    "euml": "ë", "iacute": "í", "icirc": "î", "iuml": "ï", "ntilde": "ñ", "oacute": "ó",
    "ocirc": "ô", "oslash": "ø", "aring": "å", "aelig": "æ", "uacute": "ú", "ugrave": "ù",
  ]
  /// Most bytes between `&` and `;`.
  package static let longest = 31

  /// - Parameter name: what stands between `&` and `;`.
  /// - Returns: nil for an unknown name.
  package static func text(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.map {
      String(Unicode.Scalar($0).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{fffd}")
    }
  }
}
