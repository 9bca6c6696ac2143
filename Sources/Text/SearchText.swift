/// Text as search sees it: case, width, accents and hiragana/katakana made one.
///
/// NFKD, then: upper and lower case as full case folding does (ß = ss, İ = i), accents dropped from
/// letters that have them as accents, katakana as hiragana, white space as single spaces; then NFC,
/// so that what a script counts as a letter of its own (が, й, a Hangul syllable) is one again and its
/// base alone does not find it.
package enum SearchText {
  /// Changes whenever the result can change; the search index carries it.
  package static let version: UInt8 = 3

  /// The folded text as UTF-8.
  package static func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { unsafe fold($0) }
  }

  /// A part of a text, folded.
  package static func fold(_ text: Substring) -> [UInt8] {
    var text = text
    return text.withUTF8 { unsafe fold($0) }
  }

  /// Most text is of scalars that fold alone, whatever stands beside them; the others, each with the one before it, are
  /// normalised, which is slower.
  private static func fold(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    var state = (base: Unicode.Scalar(" "), afterSpace: true)
    var index = 0
    var next = unsafe scalar(text, 0)
    while index < text.count {
      let now = next
      next = unsafe scalar(text, index + now.width)
      if now.isSimple, next.isSimple {
        append(now.value, &state, to: &folded)
        index += now.width
        continue
      }
      let start = index
      index += now.width
      while index < text.count {
        let after = unsafe scalar(text, index + next.width)
        if next.isSimple, after.isSimple { break }
        index += next.width
        next = after
      }
      let piece = unsafe String(decoding: text[start..<index], as: UTF8.self)
      foldPieces(of: piece, &state, into: &folded)
    }
    if folded.last == 0x20 { folded.removeLast() }
    return folded
  }

  /// The scalar at a place of valid UTF-8; the end counts as a simple one.
  @inline(__always)
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (value: UInt32, width: Int, isSimple: Bool) {
    guard index < text.count else { return (0, 1, true) }
    let (value, width) = unsafe SearchTerms.decode(text, index)
    return (value, width, value < 0x80 || (value < 0x10000 && simple[Int(value)] != 0))
  }

  @inline(__always)
  private static func append(
    _ value: UInt32, _ state: inout (base: Unicode.Scalar, afterSpace: Bool),
    to folded: inout [UInt8]
  ) {
    if value < 0x80 {
      let byte = UInt8(value)
      if byte == 0x20 || (0x09...0x0d).contains(byte) {
        if !state.afterSpace { folded.append(0x20) }
        state.afterSpace = true
      } else {
        folded.append((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)
        state.afterSpace = false
      }
      return
    }
    let one = UInt32(simple[Int(value)])
    state.afterSpace = false
    if one < 0x80 {
      folded.append(UInt8(one))
    } else if one < 0x800 {
      folded.append(UInt8(0xc0 | one >> 6))
      folded.append(UInt8(0x80 | one & 0x3f))
    } else {
      folded.append(UInt8(0xe0 | one >> 12))
      folded.append(UInt8(0x80 | one >> 6 & 0x3f))
      folded.append(UInt8(0x80 | one & 0x3f))
    }
  }

  /// What each scalar of the first plane folds to when it is one that folds alone to one scalar; else 0. ASCII is none of
  /// these: it has a way of its own.
  private static let simple: [UInt16] = {
    var table = [UInt16](repeating: 0, count: 0x10000)
    // Punctuation, Latin letters, kana but the marks, Chinese characters, full-width forms of ASCII.
    let ranges: [ClosedRange<UInt32>] = [
      0xa1...0x24f, 0x370...0x3ff, 0x410...0x44f, 0x1e00...0x1eff, 0x2010...0x2027, 0x2030...0x205e,
      0x2190...0x21ff, 0x2500...0x25ff, 0x3001...0x3029, 0x3041...0x3096, 0x309d...0x309e,
      0x30a1...0x30f6, 0x30fb...0x30fe, 0xff01...0xff5e,
    ]
    for value in ranges.joined() {
      guard let scalar = Unicode.Scalar(value), !scalar.properties.isWhitespace else { continue }
      var state = (base: Unicode.Scalar(" "), afterSpace: true)
      var folded: [UInt8] = []
      foldPiece([scalar], &state, into: &folded)
      let scalars = Array(String(decoding: folded, as: UTF8.self).unicodeScalars)
      guard scalars.count == 1, scalars[0].value < 0x10000, !state.afterSpace,
        scalars[0].properties.canonicalCombiningClass == .notReordered
      else { continue }
      table[Int(value)] = UInt16(scalars[0].value)
    }
    // No Chinese character of these blocks decomposes.
    for value in [0x3400...0x4dbf, 0x4e00...0x9fff].joined() { table[value] = UInt16(value) }
    return table
  }()

  /// The same by normalisation alone: the result that the quick way must have.
  static func foldSlowly(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    var state = (base: Unicode.Scalar(" "), afterSpace: true)
    foldPieces(of: text, &state, into: &folded)
    if folded.last == 0x20 { folded.removeLast() }
    return folded
  }

  /// In pieces, cut where nothing composes across: one scalar may become eighteen, and a text has sixteen million bytes.
  private static func foldPieces(
    of text: String, _ state: inout (base: Unicode.Scalar, afterSpace: Bool),
    into folded: inout [UInt8]
  ) {
    var piece: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if piece.count >= 128, isCut(before: scalar) || piece.count >= 2048 {
        foldPiece(piece, &state, into: &folded)
        piece.removeAll(keepingCapacity: true)
      }
      piece.append(scalar)
    }
    foldPiece(piece, &state, into: &folded)
  }

  /// Whether no character before this one composes with it: Latin letters, CJK, kana, whole syllables.
  private static func isCut(before scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300, 0x2e80...0x3098, 0x309b...0xa4cf, 0xac00...0xd7a3, 0x1f000...0x1f9ff: true
    default: false
    }
  }

  private static func foldPiece(
    _ text: [Unicode.Scalar], _ state: inout (base: Unicode.Scalar, afterSpace: Bool),
    into folded: inout [UInt8]
  ) {
    var scalars: [Unicode.Scalar] = []
    for scalar in Normalization.nfkd(text) {
      if isSpace(scalar) {
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
      case 0x1e9e: scalars += ["s", "s"]
      case 0x41...0x5a: scalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
      case ..<0x80: scalars.append(scalar)
      case _ where isOfScriptWithoutCase(scalar): scalars.append(scalar)
      default:
        // Upper, then lower: the stdlib has no case folding, and this is what it comes to.
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
          scalars += upper.properties.lowercaseMapping.unicodeScalars
        }
      }
    }
    for scalar in Normalization.nfc(scalars) {
      folded.append(contentsOf: UTF8.encode(scalar)!)
    }
  }

  /// White space; the standard library takes ten times as long to say so.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
      0x3000:
      true
    default: false
    }
  }

  /// Hebrew to Burmese, the scripts of East Asia, Hangul, Arabic's forms: letters that have no upper and lower case.
  static func isOfScriptWithoutCase(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x109f, 0x2e80...0xa63f, 0xac00...0xd7a3, 0xfb1d...0xfeff: true
    default: false
    }
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
