internal import CUnicode

/// Unicode normalisation (UAX #15) by the tables of Unicode 16.0.
///
/// It works in memory that the caller gives, so that a passphrase need not leave secret memory for it.
package enum Normalization {
  package enum Form: Sendable {
    /// Canonical composition: what a keyboard types, whichever keyboard it is.
    case nfc
    /// Compatibility decomposition: `ﬁ` is `fi`, full-width letters are letters.
    case nfkd
  }

  /// The longest canonical decomposition of one scalar, in scalars.
  package static let longestCanonicalDecomposition = 4

  // Arrays: views of strings take ten times as long to make and to read.
  package static func nfc(_ text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    scalars(text, .nfc)
  }

  package static func nfkd(_ text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    scalars(text, .nfkd)
  }

  private static func scalars(
    _ text: some Sequence<Unicode.Scalar>, _ form: Form
  ) -> [Unicode.Scalar] {
    var scalars: [UInt32] = []
    for scalar in text { decompose(scalar.value, form) { scalars.append($0) } }
    let count = unsafe scalars.withUnsafeMutableBufferPointer { buffer in
      unsafe reorder(buffer)
      return unsafe form == .nfc ? compose(buffer) : buffer.count
    }
    // What is made of scalars is scalars.
    return scalars[..<count].map { Unicode.Scalar($0) ?? "\u{fffd}" }
  }

  /// Composes text in place.
  ///
  /// - Parameters:
  ///   - buffer: scalars; room for ``longestCanonicalDecomposition`` times as many.
  ///   - count: how many there are.
  /// - Returns: how many there are then.
  package static func nfc(
    _ buffer: UnsafeMutableBufferPointer<UInt32>, count: Int
  ) -> Int {
    // From the end, so that what is decomposed never overtakes what is still to be read.
    var end = buffer.count
    for index in stride(from: count - 1, through: 0, by: -1) {
      var length = 0
      decompose(unsafe buffer[index], .nfc) { _ in length += 1 }
      end -= length
      var place = end
      decompose(unsafe buffer[index], .nfc) { scalar in
        unsafe buffer[place] = scalar
        place += 1
      }
    }
    let total = buffer.count - end
    for index in 0..<total { unsafe buffer[index] = buffer[end + index] }
    let text = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<total])
    unsafe reorder(text)
    return unsafe compose(text)
  }

  // MARK: The three steps

  private static let hangul = (base: UInt32(0xac00), count: UInt32(11_172))
  private static let (leads, vowels, tails) = (UInt32(0x1100), UInt32(0x1161), UInt32(0x11a7))

  private static func decompose(_ scalar: UInt32, _ form: Form, _ put: (UInt32) -> Void) {
    // Nothing below decomposes.
    if scalar < 0xa0 { return put(scalar) }
    let syllable = scalar &- hangul.base
    if syllable < hangul.count {
      put(leads + syllable / 588)
      put(vowels + syllable % 588 / 28)
      if syllable % 28 != 0 { put(tails + syllable % 28) }
      return
    }
    let found = unicode_find_mapping(scalar)
    guard found >= 0 else { return put(scalar) }
    let mapping = unicode_mapping_at(found)
    guard mapping.is_compatible == 0 || form == .nfkd else { return put(scalar) }
    for index in 0..<Int(mapping.count) {
      decompose(unicode_target(Int(mapping.start) + index), form, put)
    }
  }

  /// Puts combining marks in their canonical order.
  private static func reorder(_ text: UnsafeMutableBufferPointer<UInt32>) {
    var start = 0
    while start < text.count {
      guard unsafe combiningClass(text[start]) != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while unsafe end < text.count && combiningClass(text[end]) != 0 { end += 1 }
      unsafe sort(text, start..<end)
      start = end
    }
  }

  /// Stable, and never quadratic: somebody may stack a million marks. By class, one pass each for those there are.
  private static func sort(_ text: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>) {
    guard range.count > 1 else { return }
    if range.count <= 16 {
      for index in range.dropFirst() {
        let scalar = unsafe text[index]
        let rank = combiningClass(scalar)
        var place = index
        while unsafe place > range.lowerBound && combiningClass(text[place - 1]) > rank {
          unsafe text[place] = text[place - 1]
          place -= 1
        }
        unsafe text[place] = scalar
      }
      return
    }
    unsafe merge(text, range)
  }

  /// Rotations in place, so that nothing is copied elsewhere: n log² n.
  private static func merge(_ text: UnsafeMutableBufferPointer<UInt32>, _ range: Range<Int>) {
    guard range.count > 1 else { return }
    let middle = range.lowerBound + range.count / 2
    unsafe merge(text, range.lowerBound..<middle)
    unsafe merge(text, middle..<range.upperBound)
    unsafe join(text, range.lowerBound, middle, range.upperBound)
  }

  /// Joins two sorted halves.
  private static func join(
    _ text: UnsafeMutableBufferPointer<UInt32>, _ low: Int, _ middle: Int, _ high: Int
  ) {
    guard low < middle, middle < high,
      unsafe combiningClass(text[middle - 1]) > combiningClass(text[middle])
    else { return }
    if high - low == 2 {
      unsafe text.swapAt(low, middle)
      return
    }
    let (first, second): (Int, Int)
    if middle - low > high - middle {
      first = low + (middle - low) / 2
      let rank = unsafe combiningClass(text[first])
      second = unsafe bound(text, middle, high) { $0 < rank }
    } else {
      second = middle + (high - middle) / 2
      let rank = unsafe combiningClass(text[second])
      first = unsafe bound(text, low, middle) { $0 <= rank }
    }
    unsafe reverse(text, first, middle)
    unsafe reverse(text, middle, second)
    unsafe reverse(text, first, second)
    let seam = first + second - middle
    unsafe join(text, low, first, seam)
    unsafe join(text, seam, second, high)
  }

  /// The first place whose class does not hold.
  private static func bound(
    _ text: UnsafeMutableBufferPointer<UInt32>, _ low: Int, _ high: Int,
    _ holds: (UInt8) -> Bool
  ) -> Int {
    var (low, high) = (low, high)
    while low < high {
      let middle = (low + high) / 2
      if unsafe holds(combiningClass(text[middle])) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func reverse(
    _ text: UnsafeMutableBufferPointer<UInt32>, _ low: Int, _ high: Int
  ) {
    var (low, high) = (low, high - 1)
    while low < high {
      unsafe text.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Composes what was decomposed and put in order.
  ///
  /// - Returns: how many scalars are left.
  private static func compose(_ text: UnsafeMutableBufferPointer<UInt32>) -> Int {
    var count = 0
    /// Where the last scalar of class 0 is, which what follows may compose with.
    var starter: Int?
    var lastClass: UInt8 = 0
    for index in 0..<text.count {
      let scalar = unsafe text[index]
      let rank = combiningClass(scalar)
      if let place = starter {
        // Nothing of the same or a higher class stands between.
        let isNext = place == count - 1
        if isNext || (lastClass != 0 && lastClass < rank) {
          let composed = unsafe compose(text[place], scalar)
          if composed != 0 {
            unsafe text[place] = composed
            continue
          }
        }
      }
      if rank == 0 { starter = count }
      lastClass = rank
      unsafe text[count] = scalar
      count += 1
    }
    return count
  }

  private static func compose(_ first: UInt32, _ second: UInt32) -> UInt32 {
    let (lead, vowel) = (first &- leads, second &- vowels)
    if lead < 19, vowel < 21 { return hangul.base + (lead * 21 + vowel) * 28 }
    let (syllable, tail) = (first &- hangul.base, second &- tails)
    if syllable < hangul.count, syllable % 28 == 0, tail > 0, tail < 28 { return first + tail }
    return unicode_compose(first, second)
  }

  private static func combiningClass(_ scalar: UInt32) -> UInt8 {
    scalar < 0x300 ? 0 : unicode_combining_class(scalar)
  }
}
