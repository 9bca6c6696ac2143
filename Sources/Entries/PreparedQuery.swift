internal import Platform
internal import Text

/// An entry as a search looks at it; texts are folded.
package struct SearchedEntry: Sendable {
  /// Everything in which a word may stand: title, tags, text, location, weather and the names of files.
  package var texts: [[UInt8]]
  package var tags: [[UInt8]] = []
  package var location: [UInt8] = []
  package var weather: [UInt8] = []
  package var files: [[UInt8]] = []
  package var journal: UInt32?
  package var kind: UInt32?
  /// The civil day where it was written.
  package var day: Int?

  package init(texts: [[UInt8]]) { self.texts = texts }

  /// - Parameter text: all of it that is searched: an entry may have several.
  package init(
    _ content: EntryContent, text: String, files: [String], journal: UInt32?, kind: UInt32?
  ) {
    self.files = files.map(SearchText.fold)
    texts = Self.texts(content, text: text, files: files)
    tags = content.tags.map(SearchText.fold)
    location = content.location.map(SearchText.fold) ?? []
    weather = content.weather.map(SearchText.fold) ?? []
    (self.journal, self.kind, day) = (journal, kind, content.date.day)
  }

  /// The texts of an entry that the search index holds, folded.
  package static func texts(
    _ content: EntryContent, text: String, files: [String]
  ) -> [[UInt8]] {
    let title = [content.title].compactMap(\.self)
    let rest = [content.location, content.weather].compactMap(\.self) + files
    return (title + content.tags + [text] + rest).map(SearchText.fold)
  }
}

/// A query made ready to run.
package struct PreparedQuery: Sendable {
  package struct Term {
    let folded: [UInt8]
    private let term: SearchQuery.Term
    private static let needleLimit = 32
    /// What the terms of a matching entry must contain, and whether an entry with such terms matches for certain.
    package let needles: [[UInt8]]
    package let isExact: Bool
    /// Whether an entry can match only by its header: nothing of it stands in the index.
    package let isOfHeader: Bool
    /// The journals and kinds whose names hold it.
    private var journals: Set<UInt32> = []
    private var kinds: Set<UInt32> = []

    init(_ term: SearchQuery.Term, _ names: NameRegister?) {
      self.term = term
      folded = term.folded
      let (needles, isExact) = SearchTerms.needles(of: folded)
      // Each is looked for in the whole index at once, and the text itself is compared anyway.
      self.needles = Array(needles.prefix(Self.needleLimit))
      switch term {
      case .text: (self.isExact, isOfHeader) = (isExact, false)
      case .tag, .field(.place, _), .field(.weather, _), .field(.file, _):
        (self.isExact, isOfHeader) = (false, false)
      case .field(.journal, _), .field(.kind, _), .dates:
        (self.isExact, isOfHeader) = (false, true)
      }
      guard let names else { return }
      let folded = folded
      func holds(_ name: String) -> Bool { PreparedQuery.contains(SearchText.fold(name), folded) }
      switch term {
      case .text, .field(.journal, _):
        journals = Set(names.journals.filter { holds($0.name) }.map(\.id))
      default: break
      }
      switch term {
      case .text, .field(.kind, _):
        kinds = Set(
          names.kinds.filter { ([$0.name] + $0.otherNames).contains(where: holds) }.map(\.id))
      default: break
      }
    }

    /// Whether there are headers by which alone an entry matches.
    package var mayMatchHeader: Bool {
      if case .dates = term { return true }
      return !journals.isEmpty || !kinds.isEmpty
    }

    /// Whether an entry matches by its journal, kind or date.
    package func matches(journal: UInt32?, kind: UInt32?, day: Int?) -> Bool {
      if case .dates(let dates) = term { return day.map(dates.contain) ?? false }
      return journal.map(journals.contains) ?? false || kind.map(kinds.contains) ?? false
    }

    /// Whether an entry of some days can match by its header.
    package func mayMatch(days: ClosedRange<Int>) -> Bool {
      guard case .dates(.days(let wanted)) = term else { return mayMatchHeader }
      return wanted.overlaps(days)
    }

    func isIn(_ entry: SearchedEntry) -> Bool {
      func isIn(_ texts: [[UInt8]]) -> Bool {
        texts.contains { PreparedQuery.contains($0, folded) }
      }
      let matches =
        switch term {
        case .text: isIn(entry.texts)
        case .tag: entry.tags.contains(folded)
        case .field(.place, _): isIn([entry.location])
        case .field(.weather, _): isIn([entry.weather])
        case .field(.file, _): isIn(entry.files)
        case .field(.journal, _), .field(.kind, _), .dates: false
        }
      return matches || self.matches(journal: entry.journal, kind: entry.kind, day: entry.day)
    }
  }

  package let groups: [[Term]]
  package let excluded: [Term]
  /// The words and phrases to show hits of, folded.
  let words: [[UInt8]]

  /// - Parameter names: the journals and kinds there are.
  package init(_ query: SearchQuery, _ names: NameRegister? = nil) {
    groups = query.groups.map { $0.map { Term($0, names) } }
    excluded = query.excluded.map { Term($0, names) }
    words = query.words.map(SearchText.fold)
  }

  /// Whether a journal, a kind or a date answers one of its groups.
  package var mayMatchHeader: Bool {
    groups.contains { $0.contains(where: \.mayMatchHeader) }
  }

  /// Whether an entry is what is looked for.
  package func matches(_ entry: SearchedEntry) -> Bool {
    groups.allSatisfy { $0.contains { $0.isIn(entry) } } && !excluded.contains { $0.isIn(entry) }
  }

  /// Whether `word` stands in `text`, both folded.
  static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    word.isEmpty || ByteSearch.first(word, in: text) != nil
  }
}
