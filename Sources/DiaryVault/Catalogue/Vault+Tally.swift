internal import Sealing

/// What can be counted over entries.
public enum TallySubject: String, Sendable, Codable { case tags, kinds, journals, words }

/// A name and how many entries have it; of a word, how often it stands there.
public struct TallyCount: Sendable, Codable, Equatable {
  public let name: String
  public let count: Int

  package init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}

/// What a diary amounts to.
public struct DiaryStatistics: Sendable, Codable, Equatable {
  public var entries = 0
  public var words = 0
  /// Entries by civil day, days since 1970-01-01.
  public var days: [Int: Int] = [:]

  package init() {}
}

/// Counting over the entries a filter lets through, a slice of time after another.
package final class Counting<Answer> {
  private let summaries: SummaryCursor
  private var take: (PageSummary) -> Void
  private let answer: () -> Answer

  fileprivate init(
    _ summaries: SummaryCursor, take: @escaping (PageSummary) -> Void,
    answer: @escaping () -> Answer
  ) {
    self.summaries = summaries
    self.take = take
    self.answer = answer
  }

  /// Goes on; nil when the slice was over first.
  package func step(_ slice: Slice) throws(VaultError) -> Answer? {
    while true {
      switch try summaries.next(within: slice) {
      case .found(let summary): take(summary)
      case .paused: return nil
      case .ended: return answer()
      }
    }
  }
}

extension Snapshot {
  /// Counts over the entries a filter lets through, the most frequent first.
  ///
  /// Journals and kinds without entries are there with zero, in the owner's order; of tags that differ only
  /// in case the first spelling met, from the newest entry back, gives the name. Words open every body.
  package func tally(
    _ subject: TallySubject, _ filter: EntryFilter
  ) throws(VaultError) -> Counting<[TallyCount]> {
    let register = try register()
    var numbers: [UInt32: Int] = [:]
    var texts: [[UInt8]: (name: String, count: Int)] = [:]
    return Counting(try SummaryCursor(self, filter, words: subject == .words)) { summary in
      switch subject {
      case .journals: numbers.merge(summary.journals, uniquingKeysWith: +)
      case .kinds: numbers.merge(summary.kinds, uniquingKeysWith: +)
      case .tags:
        for (key, tag) in summary.tags { texts[key, default: (tag.name, 0)].count += tag.count }
      case .words:
        for (key, word) in summary.texts { texts[key, default: (word.name, 0)].count += word.count }
      }
    } answer: {
      switch subject {
      case .journals:
        return register.journals.map { TallyCount(name: $0.name, count: numbers[$0.id] ?? 0) }
      case .kinds:
        return register.kinds.map { TallyCount(name: $0.name, count: numbers[$0.id] ?? 0) }
      case .tags, .words:
        let list = texts.values.map { TallyCount(name: $0.name, count: $0.count) }
          .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        // Every word used once is no answer to anybody.
        return subject == .words ? Array(list.prefix(10_000)) : list
      }
    }
  }

  package func statistics(_ filter: EntryFilter) throws(VaultError) -> Counting<DiaryStatistics> {
    var result = DiaryStatistics()
    return Counting(try SummaryCursor(self, filter, words: false)) { summary in
      result.entries += summary.entries
      result.words += summary.words
      result.days.merge(summary.days, uniquingKeysWith: +)
    } answer: {
      result
    }
  }
}

/// What a filter lets through, summed up: by page when that is everything, else entry by entry, from newest to oldest.
private final class SummaryCursor {
  private let snapshot: Snapshot
  private let catalogue: Catalogue
  /// Of single entries; nil when whole pages are summed up.
  private let headers: HeaderCursor?
  private let words: Bool
  private var sections: [SectionRef]
  private var pages: [PageRef] = []

  init(_ snapshot: Snapshot, _ filter: EntryFilter, words: Bool) throws(VaultError) {
    self.snapshot = snapshot
    self.words = words
    catalogue = snapshot.catalogue
    sections = snapshot.catalogue.state.sections
    let register = try snapshot.register()
    if let name = filter.journal { _ = try register.requireJournal(name) }
    if let name = filter.kind { _ = try register.requireKind(name) }
    headers =
      filter == EntryFilter() && !words
      ? nil
      : HeaderCursor(snapshot.catalogue, filter: filter, register: register, newestFirst: true)
  }

  func next(within slice: Slice) throws(VaultError) -> Found<PageSummary> {
    guard let headers else { return try nextPage(within: slice) }
    switch try headers.next(within: slice) {
    case .paused: return .paused
    case .ended: return .ended
    case .found(let header):
      var summary = PageSummary()
      if words {
        if let title = header.title { summary.add(words: title) }
        summary.add(words: try catalogue.body(header))
      } else {
        summary.add(header)
      }
      return .found(summary)
    }
  }

  private func nextPage(within slice: Slice) throws(VaultError) -> Found<PageSummary> {
    if slice.isOver { return .paused }
    while pages.isEmpty {
      guard let section = sections.popLast() else { return .ended }
      pages = try catalogue.section(section).pages
    }
    let pageRef = pages.removeLast()
    let vault = catalogue.vault
    if let kept = vault.cache[summary: pageRef.ref] { return .found(kept) }
    let page = try catalogue.page(pageRef, keeping: false)
    var summary = PageSummary()
    for index in (0..<page.count).reversed()
    where page.flags(index) & Header.Flags.trashed == 0 {
      summary.add(
        try unsealing("header page") { () throws(SealingError) in try page.header(index) })
    }
    vault.cache.keep(
      summary, pageRef.ref, pages: catalogue.state.sections.count * Section.capacity)
    return .found(summary)
  }
}

/// What counting asks of some entries.
struct PageSummary: Sendable {
  private(set) var entries = 0
  private(set) var words = 0
  private(set) var days: [Int: Int] = [:]
  private(set) var journals: [UInt32: Int] = [:]
  private(set) var kinds: [UInt32: Int] = [:]
  private(set) var tags: [[UInt8]: (name: String, count: Int)] = [:]
  /// Words of their texts, when those are counted.
  private(set) var texts: [[UInt8]: (name: String, count: Int)] = [:]

  mutating func add(words text: String) {
    WordCount.each(in: text) { word in
      texts[SearchText.fold(word), default: (word, 0)].count += 1
    }
  }

  mutating func add(_ header: Header) {
    entries += 1
    words += header.words
    days[header.date.day, default: 0] += 1
    if let journal = header.journal { journals[journal, default: 0] += 1 }
    if let kind = header.kind { kinds[kind, default: 0] += 1 }
    for tag in header.tags { tags[SearchText.fold(tag), default: (tag, 0)].count += 1 }
  }
}

/// Words as a ranking counts them: runs of letters of three and more, in lower case; of Chinese characters
/// and katakana, which are written without spaces, runs of two and more; hiragana parts them.
enum WordCount {
  private enum Script { case none, letters, han, katakana }

  static func each(in text: String, _ body: (String) -> Void) {
    var run = String.UnicodeScalarView()
    var script = Script.none
    func end() {
      defer { run = String.UnicodeScalarView() }
      guard run.count >= (script == .letters ? 3 : 2) else { return }
      body(String(run).lowercased())
    }
    for scalar in text.unicodeScalars {
      let next = Self.script(scalar)
      // A combining mark belongs to the letter before it.
      let continues = next == script || (script == .letters && scalar.properties.isDiacritic)
      if !continues {
        end()
        script = next
      }
      if script != .none { run.append(scalar) }
    }
    end()
  }

  private static func script(_ scalar: Unicode.Scalar) -> Script {
    switch scalar.value {
    case 0x41...0x5a, 0x61...0x7a: .letters
    case 0..<0x80: .none
    case 0x3041...0x309f: .none
    case 0x30a1...0x30fa, 0x30fc...0x30ff: .katakana
    case 0x3400...0x9fff, 0xf900...0xfaff, 0x3005: .han
    default: scalar.properties.isAlphabetic ? .letters : .none
    }
  }
}
