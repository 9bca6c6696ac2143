internal import Platform
internal import Text

/// A query made ready to run.
package struct PreparedQuery: Sendable {
  package struct Term {
    let folded: [UInt8]
    let isTag: Bool
    private static let needleLimit = 32
    /// What the terms of a matching entry must contain, and whether an entry with such terms matches for certain.
    package let needles: [[UInt8]]
    package let isExact: Bool

    init(_ term: SearchQuery.Term) {
      folded = term.folded
      if case .tag = term { isTag = true } else { isTag = false }
      let (needles, isExact) = SearchTerms.needles(of: folded)
      // Each is looked for in the whole index at once, and the text itself is compared anyway.
      self.needles = Array(needles.prefix(Self.needleLimit))
      self.isExact = isExact && !isTag
    }

    func isIn(_ texts: [[UInt8]], tags: [[UInt8]]) -> Bool {
      isTag ? tags.contains(folded) : texts.contains { PreparedQuery.contains($0, folded) }
    }
  }

  package let groups: [[Term]]
  package let excluded: [Term]
  /// The words and phrases to show hits of, folded.
  let words: [[UInt8]]

  package init(_ query: SearchQuery) {
    groups = query.groups.map { $0.map(Term.init) }
    excluded = query.excluded.map(Term.init)
    words = query.words.map(SearchText.fold)
  }

  /// Whether the folded texts of an entry, its tags among them, are what is looked for.
  package func matches(_ texts: [[UInt8]], tags: [[UInt8]]) -> Bool {
    groups.allSatisfy { $0.contains { $0.isIn(texts, tags: tags) } }
      && !excluded.contains { $0.isIn(texts, tags: tags) }
  }

  /// Whether `word` stands in `text`, both folded.
  static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    word.isEmpty || ByteSearch.first(word, in: text) != nil
  }
}

extension PreparedQuery {
  /// The line around the first hit: of the body, else the title.
  package func excerpt(title: String?, body: String) -> String? {
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
