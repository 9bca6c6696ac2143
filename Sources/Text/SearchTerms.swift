/// How the search index takes a folded text apart.
///
/// - A *word* is a run of letters, marks and digits below U+2E80, in UTF-8.
/// - From U+2E80 on, where scripts have no spaces between words, each two scalars in a row are a term (*bigram*), and a
///   scalar that stands alone is one.
/// - Every other scalar but the space is a term of its own.
///
/// What stands in a text in one piece therefore stands in its terms: a part of a word inside a word, of a run of bigrams in
/// each of its bigrams.
package enum SearchTerms {
  /// Changes whenever the terms of a text can change; shards of another version are not read.
  package static let version: UInt8 = 1

  enum Class: UInt8 { case space, word, dense, symbol }

  /// The class of every scalar below U+2E80.
  private static let classes: [Class] = (0..<0x2e80).map { value in
    guard let scalar = Unicode.Scalar(UInt32(value)) else { return .symbol }
    if value == 0x20 { return .space }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return .word
    default: return .symbol
    }
  }

  static func kind(_ scalar: UInt32) -> Class {
    if scalar < 0x2e80 { return classes[Int(scalar)] }
    // CJK punctuation but for 々〆〇, which are read as characters.
    if (0x3000...0x303f).contains(scalar), !(0x3005...0x3007).contains(scalar) { return .symbol }
    return .dense
  }

  /// A run of scalars of one class: where it stands in the text.
  struct Run {
    let kind: Class
    let range: Range<Int>
  }

  /// Calls `body` with each run of a folded text; a symbol is a run of its own, spaces are none.
  @inline(__always)
  static func eachRun(of text: [UInt8], _ body: (Run) -> Void) {
    var start = 0
    var kind = Class.space
    var index = 0
    let count = text.count
    while index < count {
      let byte = text[index]
      var width = 1
      let next: Class
      if byte < 0x80 {
        next = classes[Int(byte)]
      } else {
        let scalar: UInt32
        (scalar, width) = decode(text, index)
        next = Self.kind(scalar)
      }
      if next != kind || next == .symbol {
        if kind != .space { body(Run(kind: kind, range: start..<index)) }
        start = index
        kind = next
      }
      index += width
    }
    if kind != .space { body(Run(kind: kind, range: start..<count)) }
  }

  /// The scalar that begins at `index` of valid UTF-8, and its length.
  @inline(__always)
  static func decode<Bytes: RandomAccessCollection>(
    _ text: Bytes, _ index: Int
  ) -> (value: UInt32, width: Int) where Bytes.Element == UInt8, Bytes.Index == Int {
    let first = UInt32(text[index])
    func more(_ offset: Int) -> UInt32 {
      index + offset < text.count ? UInt32(text[index + offset] & 0x3f) : 0
    }
    if first < 0x80 { return (first, 1) }
    if first < 0xe0 { return ((first & 0x1f) << 6 | more(1), min(2, text.count - index)) }
    if first < 0xf0 {
      return ((first & 0x0f) << 12 | more(1) << 6 | more(2), min(3, text.count - index))
    }
    return (
      (first & 0x07) << 18 | more(1) << 12 | more(2) << 6 | more(3), min(4, text.count - index)
    )
  }

  /// Calls `body` with where each term of a folded text stands.
  @inline(__always)
  package static func each(of text: [UInt8], _ body: (Range<Int>) -> Void) {
    eachRun(of: text) { run in
      guard run.kind == .dense else { return body(run.range) }
      bigrams(text, run.range, body)
    }
  }

  private static func bigrams(_ text: [UInt8], _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var before: Int?
    var index = range.lowerBound
    while index < range.upperBound {
      let next = index + decode(text, index).1
      if let before { body(before..<next) }
      before = index
      index = next
    }
    // One that stands alone.
    if range.upperBound == range.lowerBound + decode(text, range.lowerBound).1 { body(range) }
  }

  /// What the terms of an entry that holds `folded` are, in their order, in a dictionary whose terms stand between
  /// newlines: each needle stands in a term.
  ///
  /// - Returns: the needles, and whether an entry that has them holds the text for certain.
  package static func needles(of folded: [UInt8]) -> (needles: [[UInt8]], isExact: Bool) {
    var needles: [[UInt8]] = []
    eachRun(of: folded) { run in
      let text = Array(folded[run.range])
      // At the text's own ends a word, or a run without spaces, may go on.
      let begin: [UInt8] = run.range.lowerBound == 0 ? [] : [0x0a]
      let end: [UInt8] = run.range.upperBound == folded.count ? [] : [0x0a]
      switch run.kind {
      case .word: needles.append(begin + text + end)
      case .symbol: needles.append([0x0a] + text + [0x0a])
      case .dense:
        if decode(text, 0).1 == text.count { return needles.append(begin + text + end) }
        bigrams(folded, run.range) { needles.append([0x0a] + folded[$0] + [0x0a]) }
      case .space: break
      }
    }
    return (needles, needles.count == 1)
  }
}
