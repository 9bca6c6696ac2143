internal import Text

/// What a person searches for.
///
/// ```
/// query  = group…                all of them
/// group  = term [OR term]…       one of them at least
/// term   = word | "a phrase" | #tag | field:word
/// field  = journal | place | kind | weather | file | tag
/// -term                          not in the entry
/// ```
///
/// A word counts inside words, too, in all that one sees of an entry: title, text, tags, location, journal, kind, weather and the
/// names of files. A tag is the whole tag. Words that mean days (``SearchDates``) also find the entries of those days.
public struct SearchQuery: Sendable, Equatable, Codable {
  public enum Term: Sendable, Equatable, Codable {
    case text(String)
    case tag(String)
    /// Words in one field.
    case field(Field, String)
    /// The entries of some days.
    case dates(SearchDates)

    var folded: [UInt8] {
      switch self {
      case .text(let text), .tag(let text), .field(_, let text): SearchText.fold(text)
      case .dates: []
      }
    }
  }

  /// What a term can be limited to.
  public enum Field: String, Sendable, Equatable, Codable {
    case journal, place, kind, weather, file

    /// What is typed before the colon, in every language.
    static let names: [String: @Sendable (String) -> Term] = [
      "journal": { .field(.journal, $0) }, "日記帳": { .field(.journal, $0) },
      "place": { .field(.place, $0) }, "location": { .field(.place, $0) },
      "場所": { .field(.place, $0) },
      "kind": { .field(.kind, $0) }, "種類": { .field(.kind, $0) },
      "weather": { .field(.weather, $0) }, "天気": { .field(.weather, $0) },
      "file": { .field(.file, $0) }, "添付": { .field(.file, $0) },
      "tag": { .tag($0) }, "タグ": { .tag($0) },
    ]
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
  ///
  /// - Parameter today: civil days since 1970-01-01; nil where words such as *yesterday* are no date.
  public init(_ texts: [String], today: Int? = nil) {
    // So many that more than may be looked for are among them, also where OR stands between all: the rest only takes time.
    let tokens = Array(texts.lazy.flatMap(Self.tokens).prefix(2 * Self.limit + 2))
    let dates = Self.dates(in: tokens, today)
    var groups: [[Term]] = []
    var excluded: [Term] = []
    var isJoining = false
    for (index, (token, isQuoted)) in tokens.enumerated() {
      if !isQuoted, Self.isOr(token) {
        isJoining = !groups.isEmpty
        continue
      }
      // The signs of a Japanese keyboard, too.
      let isExcluded =
        !isQuoted && token.count > 1 && token.first.map { "-－−".contains($0) } ?? false
      let term = Self.term(isExcluded ? String(token.dropFirst()) : token, isQuoted: isQuoted)
      guard !term.folded.isEmpty else { continue }
      if isExcluded {
        excluded.append(term)
        if let dates = SearchDates(words: String(token.dropFirst()), today: today) {
          excluded.append(.dates(dates))
        }
        continue
      }
      if !isJoining { groups.append([]) }
      groups[groups.count - 1].append(term)
      if let dates = dates[index] { groups[groups.count - 1].append(.dates(dates)) }
      isJoining = false
    }
    self.groups = groups
    self.excluded = excluded
  }

  private static func isOr(_ token: String) -> Bool { token == "OR" || token == "ＯＲ" }

  private typealias Token = (text: String, isQuoted: Bool)

  /// The days that words mean, at each of the words.
  private static func dates(in tokens: [Token], _ today: Int?) -> [Int: SearchDates] {
    func isJoin(_ index: Int) -> Bool {
      tokens.indices.contains(index) && Self.isOr(tokens[index].text)
    }
    var found: [Int: SearchDates] = [:]
    var index = 0
    while index < tokens.count {
      let most = min(SearchDates.wordLimit, tokens.count - index)
      let run = (1...most).reversed().lazy.map { index..<(index + $0) }.compactMap { run in
        let words = tokens[run]
        // Of a date in several words, none belongs to an OR.
        guard !words.contains(where: \.isQuoted),
          run.count == 1 || !isJoin(run.lowerBound - 1) && !isJoin(run.upperBound)
        else { return (Range<Int>, SearchDates)?.none }
        let text = words.map(\.text).joined(separator: " ")
        return SearchDates(words: text, today: today).map { (run, $0) }
      }.first
      for place in run?.0 ?? index..<index { found[place] = run?.1 }
      index = run?.0.upperBound ?? index + 1
    }
    return found
  }

  private static func term(_ token: String, isQuoted: Bool) -> Term {
    if isQuoted { return .text(token) }
    // The wide # of a Japanese keyboard, too.
    if token.count > 1, token.hasPrefix("#") || token.hasPrefix("＃") {
      return .tag(String(token.dropFirst()))
    }
    guard let (term, rest) = field(token), !rest.isEmpty else { return .text(token) }
    return term(rest)
  }

  /// What a field before a colon makes of what stands behind it, and that.
  private static func field(_ token: String) -> ((String) -> Term, String)? {
    guard let colon = token.firstIndex(where: { $0 == ":" || $0 == "：" }),
      let field = Field.names[token[..<colon].lowercased()]
    else { return nil }
    return (field, String(token[token.index(after: colon)...]))
  }

  /// The words and phrases of one text, and whether each stood in quotes.
  private static func tokens(_ text: String) -> [Token] {
    guard text.contains("\"") else {
      // No shell parts words at the wide space of a Japanese keyboard.
      return text.split { $0 == "\u{3000}" || $0 == "\u{a0}" }.map { (String($0), false) }
    }
    var tokens: [Token] = []
    // `-` or `place:` right before a quote.
    var before = ""
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      // A quote that nothing closes is a character like any other.
      guard index % 2 == 1, index + 1 < parts.count else {
        var words = part.split(whereSeparator: \.isWhitespace).map(String.init)
        before = ""
        if index + 1 < parts.count, let last = words.last, part.hasSuffix(last),
          last == "-" || field(last.hasPrefix("-") ? String(last.dropFirst()) : last)?.1 == ""
        {
          before = words.removeLast()
        }
        tokens += words.map { ($0, false) }
        continue
      }
      tokens.append(before.isEmpty ? (String(part), true) : (before + part, false))
    }
    return tokens
  }

  /// What somebody types into one field: words, and phrases in double quotes.
  ///
  /// - Parameter today: as above.
  public init(typed text: String, today: Int? = nil) {
    self.init(
      text.contains("\"") ? [text] : text.split(whereSeparator: \.isWhitespace).map(String.init),
      today: today)
  }

  public var isEmpty: Bool { groups.isEmpty && excluded.isEmpty }

  /// Whether `text` alone is what is looked for.
  public func matches(_ text: String) -> Bool {
    PreparedQuery(self).matches(SearchedEntry(texts: [SearchText.fold(text)]))
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
