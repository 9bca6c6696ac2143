/// The words somebody looks for.
public struct SearchQuery: Sendable, Equatable, Codable {
  /// Words and quoted phrases as typed.
  public let words: [String]

  /// One text is one word, or a phrase when it has spaces in it (the shell took its quotes away);
  /// what stands in double quotes inside a text is a phrase too.
  public init(_ texts: [String]) {
    var words: [String] = []
    for text in texts {
      guard text.contains("\"") else {
        // No shell parts words at the wide space of a Japanese keyboard.
        words += text.split { $0 == "\u{3000}" || $0 == "\u{a0}" }.map(String.init)
        continue
      }
      for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index % 2 == 1 {
          words.append(String(part))
        } else {
          words += part.split(whereSeparator: \.isWhitespace).map(String.init)
        }
      }
    }
    self.words = words.filter { !SearchText.fold($0).isEmpty }
  }

  /// What somebody types into one field: words, and phrases in double quotes.
  public init(typed text: String) {
    self.init(
      text.contains("\"") ? [text] : text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  public var isEmpty: Bool { words.isEmpty }

  /// Whether every word stands in `text`.
  public func matches(_ text: String) -> Bool {
    let folded = SearchText.fold(text)
    return words.allSatisfy { PreparedQuery.contains(folded, SearchText.fold($0)) }
  }

  /// Whether a search takes two texts for the same.
  public static func areEqual(_ one: String, _ other: String) -> Bool {
    SearchText.fold(one) == SearchText.fold(other)
  }

  /// Whether `text` begins with what somebody has typed of it.
  public static func begins(_ text: String, with beginning: String) -> Bool {
    SearchText.fold(text).starts(with: SearchText.fold(beginning))
  }

  /// Where its words stand in `text`, in order and apart from one another: for marking.
  ///
  /// Characters are folded one by one, so a hit that begins inside one counts from its beginning.
  public func hits(in text: String) -> [Range<String.Index>] {
    var folded: [UInt8] = []
    var origin: [String.Index] = []
    for index in text.indices {
      let bytes = text[index].isWhitespace ? [0x20] : SearchText.fold(String(text[index]))
      folded += bytes
      origin += repeatElement(index, count: bytes.count)
    }
    var ranges: [Range<String.Index>] = []
    for word in words.map(SearchText.fold) where !word.isEmpty && word.count <= folded.count {
      var start = 0
      while start <= folded.count - word.count {
        guard folded[start..<(start + word.count)].elementsEqual(word) else {
          start += 1
          continue
        }
        let end = text.index(after: origin[start + word.count - 1])
        ranges.append(origin[start]..<end)
        start += word.count
      }
    }
    var apart: [Range<String.Index>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = apart.last, range.lowerBound < last.upperBound {
        apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        apart.append(range)
      }
    }
    return apart
  }
}
