internal import Text

/// What a person searches for.
///
/// ```
/// query  = group…                all of them
/// group  = term [OR term]…       one of them at least
/// term   = word | "a phrase" | #tag
/// -term                          not in the entry
/// ```
///
/// A word counts inside words, too; a tag is the whole tag.
public struct SearchQuery: Sendable, Equatable, Codable {
  public enum Term: Sendable, Equatable, Codable {
    case text(String)
    case tag(String)

    var folded: [UInt8] {
      switch self {
      case .text(let text), .tag(let text): SearchText.fold(text)
      }
    }
  }

  /// A matching entry has at least one term of each group.
  public let groups: [[Term]]
  /// A matching entry has none of these.
  public let excluded: [Term]

  /// How many words and phrases may be looked for at once.
  public static let limit = 1000

  package var count: Int { groups.reduce(excluded.count) { $0 + $1.count } }

  /// Every word and phrase that is looked for, as typed.
  public var words: [String] {
    groups.flatMap { group in
      group.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  /// One text is one word, or a phrase when it has spaces in it (the shell took its quotes away);
  /// what stands in double quotes inside a text is a phrase too.
  public init(_ texts: [String]) {
    var groups: [[Term]] = []
    var excluded: [Term] = []
    var isJoining = false
    for (token, isQuoted) in texts.flatMap(Self.tokens) {
      if !isQuoted, token == "OR" {
        isJoining = !groups.isEmpty
        continue
      }
      let isExcluded = !isQuoted && token.hasPrefix("-") && token.count > 1
      let term = Self.term(isExcluded ? String(token.dropFirst()) : token, isQuoted: isQuoted)
      guard !term.folded.isEmpty else { continue }
      if isExcluded {
        excluded.append(term)
      } else if isJoining {
        groups[groups.count - 1].append(term)
      } else {
        groups.append([term])
      }
      isJoining = false
    }
    self.groups = groups
    self.excluded = excluded
  }

  private static func term(_ token: String, isQuoted: Bool) -> Term {
    // The wide # of a Japanese keyboard, too.
    guard !isQuoted, token.count > 1, token.hasPrefix("#") || token.hasPrefix("＃") else {
      return .text(token)
    }
    return .tag(String(token.dropFirst()))
  }

  /// The words and phrases of one text, and whether each stood in quotes.
  private static func tokens(_ text: String) -> [(String, isQuoted: Bool)] {
    guard text.contains("\"") else {
      // No shell parts words at the wide space of a Japanese keyboard.
      return text.split { $0 == "\u{3000}" || $0 == "\u{a0}" }.map { (String($0), false) }
    }
    var tokens: [(String, isQuoted: Bool)] = []
    var isExcluded = false
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      // A quote that nothing closes is a character like any other.
      guard index % 2 == 1, index + 1 < parts.count else {
        var words = part.split(whereSeparator: \.isWhitespace).map(String.init)
        isExcluded = words.last == "-" && part.hasSuffix("-") && index + 1 < parts.count
        if isExcluded { words.removeLast() }
        tokens += words.map { ($0, false) }
        continue
      }
      tokens.append(isExcluded ? ("-" + part, false) : (String(part), true))
      isExcluded = false
    }
    return tokens
  }

  /// What somebody types into one field: words, and phrases in double quotes.
  public init(typed text: String) {
    self.init(
      text.contains("\"") ? [text] : text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  public var isEmpty: Bool { groups.isEmpty && excluded.isEmpty }

  /// Whether `text` alone is what is looked for.
  public func matches(_ text: String) -> Bool {
    PreparedQuery(self).matches([SearchText.fold(text)], tags: [])
  }

  /// Whether a search treats two texts as the same.
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
