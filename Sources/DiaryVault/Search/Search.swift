/// A query made ready to run.
struct PreparedQuery: Sendable {
  let words: [[UInt8]]
  let bits: [Int]

  init(_ query: SearchQuery) {
    words = query.words.map(SearchText.fold)
    bits = Array(Set(words.flatMap { SearchSignature.bits(of: $0) })).sorted()
  }

  /// Whether every word is in one of the folded texts.
  func matches(_ texts: [[UInt8]]) -> Bool {
    words.allSatisfy { word in texts.contains { Self.contains($0, word) } }
  }

  /// Whether `word` stands in `text`, both folded.
  static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, text.count >= word.count else { return word.isEmpty }
    return unsafe text.withUnsafeBufferPointer { text in
      unsafe word.withUnsafeBufferPointer { word in
        let last = text.count - word.count
        var start = 0
        while start <= last {
          if unsafe text[start] == first {
            var length = 1
            while length < word.count, unsafe text[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
          }
          start += 1
        }
        return false
      }
    }
  }
}

extension SearchSignature {
  /// The texts of an entry that are searched, folded.
  static func texts(title: String?, tags: [String], body: String) -> [[UInt8]] {
    ([title].compactMap { $0 } + tags + [body]).map(SearchText.fold)
  }
}

extension PreparedQuery {
  /// The line around the first hit: of the body, else the title.
  func excerpt(title: String?, body: String) -> String? {
    for line in body.split(whereSeparator: \.isNewline) {
      let folded = SearchText.fold(String(line))
      if words.contains(where: { Self.contains(folded, $0) }) { return cut(line) }
    }
    // Only in the title or a tag, or a phrase over two lines: then the beginning is as good as any.
    return title ?? body.split(whereSeparator: \.isNewline).first.map(cut)
  }

  /// A line, around its first hit when it is long: at most 240 characters.
  private func cut(_ line: Substring) -> String {
    guard line.utf8.count > 240 else { return String(line) }
    let characters = Array(line)
    // The first character from which on a word stands: folding keeps order, so halving finds it.
    var low = 0
    var high = characters.count
    while high - low > 1 {
      let middle = (low + high) / 2
      let rest = SearchText.fold(String(characters[middle...]))
      if words.contains(where: { Self.contains(rest, $0) }) { low = middle } else { high = middle }
    }
    let start = max(0, low - 60)
    let scalars = String(characters[start..<min(characters.count, start + 240)]).unicodeScalars
    return (start > 0 ? "…" : "") + String(String.UnicodeScalarView(scalars.prefix(960)))
  }
}
