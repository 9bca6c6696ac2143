internal import Foundation

/// Text as search sees it: case, width, accents and hiragana/katakana made one.
///
/// NFKD, then: upper and lower case as full case folding does (ß = ss, İ = i), accents dropped from
/// letters that have them as accents, katakana as hiragana, white space as single spaces; then NFC,
/// so that what a script counts as a letter of its own (が, й, a Hangul syllable) is one again and its
/// base alone does not find it.
package enum SearchText {
  /// Changes whenever the result can change; the search index carries it.
  package static let version: UInt8 = 2

  /// The texts of an entry that are searched, folded.
  static func texts(title: String?, tags: [String], body: String) -> [[UInt8]] {
    ([title].compactMap { $0 } + tags + [body]).map(fold)
  }

  /// The folded text as UTF-8.
  package static func fold(_ text: String) -> [UInt8] {
    var text = text
    if let ascii = text.withUTF8({ unsafe foldASCII($0) }) { return ascii }
    return foldUnicode(text)
  }

  /// nil when there is anything but ASCII. Most text of many diaries is, and this is 50 times faster.
  private static func foldASCII(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    var afterSpace = true
    for index in text.indices {
      let byte = unsafe text[index]
      if byte >= 0x80 { return nil }
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        if !afterSpace { folded.append(0x20) }
        afterSpace = true
      } else {
        folded.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
        afterSpace = false
      }
    }
    if folded.last == 0x20 { folded.removeLast() }
    return folded
  }

  /// Foundation's normalisation takes time with the square of the length, so text goes through it in
  /// pieces, cut where nothing composes across.
  private static func foldUnicode(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    var state = (base: Unicode.Scalar(" "), afterSpace: true)
    var piece = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= 128, isCut(before: scalar) || count >= 2048 {
        foldPiece(String(piece), &state, into: &folded)
        piece = String.UnicodeScalarView()
        count = 0
      }
      piece.append(scalar)
      count += 1
    }
    foldPiece(String(piece), &state, into: &folded)
    if folded.last == 0x20 { folded.removeLast() }
    return folded
  }

  /// Whether no character before this one composes with it: Latin letters, CJK, kana, whole syllables.
  private static func isCut(before scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300, 0x2e80...0x3098, 0x309b...0xa4cf, 0xac00...0xd7a3, 0x1f000...0x1f9ff: true
    default: false
    }
  }

  private static func foldPiece(
    _ text: String, _ state: inout (base: Unicode.Scalar, afterSpace: Bool),
    into folded: inout [UInt8]
  ) {
    var scalars = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if scalar.properties.isWhitespace {
        if !state.afterSpace { scalars.append(" ") }
        state.afterSpace = true
        continue
      }
      if isIgnored(scalar) { continue }
      if scalar.properties.canonicalCombiningClass != .notReordered {
        if isAccent(scalar, on: state.base) { continue }
        scalars.append(scalar)
        continue
      }
      state.afterSpace = false
      state.base = scalar
      switch scalar.value {
      case 0x30a1...0x30f6, 0x30fd...0x30fe:
        scalars.append(Unicode.Scalar(scalar.value - 0x60)!)
      // The capital ß, which has no upper case of its own to become ss by.
      case 0x1e9e: scalars.append(contentsOf: "ss".unicodeScalars)
      case ..<0x80: scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      default:
        // Upper, then lower: the stdlib has no case folding, and this is what it comes to.
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
          scalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    folded += Array(String(scalars).precomposedStringWithCanonicalMapping.utf8)
  }

  /// Variation selectors, soft hyphen, zero-width space, byte order mark.
  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xfe00...0xfe0f, 0xad, 0x200b, 0xfeff: true
    default: false
    }
  }

  private static func isAccent(_ mark: Unicode.Scalar, on base: Unicode.Scalar) -> Bool {
    let marks = mark.properties.canonicalCombiningClass.rawValue
    switch base.value {
    case 0x0400...0x052f:
      // й, ў, ї, ѓ, ќ are letters; ё is е with dots, and stress marks are stress marks.
      if mark.value == 0x0306 { return false }
      if mark.value == 0x0308 { return base.value == 0x0415 || base.value == 0x0435 }
      if mark.value == 0x0301 { return ![0x413, 0x433, 0x41a, 0x43a].contains(base.value) }
      return marks >= 200
    default:
      // 7 nukta, 8 kana voicing, 9 virama, 103–132 Thai, Lao and Tibetan vowels and tones are letters.
      return marks >= 200 || (10...35).contains(marks)
    }
  }
}
