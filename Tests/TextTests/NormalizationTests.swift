import Foundation
import Testing

@testable import Text

/// Our tables against others: those of Foundation, one code point at a time.
///
/// A passphrase is normalised before it opens anything, so not one code point may come out differently. Foundation's own sequences are no
/// judge: it leaves `U+C838 U+11A9` apart, marks behind a compatibility decomposition as they come, and the marks of Unicode 16 out of
/// order. So texts are held against the definition (UAX #15), spelt out below with Foundation's mappings.
@Suite struct NormalizationTests {
  private static var scalars: some Sequence<Unicode.Scalar> {
    // The toolchain's normalisation does not know the characters of Unicode 16 yet.
    (UInt32(0)...0x10ffff).lazy.compactMap { Unicode.Scalar($0) }
      .filter { ($0.properties.age?.major ?? 0) < 16 }
  }

  private func text(_ values: [UInt32]) -> String.UnicodeScalarView {
    var view = String.UnicodeScalarView()
    for value in values { view.append(Unicode.Scalar(value)!) }
    return view
  }

  private func inPlace(_ values: [UInt32]) -> [UInt32] {
    var scalars = values
    scalars += [UInt32](
      repeating: 0, count: values.count * (Normalization.longestCanonicalDecomposition - 1))
    let composed = scalars.withUnsafeMutableBufferPointer {
      Normalization.nfc($0, count: values.count)
    }
    return Array(scalars[..<composed])
  }

  /// The code points in texts of some hundreds, each on a line of its own, where none meets another.
  private static func pages() -> [[Unicode.Scalar]] {
    var pages: [[Unicode.Scalar]] = [[]]
    for scalar in scalars {
      if pages[pages.count - 1].count == 512 { pages.append([]) }
      pages[pages.count - 1].append(scalar)
    }
    return pages
  }

  private static func lines(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    for scalar in scalars {
      view.append(scalar)
      view.append("\n")
    }
    return String(view)
  }

  @Test func `every code point comes out as Foundation has it`() {
    func isAlike(_ text: String) -> Bool {
      // By scalars: two texts that are canonically equal are equal strings.
      Normalization.nfc(text.unicodeScalars)
        .elementsEqual(text.precomposedStringWithCanonicalMapping.unicodeScalars)
        && Normalization.nfkd(text.unicodeScalars)
          .elementsEqual(text.decomposedStringWithCompatibilityMapping.unicodeScalars)
    }
    for page in Self.pages() where !isAlike(Self.lines(page)) {
      for scalar in page {
        #expect(isAlike(String(scalar)), "U+\(String(scalar.value, radix: 16))")
      }
      Issue.record("one of U+\(String(page[0].value, radix: 16)) and those behind it")
    }
  }

  /// The definition, from what Foundation says of single code points.
  private struct Definition {
    var canonical: [UInt32: [UInt32]] = [:]
    var compatible: [UInt32: [UInt32]] = [:]
    /// What a full decomposition composes to, where it may.
    var composites: [[UInt32]: UInt32] = [:]

    init() {
      let changed = NormalizationTests.pages().filter {
        let text = NormalizationTests.lines($0)
        return !text.decomposedStringWithCompatibilityMapping.unicodeScalars
          .elementsEqual(text.unicodeScalars)
      }
      for scalar in changed.joined() {
        let one = String(scalar)
        let parts = one.decomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
        let most = one.decomposedStringWithCompatibilityMapping.unicodeScalars.map(\.value)
        if most != [scalar.value] { compatible[scalar.value] = most }
        guard parts != [scalar.value] else { continue }
        canonical[scalar.value] = parts
        if one.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([scalar]) {
          composites[parts] = scalar.value
        }
      }
    }

    func rank(_ scalar: UInt32) -> UInt8 {
      Unicode.Scalar(scalar)!.properties.canonicalCombiningClass.rawValue
    }

    func decomposed(_ text: [UInt32], _ mapping: [UInt32: [UInt32]]) -> [UInt32] {
      var scalars = text.flatMap { mapping[$0] ?? [$0] }
      var isDone = false
      while !isDone {
        isDone = true
        for index in scalars.indices.dropFirst()
        where rank(scalars[index]) != 0 && rank(scalars[index - 1]) > rank(scalars[index]) {
          scalars.swapAt(index - 1, index)
          isDone = false
        }
      }
      return scalars
    }

    func composed(_ text: [UInt32]) -> [UInt32] {
      var scalars = decomposed(text, canonical)
      var index = 1
      while index < scalars.count {
        let rank = rank(scalars[index])
        if let starter = scalars[..<index].lastIndex(where: { self.rank($0) == 0 }),
          scalars[(starter + 1)..<index].allSatisfy({ self.rank($0) < rank }),
          let composite = composites[
            (canonical[scalars[starter]] ?? [scalars[starter]]) + [scalars[index]]]
        {
          scalars[starter] = composite
          scalars.remove(at: index)
        } else {
          index += 1
        }
      }
      return scalars
    }
  }

  @Test func `texts come out as the definition has it`() {
    let definition = Definition()
    let marks = Self.scalars.filter { $0.properties.canonicalCombiningClass.rawValue != 0 }
      .map(\.value)
    let others =
      Array(definition.compatible.keys) + Array(0x1100...0x11ff) + Array(0x41...0x7a)
      + definition.composites.keys.flatMap { $0 }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40_000 {
      let values = (0..<Int.random(in: 2...16, using: &random)).map { _ in
        (Bool.random(using: &random) ? marks : others).randomElement(using: &random)!
      }
      let composed = Normalization.nfc(text(values)).map(\.value)
      let isRight =
        composed == definition.composed(values) && composed == inPlace(values)
        && Normalization.nfkd(text(values)).map(\.value)
          == definition.decomposed(values, definition.compatible)
      #expect(isRight, "\(values.map { String($0, radix: 16) })")
      if !isRight { return }
    }
  }

  @Test func `a million marks on one letter are put in order without a stall`() {
    let marks: [UInt32] = [0x301, 0x323, 0x327, 0x345, 0x334]
    let values = [0x61] + (0..<1_000_000).map { marks[$0 * 7 % 5] }
    let sorted = Normalization.nfkd(text(values)).map(\.value)
    #expect(sorted[1] == 0x334)
    #expect(sorted.dropFirst(600_001).allSatisfy { $0 == 0x301 || $0 == 0x345 })
  }
}
